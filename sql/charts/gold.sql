-- Gold of the realms. One row per turn and realm.
-- axis: gold in the treasury and stored in the realm's hexes
with stored as (
    select h.game, h.turn, h.realm_id, sum(h.credit) as credit
    from history.hexes as h
    group by h.game, h.turn, h.realm_id
)

select r.turn, r.realm_id, (r.treasury + coalesce(s.credit, 0))::bigint as value
from history.realms as r
left join stored as s on s.game = r.game and s.turn = r.turn and s.realm_id = r.realm_id
order by r.turn, r.realm_id;
