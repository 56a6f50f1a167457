"""Pages to look at, and data for them."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

import unisono
from unisono.data import Corpus, Normalizations, Ratings
from unisono.demo import demo_path
from unisono.measurement.completing import Measured
from unisono.reporting.full_report.full_page import report_page

HOSTILE = (
    "<script>window.hurt=1</script>",
    '"><img src=x onerror="window.hurt=1">',
    "</script><b>x",
    "a'b&amp;\u2028c",
)
SECRET = "Xanthippe's umbrella"


def measured(measure, data, *, subsets=False, **more):
    """Measure data for a page; few samples are enough to look at."""
    result = unisono.measure(measure, data)
    pairs, without = (result.pairwise(), result.leave_one_out()) if subsets else ((), ())
    return Measured(measure, result, pairs=pairs, without=without, subsets=subsets, **more)


def demo_page(**more):
    """Report the built-in data."""
    corpus = unisono.read(demo_path())
    return report_page([measured("gamma(precision=0.2)", corpus, subsets=True)], corpus, title="Demo", **more)


def large_corpus(n_units=2500, n_annotators=2, with_text=False):
    """Make annotators who mostly agree on thousands of units."""
    rng = np.random.default_rng(7)
    start = np.arange(n_units) * 12
    names, starts, ends, labels = [], [], [], []
    for who in range(n_annotators):
        shift = rng.integers(0, 3, n_units)
        names += [f"annotator {who}"] * n_units
        starts += (start + shift).tolist()
        ends += (start + shift + rng.integers(3, 9, n_units)).tolist()
        labels += [f"label {code}" for code in rng.integers(0, 10, n_units)]
    texts = {("long", f"annotator {who}"): "some words " * (n_units + 10) for who in range(n_annotators)}
    return Corpus.from_columns(
        annotator=names,
        start=starts,
        end=ends,
        document=["long"] * len(names),
        features={"category": labels},
        texts=texts if with_text else None,
    )


def large_page():
    """Report 5,000 units; the alignment is what takes place there, not the measure."""
    corpus = large_corpus(with_text=True)
    results = [measured("span-f1", corpus)]
    return report_page(results, corpus, title="Large", alignments=unisono.align(corpus))


def hostile_corpus():
    """Make a corpus whose names, labels and texts try to be markup."""
    script, image, end, signs = HOSTILE
    text = f"{script} and {image} and {end}"
    return Corpus.from_columns(
        annotator=[image, image, script, script],
        start=[0, 35, 0, 40],
        end=[10, 44, 12, 60],
        document=[end, end, end, end],
        features={"category": [script, image, end, signs]},
        texts={(end, image): text, (end, script): text},
        dropped={f"dropped {image}": 3},
    )


def hostile_page():
    """Report them."""
    corpus = hostile_corpus()
    return report_page([measured("gamma(precision=0.2)", corpus, subsets=True)], corpus, title=HOSTILE[0])


def ratings():
    """Make ratings of three annotators, one label missing."""
    return Ratings.from_annotators(
        {
            "anna": ["low", "mid", "high", "low", "mid", "low"],
            "bert": ["low", "mid", "high", "mid", "mid", "high"],
            "chris": ["low", "high", "high", None, "mid", "mid"],
        },
        items=[f"{SECRET} {k}" for k in range(6)],
    )


def ratings_page(**more):
    """Report ratings with two measures."""
    data = ratings()
    every = [measured(name, data, subsets=True) for name in ("krippendorff-alpha", "fleiss-kappa")]
    return report_page(every, data, title="Ratings", **more)


def edited_corpus():
    """Make two texts that differ."""
    texts = [f"the hats of {SECRET} are red", f"the hots of {SECRET} are read"]
    rows = [(who, text, *span) for who, text in zip("AB", texts, strict=True) for span in _words(text)]
    return Corpus.from_columns(
        annotator=[row[0] for row in rows],
        start=[row[2] for row in rows],
        end=[row[3] for row in rows],
        document=["d"] * len(rows),
        features={"pos": ["X" if row[0] == "A" else "Y" for row in rows]},
        texts={("d", who): text for who, text in zip("AB", texts, strict=True)},
    )


def edited_page(**more):
    """Report texts that annotators corrected."""
    corpus = edited_corpus()
    return report_page([measured("text-gamma(precision=0.2)", corpus)], corpus, title="Texts", **more)


def relations_corpus():
    """Make relations, one of whose targets differs, and an event in which an argument is missing."""
    text = "Anna met Bert and Cleo, and yesterday Acme bought Beta for ten million from Dora."
    at = {word: (text.index(word), text.index(word) + len(word)) for word in re.findall(r"\w+", text)}
    relation = [[("source", *at["Anna"]), ("target", *at[other])] for other in ("Bert", "Bert", "Cleo")]
    buyer, thing = ("buyer", *at["Acme"]), ("thing", *at["Beta"])
    event = [("trigger", *at["bought"]), buyer, thing]
    return Corpus.from_columns(
        annotator=["anna", "bert", "chris", "anna", "bert"],
        anchors=[*relation, event, event[:-1]],
        features={"category": ["met", "met", "met", "purchase", "purchase"]},
        texts={("document", who): text for who in ("anna", "bert", "chris")},
    )


def relations_page(**more):
    """Report relations."""
    corpus = relations_corpus()
    return report_page([measured("gamma(precision=0.2)", corpus)], corpus, title="Relations", **more)


def models_page(**more):
    """Report labels by people and models, of documents and items with names that must be hidden."""
    rng = np.random.default_rng(3)
    truth = rng.choice(["x", "y", "z"], 60)
    columns = {
        who: np.where(rng.random(60) < often, rng.choice(["x", "y", "z"], 60), truth).tolist()
        for who, often in (("anna", 0.2), ("bert", 0.3), ("gpt", 0.5), ("llama", 0.5))
    }
    data = Ratings.from_annotators(
        columns,
        items=[f"{SECRET} {n}" for n in range(60)],
        document=[f"{SECRET} {n // 20}" for n in range(60)],
    )
    compared = unisono.compare_models(data, ["gpt", "llama"])
    return report_page([measured("krippendorff-alpha", data)], data, title="Models", models=compared, **more)


def normalizations():
    """Make rewritten words."""
    return Normalizations.from_columns(
        token=[1, 1, 2, 2, 3, 3],
        original=["neme", "neme", "vnd", "vnd", SECRET, SECRET],
        annotator=["A", "B"] * 3,
        norm=["nehme", "nähme", "und", "und", SECRET, SECRET.upper()],
    )


def normalizations_page(**more):
    """Report rewritten words."""
    data = normalizations()
    return report_page([measured("normalization", data)], data, title="Words", **more)


def scales():
    """Make numbers as labels; two items have too few of them, and one item is far from agreement."""
    return Ratings.from_annotators(
        {
            "anna": [-2, 0, 10, 1, 0.25, None, -1, 9, None, 1],
            "bert": [-1, 0.5, 9, 1, 0.5, 2, -1, 10, None, 5],
            "chris": [-2, 0, None, 1, 0.25, None, -2, 10, None, 1],
        },
        items=[f"i{k}" for k in range(1, 11)],
    )


def scales_page():
    """Report them by a measure that knows how far numbers are apart."""
    data = scales()
    return report_page([measured("krippendorff-alpha(distance=interval)", data)], data, title="Scales")


def cuts_page():
    """Report where annotators cut a text."""
    text = "The ferry was late again. Nobody minded. The captain sang, and gulls came closer."
    ends = {"anna": [25, 40, 82], "bert": [25, 57, 82], "chris": [26, 82]}
    rows = [(who, begin, end) for who, some in ends.items() for begin, end in zip([0, *some], some, strict=False)]
    corpus = Corpus.from_columns(
        annotator=[row[0] for row in rows],
        start=[row[1] for row in rows],
        end=[row[2] for row in rows],
        document=["text"] * len(rows),
        texts={("text", who): text for who in ends},
    )
    return report_page([measured("boundary-similarity", corpus)], corpus, title="Cuts")


def odd_corpus():
    """Make texts whose letters are not one next to the other from left to right, and a label that is empty."""
    leftwards, accents = "שלום עולם, זהו English ועוד", "e\u0301te\u0301 👩\u200d👩\u200d👧 Rose fin"
    rows = [
        ("anna", "leftwards", 0, 4, "W"),
        ("bert", "leftwards", 0, 9, "W"),
        ("anna", "leftwards", 15, 18, "W"),
        ("bert", "leftwards", 15, 22, ""),
        ("anna", "accents", 0, 5, "W"),
        ("bert", "accents", 0, 5, "W"),
        ("anna", "accents", 12, 16, "W"),
        ("bert", "accents", 12, 16, "W"),
        ("anna", "accents", 20, 20, "X"),
        ("bert", "accents", 20, 20, "W"),
    ]
    texts = {"leftwards": leftwards, "accents": accents}
    return Corpus.from_columns(
        annotator=[row[0] for row in rows],
        document=[row[1] for row in rows],
        start=[row[2] for row in rows],
        end=[row[3] for row in rows],
        features={"category": [row[4] for row in rows]},
        texts={(name, who): text for name, text in texts.items() for who in ("anna", "bert")},
    )


def odd_page():
    """Report them."""
    corpus = odd_corpus()
    return report_page([measured("span-f1", corpus)], corpus, title="Odd", alignments=unisono.align(corpus))


def crowd_page():
    """Report labels of a crowd, one of the labels very long."""
    rng = np.random.default_rng(5)
    labels = ["a very long label " * 17, *(f"label number {k}" for k in range(14))]
    data = Ratings.from_annotators(
        {f"annotator number {who}": [labels[k] for k in rng.integers(0, 15, 40)] for who in range(12)}
    )
    return report_page([measured("krippendorff-alpha", data)], data, title="Crowd")


def _words(text):
    place = 0
    for word in text.split(" "):
        yield place, place + len(word)
        place += len(word) + 1


def texts_of_items():
    """Make names as labels, with texts that try to be markup, run from right to left, or are very long."""
    rng = np.random.default_rng(11)
    labels = [
        "anger",
        "joy",
        HOSTILE[0],
        "fear 😱👩\u200d👩\u200d👧",
        "שמחה",
        "a label that is far too long for its column",
        "sadness",
    ]
    said = [
        f"{HOSTILE[0]} {SECRET}",
        "שלום עולם, זהו משפט ארוך " * 3,
        "The ferry was late again, and nobody at the landing seemed to mind. " * 40,
        HOSTILE[2],
        "short 😀",
        "",
    ]
    columns = {
        who: [None if rng.random() < 0.1 else labels[k] for k in (base + (rng.random(60) < 0.3)) % len(labels)]
        for who in ("anna", HOSTILE[1], "a very long name of an annotator from a crowd", "דוד")
        for base in [rng.integers(0, len(labels), 60) if who == "דוד" else np.arange(60)]
    }
    data = Ratings.from_annotators(
        columns, items=[f"{HOSTILE[k % 4]} {k}" for k in range(60)], document=["first", "second"] * 30
    )
    return replace(data, texts=tuple(said[k % len(said)] for k in range(60)))


def said_page(**more):
    """Report them."""
    data = texts_of_items()
    return report_page([measured("krippendorff-alpha", data)], data, title="Said", **more)


def many_items():
    """Make numbers that three annotators gave to 20,000 items."""
    rng = np.random.default_rng(3)
    true = rng.normal(50, 15, 20_000)
    columns = {
        who: np.clip(np.round(true + shift + rng.normal(0, 6, 20_000)), 0, 100).astype(int).tolist()
        for who, shift in (("anna", 0.0), ("bert", 4.0), ("chris", -3.0))
    }
    return Ratings.from_annotators(columns)


def many_page():
    """Report them."""
    data = many_items()
    return report_page([measured("krippendorff-alpha(distance=interval)", data)], data, title="Many")


def sparse_page():
    """Report labels of a crowd of which few annotators see each item."""
    rng = np.random.default_rng(8)
    given = [rng.choice(40, 3, replace=False) for _ in range(30)]
    columns = {
        f"worker {who}": [str(rng.choice(["yes", "no"])) if who in some else None for some in given]
        for who in range(40)
    }
    data = Ratings.from_annotators(columns)
    return report_page([measured("krippendorff-alpha", data)], data, title="Sparse")


def sets_page(**more):
    """Report choices of several labels at once."""
    data = Ratings.from_annotators(
        {
            "anna": [("sport",), ("sport", "local"), (), ("politics", "economy", "local"), ("economy",)] * 4,
            "bert": [("sport",), ("local",), ("culture",), ("politics", "economy"), None] * 4,
        }
    )
    return report_page([measured("krippendorff-alpha(distance=masi)", data)], data, title="Sets", **more)
