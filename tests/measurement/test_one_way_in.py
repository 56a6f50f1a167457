"""Every measure takes whatever a user has, by function and by name, and gives what data from `unisono.read` gives."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import unisono
from unisono.data import Corpus, Normalizations, Ratings
from unisono.errors import DataError, OptionError, UnisonoError
from unisono.measurement.registry import measures

FAMILIES = {name: declared.family for name, declared in measures().items()}
RATINGS = [name for name, family in FAMILIES.items() if family == "ratings"]
SEGMENTATION = [name for name, family in FAMILIES.items() if family == "segmentation"]
UNITS_ONLY = [name for name, family in FAMILIES.items() if family in ("units", "texts")]

QUICK = {
    "gamma": {"precision": 0.2},
    "text-gamma": {"precision": 0.5, "p_text": 0.1, "p_segmentation": 0.1, "p_further": 0.0},
}
"""Options that make sampling short."""

every = pytest.mark.parametrize("name", FAMILIES)
but_masses = pytest.mark.parametrize("name", [name for name in FAMILIES if name not in SEGMENTATION])
"""The functions for segmentation still take lists and mappings for segment masses, with a warning."""
frames = pytest.mark.parametrize(
    "make_frame", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"]
)

TEXTS = {"d1": "deraltemangieng", "d2": "zurstatundkam"}
WORDS = {"d1": [3, 7, 10, 15], "d2": [3, 7, 10, 13]}
NORMS = {
    "anna": {"d1": ["der", "alte", "Mann", "ging"], "d2": ["zur", "Stadt", "und", "kam"]},
    "bert": {"d1": ["der", "alter", "Mann", "gieng"], "d2": ["zur", "Statt", "und", "kam"]},
}
LABELS = {"anna": {"d1": "1232", "d2": "1231"}, "bert": {"d1": "1332", "d2": "1121"}}
FREE = {"anna": WORDS, "bert": {"d1": [3, 8, 15], "d2": [2, 7, 13]}}

TABLE = {"anna": [1, 2, 3, 1, 2, 3, 1], "bert": [1, 2, 3, 1, 3, 3, 2]}
REWRITTEN = {
    "original": ["jn", "vnd", "gieng", "man"],
    "anna": ["in", "und", "ging", "man"],
    "bert": ["ihn", "und", "ging", "Mann"],
}


def columns_of(family):
    """Units as columns: all cut everything; for labels of items and for words, both annotators at the same places."""
    found = {name: [] for name in ("document", "annotator", "start", "end", "category", "norm")}
    for document in TEXTS:
        for who in ("anna", "bert"):
            ends = WORDS[document] if family in ("ratings", "normalization") else FREE[who][document]
            rows = {
                "document": [document] * len(ends),
                "annotator": [who] * len(ends),
                "start": [0, *ends[:-1]],
                "end": ends,
                "category": [int(label) for label in LABELS[who][document][: len(ends)]],
                "norm": NORMS[who][document][: len(ends)],
            }
            if family == "relations":  # each with the stretch before it
                rows["target_start"] = [0, 0, *ends[:-2]]
                rows["target_end"] = [ends[0], *ends[:-1]]
            for name, values in rows.items():
                found.setdefault(name, []).extend(values)
    return found


def corpus_of(family):
    """Units on texts, with a category and a normalized form: what every measure can use."""
    columns = columns_of(family)
    features = {name: columns.pop(name) for name in ("category", "norm")}
    if family == "relations":
        spans = [columns.pop(name) for name in ("start", "end", "target_start", "target_end")]
        columns["anchors"] = [[("source", a, b), ("target", c, d)] for a, b, c, d in zip(*spans, strict=True)]
    texts = {(document, who): text for document, text in TEXTS.items() for who in ("anna", "bert")}
    return Corpus.from_columns(**columns, features=features, texts=texts)


def calls(name):
    """Return both ways to measure: the function, and `unisono.measure` with the name."""
    function, options = getattr(unisono, name.replace("-", "_")), QUICK.get(name, {})
    spec = f"{name}({','.join(f'{key}={value}' for key, value in options.items())})" if options else name
    return partial(function, **options), partial(unisono.measure, spec)


def called(name, given, **more):
    """Measure by function and by name, which must come to the same: a result, or an error with its sentence."""
    found = []
    for call in calls(name):
        try:
            found.append(call(given, **more))
        except UnisonoError as error:
            found.append((type(error), str(error)))
    one, other = found
    assert one == other
    return one


def same(name, given, data, **more):
    """Check that what a user passes gives what the data gives, which has a value."""
    return as_expected(called(name, given, **more), called(name, data))


def as_expected(found, expected):
    """Check that a result is the expected one, which has a value."""
    assert isinstance(found, unisono.Result), found
    assert found.value is not None, found.undefined
    assert found == expected
    return found.value


# units


@every
def test_paths_of_units(name, tmp_path):
    corpus = corpus_of(FAMILIES[name])
    file = tmp_path / "all.jsonl"
    unisono.write(corpus, file)
    folder = tmp_path / "texts"
    folder.mkdir()
    several = [folder / f"{document}.jsonl" for document in corpus.documents]
    for document, path in zip(corpus.documents, several, strict=True):
        unisono.write(corpus.select(documents=[document]), path)
    data = unisono.read(file)
    assert data == corpus
    forms = [file, str(file), [file], folder, str(folder), several, tuple(map(str, several))]
    expected = called(name, data)
    assert len({as_expected(called(name, form), expected) for form in forms}) == 1


@every
@frames
def test_frames_of_units(name, make_frame):
    """A frame has no texts, without which there are no corrections and no words."""
    family = FAMILIES[name]
    frame = make_frame(columns_of(family))
    data = unisono.from_frame(frame)
    if family in ("texts", "normalization"):
        error, sentence = called(name, frame)
        assert (error, sentence) == called(name, data)
        assert error is DataError
        assert "no text" in sentence
        return
    value = same(name, frame, data)
    assert value == pytest.approx(called(name, corpus_of(family)).value)


@every
def test_tables_of_units_in_files(name, tmp_path):
    family = FAMILIES[name]
    columns = columns_of(family)
    whole = tmp_path / "units.csv"
    pd.DataFrame(columns).to_csv(whole, index=False)
    several = []
    for document in TEXTS:
        several.append(tmp_path / f"{document}.csv")
        rows = pd.DataFrame(columns)
        rows[rows["document"] == document].to_csv(several[-1], index=False)
    for form in (str(whole), whole, several):
        data = unisono.read(form)
        assert data == unisono.read(whole)
        if family in ("texts", "normalization"):
            assert called(name, form) == called(name, data)
        else:
            same(name, form, data)


# labels of items


@pytest.fixture(scope="module")
def ratings_forms(tmp_path_factory):
    """What users pass who have labels of items, and how it is read."""
    folder = tmp_path_factory.mktemp("ratings")
    wide, first, second = folder / "wide.csv", folder / "first.csv", folder / "second.csv"
    pd.DataFrame(TABLE).to_csv(wide, index=False)
    items = [f"i{k}" for k in range(7)]
    labels = [label for column in TABLE.values() for label in column]
    long = pd.DataFrame({"item": items * 2, "annotator": ["anna"] * 7 + ["bert"] * 7, "label": labels, "document": "d"})
    long[:7].to_csv(first, index=False)
    long[7:].to_csv(second, index=False)
    rows = np.array(list(TABLE.values()))
    bare = Ratings.of(rows, rows="annotators")
    return {
        "str": (str(wide), {}, unisono.read(wide)),
        "Path": (wide, {}, unisono.read(wide)),
        "list of paths": ([str(first), second], {}, unisono.read([first, second])),
        "pandas": (pd.DataFrame(TABLE), {}, unisono.from_frame(pd.DataFrame(TABLE))),
        "polars": (pl.DataFrame(TABLE), {}, unisono.from_frame(pl.DataFrame(TABLE))),
        "pyarrow": (pa.table(TABLE), {}, unisono.from_frame(pa.table(TABLE))),
        "long frame": (long, {}, unisono.from_frame(long)),
        "Ratings": (bare, {}, bare),
        "mapping": (TABLE, {}, Ratings.from_annotators(TABLE)),
        "mapping of arrays": ({who: np.array(labels) for who, labels in TABLE.items()}, {}, Ratings.of(TABLE)),
        "array, rows are items": (rows.T, {"rows": "items"}, bare),
        "array, rows are annotators": (rows, {"rows": "annotators"}, bare),
        "lists, rows are items": (rows.T.tolist(), {"rows": "items"}, bare),
        "lists, rows are annotators": (rows.tolist(), {"rows": "annotators"}, bare),
        "tuples": (tuple(map(tuple, rows)), {"rows": "annotators"}, bare),
        "array with missing labels": (np.ma.masked_array(rows), {"rows": "annotators"}, bare),
        "frame without names": (pd.DataFrame(rows), {"rows": "annotators"}, bare),
    }


FORMS = [
    "str",
    "Path",
    "list of paths",
    "pandas",
    "polars",
    "pyarrow",
    "long frame",
    "Ratings",
    "mapping",
    "mapping of arrays",
    "array, rows are items",
    "array, rows are annotators",
    "lists, rows are items",
    "lists, rows are annotators",
    "tuples",
    "array with missing labels",
    "frame without names",
]


def test_all_forms_of_labels_are_tested(ratings_forms):
    assert list(ratings_forms) == FORMS


@pytest.mark.parametrize("name", RATINGS)
def test_labels_of_items(name, ratings_forms):
    expected = called(name, TABLE).value
    for form, (given, more, data) in ratings_forms.items():
        assert same(name, given, data, **more) == pytest.approx(expected), form


@pytest.mark.parametrize(
    ("family", "form"),
    [
        (family, form)
        for family in ("units", "texts", "segmentation", "normalization")
        for form in FORMS
        if family != "segmentation" or "mapping" not in form  # which is still taken for segment masses
    ],
)
def test_measures_of_the_same_needs_reject_labels_in_the_same_words(family, form, ratings_forms):
    given, more, data = ratings_forms[form]
    names = [name for name in FAMILIES if FAMILIES[name] == family]
    found = {called(name, given, **more) for name in names}
    assert found == {called(name, data) for name in names}
    assert len(found) == 1, found
    ((error, sentence),) = found
    assert error is DataError
    assert "these are labels of " in sentence


@pytest.mark.parametrize("form", ["str", "pandas", "Ratings", "array, rows are items"])
def test_measures_of_units_say_what_to_use_for_labels(form, ratings_forms):
    given, more, _ = ratings_forms[form]
    sentence = "units with a start and an end are needed, but these are labels of given items; use krippendorff-alpha"
    assert {called(name, given, **more) for name in UNITS_ONLY} == {(DataError, sentence)}


# words that annotators rewrote


def words_forms(folder):
    """What users pass who have words, and how it is read."""
    path = folder / "words.csv"
    pd.DataFrame(REWRITTEN).to_csv(path, index=False)
    data = Normalizations.of(REWRITTEN)
    made = [make(REWRITTEN) for make in (pd.DataFrame, pl.DataFrame, pa.table)]
    return [
        *((form, unisono.read(path)) for form in (str(path), path, [path])),
        *((frame, unisono.from_frame(frame)) for frame in made),
        (data, data),
    ]


def test_rewritten_words(tmp_path):
    forms = [*words_forms(tmp_path), (REWRITTEN, Normalizations.of(REWRITTEN))]
    assert len({same("normalization", form, data) for form, data in forms}) == 1


def test_all_other_measures_reject_rewritten_words_in_the_same_words(tmp_path):
    others = [name for name in FAMILIES if FAMILIES[name] != "normalization"]
    found = {called(name, form) for form, _ in words_forms(tmp_path) for name in others}
    assert len(found) == 1, found
    ((error, sentence),) = found
    assert error is DataError
    assert sentence.endswith("use normalization")


# what is no data, or ambiguous


NO_DATA = [
    (None, "None"),
    (3, "int"),
    (3.5, "float"),
    (True, "True"),
    ([], "an empty list"),
    (b"units.csv", "bytes"),
    (np.array([1, 2, 3]), "an array of 1 dimensions"),
    (np.array(["x", "y"]), "an array of 1 dimensions"),
    (np.zeros((2, 2, 2)), "an array of 3 dimensions"),
    (pd.Series([1, 2]), "Series"),
    (object(), "object"),
]


@every
def test_what_is_no_data(name):
    parameters = ("corpus" if name in ("gamma", "text-gamma") else "data", "data")
    for wrong, shown in NO_DATA:
        sentence = (
            "expected a path, a data frame, what unisono.read gives, annotators with their labels "
            f"({{'anna': [...], 'bert': [...]}}), or a table of labels, not {shown}"
        )
        for call, parameter in zip(calls(name), parameters, strict=True):
            with pytest.raises(OptionError) as caught:
                call(wrong)
            assert (str(caught.value), caught.value.parameter) == (f"{parameter}: {sentence}", parameter)


@but_masses
def test_lists_that_are_no_tables(name):
    for wrong in ([1, 2], [None], [["x"], 3]):
        error, sentence = called_without_parameter(name, wrong)
        assert error is OptionError
        assert sentence.endswith("or a table of labels, not list")


@but_masses
def test_annotators_without_lists_of_labels(name):
    for wrong, shown in (("xy", "str"), (3, "int"), (None, "None"), ({"i": "x"}, "dict")):
        error, sentence = called_without_parameter(name, {"anna": wrong, "bert": wrong})
        assert error is OptionError
        assert sentence.startswith("expected annotators with a list of labels each")
        assert sentence.endswith(f"'anna' has {shown}")


def called_without_parameter(name, given):
    """Return the error without the parameter's name, which is that of the function or of `measure`."""
    found = set()
    for call in calls(name):
        with pytest.raises(UnisonoError) as caught:
            call(given)
        parameter, _, sentence = str(caught.value).partition(": ")
        assert parameter == getattr(caught.value, "parameter", None)
        found.add((type(caught.value), sentence))
    (one,) = found
    return one


