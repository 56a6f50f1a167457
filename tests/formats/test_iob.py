from __future__ import annotations

import time

import pytest
from format_helpers import refusal, rows, worked
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mangled import data_or_refusal, mangled

import unisono
from unisono.errors import OptionError
from unisono.formats import read
from unisono.formats.format import Instructions
from unisono.formats.tools import iob

NEWS = """-DOCSTART- -X- O O

U.N. NNP I-NP I-ORG
official NN I-NP O
Ekeus NNP I-NP I-PER
heads VBZ I-VP O
for IN I-PP O
Baghdad NNP I-NP I-LOC
. . O O

Paris NNP I-NP I-LOC
London NNP I-NP B-LOC
"""
TOKENS = "The European Union met in Rome today ."


def tagged(tags, tokens=TOKENS):
    return "".join(f"{token}\t{tag}\n" for token, tag in zip(tokens.split(), tags.split(), strict=False))


def chunks(corpus):
    document = next(iter(corpus))
    return [(document.text[unit.start : unit.end], unit.category) for unit in document.units]


@pytest.fixture
def file(tmp_path):
    def make(content, name="news.conll"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def test_chunks_are_units(file):
    corpus = read(file(NEWS))
    assert corpus.source == "IOB columns · news.conll"
    assert corpus["news"].text == "U.N. official Ekeus heads for Baghdad .\nParis London"
    assert rows(corpus) == [
        ("news", "annotator", 0, 4, "ORG"),
        ("news", "annotator", 14, 19, "PER"),
        ("news", "annotator", 30, 37, "LOC"),
        ("news", "annotator", 40, 45, "LOC"),
        ("news", "annotator", 46, 52, "LOC"),
    ]
    text = corpus["news"].text
    assert [text[start:end] for start, end in corpus.tokens[0].tolist()] == text.split()
    assert corpus.dropped == {}


def test_another_column(file):
    corpus = read(file(NEWS), options={"column": "3"})
    assert chunks(corpus)[:4] == [("U.N. official Ekeus", "NP"), ("heads", "VP"), ("for", "PP"), ("Baghdad", "NP")]


@pytest.mark.parametrize(
    ("tags", "scheme"),
    [
        ("O I-ORG I-ORG O O I-LOC B-LOC O", "iob1"),
        ("O B-ORG I-ORG O O B-LOC B-LOC O", "iob2"),
        ("O B-ORG I-ORG O O B-LOC B-LOC O", "bio"),
        ("O B-ORG E-ORG O O S-LOC S-LOC O", "bioes"),
        ("O B-ORG L-ORG O O U-LOC U-LOC O", "bilou"),
    ],
)
@pytest.mark.parametrize("given", [True, False])
def test_schemes(file, tags, scheme, given):
    corpus = read(file(tagged(tags)), options={"scheme": scheme} if given else {})
    assert chunks(corpus) == [("European Union", "ORG"), ("Rome", "LOC"), ("today", "LOC")]
    assert corpus.dropped == {}


@pytest.mark.parametrize(
    ("tags", "expected", "n_repaired"),
    [
        ("B-A I-A I-B I-B O", ["The European", "Union met"], 1),  # IOB2: I- of another type
        ("O I-A B-A O B-A", ["European", "Union", "in"], 1),  # IOB2, as B- also stands after O
        ("I-A B-B", ["The", "European"], 1),
        ("B-A I-A O", ["The European"], 0),
        ("B-A E-A I-A O", ["The European", "Union"], 1),  # I- alone
        ("S-A E-A I-A E-A", ["The", "European", "Union met"], 2),
        ("B-A O S-A", ["The", "Union"], 1),  # a begin without an end
        ("B-A I-A S-A", ["The European", "Union"], 1),
        ("I-A I-A S-A", ["The European", "Union"], 2),
        ("B-A E-B S-B", ["The", "European", "Union"], 2),
        ("B I O B", ["The European", "met"], 0),  # chunks without a type
    ],
)
def test_impossible_sequences_are_read_as_conlleval_does(file, tags, expected, n_repaired):
    corpus = read(file(tagged(tags)))
    assert [text for text, _ in chunks(corpus)] == expected
    assert sum(corpus.dropped.values()) == n_repaired


def test_the_scheme_decides_what_is_wrong(file):
    path = file(tagged("I-A O I-A"))
    assert read(path).dropped == {}
    assert sum(read(path, options={"scheme": "iob2"}).dropped.values()) == 2
    assert sum(read(path, options={"scheme": "bioes"}).dropped.values()) == 2


def test_chunks_end_with_the_sentence(file):
    assert chunks(read(file("a B-X\n\n\nb I-X\n"))) == [("a", "X"), ("b", "X")]


def test_documents(file):
    part = "a B-X\nb O\n\n"
    content = f"c O\n\n-DOCSTART- -X- O\n\n{part}-DOCSTART- (7 EU)\n{part}-DOCSTART-\n"
    corpus = read(file(content))
    assert corpus.documents == ("news", "news 2", "7 EU", "news 4")
    assert [document.text for document in corpus] == ["c", "a b", "a b", ""]
    assert len(corpus.tokens) == 4


def test_comments_and_tokens_in_another_column(file):
    """GermEval 2014 has a comment before each sentence, and numbers before the tokens."""
    content = "#\thttp://example.org [2009]\n1\tIn\tO\tO\n2\t#\tO\tO\n3\tBozen\tB-LOC\tO\n\n# id 2\n1\t20 000\tO\tO\n"
    corpus = read(file(content), options={"token": "2", "column": "3"})
    assert next(iter(corpus)).text == "In # Bozen\n20 000"
    assert chunks(corpus) == [("Bozen", "LOC")]


def test_annotators_in_columns(file):
    content = "Anna\tB-PER\tO\nmet\tO\tO\nMr\tO\tS-PER\nBert\tB-PER\tS-PER\n"
    corpus = read(file(content), options={"columns": "anna:2;bert:3"})
    assert rows(corpus) == [
        ("news", "anna", 0, 4, "PER"),
        ("news", "anna", 12, 16, "PER"),
        ("news", "bert", 9, 11, "PER"),
        ("news", "bert", 12, 16, "PER"),
    ]
    assert corpus["news"].text == "Anna met Mr Bert"
    assert corpus.dropped == {}


def test_annotators_in_paths(file, tmp_path):
    file(tagged("O B-ORG I-ORG O O B-LOC O O"), "anna/news.iob2")
    file(tagged("O B-ORG I-ORG O O O O O"), "bert/news.iob2")
    file(tagged("O O O O O O O O"), "carl/news.iob2")
    corpus = read(tmp_path, pattern="{annotator}/{document}.iob2")
    assert worked(corpus) == {("news", "anna"), ("news", "bert"), ("news", "carl")}
    assert corpus["news"].text == TOKENS
    assert unisono.gamma(corpus).value < 1


@pytest.mark.parametrize("name", ["news.txt", "news.tsv"])
@pytest.mark.parametrize(
    "content", [NEWS, "# id 1\n" + NEWS.replace(" ", "\t"), NEWS.replace("\n", "\r\n"), "\ufeff" + NEWS]
)
def test_without_the_suffix(file, content, name):
    corpus = read(file(content, name))
    assert corpus.source == f"IOB columns · {name}"
    assert corpus.n_units == 5


@pytest.mark.parametrize(
    ("content", "source"),
    [
        ("item\tanna\tbert\n1\tO\tB-X\n2\tO\tO\n", "TSV ratings"),  # a heading
        ("item\tanna\tbert\n1\tO\tO\n2\tO\tO\n", "TSV ratings"),
        ("item\tanna\tbert\n1\tX\tI-95\n2\tO\tX\n", "TSV ratings"),
    ],
)
def test_other_tables_are_left_alone(file, content, source):
    assert read(file(content, "r.tsv")).source.startswith(source)


def test_bad_lines_can_be_passed_over(file):
    errors = []
    corpus = iob.read(file("alone\na B-X\nb X\nc I-X\n"), Instructions(bad=errors.append))
    assert [error.line for error in errors] == [1, 3]
    assert corpus["news"].text == "alone a b c"
    assert chunks(corpus) == [("a", "X"), ("c", "X")]


def test_a_bad_line_keeps_its_token_and_its_other_tags(file):
    """Or else all later tokens would move, and the text would not be that of other annotators."""
    errors = []
    content = "Anna\tB-P\tB-P\nmet\tI-P\n\nBert\tB-P\tB-P\n"
    corpus = read(file(content), options={"columns": "anna:2;bert:3"}, bad=errors.append)
    assert corpus["news"].text == "Anna met\nBert"
    assert rows(corpus) == [
        ("news", "anna", 0, 8, "P"),
        ("news", "anna", 9, 13, "P"),
        ("news", "bert", 0, 4, "P"),
        ("news", "bert", 9, 13, "P"),
    ]
    assert [(error.line, error.reason) for error in errors] == [
        (2, "the line has 2 columns where 3 are expected; add the tag")
    ]


def test_no_chunk_goes_over_a_bad_line(file):
    corpus = read(file("a B-X\nb\nc I-X\n"), bad=lambda _: None)
    assert chunks(corpus) == [("a", "X"), ("c", "X")]


@pytest.mark.parametrize("content", ["a\tO\n\tB-X\n", "a\tO\n \tB-X\n", "a\tO\n\t\tO\n"])
def test_a_line_without_a_token_cannot_be_passed_over(file, content):
    refusal(file(content), 2, "no token in column 1", bad=lambda _: None)


def test_long_names_of_documents_take_no_quadratic_time(file):
    begin = time.process_time()
    read(file(f"-DOCSTART- ({'a' * 200_000}\na O\n"))
    assert time.process_time() - begin < 2


def test_a_name_of_nothing_but_spaces_is_none(file):
    assert read(file("-DOCSTART- (  )\na O\n-DOCSTART- ( b )\na O\n")).documents == ("news", "b")


@pytest.mark.parametrize(
    ("content", "options", "line", "words"),
    [
        ("a O\nb PER\n", {}, 2, ["the tag 'PER' should be O, or such as B-PER", "options={'column': '…'}"]),
        ("a B-PER E-PER\n", {"scheme": "iob2"}, 1, ["the tag 'E-PER' should be a tag of iob2"]),
        ("a O\nb\n", {}, 2, ["1 column where 2 are expected"]),
        ("a O\n", {"column": "3"}, 1, ["2 columns where 3 are expected"]),
        ("a\t\t\tO\n\t\tO\n \tx\tO\n", {"token": "2"}, 1, ["no token in column 2"]),
        ("-DOCSTART- (a)\n-DOCSTART- (a)\n", {}, 2, ["'a' occurs twice"]),
        ("\n\n", {}, None, ["no annotated document"]),
        ("ä O\n".encode("latin-1"), {}, 1, ["not UTF-8"]),
        (b"", {}, None, ["empty"]),
        (b"a O\n\0", {}, None, ["binary"]),
    ],
)
def test_what_is_refused(file, content, options, line, words):
    refusal(file(content), line, *words, options=options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scheme": "iob3"}, "unknown scheme 'iob3'; available: iob1"),
        ({"column": "0"}, "column is '0', but columns are numbered 1"),
        ({"token": "x"}, "token is 'x', but columns are numbered"),
        ({"columns": "3"}, "columns is '3'; write e.g."),
        ({"columns": "a:2;a:3"}, "each name once"),
        ({"columns": "a:2", "column": "3"}, "exclude each other"),
    ],
)
def test_options_that_make_no_sense(file, options, words):
    with pytest.raises(OptionError, match=words):
        read(file(NEWS), options=options)


