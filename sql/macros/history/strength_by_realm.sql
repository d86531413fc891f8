-- One row per realm after a turn: its free units, their strength, its land and its gold.
create macro strength_by_realm(turn) as table
with
    armies as (
        select
            game,
            realm_id,
            count(*) as units,
            sum(troops)::bigint as troops,
            sum(strength)::bigint as strength,
            sum(leaders)::bigint as leaders
        from units as u
        where u.turn = turn and u.state <> 'captive'
        group by game, realm_id
    ),

    land as (
        select
            game,
            realm_id,
            count(*) as hexes,
            sum(income)::bigint as income,
            sum(credit)::bigint as hex_credit
        from history.hexes as h
        where h.turn = turn
        group by game, realm_id
    ),

    sites as (
        select game, realm_id, count(*) as buildings
        from history.buildings as b
        where b.turn = turn
        group by game, realm_id
    )

select
    r.game,
    r.turn,
    r.code as realm,
    r.name,
    coalesce(a.units, 0) as units,
    coalesce(a.troops, 0) as troops,
    coalesce(a.strength, 0) as strength,
    coalesce(a.leaders, 0) as leaders,
    coalesce(l.hexes, 0) as hexes,
    coalesce(s.buildings, 0) as buildings,
    coalesce(l.income, 0) as income,
    coalesce(l.hex_credit, 0) as hex_credit,
    r.treasury
from history.realms as r
left join armies as a on a.game = r.game and a.realm_id = r.realm_id
left join land as l on l.game = r.game and l.realm_id = r.realm_id
left join sites as s on s.game = r.game and s.realm_id = r.realm_id
where r.turn = turn
order by r.game, strength desc, r.realm_id;
