-- Who writes orders well? One row per game and realm: lines, share rejected, most frequent problem.
select
    o.game,
    o.realm,
    count(*) as lines,
    count(*) filter (where o.status = 'rejected') as rejected,
    round(100.0 * count(*) filter (where o.status = 'rejected') / count(*), 1) as rejected_pct,
    mode(o.problems order by o.problems) filter (where o.status = 'rejected') as frequent_problem
from orders as o
where o.status in ('accepted', 'rejected')
group by o.game, o.realm
order by rejected_pct desc, o.game, o.realm;
