"""The folder that `zugwerk battles new` writes: a small border war to edit."""

from pathlib import Path

from transforms.errors import InputError

_SETTINGS = """\
[battles]
id = "{id}"                    # Buchstaben, Ziffern, - und _
# seed = "<64 Hexziffern>"     # ohne diese Zeile wird gewürfelt und der Wert genannt

[hits]
ranged_bonus = false           # true: Fernkämpfer je nach Fern/Nah, +50 bis −50 % KK
fortification_bonus = false    # true: +10/20/30 % KK in Pal/Mau/Burg
# hit_pct = 10                 # diese und alle anderen Zahlen: docs/hits.md
"""
_README = """\
Ein Ordner für `zugwerk battles`. Die Tabellen öffnet Excel mit einem Doppelklick; gespeichert
werden sie wieder als CSV. Jede Zeile, die nicht passt, nennt der Befehl mit Datei und Zeile.

armies.csv       eine Zeile je Armee. flees: true = flieht. flee_pct: flieht, wenn die gesKK der
                 Feinde mehr als so viele Prozent der eigenen ist. strength: gesKK statt der Summe.
combatants.csv   eine Zeile je Einheit oder je count gleiche. fortification: none, pal, mau, burg
                 (4, 8, 12 Plätze). ranged: true = Fernkämpfer.
enmities.csv     wer auf wen schlägt, jede Richtung für sich. Stattdessen geht auch stances.csv
                 mit realm;other;stance (1 neutral, 2 Freund, 3 Feind); nicht beide.
battles.toml     Einstellungen.

zugwerk battles ORDNER                      eine Schlacht, jede Auswahl einzeln
zugwerk battles ORDNER --repeat 10000       wie stehen die Aussichten?
zugwerk battles explain ORDNER --army 1 --selection 0
"""
_TABLES = {
    "armies": """\
battle_id;army_id;name;realm;flees;flee_pct;strength
1;1;Grenzwacht;Nordmark;;;
1;2;Plünderer;Wolfsbund;;150;
1;3;Sippe vom See;Wolfsbund;;;
""",
    "combatants": """\
army_id;combatant_id;count;name;kk;ranged;fortification
1;1;8;Fußvolk;2,4;false;mau
1;9;24;Fußvolk;2;false;none
1;33;6;Langbogner;3,5;true;none
2;1;20;Reiter;3;false;none
2;21;1;Häuptling;9,5;false;none
3;1;15;Bogner;1,5;true;none
3;16;10;Speerträger;1,8;false;none
""",
    "enmities": """\
army_id;enemy_id
1;2
1;3
2;1
3;1
""",
}


def write_template(folder: Path) -> list[Path]:
    """A folder that can be fought at once; its files. Errors: there is something in it already."""
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder}: is not empty; choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    name = "".join(c for c in folder.resolve().name if c.isascii() and (c.isalnum() or c in "-_"))
    texts = {f"{table}.csv": "\ufeff" + text for table, text in _TABLES.items()}
    texts |= {"battles.toml": _SETTINGS.format(id=name or "schlachten"), "LIESMICH.txt": _README}
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8", newline="\n")
    return sorted(folder.iterdir())
