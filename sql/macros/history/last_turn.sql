-- The last evaluated turn of all games that are open. In `zugwerk sql` a constant, so that
-- `where turn = last_turn()` reads one turn's files; other tools look it up and read them all.
create macro last_turn() as (select max(t.turn) from turns as t);
