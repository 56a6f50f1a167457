from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from format_helpers import contents, refusal
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.formats import read, write


def conllu(*lines):
    """Columns between spaces to columns between tabs; ~ is a space within a column."""
    return "".join(
        line + "\n" if line.startswith("#") else "\t".join(line.split()).replace("~", " ") + "\n" for line in lines
    )


BOOKS = conllu(
    "# sent_id = 1",
    "# text = They buy and sell books.",
    "1 They they PRON PRP Case=Nom|Number=Plur 2 nsubj 2:nsubj|4:nsubj _",
    "2 buy buy VERB VBP Number=Plur|Person=3 0 root 0:root Norm=buy",
    "3 and and CCONJ CC _ 4 cc 4:cc _",
    "4 sell sell VERB VBP _ 2 conj 0:root|2:conj _",
    "5 books book NOUN NNS Number=Plur 2 obj 2:obj|4:obj SpaceAfter=No|Norm=a\\sb\\pc\\\\s|Norm=x|Checked|Gloss=",
    "6 . . PUNCT . _ 2 punct 2:punct _",
    "",
)
CLUE = conllu(
    "# sent_id = 2",
    "1 I I PRON _ _ 2 nsubj _ _",
    "2 have have VERB _ _ 0 root _ SpaceAfter=No",
    "3 . . PUNCT _ _ 2 punct _ _",
    "",
)


