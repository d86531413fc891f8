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
BOARDING: dict[str, str] = {}
ORDERS: dict[str, str] = {}
CHECK: dict[str, str] = {}
GAME_MASTER: dict[str, str] = {}
DICE: dict[str, str] = {}
PICTURE: dict[str, str] = {}
