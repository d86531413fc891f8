-- One row per hex and turn, as it was after the turn.
-- realm: code of the realm that owns it, null = nobody
create view hexes as
select
    h.game,
    h.turn,
    date_text(g.months, g.start_date + h.turn) as date,
    hex_name(h.hex_id) as hex,
    r.code as realm,
    h.height,
    h.terrain,
    h.income,
    h.credit,
    date_text(g.months, h.ravaged_until) as ravaged_until_date,
    h.hex_id,
    h.gf,
    h.kf,
    h.q,
    h.r,
    h.realm_id,
    h.province_id,
    h.ravaged_until
from history.hexes as h
inner join games as g on g.game = h.game
left join history.realms as r on r.game = h.game and r.turn = h.turn and r.realm_id = h.realm_id;
