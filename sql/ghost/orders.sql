-- One row per line of an order file: how it was understood, and of counted orders the result.
create or replace view orders as
with handed_in as (
    select *
    from read_parquet(
        'history/*/orders.parquet',
        hive_partitioning = true, hive_types = {'turn': integer}, union_by_name = true
    )
),

results as (
    select *
    from read_parquet(
        'history/*/results.parquet',
        hive_partitioning = true, hive_types = {'turn': integer}, union_by_name = true
    )
)

select
    phases.turn,
    phases.year,
    phases.season,
    o.nation,
    o.line,
    o.text,
    o.step,
    o.unit_type,
    o.province,
    o.coast,
    o.kind,
    o.of_type,
    o.of_province,
    o.target,
    o.target_coast,
    o.via,
    o.preference,
    o.status,
    o.understood,
    o.reason,
    r.outcome,
    r.dislodged
from handed_in as o
inner join phases on o.turn = phases.turn
left join results as r
    on
        o.turn = r.turn
        and o.nation = r.nation
        and o.province = r.province
        and o.step = r.step
        and o.status = 'counted'
