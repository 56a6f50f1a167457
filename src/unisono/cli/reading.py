"""Options that define what is read and how it is prepared; commands that read annotations share them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from unisono.cli.completion import cleaning_steps, format_names, one_of
from unisono.cli.help import PREPARING, READING
from unisono.cli.progress import progress_bar
from unisono.cli.spelling import as_reading_option, shell_word, spelled_by, told
from unisono.cli.values import continuum_in, names_in, pairs_in, steps_in
from unisono.errors import DataError, listed, spelled_out

if TYPE_CHECKING:
    from unisono.data import Corpus, Data, Export
    from unisono.measurement.registry import Measure
    from unisono.streaming.measuring import Streaming

_OPTION = "a name, =, and a value, e.g. text=trans,merge=#"
_MOST_LISTED = 20

SkipBad = Annotated[bool, READING("", "Skip files and records that cannot be read, and list them.", "--skip-bad")]


@dataclass(frozen=True)
class Reading:
    """What a user specifies about the files and what counts in them; each field is an option."""

    format: str | None = READING.field(
        None,
        "FORMAT",
        "The format of the files; detected automatically by default. See `unisono formats`.",
        complete=format_names,
    )
    pattern: str | None = READING.field(
        None,
        "PATTERN",
        'Where annotator and document appear in paths, e.g. "{annotator}/{document}.xml"; * for anything else.',
    )
    annotator_from: str | None = READING.field(
        None,
        "PLACE",
        "Where the annotator's name comes from: folder, file, tier or field.",
        complete=one_of("folder", "file", "tier", "field"),
    )
    option: str | None = READING.field(
        None, "NAME=VALUE", "Options of the format, e.g. text=trans,merge=#; see `unisono formats`."
    )
    columns: str | None = READING.field(
        None, "OURS=YOURS", "The names of your columns, e.g. document=doc,category=label or item=id,label=tag."
    )
    runs: str | None = READING.field(
        None,
        "COLUMN",
        "The column with the run of a model: annotators are then called gpt#1, gpt#2 …; the same as --columns "
        "run=COLUMN.",
    )
    delimiter: str | None = READING.field(None, "CHARACTER", "The character that separates the fields of a table.")
    encoding: str | None = READING.field(
        None, "NAME", "The encoding of a table, e.g. windows-1252; UTF-8 or detected by default."
    )
    decimal: str | None = READING.field(
        None,
        "CHARACTER",
        "The character before decimals, a point or a comma; by default a comma where semicolons separate numbers.",
        complete=one_of(".", ","),
    )
    sheet: str | None = READING.field(None, "NAME", "The sheet of a spreadsheet: its name, or its number from 1.")
    worked: Path | None = READING.field(
        None,
        "FILE",
        "A table with the columns document and annotator: who worked on what, including those who marked nothing.",
    )
    continuum: str | None = READING.field(None, "START:END", "Where every continuum starts and ends, e.g. 0:5000.")
    discontinuous: str = READING.field(
        "together",
        "HOW",
        "What to do with units in several pieces: together (one unit with several anchors), whole (from first to "
        "last), pieces (one unit per piece), main (the main piece only) or drop.",
        complete=one_of("together", "whole", "pieces", "main", "drop"),
    )
    units: str | None = READING.field(
        None,
        "KIND",
        "Which annotations to read if there are several kinds: spans, relations, events, items (labels of whole items) "
        "or tokens (labels in columns of each token).",
        complete=one_of("spans", "relations", "events", "items", "tokens"),
    )
    skip_bad: SkipBad = False
    annotators: str | None = PREPARING.field(None, "NAMES", "Only these annotators, e.g. anna,bert.")
    documents: str | None = PREPARING.field(None, "NAMES", "Only these documents, e.g. text1,text2.")
    layer: list[str] | None = PREPARING.field(
        None,
        "NAME",
        "Only units of this layer, tier or type (can be repeated), or the labels of items for this question.",
    )
    features: str | None = PREPARING.field(None, "NAMES", "Only these features, e.g. pos,lemma.")
    where: str | None = PREPARING.field(
        None,
        "CONDITION",
        "Only units that meet this condition, e.g. 'category != \"O\" and length > 3', or labels of items, e.g. "
        '\'label != "unclear" and annotator != "bert"\'.',
    )
    clean: list[str] | None = PREPARING.field(
        None,
        "STEPS",
        "Ignore differences in case, quotes or spaces in labels, e.g. case,spaces; or a replacement such as "
        "'s/ *= */=/', or 'cut=|' to remove | and everything after it; can be repeated.",
        complete=cleaning_steps,
    )
    missing: str | None = PREPARING.field(
        None, "LABELS", 'Labels of items that mean that there is no label, e.g. "n/a,don\'t know".'
    )
    join: str | None = PREPARING.field(None, "NAMES", "Join features into one category, e.g. speaker,addressee.")
    positions: str | None = PREPARING.field(
        None,
        "TOKENS",
        "Count positions in tokens: tokens (those of the file, else Unicode words), tokens(own), tokens(unicode) or "
        "tokens(regex=…).",
        complete=one_of("tokens", "tokens(own)", "tokens(unicode)", "tokens(regex="),
    )
    merge_adjacent: bool = PREPARING.field(
        False, "", "Merge units that touch and have the same labels.", "--merge-adjacent"
    )

    def data(self, paths: Sequence[Path], workers: int | None = None) -> Data:
        """Read the files and prepare what they hold; report on stderr what was left out."""
        with spelled_by(as_reading_option):
            given = self._read(paths, workers)
            data = self._prepared(given)
        self._report(data, were_any=given.n_units > 0)
        return data

    def spans(self, paths: Sequence[Path], data: Data, workers: int | None = None) -> Data | None:
        """Read the spans beside relations or events, without what chooses among these; None if there are none."""
        from unisono.data.unit_kinds import COMPOSITE, SPANS

        if self.units not in COMPOSITE or SPANS not in getattr(data, "others", {}):
            return None
        kept = replace(
            self, units=SPANS, layer=None, features=None, where=None, clean=None, join=None, merge_adjacent=False
        )
        with spelled_by(as_reading_option):
            return kept._prepared(kept._read(paths, workers, again=True))

    @contextmanager
    def streaming(
        self, paths: Sequence[Path], folder: Path, measures: Sequence[Measure], seed: int, base: Path | None
    ) -> Iterator[Streaming]:
        """Read the files into a folder in pieces, and prepare what they hold; report the same."""
        from unisono.streaming.measuring import streaming

        bad: list[DataError] = []
        with ExitStack() as until_the_end:
            with spelled_by(as_reading_option), progress_bar("read") as tell:
                how = {**self._how(), "bad": bad.append if self.skip_bad else None, "progress": tell}
                opened = until_the_end.enter_context(streaming(paths, folder, measures, seed, how, self._steps(), base))
            report_skipped(bad)
            self._report(opened.data, were_any=bool(self._filters()))
            yield opened

    def _report(self, data: Data, were_any: bool) -> None:
        """Report on stderr what was left out, and what may be wrong; an error if nothing is left."""
        from unisono.data.alike_names import alike_names

        if were_any and not data.n_units:
            raise DataError("the filters leave nothing to measure; check " + " ".join(self._filters()))
        report_dropped(data)
        for said in alike_names(data):
            print(said, file=sys.stderr)
        if not self.layer:
            _report_layers(data)

    def inputs(self, paths: Sequence[Path], *more: Path | None) -> list[Path]:
        """Return all paths that are read, so that none of them is overwritten."""
        return [path for path in (*paths, self.worked, *more) if path is not None]

    def words(self) -> list[str]:
        """Return the options as they were written, to write them again."""
        words: list[str] = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value == field.default:
                continue
            for one in value if isinstance(value, list) else [value]:
                words += [_option(field.name)] if one is True else [_option(field.name), str(one)]
        return words

    def _filters(self) -> list[str]:
        """Return the options that leave something out, as they were written."""
        given = {
            "annotators": self.annotators,
            "documents": self.documents,
            "layer": self.layer,
            "missing": self.missing,
            "where": self.where,
        }
        return [
            f"{_option(name)} {shell_word(','.join(value) if isinstance(value, list) else value)}"
            for name, value in given.items()
            if value
        ]

    def command(self, name: str, paths: Sequence[Path], *words: str) -> str:
        """Return a command that reads the same data in the same way, ready for a shell."""
        return " ".join(["unisono", *map(shell_word, [name, *map(_typed, paths), *words, *self.words()])])

    def base(self, path: Path) -> Corpus:
        """Read a pre-annotation in the same way."""
        from unisono.formats import read_base

        return read_base(path, format=self.format, options=pairs_in(self.option, "--option", _OPTION))

    def _read(self, paths: Sequence[Path], workers: int | None, *, again: bool = False) -> Data | Export:
        """Read the files; what is skipped is not reported again."""
        from unisono.formats import read

        bad: list[DataError] = []
        with progress_bar("read") as tell:
            data = read(paths, **self._how(), bad=bad.append if self.skip_bad else None, workers=workers, progress=tell)
        report_skipped([] if again else bad)
        return data

    def _how(self) -> dict[str, Any]:
        """Return the parameters of `read`."""
        return {
            "format": self.format,
            "pattern": self.pattern,
            "annotator_from": self.annotator_from,
            "options": pairs_in(self.option, "--option", _OPTION),
            "columns": self._columns(),
            "delimiter": self.delimiter,
            "encoding": self.encoding,
            "decimal": self.decimal,
            "sheet": self.sheet,
            "discontinuous": self.discontinuous,
            "units": self.units,
            "worked": self.worked,
            "continuum": continuum_in(self.continuum),
        }

    def _columns(self) -> dict[str, str] | None:
        """Return the names of columns, ours to theirs."""
        named = pairs_in(self.columns, "--columns", "our name, =, and yours, e.g. document=doc")
        return named if self.runs is None else {**(named or {}), "run": self.runs}

    def _prepared(self, data: Data | Export) -> Data:
        from unisono.preparation import prepare

        return prepare(data, **self._steps())

    def _steps(self) -> dict[str, Any]:
        """Return the parameters of `prepare` that are asked for."""
        steps = {
            "annotators": self.annotators and names_in(self.annotators),
            "documents": self.documents and names_in(self.documents),
            "layers": self.layer,
            "clean": self.clean and [step for written in self.clean for step in steps_in(written)],
            "missing": self.missing and names_in(self.missing),
            "where": self.where,
            "features": self.features and names_in(self.features),
            "join": self.join and names_in(self.join),
            "positions": self.positions,
            "adjacent": self.merge_adjacent,
        }
        return {name: value for name, value in steps.items() if value or value == ""}


def report_skipped(bad: Sequence[DataError]) -> None:
    """List on stderr what could not be read."""
    for error in bad[:_MOST_LISTED]:
        print(f"skipped: {told(error)}", file=sys.stderr)
    if len(bad) > _MOST_LISTED:
        print(f"skipped: {len(bad) - _MOST_LISTED:,} more", file=sys.stderr)


def report_dropped(data: Data) -> None:
    """Report on stderr what was left out or changed when data was read, and what else is there."""
    from unisono.data.left_out import told_dropped
    from unisono.data.unit_kinds import told_others

    for said in told_dropped(data.dropped):
        print(f"left out or changed: {said}", file=sys.stderr)
    for sentence in told_others(getattr(data, "others", {})):
        print(spelled_out(sentence, as_reading_option), file=sys.stderr)


def _report_layers(data: Data) -> None:
    """Report that units of several layers are measured together, if so."""
    from unisono.data import Corpus

    if not isinstance(data, Corpus) or not {"category", "type"} <= set(data.features):
        return
    layers = [str(label) for label in data.features["type"].labels]
    if len(layers) > 1:
        print(f"units of several layers are analysed together ({listed(layers)}); choose with --layer", file=sys.stderr)


def _option(field: str) -> str:
    return f"--{field.replace('_', '-')}"


def _typed(path: Path) -> str:
    """Write a path so that it is not mistaken for an option."""
    return f"./{path}" if str(path).startswith("-") else str(path)
