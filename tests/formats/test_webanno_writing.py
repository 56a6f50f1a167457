"""Corpora written as WebAnno TSV 3: everything that is read back is as it was."""

from __future__ import annotations

import json
import random

import pytest
from commands import run
from hypothesis import given, settings
from hypothesis import strategies as st

import unisono

NER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
FILE = f"""#FORMAT=WebAnno TSV 3.3
#T_SP={NER}|identifier|value
#T_SP=webanno.custom.Thing


#Text=Anna met 🙂 Bert.
1-1\t0-4\tAnna\t*\tPER\t_\t
1-2\t5-8\tmet\t_\t_\t*\t
1-2.1\t5-6\tm\tx\\_y\t*\t_\t
1-3\t9-11\t🙂\t*[2]|*[3]\tPER[2]|ORG[3]\t_\t
1-4\t12-16\tBert\t*[2]\tPER[2]\t_\t
1-5\t16-17\t.\t_\t_\t_\t

#Text=Rome\\tand
2-1\t18-22\tRome\t*\tLOC\t_\t
2-2\t23-26\tand\t_\t_\t_\t
"""


def written(corpus, folder):
    said = unisono.write(corpus, folder, format="webanno")
    return said, unisono.read(folder, pattern="{annotator}/{document}.tsv")


def units(corpus):
    return [
        (document.name, one.annotator, one.start, one.end, {n: v for n, v in one.features.items() if v is not None})
        for document in corpus
        for one in document.units
    ]


def test_a_file_is_written_as_it_was(tmp_path):
    for who in ("anna", "bert"):
        (tmp_path / "in" / who).mkdir(parents=True)
        (tmp_path / "in" / who / "d.tsv").write_text(FILE, encoding="utf-8")
    corpus = unisono.read(tmp_path / "in")
    said, back = written(corpus, tmp_path / "out")
    assert said == []
    assert units(back) == units(corpus)
    assert [document.text for document in back] == ["Anna met 🙂 Bert.\nRome\tand"]
    assert [spans.tolist() for spans in back.tokens.values()] == [spans.tolist() for spans in corpus.tokens.values()]
    text = (tmp_path / "out" / "anna" / "d.tsv").read_text(encoding="utf-8")
    assert text.splitlines()[:3] == FILE.splitlines()[:3]
    assert "1-2.1\t5-6\tm\tx\\_y\t*\t_\t" in text


def test_what_webanno_read_goes_to_inception_as_xmi(tmp_path):
    (tmp_path / "anna.tsv").write_text(FILE, encoding="utf-8")
    corpus = unisono.read(tmp_path / "anna.tsv")
    unisono.write(corpus, tmp_path / "out", format="xmi")
    assert f'name="{NER}"' in (tmp_path / "out/TypeSystem.xml").read_text(encoding="utf-8") or NER in (
        tmp_path / "out/TypeSystem.xml"
    ).read_text(encoding="utf-8")
    assert [one[2:] for one in units(unisono.read(tmp_path / "out"))] == [one[2:] for one in units(corpus)]


labels = st.text(alphabet="ab_|[]->;*\\ \t\n🙂é1", min_size=1, max_size=5).filter(str.strip)
texts = st.text(alphabet="ab c.,\n🙂é\t1", min_size=1, max_size=30)


@settings(max_examples=80)
@given(text=texts, seed=st.integers(0, 10**6), given_labels=st.lists(labels, min_size=1, max_size=4))
def test_random_units_come_back(text, seed, given_labels, tmp_path_factory):
    """All but white space at their ends, and at the beginning of the text, where TSV has no place."""
    rng = random.Random(seed)
    text = "x" + text + "y"
    rows = []
    for who in ("anna", "bert"):
        for _ in range(rng.randint(1, 4)):
            start = rng.randint(0, len(text))
            end = rng.randint(start, len(text))
            while start < end and text[start].isspace():
                start += 1
            while start < end and text[end - 1].isspace():
                end -= 1
            rows.append((who, start, end, rng.choice(["A", "B"]), rng.choice([*given_labels, None])))
    who, start, end, layer, label = zip(*rows, strict=True)
    corpus = unisono.Corpus.from_columns(
        document=["d"] * len(rows),
        annotator=who,
        start=start,
        end=end,
        features={"type": layer, "value": label},
        texts={("d", name): text for name in ("anna", "bert")},
    )
    said, back = written(corpus, tmp_path_factory.mktemp("tsv") / "out")
    assert said == []
    assert [document.text for document in back] == [text]
    assert units(back) == units(corpus)


def test_a_gold_standard_as_tsv(tmp_path):
    for who in ("anna", "bert"):
        (tmp_path / "in" / who).mkdir(parents=True)
        (tmp_path / "in" / who / "d.tsv").write_text(FILE, encoding="utf-8")
    gold = ("gold", tmp_path / "in", "--layer", "NamedEntity", "-m", "gamma(features=value)", "--plain")
    done = run(*gold, "--to", "webanno", "-o", tmp_path / "gold")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "gold/gold/d.tsv").read_text(encoding="utf-8")
    assert f"#T_SP={NER}|" in text


def test_what_has_no_place(tmp_path):
    line = {
        "document": "d",
        "annotator": "anna",
        "text": " ab  c",
        "units": [{"start": 0, "end": 3, "features": {"category": ["x", "y"]}}, {"start": 3, "end": 5, "features": {}}],
    }
    (tmp_path / "d.jsonl").write_text(json.dumps(line), encoding="utf-8")
    said, back = written(unisono.read(tmp_path / "d.jsonl"), tmp_path / "out")
    assert said == ["1 unit written without the white space at the beginning or end"]
    assert [(start, end) for _, _, start, end, _ in units(back)] == [(1, 3), (3, 5)]


def test_a_text_of_white_space(tmp_path):
    corpus = unisono.Corpus.from_columns(
        document=["d"], annotator=["a"], start=[1], end=[1], texts={("d", "a"): " \n "}, features={"category": ["x"]}
    )
    _, back = written(corpus, tmp_path / "out")
    assert [(start, end) for _, _, start, end, _ in units(back)] == [(1, 1)]


@pytest.mark.parametrize("positions", [(0.5, 1.0), (0, 9)])
def test_positions_that_are_not_in_the_text(positions, tmp_path):
    start, end = positions
    corpus = unisono.Corpus.from_columns(
        document=["d"], annotator=["a"], start=[start], end=[end], texts={("d", "a"): "abc"}
    )
    with pytest.raises(unisono.errors.DataError, match=r"needs whole numbers|not within the text"):
        unisono.write(corpus, tmp_path / "out", format="webanno")
