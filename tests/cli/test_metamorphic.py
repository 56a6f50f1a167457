"""What must not change a number, through files and the command line: order, names, files, formats, filters.

tests/measurement/test_invariance.py does this in Python; here everything goes through readers, writers and options.
"""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from commands import run

PEOPLE = ("anna", "bert", "carl")
LENGTH = 120
WORDS = ("de", "historie", "van", "der", "stat", "unde", "dat", "hus")


def _marks(seed=7):
    """Spans in two layers, with gaps, one label that is a number, and somebody who marked nothing in one document."""
    rng = np.random.default_rng(seed)
    for d in range(4):
        text = f"{d} " + "abc def ghij klmno " * 7
        true = [(int(at), str(rng.choice(["X", "Y", "1"]))) for at in rng.choice(10, size=7, replace=False) * 12]
        for who in PEOPLE:
            units = []
            for at, label in sorted(true) if (d, who) != (2, "carl") else ():
                if rng.random() < 0.85:
                    start, end = at + int(rng.random() < 0.3), at + 6 + int(rng.random() < 0.3)
                    layer = "NE" if rng.random() < 0.8 else "other"
                    changed = label if rng.random() < 0.8 else "Z"
                    features = {"category": changed, "sure": "yes" if rng.random() < 0.8 else "no"}
                    units.append({"start": start, "end": end, "type": layer, **features})
            yield {"document": f"t{d}", "annotator": who, "text": text[:LENGTH], "units": units}


def _rough():
    """Seconds; nested, coinciding and empty units; numbers as labels; continua to guess; people who did not work."""
    rng = np.random.default_rng(11)
    for d in range(5):
        for who in PEOPLE:
            if (d + PEOPLE.index(who)) % 5 == 4:
                continue  # did not work on it
            start = np.round(rng.uniform(3, 60, size=6), 1)
            length = np.round(rng.choice([0, 2.5, 9, 30], size=6), 1)
            for a, b in zip(start.tolist(), (start + length).tolist(), strict=True):
                row = {"document": f"t{d}", "annotator": who, "start": a, "end": round(b, 1)}
                yield {**row, "category": int(rng.integers(1, 12)), "sure": str(rng.choice(["", "no"]))}
            yield {"document": f"t{d}", "annotator": who, "start": 70, "end": 71.5, "category": 2, "sure": ""}
            yield {"document": f"t{d}", "annotator": who, "start": 70, "end": 71.5, "category": 3, "sure": ""}


def _segments():
    """Texts that each annotator cut completely."""
    rng = np.random.default_rng(8)
    for d in range(4):
        for who in PEOPLE:
            cuts = [0, *sorted(10 * rng.choice(np.arange(1, 12), size=5, replace=False)), LENGTH]
            units = [{"start": int(a), "end": int(b), "type": "part"} for a, b in pairwise(cuts)]
            yield {"document": f"t{d}", "annotator": who, "text": "x" * LENGTH, "units": units}


def _editions():
    """Each annotator's own spelling and division of a text, with labels."""
    rng = np.random.default_rng(9)
    for d in range(3):
        true = [str(word) for word in rng.choice(WORDS, size=4)]
        for who in PEOPLE:
            text, units = "", []
            for word in true:
                spelling = word if rng.random() < 0.8 else word[:-1] + "e"
                if units and rng.random() < 0.1:  # one unit with the word before
                    units[-1]["end"] += len(spelling) + 1
                else:
                    label = "D" if len(word) < 4 else str(rng.choice(["N", "V"], p=[0.8, 0.2]))
                    units.append({"start": len(text), "end": len(text) + len(spelling), "category": label})
                text += spelling + " "
            yield {"document": f"t{d}", "annotator": who, "text": text, "units": units}


def _ratings():
    """Labels of items, some of them missing."""
    rng = np.random.default_rng(10)
    for d in range(4):
        for item in range(8):
            true = int(rng.integers(1, 4))
            for who in PEOPLE:
                if rng.random() < 0.9:
                    label = true if rng.random() < 0.7 else int(rng.integers(1, 4))
                    yield {"document": f"t{d}", "item": f"i{item}", "annotator": who, "label": label}


