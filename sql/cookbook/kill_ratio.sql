-- Who fights well? One row per game and realm: battles, troops lost and killed, killed per lost.
-- What a party killed is shared among its units by their troops.
with
    fought as (
        select
            b.game,
            b.turn,
            b.hex_id,
            b.round,
            b.party,
            b.realm,
            sum(b.troops_before) as troops,
            sum(b.losses) as lost
        from battle_units as b
        group by b.game, b.turn, b.hex_id, b.round, b.party, b.realm
    ),

    sides as (
        select
            f.*,
            sum(f.lost) over clash - sum(f.lost) over side as enemy_losses,
                f.troops / sum(f.troops) over side as part
        from fought as f
        window
            clash as (partition by f.game, f.turn, f.hex_id, f.round),
            side as (partition by f.game, f.turn, f.hex_id, f.round, f.party)
    )

select
    s.game,
    s.realm,
    count(distinct (s.turn, s.hex_id)) as battles,
    sum(s.lost)::bigint as lost,
    round(sum((s.enemy_losses * s.part)::decimal(18, 3)))::bigint as killed,
    round(killed / nullif(sum(s.lost), 0), 2) as killed_per_lost
from sides as s
group by s.game, s.realm
order by killed_per_lost desc nulls last, s.game, s.realm;
