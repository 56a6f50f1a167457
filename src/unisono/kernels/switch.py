"""The switch between running kernels as Python and as machine code."""

from __future__ import annotations

import functools
import os
import re
import sys
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")

_lock = threading.RLock()
_on = False
_announced = False
_planned = 0

_WORTH_LOADING = 20_000
_WORTH_COMPILING = 200_000
"""So much work takes as long as loading, or making, the machine code; see `plan`."""
_MANY = 8
"""A unit of three or more annotators is so much more work than one of two."""


def plan(n_units: int, n_annotators: int) -> None:
    """Say that so many units will be aligned; machine code is used once all that was planned is worth it."""
    global _planned
    _planned += n_units * (1 if n_annotators == 2 else _MANY)
    if not _on and _planned > (_WORTH_LOADING if _kept_on_disk() else _WORTH_COMPILING):
        compile_kernels()


def compile_kernels() -> None:
    """From now on, run kernels as machine code."""
    global _on
    _on = True


def compiled() -> bool:
    """Tell whether kernels run as machine code."""
    return _on


class Kernel(Generic[P, R]):
    """A function over arrays that runs as Python or, once switched, as machine code.

    As Python, it sees arrays as memory views and the arrays that it makes are lists (see `room`): indexing those one
    by one is several times faster than indexing NumPy arrays. What it gives back are arrays again.

    Parameters
    ----------
    plain : callable
        The function.
    other : callable, optional
        What to compile instead, where the two ways must differ.
    """

    def __init__(self, plain: Callable[P, R], other: Callable[P, R] | None = None) -> None:
        self.plain = plain
        self._other = other
        self._python: Callable[..., Any] | None = None
        self._machine: Callable[P, R] | None = None
        self._returns = [_DTYPES.get(name) for name in _NAMES.findall(str(plain.__annotations__.get("return")))]
        functools.update_wrapper(self, plain)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the kernel."""
        if _on:
            return self.machine()(*args, **kwargs)
        views = {name: _as_view(value) for name, value in kwargs.items()}
        return cast(R, self._as_arrays(self.python()(*map(_as_view, args), **views)))

    def python(self) -> Callable[..., Any]:
        """Give the interpreted function; the kernels that it calls are called directly."""
        if self._python is None:
            self._python = _bound(self.plain, Kernel.python)
        return self._python

    def machine(self) -> Callable[P, R]:
        """Give the compiled function; the kernels that it calls are compiled into it."""
        with _lock:
            if self._machine is None:
                self._machine = _compile(_bound(self._other or self.plain, Kernel.machine))
        return self._machine

    def _as_arrays(self, answer: Any) -> Any:
        if isinstance(answer, tuple):
            return tuple(_as_array(part, dtype) for part, dtype in zip(answer, self._returns, strict=True))
        return _as_array(answer, self._returns[0])


_NAMES = re.compile(r"\b(IntArray|FloatArray|BoolArray|ByteArray|int|float|bool|None)\b")
_DTYPES = {"IntArray": np.int64, "FloatArray": np.float64, "BoolArray": np.bool_, "ByteArray": np.int8}


def kernel(plain: Callable[P, R]) -> Kernel[P, R]:
    """Mark a plain function over arrays as a kernel."""
    return Kernel(plain)


def _as_view(value: Any) -> Any:
    return value.data if isinstance(value, np.ndarray) and value.ndim == 1 else value


def _as_array(value: Any, dtype: Any) -> Any:
    return value if dtype is None or isinstance(value, np.ndarray) else np.array(value, dtype)


def _bound(source: Callable[..., Any], way: Callable[[Any], Any]) -> types.FunctionType:
    """Copy a function so that the kernels that it calls run the same way."""
    plain = cast(types.FunctionType, source)
    scope = dict(plain.__globals__)
    for name in plain.__code__.co_names:
        if isinstance(scope.get(name), Kernel):
            scope[name] = way(scope[name])
    copy = types.FunctionType(plain.__code__, scope, plain.__name__, plain.__defaults__)
    copy.__module__ = plain.__module__
    copy.__qualname__ = plain.__qualname__
    return copy


def _compile(plain: types.FunctionType) -> Callable[..., Any]:
    import numba

    machine = numba.njit(cache=True, nogil=True)(plain)
    kept = Path(machine.stats.cache_path).glob(f"*.{plain.__name__}-*.nbi")
    if not any(kept):
        _announce()
    return cast(Callable[..., Any], machine)


def _kept_on_disk() -> bool:
    elsewhere = os.environ.get("NUMBA_CACHE_DIR")
    if elsewhere:
        return any(Path(elsewhere).rglob("*.nbi"))
    return any((Path(__file__).parent / "__pycache__").glob("*.nbi"))


def _announce() -> None:
    global _announced
    if not _announced:
        _announced = True
        print(
            "unisono: compiling for this machine, once for each kind of data; this takes a few seconds", file=sys.stderr
        )
