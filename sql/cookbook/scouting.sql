-- Who sees whom? One row per game and pair of realms: foreign troops in sight now, and how many not.
with
    seen as (
        select distinct s.game, s.realm, s.hex_id
        from sight as s
        where s.turn = last_turn()
    ),

    armies as (
        select u.game, u.realm, u.hex_id, u.troops
        from units_at(last_turn()) as u
        where u.state = 'ashore'
    ),

    watchers as (select r.game, r.realm from realms as r where r.turn = last_turn())

select
    w.game,
    w.realm,
    a.realm as other_realm,
    count(*) filter (where s.hex_id is not null) as units_seen,
    coalesce(sum(a.troops) filter (where s.hex_id is not null), 0)::bigint as troops_seen,
    coalesce(sum(a.troops) filter (where s.hex_id is null), 0)::bigint as troops_hidden
from watchers as w
inner join armies as a on a.game = w.game and a.realm <> w.realm
left join seen as s on s.game = w.game and s.realm = w.realm and s.hex_id = a.hex_id
group by w.game, w.realm, a.realm
order by w.game, w.realm, troops_seen desc, a.realm;
