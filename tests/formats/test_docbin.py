from __future__ import annotations

import builtins
import gc
import io
import tempfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from format_helpers import refusal, rows
from hypothesis import given, settings
from hypothesis import strategies as st
from mangled import data_or_refusal, mangled

import unisono
from unisono.data import Export
from unisono.formats import read

spacy = pytest.importorskip("spacy", reason="spaCy writes what is read here")
srsly = pytest.importorskip("srsly", reason="comes with spaCy")
tokens = pytest.importorskip("spacy.tokens", reason="comes with spaCy")

NLP = spacy.blank("en")


def example():
    doc = NLP("😀 Anna sees Bert in New York.")
    doc.ents = [
        tokens.Span(doc, 1, 2, label="PER", kb_id="Q1"),
        tokens.Span(doc, 3, 4, label="PER"),
        tokens.Span(doc, 5, 7, label="LOC", span_id="ny"),
    ]
    doc.spans["sc"] = [tokens.Span(doc, 0, 3, label="A"), tokens.Span(doc, 1, 2, label="B"), tokens.Span(doc, 1, 2)]
    doc.spans["none"] = []
    return doc


def packed(*docs, **options):
    return tokens.DocBin(docs=docs, **options).to_bytes()


def message(content):
    return srsly.msgpack_loads(zlib.decompress(content))


def repacked(content, **changed):
    return zlib.compress(srsly.msgpack_dumps({**message(content), **changed}))


