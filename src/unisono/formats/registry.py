"""All formats. A new one is a module with its declaration, and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from unisono.checks import check_text
from unisono.data import Data, Export
from unisono.errors import DataError, OptionError, mention
from unisono.formats import csv_format, json_tables, jsonl, parquet, ratings_format, statistics_files, workbooks
from unisono.formats.files import is_empty, read_head, reject_binary, reject_page
from unisono.formats.format import Format, Instructions, ProjectLayout
from unisono.formats.tools import (
    alto,
    alttest,
    argilla,
    brat,
    casjson,
    catma,
    conllu,
    cora,
    docbin,
    doccano,
    eaf,
    gate,
    glozz,
    inspect_log,
    iob,
    judge_bench,
    labelstudio,
    labelstudio_min,
    lewidi,
    page,
    potato,
    prodigy,
    refi,
    rttm,
    segeval,
    spacy_json,
    tei,
    textgrid,
    webanno,
    webanno2,
    xmi,
)

_BY_CONTENT = (
    docbin,
    inspect_log,
    judge_bench,
    lewidi,
    refi,
    segeval,
    xmi,
    casjson,
    spacy_json,
    labelstudio,
    labelstudio_min,
    argilla,
    potato,
    prodigy,
    doccano,
    alttest,
    webanno,
    webanno2,
    textgrid,
    rttm,
    conllu,
    brat,
)
_XML = (eaf, gate, glozz, page, alto, catma, tei, cora)
FORMATS: tuple[Format, ...] = (
    parquet.FORMAT,
    workbooks.FORMAT,
    statistics_files.FORMAT,
    *(tool.FORMAT for tool in (*_BY_CONTENT, *_XML, iob, json_tables, jsonl)),
    csv_format.TSV,
    csv_format.FORMAT,
    ratings_format.FORMAT,
)
"""In the order in which they are asked whether a file is theirs; CSV takes any text, so none is asked after it, and
CorA-XML takes any XML, so other XML formats come before it."""

PROJECTS: tuple[ProjectLayout, ...] = tuple(dict.fromkeys(known.project for known in FORMATS if known.project))
"""How tools arrange the projects that they export."""


def by_name(name: str, *, writing: bool = False) -> Format:
    """Return the format of a name; if it is to be written, the message about an unknown one lists only such formats."""
    wanted = check_text(name, "format").lower()
    for candidate in FORMATS:
        if candidate.name == wanted:
            return candidate
    names = ", ".join(one.name for one in reversed(FORMATS) if one.is_written or not writing)
    raise OptionError(f"unknown format {name!r}; available: {names}", "format")


def by_content(path: Path) -> Format:
    """Find a file's format from its first bytes and its name."""
    for candidate in FORMATS:
        if candidate.may_be_empty and is_empty(path) and path.suffix.lower() in candidate.suffixes:
            return candidate
    head = read_head(path)
    reject_page(head, path)
    for candidate in FORMATS:
        if candidate.sniff(head, path):
            guessed = candidate is csv_format.FORMAT and path.suffix.lower() not in candidate.suffixes
            return replace(candidate, read=_read_as_csv) if guessed else candidate
    reject_binary(head, path)
    raise DataError(f"the format is not recognized; name it with {mention('format', '…')}", path=path)


def reader(name: str, *, guessed: bool) -> Callable[[Path, Instructions], Data | Export]:
    """Return what reads the files of a format, by its name; `guessed` if nothing said that a file is CSV."""
    return _read_as_csv if guessed else by_name(name).read


def _read_as_csv(path: Path, instructions: Instructions) -> Data | Export:
    """Read a file that may be anything."""
    try:
        return csv_format.FORMAT.read(path, instructions)
    except DataError as error:
        why = "the format is not recognized by name or content, so it was taken for CSV"
        raise DataError(f"{why}: {error.message}", path=error.path, line=error.line) from None


def by_suffix(path: Path) -> Format:
    """Find the format to write from a file's name."""
    named = [candidate for candidate in FORMATS if path.suffix.lower() in candidate.suffixes]
    for candidate in named:
        if candidate.write is not None and not candidate.written_by_name:
            return candidate
    why = "the file name does not show which format to write"
    if named:
        by = f" by this name; name the format with {mention('format', named[0].name)}"
        why = f"{named[0].title} can be read but not written{by if named[0].is_written else ''}"
    usual = [one for one in reversed(FORMATS) if one.write and not one.written_by_name]
    suffixes = ", ".join(suffix for one in usual for suffix in one.suffixes)
    folder = "" if path.suffix else f", or write a folder for brat with {mention('format', 'brat')}"
    raise DataError(f"{why}; end the name in one of {suffixes}{folder}", path=path)
