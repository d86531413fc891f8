"""The command `zugwerk duel`: fights of heroes and monsters for the game designer."""

import json
from pathlib import Path
from typing import Annotated, Any

import polars as pl
import typer

from transforms.errors import InputError

app = typer.Typer(
    no_args_is_help=True,
    help="Fight duels by the registry in data/duel/core and mods (docs/duel.md).\n\n"
    'Example: zugwerk duel show --hero core:knight --enemies "core:wolf|core:wolf" --seed 7',
)

Mods = Annotated[
    list[Path] | None, typer.Option("--mods", metavar="DIR", help="A mod on top; repeatable.")
]
Fight = Annotated[
    str | None,
    typer.Argument(
        metavar="[FIGHT]", help="FILE:ID of a fights file or grid, or ID with --fights."
    ),
]
FightsFile = Annotated[Path | None, typer.Option("--fights", help="File in which FIGHT stands.")]
Hero = Annotated[str | None, typer.Option("--hero", help="Id of the hero's creature.")]
Enemies = Annotated[str | None, typer.Option("--enemies", help="Their ids, joined by |.")]
Seed = Annotated[int, typer.Option("--seed", min=1, max=2**64 - 1, help="Seed of the fight.")]
Policy = Annotated[str | None, typer.Option("--policy", help="The hero's ai list.")]
Script = Annotated[str | None, typer.Option("--script", help="His commands, joined by |.")]
Creature = Annotated[
    list[str] | None,
    typer.Option("--creature", help="Only this one: position, id or name; repeatable."),
]
Seeds = Annotated[int, typer.Option("--seeds", min=1, max=2**32 - 1, help="Fights of a value.")]
SeedBase = Annotated[int, typer.Option("--seed-base", min=1, max=2**63 - 1, help="First seed.")]


# ── the registry ────────────────────────────────────────────────────────────────────────────


@app.command()
def validate(mods: Mods = None) -> None:
    """Load core and mods; tell what is missing, what never comes and what nobody uses.

    Example: zugwerk duel validate --mods mymod
    """
    from flows.duel_design import registry_with
    from transforms.duel.lint import findings

    registry = registry_with(mods or [])
    lines = [*registry.warnings, *findings(registry)]
    for line in lines:
        print(f"warning: {line}")
    counts = ", ".join(
        f"{len(getattr(registry, kind))} {kind}"
        for kind in ("creatures", "policies", "abilities", "triggers")
    )
    print(f"{counts}; {len(lines)} warning(s)")


@app.command()
def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="Folder of a mod, or core.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Folder of a mod, or core.")],
    alone: Annotated[
        bool, typer.Option("--alone", help="A and B are whole registries, not mods of the core.")
    ] = False,
) -> None:
    """Compare two mods entry by entry: `+` only with B, `-` only with A, `~` changed.

    Example: zugwerk duel diff core mymod
    """
    from flows.duel_design import core, folders_of
    from flows.duel_registry import load_registry
    from transforms.duel.compare import differences

    left, right = (
        load_registry([path] if alone or path.resolve() == core().resolve() else [core(), path])
        for path in (folders_of(a), folders_of(b))
    )
    found = differences(left, right)
    for difference in found:
        print(difference.line())
    print(f"{len(found)} difference(s)")


# ── many fights ─────────────────────────────────────────────────────────────────────────────


@app.command()
def run(
    fights: Annotated[Path, typer.Argument(metavar="FIGHTS", help="CSV, Parquet or grid .toml.")],
    mods: Mods = None,
    out: Annotated[
        Path | None, typer.Option(help="Where to (default: result/ beside FIGHTS).")
    ] = None,
    events: Annotated[bool, typer.Option("--events", help="Write the event log as well.")] = False,
) -> None:
    """Fight every fight; writes results.parquet and, with --events, events.parquet.

    Example: zugwerk duel run fights.csv --events
    """
    from flows.duel_design import registry_with
    from flows.duel_fights import read_fights
    from flows.duel_store import write_played
    from transforms.duel.roster import check_fights
    from transforms.duel.run import run_fights

    registry = registry_with(mods or [])
    source = read_fights(fights)
    for sample in source.samples():
        check_fights(sample, registry, source.where)
    folder = out or (fights if fights.is_dir() else fights.parent) / "result"
    played = run_fights(source.frames(), registry, events=events)
    counts = write_played(played, folder, events=events)
    print(", ".join(f"{outcome} {n:,}" for outcome, n in counts.iter_rows()) or "no fights")
    print(folder)


