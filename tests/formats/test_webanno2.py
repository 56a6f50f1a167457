from __future__ import annotations

import pytest
from format_helpers import refusal
from hypothesis import given, settings
from mangled import data_or_refusal, mangled

from unisono.formats import read

NER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
POS = "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS"
DEPENDENCY = "de.tudarmstadt.ukp.dkpro.core.api.syntax.type.dependency.Dependency"


def tsv(layers, *rows):
    """Rows with columns between spaces; rows that begin with # and empty ones stay."""
    header = "".join(f" # {layer}" for layer in layers)
    lines = [row if row.startswith("#") or not row else "\t".join(row.split()) + "\t" for row in rows]
    return "\n".join([header, *lines, ""])


PEOPLE = tsv(
    [f"{POS} | PosValue", f"{NER} | value | link", f"{DEPENDENCY} | kind | AttachTo={POS}"],
    "#id=1",
    "#text=Ms. Haag  likes Bob.",
    f"1-1 Ms. NNP B-PER|B-TITLE B-Q1|B-{NER}_ nn 1-2",
    "1-2 Haag NNP I-PER I-Q1 nsubj|dep 1-3|1-1",
    "1-3 likes VBZ O O _ _",
    f"1-4 Bob NNP B-PER B-{NER}_ dobj 1-3",
    "1-5 . . O O _ _",
    "",
    "#id=2",
    "#text=New York",
    "2-1 New _ B-LOC|B-A B-x|B-y _ _",
    "2-2 York NNP|X O-_|I-A O-_|I-y _ _",
)


@pytest.fixture
def file(tmp_path):
    def make(content, name="text1.tsv"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def units(corpus):
    document = corpus["text1"]
    return [
        (document.text[unit.start : unit.end], *(label for label in unit.features.values() if label is not None))
        for unit in document.units
    ]


@pytest.mark.parametrize("change", [("\n", "\n"), ("\n", "\r\n"), (" # de.", "\ufeff # de.")])
def test_layers_of_one_and_of_several_tokens(file, change):
    corpus = read(file(PEOPLE.replace(*change, -1 if change[0] == "\n" else 1)))
    assert corpus.source == "WebAnno TSV 2 · text1.tsv"
    assert (corpus.documents, corpus.annotators) == (("text1",), ("annotator",))
    assert corpus["text1"].text == "Ms. Haag  likes Bob.\nNew York"
    assert sorted(units(corpus)) == sorted(
        [
            ("Ms.", "POS", "NNP"),
            ("Ms. Haag", "NamedEntity", "PER", "Q1"),
            ("Ms.", "NamedEntity", "TITLE"),
            ("Haag", "POS", "NNP"),
            ("likes", "POS", "VBZ"),
            ("Bob", "POS", "NNP"),
            ("Bob", "NamedEntity", "PER"),
            (".", "POS", "."),
            ("New", "NamedEntity", "LOC", "x"),
            ("New York", "NamedEntity", "A", "y"),
            ("York", "POS", "NNP"),
            ("York", "POS", "X"),
        ]
    )
    tokens = [corpus["text1"].text[start:end] for start, end in corpus.tokens[0]]
    assert tokens == ["Ms.", "Haag", "likes", "Bob", ".", "New", "York"]
    assert (corpus.dropped, corpus.others) == ({}, {"relations": {"Dependency": 4}})


def test_neighbours_are_two_annotations(file):
    rows = ["#id=1", "#text=a b c", "1-1 a B-X", "1-2 b B-X", "1-3 c I-X"]
    assert units(read(file(tsv(["my.Layer | value"], *rows)))) == [("a", "Layer", "X"), ("b c", "Layer", "X")]


def test_two_layers_of_one_short_name(file):
    rows = ["#id=1", "#text=a", "1-1 a X Y"]
    assert units(read(file(tsv(["one.Layer | value", "two.Layer | value"], *rows)))) == [
        ("a", "one.Layer", "X"),
        ("a", "two.Layer", "Y"),
    ]


@pytest.mark.parametrize("text", ["a", "a c", "a b c", "x a b", "a b and more"])
def test_texts_that_do_not_fit_their_tokens(file, text):
    """WebAnno itself wrote texts that break off at a line break."""
    corpus = read(file(tsv(["my.Layer | value"], "#id=1", f"#text={text}", "and more", "1-1 a X", "1-2 b Y")))
    assert corpus["text1"].text == "a b"
    assert units(corpus) == [("a", "Layer", "X"), ("b", "Layer", "Y")]
    assert corpus.dropped == {"sentences whose #text= is not made of their tokens, put together from these": 1}


def test_two_annotators(file, tmp_path):
    for who in ("anna", "bert"):
        file(PEOPLE if who == "anna" else PEOPLE.replace("B-LOC", "B-ORG"), f"{who}/text1.tsv")
    corpus = read(tmp_path)
    assert (corpus.documents, corpus.annotators, corpus.n_units) == (("text1",), ("anna", "bert"), 24)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("likes\tVBZ\tO\tO\t_\t_\t", "likes\tVBZ\tO\tO\t_", 6, ["the line has 6 columns, not the 7"]),
        ("1-3\tlikes", "1-3\t", 6, ["no token"]),
        ("Bob\tNNP\tB-PER", "Bob\tNNP\tI-PER", 7, ["annotation of", "NamedEntity continues (I-) where none has begun"]),
        ("I-PER\tI-Q1", "I-PER\tB-Q1", 5, ["begins in one column and continues in another"]),
    ],
)
def test_bad_rows(file, old, new, line, words):
    assert old in PEOPLE
    refusal(file(PEOPLE.replace(old, new)), line, *words)


def test_without_layers(file):
    path = file("#id=1\n#text=a\n1-1\ta\t\n")
    refusal(path, 3, "no line with layers", format="webanno2")
    refusal(file("nothing\n"), 1, "line of layers", format="webanno2")


def test_nothing_annotated(file):
    corpus = read(file(tsv(["my.Layer | value"], "#id=1", "#text=a b", "1-1 a O", "1-2 b _")))
    assert (corpus.n_units, corpus.worked.tolist()) == (0, [[True]])


@settings(max_examples=60, deadline=None)
@given(mangled(PEOPLE.encode(), b"#text=", b"1-1\t", b"|", b"B-", b"I-", b"O-_", b"AttachTo="))
def test_mangled(content):
    data_or_refusal(content, "text1.tsv", format="webanno2")
