-- Was a roll changed? One row per draw that its turn's published dice do not give: none, or alarm.
select d.game, d.turn, d.rolled_for, d.unit, d.lo, d.hi, d.value, d.replayed
from draws as d
where d.value is distinct from d.replayed
order by d.game, d.turn, d.stream, d.entity, d.index;
