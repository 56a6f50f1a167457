"""Lines of fields separated by delimiters, with their line numbers."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any

from unisono.errors import DataError, OptionError
from unisono.formats.files import Bad, blocks, head_text, read_head, reject_binary, text_lines
from unisono.formats.numbers import looks_numeric

LONGEST_LINE = 2**20
_DELIMITERS = (",", "\t", ";", "|")
_NAMED = {"tab": "\t", "\\t": "\t"}
_TABBED = (".tsv", ".tab")
_SAMPLE = 50


def find_delimiter(
    path: Path, given: str | None, fits: Callable[[Sequence[str]], bool], codec: str | None = None
) -> str:
    """Find what separates the fields of a file, unless it is given; `fits` says whether a first record can be right."""
    if given is not None:
        delimiter = _NAMED.get(given.lower(), given)
        if len(delimiter) != 1 or delimiter in '"\r\n':
            raise OptionError(f"{given!r} should be a single character, or tab", "delimiter")
        return delimiter
    head = read_head(path)
    reject_binary(head, path, codec)
    samples = {delimiter: _sample(head_text(head, codec), delimiter) for delimiter in _DELIMITERS}
    if _has_decimal_commas(samples[";"]):
        del samples[","]
    fitting = [delimiter for delimiter, sample in samples.items() if sample and fits(sample[0])]
    named = "\t" if path.suffix.lower() in _TABBED else ""
    return max(fitting or samples, key=lambda delimiter: (*_evenness(samples[delimiter]), delimiter == named))


def _has_decimal_commas(sample: Sequence[Sequence[str]]) -> bool:
    """Whether semicolons separate fields, since those with a comma are numbers."""
    fields = [field for record in sample for field in record if "," in field]
    return _evenness(sample)[0] == len(sample) > 0 and bool(fields) and all(map(looks_numeric, fields))


def delimited_records(path: Path, delimiter: str, codec: str | None = None) -> Generator[list[str], None, None]:
    """Iterate over a file's records; empty ones are skipped."""
    try:
        with _reader(path, delimiter, codec) as reader:
            yield from (one for one in islice(reader, 1) if _filled(one) and not _is_hint(one, 0))
            # as `_filled`, without calling it for a million records
            yield from (one for one in filter(any, reader) if len(one) > 1 or not one[0].isspace())
    except csv.Error:
        for _ in numbered_records(path, delimiter, codec):  # fails as well, and knows the line
            pass
        raise


def numbered_records(
    path: Path, delimiter: str, codec: str | None = None
) -> Generator[tuple[int, list[str]], None, None]:
    """Iterate over a file's records more slowly, each with the line where it begins."""
    with _reader(path, delimiter, codec) as reader:
        while True:
            line = reader.line_num + 1
            try:
                record = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                raise DataError(_explained(error), path=path, line=line) from None
            if _filled(record) and not _is_hint(record, line - 1):
                yield line, record


def readable_records(
    path: Path, delimiter: str, wrong: Callable[[list[str]], str | None], bad: Bad, codec: str | None = None
) -> Generator[tuple[int, list[str]], None, None]:
    """Iterate over those records that can be read, each with the line where it begins; `bad` takes the others' errors.

    `wrong` says what is wrong with a record, if something is. A bad record is one line: lines below it that an open
    quotation mark takes in are read again, which does not take much longer, because the length of a field is limited.
    If the first record, which may be a header, is bad, that is an error.
    """
    early: list[DataError] = []
    report: Bad = early.append
    with closing(blocks(path, LONGEST_LINE, lambda error: report(error), codec)) as found:
        feed = _Feed(chain.from_iterable(found))
        how = _quoting(path, delimiter, codec, lambda error: None)
        reader = csv.reader(feed, **how)
        while True:
            line = feed.begin()
            try:
                record = next(reader)
                hint = _is_hint(record, line - 1)
                message = wrong(record) if _filled(record) and not hint else None
            except StopIteration:
                break
            except csv.Error as error:
                message = _explained(error)
                reader = csv.reader(feed, **how)
            if message is not None:
                report(DataError(message, path=path, line=line))
                feed.retreat()
                continue
            if not _filled(record) or hint:
                continue
            if report is not bad:
                _report_below(early, line, bad)
                report = bad
            yield line, record
    if report is not bad:
        _report_below(early, line, bad)


