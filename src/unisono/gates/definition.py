"""unisono.toml: which conditions the agreement of which data must meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unisono.checks import check_choice
from unisono.errors import DataError, OptionError
from unisono.gates.gate import LOW, VALUE, Gate, gate_of
from unisono.studies.written import PREPARE, READ_ONE, STUDY, KeyKind, check_table, load_toml

FILE_OF_CHECKS = "unisono.toml"
_TEXT, _TEXTS, _TABLE = READ_ONE["format"], STUDY["measure"], STUDY["read"]
_NUMBER = KeyKind("a number, without quotation marks", lambda value: type(value) in (int, float))
_CHECKS = KeyKind(
    "tables [[check]], each with its own conditions",
    lambda value: isinstance(value, list) and all(isinstance(one, dict) for one in value),
)
CHECK_KEYS: Mapping[str, KeyKind] = {
    "name": _TEXT,
    "path": _TEXTS,
    "measure": _TEXT,
    "category": _TEXT,
    "under": _NUMBER,
    "over": _NUMBER,
    "on": _TEXT,
    "against": _TEXTS,
    "model": _TEXTS,
    "humans": _TEXTS,
    "non_inferior": _NUMBER,
    "read": _TABLE,
    "prepare": _TABLE,
}
_FILE_KEYS: Mapping[str, KeyKind] = {"path": _TEXTS, "check": _CHECKS, "read": _TABLE, "prepare": _TABLE}


_READ: Mapping[str, KeyKind] = {**READ_ONE, "pattern": _TEXT}


@dataclass(frozen=True)
class GivenFiles:
    """Files, how they are read, and how what they hold is prepared; two that are equal are read once."""

    paths: tuple[Path, ...]
    read: Mapping[str, Any]
    prepare: Mapping[str, Any]


@dataclass(frozen=True)
class Check:
    """One condition of a file.

    Attributes
    ----------
    name : str
        What it is called; empty if it has no name of its own.
    source : GivenFiles
        The data.
    measure : str or None
        The measure with its parameters; by default one that fits the data.
    category : str or None
        The category whose value counts; by default all count.
    gate : Gate or None
        What the value must reach.
    against : GivenFiles or None
        An earlier study that this one is compared with.
    models, humans : tuple of str
        Models that are compared with people.
    margin : float or None
        How much worse than the earlier study, or than people, is still good enough.
    on : str
        What counts in comparisons: the limit of the interval, or the value.
    """

    name: str
    source: GivenFiles
    measure: str | None
    category: str | None
    gate: Gate | None
    against: GivenFiles | None
    models: tuple[str, ...]
    humans: tuple[str, ...]
    margin: float | None
    on: str


def read_checks(path: Path) -> list[Check]:
    """Read a file of conditions; paths in it are relative to its folder."""
    if path.is_dir():
        path = path / FILE_OF_CHECKS
    if not path.is_file():
        example = '[[check]] with path = "annotations.csv", measure = "krippendorff-alpha" and under = 0.7'
        raise DataError(f"there is no such file; write one, e.g. {example} (docs/ci.md)", path=path)
    given = check_table(load_toml(path), _FILE_KEYS, "the file", path)
    written = given.get("check", [])
    if not written:
        raise DataError("there is no [[check]] in the file; add one, see docs/ci.md", path=path)
    return [_check(one, f"[[check]] {number}", given, path) for number, one in enumerate(written, 1)]


def _check(written: Mapping[str, Any], what: str, given: Mapping[str, Any], path: Path) -> Check:
    own = check_table(written, CHECK_KEYS, what, path)
    try:
        return _checked(own, what, given, path)
    except OptionError as error:
        raise DataError(f"{what}: {error}", path=path) from None


def _checked(own: dict[str, Any], what: str, given: Mapping[str, Any], path: Path) -> Check:
    compared = [key for key in ("against", "model") if key in own]
    if len(compared) == 2:
        raise OptionError("against and model exclude each other; make two checks of them")
    alone = [key for key in ("category", "under", "over") if key in own]
    if compared and alone:
        raise OptionError(f"{compared[0]} is judged by non_inferior, so {alone[0]} does not apply; leave it out")
    if bool(compared) != ("non_inferior" in own):
        raise OptionError("non_inferior goes with model or against: by how much they may be worse; give both")
    if "humans" in own and "model" not in own:
        raise OptionError("humans goes with model; give both")
    on, gate = own.get("on"), None
    if not compared:
        gate = gate_of(own.get("under"), own.get("over"), on)
        if gate is None:
            raise OptionError("there is no condition; add under = 0.7, or over for a measure of errors")
    elif own["non_inferior"] < 0:
        raise OptionError(f"non_inferior should be 0 or more, not {own['non_inferior']:g}")
    return Check(
        name=own.get("name", ""),
        source=_source(own.get("path", given.get("path")), own, given, what, path),
        measure=own.get("measure"),
        category=own.get("category"),
        gate=gate,
        against=_source(own["against"], own, given, what, path) if "against" in own else None,
        models=tuple(own.get("model", ())),
        humans=tuple(own.get("humans", ())),
        margin=own.get("non_inferior"),
        on=check_choice(on or LOW, "on", (VALUE, LOW)) if compared else "",
    )


def _source(
    paths: list[str] | None, own: Mapping[str, Any], given: Mapping[str, Any], what: str, path: Path
) -> GivenFiles:
    if not paths:
        raise OptionError('there is no path; add path = "annotations.csv" to it, or above all checks')
    how = {}
    for key, known in (("read", _READ), ("prepare", PREPARE)):
        of_all = check_table(given.get(key, {}), known, f"[{key}]", path)
        how[key] = {**of_all, **check_table(own.get(key, {}), known, f"{key} of {what}", path)}
    if "worked" in how["read"]:
        how["read"]["worked"] = str(path.parent / how["read"]["worked"])
    return GivenFiles(tuple(path.parent / one for one in paths), how["read"], how["prepare"])
