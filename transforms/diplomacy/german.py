"""How units, provinces and nations are called in what players read."""

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from transforms.diplomacy.texts import AND, NONE


@dataclass(frozen=True)
class Names:
    """German names of a map, as column expressions over the keys of provinces and nations."""

    provinces: pl.DataFrame
    nations: pl.DataFrame

    def abbr(self, province: str | pl.Expr = "province") -> pl.Expr:
        """NTH → Nth."""
        return self._looked_up(province, self.provinces, "province", "abbr")

    def name(self, province: str | pl.Expr = "province") -> pl.Expr:
        """NTH → Nordsee."""
        return self._looked_up(province, self.provinces, "province", "de")

    def code(self, nation: str | pl.Expr = "nation") -> pl.Expr:
        """AUSTRIA → ÖU."""
        return self._looked_up(nation, self.nations, "nation", "code")

    def rank(self, nation: str | pl.Expr = "nation") -> pl.Expr:
        """Position of a nation in every list: by code, Ö as O (D, F, GB, I, OR, ÖU, R)."""
        return self._looked_up(nation, self.ranked, "nation", "rank")

    @cached_property
    def ranked(self) -> pl.DataFrame:
        """The nations in the order of every list, with their `rank`."""
        plain = pl.col("code").str.normalize("NFKD").str.replace_all(r"\p{M}", "")
        return self.nations.sort(plain, "code").with_row_index("rank")

    def place(self, province: str = "province", coast: str = "coast") -> pl.Expr:
        """StP(sc); Nth where there is no coast."""
        return self.abbr(province) + coast_text(pl.col(coast))

    def place_of_key(self, key: str) -> pl.Expr:
        """STP/SC → StP(sc)."""
        parts = pl.col(key).str.splitn("/", 2)
        return self.abbr(parts.struct[0]) + coast_text(parts.struct[1])

    def unit(self, province: str = "province") -> pl.Expr:
        """F StP(sc)."""
        return pl.col("unit_type").cast(pl.String) + " " + self.place(province)

    def _looked_up(
        self, key: str | pl.Expr, table: pl.DataFrame, column: str, value: str
    ) -> pl.Expr:
        expression = pl.col(key) if isinstance(key, str) else key
        return expression.replace_strict(
            table[column], table[value], default=None, return_dtype=table[value].dtype
        )


def coast_text(coast: pl.Expr) -> pl.Expr:
    """SC → (sc); empty where there is no coast."""
    text = coast.cast(pl.String).str.to_lowercase()
    return pl.concat_str(pl.lit("("), text, pl.lit(")")).fill_null("")


def listed(text: str, by: str) -> pl.Expr:
    """An aggregate: the texts of a group in the order of `by`, with commas."""
    return pl.col(text).sort_by(by).str.join(", ")


def enumerated(text: str, by: str) -> pl.Expr:
    """An aggregate: the texts of a group in the order of `by`: D, F und GB."""
    texts = pl.col(text).sort_by(by)
    head, last = texts.head(pl.len() - 1).str.join(", "), texts.last()
    return pl.when(pl.len() > 1).then(head + AND + last).otherwise(last)


def or_none(text: str) -> pl.Expr:
    """The list, or the word for an empty one."""
    return pl.col(text).fill_null(NONE)