@pytest.fixture
def file(tmp_path):
    def make(content, name="text1.spacy"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        return path

    return make


def units(corpus, name):
    document = corpus[name]
    return sorted(
        (document.text[unit.start : unit.end], *(label or "" for label in unit.features.values()))
        for unit in document.units
    )


def test_entities_and_groups_of_spans(file):
    doc = example()
    corpus = read(file(packed(doc)))
    assert corpus.source == "spaCy DocBin · text1.spacy"
    assert (corpus.documents, corpus.annotators) == (("text1",), ("annotator",))
    assert corpus["text1"].text == doc.text
    assert list(corpus.features) == ["type", "category", "kb_id", "id"]
    assert units(corpus, "text1") == [
        ("Anna", "ents", "PER", "Q1", ""),
        ("Anna", "sc", "", "", ""),
        ("Anna", "sc", "B", "", ""),
        ("Bert", "ents", "PER", "", ""),
        ("New York", "ents", "LOC", "", "ny"),
        ("😀 Anna sees", "sc", "A", "", ""),
    ]
    assert corpus.tokens[0].tolist() == [[token.idx, token.idx + len(token)] for token in doc]


def test_documents_are_numbered_and_spaces_known_or_not(file):
    apart = tokens.Doc(NLP.vocab, words=["a", "b"])
    joined = tokens.Doc(NLP.vocab, words=["a", "b", "c"], spaces=[False, True, False])
    classified = NLP("")
    docs = [apart, joined, classified]
    classified.cats = {}
    corpus = read(file(packed(*docs)))
    assert corpus.documents == ("text1 1", "text1 2", "text1 3")
    assert [document.text for document in corpus] == [doc.text for doc in docs]
    assert corpus.dropped == {}


def of_cats(*scores, spans=False):
    docs = [example() if spans else NLP(f"Text {number}") for number in range(len(scores))]
    for doc, own in zip(docs, scores, strict=True):
        doc.cats = own
    return packed(*docs)


def answers(ratings):
    return {
        text: ratings.labels[code] if code >= 0 else None
        for text, (code,) in zip(ratings.texts, ratings.codes.tolist(), strict=True)
    }


@pytest.mark.parametrize(
    ("scores", "labels", "kind", "n_scored"),
    [
        ([{"A": 1.0, "B": 0.0}, {"A": 0, "B": 1}, {}], ["A", "B"], "names", 0),
        ([{"A": 1.0, "B": 1.0}, {"A": 1, "B": 0}, {"A": 0.0}], [("A", "B"), ("A",), ()], "sets", 0),
        ([{"A": 0.4, "B": 0.3, "C": 0.3}, {"A": 0.499, "B": 0.5}], ["A", "B"], "names", 2),
        ([{"A": 0.6, "B": 0.5, "C": 0.2}, {"A": 0.1, "B": 0.2}], [("A", "B"), ()], "sets", 2),
    ],
)
def test_categories(file, scores, labels, kind, n_scored):
    ratings = read(file(of_cats(*scores)))
    assert (ratings.question.name, ratings.question.kind) == ("cats", kind)
    assert list(answers(ratings).values()) == labels
    assert ratings.texts == tuple(f"Text {number}" for number in range(len(labels)))
    assert sum(ratings.dropped.values()) == n_scored


def test_categories_and_spans(file):
    export = read(file(of_cats({"A": 1.0}, {"A": 0.0}, spans=True)))
    assert isinstance(export, Export)
    assert export.units.n_units == 12
    ratings = export.questions["cats"]
    assert [ratings.labels[code] for (code,) in ratings.codes.tolist()] == [("A",), ()]
    assert ratings.texts == (example().text,) * 2


def test_items_are_the_same_text_whatever_else_files_have(tmp_path):
    """Numbers of texts would compare what anna says about one text with what bert says about another."""
    for who, chosen in {"anna": {"one": "A", "two": "B", "three": "A"}, "bert": {"two": "B", "three": "A"}}.items():
        docs = [NLP(text) for text in [*chosen, "three"]]
        for doc, label in zip(docs, [*chosen.values(), "B"], strict=True):
            doc.cats = {name: float(name == label) for name in "AB"}
        (tmp_path / f"{who}.spacy").write_bytes(packed(*docs))
    ratings = read(tmp_path)
    rows = {
        text: [ratings.labels[code] if code >= 0 else None for code in codes]
        for text, codes in zip(ratings.texts, ratings.codes.tolist(), strict=True)
    }
    assert rows == {"one": ["A", None], "two": ["B", "B"], "three": ["B", "B"]}  # the last of two that are the same
    assert unisono.percent_agreement(ratings).value == 1


@pytest.mark.parametrize("bad", [{"A": 2.0}, {"A": "x"}, ["A"], {"A": float("nan")}])
def test_bad_categories_are_one_bad_record(file, bad):
    content = of_cats({"A": 1.0}, {"B": 1.0})
    path = file(repacked(content, cats=[bad, {"B": 1.0}]))
    refusal(path, None, "document 1: ", "categor")
    told = []
    assert answers(read(path, bad=told.append)) == {"Text 1": "B"}
    assert len(told) == 1


def test_tokens_as_items(file):
    doc = tokens.Doc(
        NLP.vocab,
        words=["Dogs", "bark", "in", "York"],
        tags=["NNS", "VB", "", "NNP"],
        pos=["NOUN", "VERB", "ADP", "PROPN"],
        lemmas=["dog", "bark", "in", "York"],
        morphs=["Number=Plur", "", "", "B=1|A=2"],
        heads=[1, 1, 1, 2],
        deps=["nsubj", "ROOT", "prep", "pobj"],
        ents=["O", "O", "O", "B-LOC"],
    )
    path = file(packed(doc))
    export = read(path, units="tokens")
    found = {name: list(answers(ratings).values()) for name, ratings in export.questions.items()}
    assert found == {
        "tag": ["NNS", "VB", None, "NNP"],
        "lemma": ["dog", "bark", "in", "York"],
        "dep": ["nsubj", "ROOT", "prep", "pobj"],
        "pos": ["NOUN", "VERB", "ADP", "PROPN"],
        "morph": [("Number=Plur",), (), (), ("A=2", "B=1")],
        "ent": ["O", "O", "O", "B-LOC"],
        "head": ["2", "0", "2", "3"],
    }
    assert export.questions["tag"].items == ("1-1", "1-2", "1-3", "1-4")
    assert export.questions["tag"].texts == ("Dogs", "bark", "in", "York")
    content = message(packed(doc))
    table = np.frombuffer(content["tokens"], dtype="uint64").reshape(4, -1).copy()
    table[0, content["attrs"].index(spacy.attrs.POS)] = 7
    refusal(
        file(repacked(packed(doc), tokens=table.tobytes())),
        None,
        "number 7 stands for no part of speech",
        units="tokens",
    )
    table = np.frombuffer(content["tokens"], dtype="uint64").reshape(4, -1).copy()
    table[3, content["attrs"].index(spacy.attrs.HEAD)] = 1
    refusal(file(repacked(packed(doc), tokens=table.tobytes())), None, "head of token 4 is not within", units="tokens")
    file(packed(doc))
    plain = tokens.Doc(NLP.vocab, words=["a"])
    assert read(file(packed(plain, doc)), units="tokens").questions["tag"].documents == ("text1 1", "text1 2")


def test_entities_without_their_begins(file):
    doc = example()
    for attrs, expected in (
        (["ENT_TYPE"], ["Anna", "Bert", "New York"]),
        (["ENT_IOB", "ENT_TYPE"], ["Anna", "Bert", "New York"]),
        (["LEMMA"], []),
    ):
        content = repacked(packed(doc, attrs=attrs), span_groups=[b""])
        assert [unit[0] for unit in units(read(file(content)), "text1")] == expected


@pytest.mark.parametrize(
    ("codes", "expected"),
    [([3, 1, 3, 3], ["a b", "c", "d"]), ([1, 1, 2, 1], ["a b", "d"]), ([0, 3, 1, 0], ["b c"]), ([2, 2, 2, 2], [])],
)
def test_codes_of_entities(file, codes, expected):
    doc = tokens.Doc(NLP.vocab, words=list("abcd"))
    content = packed(doc, attrs=["ENT_IOB", "ENT_TYPE"])
    table = np.frombuffer(message(content)["tokens"], dtype="uint64").reshape(4, -1).copy()
    columns = message(content)["attrs"]
    table[:, columns.index(spacy.attrs.ENT_IOB)] = codes
    table[:, columns.index(spacy.attrs.ENT_TYPE)] = spacy.symbols.ORG
    strings = [*message(content)["strings"], "ORG"]
    corpus = read(file(repacked(content, tokens=table.tobytes(), strings=strings)))
    assert [unit[0] for unit in units(corpus, "text1")] == expected


def test_groups_as_earlier_versions_wrote_them(file):
    doc = example()
    content = repacked(packed(doc), span_groups=[srsly.msgpack_dumps([doc.spans["sc"].to_bytes()])])
    assert len(units(read(file(content)), "text1")) == 6
    without = {key: value for key, value in message(packed(doc)).items() if key != "span_groups"}
    assert len(units(read(file(zlib.compress(srsly.msgpack_dumps(without)))), "text1")) == 3


def test_a_folder_for_each_annotator(file, tmp_path):
    for name in ("anna", "bert"):
        file(packed(example()), f"{name}/text1.spacy")
    for corpus in (read(tmp_path), read(tmp_path, pattern="{annotator}/{document}.spacy")):
        assert (corpus.documents, corpus.annotators, corpus.n_units) == (("text1",), ("anna", "bert"), 12)


def test_user_data_is_not_unpacked(file):
    doc = example()
    doc.user_data["x"] = 1
    content = packed(doc, store_user_data=True)
    corpus = read(file(repacked(content, user_data=[b"\xc1 this is no msgpack, nor a pickle"])))
    assert rows(corpus) == rows(read(file(content)))


def test_without_spacy(file, monkeypatch):
    real = builtins.__import__

    def missing(name, *rest, **more):
        if name.partition(".")[0] in ("spacy", "srsly"):
            raise ImportError(name)
        return real(name, *rest, **more)

    path = file(packed(example()))
    monkeypatch.setattr(builtins, "__import__", missing)
    refusal(path, None, "pip install 'unisono[spacy]'")


def test_bombs(file):
    buffer = io.BytesIO()
    packing = zlib.compressobj(9)
    for _ in range(100):
        buffer.write(packing.compress(bytes(2**20)))
    buffer.write(packing.flush())
    refusal(file(buffer.getvalue()), None, "unpacks to more than 64 MB")


GOOD = packed(example())


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["empty"]),
        (GOOD[:-20], ["breaks off"]),
        (GOOD[:50] + b"xx" + GOOD[52:], ["damaged"]),
        (zlib.compress(b"\xc1"), ["not a DocBin"]),
        (zlib.compress(srsly.msgpack_dumps([1])), ["not a DocBin"]),
        (repacked(GOOD, lengths=np.array([7], dtype="int32").tobytes()), ["table of tokens"]),
        (repacked(GOOD, lengths=np.array([-1, 9], dtype="int32").tobytes()), ["table of tokens"]),
        (repacked(GOOD, tokens=message(GOOD)["tokens"][:-8]), ["table of tokens"]),
        (repacked(GOOD, span_groups=[b"", b""]), ["other documents"]),
        (repacked(GOOD, strings=[]), ["stands for no text"]),
        (repacked(GOOD, attrs=[2**63, *message(GOOD)["attrs"][1:]]), ["no tokens"]),
    ],
)
def test_what_is_refused(file, content, words):
    refusal(file(content), None, *words, format="docbin")
    assert gc.isenabled()


