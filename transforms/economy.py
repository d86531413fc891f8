"""Income of the hexes, levy and upkeep (source 1, 5.4; the latter two are ours)."""

import polars as pl

from transforms.context import Turn
from transforms.rules import Rules
from transforms.schema import empty, shaped
from transforms.sentences import lines, numbered, sentence

Tables = dict[str, pl.DataFrame]


def settle_accounts(
    *,
    hexes: pl.DataFrame,
    realms: pl.DataFrame,
    units: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> Tables:
    """Phase 4: every turn the income, in a levy month also the levy and then the upkeep.

    Levy and upkeep only with treasury = collect. Out: `hexes` (credit), `realms` (treasury), in
    gold, and new rows of `ledger` and `messages`. Source 1, 5.4.
    """
    hexes, income = accrue(hexes, rules, turn)
    messages = empty("messages")
    ledger = [income]
    if rules.switches.treasury == "collect" and _is_levy_month(rules, turn):
        hexes, realms, levied = levy(hexes, realms)
        realms, paid, messages = pay_upkeep(realms, units, rules)
        ledger += [levied, paid]
    return {
        "hexes": shaped("hexes", hexes),
        "realms": shaped("realms", realms),
        "ledger": shaped("ledger", pl.concat(ledger, how="diagonal")),
        "messages": messages,
    }


def accrue(hexes: pl.DataFrame, rules: Rules, turn: Turn) -> tuple[pl.DataFrame, pl.DataFrame]:
    """A third of its income is credited to every hex whose credit is below twice its income.

    Once a turn, so the last step may pass the cap; a ravaged hex yields nothing before
    `ravaged_until`. Out: `hexes` with the new `credit`, one entry of kind `income` per credit
    that changed. Source 1, 5.4.
    """
    income, credit = pl.col("income"), pl.col("credit")
    recovered = pl.col("ravaged_until").fill_null(turn.today) <= turn.today
    gain = income // rules.constants.income_parts
    due = recovered & (gain > 0) & (credit < rules.constants.income_cap * income)
    entries = (
        hexes.lazy().filter(due).select("hex_id", "realm_id", *_entry("credit", "income", gain))
    )
    credited = hexes.with_columns(credit=pl.when(due).then(credit + gain).otherwise(credit))
    return credited, entries.collect()


def levy(
    hexes: pl.DataFrame, realms: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """The credit of a realm's hexes goes to its treasury: `hexes`, `realms`, two entries a hex."""
    credit = pl.col("credit")
    owned = pl.col("realm_id").is_in(realms["realm_id"].implode())
    full = hexes.lazy().filter(owned & (credit > 0)).collect()
    entries = [
        full.select("realm_id", "hex_id", *_entry(account, "levy", amount))
        for account, amount in (("credit", -credit), ("treasury", credit))
    ]
    emptied = hexes.with_columns(credit=pl.when(owned).then(0).otherwise(credit))
    return emptied, book(realms, entries[1]), pl.concat(entries)


def pay_upkeep(
    realms: pl.DataFrame, units: pl.DataFrame, rules: Rules
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """A fifth of what its troops cost is paid to every free unit, by number, while gold lasts.

    The first unit that cannot be paid ends it; the unpaid are told and stay. Out: `realms`, an
    entry per unit paid, rows of `messages` about the others.
    """
    types = rules.unit_types.lazy().select("cost", unit_type="name")
    owed = (
        units.lazy()
        .filter(pl.col("captor_id").is_null())
        .join(types, on="unit_type")
        .with_columns(amount=pl.col("troops") * pl.col("cost") // rules.constants.upkeep_parts)
        .filter(pl.col("amount") > 0)
        .join(realms.lazy().select("realm_id", "treasury"), on="realm_id")
        .select("unit_id", "realm_id", "number", "amount", "treasury")
        .sort("realm_id", "number")
        .with_columns(lasts=pl.col("amount").cum_sum().over("realm_id") <= pl.col("treasury"))
        .collect()
    )
    paid = owed.filter("lasts").select(
        "realm_id", "unit_id", *_entry("treasury", "upkeep", -pl.col("amount"))
    )
    text = sentence("unpaid", number=pl.col("number"), amount=pl.col("amount"))
    told = lines(owed.lazy().filter(~pl.col("lasts")), "F", "unpaid", text)
    return book(realms, paid), paid, numbered(told)


def book(realms: pl.DataFrame, entries: pl.DataFrame) -> pl.DataFrame:
    """`realms` after entries of the account treasury: realm_id, amount in gold."""
    sums = entries.group_by("realm_id").agg(pl.col("amount").sum())
    treasury = pl.col("treasury") + pl.col("amount").fill_null(0)
    return (
        realms.join(sums, on="realm_id", how="left").with_columns(treasury=treasury).drop("amount")
    )


def _entry(account: str, kind: str, amount: pl.Expr) -> tuple[pl.Expr, ...]:
    return pl.lit(account).alias("account"), pl.lit(kind).alias("kind"), amount.alias("amount")


def _is_levy_month(rules: Rules, turn: Turn) -> bool:
    return bool(rules.calendar["levy"][turn.today % rules.months_per_year])
