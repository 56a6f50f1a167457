"""A large file of JSON lines, read in blocks by several workers, is what it is when it is read as a whole."""

from __future__ import annotations

import json
import random

import pytest

import unisono
from unisono.errors import DataError
from unisono.formats import line_blocks, reading


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(line_blocks, "LARGE", 200)
    monkeypatch.setattr(line_blocks, "_BLOCK", 150)


def entries(seed, n=40):
    """Make lines with and without texts, units, features, continua and tokens; each version is on one line."""
    rng = random.Random(seed)
    for document in range(n):
        name = f"d{rng.randint(0, 9)}-{document}"
        continuum = {"continuum": [0, 60]} if rng.random() < 0.3 else {}
        for annotator in rng.sample(["anna", "bert", "cleo"], rng.randint(1, 3)):
            text = {"text": "ein Satz, äöü 𝄞 " * 3} if rng.random() < 0.5 else {}
            units = []
            for _ in range(rng.randint(0, 4)):
                start = rng.randint(0, 20)
                features = {"pos": rng.choice("NVA")} | ({"lemma": "x"} if rng.random() < 0.2 else {})
                units.append({"start": start, "end": start + rng.randint(0, 9), "features": features})
            if rng.random() < 0.05:
                units.append({"start": 1, "end": 2, "type": "T"})
            tokens = {"tokens": [[0, 3], [4, 8]]} if rng.random() < 0.2 else {}
            yield {"document": name, "annotator": annotator, **text, **continuum, **tokens, "units": units}
        if rng.random() < 0.1:
            yield {"document": f"{name}-empty", "annotator": None}


def both(path, **how):
    return unisono.read(path, workers=1, **how), unisono.read(path, workers=2, **how)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
@pytest.mark.parametrize("seed", range(8))
def test_the_same_data(tmp_path, seed, end):
    path = tmp_path / "lines.jsonl"
    path.write_bytes("".join(json.dumps(one, ensure_ascii=False) + end for one in entries(seed)).encode())
    assert len(line_blocks.line_blocks(path)) > 5
    whole, shared = both(path)
    assert whole == shared
    assert (whole.documents, whole.texts, whole.bounds, whole.origins) == (
        shared.documents,
        shared.texts,
        shared.bounds,
        shared.origins,
    )
    assert [*whole.features] == [*shared.features]
    assert whole.dropped == shared.dropped
    assert unisono.read(path, workers=2, units="spans") == unisono.read(path, workers=1, units="spans")


def test_blocks_are_what_is_read(tmp_path, monkeypatch):
    path = tmp_path / "lines.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in entries(1)))
    expected = unisono.read(path, workers=1)
    monkeypatch.setattr(reading, "read_file", lambda *given: pytest.fail("read as a whole"))
    assert unisono.read(path, workers=2) == expected


def test_blocks_are_whole_lines_and_the_whole_file(tmp_path):
    path = tmp_path / "lines.jsonl"
    path.write_text("".join("x" * random.Random(n).randint(0, 400) + "\n" for n in range(50)) + "last")
    blocks = line_blocks.line_blocks(path)
    content = path.read_bytes()
    assert b"".join(content[own.start : own.stop] for own in blocks) == content
    assert all(content[own.stop - 1 : own.stop] == b"\n" for own in blocks[:-1])
    assert min(map(len, blocks)) > 0


def test_texts_without_any_unit(tmp_path):
    path = tmp_path / "lines.jsonl"
    lines = [{"document": f"d{n}", "annotator": "anna", "text": f"text {n}", "continuum": [0, 9]} for n in range(40)]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    whole, shared = both(path)
    assert whole == shared
    assert (shared.n_units, len(shared.texts), len(shared.bounds)) == (0, 40, 40)


UNUSUAL = {
    "relations": {"anchors": [{"role": "source", "start": 0, "end": 1}, {"role": "target", "start": 3, "end": 4}]},
    "pieces": {"anchors": [{"start": 0, "end": 1}, {"start": 3, "end": 4}]},
    "numbers": {"start": 0, "end": 1, "features": {"pos": 1}},
    "fractions": {"start": 0.5, "end": 1.5, "features": {"pos": "N"}},
    "sets": {"start": 0, "end": 1, "features": {"pos": ["N", "V"]}},
    "nothing": {"start": 0, "end": 1, "features": {"pos": None}},
}


@pytest.mark.parametrize("unit", UNUSUAL.values(), ids=UNUSUAL)
def test_the_same_data_where_something_is_unusual(tmp_path, unit):
    path = tmp_path / "lines.jsonl"
    lines = [*entries(3), {"document": "more", "annotator": "anna", "units": [unit]}]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    whole, shared = both(path)
    assert whole == shared


WRONG = {
    "no JSON": '{"document": ',
    "a key twice": '{"document": "d", "document": "e", "annotator": "anna"}',
    "outside": '{"document": "d", "annotator": "x", "text": "ab", "units": [{"start": 1, "end": 5, "features": {}}]}',
    "another continuum": '{"document": "same", "annotator": "x", "continuum": [0, 2]}',
    "another text": '{"document": "same", "annotator": "anna", "text": "another"}',
    "bytes": b'{"document": "\xff"}',
}


@pytest.mark.parametrize("line", WRONG.values(), ids=WRONG)
def test_the_same_error(tmp_path, line):
    path = tmp_path / "lines.jsonl"
    first = {"document": "same", "annotator": "anna", "text": "one", "continuum": [0, 3]}
    lines = [json.dumps(one).encode() for one in [first, *entries(5)]]
    lines.append(line if isinstance(line, bytes) else line.encode())
    path.write_bytes(b"\n".join([*lines, *(json.dumps(one).encode() for one in entries(6, 3))]))
    said = []
    for workers in (1, 2):
        with pytest.raises(DataError) as raised:
            unisono.read(path, workers=workers)
        said.append(str(raised.value))
    assert said[0] == said[1]
    skipped = [[], []]
    for workers in (1, 2):
        unisono.read(path, workers=workers, bad=skipped[workers - 1].append)
    assert [*map(str, skipped[0])] == [*map(str, skipped[1])]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_other_encodings(tmp_path, encoding):
    path = tmp_path / "lines.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in entries(7)), encoding=encoding)
    whole, shared = both(path)
    assert whole == shared


def test_a_version_on_two_lines(tmp_path):
    """Units on a later line are compared with the text of the first, wherever that is."""
    path = tmp_path / "lines.jsonl"
    first = {"document": "d", "annotator": "anna", "text": "abc"}
    later = {"document": "d", "annotator": "anna", "units": [{"start": 2, "end": 9, "features": {"pos": "N"}}]}
    path.write_text("".join(json.dumps(one) + "\n" for one in [first, *entries(8), later]))
    said = []
    for workers in (1, 2):
        try:
            said.append(unisono.read(path, workers=workers))
        except DataError as error:
            said.append(str(error))
    assert said[0] == said[1]
