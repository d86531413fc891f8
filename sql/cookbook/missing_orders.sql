-- Who handed in nothing? One row per game and realm: turns without a readable file, longest run.
with
    files as (
        select
            f.game,
            f.turn,
            r.code as realm,
            f.file is null or f.error is not null as missing
        from history.order_files as f
        inner join history.realms as r
            on r.game = f.game and r.turn = f.turn and r.realm_id = f.realm_id
    ),

    runs as (
        select
            f.*,
            row_number() over (partition by f.game, f.realm order by f.turn)
                - row_number() over (partition by f.game, f.realm, f.missing order by f.turn) as run
        from files as f
    ),

    lengths as (
        select
            r.game, r.realm, r.missing, r.run, count(*) as length, max(r.turn) as last_turn
        from runs as r
        group by r.game, r.realm, r.missing, r.run
    )

select
    l.game,
    l.realm,
    sum(l.length)::bigint as turns,
    coalesce(sum(l.length) filter (where l.missing), 0)::bigint as missing,
    coalesce(max(l.length) filter (where l.missing), 0) as longest_run,
    max(l.last_turn) filter (where l.missing) as last_missing
from lengths as l
group by l.game, l.realm
order by missing desc, l.game, l.realm;
