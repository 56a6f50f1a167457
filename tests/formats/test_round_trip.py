from __future__ import annotations

import tempfile
from pathlib import Path

from format_helpers import contents
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.data import Corpus
from unisono.formats import read, write

ANY = st.text(max_size=5)
PLAIN = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), min_size=1, max_size=5)
KINDS = [
    ANY,
    st.booleans(),
    st.integers(-9, 9),
    st.floats(allow_nan=False, allow_infinity=False),
    st.lists(ANY, max_size=3),
    st.one_of(ANY, st.integers(2, 9), st.booleans(), st.lists(ANY, max_size=2)),
]


@st.composite
def corpora(draw, names, kinds, extras):
    documents = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    annotators = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    number = st.integers(-(2**53), 2**53) if draw(st.booleans()) else st.floats(-1e9, 1e9)
    units = draw(
        st.lists(st.tuples(st.sampled_from(documents), st.sampled_from(annotators), number, number), max_size=6)
    )
    pairs = draw(st.lists(st.tuples(st.sampled_from(documents), st.sampled_from(annotators)), max_size=3))
    header = names.filter(lambda name: name.strip() == name) if not extras else names
    header = header.filter(lambda name: name.casefold() not in ("document", "annotator", "start", "end", "category"))
    features = {"category": draw(st.sampled_from(kinds))} if draw(st.booleans()) else {}
    for name in draw(st.lists(st.one_of(header, st.just("type")), max_size=2, unique=True)):
        features[name] = draw(st.sampled_from(kinds))
    if not units:
        features = {}
    marked = {unit[:2] for unit in units}  # units may not lie outside a text, so these have none
    return Corpus.from_columns(
        documents=documents if extras else (),
        annotators=annotators if extras else (),
        document=[unit[0] for unit in units],
        annotator=[unit[1] for unit in units],
        start=[min(unit[2:]) for unit in units],
        end=[max(unit[2:]) for unit in units],
        features={name: [draw(st.none() | kind) for _ in units] for name, kind in features.items()},
        worked=pairs,
        bounds={name: (-1e17, 1e17) for name in documents if extras and draw(st.booleans())},
        texts={pair: draw(ANY) for pair in pairs if extras and draw(st.booleans()) and pair not in marked},
    )


def written_and_read(corpus: Corpus, name: str) -> Corpus:
    with tempfile.TemporaryDirectory() as folder:
        write(corpus, Path(folder) / name)
        return read(Path(folder) / name)


@given(corpora(st.text(max_size=4), KINDS, extras=True))
@settings(max_examples=60, deadline=None)
def test_json_lines_keep_everything(corpus):
    assert contents(written_and_read(corpus, "x.jsonl")) == contents(corpus)


@given(corpora(PLAIN, [PLAIN], extras=False))
@settings(max_examples=60, deadline=None)
def test_csv_keeps_everything_that_is_text(corpus):
    if corpus.worked.any():
        assert contents(written_and_read(corpus, "x.csv")) == contents(corpus)
        assert contents(written_and_read(corpus, "x.tsv")) == contents(corpus)


@given(corpora(PLAIN, [PLAIN, *KINDS[1:4], st.lists(PLAIN, max_size=3)], extras=False))
@settings(max_examples=60, deadline=None)
def test_parquet_keeps_labels_of_any_kind(corpus):
    if corpus.worked.any():
        assert contents(written_and_read(corpus, "x.parquet")) == contents(corpus)
