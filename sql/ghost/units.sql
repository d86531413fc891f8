-- One row per unit and turn: where it stood when the turn was over.
create or replace view units as
select
    phases.turn,
    phases.year,
    phases.season,
    phases.step,
    u.unit_id,
    u.nation,
    u.unit_type,
    u.province,
    u.coast
from read_parquet(
    'history/*/units.parquet',
    hive_partitioning = true, hive_types = {'turn': integer}, union_by_name = true
) as u
inner join phases on u.turn = phases.turn
