"""`unisono convert`: from one format to another."""

from __future__ import annotations

import sys

from unisono.cli.options import Force, Output, Paths, To
from unisono.cli.reading import Reading, reads
from unisono.errors import plural


@reads
def convert(
    reading: Reading,
    paths: Paths,
    output: Output,
    to: To = None,
    force: Force = False,
) -> None:
    """Read annotations in any format, and write them in another; say what that cannot hold."""
    from unisono.formats.writing import refuse_target, write

    refuse_target(output, format=to, overwrite=force, inputs=reading.inputs(paths))
    data = reading.data(paths)
    for lost in write(data, output, format=to, overwrite=force):
        print(lost, file=sys.stderr)
    documents, annotators = plural(len(data.documents), "document"), plural(len(data.annotators), "annotator")
    print(f"{output}: {documents} of {annotators}", file=sys.stderr)
