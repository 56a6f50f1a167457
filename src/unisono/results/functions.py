"""What stands for a user's function in a signature: its name, and a digest of all that its values can depend on.

Covered are code, constants, defaults, closures, bound arguments, the state of objects, and the globals that the
function reads, all of them recursively. Libraries and modules count by their name only.
"""

from __future__ import annotations

import dis
import hashlib
import re
import sys
from collections.abc import Iterator, Mapping, Set
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_DEEPEST = 100
"""Data that is nested deeper counts by its type."""
_NOT_BEHAVIOUR = {"__dict__", "__weakref__", "__doc__", "__module__", "__firstlineno__", "__static_attributes__"}
_PLAIN = (str, bytes, int, float, complex, type(None), type(...), np.generic)


def function_name(function: Any) -> str:
    """Return a function's name and the digest of what it does."""
    return f"{getattr(function, '__name__', 'function')}#{_Digests().of(function)[:8]}"


class _Digests:
    """Digests of objects, each computed once; an object within itself counts by how far up it is."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, str]] = {}  # with the objects, so that no other gets the same id
        self._open: list[int] = []

    def of(self, value: Any) -> str:
        if isinstance(value, _PLAIN):
            return _hashed([type(value).__name__, repr(value)])
        key = id(value)
        if key in self._known:
            return self._known[key][1]
        if key in self._open:
            return _hashed(["itself", str(len(self._open) - self._open.index(key))])
        if len(self._open) >= _DEEPEST:
            return _hashed([_named(type(value))])
        self._open.append(key)
        made = _hashed(self._parts(value))
        self._open.pop()
        self._known[key] = value, made
        return made

    def _parts(self, value: Any) -> Iterator[str | bytes]:
        yield _named(type(value))
        if isinstance(value, ModuleType | BuiltinFunctionType | np.ufunc) or _of_library(value):
            yield _named(value)
            yield self.of(getattr(value, "__self__", None)) if isinstance(value, BuiltinFunctionType) else ""
        elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
            yield f"{value.dtype.descr} {value.shape}"
            yield np.ascontiguousarray(value).tobytes()
        elif isinstance(value, Mapping):
            yield from (self.of(one) for pair in value.items() for one in pair)
        elif isinstance(value, Set):
            yield from sorted(map(self.of, value))
        elif isinstance(value, tuple | list):
            yield from map(self.of, value)
        elif isinstance(value, CodeType):
            yield value.co_code
            yield from map(self.of, (value.co_consts, value.co_names))
        elif isinstance(value, FunctionType):
            yield from map(self.of, (value.__code__, value.__defaults__, value.__kwdefaults__, vars(value)))
            yield from (self.of(cell) for cell in _contents(value))
            names = sorted({*_globals_read(value.__code__)} & value.__globals__.keys())
            yield from (self.of((name, value.__globals__[name])) for name in names)
        elif isinstance(value, MethodType):
            yield from map(self.of, (value.__func__, value.__self__))
        elif isinstance(value, property):
            yield from map(self.of, (value.fget, value.fset, value.fdel))
        elif isinstance(value, type):
            yield from (self.of(pair) for pair in sorted(vars(value).items()) if pair[0] not in _NOT_BEHAVIOUR)
            yield self.of(value.__bases__)
        elif (inner := getattr(value, "__wrapped__", None)) is not None:
            yield self.of(inner)
        else:
            yield from map(self.of, _state(value))


def _hashed(parts: Any) -> str:
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(b"%d:" % len(content) + content)
    return digest.hexdigest()


def _named(value: Any) -> str:
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', getattr(value, '__name__', ''))}"


def _of_library(value: Any) -> bool:
    """Whether this is a function or class of the standard library, an installed package, or of ours."""
    if not isinstance(value, FunctionType | type):
        return False
    module = sys.modules.get(value.__module__ or "")
    top = (value.__module__ or "").partition(".")[0]
    place = (getattr(module, "__file__", None) or "").replace("\\", "/")
    ours = top in ("unisono", "builtins") or (top in sys.stdlib_module_names and top != "__main__")
    return ours or "/site-packages/" in place


def _contents(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # a variable that has no value yet
            yield None


def _globals_read(code: CodeType) -> Iterator[str]:
    """Iterate over the names of globals that code reads, the functions within it included."""
    yield from (one.argval for one in dis.get_instructions(code) if one.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _globals_read(inner)


def _state(value: Any) -> list[Any]:
    """Return what copies of an object are made from, slots included; if it cannot be copied, how it is shown."""
    try:
        made = value.__reduce_ex__(4)
        parts = [made] if isinstance(made, str) else list(made[:3]) + [list(more) for more in made[3:5] if more]
    except Exception:  # whatever a user's class raises
        parts = [_ADDRESS.sub("", repr(value))]
    return [type(value), *parts]