def _report_below(errors: Sequence[DataError], first: int, bad: Bad) -> None:
    """Raise an error above the first record; report those below it."""
    for error in errors:
        if (error.line or 0) < first:
            raise error
        bad(error)


class _Feed:
    """Lines for a reader, which can be had again."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._taken: list[str] = []
        self._again: list[str] = []
        self._line = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        text = self._again.pop() if self._again else next(self._lines)
        self._taken.append(text)
        self._line += 1
        return text

    def begin(self) -> int:
        """Begin with a record; return its line."""
        self._taken.clear()
        return self._line + 1

    def retreat(self) -> None:
        """Go back to the line after the one where the record began."""
        self._again.extend(reversed(self._taken[1:]))
        self._line -= max(0, len(self._taken) - 1)


@contextmanager
def _reader(path: Path, delimiter: str, codec: str | None) -> Iterator[Any]:
    with closing(blocks(path, LONGEST_LINE, codec=codec)) as found:
        yield csv.reader(chain.from_iterable(found), **_quoting(path, delimiter, codec))


def _quoting(path: Path, delimiter: str, codec: str | None, bad: Bad | None = None) -> dict[str, Any]:
    """Return how csv should read a file."""
    plain = delimiter == "\t" and _has_plain_quotes(path, codec, bad)
    return {"delimiter": delimiter, "strict": True, "quoting": csv.QUOTE_NONE if plain else csv.QUOTE_MINIMAL}


def _has_plain_quotes(path: Path, codec: str | None, bad: Bad | None) -> bool:
    """Whether quotation marks are text: all lines have as many tabs, and some field only begins with a mark.

    Many programs write tables with tabs and quote nothing. If the first name is enclosed in marks, fields are.
    """
    n_tabs: int | None = None
    opened = False
    for line in text_lines(path, LONGEST_LINE, bad, codec):
        fields = line.rstrip("\r\n").split("\t")
        if n_tabs is None and fields[0].startswith('"') and not _is_only_opened(fields[0]):
            return False
        n_tabs = len(fields) if n_tabs is None else n_tabs
        opens = '"' in line and any(map(_is_only_opened, fields))
        if len(fields) != n_tabs and line.strip():
            if bad is None or opens:
                return False
            continue  # a bad line, which is skipped later
        opened = opened or opens
    return opened


def _is_only_opened(field: str) -> bool:
    return field.startswith('"') and not (len(field) > 1 and field.endswith('"') and field.count('"') % 2 == 0)


def _filled(record: Sequence[str]) -> bool:
    return any(record) and (len(record) > 1 or not record[0].isspace())


def _is_hint(record: Sequence[str], number: int) -> bool:
    """Whether this is the first line, which tells Excel what separates fields: sep=; in a file with semicolons."""
    return number == 0 and len(record) == 2 and record[0].removeprefix("\ufeff").lower() == "sep=" and not record[1]


def _sample(text: str, delimiter: str) -> list[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    sample = []
    try:
        for number, record in enumerate(islice(filter(_filled, reader), _SAMPLE)):
            if not _is_hint(record, number):
                sample.append(record)
    except csv.Error:
        pass
    return sample


def _evenness(sample: Sequence[Sequence[str]]) -> tuple[int, int]:
    if not sample or len(sample[0]) < 2:
        return 0, 0
    return sum(len(record) == len(sample[0]) for record in sample), len(sample[0])


def _explained(error: csv.Error) -> str:
    if "field larger" in str(error):
        return f"a field has more than {csv.field_size_limit():,} characters; is a quotation mark left open?"
    if "end of data" in str(error):
        return "a quotation mark that opens here is never closed; close it, or double it if it is text"
    return f"the quotation marks are unbalanced ({error}); quote whole fields and double the marks inside"
