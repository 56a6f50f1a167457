"""TSV: CSV with tabs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from unisono.formats import csv_format, csv_writing

FORMAT = replace(
    csv_format.FORMAT,
    name="tsv",
    title="TSV",
    suffixes=(".tsv", ".tab"),
    reads="the same as CSV",
    sniff=lambda head, path: path.suffix.lower() in (".tsv", ".tab") and csv_format.FORMAT.sniff(head, path),
    write=partial(csv_writing.write, delimiter="\t"),
)
