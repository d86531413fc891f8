"""Why an order is not possible, in German: sentences that tell nothing but the map and own units.

`{unit}`, `{target}`, … are columns of the orders in the making (orders.py).
"""

MEANT = "; gemeint {abbr} ({name})?"
REASONS = {
    "unreadable": "diesen Befehl kenne ich nicht{meant}",
    "not_in_movement": "Auf- und Abbau gibt es nur im Winter",
    "not_in_retreat": "jetzt sind nur Rückzüge möglich",
    "not_in_winter": "im Winter gibt es nur Auf- und Abbau",
    "unknown_place": "das Gebiet „{word}“ gibt es nicht{meant}",
    "ambiguous": "mehrdeutig: {choice}?",
    "no_unit": "in {place} steht keine eigene Einheit",
    "no_retreat": "in {place} wartet keine eigene Einheit auf den Rückzug",
    "which_unit": "bitte das Gebiet der unterstützten Einheit nennen",
    "no_other": "es fehlt, welche Einheit gemeint ist",
    "same_place": "die Einheit steht schon in {target}",
    "unreachable": "{unit} kann nicht nach {target} ziehen",
    "no_passage": "von {place} nach {target} gibt es keinen Seeweg",
    "which_coast": "bitte die Küste von {target} nennen",
    "which_coast_here": "bitte die Küste von {place} nennen",
    "itself": "eine Einheit kann sich nicht selbst helfen",
    "no_support": "{unit} kann nicht nach {aim} ziehen und dort nicht unterstützen",
    "not_supported": "{other} kann nicht nach {target} ziehen",
    "no_fleet": "nur eine Flotte auf See kann Armeen befördern",
    "no_army": "nur Armeen an einer Küste können befördert werden",
    "no_sea_route": "über {place} führt kein Seeweg von {other} nach {target}",
    "no_builds": "es ist nichts aufzubauen",
    "no_disbands": "es ist nichts aufzulösen",
    "which_type": "bitte A oder F nennen",
    "not_home": "{place} ist kein VZ des eigenen Heimatlandes",
    "not_owned": "das VZ {place} ist nicht in eigener Hand",
    "occupied": "in {place} steht schon eine Einheit",
    "no_harbour": "in {place} kann keine Flotte gebaut werden",
    "no_waive": "Auflösungen sind Pflicht",
    "twice": "{place} wurde schon genannt",
    "number_reached": "die Anzahl {number} ist schon erreicht",
}
