"""`unisono demo`: measure built-in data, and write a report and the data."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from unisono.cli.help import OUTPUT
from unisono.cli.options import Force
from unisono.cli.printing import screen

_PAGE = Path("unisono-demo.html")
_DATA = "annotations.jsonl"
_TITLE = "unisono demo"


def demo(
    output: Annotated[Path, OUTPUT("FILE", "The page to write.", "--output", "-o")] = _PAGE,
    force: Force = False,
) -> None:
    """Measure built-in annotations, and write a report on them.

    A good start: it needs no data, and shows what `measure` prints and what `report` writes. Beside the page, it writes
    the data, annotations.jsonl, for further commands.

    Examples
    --------
    unisono demo
    unisono demo -o page.html
    """
    from unisono.demo import demo_path
    from unisono.formats import read
    from unisono.measurement.gamma import gamma
    from unisono.output import refuse
    from unisono.reporting.full_report.writing import report
    from unisono.reporting.pieces import refuse_page_name
    from unisono.reporting.terminal import show

    refuse_page_name(output)
    own = output.is_file() and f"<title>{_TITLE}</title>".encode() in output.read_bytes()
    overwrite = force or own
    refuse(output, overwrite=overwrite, inputs=[demo_path()])
    result = gamma(read(demo_path()))
    report(result, output, title=_TITLE, overwrite=overwrite)
    if own:
        print(f"{output}: the page of an earlier demo was replaced", file=sys.stderr)
    hints = [f"See where: open the report on this data, {output}, in a browser.", _data_beside(output)]
    show(screen(), result, without=result.leave_one_out(), hints=hints)


def _data_beside(page: Path) -> str:
    """Write the data beside the page, unless there is a file of that name; say where the data is."""
    from unisono.demo import demo_path
    from unisono.output import new_file

    place, content = page.with_name(_DATA), demo_path().read_bytes()
    if not place.exists():
        with new_file(place) as stream:
            stream.write(content)
    elif place.read_bytes() != content:
        return f"The data: {demo_path()} ({place} is another file, and was not replaced)"
    return f"The data: {place}, for further commands, e.g. unisono gold {place} -o gold.jsonl"
