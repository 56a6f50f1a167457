"""Annotators whom paths name: the files have to name the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from unisono.data import Corpus
from unisono.errors import DataError, plural
from unisono.formats.patterns import Pattern


def check_people(corpus: Corpus, pattern: Pattern, renamed: Mapping[str, str]) -> None:
    """Reject files that do not name the annotator of their path.

    What a file says counts, so the units would be those of somebody whom no folder and no group knows.

    Raises
    ------
    DataError
        For the first such file.
    """
    wrong, people = {}, people_of_files(corpus)
    for file, found in people.items():
        names = pattern.names(file.as_posix())
        who = None if names is None else names.annotator
        if who is not None and renamed.get(who, who) not in {renamed.get(name, name) for name in found}:
            wrong[file] = who
    if wrong:
        file = min(wrong)
        others = f"; this also concerns {plural(len(wrong) - 1, 'more file')}" if len(wrong) > 1 else ""
        raise DataError(_differing(wrong[file], [*people[file]], pattern.text) + others, path=file)


def people_of_files(corpus: Corpus) -> dict[Path, dict[str, None]]:
    """Return the annotators in each file."""
    people: dict[Path, dict[str, None]] = {}
    for (_, annotator), (file, _) in corpus.origins.items():
        people.setdefault(Path(file), {})[corpus.annotators[annotator]] = None
    return people


def _differing(who: str, found: Sequence[str], pattern: str) -> str:
    """Explain that a file names other annotators, and what to write into study.toml if this is right."""
    change = ""
    if len(found) == 1:
        change = f'"{found[0]}" = "{who}" in [rename.annotators]'
    elif "{group}" not in pattern:
        change = f'pattern = "{pattern.replace("{annotator}", "*")}"'
    said = f"the path names the annotator {who!r}, but the file names {' and '.join(map(repr, found))}"
    return f"{said}; make them the same" + (f", or write into study.toml: {change}" if change else "")
