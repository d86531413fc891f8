-- One row per line of a realm's report, and turn.
-- realm: code of the realm that reads it
-- unit: the unit concerned, 112@ABC
-- hex: the hex concerned, GF/KF
create view messages as
select
    m.game,
    m.turn,
    date_text(g.months, g.start_date + m.turn) as date,
    r.code as realm,
    m.section,
    m.seq,
    m.kind,
    w.unit,
    hex_name(m.hex_id) as hex,
    m.amount,
    m.text,
    m.realm_id,
    m.unit_id,
    m.building_id,
    m.hex_id
from history.messages as m
inner join games as g on g.game = m.game
left join history.realms as r on r.game = m.game and r.turn = m.turn and r.realm_id = m.realm_id
left join who as w on w.game = m.game and w.turn = m.turn and w.unit_id = m.unit_id;