DATA = {
    "marks": (
        tuple(_marks()),
        ("gamma(precision=0.2)", "u-alpha", "cu-alpha", "alpha-u", "span-f1", "slot-error-rate"),
        ".jsonl",
    ),
    "one label": (tuple(_marks()), ("gamma(chance=shift,precision=0.2,features=category)",), ".jsonl"),
    "rough": (
        tuple(_rough()),
        (
            "gamma(precision=0.2)",
            "gamma(chance=shift,precision=0.2,distance=numeric,features=category)",
            "span-f1(match=overlap)",
        ),
        ".csv",
    ),
    "segments": (tuple(_segments()), ("boundary-similarity", "window-diff", "pk"), ".jsonl"),
    "editions": (tuple(_editions()), ("text-gamma(precision=0.2)",), ".jsonl"),
    "ratings": (
        tuple(_ratings()),
        ("krippendorff-alpha", "krippendorff-alpha(distance=interval)", "multi-kappa", "gwet-ac2"),
        ".csv",
    ),
}
each_kind = pytest.mark.parametrize("kind", DATA)
OTHER_NAMES = {
    "anna": "zoë",
    "bert": "Abel 2",
    "carl": "mia",
    "t0": "s9",
    "t1": "s (1)",
    "t2": "a.b",
    "t3": "0",
    "t4": "…",
}


