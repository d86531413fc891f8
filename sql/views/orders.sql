-- One row per line of every order file, and turn: as written, as understood, what came of it.
-- unit: who moves, or the unit or number that was trained
-- problems: errors and warnings of the line, German, joined by '; '
-- cost: gold by the rules, of a training or building line
-- cost_submitted: gold as written on the line
-- outcome: of a training or building line: reserved, realised, rejected or refused
-- reason: why it was refused, German
create view orders as
with
    problems as (
        select
            j.game, j.turn, j.realm_id, j.line,
            string_agg(j.reason, '; ' order by j."column") as problems
        from history.rejections as j
        where j.line > 0
        group by j.game, j.turn, j.realm_id, j.line
    ),

    purchases as (
        select
            t.game, t.turn, t.realm_id, t.line,
            t.number, t.cost, t.cost_submitted, t.outcome, t.reason
        from history.trainings as t
        union all
        select
            c.game, c.turn, c.realm_id, c.line,
            null, c.cost, c.cost_submitted, c.outcome, c.reason
        from history.constructions as c
    )

select
    o.game,
    o.turn,
    date_text(g.months, g.start_date + o.turn) as date,
    r.code as realm,
    o.line,
    o.kind,
    o.status,
    coalesce(w.unit, unit_name(p.number, r.code)) as unit,
    o.text,
    o.understood,
    b.problems,
    p.cost,
    p.cost_submitted,
    p.outcome,
    p.reason,
    m.unit_id,
    o.realm_id
from history.order_lines as o
inner join games as g on g.game = o.game
left join history.realms as r on r.game = o.game and r.turn = o.turn and r.realm_id = o.realm_id
left join history.movements as m
    on m.game = o.game and m.turn = o.turn and m.realm_id = o.realm_id and m.line = o.line
left join who as w on w.game = o.game and w.turn = o.turn and w.unit_id = m.unit_id
left join purchases as p
    on p.game = o.game and p.turn = o.turn and p.realm_id = o.realm_id and p.line = o.line
left join problems as b
    on b.game = o.game and b.turn = o.turn and b.realm_id = o.realm_id and b.line = o.line;
