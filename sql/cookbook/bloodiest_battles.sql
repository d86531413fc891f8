-- Which battles cost most? One row per battle, the ten bloodiest: who fought, who lost what.
select
    b.game,
    b.turn,
    b.date,
    b.hex,
    string_agg(b.realms || ' ' || b.losses || '/' || b.troops_before, ' : ' order by b.party)
        as lost_of_troops,
    sum(b.losses)::bigint as losses,
    bool_or(b.overrun) as overrun
from battles as b
group by b.game, b.turn, b.date, b.hex, b.hex_id
order by losses desc, b.game, b.turn, b.hex_id
limit 10;
