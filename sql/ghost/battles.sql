-- One row per battle: who wanted in (list, by name) and who stands there in the end.
create or replace view battles as
with fought as (
    select *
    from read_parquet(
        'history/*/battles.parquet',
        hive_partitioning = true, hive_types = {'turn': integer}, union_by_name = true
    )
),

wanting as (
    select
        turn,
        province,
        list(nation order by nation) as nations
    from read_parquet(
        'history/*/battle_nations.parquet',
        hive_partitioning = true, hive_types = {'turn': integer}, union_by_name = true
    )
    group by turn, province
)

select
    phases.turn,
    phases.year,
    phases.season,
    b.province,
    w.nations,
    b.nation,
    b.unit_type
from fought as b
inner join phases on b.turn = phases.turn
inner join wanting as w on b.turn = w.turn and b.province = w.province
