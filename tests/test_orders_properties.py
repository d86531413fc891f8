"""What holds for any file: nothing crashes, the sum is kept, realms do not touch one another."""

from random import Random

import polars as pl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.order_world import AB, RULES, TURN, XY, read_texts, texts, world
from transforms import costs
from transforms.orders import decode

WORDS = (
    *("112", "214", "118", "305", "1800", "1", "0", "207", "208", "14", "20", "048", "49", "65536"),
    *("99999999999", "s118", "s", "e305", "e305@XY", "e", "@", "r", "v", "p1", "p3", "", " ", "-"),
    *("ruesten", "RÜSTEN", "bauen", "Krieger", "Burg", "Wall", "NO", "k1b1", "k9", "16000", "5000"),
    *("\x1b", "٣", "²", "+1", "-1", ";", "#", "ß", "\N{ZERO WIDTH SPACE}", "x" * 50),
)
PIECES = st.lists(st.sampled_from(WORDS), max_size=14).map(",".join)
FILES = st.lists(PIECES, max_size=12).map("\n".join)
SLOW = settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
WORLD = world()


def order_text(data: bytes) -> pl.DataFrame:
    text, encoding, error = decode(data)
    return texts({AB: text}).with_columns(
        file=pl.lit("AB_SPZ.txt"),
        encoding=pl.lit(encoding, pl.String),
        error=pl.lit(error, pl.String),
    )


@SLOW
@given(st.one_of(st.binary(max_size=300), FILES.map(str.encode)))
def test_any_bytes_keep_the_sum(data: bytes) -> None:
    order_texts = order_text(data)
    out = read_texts(order_texts, WORLD)
    lines = (order_texts["text"][0] or "").replace("\r\n", "\n").replace("\r", "\n")
    expected = lines.removesuffix("\n").split("\n") if lines else []
    assert out["order_files"]["lines"].to_list() == [len(expected)]
    errors = out["rejections"].filter(pl.col("severity") == "error", pl.col("line") > 0)
    rejected = out["order_lines"].filter(pl.col("status") == "rejected")
    assert set(errors["line"]) == set(rejected["line"])
    report = costs.check_reports(
        **{n: out[n] for n in ("order_files", "order_lines", "rejections", "movements")},
        **{n: out[n] for n in ("trainings", "constructions")},
        **{n: WORLD[n] for n in ("units", "realms")},
        rules=RULES,
        turn=TURN,
    )["checks"]
    assert report["seq"].to_list() == list(range(1, report.height + 1))
    assert not report["text"].str.contains(r"[\p{Cc}\p{Cf}]").any()


@SLOW
@given(FILES, FILES, FILES)
def test_another_realm_s_file_changes_nothing(mine: str, other: str, changed: str) -> None:
    first = read_texts(texts({AB: mine, XY: other}), WORLD)
    second = read_texts(texts({AB: mine, XY: changed}), WORLD)
    own = WORLD["units"].filter(realm_id=AB)["unit_id"].to_list()
    for name, frame in first.items():
        who = pl.col("unit_id").is_in(own) if name == "paths" else pl.col("realm_id") == AB
        assert_frame_equal(frame.filter(who), second[name].filter(who))


def random_order(random: Random) -> tuple[str, list[int], list[tuple[int, int, int]]]:
    """A valid line of unit 112, written one of many ways; its waypoints and splits."""
    here, fields = 207, []
    way: list[int] = []
    splits: list[tuple[int, int, int]] = []
    for _ in range(random.randint(0, 8)):
        if random.random() < 0.2:
            number = 140 + len(splits)
            splits.append((len(way), number, random.randint(0, 99)))
            fields += [f"s{number}", str(splits[-1][2]), "0"]
            continue
        gf = random.choice([207, 208])
        kf = random.randint(1, 48 if gf == 207 else 12)
        if gf != here or random.random() < 0.2:
            fields.append(random.choice([f"{gf}", f"0{gf}"]))
        fields.append(random.choice([f"{kf}", f"{kf:02}"]))
        here = gf
        way.append(gf * 100 + kf)
    fields += random.choice([[], ["e305"], ["E305@ab"]])
    fields += random.choice([[], ["r"], ["A"], ["p2"]])
    blanks = ["", "", " ", "\t"]
    line = ",".join(
        random.choice(blanks) + field + random.choice(blanks)
        for field in ["112", "1800", "1", "207", "14", *fields]
    )
    return line, way, splits


@SLOW
@given(st.randoms(use_true_random=False))
def test_a_written_order_reads_back(random: Random) -> None:
    line, way, splits = random_order(random)
    out = read_texts(texts({AB: line}), WORLD)
    assert out["rejections"].is_empty(), line
    assert out["paths"].rows() == [(1, step, hex_id) for step, hex_id in enumerate(way, 1)]
    found = out["splits"].select("after_step", "number", "troops").rows()
    assert found == splits
    fields = [field.strip().lower() for field in line.split(",")]
    code = fields[-1] if fields[-1] in ("r", "a", "p2") else None
    ship = 5 if any(field.startswith("e305") for field in fields) else None
    assert out["movements"].select("unit_id", "decision", "embark_on").rows() == [(1, code, ship)]


@SLOW
@given(st.randoms(use_true_random=False))
def test_the_order_of_lines_of_different_units_does_not_matter(random: Random) -> None:
    lines = [
        "112,1800,1,207,14,20,27,a",
        "214,900,1,207,40,46,v",
        "115,2400,2,207,14,s118,600,1,20,r",
        "118,600,1,207,14,9",
        "131,1000,1,207,30,e305",
        "ruesten,Krieger,1000,1,k1,16000",
    ]
    shuffled = random.sample(lines, len(lines))
    one, other = (read_texts(texts({AB: "\n".join(each)}), WORLD) for each in (lines, shuffled))
    for name in ("movements", "paths", "splits", "trainings"):
        a, b = (out[name].drop("line", strict=False) for out in (one, other))
        assert_frame_equal(a, b, check_row_order=False)
