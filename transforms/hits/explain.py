"""One selection, told with its draws and chances, so that a player can follow it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from transforms.catalogue import HITS
from transforms.dice import Stream
from transforms.dice_arrays import words
from transforms.errors import InputError
from transforms.hits.battle import fight
from transforms.hits.constants import MICRO, HitsRules
from transforms.hits.lineup import Lineup
from transforms.hits.report import decimal
from transforms.hits.strength import Options

_PPM_PER_PERCENT = 10_000


def explain(
    lineup: Lineup,
    rules: HitsRules,
    options: Options,
    *,
    key: tuple[int, int],
    army_id: int,
    selection: int,
    repeat: int = 0,
    round_number: int = 0,
) -> str:
    """Draw, chance and result of a selection (German lines).

    Errors: there is no such army; it made fewer selections.
    """
    position = _position(lineup, army_id)
    alone = lineup.forces.battle == lineup.forces.battle[position]
    everybody = np.ones(lineup.forces.kk.size, np.bool_)
    # repetition `repeat` of this battle alone: the dice of an army know of no other
    forces = lineup.forces.remaining(everybody, alone)
    whose = int(np.flatnonzero(forces.army == position)[0])
    fought = fight(
        forces.repeated(range(repeat, repeat + 1)), rules, options,
        key=key, rounds=round_number + 1, keep_selections=True,
    )  # fmt: skip
    log = fought.selection_log
    mine = [] if log is None else log.filter(army=whose, round=round_number).to_dicts()
    if selection >= len(mine):
        raise InputError(
            f"army {army_id} made {len(mine)} selections in repetition {repeat}, round "
            f"{round_number}; --selection: a number below that"
        )
    facts = mine[selection]
    combatant = int(forces.combatant[facts["combatant"]])
    drawn = {
        stream: int(words(stream, np.array([facts["entity"]]), np.array([selection]), key)[0])
        for stream in (Stream.HITS_SELECTION, Stream.HITS_RESELECTION, Stream.HITS_PARRY)
    }
    head = {"selection": selection, "repeat": repeat, "round": round_number}
    return "\n".join(
        [
            _title(lineup, position, head),
            _picked(lineup, combatant, facts, drawn[Stream.HITS_SELECTION], fought.kk),
            *judged(facts, drawn),
            HITS["vp"].format(before=decimal(facts["vp_before"]), after=decimal(facts["vp_after"])),
        ]
    )


def _position(lineup: Lineup, army_id: int) -> int:
    found = np.flatnonzero(lineup.forces.army_id == army_id)
    if not found.size:
        raise InputError(f"--army {army_id}: there is no such army; allowed: an army_id of armies")
    return int(found[0])


def _title(lineup: Lineup, position: int, head: dict[str, int]) -> str:
    army = lineup.armies.row(position, named=True)
    where = HITS["explain_where"].format(**head) if head["repeat"] or head["round"] else ""
    return HITS["explain"].format(**army, **head, where=where)


def _picked(lineup: Lineup, combatant: int, facts: dict[str, Any], word: int, kk: Any) -> str:
    who = lineup.combatants.row(combatant, named=True)
    line = lineup.lines.row(who["line"], named=True)
    return HITS["picked"].format(
        word=word,
        living=facts["living"],
        rank=word * facts["living"] >> 32,
        combatant_id=who["combatant_id"],
        called=f" ({line['name']})" if line.get("name") else "",
        kk=decimal(int(kk[facts["combatant"]])),
        place=behind(line["fortification"]),
    )


def behind(walls: str) -> str:
    """The words for the place of a combatant; none for one outside walls."""
    return "" if walls == "none" else HITS["behind"].format(walls=HITS[walls])


def judged(facts: Mapping[str, Any], drawn: Mapping[Stream, int]) -> list[str]:
    """The lines about the reselection and the parry of a selection.

    `facts`: outcome and the chances cover_ppm, base_ppm, delta_ppm and aw_ppm; `drawn`: the words
    that were looked at.
    """
    again = facts["outcome"] == "reselected"
    lines = [HITS["uncovered"]]
    if facts["cover_ppm"]:
        lines = [
            HITS["covered"].format(
                chance=percent(facts["cover_ppm"]),
                **_word(drawn[Stream.HITS_RESELECTION]),
                verdict=HITS["again" if again else "stays"],
            )
        ]
    if again:
        return lines
    return [
        *lines,
        HITS["parry"].format(
            base=percent(facts["base_ppm"]),
            delta=percent(facts["delta_ppm"]),
            aw=percent(facts["aw_ppm"]),
            **_word(drawn[Stream.HITS_PARRY]),
            verdict=HITS[facts["outcome"]],
        ),
    ]


def percent(ppm: int) -> str:
    """A chance in ppm as percent with at most two decimals."""
    return decimal(ppm * MICRO // _PPM_PER_PERCENT)


def _word(word: int) -> dict[str, object]:
    return {"word": word, "percent": percent(word * MICRO >> 32)}
