-- Troops lost since the start. One row per turn and realm.
-- axis: troops lost so far, to nature and in battle
with lost as (
    select l.turn, l.realm_id, l.losses
    from losses as l
    union all
    select b.turn, b.realm_id, b.losses
    from battle_units as b
)

select
    r.turn,
    r.realm_id,
    (sum(coalesce(sum(l.losses), 0)) over (partition by r.realm_id order by r.turn))::bigint
        as value
from history.realms as r
left join lost as l on l.turn = r.turn and l.realm_id = r.realm_id
group by r.turn, r.realm_id
order by r.turn, r.realm_id;
