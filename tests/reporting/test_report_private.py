"""What a report with hidden text must not say: no sentence and no label may quote it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from commands import run
from report_pages import measured

import unisono
from unisono.data import Corpus, Normalizations, Ratings
from unisono.measurement.completing import Measured
from unisono.preparation import prepare
from unisono.reporting.full_report.full_page import report_page
from unisono.reporting.full_report.hidden_text import LEFT_OUT, MOST_NAMED, Names, names_of, without_text
from unisono.results import Table

TEXT = "the hats of Xanthippe are red and the umbrella is blue"
REASON = "the label 'secret7' is not a number; ordinal needs numbers"


def corpus_of(feature, text=TEXT):
    """Give every word of a text to two annotators, and a label made of the word."""
    rows, place = [], 0
    for index, word in enumerate(text.split()):
        rows.append((place, place + len(word), feature(word, index)))
        place += len(word) + 1
    return Corpus.from_columns(
        annotator=["a"] * len(rows) + ["b"] * len(rows),
        start=[row[0] for row in rows] * 2,
        end=[row[1] for row in rows] * 2,
        document=["d"] * 2 * len(rows),
        features={"category": [row[2] for row in rows] * 2},
        texts={("d", "a"): text, ("d", "b"): text},
    )


def test_reasons_quote_nothing():
    data = Ratings.from_annotators({who: [f"secret{k}" for k in range(60)] for who in "ab"})
    failed = Measured("krippendorff-alpha(distance=ordinal)", failed=REASON)
    told = measured("krippendorff-alpha", data, ladder=f"No ladder: {REASON}.")
    page = report_page([told, failed], data, title="T", hide_text=True)
    assert "secret" not in page
    assert page.count(LEFT_OUT) == 2
    assert "secret7" in report_page([told, failed], data, title="T")


@pytest.mark.parametrize("said", ["'secret' and 'Secret' are treated as different", "“secret” is no label"])
def test_remarks_that_quote_are_left_out(said):
    assert Names(True).sentence(said) == LEFT_OUT
    assert Names(False).sentence(said) == said


def test_remarks_that_quote_nothing_are_kept():
    said = "± 0.0123 standard error, 1,024 samples of chance (shift)"
    assert Names(True).sentence(said) == said
    assert Names(True).sentence("Note: labels are ignored.") == "Note: labels are ignored."
    assert Names(True).sentence("2 of 3 documents have no value: Xanthippe") == LEFT_OUT  # whatever is not known


def test_labels_that_look_alike_are_not_quoted():
    data = Ratings.from_annotators({"a": ["secret", "Secret", "x", "x"] * 5, "b": ["secret", "x", "x", "x"] * 5})
    remark = "are treated as different labels"
    assert remark in report_page([measured("krippendorff-alpha", data)], data, title="T")
    assert remark not in report_page([measured("krippendorff-alpha", data)], data, title="T", hide_text=True)


@pytest.mark.parametrize(
    "feature",
    [
        lambda word, index: word,
        lambda word, index: f"{word}CORR",
        lambda word, index: f"remark {index}",
        lambda word, index: word.upper() if index % 5 == 0 else "same",
        lambda word, index: word[::-1],
    ],
)
def test_features_that_could_be_text_are_numbered(feature):
    corpus = corpus_of(feature)
    names = names_of(corpus, hide=True)
    assert list(names.numbers) == ["category"]
    page = report_page([measured("span-f1", corpus)], corpus, title="T", hide_text=True)
    labels = {label for label in corpus.features["category"].labels if label != "same"}
    assert not [label for label in labels if f">{label}<" in page or f'"{label}"' in page]


def test_words_of_the_texts_are_no_names_of_categories():
    words = [f"word{k}" for k in range(12)]
    corpus = corpus_of(lambda word, index: words[(index + 1) % 12], " ".join(words * 4))
    assert list(names_of(corpus, hide=True).numbers) == ["category"]


def test_categories_keep_their_names():
    corpus = corpus_of(lambda word, index: ("NOUN", "VERB", "DET")[index % 3])
    assert names_of(corpus, hide=True).numbers == {}
    page = report_page([measured("span-f1", corpus)], corpus, title="T", hide_text=True)
    assert "NOUN" in page
    assert "Xanthippe" not in page


def test_tables_say_what_they_hold():
    names, labels, text = (Table(("x", "y"), [("a", 1)], holds=holds) for holds in ("names", "labels", "text"))
    every = [names, labels, text]
    assert without_text(every, Names(False)) == every
    assert without_text(every, Names(True, annotators=("a",))) == [names, labels]
    assert without_text(every, Names(True, {"label": {"a": 1}}, annotators=("a",))) == [names]
    assert without_text(every, Names(True, annotators=("b",))) == [labels]  # a name of something else
    remarks = Table(("annotator", "why"), [("a", "Xanthippe")], holds="names")
    assert without_text([remarks], Names(True, annotators=("a",))) == []
    documents = Table(("document", "F1"), [("Xanthippe", 0.5)], holds="names")
    (numbered,) = without_text([documents], Names(True, documents={"Xanthippe": "document 1"}))
    assert numbered.rows == [("document 1", 0.5)]
    many = Table(("x", "y"), [(str(k), k) for k in range(MOST_NAMED + 1)], holds="labels")
    assert without_text([many, Table(("x", "y"), [], holds="names")], Names(True)) == []
    assert Table(("x",), []).holds == "text"  # unless somebody says that it is safe


class Markers:
    """Words that occur nowhere else."""

    def __init__(self):
        self.made = []

    def __call__(self, what):
        self.made.append(f"qx{what}{len(self.made)}zq")
        return self.made[-1]

    def found_in(self, page):
        return sorted({word for word in self.made if word in page.casefold()})


def marked_units(mark, *, differing=False):
    """Make units in which every text, remark, document, file and reason has a marker, and categories have none."""
    rows, texts, origins = [], {}, {}
    for _ in range(3):
        document = mark("document")
        words = [mark("word") for _ in range(8)]
        for who in ("anna", "bert"):
            own = [mark("word") if differing and k == 3 and who == "bert" else word for k, word in enumerate(words)]
            texts[document, who] = " ".join(own)
            origins[document, who] = (f"/tmp/{mark('file')}.txt", 3)
            place = 0
            for k, word in enumerate(own):
                label = "NOUN" if (k + (who == "anna")) % 3 else "VERB"
                if (k, who) == (7, "anna"):
                    label = mark("odd label")  # free text among categories
                rows.append((document, who, place, place + len(word), label, mark("remark")))
                place += len(word) + 1
    columns = [list(column) for column in zip(*rows, strict=True)]
    return Corpus.from_columns(
        document=columns[0],
        annotator=columns[1],
        start=columns[2],
        end=columns[3],
        features={"category": columns[4], "remark": columns[5]},
        texts=texts,
        origins=origins,
        source=f"CSV · {mark('source')}.csv",
        dropped={f"units for which this does not hold: text != {mark('condition')}": 3},
    )


def marked_ratings(mark):
    labels = ["low", "mid", "high", "low", "mid", "high"] * 4
    other = [*labels[:-1], mark("odd label")]
    items, documents = [mark("item") for _ in labels], [mark("document") for _ in range(2)] * 12
    data = Ratings.from_annotators({"anna": labels, "bert": other}, items=items, document=sorted(documents))
    return replace(data, texts=tuple(mark("text of an item") for _ in items))


def marked_sets(mark):
    labels = [("low",), ("low", "high"), (), ("high",)] * 6
    return Ratings.from_annotators({"anna": labels, "bert": [*labels[:-1], ("low", mark("odd member"))]})


def marked_normalizations(mark):
    words = [mark("word") for _ in range(6)]
    return Normalizations.of({"original": words, "anna": words, "bert": [mark("word") for _ in words]})


def told(measure, data, mark):
    """Measure, and add a ladder and a failed measure whose reasons have markers."""
    found = measured(measure, data, ladder=f"No ladder: {mark('reason')} has no value.")
    failed = Measured(f"krippendorff-alpha(distance=ordinal({mark('parameter')},b))", failed=f"no {mark('reason')}")
    return [found, failed]


@pytest.mark.parametrize(
    ("made", "measure"),
    [
        (marked_units, "gamma(precision=0.3)"),
        (marked_units, "gamma(precision=0.3,chance=shift,features=[category,remark])"),
        (marked_units, "span-f1"),
        (marked_units, "u-alpha"),
        (marked_units, "discretized-alpha"),
        (lambda mark: marked_units(mark, differing=True), "text-gamma(precision=0.3)"),
        (lambda mark: prepare(marked_units(mark), positions="tokens", clean=["spaces"]), "gamma(precision=0.3)"),
        (lambda mark: prepare(marked_units(mark), where=f'text != "{mark("condition")}"'), "span-f1"),
        (marked_ratings, "krippendorff-alpha"),
        (marked_ratings, "percent-agreement"),
        (marked_sets, "krippendorff-alpha(distance=masi)"),
        (marked_normalizations, "normalization"),
    ],
)
def test_nothing_that_is_not_known_to_be_safe_is_in_the_page(made, measure):
    mark = Markers()
    data = made(mark)
    results = told(measure, data, mark)
    shown = report_page(results, data, title="T")
    assert mark.found_in(shown)
    page = report_page(results, data, title="T", hide_text=True)
    assert mark.found_in(page) == []
    assert "anna" in page
    if not isinstance(data, Normalizations):
        assert "document 1" in page
        assert ("NOUN" if isinstance(data, Corpus) else "low") in page


def test_neither_title_nor_files_name_what_is_hidden(tmp_path):
    mark = Markers()
    path = tmp_path / f"{mark('file')}.jsonl"
    unisono.write(marked_units(mark), path)
    for arguments in (("--ladder",), ("--where", f'text != "{mark("condition")}"')):
        done = run("report", path, "-m", "span-f1", *arguments, "--hide-text", "-o", tmp_path / "page.html", "--force")
        assert done.returncode == 0, done.stderr
        assert mark.found_in((tmp_path / "page.html").read_text(encoding="utf-8")) == []
    unisono.report(unisono.span_f1(unisono.read(path)), tmp_path / "python.html", hide_text=True)
    assert mark.found_in((tmp_path / "python.html").read_text(encoding="utf-8")) == []


def test_distances_name_no_labels_that_are_hidden():
    mark = Markers()
    data = marked_ratings(mark)
    odd = next(label for label in data.labels if label in mark.made)
    results = [measured(f"krippendorff-alpha(distance=ordinal(low,mid,high,{odd}))", data)]
    assert odd in report_page(results, data, title="T")
    assert mark.found_in(report_page(results, data, title="T", hide_text=True)) == []
    plain = [measured("krippendorff-alpha(distance=nominal)", data)]
    assert "distance = nominal" in report_page(plain, data, title="T", hide_text=True)


def test_texts_of_items_are_hidden_on_the_command_line(tmp_path):
    lines = [
        {
            "text": f"Xanthippe lost umbrella number {task}",
            "options": [{"id": "sad"}, {"id": "glad"}],
            "accept": [answer],
            "answer": "accept",
            "_input_hash": task,
            "_task_hash": task,
            "_session_id": f"set-{who}",
            "_view_id": "choice",
        }
        for task in range(6)
        for who, answer in (("anna", "sad"), ("bert", "sad" if task % 3 else "glad"))
    ]
    path, page = tmp_path / "answers.jsonl", tmp_path / "page.html"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    shown = run("report", path, "-o", page)
    assert shown.returncode == 0, shown.stderr
    assert "umbrella number 3" in page.read_text(encoding="utf-8")
    assert run("report", path, "-o", page, "--force", "--hide-text").returncode == 0
    hidden = page.read_text(encoding="utf-8")
    assert "umbrella" not in hidden
    assert "Xanthippe" not in hidden
    assert "glad" in hidden
