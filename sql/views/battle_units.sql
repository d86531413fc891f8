-- One row per battle hex, round and unit that took part.
-- party_code: code of the party's realm with the lowest realm_id
-- captor: the unit that took it captive
create view battle_units as
select
    b.game,
    b.turn,
    date_text(g.months, g.start_date + b.turn) as date,
    hex_name(b.hex_id) as hex,
    b.round,
    w.realm,
    w.unit,
    w.unit_type,
    r.code as party_code,
    b.region_pct,
    b.troops_before,
    b.losses,
    b.captured,
    c.unit as captor,
    b.hex_id,
    b.unit_id,
    w.realm_id,
    b.party,
    b.captor_id
from history.battle_units as b
inner join games as g on g.game = b.game
left join who as w on w.game = b.game and w.turn = b.turn and w.unit_id = b.unit_id
left join who as c on c.game = b.game and c.turn = b.turn and c.unit_id = b.captor_id
left join history.realms as r on r.game = b.game and r.turn = b.turn and r.realm_id = b.party;
