"""What users pass to the functions above the measures: any kind of data, and options of wrong types."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import unisono
from unisono.comparison import planning
from unisono.data import Corpus, Normalizations, Ratings
from unisono.errors import DataError, OptionError, UnisonoError
from unisono.preparation.conversion import to_atoms, to_cuts, to_normalizations, to_ratings
from unisono.shuffling import benchmark, generate, ladder, reference_of, shuffle
from unisono.studies import Guideline, read_study, study

ANNOTATORS, DOCUMENTS = "abcd", "uvwxyz"


def units(documents=DOCUMENTS):
    """Four annotators who cut six documents into the same three segments, with labels that differ now and then."""
    rng = np.random.default_rng(1)
    rows = []
    for number, document in enumerate(documents):
        for who in ANNOTATORS:
            for k in range(3):
                label = "XY"[(number + k) % 2] if rng.random() < 0.8 else "Z"
                rows.append((document, who, 5 * k, 5 * k + 5, label))
    names = ("document", "annotator", "start", "end", "category")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


UNITS = units()
CORPUS = unisono.from_frame(pa.table(UNITS))
LABELS = [
    ["x", "x", "y", "x"],
    ["y", "y", "y", "x"],
    ["x", "y", "x", "x"],
    ["z", "z", "z", "z"],
    ["x", "x", "x", "x"],
] * 5
BY_ANNOTATOR = {who: [row[place] for row in LABELS] for place, who in enumerate(ANNOTATORS)}
RATINGS = Ratings.from_annotators(BY_ANNOTATOR)


class Function(NamedTuple):
    """A public function with options that make it fast, its parameter for data, and whether that must be units."""

    call: Callable[..., Any]
    parameter: str
    needs_units: bool = True


GROUPS = {"one": ["a", "b"], "other": ["c", "d"]}
FUNCTIONS = {
    "gold": Function(unisono.gold, "corpus", False),
    "compare": Function(lambda data, **more: unisono.compare(data, data, **more), "one", False),
    "compare_groups": Function(lambda data, **more: unisono.compare_groups(data, GROUPS, **more), "data", False),
    "compare_model": Function(lambda data, **more: unisono.compare_model(data, "d", **more), "data", False),
    "compare_models": Function(lambda data, **more: unisono.compare_models(data, ["c", "d"], **more), "data", False),
    "prevalence": Function(lambda data, **more: unisono.prevalence(data, "d", **more), "data", False),
    "plan": Function(lambda data, **more: unisono.plan(data, 0.5, **more), "data", False),
    "advise": Function(unisono.advise, "data", False),
    "prepare": Function(unisono.prepare, "corpus", False),
    "to_ratings": Function(to_ratings, "corpus"),
    "to_atoms": Function(to_atoms, "corpus"),
    "to_cuts": Function(to_cuts, "corpus"),
    "to_normalizations": Function(to_normalizations, "corpus"),
    "reference_of": Function(lambda data, **more: reference_of(data, "a", **more), "corpus", False),
    "shuffle": Function(lambda data, **more: shuffle(data, "category", 0.5, annotator="a", **more), "reference", False),
    "benchmark": Function(
        lambda data, **more: benchmark(
            data, "cu-alpha", "category", magnitudes=[1], repetitions=1, annotator="a", workers=1, **more
        ),
        "reference",
        False,
    ),
    "ladder": Function(
        lambda data, **more: ladder(data, "cu-alpha", errors="category", repetitions=1, workers=1, **more),
        "corpus",
        False,
    ),
    "study": Function(lambda data, **more: study("title", {"first": data}, "cu-alpha", **more), "guidelines"),
}
EACH = pytest.mark.parametrize("name", FUNCTIONS)


def outcome(name, data, **more):
    """Return what a function gives for data, in a form that can be compared; or its error."""
    try:
        found = FUNCTIONS[name].call(data, **more)
    except UnisonoError as error:
        return type(error), str(error)
    if isinstance(found, Corpus | Ratings | Normalizations):
        return found
    if hasattr(found, "to_dict"):
        return found.to_dict()
    columns = getattr(found, "columns", None) or getattr(found, "queue_columns", None)
    return columns() if columns else {name: values.tolist() for name, values in vars(found).items()}


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    """Let plans draw little: how wide intervals will be is of no importance here."""
    monkeypatch.setattr(planning, "_CELLS", 40_000)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The units as one file, and as two."""
    folder = tmp_path_factory.mktemp("files")
    for name, documents in (("all.csv", DOCUMENTS), ("first.csv", DOCUMENTS[:3]), ("last.csv", DOCUMENTS[3:])):
        table = pd.DataFrame(UNITS)
        table[table["document"].isin([*documents])].to_csv(folder / name, index=False)
    return folder


