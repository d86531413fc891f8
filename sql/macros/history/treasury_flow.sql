-- One row per turn of a realm, named by its code: where its gold came from and went to.
create macro treasury_flow(realm) as table
with booked as (
    select
        game,
        turn,
        realm_id,
        sum(amount) filter (where account = 'treasury' and kind = 'levy') as levy,
        sum(amount) filter (where account = 'treasury' and kind = 'plunder') as plunder,
        sum(amount) filter (where account = 'treasury' and kind = 'upkeep') as upkeep,
        sum(amount) filter (where account = 'treasury' and kind = 'training') as training,
        sum(amount) filter (where account = 'treasury' and kind = 'construction') as construction,
        sum(amount) filter (where account = 'treasury') as booked,
        sum(amount) filter (where account = 'credit' and kind = 'income') as hex_income
    from history.ledger
    group by game, turn, realm_id
),

stored as (
    select game, turn, realm_id, sum(credit) as hex_credit
    from history.hexes
    group by game, turn, realm_id
)

select
    r.game,
    r.turn,
    r.date,
    lag(r.treasury) over turns as treasury_before,
    coalesce(b.levy, 0)::bigint as levy,
    coalesce(b.plunder, 0)::bigint as plunder,
    coalesce(b.upkeep, 0)::bigint as upkeep,
    coalesce(b.training, 0)::bigint as training,
    coalesce(b.construction, 0)::bigint as construction,
    (r.treasury - lag(r.treasury) over turns - coalesce(b.booked, 0))::bigint as by_hand,
    r.treasury as treasury_after,
    coalesce(b.hex_income, 0)::bigint as hex_income,
    coalesce(s.hex_credit, 0)::bigint as hex_credit
from realms as r
left join booked as b on b.game = r.game and b.turn = r.turn and b.realm_id = r.realm_id
left join stored as s on s.game = r.game and s.turn = r.turn and s.realm_id = r.realm_id
where r.code = realm
window turns as (partition by r.game order by r.turn)
order by r.game, r.turn;
