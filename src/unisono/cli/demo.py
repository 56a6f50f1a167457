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
    """Measure built-in annotations, and write the report on them."""
    from unisono.cli.screen import screen
    from unisono.demo import demo_path
    from unisono.formats import read
    from unisono.measurement.gamma import gamma
    from unisono.output import refuse
    from unisono.reporting.full_report.writing import report
    from unisono.reporting.terminal import show

    overwrite = force or output == _PAGE
    refuse(output, overwrite=overwrite, inputs=[demo_path()])
    result = gamma(read(demo_path()))
    report(result, output, title="unisono demo", overwrite=overwrite)
    hints = [
        f"See where: open {output} in a browser, the report on this data.",
        f"The data: {demo_path()}",
    ]
    show(screen, result, without=result.leave_one_out(), hints=hints)
