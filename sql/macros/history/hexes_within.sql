-- One row per hex that lies at most some steps away, over the neighbours of the map.
create macro hexes_within(hex_id, steps) as table
with recursive rings(game, reached_id, away) as (
    select distinct n.game, n.hex_id, 0
    from map.neighbours as n
    where n.hex_id = hex_id
    union
    select r.game, n.neighbour_id, r.away + 1
    from rings as r
    inner join map.neighbours as n on n.game = r.game and n.hex_id = r.reached_id
    where r.away < steps
)

select game, hex_name(reached_id) as hex, min(away) as steps, reached_id as hex_id
from rings
group by game, reached_id
order by game, min(away), reached_id;