@app.command()
def matrix(
    grid_file: Annotated[Path, typer.Argument(metavar="GRID", help="A grid .toml.")],
    mods: Mods = None,
    out: Annotated[
        Path | None, typer.Option(help="Where to (default: result/ beside GRID).")
    ] = None,
) -> None:
    """Win rates of a grid with 95 % intervals, turns and health left, as CSV and PNG.

    Example: zugwerk duel matrix grid.toml
    """
    from flows.duel_design import draw_matrix, make_matrix, registry_with, write_findings
    from flows.duel_fights import read_grid
    from flows.terminal import print_table

    registry, grid = registry_with(mods or []), read_grid(grid_file)
    tables = make_matrix(grid, registry, str(grid_file))
    told = ("hero", "group", "policy", "win_rate", "low", "high")
    print_table(tables["matrix"].select(told).with_columns(pl.selectors.float().round(3)))
    pictures = draw_matrix(grid, tables, registry)
    for path in write_findings(out or grid_file.parent / "result", tables, pictures):
        print(path)


@app.command()
def sweep(
    sets: Annotated[
        list[str], typer.Option("--set", metavar="KEY=A..B[:STEP]", help="The knob; repeatable.")
    ],
    hero: Annotated[str, typer.Option("--hero", help="Id of the hero's creature.")],
    enemies: Annotated[str, typer.Option("--enemies", help="Their ids, joined by |.")],
    policy: Policy = None,
    seeds: Seeds = 1000,
    seed_base: SeedBase = 1,
    mods: Mods = None,
    out: Annotated[Path, typer.Option(help="Where to.")] = Path("sweep"),
) -> None:
    """What turning a knob does to the win rate: a curve with paired differences, CSV and PNG.

    Example: zugwerk duel sweep --set hero.dexterity=3..12 --hero core:knight --enemies core:orc
    """
    from flows.duel_design import draw_sweep, make_sweep, one_fight_grid, registry_with
    from flows.duel_design import write_findings as write
    from flows.terminal import print_table
    from transforms.duel.sweep import parse_knob, warnings_of

    knobs = [parse_knob(text) for text in sets]
    if len({knob.key for knob in knobs}) < len(knobs):
        raise InputError(f"--set: found {', '.join(sets)}; allowed: each key once")
    registry = registry_with(mods or [])
    grid = one_fight_grid(hero, _ids(enemies), policy, seeds, seed_base)
    table = make_sweep(grid, knobs, registry)
    for rows in table.partition_by("key", maintain_order=True):
        print(rows["key"][0])
        print_table(rows.drop("key").with_columns(pl.selectors.float().round(4)))
    for line in warnings_of(table):
        print(f"warning: {line}")
    for path in write(out, {"sweep": table}, draw_sweep(table, grid, registry)):
        print(path)


# ── one fight ───────────────────────────────────────────────────────────────────────────────


@app.command()
def show(
    fight: Fight = None,
    fights: FightsFile = None,
    hero: Hero = None,
    enemies: Enemies = None,
    seed: Seed = 1,
    policy: Policy = None,
    script: Script = None,
    creature: Creature = None,
    mods: Mods = None,
) -> None:
    """Tell a fight in German, one line an event.

    Example: zugwerk duel show fights.csv:12 --creature Wolf
    """
    from flows.duel_design import registry_with
    from transforms.duel.roster import check_fights
    from transforms.duel.run import run_fights

    registry = registry_with(mods or [])
    chosen = _chosen(fight, fights, hero, enemies, seed, policy, script)
    check_fights(chosen, registry, "fight")
    (played,) = run_fights(chosen, registry, events=True)
    _tell(played.events, [chosen["hero"][0], *chosen["enemies"][0]], registry, creature)


