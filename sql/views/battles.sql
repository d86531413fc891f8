-- One row per battle hex, round and party.
-- party_code: code of the party's realm with the lowest realm_id
-- realms: codes of all realms in the party, in order of realm_id
-- units: how many units fought for it
-- troops_before: their head count before the battle
-- losses: troops they lost
-- captured: how many of the units were taken captive
-- building: the building that absorbed, type and name
create view battles as
with parties as (
    select
        b.game,
        b.turn,
        b.hex_id,
        b.round,
        b.party,
        string_agg(distinct w.realm, ', ' order by w.realm) as realms,
        count(*) as units,
        sum(b.troops_before)::bigint as troops_before,
        sum(b.losses)::bigint as losses,
        count(*) filter (where b.captured) as captured
    from history.battle_units as b
    left join who as w on w.game = b.game and w.turn = b.turn and w.unit_id = b.unit_id
    group by b.game, b.turn, b.hex_id, b.round, b.party
)

select
    b.game,
    b.turn,
    date_text(g.months, g.start_date + b.turn) as date,
    hex_name(b.hex_id) as hex,
    b.round,
    r.code as party_code,
    p.realms,
    p.units,
    p.troops_before,
    b.strength,
    b.share,
    b.absorbed,
    b.final_share,
    b.overrun,
    p.losses,
    p.captured,
    concat_ws(' ', bt.name, bu.name) as building,
    b.hex_id,
    b.party,
    b.building_id
from history.battles as b
inner join games as g on g.game = b.game
left join history.realms as r on r.game = b.game and r.turn = b.turn and r.realm_id = b.party
left join parties as p
    on p.game = b.game and p.turn = b.turn and p.hex_id = b.hex_id
    and p.round = b.round and p.party = b.party
left join history.buildings as bu
    on bu.game = b.game and bu.turn = b.turn and bu.building_id = b.building_id
left join rules.building_types as bt on bt.game = bu.game and bt.code = bu.building_type;
