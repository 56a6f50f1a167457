"""Units written as IOB columns and as spaCy's DocBin, which hold the work of one annotator."""

from __future__ import annotations

import random

import pytest
from commands import run
from hypothesis import given, settings
from hypothesis import strategies as st

import unisono
from unisono.errors import DataError

TEXT = "Anna Lee met\nBert's dog."


def corpus_of(units, text=TEXT, **more):
    start, end, label = zip(*units, strict=True)
    return unisono.Corpus.from_columns(
        document=["d"] * len(units),
        annotator=["anna"] * len(units),
        start=start,
        end=end,
        features={"category": label},
        texts={("d", "anna"): text},
        **more,
    )


def units(corpus):
    return [(one.start, one.end, one.category) for document in corpus for one in document.units]


def test_chunks(tmp_path):
    corpus = corpus_of([(0, 8, "PER"), (13, 17, "PER"), (17, 19, "PER"), (20, 22, "a b")])
    said = unisono.write(corpus, tmp_path / "out.conll")
    assert (tmp_path / "out.conll").read_text(encoding="utf-8") == (
        "Anna\tB-PER\nLee\tI-PER\nmet\tO\n\nBert\tB-PER\n'\tB-PER\ns\tI-PER\ndo\tB-a_b\ng\tO\n.\tO\n"
    )
    assert said == ["what is between tokens is not in the file: when it is read, tokens are joined by spaces"]
    back = unisono.read(tmp_path / "out.conll")
    assert [(back.documents, label) for *_, label in units(back)] == [
        (("out",), label) for label in ("PER", "PER", "PER", "a_b")
    ]


def test_overlap_and_several_annotators_are_rejected(tmp_path):
    with pytest.raises(DataError, match=r"the units 0–8 \(PER\) and 5–12 \(x\) overlap, which IOB cannot hold"):
        unisono.write(corpus_of([(0, 8, "PER"), (5, 12, "x")]), tmp_path / "out.conll")
    assert not (tmp_path / "out.conll").exists()
    done = run("demo", "-o", tmp_path / "demo.html")
    assert done.returncode == 0
    two = unisono.Corpus.from_columns(
        annotator=["a", "b"], start=[0, 0], end=[1, 1], texts={("document", "a"): "x", ("document", "b"): "x"}
    )
    with pytest.raises(DataError, match="IOB holds the work of one annotator, and there are 2"):
        unisono.write(two, tmp_path / "out.conll")


@settings(max_examples=40)
@given(text=st.text(alphabet="ab c.\n 🙂\t", max_size=25), seed=st.integers(0, 10**6), overlap=st.booleans())
def test_docbin_keeps_text_and_units(text, seed, overlap, tmp_path_factory):
    pytest.importorskip("spacy", reason="writes and reads with spaCy, in the extra spacy")
    rng, text = random.Random(seed), f"x{text}y"
    places = sorted(rng.sample(range(len(text) + 1), 2))
    wanted = [(*places, "A")]
    if overlap:
        wanted.append((0, len(text), "B"))
    corpus = corpus_of(wanted, text)
    path = tmp_path_factory.mktemp("docbin") / "out.spacy"
    unisono.write(corpus, path)
    back = unisono.read(path)
    assert [document.text for document in back] == [text]
    assert sorted(units(back)) == sorted(wanted)


def test_spacy_reads_entities(tmp_path):
    spacy = pytest.importorskip("spacy", reason="writes and reads with spaCy, in the extra spacy")
    unisono.write(corpus_of([(0, 8, "PER"), (13, 17, "PER")]), tmp_path / "out.spacy")
    (doc,) = spacy.tokens.DocBin().from_disk(tmp_path / "out.spacy").get_docs(spacy.blank("xx").vocab)
    assert doc.text == TEXT
    assert [(one.text, one.label_) for one in doc.ents] == [("Anna Lee", "PER"), ("Bert", "PER")]


def test_layers_are_groups_of_spans(tmp_path):
    pytest.importorskip("spacy", reason="writes and reads with spaCy, in the extra spacy")
    corpus = unisono.Corpus.from_columns(
        annotator=["anna"] * 3,
        start=[0, 5, 5],
        end=[8, 8, 5],
        features={"type": ["ner", "pos", "pos"], "category": ["PER", "N", "x"]},
        texts={("document", "anna"): TEXT},
    )
    said = unisono.write(corpus, tmp_path / "out.spacy")
    assert "1 unit without length, for which a DocBin has no place, not written" in said
    back = unisono.read(tmp_path / "out.spacy")
    found = [(one.features["type"], one.start, one.end, one.category) for document in back for one in document.units]
    assert sorted(found) == [("ner", 0, 8, "PER"), ("pos", 5, 8, "N")]
