-- One row per unit and turn: its names, and nothing that costs another join.
create view who as
select u.game, u.turn, u.unit_id, u.unit_type, u.hex_id, r.code as realm, u.realm_id,
    unit_name(u.number, r.code) as unit
from (
    select h.game, h.turn, h.unit_id, h.realm_id, h.number, h.unit_type, h.hex_id
    from history.units as h
    union all
    select f.game, f.turn, f.unit_id, f.realm_id, f.number, f.unit_type, f.hex_id
    from history.fallen as f
) as u
left join history.realms as r on r.game = u.game and r.turn = u.turn and r.realm_id = u.realm_id;
