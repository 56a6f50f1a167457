"""The switch between running kernels as Python and as machine code, and where machine code is kept."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from time import monotonic
from typing import Any, Generic, ParamSpec, TypeVar, cast

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")

_lock = threading.RLock()
_on = False
_announced = False
_expected = 0
_lock_waiting = threading.Lock()
_n_waiting = 0
_waiting_since = _waited = 0.0

# Trade-offs, measured on one core of a 2-core machine (numba 0.68). In Python, two annotators take about 10 µs per
# unit, so that 20,000 units take 0.2 s where few overlap and more where many do. Loading numba and machine code from
# disk takes 0.5 s, compiling it 15 to 20 s, though only once. Three annotators who mostly agree take 8 times as long
# per unit; more annotators, or units that overlap more, take longer still, so 8 is a cautious estimate.
_WORTH_LOADING = 20_000
_WORTH_COMPILING = 1_000_000
_MANY = 8
# `nogil` lets threads run kernels at the same time. Nobody calls kernels from C: without that wrapper numba compiles in
# nine tenths of the time (measured).
_OPTIONS = {"nogil": True, "no_cfunc_wrapper": True}
"""How numba compiles."""


def expect_work(n_units: int, n_annotators: int) -> None:
    """Expect that so many units will be aligned; once all that is expected is worth it, machine code is used."""
    global _expected
    _expected += n_units * (1 if n_annotators == 2 else _MANY)
    if not _on and _expected > _WORTH_LOADING and (_expected > _WORTH_COMPILING or kept_on_disk()):
        compile_kernels()


def compile_kernels() -> None:
    """From now on, run kernels as machine code."""
    global _on
    _on = True


def compiled() -> bool:
    """Whether kernels run as machine code."""
    return _on


def seconds_compiling() -> float:
    """Return how long somebody has been waiting for machine code, in this process."""
    with _lock_waiting:
        return _waited + (monotonic() - _waiting_since if _n_waiting else 0.0)


@contextmanager
def _waiting_for_compilation() -> Iterator[None]:
    global _n_waiting, _waiting_since, _waited
    with _lock_waiting:
        if not _n_waiting:
            _waiting_since = monotonic()
        _n_waiting += 1
    try:
        yield
    finally:
        with _lock_waiting:
            _n_waiting -= 1
            if not _n_waiting:
                _waited += monotonic() - _waiting_since


def _cause(error: BaseException) -> BaseException:
    """Return what an error was raised for in the first place."""
    while isinstance(error, SystemError) and error.__cause__ is not None:
        error = error.__cause__
    return error


class Kernel(Generic[P, R]):
    """A function over arrays that runs as Python or, once switched, as machine code.

    As Python, it sees arrays as memory views, and the arrays that it makes are lists (see `workspace`): indexing those
    element by element is several times faster than indexing NumPy arrays. What it returns are arrays again.

    Parameters
    ----------
    plain : callable
        The function.
    other : callable, optional
        What to compile instead, where the two ways must differ.
    """

    def __init__(self, plain: Callable[P, R], other: Callable[P, R] | None = None) -> None:
        self.plain = plain
        self._source = cast(types.FunctionType, other or plain)
        self._python: Callable[..., Any] | None = None
        self._machine: Callable[P, R] | None = None
        self._part: Callable[P, R] | None = None
        self._new = False  # whether machine code has to be made when it is called
        self._loaded = False  # whether it is there
        self._returns = [_DTYPES.get(name) for name in _NAMES.findall(str(plain.__annotations__.get("return")))]
        functools.update_wrapper(self, plain)
        _kernels.append(self)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the kernel."""
        if _on:
            if not self._loaded:
                self._load(args)
            try:
                return self.machine()(*args, **kwargs)
            except SystemError as error:
                # numba ignores an interrupt that is raised while it makes Python objects, about which Python complains
                raise _cause(error) from None
        views = {name: _as_view(value) for name, value in kwargs.items()}
        return cast(R, self._as_arrays(self.python()(*map(_as_view, args), **views)))

    def _load(self, args: tuple[Any, ...]) -> None:
        """Load or make the machine code for arguments such as these."""
        from unisono.processes import preparing  # not needed until then, and commands begin sooner without it

        with preparing():
            machine: Any = self.machine()
            with _waiting_for_compilation() if self._new else nullcontext():
                machine.compile(tuple(map(machine.typeof_pyval, args)))
        self._new, self._loaded = False, True

    def python(self) -> Callable[..., Any]:
        """Return the interpreted function; the kernels that it calls are called directly."""
        if self._python is None:
            self._python = _bound(cast(types.FunctionType, self.plain), Kernel.python)
        return self._python

    def machine(self) -> Callable[P, R]:
        """Return the compiled function; the kernels that it calls are compiled into it."""
        with _lock:
            if self._machine is None:
                self._machine, self._new = _compile(_bound(self._source, Kernel.part), self.digest)
        return self._machine

    def part(self) -> Callable[P, R]:
        """Return the function to be compiled into others: neither kept by itself nor to be called from Python."""
        import numba

        with _lock:
            if self._part is None:
                self._part = _without_constants(
                    numba.njit(no_cpython_wrapper=True, **_OPTIONS)(_bound(self._source, Kernel.part))
                )
        return self._part

    @functools.cached_property
    def digest(self) -> str:
        """A digest of everything that the machine code is made from.

        numba keeps machine code until the function's own file changes. But the kernels that it calls, and constants of
        other modules, are compiled into it as well; so the digest covers their content too.
        """
        content = repr((_OPTIONS, _described(self._source.__code__), *_used(self._source)))
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def _as_arrays(self, answer: Any) -> Any:
        if isinstance(answer, tuple):
            return tuple(_as_array(part, dtype) for part, dtype in zip(answer, self._returns, strict=True))
        return _as_array(answer, self._returns[0])


