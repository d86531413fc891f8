-- One row per building and turn, as it was after the turn.
-- type_name: kind of building, German
-- edge: the edge of the hex, NW to W; null = central
-- finished: is it complete in this turn?
create view buildings as
select
    b.game,
    b.turn,
    date_text(g.months, g.start_date + b.turn) as date,
    r.code as realm,
    b.building_type,
    t.name as type_name,
    b.name,
    hex_name(b.hex_id) as hex,
    direction_name(b.direction) as edge,
    coalesce(b.completed_on <= g.start_date + b.turn, true) as finished,
    date_text(g.months, b.completed_on) as completed_on_date,
    b.damage,
    b.building_id,
    b.realm_id,
    b.hex_id,
    b.direction,
    b.completed_on
from history.buildings as b
inner join games as g on g.game = b.game
left join history.realms as r on r.game = b.game and r.turn = b.turn and r.realm_id = b.realm_id
left join rules.building_types as t on t.game = b.game and t.code = b.building_type;