def encoded(chunk_types, scheme):
    """Tags of chunks, given as (type or None, length)."""
    tags, before = [], None
    for kind, length in chunk_types:
        if kind is None:
            tags += ["O"] * length
        elif scheme == "bioes":
            inner = ["S"] if length == 1 else ["B", *"I" * (length - 2), "E"]
            tags += [f"{letter}-{kind}" for letter in inner]
        else:
            first = "B" if scheme == "iob2" or before == kind else "I"
            tags += [f"{first}-{kind}", *[f"I-{kind}"] * (length - 1)]
        before = kind
    return tags


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["A", "B", None]), st.integers(1, 3)), min_size=1, max_size=12),
    st.sampled_from(["iob1", "iob2", "bioes"]),
)
def test_all_schemes_say_the_same(tmp_path_factory, chunk_types, scheme):
    path = tmp_path_factory.mktemp("iob") / "x.iob"
    path.write_text("".join(f"t {tag}\n" for tag in encoded(chunk_types, scheme)))
    corpus = read(path)
    expected, at = [], 0
    for kind, length in chunk_types:
        if kind is not None:
            expected.append((2 * at, 2 * (at + length) - 1, kind))
        at += length
    assert [(unit.start, unit.end, unit.category) for unit in corpus["x"].units] == expected
    assert corpus.dropped == {}


@settings(max_examples=60, deadline=None)
@given(mangled(NEWS.encode(), b"-DOCSTART-", b"E-LOC", b"\n\n", b" ", b"#"))
@example(NEWS.encode())
def test_mangled_files_are_data_or_refused(content):
    data_or_refusal(content, "news.conll")