FRAMES = (pd.DataFrame, pl.DataFrame, pa.table)
FAST = {
    "compare": {"measures": "cu-alpha"},
    "compare_groups": {"measures": ["cu-alpha"]},
    "compare_model": {"measure": "cu-alpha"},
    "compare_models": {"measure": "cu-alpha"},
    "plan": {"measure": "cu-alpha"},
}


@EACH
def test_units_in_any_form(name, files):
    more = FAST.get(name, {})
    expected = outcome(name, CORPUS, **more)
    paths = [files / "first.csv", str(files / "last.csv")]
    for given in (files / "all.csv", str(files / "all.csv"), paths, *(make(UNITS) for make in FRAMES)):
        assert outcome(name, given, **more) == expected


@EACH
def test_labels_of_items_in_any_form(name):
    """Functions that need units reject them all with the same sentence."""
    expected = outcome(name, RATINGS)
    if FUNCTIONS[name].needs_units:
        said = "units with a start and an end are needed, but these are labels of given items"
        assert expected == (DataError, said)
    for given in (BY_ANNOTATOR, *(make({"item": list(range(1, 26)), **BY_ANNOTATOR}) for make in FRAMES)):
        assert outcome(name, given) == expected


@EACH
def test_a_bare_table_needs_rows(name):
    transposed = [*map(list, zip(*LABELS, strict=True))]
    for given in (LABELS, np.array(LABELS)):
        kind, said = outcome(name, given)
        assert kind is OptionError
        assert said.startswith("rows: a bare table is ambiguous")
    for table, rows in ((LABELS, "items"), (transposed, "annotators")):
        if FUNCTIONS[name].needs_units:
            assert "these are labels of given items" in outcome(name, table, rows=rows)[1]
        elif name in ("advise", "plan", "prepare"):  # others ask for annotators by name
            assert outcome(name, table, rows=rows) == outcome(name, Ratings.of(LABELS, rows="items"))
        else:
            assert "rows" not in str(outcome(name, table, rows=rows))


@EACH
def test_what_is_no_data(name):
    for wrong in (None, 3, True, 2.5, {"a": 3}, [], object(), lambda: None):
        with pytest.raises(OptionError, match="expected") as caught:
            FUNCTIONS[name].call(wrong)
        assert caught.value.parameter == FUNCTIONS[name].parameter, wrong


@EACH
@pytest.mark.parametrize(
    ("rows", "said"), [("items", "applies only to bare tables"), ("rows", "expected items or annotators")]
)
def test_rows_that_are_wrong(name, rows, said):
    with pytest.raises(OptionError, match=said) as caught:
        FUNCTIONS[name].call(CORPUS, rows=rows)
    assert caught.value.parameter == "rows"


@EACH
def test_words_that_were_rewritten(name):
    words = {"original": ["vnd", "jn"] * 9, "a": ["und", "in"] * 9, "b": ["und", "ihn"] * 9, "c": ["und", "in"] * 9}
    if FUNCTIONS[name].needs_units:
        assert "these are words that annotators rewrote" in outcome(name, words)[1]
    elif name in ("advise", "prepare"):
        assert outcome(name, words) == outcome(name, Normalizations.of(words))


