-- One row per realm, turn and hex that it has ever seen.
create view atlas as
select
    s.game,
    s.turn,
    date_text(g.months, g.start_date + s.turn) as date,
    r.code as realm,
    hex_name(s.hex_id) as hex,
    s.first_seen,
    s.last_seen,
    s.realm_id,
    s.hex_id
from history.atlas as s
inner join games as g on g.game = s.game
left join history.realms as r on r.game = s.game and r.turn = s.turn and r.realm_id = s.realm_id;
