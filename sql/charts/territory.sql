-- Territory of the realms. One row per turn and realm.
-- axis: hexes
select r.turn, r.realm_id, count(h.hex_id) as value
from history.realms as r
left join history.hexes as h on h.game = r.game and h.turn = r.turn and h.realm_id = r.realm_id
group by r.turn, r.realm_id
order by r.turn, r.realm_id;
