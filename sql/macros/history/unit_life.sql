-- One row per turn in the life of a unit: where it was, what it lost, whom it fought for.
create macro unit_life(unit_id) as table
with
    weather as (
        select game, turn, sum(losses)::bigint as losses
        from history.losses as l
        where l.unit_id = unit_id
        group by game, turn
    ),

    fights as (
        select game, turn, hex_id, sum(losses)::bigint as losses, bool_or(captured) as captured
        from history.battle_units as b
        where b.unit_id = unit_id
        group by game, turn, hex_id
    )

select
    e.game,
    e.turn,
    e.date,
    e.unit,
    e.unit_type,
    hex_name(m.from_hex) as from_name,
    e.hex,
    e.state,
    e.troops,
    coalesce(w.losses, 0) as environment_losses,
    hex_name(f.hex_id) as battle_hex,
    coalesce(f.losses, 0) as battle_losses,
    coalesce(f.captured, false) as captured,
    d.fate,
    e.leaders,
    e.merit,
    e.carrier,
    e.captor
from everyone as e
left join weather as w on w.game = e.game and w.turn = e.turn
left join fights as f on f.game = e.game and f.turn = e.turn
left join history.moves as m on m.game = e.game and m.turn = e.turn and m.unit_id = e.unit_id
left join history.fates as d on d.game = e.game and d.turn = e.turn and d.unit_id = e.unit_id
where e.unit_id = unit_id
order by e.game, e.turn;
