-- One row per supply centre and turn: who controlled it when the turn was over (null = nobody).
create or replace view centres as
select
    phases.turn,
    phases.year,
    phases.season,
    phases.step,
    c.province,
    c.nation
from read_parquet(
    'history/*/centres.parquet',
    hive_partitioning = true, hive_types = {'turn': integer}, union_by_name = true
) as c
inner join phases on c.turn = phases.turn
