-- Which armies stand about? One row per free unit ashore that did not move: turns since its last move.
with
    last_moves as (
        select m.game, m.unit_id, max(m.turn) as moved_in
        from moves as m
        where m.from_hex is distinct from m.to_hex
        group by m.game, m.unit_id
    ),

    first_turns as (
        select u.game, u.unit_id, min(u.turn) as first_turn
        from history.units as u
        group by u.game, u.unit_id
    )

select
    u.game,
    u.realm,
    u.unit,
    u.unit_type,
    u.troops,
    u.hex,
    u.turn - coalesce(m.moved_in, f.first_turn) as idle_turns,
    u.unit_id
from units_at(last_turn()) as u
inner join first_turns as f on f.game = u.game and f.unit_id = u.unit_id
left join last_moves as m on m.game = u.game and m.unit_id = u.unit_id
where u.state = 'ashore' and coalesce(m.moved_in, f.first_turn) < u.turn
order by idle_turns desc, u.troops desc, u.game, u.unit_id;