@pytest.mark.parametrize(
    "call",
    [
        lambda base: unisono.compare(CORPUS, CORPUS, "cu-alpha", base=base),
        lambda base: unisono.compare_groups(CORPUS, GROUPS, "cu-alpha", base=base),
        lambda base: unisono.compare_model(CORPUS, "d", "cu-alpha", base=base),
        lambda base: unisono.plan(CORPUS, 0.5, "cu-alpha", base=base),
        lambda base: ladder(CORPUS, "cu-alpha", errors="category", repetitions=1, workers=1, base=base),
    ],
)
def test_the_pre_annotation_is_data_too(call, files):
    assert str(call(files / "all.csv")) == str(call(pd.DataFrame(UNITS))) == str(call(None))
    with pytest.raises(OptionError, match="expected a path") as caught:
        call(3)
    assert caught.value.parameter == "base"
    with pytest.raises(DataError, match="these are labels of given items"):
        call(BY_ANNOTATOR)


SHARED = {"rng": ["x", 1.5, -1], "workers": ["x", 1.5, 0], "progress": ["x", 3], "measure": [3, ["gamma"]]}
NO_TEXT, NO_NAMES, NO_FLAG = [3, ["x"], True], [3, [3], {"x": 1}, True], ["yes", 1, None]
NO_WHOLE, NO_SHARE = ["3", 2.5, None, True, -1], ["high", None, True, -0.1, float("nan"), 1.5]
WRONG = {
    "gold": {
        **{name: SHARED[name] for name in ("workers", "progress", "measure")},
        "support": [*NO_SHARE, 1],
        "majority": NO_SHARE,
        "ask_above": NO_SHARE,
        "sure": ["x", 2],
        "boundary": ["x", -1],
        "competence": ["magic", 3],
    },
    "compare": {
        **{name: SHARED[name] for name in ("rng", "workers", "progress")},
        "measures": NO_NAMES,
        "names": [3, "one", ["a", "b", "c"], [1, 2]],
    },
    "compare_groups": {**{name: SHARED[name] for name in ("rng", "workers", "progress")}, "measures": NO_NAMES},
    "compare_model": {**SHARED, "epsilon": [*NO_SHARE, 1], "humans": NO_NAMES[:-1]},
    "compare_models": {
        **SHARED,
        "epsilon": [*NO_SHARE, 1],
        "humans": [3, [3], ["x"], []],
        "families": ["x", 3, {"x": 3}],
    },
    "plan": {**SHARED, "probability": [*NO_SHARE, 0, 1]},
    "prepare": {
        **dict.fromkeys(("annotators", "documents", "layers", "clean", "features", "join"), NO_NAMES),
        "where": NO_TEXT,
        "positions": NO_TEXT,
        "adjacent": NO_FLAG,
    },
    "to_ratings": {"feature": NO_TEXT, "unmarked": NO_TEXT},
    "to_atoms": {"feature": NO_TEXT},
    "to_cuts": {"step": ["x", 0, -1, True, float("inf")]},
    "to_normalizations": {"norm": [*NO_TEXT, None], "mod": NO_TEXT, "type": NO_TEXT},
    "shuffle": {"rng": SHARED["rng"], "n_annotators": [*NO_WHOLE, 0], "uniform": NO_FLAG},
    "benchmark": {
        "rng": SHARED["rng"],
        "progress": SHARED["progress"],
        "n_annotators": [*NO_WHOLE, 1],
        "uniform": NO_FLAG,
        "store": [3, "x"],
    },
    "ladder": {"rng": SHARED["rng"], "progress": SHARED["progress"], "value": ["x", True, float("nan")]},
    "study": {name: SHARED[name] for name in ("rng", "workers", "progress")},
}


@pytest.mark.parametrize(("name", "option"), [(name, option) for name, options in WRONG.items() for option in options])
def test_wrong_options_are_named(name, option):
    for wrong in WRONG[name][option]:
        with pytest.raises(OptionError) as caught:
            FUNCTIONS[name].call(CORPUS, **{option: wrong})
        assert caught.value.parameter == option, wrong
        assert str(caught.value).startswith(f"{option}: "), wrong


