-- One row per pair of realms, no allies, that face each other on a hex or on two neighbouring
-- hexes after a turn: each owns its hex or has troops ashore there. Each pair once.
create macro frontline(turn) as table
with
    holders as (
        select h.game, h.hex_id, h.realm_id, true as owns, 0 as troops
        from history.hexes as h
        where h.turn = turn and h.realm_id is not null
        union all
        select u.game, u.hex_id, u.realm_id, false as owns, u.troops
        from history.units as u
        where u.turn = turn and u.hex_id is not null
    ),

    sides as (
        select
            s.game,
            s.hex_id,
            s.realm_id,
            r.code as realm,
            bool_or(s.owns) as owns,
            sum(s.troops)::bigint as troops
        from holders as s
        inner join history.realms as r
            on r.game = s.game and r.turn = turn and r.realm_id = s.realm_id
        group by s.game, s.hex_id, s.realm_id, r.code
    ),

    contacts as (
        select n.game, n.hex_id, n.neighbour_id, direction_name(n.direction) as direction
        from map.neighbours as n
        union all
        select s.game, s.hex_id, s.hex_id, null
        from sides as s
        group by s.game, s.hex_id
    )

select
    a.game,
    hex_name(a.hex_id) as hex,
    a.realm,
    a.owns,
    a.troops,
    c.direction,
    hex_name(b.hex_id) as other_hex,
    b.realm as other_realm,
    b.owns as other_owns,
    b.troops as other_troops,
    a.hex_id,
    b.hex_id as other_hex_id
from sides as a
inner join contacts as c on c.game = a.game and c.hex_id = a.hex_id
inner join sides as b
    on b.game = c.game and b.hex_id = c.neighbour_id and b.realm_id > a.realm_id
anti join history.alliances as f
    on f.game = a.game and f.turn = turn and f.realm_id = a.realm_id and f.ally_id = b.realm_id
order by a.game, a.hex_id, b.hex_id, a.realm_id, b.realm_id;
