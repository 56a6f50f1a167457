"""Checks of what users pass as parameters: a wrong type or value is an `OptionError` that names the parameter."""

from __future__ import annotations

import inspect
import secrets
from collections.abc import Iterable
from io import IOBase
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any

from unisono.errors import OptionError


def check_number(value: Any, name: str, *, above: float = -inf, low: float = -inf, high: float = inf) -> float:
    """Return a finite number, which must be above a limit, or within two.

    Parameters
    ----------
    value : object
        What was passed.
    name : str
        The parameter's name.
    above, low, high : float
        Its limits; `above` itself is excluded, `low` and `high` are included.
    """
    try:
        number = float(value) if isinstance(value, Real) and not _is_flag(value) else inf
    except OverflowError:
        number = inf
    if not isfinite(number):
        raise OptionError(f"expected a number, not {_shown(value)}", name)
    if not (number > above and low <= number <= high):
        raise OptionError(f"expected a number {_range(above, low, high)}, not {number:g}", name)
    return number


def check_share(value: Any, name: str, example: float) -> float:
    """Return a number between 0 and 1, both excluded."""
    number = check_number(value, name)
    if not 0 < number < 1:
        raise OptionError(f"expected a number between 0 and 1, e.g. {example:g}, not {number:g}", name)
    return number


def check_whole(value: Any, name: str, *, low: int = 0, high: int | None = None) -> int:
    """Return a whole number from a limit up, perhaps to another."""
    if _is_flag(value) or not isinstance(value, Integral):
        raise OptionError(f"expected a whole number, not {_shown(value)}", name)
    if value < low:
        raise OptionError(f"expected a whole number from {low} up, not {value}", name)
    if high is not None and int(value) > high:
        raise OptionError(f"expected a whole number up to {high:,}, not {_shown(value)}", name)
    return int(value)


def check_flag(value: Any, name: str) -> bool:
    """Return True or False."""
    if not _is_flag(value):
        raise OptionError(f"expected True or False, not {_shown(value)}", name)
    return bool(value)


def check_choice(value: Any, name: str, choices: Iterable[str]) -> str:
    """Return one of some words."""
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        raise OptionError(f"expected {', '.join(known[:-1])} or {known[-1]}, not {_shown(value)}", name)
    return value


def check_text(value: Any, name: str) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise OptionError(f"expected a text, not {_shown(value)}", name)
    return value


def check_optional_text(value: Any, name: str) -> str | None:
    """Return a text, or None."""
    return None if value is None else check_text(value, name)


def check_function(value: Any, name: str, *arguments: str) -> Any:
    """Return a function that can be called with these arguments, as far as Python shows it, or None."""
    if value is not None and not callable(value):
        raise OptionError(f"expected a function, not {_shown(value)}", name)
    if value is not None and arguments:
        try:
            called = inspect.signature(value)
        except (TypeError, ValueError):  # some built-in functions do not say
            return value
        try:
            called.bind(*arguments)
        except TypeError as error:
            how = f"{name}({', '.join(arguments)})"
            raise OptionError(f"the function is called as {how}, which fails: {error}", name) from None
    return value


def check_names(value: Any, name: str) -> list[str]:
    """Return several names; a single one may stand alone."""
    names = [value] if isinstance(value, str) else None if isinstance(value, dict) else list_of(value)
    if names is None or not all(isinstance(one, str) for one in names):
        raise OptionError(f"expected a list of names, not {_shown(value)}", name)
    return names


def list_of(value: Any) -> list[Any] | None:
    """Return the elements of a list or the like; None for anything else, arrays without dimensions and files too."""
    if isinstance(value, IOBase) or not isinstance(value, Iterable):
        return None
    try:
        return list(value)
    except TypeError:
        return None


def check_seed(rng: Any, name: str = "rng") -> int:
    """Return the seed: a whole number from 0 up, one drawn from a Generator, or a fresh one for None."""
    if hasattr(rng, "bit_generator"):
        return int(rng.integers(2**63))
    if rng is None:
        return secrets.randbits(32)
    if _is_flag(rng) or not isinstance(rng, Integral):
        raise OptionError(f"expected a whole number, a numpy Generator or None, not {_shown(rng)}", name)
    if rng < 0:
        raise OptionError(f"the seed must be a whole number from 0 up, not {rng}", name)
    return int(rng)


def _is_flag(value: Any) -> bool:
    """Whether this is True or False, of Python or of NumPy, which need not be loaded for this."""
    return isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}… ({type(value).__name__})"


def _range(above: float, low: float, high: float) -> str:
    least = f"above {above:g}" if above > -inf else f"from {low:g} up" if high == inf else f"from {low:g}"
    return least if high == inf else f"{least} to {high:g}"
