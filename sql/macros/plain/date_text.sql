-- A date (count of months) as text; months are the month names of the game, games.months.
create macro date_text(months, date) as
    months[date % len(months) + 1] || ' ' || (date // len(months)) || ' n.P.';
