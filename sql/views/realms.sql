-- One row per realm and turn, as it was after the turn.
-- realm: its code
-- capital_hex: where the capital stands, GF/KF
create view realms as
select
    r.game,
    r.turn,
    date_text(g.months, g.start_date + r.turn) as date,
    r.code as realm,
    r.name,
    r.ruler,
    r.capital,
    hex_name(r.capital_hex_id) as capital_hex,
    r.treasury,
    r.realm_id,
    r.code,
    r.capital_hex_id
from history.realms as r
inner join games as g on g.game = r.game;
