"""`unisono demo`: the main job on built-in data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unisono.cli.options import Force

_PAGE = Path("unisono-demo.html")


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="The page to write.")] = _PAGE,
    force: Force = False,
) -> None:
    """Measure built-in annotations and draw them on a page."""
    from unisono.cli.screen import screen
    from unisono.demo import demo_path
    from unisono.formats import read
    from unisono.measures.gamma import gamma
    from unisono.output import new_file
    from unisono.report.page import page
    from unisono.report.terminal import show

    result = gamma(read(demo_path()))
    with new_file(output, overwrite=force or output == _PAGE) as stream:
        stream.write(page(result, "unisono demo").encode())
    hints = [
        f"The same with the alignments drawn: open {output} in a browser.",
        f"The data: {demo_path()}",
    ]
    show(screen, result, without=result.leave_one_out(), hints=hints)
