"""Lists are read element by element, and give what the whole text gives."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.errors import DataError
from unisono.formats import json_reading
from unisono.formats.json_reading import json_elements, json_records

TEXTS = st.text(st.characters(codec="utf-8"), max_size=5)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(
    values=st.lists(VALUES, max_size=6),
    block=st.integers(1, 40),
    indent=st.sampled_from([None, 0, 2]),
    ascii_only=st.booleans(),
)
def test_elements_do_not_depend_on_where_blocks_end(tmp_path_factory, values, block, indent, ascii_only):
    path = tmp_path_factory.mktemp("lists") / "list.json"
    path.write_text(json.dumps(values, indent=indent, ensure_ascii=ascii_only), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_reading, "_BLOCK", block)
        assert list(json_elements(path)) == values


@pytest.mark.parametrize("block", [1, 3, 7, 2**20])
@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        ("[1, 2", "Expecting ',' delimiter", 1),
        ("[1\n 2]", "Expecting ',' delimiter", 2),
        ("[1,\n\n]", "Expecting value", 3),
        ('[{"a": 1},\n{"a": }]', "Expecting value", 2),
        ("[1]\n\n[2]", "Extra data", 3),
        ('{"a": 1} x', "Extra data", 1),
        ('["a', "Unterminated string", 1),
        ("[" * 100_000, "nested too deeply", 1),
        ("   ", "Expecting value", 1),
    ],
)
def test_what_is_wrong_and_where(tmp_path: Path, monkeypatch, text, words, line, block):
    if block < 7 and len(text) > 1000:
        block = 1000
    monkeypatch.setattr(json_reading, "_BLOCK", block)
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        list(json_elements(path))
    assert words in str(caught.value)
    assert caught.value.line == line


def test_any_other_value_is_the_only_one(tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(b'\xef\xbb\xbf {"a": [1, 2]} \n')
    assert list(json_elements(path)) == [{"a": [1, 2]}]


def test_values_may_follow_one_another(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{\n "a": 1\n}\n{\n "a": 2}')
    assert list(json_elements(path, several=True)) == [{"a": 1}, {"a": 2}]
    assert list(json_records(path, None)) == [(None, {"a": 1}), (None, {"a": 2})]
    with pytest.raises(DataError, match="Extra data"):
        list(json_elements(path))
    path.write_text('{"a": 1,\n "b": 1\n}\n{"a":\n 2}')
    assert [one["a"] for _, one in json_records(path, None)] == [1, 2]
    path.write_text('{"a": 1}\n\n{"a": 2}\n')
    assert list(json_records(path, None)) == [(1, {"a": 1}), (3, {"a": 2})]


def test_memory_does_not_grow_with_the_list(tmp_path):
    def peak(n):
        path = tmp_path / f"{n}.json"
        path.write_text(json.dumps([{"text": "x" * 1000, "number": number} for number in range(n)]))
        tracemalloc.start()
        assert sum(1 for _ in json_elements(path)) == n
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    assert peak(20_000) < 2 * peak(5_000)
