-- One row per random draw of a turn.
-- rolled_for: what was rolled for, in words
-- realm: code of the realm whose unit it is; null where no unit is rolled for
-- unit: the unit, 112@ABC
-- replayed: the value that the dice of the turn give; differs from value only after tampering
create view draws as
select
    d.game,
    d.turn,
    date_text(g.months, g.start_date + d.turn) as date,
    case d.stream
        when 1 then 'standing loss'
        when 2 then 'volcano loss'
        when 3 then 'steppe loss'
        when 4 then 'landing loss'
        when 5 then 'river loss'
        when 6 then 'withdrawal direction'
        when 7 then 'meeting between two hexes'
        when 10 then 'hits: strike'
        when 11 then 'hits: target'
        when 12 then 'hits: selection'
        when 13 then 'hits: reselection'
        when 14 then 'hits: parry'
    end as rolled_for,
    r.code as realm,
    unit_name(d.entity % 65536, r.code) as unit,
    d.lo,
    d.hi,
    d.value,
    roll(d.stream, d.entity, d.index, d.lo, d.hi, i.dice_digest) as replayed,
    d.stream,
    d.entity,
    d.index
from history.draws as d
inner join games as g on g.game = d.game
left join history.turn_info as i on i.game = d.game and i.turn = d.turn
left join history.realms as r
    on r.game = d.game and r.turn = d.turn and r.realm_id = d.entity // 65536 and d.stream <= 6;
