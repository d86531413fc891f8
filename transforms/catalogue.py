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
    "river": (
        "{n} {type} ertrinkt beim Überqueren des Flusses.",
        "{n} {type} ertrinken beim Überqueren des Flusses.",
    ),
    "combat": (
        "{n} {type} geht während einer Schlacht (siehe Überblick) verloren.",
        "{n} {type} gehen während einer Schlacht (siehe Überblick) verloren.",
    ),
    "moved": "Heer {number} zieht von {start} nach {target}.",
    "landed": "Heer {number} landet auf {target}.",
    "stayed": "Heer {number} bleibt auf {target}.",
    "contact": "Heer {number} trifft auf {target} auf fremde Truppen.",
    "split": "Heer {number} spaltet Heer {part} ab: {n} {type}.",
    "kept_together": "Heer {number} kann Heer {part} nicht abspalten: {reason}.",
    "withdrew": "Heer {number} zieht sich von {start} nach {target} zurück.",
    "cornered": "Heer {number} kann sich von {start} nicht zurückziehen.",
    "pursued": "Heer {number} setzt dem Feind von {start} nach {target} nach.",
    "conquered": "Heer {number} erobert {place}.",
    "plundered": "Heer {number} plündert {place} und erbeutet {n} Goldstück.",
    "ravaged": "Heer {number} plündert {place} bis auf den Grund und erbeutet {n} Goldstück.",
    "hex_lost": "Das Kleinfeld {place} ist von fremden Truppen erobert worden.",
    "hex_plundered": "Das Kleinfeld {place} ist von fremden Truppen geplündert worden.",
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
    "not_trained": (
        "Zeile {line}: {n} {type} wird nicht gerüstet: {reason}.",
        "Zeile {line}: {n} {type} werden nicht gerüstet: {reason}.",
    ),
    "not_built": "Zeile {line}: {building} auf {place} wird nicht gebaut: {reason}.",
    "in_training": (
        "Heer {number} – {n} {type} auf {place} ist am {date} ausgebildet.",
        "Heer {number} – {n} {type} auf {place} sind am {date} ausgebildet.",
    ),
    "trained": (
        "Heer {number} – {n} {type} auf {place} ist gerüstet.",
        "Heer {number} – {n} {type} auf {place} sind gerüstet.",
    ),
    "unpaid": "Heer {number} bekommt keinen Sold ({amount} Goldstück).",
    "building_new": "{building} wird vorraussichtlich am {date} auf {place} fertiggestellt.",
    "building_old": "{building} erbaut am {date} auf {place}.",
    "sighted": "Heer {number} von {realm} – {n} {type} auf {place}.",
    "sighted_about": "Heer {number} von {realm} – etwa {n} {type} auf {place}.",
    "sighted_building": "{building} von {realm} auf {place}.",
}
OVERVIEW: dict[str, str] = {
    "title": "Überblick",
    "battle": "Schlacht auf {place}",
    "later_round": ", Runde {round}",
    "party": (
        "{realms}: Stärke {strength}, Schadensanteil {share} %, "
        "Verluste {losses} von {troops_before}"
    ),
    "absorbed": ", Bauwerk fängt {absorbed} % ab",
    "overrun": ", überrannt",
    "party_hits": "{realms}: gesKK {strength}, Verluste {losses} von {troops_before}",
    "overrun_hits": ", vernichtet",
    "captured": "Gefangen: Heer {number} von {realm}",
    "nameless": "Reich {realm_id}",
}
SPLIT: dict[str, str] = {
    "stopped": "Es hat die Stelle nicht erreicht",
    "too_few": "Es hat nicht genug Truppen oder Heerführer",
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
REALISE: dict[str, str] = {
    "no_place": "Es ist kein Ort angegeben, und das Reich hat keine Hauptstadt",
    "no_school": "Auf {place} steht kein eigenes fertiges Bauwerk, in dem gerüstet wird",
    "no_number": "Für {unit_type} ist keine Nummer mehr frei",
    "foreign_hex": "Das Feld gehört nicht dem Reich",
    "no_edge": "In dieser Richtung liegt kein Feld",
    "site_taken": "Dieser Platz ist schon bebaut",
    "no_gold": "Im Reichsschatz fehlen {lack} Goldstück",
}
ORDERS: dict[str, str] = {
    # files
    "utf16": "Die Datei ist als UTF-16 gespeichert; bitte als UTF-8 oder Windows-1252 speichern",
    "binary": "Die Datei ist keine Textdatei",
    "file_too_big": (
        "Die Datei ist größer als {max} Bytes; die Zeilen, die nicht hineinpassen, zählen nicht"
    ),
    "too_many_lines": "Die Datei hat {lines} Zeilen; was nach Zeile {max} steht, zählt nicht",
    # lines
    "line_too_long": "Die Zeile ist länger als {max} Zeichen",
    "forbidden_character": "Die Zeile enthält unsichtbare Zeichen oder Steuerzeichen",
    "no_order": "»{field}« ist weder eine Heernummer noch ruesten noch bauen",
    # fields
    "number": "Heernummer",
    "troops": "Truppenzahl",
    "leaders": "Zahl der Heerführer",
    "gf": "Großfeld",
    "kf": "Kleinfeld",
    "cost": "Kosten",
    "field_missing": "{what}: das Feld ist leer",
    "not_a_number": "{what}: »{field}« ist keine Zahl aus den Ziffern 0 bis 9",
    "too_small": "{what}: {field} ist zu klein, erlaubt sind {low} bis {high}",
    "too_large": "{what}: {field} ist zu groß, erlaubt sind {low} bis {high}",
    "unknown_place": "Das Feld {place} ist nicht auf der Karte des Reichs",
    # movement
    "move_too_short": "Es fehlen Felder: Nummer, Truppen, Heerführer, Großfeld, Kleinfeld",
    "field_empty": "Zwischen zwei Kommas steht nichts",
    "no_item": "»{field}« ist weder Wegpunkt noch Abspaltung noch Entscheidung",
    "ship_not_last": "Nach dem Schiff »{field}« darf nur noch die Entscheidung stehen",
    "decision_not_last": "Die Entscheidung »{field}« muss am Ende der Zeile stehen",
    "gf_without_kf": "Nach dem Großfeld {field} fehlt das Kleinfeld",
    "split_incomplete": "Nach »{field}« fehlen Truppen und Heerführer",
    "split_twice": "Die Nummer {number} wird in dieser Zeile zweimal abgespalten",
    "too_many_waypoints": "Mehr als {max} Wegpunkte",
    "unknown_unit": "Heer {number} gibt es nicht",
    "captive_unit": "Heer {number} ist gefangen und nimmt keine Befehle an",
    "unit_in_training": "Heer {number} ist bis {date} in Ausbildung und nimmt keine Befehle an",
    "other_troops": "Heer {number} hat {state_troops} Truppen, nicht {troops}",
    "other_leaders": "Heer {number} hat {state_leaders} Heerführer, nicht {leaders}",
    "other_place": "Heer {number} steht auf {place}, nicht auf {gf}/{kf}",
    "replaced": "durch Zeile {line} ersetzt",
    "split_off_ignored": "Abspaltung {number} wird in diesem Regelwerk nicht ausgeführt",
    "split_empty": "Für Heer {number} sind keine Truppen angegeben",
    "split_again": "Eine Abspaltung kann nicht selbst abspalten; Heer {number} entsteht nicht",
    "number_taken": "Die Nummer {number} ist schon vergeben",
    "unknown_ship": "Schiff {number} ist nicht bekannt",
    "unknown_foreign_ship": "Schiff {number} von {code} ist nicht bekannt",
    "not_allied": "{code} ist nicht mit dem Reich verbündet",
    # training and building
    "training_fields": (
        "Erwartet wird ruesten,Typ,Truppen,Heerführer,Elite,Kosten und dazu, wenn gewünscht, "
        "Großfeld,Kleinfeld und Heernummer"
    ),
    "construction_fields": (
        "Erwartet wird bauen,Typ,Großfeld,Kleinfeld, bei Randbauwerken die Richtung, dann Kosten "
        "und, wenn gewünscht, der Name"
    ),
    "no_unit_type": "»{field}« ist keine Einheit",
    "no_building_type": "»{field}« ist kein Bauwerk",
    "no_elite": "»{field}« ist keine Elitestufe; erlaubt sind - oder k und b mit einer Ziffer",
    "elite_too_high": "Die höchste Elitestufe ist {max}",
    "number_range": "Die Nummer {number} ist nicht für {unit_type} vorgesehen",
    "needs_direction": "»{field}« steht am Rand und braucht eine Richtung: NW, NO, O, SO, SW, W",
    "needs_no_direction": "»{field}« steht in der Mitte des Felds und hat keine Richtung",
    "cost_differs": "Kosten {cost_submitted} statt {cost}; der Spielleiter entscheidet",
    "cost_approved": "Kosten {cost_submitted} statt {cost}; genehmigt, es gelten {cost}",
    "cost_rejected": "Kosten {cost_submitted} statt {cost}; vom Spielleiter verworfen",
    # what was understood
    "understood_unit": "Heer {number}",
    "understood_path": ": {here} → {way}",
    "understood_stay": " bleibt: {here}",
    "aboard": "an Bord",
    "understood_split": ", spaltet Heer {number} ab (Truppen {troops}, Heerführer {leaders})",
    "understood_ship": ", geht auf Schiff {ship}",
    "understood_training": (
        "Rüsten: {troops} {unit_type}, Heerführer {leaders}, Elite k{elite_combat} "
        "b{elite_movement}, {cost} Goldstück, Monate {months}"
    ),
    "understood_where": ", auf {place}",
    "understood_number": ", als Heer {number}",
    "understood_construction": (
        "Bauen: {building} auf {place}{edge}, {cost} Goldstück, Monate {months}"
    ),
    "understood_edge": ", Richtung {edge}",
}
CHECK: dict[str, str] = {
    "title": "Prüfbericht für {realm}, Zug {turn}",
    "missing": "Es liegt keine Zugdatei vor.",
    "file": "Datei {file}: {size_bytes} Bytes, {encoding}",
    "no_encoding": "nicht lesbar",
    "counts": (
        "{lines} Zeilen: angenommen {accepted} (davon mit Warnung {warned}), abgelehnt {rejected}, "
        "Kommentare {comments}, leer {blank}"
    ),
    "file_error": "Fehler: {reason}",
    "line": "Zeile {line}: {text}",
    "understood": "verstanden: {understood}",
    "error": "Fehler in Spalte {column}: {reason}{hint}",
    "warning": "Warnung in Spalte {column}: {reason}{hint}",
    "hint": "; gemeint {suggestion}?",
    "training_reserved": (
        "Hinweis: Rüsten wird in diesem Regelwerk geprüft und vorgemerkt, aber nicht ausgeführt"
    ),
    "construction_reserved": (
        "Hinweis: Bauen wird in diesem Regelwerk geprüft und vorgemerkt, aber nicht ausgeführt"
    ),
    "gold": (
        "Kosten: Rüsten {training} + Bauen {construction} = {total} Goldstück; im Reichsschatz "
        "liegen {treasury}"
    ),
    "lack": "Es fehlen {lack} Goldstück.",
    "idle": "Ohne Befehl: Heer {numbers}",
}
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
    "correction": "{row}, {column}: {old} → {new} ({reason})",
    "row": "{table} {key}",
    "unit": "Heer {number} von {realm}",
    "nothing": "–",
    "battles": "Schlachten",
    "fates": "Schicksale",
    "fate": "{unit}: {fate}",
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
    "buildings": "Bauwerke (gefüllt: eigene)",
    "units": "Heere (gefüllt: eigene)",
    "foreign_unit": "fremdes Heer, Reich und Nummer",
    "foreign_plate": "ABC 101",
    "north": "N",
    "scale_one": "1 Kleinfeld",
    "scale": "{count} Kleinfelder",
}
INTAKE: dict[str, str] = {
    "two_files": "Es liegen mehrere Zugdateien vor ({names}); bitte nur eine.",
}
HITS: dict[str, str] = {
    # battle reports
    "title": "Schlacht {battle_id}",
    "first": "Der erste von {n} Durchgängen; alle zusammen zeigt verteilung_{battle_id}.png.",
    "nameless": "Armee {army_id}",
    "army": (
        "{name}: gesKK {strength}, {combatants_before} Einheiten, {strikes} Schläge, {hits} "
        "Treffer, {vp_received} VP erhalten."
    ),
    "flees": "{name} flieht und schlägt nicht zu.",
    "lost": (
        "{name} verliert {dead} von {combatants_before} Einheiten (KK {kk_before} → {kk_after})."
    ),
    # charts
    "chart": "Schlacht {battle_id} · {n} Durchgänge",
    "chart_note": (
        "Überlebende Einheiten je Armee: kräftig die mittleren 90 %, Strich Median; rechts mit "
        "95-%-Spanne"
    ),
    "survivors": "{median} von {before} überleben (5–95 %: {q05} bis {q95})",
    "better": "besser",
    "victor": "Sieg",
    "wiped_out": "vernichtet",
    "more": "… und {n} weitere Armeen, siehe win_rates",
    # one selection explained
    "explain": "Schlacht {battle_id}, {name} (Armee {army_id}): {where}Auswahl {selection}",
    "explain_where": "Durchgang {repeat}, Runde {round}, ",
    "picked": (
        "Auswahl: Wort {word} · {living} Lebende / 2^32 → Platz {rank} (ab 0): Einheit "
        "{combatant_id}{called}, KK {kk}{place}"
    ),
    "behind": ", in {walls}",
    "pal": "der Palisade",
    "mau": "der Mauer",
    "burg": "der Burg",
    "uncovered": "Neuauswahl: keine Deckung, also keine",
    "covered": "Neuauswahl: Chance {chance} %, Wort {word} = {percent} % → {verdict}",
    "again": "sie wird verschont",
    "stays": "es bleibt bei ihr",
    "parry": "Abwehr: β {base} %, δ {delta} %, AW {aw} %, Wort {word} = {percent} % → {verdict}",
    "parried": "abgewehrt",
    "dies": "sie stirbt",
    "vp": "VP: {before} → {after}",
}
# kind → (paragraph of the source, sentence); chapters and mere words have no paragraph
EXPLAIN: dict[str, tuple[str, str]] = {
    "start": ("", "Vor dem Zug"),
    "orders": ("", "Befehl"),
    "dice": ("", "Würfel"),
    "losses": ("", "Verluste"),
    "movement": ("", "Bewegung"),
    "deeds": ("", "Taten"),
    "battle": ("", "Schlacht"),
    "end": ("", "Ergebnis"),
    "before": ("", "{troops} {unit_type}, {leaders} Heerführer, {merit} Gutpunkte, {where}"),
    "ashore": ("", "auf {place}"),
    "aboard": ("", "an Bord von {unit}"),
    "captive": ("", "gefangen bei {unit}"),
    "trained": ("2.2", "in diesem Zug gerüstet (Zeile {line}, {months} Monate Ausbildung)"),
    "split_off": ("2.1", "in diesem Zug von {parent} abgeteilt (Zeile {line})"),
    "correction": ("", "Korrektur von Hand, {column}: {old} → {new} ({reason})"),
    "line": ("2.1", "Zeile {line}: {text} – verstanden: {understood}"),
    "line_accepted": ("2.1", "Zeile {line}: {text} – zählt nicht als Zug dieses Heeres"),
    "line_rejected": ("2.1", "Zeile {line}: {text} – abgelehnt"),
    "line_blank": ("", "Zeile {line}: leer"),
    "problem": ("", "  Spalte {column}: {reason}"),
    "no_line": ("2.1", "keine Zeile der Zugdatei nennt dieses Heer"),
    "draw": ("", "{what} (Strom {stream}, Nummer {index}): {value} aus {lo} bis {hi}"),
    "loss": ("", "{what}: {percent} % von {troops_before} = {losses}, es bleiben {left}"),
    "standing": ("4.1", "Standverlust"),
    "volcano": ("4.2", "Vulkanverlust"),
    "steppe": ("4.3", "Steppeverlust"),
    "landing": ("4.4", "Landungsunterlassung"),
    "flyer": ("4.4", "Flieger ohne Landung"),
    "river": ("4.5", "Flussverlust"),
    "crossing": ("5.1", "Begegnung zweier Heere, wer zuerst zieht"),
    "withdrawal": ("2.1", "Richtung des Rückzugs"),
    "drowned": ("5.3", "Untergang des Schiffs"),
    "planned": ("5.1", "Weg nach Befehl: {path}"),
    "walked": ("5.1", "gegangen: {path}"),
    "contact": ("5.1", "Kontakt: durch fremde Truppen angehalten auf {place}"),
    "free": ("5.1", "ohne Kontakt angekommen auf {place}"),
    "boarded": ("2.1", "an Bord von {ship} gegangen"),
    "not_boarded": ("2.1", "nicht an Bord von {ship} gegangen: {reason}"),
    "split": ("2.1", "Heer {number} mit {amount} auf {place} abgeteilt"),
    "kept_together": ("2.1", "Heer {number} nicht abgeteilt: {reason}"),
    "withdrew": ("2.1", "von {place} nach {to} zurückgezogen"),
    "cornered": ("2.1", "wollte sich von {place} zurückziehen und fand keinen Platz"),
    "pursued": ("2.1", "von {place} nach {to} verfolgt"),
    "conquered": ("2.1", "{place} erobert"),
    "plundered": ("2.1", "{place} geplündert: {amount} Gold"),
    "ravaged": ("2.1", "{place} verwüstet"),
    "fight": ("6", "auf {place}, Runde {round}"),
    "side": (
        "6.2–6.6",
        "{who} {units}: {troops} Mann, Stärke {strength}, Schadensanteil {share} %, Bauwerk fängt "
        "{absorbed} % ab, bleiben {final_share} %, Verluste {losses}{overrun}",
    ),
    "own_side": ("", "eigene Seite:"),
    "other_side": ("", "Gegenseite:"),
    "overrun": ("6.5", ", überrannt"),
    "own_losses": (
        "6.6",
        "dieses Heer: {troops_before} Mann, Gelände {region_pct} %, Verluste {losses}, "
        "es bleiben {left}",
    ),
    "captured_by": ("6.7", "gefangengenommen von {captor}"),
    # with the combat model hits; the points of source 3 as docs/hits.md numbers them
    "army": ("Quelle 3, 1", "{who} {units}: {troops} Mann, gesKK {strength}, Schläge {strikes}"),
    "army_hits": ("Quelle 3, 2", "  Treffer {hits}, erhaltene VP {vp_received}"),
    "own_army": ("", "eigene Armee:"),
    "allied_army": ("", "verbündete Armee:"),
    "hostile_army": ("", "feindliche Armee:"),
    "selections": ("Quelle 3, 3", "Auswahlen der eigenen Armee: {total}, davon dieses Heer: {own}"),
    "selected": (
        "Quelle 3, 3",
        "Auswahl (Strom {stream}, Nummer {index}): Platz {value} aus {lo} bis {hi}",
    ),
    "combatant": ("", "  Einheit {combatant_id}: {troops} Mann, KK {kk}{place}"),
    "judged": ("", "  {line}"),
    "not_noted": ("", "wie sie ausgingen, wurde in diesem Zug noch nicht aufgeschrieben"),
    "army_losses": ("Quelle 3, 3", "{who} Verluste {losses} von {troops} Mann{wiped_out}"),
    "wiped_out": ("", ", vernichtet"),
    "spared": ("6.7", "als Gefangene bleiben die {fallen} Mann dieses Heers am Leben"),
    "leaders_live": ("5.3", "Heerführer leben alle ({leaders}); sie fallen nur mit dem Heer"),
    "leaders_fall": ("5.3", "Heerführer fallen mit dem Heer ({leaders})"),
    "fate": ("5.3", "{fate}"),
    "after": ("", "{troops} {unit_type}, {leaders} Heerführer, {merit} Gutpunkte, {where}"),
    "gone": ("5.3", "das Heer besteht nicht mehr"),
}