@app.command()
def save(
    turn: Annotated[int, typer.Option("--turn", min=1, help="Stop after this turn.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write (JSON).")],
    fight: Fight = None,
    fights: FightsFile = None,
    hero: Hero = None,
    enemies: Enemies = None,
    seed: Seed = 1,
    policy: Policy = None,
    script: Script = None,
    mods: Mods = None,
) -> None:
    """Stop a fight after a turn and write it down, dice included.

    Example: zugwerk duel save fights.csv:12 --turn 3 -o fight.json
    """
    from flows.duel_design import registry_with
    from transforms.duel.save import play_until

    chosen = _chosen(fight, fights, hero, enemies, seed, policy, script)
    stopped = play_until(chosen, registry_with(mods or []), turn)
    if stopped.save is None:
        assert stopped.result is not None
        ended = stopped.result.row(0, named=True)
        raise InputError(
            f"--turn {turn}: the fight ends in turn {ended['turns']} ({ended['outcome']}); "
            "allowed: an earlier turn"
        )
    _write_save(out, stopped.save)


@app.command()
def resume(
    saved: Annotated[Path, typer.Argument(metavar="SAVE", help="A saved fight (JSON).")],
    turn: Annotated[
        int | None, typer.Option("--turn", min=1, help="Stop again after this turn; needs --out.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where to save when stopped again.")
    ] = None,
    creature: Creature = None,
    force: Annotated[
        bool, typer.Option("--force", help="Go on even with another registry.")
    ] = False,
    mods: Mods = None,
) -> None:
    """Go on with a saved fight and tell the rest of it: the same end, the same dice.

    Example: zugwerk duel resume fight.json
    """
    from flows.duel_design import registry_with
    from transforms.duel.save import resume_fight

    if (turn is None) != (out is None):
        raise InputError("--turn and --out: found one of them; allowed: both or neither")
    registry, content = registry_with(mods or []), _read_save(saved)
    if turn is not None and isinstance(content, dict) and turn < content.get("turn", 1):
        raise InputError(f"--turn {turn}: the fight goes on with turn {content['turn']}")
    stopped = resume_fight(content, registry, turn, force=force)
    _tell(stopped.events, [c["id"] for c in content["creatures"]], registry, creature)
    if stopped.save is not None and out is not None:
        _write_save(out, stopped.save)


# ── parts ───────────────────────────────────────────────────────────────────────────────────


def _ids(joined: str) -> list[str]:
    return [word.strip() for word in joined.split("|")]


def _chosen(
    fight: str | None, fights: Path | None, hero: str | None, enemies: str | None, seed: int,
    policy: str | None, script: str | None,
) -> pl.DataFrame:  # fmt: skip
    """The fight that is meant (a row of duel.fights): out of a file, or told by options."""
    from flows.duel_fights import read_fights
    from transforms.schema import schema_of

    if (fight is None) == (hero is None):
        raise InputError("found no fight or two; allowed: FIGHT, or --hero, --enemies and --seed")
    if fight is not None:
        number, path = _where(fight, fights)
        found = read_fights(path).find(number)
        if found.is_empty():
            raise InputError(f"{path}: there is no fight {number}")
        return found
    if enemies is None:
        raise InputError("--enemies is missing; allowed: ids joined by |")
    told: dict[str, Any] = {"fight_id": 0, "seed": seed, "hero": hero, "enemies": _ids(enemies)}
    told |= {"policy": policy, "script": None if script is None else _ids(script)}
    return pl.DataFrame([told], schema=schema_of("duel.fights"))


def _where(fight: str, fights: Path | None) -> tuple[int, Path]:
    """Number and file of FIGHT: `ID` with --fights, or `FILE:ID`."""
    name, colon, number = fight.rpartition(":")
    if fights is not None:
        name, number = ("", fight) if not colon else (name, "")
        path = fights
    else:
        path = Path(name)
    if not (number.isascii() and number.isdigit()) or (fights is None and not colon):
        raise InputError(f"FIGHT: found {fight!r}; allowed: FILE:ID, or ID with --fights FILE")
    return int(number), path


def _tell(events: Any, ids: list[str], registry: Any, creature: list[str] | None) -> None:
    from transforms.duel.log_text import log_lines, names_of, positions

    names = names_of(registry, ids)
    for line in log_lines(events, names, registry, positions(creature or [], ids, names)):
        print(line)


def _read_save(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError as error:
        raise InputError(f"{path}: there is no such file") from error
    except ValueError as error:
        raise InputError(f"{path}: not a JSON file: {error}") from error


def _write_save(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(path)