_NAMES = re.compile(r"\b(IntArray|FloatArray|BoolArray|ByteArray|int|float|bool|None)\b")
_DTYPES = {"IntArray": np.int64, "FloatArray": np.float64, "BoolArray": np.bool_, "ByteArray": np.int8}

_kernels: list[Kernel[..., Any]] = []


def kernel(plain: Callable[P, R]) -> Kernel[P, R]:
    """Mark a plain function over arrays as a kernel."""
    return Kernel(plain)


def _as_view(value: Any) -> Any:
    return value.data if isinstance(value, np.ndarray) and value.ndim == 1 else value


def _as_array(value: Any, dtype: Any) -> Any:
    return value if dtype is None or isinstance(value, np.ndarray) else np.array(value, dtype)


def _bound(plain: types.FunctionType, way: Callable[[Any], Any]) -> types.FunctionType:
    """Copy a function so that the kernels that it calls run the same way."""
    # In Python, a call of a kernel through `Kernel.__call__` would convert arrays to views and back each time; numba
    # does not know the class. A copy of the module's names, with functions in place of kernels, avoids both.
    scope = dict(plain.__globals__)
    for name in plain.__code__.co_names:
        if isinstance(scope.get(name), Kernel):
            scope[name] = way(scope[name])
    copy = types.FunctionType(plain.__code__, scope, plain.__name__, plain.__defaults__)
    copy.__module__ = plain.__module__
    copy.__qualname__ = plain.__qualname__
    return copy


