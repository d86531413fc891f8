-- Who is growing? One row per game and realm: strength, land and gold at the start and now.
with
    start as (select * from strength_by_realm(0)),

    today as (select * from strength_by_realm(last_turn()))

select
    t.game,
    t.realm,
    t.name,
    s.strength as strength_at_start,
    t.strength,
    t.strength - s.strength as strength_gained,
    t.hexes - s.hexes as hexes_gained,
    t.treasury + t.hex_credit - s.treasury - s.hex_credit as gold_gained
from today as t
inner join start as s on s.game = t.game and s.realm = t.realm
order by t.game, strength_gained desc, t.realm;
