"""Pictures of a whole game: a line over turns for every realm. Data are the queries sql/charts."""

from pathlib import Path

import duckdb

from flows.analyst import Chart
from flows.analyst.comments import read_comment
from flows.analyst.output import checked_target
from flows.analyst.statements import refusals
from flows.analyst.warehouse import open_history, shipped_sql
from flows.shipped import map_style
from transforms.errors import InputError
from transforms.picture.chart import Line, Text, draw_chart

_REALMS = """
    select realm_id, arg_max(coalesce(code, '?'), turn), arg_max(coalesce(name, ''), turn)
    from history.realms group by realm_id
"""
_SPAN = "select turn, date from turns order by turn"


@refusals()
def write_chart(place: str, what: Chart, target: Path) -> Path:
    """Draw a chart of the game at a place as PNG. Errors: a folder of several games."""
    connection = open_history(place)
    if (games := len(connection.execute("from games").fetchall())) > 1:
        raise InputError(f"{place}: holds {games} games; draw one of them")
    query = dict(shipped_sql("charts"))[what]
    comment, columns = read_comment(query)
    style = map_style()
    text = Text(
        title=comment.partition(".")[0],
        subtitle=_subtitle(connection),
        axis=columns["axis"],
        regular=style.regular,
        bold=style.bold,
    )
    lines = _lines(connection, query)
    if not lines:
        raise InputError(f"{place}: nothing to draw, the history has no realms")
    checked_target(target).write_bytes(draw_chart(lines, text))
    return target


def _lines(connection: duckdb.DuckDBPyConnection, query: str) -> list[Line]:
    points: dict[int, list[tuple[int, int]]] = {}
    for turn, realm_id, value in connection.execute(query).fetchall():
        points.setdefault(realm_id, []).append((turn, value))
    realms = connection.execute(_REALMS).fetchall()
    return [Line(code, name, points[key]) for key, code, name in realms if key in points]


def _subtitle(connection: duckdb.DuckDBPyConnection) -> str:
    (name,), *_ = connection.execute("select name from games").fetchall()
    turns = connection.execute(_SPAN).fetchall()
    (first, start), (last, end) = turns[0], turns[-1]
    return f"{name} · turns {first} to {last} · {start} to {end}"