def _described(code: types.CodeType) -> tuple[object, ...]:
    """Return what a function does, without where it stands in which file."""
    # the byte code refers to names, variables and constants by their numbers
    constants = [_described(value) if isinstance(value, types.CodeType) else value for value in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, constants


def _used(function: types.FunctionType) -> Iterator[tuple[str, object]]:
    """List what a kernel uses from its module: kernels, modules, numbers, and NamedTuples, whose fields it knows."""
    called = function.__code__.co_names
    for name in (*called, *map(str, function.__annotations__.values())):
        value = function.__globals__.get(name)
        if isinstance(value, Kernel):
            yield name, value.digest
        elif isinstance(value, types.ModuleType):
            yield name, value.__name__  # numba knows which version it compiled
        elif isinstance(value, int | float):
            yield name, value
        elif isinstance(value, type) and issubclass(value, tuple):
            yield name, getattr(value, "_fields", ())
        elif name in called and value is not None:
            raise TypeError(
                f"{function.__qualname__} uses {name}; kernels use kernels, modules, numbers and NamedTuples only"
            )


def _compile(plain: types.FunctionType, digest: str) -> tuple[Callable[..., Any], bool]:
    """Prepare a function to be compiled, or load what was compiled from exactly this; return whether it is new.

    numba names its files by the function's qualified name. With the digest in it, what was made from something else is
    not found, wherever numba keeps its files (beside the module, in the user's cache, in NUMBA_CACHE_DIR).
    """
    import numba

    # numba's own stamp (the function's file) stays in force, and so does its check of versions and processor
    plain.__qualname__ = f"{plain.__name__}-{digest}"
    try:
        machine = numba.njit(cache=True, **_OPTIONS)(plain)
        kept = _recall(plain, Path(machine.stats.cache_path))
    except RuntimeError:  # no place where numba may write: compile each time
        machine, kept = numba.njit(**_OPTIONS)(plain), False
    if not kept:
        _announce()
    return cast(Callable[..., Any], machine), not kept


def _without_constants(part: Any) -> Any:
    """Have a function compiled once for all numbers; numba would compile it for a constant, such as 0, once more."""
    from numba.core.types.misc import unliteral

    resolve = part.get_call_template

    def resolved(args: Any, kws: Any) -> Any:
        return resolve([unliteral(one) for one in args], {name: unliteral(one) for name, one in kws.items()})

    part.get_call_template = resolved
    return part


def _recall(plain: types.FunctionType, folder: Path) -> bool:
    """Whether machine code was kept; if not, remove what an earlier text of the same kernel left for this Python."""
    module = Path(plain.__code__.co_filename).stem
    names = [name for name in _listed(folder) if name.startswith(f"{module}.{plain.__name__}-")]
    if any(name.startswith(f"{module}.{plain.__qualname__}-") for name in names):
        return True
    tag = f".py{sys.version_info.major}{sys.version_info.minor}{getattr(sys, 'abiflags', '')}."
    for name in names:
        if tag in name:
            with suppress(OSError):  # another process may be reading or removing it
                (folder / name).unlink()
    return False


@functools.cache
def _listed(folder: Path) -> list[str]:
    """List the files of a folder once: there are some sixty kernels."""
    return [name for name in os.listdir(folder) if name.endswith((".nbi", ".nbc"))]


def kept_on_disk() -> bool:
    """Whether there is machine code of kernels as they are now; numba is not loaded to find out."""
    current = {one.digest for one in _kernels}
    return any(current.intersection(path.name.split("-")) for folder in _folders() for path in folder.glob("*.nbi"))


def any_on_disk() -> bool:
    """Whether there is machine code of any kernel, perhaps of an earlier version; no kernel is loaded to find out."""
    return any(True for folder in _folders() for _ in folder.glob("*.nbi"))


def _folders() -> Iterator[Path]:
    """List the folders where numba may keep machine code of this package."""
    yield Path(__file__).parent / "__pycache__"
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        cache = Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "numba" / "Cache"
    elif sys.platform == "darwin":
        cache = home / "Library" / "Caches" / "numba"
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "numba"
    for place in (os.environ.get("NUMBA_CACHE_DIR"), cache):
        if place:
            yield from Path(place).glob("kernels_*")  # one for each installation, with a digest of where it is


def _announce() -> None:
    global _announced
    from unisono.processes import is_worker

    if not _announced and not is_worker():
        _announced = True
        print(
            "unisono: compiling for this computer, once for each kind of data; this takes about 20 seconds",
            file=sys.stderr,
        )
