-- One row per unit as it was after a turn.
create macro units_at(turn) as table
select * from units as u where u.turn = turn;