@pytest.mark.parametrize(
    ("call", "parameter"),
    [
        (lambda: unisono.plan(CORPUS, "x"), "width"),
        (lambda: unisono.plan(CORPUS, None), "width"),
        (lambda: unisono.plan(CORPUS, 2), "width"),
        (lambda: unisono.compare_model(CORPUS, 3), "model"),
        (lambda: unisono.compare_model(CORPUS, "gpt"), "model"),
        (lambda: unisono.compare_models(CORPUS, 3), "models"),
        (lambda: unisono.compare_models(CORPUS, ["a", "gpt"]), "models"),
        (lambda: unisono.prevalence(RATINGS, 3), "model"),
        (lambda: unisono.prevalence(RATINGS, "gpt"), "model"),
        (lambda: unisono.prevalence(RATINGS, "d", humans=3), "humans"),
        (lambda: unisono.prevalence(RATINGS, "d", humans=["nobody"]), "humans"),
        (lambda: unisono.compare_groups(CORPUS, ["a", "b"]), "groups"),
        (lambda: unisono.compare_groups(CORPUS, {"x": 3, "y": 4}), "groups"),
        (lambda: shuffle(CORPUS, "category", "high", annotator="a"), "magnitude"),
        (lambda: shuffle(CORPUS, "category", None, annotator="a"), "magnitude"),
        (lambda: shuffle(CORPUS, 3, 0.5, annotator="a"), "errors"),
        (lambda: shuffle(CORPUS, "magic", 0.5, annotator="a"), "errors"),
        (lambda: shuffle(CORPUS, "category", 0.5, annotator=3), "annotator"),
        (lambda: reference_of(CORPUS, 3), "annotator"),
        (lambda: benchmark(CORPUS, 3, annotator="a"), "measures"),
        (lambda: benchmark(CORPUS, errors=3, annotator="a"), "errors"),
        (lambda: benchmark(CORPUS, magnitudes=0.5, annotator="a"), "magnitudes"),
        (lambda: benchmark(CORPUS, magnitudes=["x"], annotator="a"), "magnitudes"),
        (lambda: benchmark(CORPUS, repetitions=1.5, annotator="a"), "repetitions"),
        (lambda: benchmark(CORPUS, workers=1.5, annotator="a"), "workers"),
        (lambda: ladder(CORPUS, 3), "measure"),
        (lambda: ladder(CORPUS, errors=3), "errors"),
        (lambda: ladder(CORPUS, repetitions="x"), "repetitions"),
        (lambda: ladder(CORPUS, workers="x"), "workers"),
        (lambda: generate(n_units=2.5), "n_units"),
        (lambda: generate(n_documents="x"), "n_documents"),
        (lambda: generate(overlap="x"), "overlap"),
        (lambda: generate(categories=None), "categories"),
        (lambda: generate(categories=2.5), "categories"),
        (lambda: generate(categories={"A": "x"}), "categories"),
        (lambda: generate(length="x"), "length"),
        (lambda: generate(length=(1, 2, 3)), "length"),
        (lambda: generate(length={"A": None}, categories=["A"]), "length"),
        (lambda: generate(gap=None), "gap"),
        (lambda: generate(rng="x"), "rng"),
        (lambda: study(3, {"first": CORPUS}), "title"),
        (lambda: study("title", 3), "guidelines"),
        (lambda: study("title", [CORPUS]), "guidelines"),
        (lambda: study("title", {"first": CORPUS}, 3), "measure"),
        (lambda: Guideline(3, CORPUS), "name"),
        (lambda: Guideline("first", 3), "corpus"),
        (lambda: Guideline("first", CORPUS, 3), "groups"),
        (lambda: Guideline("first", CORPUS, {"x": 3}), "groups"),
        (lambda: read_study(None), "path"),
        (lambda: read_study(3), "path"),
        (lambda: read_study(Path("."), bad=3), "bad"),
        (lambda: read_study(Path("."), progress="x"), "progress"),
    ],
)
def test_other_wrong_options_are_named(call, parameter):
    with pytest.raises(OptionError) as caught:
        call()
    assert caught.value.parameter == parameter
