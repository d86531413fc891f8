-- Who has fought most? One row per unit that fought, the twenty with most battles: still alive?
select
    b.game,
    b.unit_id,
    arg_max(b.unit, b.turn) as unit,
    arg_max(b.unit_type, b.turn) as unit_type,
    count(distinct (b.turn, b.hex_id)) as battles,
    sum(b.losses)::bigint as losses,
    coalesce(any_value(u.state), 'gone') as state,
    any_value(u.troops) as troops,
    any_value(u.merit) as merit
from battle_units as b
left join units_at(last_turn()) as u on u.game = b.game and u.unit_id = b.unit_id
group by b.game, b.unit_id
order by battles desc, losses desc, b.game, b.unit_id
limit 20;
