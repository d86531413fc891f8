-- One row per nation, turn and province in its view: what it knew when the turn was over.
create or replace view knowledge as
select
    phases.turn,
    phases.year,
    phases.season,
    phases.step,
    k.viewer,
    k.province,
    k.status,
    k.nation,
    k.unit_type,
    k.coast,
    k.rule
from read_parquet(
    'history/*/knowledge.parquet',
    hive_partitioning = true, hive_types = {'turn': integer}, union_by_name = true
) as k
inner join phases on k.turn = phases.turn