@every
def test_files_that_are_not_there(name, tmp_path):
    missing = tmp_path / "nowhere.csv"
    for form in (missing, str(missing), [missing]):
        error, sentence = called(name, form)
        assert error is DataError
        assert sentence == f"{missing}: there is no such file; check the path"


@pytest.mark.parametrize("name", ["gamma", "cohen-kappa", "pk", "span-f1", "normalization"])
def test_frames_that_are_not_collected(name):
    lazy = pl.DataFrame(columns_of("units")).lazy()
    error, sentence = called_without_parameter(name, lazy)
    assert error is OptionError
    assert "polars.LazyFrame" in sentence


@every
def test_a_bare_table_is_ambiguous(name):
    table = np.array([[1, 2], [1, 1]])
    for form in (table, table.tolist(), [("x", "y"), ("x", "x")]):
        if name in SEGMENTATION and form is not table:
            continue  # which is still taken for segment masses
        assert called(name, form) == (
            OptionError,
            "rows: a bare table is ambiguous; pass rows='items' if each row is an item, or rows='annotators' if each "
            "row is an annotator",
        )


@every
def test_rows_that_are_neither_items_nor_annotators(name):
    for wrong in ("columns", "", 3, True, ["items"]):
        error, sentence = called(name, [[1, 2], [1, 1]], rows=wrong)
        assert error is OptionError
        assert sentence == f"rows: expected items or annotators, not {wrong!r}"


@every
def test_rows_are_only_of_bare_tables(name, tmp_path):
    path = tmp_path / "units.jsonl"
    corpus = corpus_of(FAMILIES[name])
    unisono.write(corpus, path)
    for form in (path, corpus, TABLE, Ratings.of(TABLE), Normalizations.of(REWRITTEN)):
        assert called(name, form, rows="items") == (
            OptionError,
            "rows: applies only to bare tables (arrays and lists of lists); leave it out here",
        )
