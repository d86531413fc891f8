-- One row per unit, cause and river crossing that was rolled, also for losses of 0; no battles.
-- hex_id: where it stood before its move; null = aboard
-- height: Höhenstufe of this hex
-- terrain: Geländeart of this hex
create view losses as
with placed as (
    select
        l.*,
        w.realm,
        w.realm_id,
        w.unit,
        w.unit_type,
        case when m.unit_id is null then coalesce(b.hex_id, w.hex_id) else m.from_hex end as hex_id
    from history.losses as l
    left join who as w on w.game = l.game and w.turn = l.turn and w.unit_id = l.unit_id
    left join history.moves as m on m.game = l.game and m.turn = l.turn and m.unit_id = l.unit_id
    left join history.battle_units as b
        on b.game = l.game and b.turn = l.turn and b.unit_id = l.unit_id and b.round = 1
)

select
    p.game,
    p.turn,
    date_text(g.months, g.start_date + p.turn) as date,
    p.realm,
    p.unit,
    p.unit_type,
    p.cause,
    p.crossing,
    hex_name(p.hex_id) as hex,
    h.height,
    h.terrain,
    p.troops_before,
    p.percent,
    p.losses,
    p.unit_id,
    p.realm_id,
    p.hex_id
from placed as p
inner join games as g on g.game = p.game
left join history.hexes as h on h.game = p.game and h.turn = p.turn and h.hex_id = p.hex_id;