@pytest.mark.parametrize("place", [(5, 99), (-1, 3), (3, 3)])
def test_spans_outside(file, place):
    doc = example()
    group = srsly.msgpack_loads(doc.spans["sc"].to_bytes())
    group["spans"] = [spacy_span(*place)]
    groups = srsly.msgpack_dumps({srsly.msgpack_dumps(group): ["sc"]})
    refusal(file(repacked(packed(doc), span_groups=[groups])), None, "document 1: a span of 'sc' from token")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(-1, 9), st.integers(-1, 9), st.booleans()), max_size=6), st.booleans())
def test_a_bad_span_is_one_bad_record(spans, several):
    """spaCy writes empty spans; those, spans outside and unknown labels are skipped, and everything else is read."""
    doc = example()
    n_entities = len(doc.ents)
    group = srsly.msgpack_loads(doc.spans["sc"].to_bytes())
    group["spans"] = [spacy_span(first, last, 0 if known else 77) for first, last, known in spans]
    groups = srsly.msgpack_dumps({srsly.msgpack_dumps(group): ["sc"]})
    docs = [doc, example()] if several else [doc]
    none = [srsly.msgpack_dumps({})] * (len(docs) - 1)
    told = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "text1.spacy")
        path.write_bytes(repacked(packed(*docs), span_groups=[groups, *none]))
        corpus = read(path, bad=told.append)
    good = [span for span in spans if 0 <= span[0] < span[1] <= len(doc) and span[2]]
    assert corpus.n_units == n_entities * len(docs) + len(good)
    assert len(told) == len(spans) - len(good)
    assert all("document 1: " in str(error) for error in told)
    assert sum(corpus.dropped.values()) == len(told)