def write(path, rows):
    """Write records as JSON lines or as a table, whichever the name says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        if path.suffix == ".jsonl":
            file.writelines(json.dumps(_record(row)) + "\n" for row in rows)
        else:
            table = csv.DictWriter(file, list(rows[0]))
            table.writeheader()
            table.writerows(rows)
    return path


def _record(row):
    fixed = ("start", "end", "type")
    units = [
        {
            **{key: unit[key] for key in fixed if key in unit},
            "features": {key: unit[key] for key in unit if key not in fixed},
        }
        for unit in row["units"]
    ]
    return {**row, "units": units}


def told(kind, *arguments, names=None):
    """All numbers that `measure --json` gives, without regard to the order of documents and annotators."""
    wanted = [part for measure in DATA[kind][1] for part in ("-m", measure)]
    subsets = "--no-leave-one-out" if kind == "editions" else "--leave-one-out"  # text-γ takes long
    done = run("measure", *arguments, *wanted, subsets, "--json", "--workers", 1)
    assert done.returncode == 0, done.stderr
    back = {new: old for old, new in (names or {}).items()}
    leave = {"signature", "parameters", "preparation", "dropped", "notes"}

    def plain(found):
        if isinstance(found, dict):
            return {back.get(key, key): plain(one) for key, one in found.items() if key not in leave}
        if isinstance(found, list):
            return sorted(map(plain, found), key=lambda one: json.dumps(_names_in(one)))
        return back.get(found, found)

    return [plain(result) for result in json.loads(done.stdout)["results"]]


def _names_in(found):
    if isinstance(found, dict):
        return [names for one in found.values() if (names := _names_in(one))]
    if isinstance(found, list):
        return [_names_in(one) for one in found]
    return found if isinstance(found, str) else ""


@cache
def _baseline(kind, folder):
    return told(kind, write(folder / f"all{DATA[kind][2]}", DATA[kind][0]))


@pytest.fixture
def baseline(tmp_path_factory):
    """What the files say as they are."""
    folder = tmp_path_factory.getbasetemp() / "metamorphic"
    return lambda kind: _baseline(kind, folder / kind)


def assert_same(one, other, where="results"):
    """Compare two answers, up to rounding."""
    if isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys(), where
        for key in one:
            assert_same(one[key], other[key], f"{where}.{key}")
    elif isinstance(one, list) and isinstance(other, list):
        assert len(one) == len(other), where
        for place, (a, b) in enumerate(zip(one, other, strict=True)):
            assert_same(a, b, f"{where}[{place}]")
    elif isinstance(one, float) and isinstance(other, float):
        assert one == pytest.approx(other, rel=1e-9, abs=1e-11), where
    else:
        assert one == other, where


def by(rows, key):
    """Divide records by a key."""
    found = defaultdict(list)
    for row in rows:
        found[row[key]].append(row)
    return found


def shuffled(rows, seed=1):
    """Put records, and the units in them, in another order."""
    rng = np.random.default_rng(seed)
    mixed = [rows[index] for index in rng.permutation(len(rows))]
    if "units" not in rows[0]:
        return mixed
    return [{**row, "units": [row["units"][index] for index in rng.permutation(len(row["units"]))]} for row in mixed]


@each_kind
def test_the_data_says_something(kind, baseline):
    for result in baseline(kind):
        assert result["value"] not in (None, 0.0), result["measure"]
        assert result["value"] < 1, result["measure"]
        assert result["interval"], result["measure"]


ORDERS = {
    "reversed": lambda rows: rows[::-1],
    "shuffled": shuffled,
    "by annotator": lambda rows: sorted(rows, key=lambda row: row["annotator"], reverse=True),
}


@pytest.mark.parametrize(
    ("kind", "order"),
    [(kind, order) for kind in DATA for order in ORDERS if kind != "editions" or order == "shuffled"],  # text-γ is slow
)
def test_the_order_of_rows_documents_and_annotators(kind, order, baseline, tmp_path):
    _, _, suffix = DATA[kind]
    path = write(tmp_path / f"all{suffix}", ORDERS[order](list(DATA[kind][0])))
    assert_same(told(kind, path), baseline(kind))


@each_kind
def test_names_of_annotators_and_documents(kind, baseline, tmp_path):
    rows, _, suffix = DATA[kind]
    renamed = [
        {**row, "document": OTHER_NAMES[row["document"]], "annotator": OTHER_NAMES[row["annotator"]]} for row in rows
    ]
    path = write(tmp_path / f"renamed{suffix}", renamed)
    assert_same(told(kind, path, names=OTHER_NAMES), baseline(kind))


@each_kind
@pytest.mark.parametrize("key", ["document", "annotator"])
def test_files_divided(kind, key, baseline, tmp_path):
    rows, _, suffix = DATA[kind]
    paths = [write(tmp_path / f"{name}{suffix}", part) for name, part in by(rows, key).items()]
    assert_same(told(kind, *paths[::-1]), baseline(kind))
    assert_same(told(kind, tmp_path), baseline(kind))  # a folder


@each_kind
def test_files_divided_and_joined_again(kind, baseline, tmp_path):
    rows, _, suffix = DATA[kind]
    paths = [write(tmp_path / f"{name}{suffix}", shuffled(part)) for name, part in by(rows, "annotator").items()]
    joined = tmp_path / f"joined{suffix}"
    assert run("convert", *paths[::-1], "-o", joined).returncode == 0
    assert_same(told(kind, joined), baseline(kind))


PILOT = [*_marks(), *({**row, "document": f"u{row['document']}"} for row in _marks(seed=17))]
COMMANDS = {
    "plan": lambda one, other: ("plan", one, "--width", 0.2, "-m", "gamma(precision=0.2)"),
    "plan of a formula": lambda one, other: ("plan", one, "--width", 0.2, "-m", "u-alpha"),
    "compare": lambda one, other: ("compare", one, other, "-m", "gamma(precision=0.2)", "-m", "span-f1"),
    "model": lambda one, other: ("compare", one, "--model", "carl", "-m", "gamma(precision=0.2)"),
    "align": lambda one, other: ("align", one),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_order_of_rows_for_other_commands(command, tmp_path):
    after = [{**row, "units": row["units"][1:]} for row in PILOT]
    given = write(tmp_path / "given" / "one.jsonl", PILOT), write(tmp_path / "given" / "other.jsonl", after)
    other = [
        write(tmp_path / "other" / path.name, shuffled(rows)) for path, rows in zip(given, (PILOT, after), strict=True)
    ]
    found = []
    for files in (given, other):
        done = run(*COMMANDS[command](*files), *(() if command == "align" else ("--json",)))
        assert done.returncode == 0, done.stderr
        found.append(sorted(done.stdout.splitlines()) if command == "align" else json.loads(done.stdout))
    assert found[0]
    assert_same(*found)


FORMATS = [
    *((kind, "there.jsonl", ()) for kind in ("marks", "segments", "editions")),
    ("marks", "there.json", ()),
    *(("rough", name, ()) for name in ("there.csv", "there.tsv", "there.jsonl")),
    *(
        (kind, f"there.{suffix}", ("--continuum", f"0:{LENGTH}"))
        for kind in ("marks", "segments")
        for suffix in ("csv", "tsv")
    ),
    *((kind, "brat", ()) for kind in ("marks", "segments", "editions")),
    *(("ratings", name, ()) for name in ("there.csv", "there.tsv")),
]


@pytest.mark.parametrize(("kind", "name", "reading"), FORMATS)
def test_other_formats(kind, name, reading, baseline, tmp_path):
    path = write(tmp_path / f"all{DATA[kind][2]}", DATA[kind][0])
    to = ("--to", "brat") if name == "brat" else ()
    done = run("convert", path, *to, "-o", tmp_path / name)
    assert done.returncode == 0, done.stderr
    assert_same(told(kind, tmp_path / name, *reading), baseline(kind))
    back = tmp_path / f"back{DATA[kind][2]}"
    assert run("convert", tmp_path / name, *reading, "-o", back).returncode == 0
    assert_same(told(kind, back), baseline(kind))


def units_where(keeps):
    """Make a filter of units; annotators without any that are left have worked nevertheless."""
    return lambda rows: [{**row, "units": [unit for unit in row["units"] if keeps(unit)]} for row in rows]


def rows_where(keeps):
    """Make a filter of records."""
    return lambda rows: [row for row in rows if keeps(row)]


two_people = rows_where(lambda row: row["annotator"] != "bert")
two_documents = rows_where(lambda row: row["document"] in ("t0", "t2"))
FILTERS = {
    "annotators": (("--annotators", "anna,carl"), two_people),
    "documents": (("--documents", "t2,t0"), two_documents),
    "both": (("--annotators", "carl,anna", "--documents", "t0,t2"), lambda rows: two_people(two_documents(rows))),
}
OF_UNITS = {
    "where an annotator": (("--where", 'annotator != "bert"'), two_people),
    "where a document": (("--where", 'document in ["t0", "t2"]'), two_documents),
    "where a position": (("--where", "start >= 10"), units_where(lambda unit: unit["start"] >= 10)),
}
OF_MARKS = {
    "layer": (("--layer", "NE"), units_where(lambda unit: unit["type"] == "NE")),
    "where a label": (("--where", 'category != "Z"'), units_where(lambda unit: unit["category"] != "Z")),
    "where a length": (("--where", "length > 5"), units_where(lambda unit: unit["end"] - unit["start"] > 5)),
    "layer and people": (
        ("--layer", "NE", "--where", 'sure == "yes"', "--annotators", "anna,carl"),
        lambda rows: two_people(units_where(lambda unit: unit["type"] == "NE" and unit["sure"] == "yes")(rows)),
    ),
}
ALL_FILTERS = [
    *((kind, which, *how) for kind in ("marks", "rough", "segments", "ratings") for which, how in FILTERS.items()),
    ("editions", "both", *FILTERS["both"]),
    *(
        (kind, which, *how)
        for kind in ("marks", "segments")
        for which, how in OF_UNITS.items()
        if (kind, which) != ("segments", "where a position")
    ),
    ("editions", "where a position", *OF_UNITS["where a position"]),
    *(("marks", which, *how) for which, how in OF_MARKS.items()),
]


@pytest.mark.parametrize(("kind", "which", "options", "leaves"), ALL_FILTERS)
def test_a_filter_equals_a_filtered_file(kind, which, options, leaves, tmp_path):
    rows, _, suffix = DATA[kind]
    everything, left = write(tmp_path / f"all{suffix}", rows), write(tmp_path / f"left{suffix}", leaves(rows))
    known = ("--continuum", "0:100") if kind == "rough" else ()  # a guessed one stays that of all units
    wanted = told(kind, left, *known)
    assert_same(told(kind, everything, *options, *known), wanted)
    chosen = tmp_path / f"chosen{suffix}"
    assert run("convert", everything, *options, "-o", chosen).returncode == 0
    assert_same(told(kind, chosen, *known), wanted)
