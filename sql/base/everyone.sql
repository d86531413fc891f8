-- One row per unit and turn as it was after the turn, those that were removed in it included.
-- strength: combat strength on neutral ground without merit: troops / min_strength, rounded up, times elite_combat + 1
-- state: ashore, aboard, captive or fallen (removed in this turn)
-- carrier: the ship it is aboard
-- captor: the unit that holds it captive
create view everyone as
with present as (
    select u.*, true as alive from history.units as u
    union all
    select f.*, false as alive from history.fallen as f
)

select
    p.game,
    p.turn,
    date_text(g.months, g.start_date + p.turn) as date,
    r.code as realm,
    unit_name(p.number, r.code) as unit,
    p.unit_type,
    p.troops,
    ((p.troops + t.min_strength - 1) // t.min_strength) * (p.elite_combat + 1) as strength,
    p.leaders,
    p.merit,
    p.elite_combat,
    p.elite_movement,
    case
        when not p.alive then 'fallen'
        when p.captor_id is not null then 'captive'
        when p.carrier_id is not null then 'aboard'
        else 'ashore'
    end as state,
    hex_name(p.hex_id) as hex,
    unit_name(s.number, sr.code) as carrier,
    unit_name(c.number, cr.code) as captor,
    date_text(g.months, p.last_ashore) as last_ashore_date,
    date_text(g.months, p.ready_on) as ready_on_date,
    date_text(g.months, p.home_since) as home_since_date,
    p.unit_id,
    p.realm_id,
    p.number,
    p.hex_id,
    p.carrier_id,
    p.captor_id,
    p.home_province_id,
    p.last_ashore,
    p.ready_on,
    p.home_since
from present as p
inner join games as g on g.game = p.game
left join history.realms as r on r.game = p.game and r.turn = p.turn and r.realm_id = p.realm_id
left join rules.unit_types as t on t.game = p.game and t.name = p.unit_type
left join history.units as s on s.game = p.game and s.turn = p.turn and s.unit_id = p.carrier_id
left join history.realms as sr on sr.game = p.game and sr.turn = p.turn and sr.realm_id = s.realm_id
left join history.units as c on c.game = p.game and c.turn = p.turn and c.unit_id = p.captor_id
left join history.realms as cr on cr.game = p.game and cr.turn = p.turn and cr.realm_id = c.realm_id;