def test_a_document_whose_words_are_unknown_is_one_bad_record(file):
    content = packed(example(), tokens.Doc(NLP.vocab, words=["Zyx"]))
    strings = [text for text in message(content)["strings"] if text != "Zyx"]
    told = []
    corpus = read(file(repacked(content, strings=strings)), bad=told.append)
    assert corpus.documents == ("text1 1",)
    assert ["document 2: the number" in str(error) for error in told] == [True]


def spacy_span(first, last, label=0):
    return label.to_bytes(24, "big") + b"".join(
        number.to_bytes(4, "big", signed=True) for number in (first, last, 0, 0)
    )


def test_other_files_are_left_alone(file):
    assert read(file(b"x,annotator,start,end\n1,anna,0,3\n", "text1.csv")).source == "CSV · text1.csv"
    refusal(file(b"hello", "text1.txt"), None, "zlib", format="docbin")


@settings(max_examples=60, deadline=None)
@given(mangled(GOOD))
def test_mangled(content):
    data_or_refusal(content, "text1.spacy", format="docbin")


@settings(max_examples=60, deadline=None)
@given(mangled(zlib.decompress(GOOD), b"\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xc1", bytes(8)))
def test_mangled_within(content):
    data_or_refusal(zlib.compress(content, 1), "text1.spacy", format="docbin")
