"""All formats. A new one is a module of its own and a line here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from unisono.data import Data
from unisono.errors import DataError, OptionError, mention
from unisono.formats import conllu, cora, csv_format, jsonl, parquet, ratings_format, segeval, tsv_format
from unisono.formats.files import is_empty, read_head, refuse_binary, refuse_page
from unisono.formats.format import Format, Options
from unisono.formats.tools import (
    alto,
    brat,
    casjson,
    catma,
    docbin,
    doccano,
    eaf,
    gate,
    glozz,
    iob,
    labelstudio,
    page,
    prodigy,
    rttm,
    tei,
    textgrid,
    webanno,
    xmi,
)

FORMATS: tuple[Format, ...] = (
    parquet.FORMAT,
    docbin.FORMAT,
    segeval.FORMAT,
    xmi.FORMAT,
    casjson.FORMAT,
    labelstudio.FORMAT,
    prodigy.FORMAT,
    doccano.FORMAT,
    webanno.FORMAT,
    textgrid.FORMAT,
    rttm.FORMAT,
    conllu.FORMAT,
    brat.FORMAT,
    eaf.FORMAT,
    gate.FORMAT,
    glozz.FORMAT,
    page.FORMAT,
    alto.FORMAT,
    catma.FORMAT,
    tei.FORMAT,
    cora.FORMAT,
    iob.FORMAT,
    jsonl.FORMAT,
    tsv_format.FORMAT,
    csv_format.FORMAT,
    ratings_format.FORMAT,
)
"""In the order in which they are asked whether a file is theirs; CSV takes any text, so nobody is asked after it, and
CorA-XML takes any XML, so other XML goes before it."""


def by_name(name: str) -> Format:
    """Give the format of a name."""
    for candidate in FORMATS:
        if candidate.name == name.lower():
            return candidate
    names = ", ".join(candidate.name for candidate in FORMATS)
    raise OptionError(f"{name!r} is unknown; the formats are: {names}", "format")


def by_content(path: Path) -> Format:
    """Find a file's format from its first bytes and its name."""
    for candidate in FORMATS:
        if candidate.may_be_empty and is_empty(path) and path.suffix.lower() in candidate.suffixes:
            return candidate
    head = read_head(path)
    refuse_page(head, path)
    for candidate in FORMATS:
        if candidate.sniff(head, path):
            guessed = candidate is csv_format.FORMAT and path.suffix.lower() not in candidate.suffixes
            return replace(candidate, read=_read_as_csv) if guessed else candidate
    refuse_binary(head, path)
    raise DataError(f"the format is not recognized; name it with {mention('format', '…')}", path=path)


def _read_as_csv(path: Path, options: Options) -> Data:
    """Read a file that may be anything."""
    try:
        return csv_format.FORMAT.read(path, options)
    except DataError as error:
        why = "the format is not known by its name or content, so it was taken for CSV"
        raise DataError(f"{why}: {error.message}", path=error.path, line=error.line) from None


def by_suffix(path: Path) -> Format:
    """Find the format to write from a file's name."""
    writable = [candidate for candidate in FORMATS if candidate.write is not None]
    for candidate in writable:
        if path.suffix.lower() in candidate.suffixes:
            return candidate
    suffixes = ", ".join(suffix for candidate in writable for suffix in candidate.suffixes)
    folder = "" if path.suffix else f", or write a folder for brat with {mention('format', 'brat')}"
    raise DataError(f"the name does not tell a format to write; end it in one of {suffixes}{folder}", path=path)
