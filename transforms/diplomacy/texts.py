"""Every German sentence of Ghost-Diplomacy; the rules only say which one and fill it in."""

SEASONS = {"spring": "Frühjahr", "autumn": "Herbst", "winter": "Winter"}

TITLES = {
    "season": "{season} {year}",
    "retreats": "Rückzüge {season}",
    "general": "{name} – Allgemeine Auswertung {phase}",
    "national": "{name} – Nationale Auswertung {phase}: {nation}",
    "gamemaster": "{name} – Spielleitung {phase}",
}

NONE = "keine"
AND = " und "

GENERAL = {
    "battle": "Kämpfe in {place}, beteiligte Nationen: {nations}",
    "empty": "{place} bleibt unbesetzt.",
    "held": "{unit_type} von {nation} besetzt {place}.",
    "no_battles": "Keine Kämpfe.",
}

NATIONAL = {
    "out": "Eure Nation ist ausgeschieden.",
    "own_units": "Eigene Einheiten: {list}",
    "own_centres": "Eigene VZ: {list}",
    "foreign": "Fremde Einheiten: {list}",
    "foreign_unit": "{nation}-{unit_type} in {place}",
    "free": "Frei sind: {list}",
    "no_foreign": "Keine landfremde Einheit in: {list}",
    "orders": "Züge:",
    "no_orders": "Keine Züge eingegangen, alle Einheiten halten.",
    "done": "{order}: ausgeführt",
    "failed": "{order}: nicht ausgeführt",
    "retreated": "{unit}: vertrieben, Rückzug nach {place}",
    "disbanded": "{unit}: vertrieben, aufgelöst",
    "waiting": "{unit}: vertrieben, Rückzug steht aus",
    "options": "{unit}: vertrieben, Rückzug möglich nach: {list}",
    "hold": "{unit} H",
    "rejected": "Zeile {line}: {text} – nicht verstanden: {reason}",
    "replaced": "Zeile {line}: {text} – ersetzt durch Zeile {by}",
    "balance": "Bilanz: {centres} VZ, {units} Einheiten",
    "built": "Aufgebaut: {list}",
    "removed": "Aufgelöst: {list}",
    "disorder": "Ohne Befehl aufgelöst: {list}",
    "distance": "{unit} (Entfernung {distance})",
}

CHECK = {
    "understood": "Zeile {line}: verstanden als {order}",
    "replaced": "Zeile {line}: verstanden als {order} – ersetzt durch Zeile {by}",
    "error": "Zeile {line}: Fehler: {reason}",
    "without": "Ohne Befehl: {list}",
}

LEFT_OPEN = {  # singular and plural
    "builds": ("1 Aufbau", "{n} Aufbauten"),
    "disbands": ("1 Auflösung", "{n} Auflösungen"),
}

SHEETS = {
    "provinces": "Gebiete",
    "own": "Eigenes",
    "unit": "Einheit",
    "centre": "VZ",
}

SHEET_COLUMNS = {
    "provinces": ("Gebiet", "Name", "Status", "Nation", "Typ", "Küste"),
    "own": ("Art", "Gebiet", "Name", "Typ", "Küste"),
}

STATUS = {
    "own": "eigene Einheit",
    "foreign": "fremde Einheit",
    "free": "frei",
    "no_foreign": "keine landfremde Einheit",
}

CHART = {
    "all": "Spielleitung",
    "unit": "Einheit: A Armee, F Flotte",
    "own_centre": "eigenes VZ",
    "owned_centre": "VZ mit Besitzer",
    "centre": "VZ",
    "partly": "keine landfremde Einheit",
    "hidden": "nicht einsehbar",
    "move": "Zug",
    "failed": "nicht ausgeführt",
    "support": "Unterstützung",
    "convoy": "Geleitzug",
}

GAMEMASTER = {
    "files": "Dateien:",
    "missing": "Ohne gültige Datei: {list}",
    "corrections": "Eingriffe in die Stellung:",
    "correction": "{table} {province}: {column} {old} → {new} ({reason})",
    "position": "Stellung:",
    "nation": "{nation}: {units} | {n} VZ: {centres}",
    "nobody": "Freie VZ: {centres}",
    "victory": "{nation} hat {n} VZ und damit die Siegbedingung erreicht.",
    "orders": "Befehle von {nation}:",
    "driven_out": ", vertrieben",
    "rejected_lines": "Nicht gezählt:",
    "line": "{nation}, {text}",
    "dislodged": "Vertrieben:",
    "dislodged_unit": "{nation} {unit}, Angreifer aus {source}, Rückzug nach {place}",
    "by_convoy": "Geleitzug",
    "nowhere": "keiner",
    "contested": "Für Rückzüge gesperrt: {list}",
    "adjustments": "Aufbauten und Auflösungen:",
}

ADJUSTED = {
    "built": "{nation}: {unit} aufgebaut",
    "disbanded": "{nation}: {unit} aufgelöst",
    "disorder": "{nation}: {unit} ohne Befehl aufgelöst",
}

FILES = {
    "used": "{nation}: {file}",
    "missing": "{nation}: nichts eingegangen",
    "double": "{nation}: mehrere Dateien ({file}), keine gilt, alle Einheiten halten",
    "unreadable": "{nation}: {file} ist nicht lesbar: {detail}",
    "late": "{nation}: {file} kam zu spät oder wurde nach der Auswertung von Zug {detail} "
    "geändert und zählt nicht",
}

OUTCOMES = {
    "succeeds": "gelungen",
    "fails": "misslungen",
    "given": "gegeben",
    "cut": "gestört",
    "available": "bereit",
    "disrupted": "zerstört",
    "stands": "hält",
    "illegal": "nicht erlaubt",
    "invalid": "ohne Gegenstück",
}

INTAKE = {"too_long": "mehr als {max} Zeilen"}

DESK = {
    "nothing": "–",
    "unreadable": "Datei nicht lesbar: {detail}",
    "double": "Es liegen mehrere Dateien vor ({file}), keine gilt; bitte nur eine.",
    "handover": "_uebergabe",
    "replaced": "{turn:04d}-ersetzt-{version}",
}

SANDBOX = {
    "position": "Stellung danach:",
    "nation": "{nation}: {units}",
    "retreat": "{nation} {unit}: vertrieben, Rückzug möglich nach: {list}",
}
