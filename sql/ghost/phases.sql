-- One row per evaluated turn: which season and step it was.
create or replace view phases as
select
    turn::integer as turn,
    year,
    season,
    step
from read_parquet('history/*/phase.parquet', hive_partitioning = false, union_by_name = true)
