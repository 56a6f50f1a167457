"""`unisono convert`: from one format to another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from unisono.cli.options import Force, Paths
from unisono.cli.reading import Reading, reads


@reads
def convert(
    reading: Reading,
    paths: Paths,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write, or the folder for brat.")],
    to: Annotated[
        str | None, typer.Option("--to", help="The format to write, e.g. jsonl, csv, brat; else by the file's name.")
    ] = None,
    force: Force = False,
) -> None:
    """Read annotations in any format, and write them in another; say what that cannot hold."""
    from unisono.formats import write

    data = reading.data(paths)
    for lost in write(data, output, format=to, overwrite=force):
        print(lost, file=sys.stderr)
    print(f"{output}: {len(data.documents):,} documents of {len(data.annotators):,} annotators", file=sys.stderr)