@pytest.fixture
def file(tmp_path):
    def make(content, name="text1.conllu"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def forms(corpus, document=None):
    document = corpus[document or corpus.documents[0]]
    return [(document.text[unit.start : unit.end], unit.features.get("upos")) for unit in document.units]


def test_empty_nodes_are_counted(file):
    nodes = CLUE.replace("3\t.", "2.1\thad\t_\t_\t_\t_\t_\t_\t_\t_\n2.2\tit\t_\t_\t_\t_\t_\t_\t_\t_\n3\t.")
    corpus = read(file(BOOKS + nodes))
    assert corpus.dropped == {"empty nodes, which are not in the text": 2}


def test_words_are_units(file):
    corpus = read(file(BOOKS + CLUE))
    assert (corpus.documents, corpus.annotators) == (("text1",), ("annotator",))
    assert corpus.source == "CoNLL-U · text1.conllu"
    assert corpus["text1"].text == "They buy and sell books.\nI have."
    assert forms(corpus) == [
        ("They", "PRON"),
        ("buy", "VERB"),
        ("and", "CCONJ"),
        ("sell", "VERB"),
        ("books", "NOUN"),
        (".", "PUNCT"),
        ("I", "PRON"),
        ("have", "VERB"),
        (".", "PUNCT"),
    ]
    labels = {name: column.values()[:5] for name, column in corpus.features.items()}
    assert labels == {
        "type": ["token"] * 5,
        "lemma": ["they", "buy", "and", "sell", "book"],
        "upos": ["PRON", "VERB", "CCONJ", "VERB", "NOUN"],
        "xpos": ["PRP", "VBP", "CC", "VBP", "NNS"],
        "deprel": ["nsubj", "root", "cc", "conj", "obj"],
        "feats": [("Case=Nom", "Number=Plur"), ("Number=Plur", "Person=3"), None, None, ("Number=Plur",)],
        "Norm": [None, "buy", None, None, ("a b|c\\s", "x")],
        "Checked": [None, None, None, None, True],
    }


def test_text_from_the_comment_or_from_the_forms_is_the_same(file):
    without = BOOKS.replace("# text = They buy and sell books.\n", "")
    assert contents(read(file(without))) == contents(read(file(BOOKS)))


def test_the_comment_keeps_spaces_that_columns_cannot_tell(file):
    text = BOOKS.replace("# text = They buy and", "#text=They  buy\u00a0and ")
    corpus = read(file(text))
    assert corpus["text1"].text == "They  buy\u00a0and  sell books."
    assert forms(corpus) == forms(read(file(BOOKS)))


def test_multiword_tokens_and_empty_nodes(file):
    """The examples of the specification: vámonos al mar; fürs FBI; Sue likes coffee and Bill tea."""
    rows = (
        "1-2 vámonos _ _ _ _ _ _ _ Gloss=ignored",
        "1 vamos ir VERB _ _ 0 root _ _",
        "2 nos nosotros PRON _ _ 1 obj _ SpaceAfter=No",  # says nothing: the token counts
        "3-4 al _ _ _ _ _ _ _ _",
        "3 a a ADP _ _ 5 case _ _",
        "4 el el DET _ _ 5 det _ _",
        "5 mar mar NOUN _ _ 1 obl _ SpaceAfter=No",
        "5.1 vais ir VERB _ _ _ _ 1:conj _",
        "6-7 don't _ _ _ _ _ _ _ SpaceAfter=No",
        "6 do do AUX _ _ 1 aux _ _",
        "7 n't not PART _ _ 1 advmod _ _",
        "8 . . PUNCT _ _ 1 punct _ _",
    )
    corpus = read(file(conllu("0.1 y y CCONJ _ _ _ _ 1:cc _", *rows)))
    assert corpus["text1"].text == "vámonos al mardon't."
    expected = [
        ("vámonos", "PRON"),  # two words in one place, whose parts cannot be told apart
        ("vámonos", "VERB"),
        ("al", "ADP"),
        ("al", "DET"),
        ("mar", "NOUN"),
        ("do", "AUX"),
        ("n't", "PART"),
        (".", "PUNCT"),
    ]
    assert sorted(forms(corpus)) == sorted(expected)
    assert "Gloss" not in corpus.features
    assert contents(read(file(conllu("# text = vámonos al mardon't.", *rows)))) == contents(corpus)


def test_documents(file):
    content = "# newdoc id = a b\n" + BOOKS + "# newdoc\n" + CLUE + CLUE + "# newdoc id=c\n# newpar\n" + CLUE
    corpus = read(file(content))
    assert corpus.documents == ("a b", "text1 2", "c")
    assert [corpus[name].n_units for name in corpus.documents] == [6, 6, 3]
    assert corpus["text1 2"].text == "I have.\nI have."
    assert read(file(BOOKS + "# newdoc\n" + CLUE)).documents == ("text1", "text1 2")


def test_forms_and_lemmas_that_are_underscores(file):
    corpus = read(file(conllu("1 _ _ SYM _ _ 0 root _ _", "2 x _ X _ _ 1 dep _ _")))
    assert corpus["text1"].text == "_ x"
    assert corpus.features["lemma"].values() == ["_", None]


def test_words_with_spaces(file):
    corpus = read(
        file(conllu("# text = 20 000 km", "1 20~000 20~000 NUM _ _ 2 nummod _ _", "2 km km NOUN _ _ 0 root _ _"))
    )
    assert forms(corpus) == [("20 000", "NUM"), ("km", "NOUN")]


@pytest.mark.parametrize("change", [("\n", "\r\n"), ("# sent_id", "\ufeff# sent_id"), ("PRON", "PRON")])
def test_without_the_suffix(file, change):
    path = file(BOOKS.replace(*change), "text1.txt")
    corpus = read(path)
    assert corpus.source == "CoNLL-U · text1.txt"
    assert corpus.n_units == 6


def test_other_tables_are_left_alone(file):
    numbers = "\t".join("1234567890") + "\n"
    assert read(file("\t".join("abcdefghij") + "\n" + numbers, "r.tsv")).source == "TSV ratings · r.tsv"


def test_it_can_be_written_as_json_lines(file, tmp_path):
    corpus = read(file("# newdoc id = a\n" + BOOKS + "# newdoc id = b\n" + CLUE))
    write(corpus, tmp_path / "out.jsonl")
    assert contents(read(tmp_path / "out.jsonl")) == contents(corpus)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.text("aä𝄞#|\\=_ ", min_size=1).map(str.strip), st.booleans()), min_size=1), min_size=1
    )
)
def test_units_cover_their_forms(sentences):
    sentences = [[(form or "x", joined) for form, joined in words] for words in sentences]
    blocks = (
        "".join(
            f"{number}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{'SpaceAfter=No' if joined else '_'}\n"
            for number, (form, joined) in enumerate(words, start=1)
        )
        for words in sentences
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "text1.conllu")
        path.write_text("\n".join(blocks), encoding="utf-8", newline="")
        corpus = read(path)
    forms = [corpus["text1"].text[unit.start : unit.end] for unit in corpus["text1"].units]
    assert forms == [form for words in sentences for form, _ in words]


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (BOOKS.replace("\tcc\t4:cc", "\tcc"), 5, ["9 columns", "10", "tabs"]),
        (BOOKS.replace("\tcc\t", "\tcc\t\t"), 5, ["11 columns"]),
        (BOOKS.replace("\t", "  "), 3, ["1 columns", "tabs"]),
        (BOOKS.replace("3\tand", "x\tand"), 5, ["the ID 'x'", "1-2"]),
        (BOOKS.replace("3\tand", "4\tand"), 5, ["the ID is 4 where word 3 is expected"]),
        (BOOKS.rstrip("\n") + "\n" + CLUE.partition("\n")[2], 9, ["the ID is 1 where word 7", "an empty line"]),
        (BOOKS.rstrip("\n") + "\n# text = x\n", 9, ["text within a sentence", "an empty line"]),
        (conllu("1-3 a _ _ _ _ _ _ _ _", "1 a a X _ _ 0 root _ _"), 1, ["multiword token 1-3", "after word 1"]),
        (conllu("1-2 a _ _ _ _ _ _ _ _", "1-2 a _ _ _ _ _ _ _ _"), 2, ["the ID is 1-2 where word 1"]),
        (conllu("2-1 a _ _ _ _ _ _ _ _", "1 a a X _ _ 0 root _ _"), 1, ["the ID is 2-1 where word 1"]),
        (BOOKS.replace("sell books.", "sell bocks."), 7, ["the form 'books'", "comment on text", "remove the comment"]),
        (BOOKS.replace("books.", "books. And"), 1, ["goes on after the last word: 'And'"]),
        (BOOKS.replace("Norm=buy", "lemma=buy"), 4, ["MISC has 'lemma'", "rename"]),
        ("# newdoc id = a\n" + BOOKS + "# newdoc id = a\n" + CLUE, 11, ["'a' occurs twice"]),
        ("# global.columns = ID FORM UPOS\n1\ta\tX\n", 1, ["CoNLL-U Plus", "convert"]),
        ("# only = comments\n\n", None, ["no words"]),
        (BOOKS.replace("buy", "büy").encode("latin-1"), 2, ["not UTF-8", "Latin-1"]),
        (BOOKS.encode() + b"\0", 10, ["NUL byte", "remove"]),
        (bytes(range(256)) * 10, None, ["binary"]),
        (b"", None, ["empty"]),
    ],
)
def test_what_is_refused(file, content, line, words):
    refusal(file(content), line, *words)
