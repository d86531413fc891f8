-- What does the ground cost? One row per cause, height and terrain: rolls, losses, mean percent.
select
    l.cause,
    l.height,
    l.terrain,
    count(*) as rolls,
    sum(l.losses)::bigint as losses,
    round(avg(l.percent), 1) as mean_percent
from losses as l
group by l.cause, l.height, l.terrain
order by losses desc, l.cause, l.height, l.terrain;
