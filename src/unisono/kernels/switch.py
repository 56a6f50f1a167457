"""The switch between running kernels as Python and as machine code."""

from __future__ import annotations

import functools
import sys
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import Generic, ParamSpec, TypeVar, cast

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
    """A function over arrays that runs as Python or, once switched, as machine code."""

    def __init__(self, plain: Callable[P, R]) -> None:
        self.plain = plain
        self._machine: Callable[P, R] | None = None
        functools.update_wrapper(self, plain)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the kernel."""
        return (self.machine() if _on else self.plain)(*args, **kwargs)

    def machine(self) -> Callable[P, R]:
        """Give the compiled function; the kernels that it calls are compiled into it."""
        with _lock:
            if self._machine is None:
                self._machine = _compile(cast(types.FunctionType, self.plain))
        return self._machine


def kernel(plain: Callable[P, R]) -> Kernel[P, R]:
    """Mark a plain function over arrays as a kernel."""
    return Kernel(plain)


def _compile(plain: types.FunctionType) -> Callable[..., R]:
    import numba

    scope = dict(plain.__globals__)
    for name in plain.__code__.co_names:
        if isinstance(scope.get(name), Kernel):
            scope[name] = scope[name].machine()
    copy = types.FunctionType(plain.__code__, scope, plain.__name__, plain.__defaults__)
    copy.__module__ = plain.__module__
    copy.__qualname__ = plain.__qualname__
    machine = numba.njit(cache=True, nogil=True)(copy)
    kept = Path(machine.stats.cache_path).glob(f"*.{plain.__name__}-*.nbi")
    if not any(kept):
        _announce()
    return cast(Callable[..., R], machine)


def _kept_on_disk() -> bool:
    return any((Path(__file__).parent / "__pycache__").glob("*.nbi"))


def _announce() -> None:
    global _announced
    if not _announced:
        _announced = True
        print("unisono: compiling for this machine, once; this takes a few seconds", file=sys.stderr)
