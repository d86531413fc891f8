"""Treffer und Verluste (source 3): strikes, hits, losses; all battles of a call at once.

    constants   the numbers of the rules
    forces      armies, combatants and enmities as arrays
    strength    the KK of a round, gesKK, flight
    strikes     who hits whom
    chances     reselection and parry
    selections  who falls, one step per selection number
    battle      rounds of all that
    results, statistics, draws, report, explain, chart    what is told of it

The rules speak of KK (Kampfkraft of a combatant) and VP (Verlustpunkte). Both are integers in
millionths everywhere in here; a float stands only in files. docs/hits.md has the rules.
"""
