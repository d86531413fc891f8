-- Are the dice fair? One row per game, kind of draw and realm: mean position in lo..hi, fair is 0.5.
-- z is how many standard deviations the mean lies off; beyond 3 somebody is very (un)lucky.
with positions as (
    select
        d.game,
        d.rolled_for,
        d.realm,
        ((d.value - d.lo + 0.5) / (d.hi - d.lo + 1))::decimal(18, 9) as position
    from draws as d
    where d.hi > d.lo
)

select
    p.game,
    p.rolled_for,
    p.realm,
    count(*) as draws,
    round(avg(p.position), 3) as mean_position,
    round((avg(p.position) - 0.5) * sqrt(12 * count(*)), 2) as z
from positions as p
group by p.game, p.rolled_for, p.realm
order by abs(z) desc, p.game, p.rolled_for, p.realm;
