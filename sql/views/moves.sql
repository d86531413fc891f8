-- One row per living, non-captive unit with a waypoint, and turn.
-- from_name: where it started, GF/KF; null when it landed
-- to_name: where it ended, GF/KF
-- wanted: last waypoint of its order, GF/KF
create view moves as
with wishes as (
    select s.game, s.turn, s.unit_id, max_by(s.hex_id, s.step) as wanted_hex
    from history.paths as s
    group by s.game, s.turn, s.unit_id
)

select
    m.game,
    m.turn,
    date_text(g.months, g.start_date + m.turn) as date,
    w.realm,
    w.unit,
    w.unit_type,
    hex_name(m.from_hex) as from_name,
    hex_name(m.to_hex) as to_name,
    hex_name(p.wanted_hex) as wanted,
    m.contact,
    m.unit_id,
    w.realm_id,
    m.from_hex,
    m.to_hex
from history.moves as m
inner join games as g on g.game = m.game
left join who as w on w.game = m.game and w.turn = m.turn and w.unit_id = m.unit_id
left join wishes as p on p.game = m.game and p.turn = m.turn and p.unit_id = m.unit_id;
