-- Which hexes changed hands? One row per hex and turn in which it has another owner than before.
with owners as (
    select
        h.game,
        h.turn,
        h.date,
        h.hex_id,
        h.hex,
        h.realm,
        h.income,
        lag(h.realm) over before as previous_realm,
        lag(h.turn) over before as previous_turn
    from hexes as h
    window before as (partition by h.game, h.hex_id order by h.turn)
)

select o.game, o.turn, o.date, o.hex, o.previous_realm, o.realm, o.income
from owners as o
where o.previous_turn is not null and o.realm is distinct from o.previous_realm
order by o.game, o.turn, o.hex_id;
