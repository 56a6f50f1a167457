"""Many small objects, pickled as a few large arrays, come out as they went in."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unisono.arrays import ComparedByContent
from unisono.bundles import Bundled


@dataclass(frozen=True, slots=True, eq=False)
class Inner(ComparedByContent):
    table: Any
    bound: float


@dataclass(frozen=True, slots=True, eq=False)
class Outer(ComparedByContent):
    name: str | None
    parts: tuple[Inner, ...]
    codes: Any
    shared: Any


def shapes(n_dimensions):
    return st.tuples(*[st.integers(0, 4)] * n_dimensions)


def arrays(n_dimensions, dtype):
    return shapes(n_dimensions).map(lambda shape: np.arange(np.prod(shape)).reshape(shape).astype(dtype))


inner = st.builds(Inner, arrays(2, np.int64), st.floats(allow_nan=False))
anything = st.one_of(arrays(1, np.float64), arrays(2, np.bool_), st.none(), st.text(max_size=3), st.integers())
outer = st.builds(
    Outer,
    st.one_of(st.none(), st.text(max_size=3)),
    st.lists(inner, max_size=3).map(tuple),
    st.one_of(arrays(1, np.int64), arrays(1, np.float64)),
    anything,
)


@given(st.lists(outer, max_size=6))
def test_what_comes_out_is_what_went_in(objects):
    found = pickle.loads(pickle.dumps(Bundled(objects), pickle.HIGHEST_PROTOCOL))
    assert type(found) is Bundled
    assert found == objects
    for one, other in zip(objects, found, strict=True):
        assert one.codes.dtype == other.codes.dtype
        assert [part.table.shape for part in one.parts] == [part.table.shape for part in other.parts]


def test_what_all_share_is_kept_once():
    shared = np.zeros(1_000_000)
    found = pickle.loads(pickle.dumps(Bundled([Outer("a", (), np.zeros(1), shared) for _ in range(50)])))
    assert len({id(one.shared) for one in found}) == 1


def test_tuples_may_differ_in_length():
    given = Bundled([(1, "a"), (), (None,)])
    assert pickle.loads(pickle.dumps(given)) == [(1, "a"), (), (None,)]


@pytest.mark.parametrize("dtype", [object, "U3"])
def test_other_arrays(dtype):
    given = Bundled([Inner(np.array(["x", "yz"], dtype), 0.0), Inner(np.array(["abc"], dtype), 1.0)])
    found = pickle.loads(pickle.dumps(given))
    assert [one.table.tolist() for one in found] == [["x", "yz"], ["abc"]]
