"""The columns equal the plain reference with every switch turned alone, and with every two.

`ZUGWERK_WORLDS` multiplies the number of worlds, as in tests/test_reference.py.
"""

from collections.abc import Mapping
from itertools import combinations

import pytest

from tests.small_rules import small_rules
from tests.test_reference import EFFORT, VARIANTS, compare
from tests.worlds import archipelago

ON: Mapping[str, str] = VARIANTS["all"]
TURNED = [*combinations(sorted(ON), 1), *combinations(sorted(ON), 2)]
ISLANDS = 6 * EFFORT


@pytest.mark.parametrize("turned", TURNED, ids=" ".join)
def test_switches_alone_and_in_pairs(turned: tuple[str, ...]) -> None:
    rules = small_rules(**{switch: ON[switch] for switch in turned})
    seed = TURNED.index(turned)
    differences = compare(archipelago(seed, ISLANDS, rules), rules, turn_number=seed + 1)
    assert not differences, "\n".join(differences)
