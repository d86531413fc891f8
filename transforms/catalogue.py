"""Every German sentence that players and the game master read, in one place.

A section per reader's page. Placeholders are named after the columns that fill them; a pair
`(singular, plural)` is chosen by the number in the sentence.
"""

REPORT: dict[str, str | tuple[str, str]] = {
    "greeting": "Seid gegrüßt {ruler} von {realm}!",
    "realm": "Reich : {realm}",
    "capital": "Hauptstadt: {capital}",
    "unknown": "unbekannt",
    "section_A": "Die Heere - Züge",
    "section_D": "Die Heere - Rüsten",
    "section_F": "Die Heere -Aufstellung",
    "section_E": "Die Bauwerke - Eigene",
    "section_B": "Die Heere -Gesichtete",
    "section_C": "Die Bauwerke - Gesichtete",
    "finances": "Die Finanzen",
    "treasury": "Der Reichsschatz von {realm} besteht aus {treasury} Goldstück.",
    "standing": (
        "{n} {type} stirbt durch den Aufenthalt auf {height}-{terrain}.",
        "{n} {type} sterben durch den Aufenthalt auf {height}-{terrain}.",
    ),
    "volcano": (
        "{n} {type} wird von Lava verschüttet.",
        "{n} {type} werden von Lava verschüttet.",
    ),
    "steppe": (
        "{n} {type} stirbt wegen der Lebensbedingungen in der {terrain}.",
        "{n} {type} sterben wegen der Lebensbedingungen in der {terrain}.",
    ),
    "landing": (
        "{n} {type} stirbt an Mangelerscheinungen.",
        "{n} {type} sterben an Mangelerscheinungen.",
    ),
    "flyer": (
        "{type} stürzt erschöpft in den Tod.",
        "{type} stürzen erschöpft in den Tod.",
    ),
    "combat": (
        "{n} {type} geht während einer Schlacht (siehe Überblick) verloren.",
        "{n} {type} gehen während einer Schlacht (siehe Überblick) verloren.",
    ),
    "moved": "Heer {number} zieht von {start} nach {target}.",
    "landed": "Heer {number} landet auf {target}.",
    "stayed": "Heer {number} bleibt auf {target}.",
    "contact": "Heer {number} trifft auf {target} auf fremde Truppen.",
    "boarded": "Heer {number} schifft sich auf Schiff {ship} ein.",
    "not_boarded": "Heer {number} kann sich nicht auf Schiff {ship} einschiffen: {reason}.",
    "captive": (
        "Heer {number} {n} {type} wurde gefangengenommen.",
        "Heer {number} {n} {type} wurden gefangengenommen.",
    ),
    "dead": "Heer {number} ist vernichtet worden.",
    "position": "Heer {number} – {n} {type} auf {place}.",
    "position_aboard": "Heer {number} – {n} {type} auf Schiff {ship}.",
    "position_aboard_ally": "Heer {number} – {n} {type} auf Schiff {ship} von {ally}.",
    "building_new": "{building} wird vorraussichtlich am {date} auf {place} fertiggestellt.",
    "building_old": "{building} erbaut am {date} auf {place}.",
}
OVERVIEW: dict[str, str] = {
    "title": "Überblick",
    "battle": "Schlacht auf {place}",
    "party": (
        "{realms}: Stärke {strength}, Schadensanteil {share} %, "
        "Verluste {losses} von {troops_before}"
    ),
    "absorbed": ", Bauwerk fängt {absorbed} % ab",
    "overrun": ", überrannt",
    "captured": "Gefangen: Heer {number} von {realm}",
    "nameless": "Reich {realm_id}",
}
BOARDING: dict[str, str] = {
    "aboard": "Es ist bereits an Bord eines Schiffs",
    "is_ship": "Ein Schiff kann nicht an Bord gehen",
    "contact": "Es ist auf fremde Truppen getroffen",
    "foreign_ship": "Das Schiff gehört weder dem eigenen noch einem verbündeten Reich",
    "elsewhere": "Das Schiff liegt nicht auf demselben Kleinfeld",
    "no_ship": "Das genannte Heer ist kein Schiff",
    "dead_ship": "Das Schiff hat keine Besatzung mehr",
    "full": "Auf dem Schiff ist nicht genug Platz",
}
ORDERS: dict[str, str] = {}
CHECK: dict[str, str] = {}
GAME_MASTER: dict[str, str] = {
    "title": "Protokoll des Spielleiters: {game_id}, Zug {turn}, {date}",
    "ruleset": "Regelwerk: {ruleset}",
    "files": "Zugdateien",
    "file": (
        "{code}: {file} ({encoding}), {lines} Zeilen: {accepted} angenommen ({warned} mit "
        "Warnung), {rejected} abgelehnt, {comments} Kommentare, {blank} leer"
    ),
    "file_missing": "{code}: keine Zugdatei",
    "file_error": "{code}: {file} nicht gelesen: {error}",
    "decisions": "Entscheidungen zu falschen Kosten",
    "decision": (
        "{code} Zeile {line}: {text} – eingereicht {cost_submitted}, nach den Regeln {cost}: "
        "{verdict}"
    ),
    "approve": "genehmigt",
    "reject": "verworfen",
    "corrections": "Korrekturen von Hand",
    "correction": "{table} {key}, {column}: {old} → {new} ({reason})",
    "nothing": "–",
    "battles": "Schlachten",
    "fates": "Schicksale",
    "fate": "Heer {number} von {realm}: {fate}",
    "dead": "vernichtet",
    "drowned": "mit seinem Schiff untergegangen",
    "captured": "gefangengenommen",
    "freed": "befreit",
    "none": "keine",
}
DICE: dict[str, str] = {
    "title": "Würfel des Zuges {turn} von {game_id}",
    "message": "Nachricht: {message}",
    "digest": "Schlüssel dieses Zuges (HMAC-SHA256): {digest}",
    "commitment": "Versprechen für den nächsten Zug (SHA-256 seines Schlüssels): {commitment}",
    "how": "So wird ein Wurf nachgerechnet: docs/dice.md",
}
PICTURE: dict[str, str] = {
    "subtitle": "{title} · Zug {turn} · {date}",
    "nameless": "Reich {realm}",
    "empty": "Noch ist kein Kleinfeld bekannt.",
    "terrains": "Gelände",
    "heights": "Höhenstufen",
    "faded": "derzeit nicht im Blick",
    "lines": "Linien",
    "coast": "Küste",
    "river": "Fluss",
    "gf": "Rand eines Großfelds",
    "own_border": "eigene Grenze",
    "foreign_border": "fremde Grenze",
    "buildings": "Bauwerke (rot: eigene)",
    "units": "Heere (rot: eigene)",
    "foreign_unit": "fremdes Heer, Reich und Nummer",
    "foreign_plate": "ABC 101",
    "north": "N",
    "scale_one": "1 Kleinfeld",
    "scale": "{count} Kleinfelder",
}
INTAKE: dict[str, str] = {
    "two_files": "Es liegen mehrere Zugdateien vor ({names}); bitte nur eine.",
    "unreadable": "Die Datei kann nicht gelesen werden ({reason}).",
}
