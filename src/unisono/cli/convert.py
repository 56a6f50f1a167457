"""`unisono convert`: from one format to another."""

from __future__ import annotations

import sys

from unisono.cli.options import Force, Output, Paths, SafeCsv, To, with_groups
from unisono.cli.reading import Reading
from unisono.cli.spelling import naming
from unisono.errors import plural


@with_groups
def convert(
    paths: Paths, reading: Reading, output: Output, to: To = None, safe_csv: SafeCsv = False, force: Force = False
) -> None:
    """Convert annotations from one format to another.

    What the new format cannot store is reported.

    Examples
    --------
    unisono convert annotations.csv -o annotations.jsonl
    unisono convert corpus/ --format brat -o corpus.csv
    """
    from unisono.formats.writing import refuse_target, write

    with naming(format="--to"):
        refuse_target(output, format=to, overwrite=force, safe=safe_csv, inputs=reading.inputs(paths))
    data = reading.data(paths)
    with naming(format="--to"):
        lost = write(data, output, format=to, overwrite=force, safe=safe_csv)
    documents, annotators = plural(len(data.documents), "document"), plural(len(data.annotators), "annotator")
    for sentence in [*lost, f"{output}: {documents} of {annotators}"]:
        print(sentence, file=sys.stderr)
