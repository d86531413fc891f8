-- Combat strength of the free units. One row per turn and realm.
-- axis: combat strength, without merit and ground
with armies as (
    select u.game, u.turn, u.realm_id, sum(u.strength) as strength
    from units as u
    where u.state <> 'captive'
    group by u.game, u.turn, u.realm_id
)

select r.turn, r.realm_id, coalesce(a.strength, 0)::bigint as value
from history.realms as r
left join armies as a on a.game = r.game and a.turn = r.turn and a.realm_id = r.realm_id
order by r.turn, r.realm_id;
