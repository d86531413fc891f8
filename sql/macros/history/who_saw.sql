-- One row per realm that sees a hex after a turn or has it on its map.
create macro who_saw(hex_id, turn) as table
select
    r.game,
    r.turn,
    r.code as realm,
    r.name,
    s.hex_id is not null as sees,
    a.first_seen,
    a.last_seen
from history.realms as r
left join history.sight as s
    on s.game = r.game and s.turn = r.turn and s.realm_id = r.realm_id and s.hex_id = hex_id
left join history.atlas as a
    on a.game = r.game and a.turn = r.turn and a.realm_id = r.realm_id and a.hex_id = hex_id
where r.turn = turn and (s.hex_id is not null or a.hex_id is not null)
order by r.game, r.realm_id;
