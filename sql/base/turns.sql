-- One row per game and evaluated turn, the start position included, with its date and dice.
-- ruleset: name of the rule set; null for the start position, as are the dice
create view turns as
select
    t.game,
    t.turn,
    date_text(g.months, g.start_date + t.turn) as date,
    g.start_date + t.turn as today,
    g.game_id,
    i.ruleset,
    i.dice_message,
    i.dice_digest,
    i.next_commitment
from (select distinct r.game, r.turn from history.realms as r) as t
inner join games as g on g.game = t.game
left join history.turn_info as i on i.game = t.game and i.turn = t.turn;
