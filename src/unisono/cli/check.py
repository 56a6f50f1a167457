"""`unisono check`: the conditions of unisono.toml, for continuous integration."""

from __future__ import annotations

import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.gating import FAILED
from unisono.cli.help import OUTPUT
from unisono.cli.options import Force, SeededCrew, with_groups
from unisono.cli.printing import Printing
from unisono.cli.progress import progress_bar
from unisono.cli.spelling import naming_keys
from unisono.cli.streams import visible
from unisono.errors import UnisonoError

if TYPE_CHECKING:
    from unisono.gates import Checked


@with_groups
def check(
    crew: SeededCrew,
    printing: Printing,
    path: Annotated[
        Path, typer.Argument(metavar="[PATH]", help="A file of checks, or a folder with unisono.toml in it.")
    ] = Path("unisono.toml"),
    markdown: Annotated[bool, OUTPUT("", "Print Markdown, for the summary of a pull request.", "--markdown")] = False,
    junit: Annotated[Path | None, OUTPUT("FILE", "A file of JUnit XML to write as well.", "--junit")] = None,
    force: Force = False,
) -> None:
    """Check that agreement is as high as unisono.toml says.

    For continuous integration: the exit status is 3 if a check fails, and 1 if one cannot be run. docs/ci.md shows how.

    Examples
    --------
    unisono check
    unisono check unisono.toml --junit agreement.xml
    """
    from unisono.gates import as_markdown, junit_xml, run_checks
    from unisono.gates.definition import read_checks
    from unisono.output import new_file, refuse

    printing.check(markdown=markdown)
    if junit is not None:
        sources = [one for check in read_checks(path) for one in check.source.paths]
        refuse(junit, overwrite=force, inputs=[path, *sources])
    with crew.hands() as workers, progress_bar("check") as tell:
        found = run_checks(path, rng=crew.seed, workers=workers, progress=tell)
    _spelled(found)
    if junit is not None:
        with new_file(junit, overwrite=force) as stream:
            stream.write(junit_xml(found, datetime.now(UTC)))
    if markdown:
        print(as_markdown(found), end="")
    else:
        printing.print(found)
    if found.having("error") or found.having("failed"):
        sys.stdout.flush()
        problems = "; ".join(one.sentence for one in found if one.status != "passed")
        print(f"unisono: {visible(problems)}", file=sys.stderr)
        raise typer.Exit(1 if found.having("error") else FAILED)


def _spelled(found: Checked) -> None:
    """Write parameters in errors as keys of the file."""
    from unisono.gates.definition import CHECK_KEYS
    from unisono.studies.written import PREPARE, READ_ONE

    keys = frozenset({*CHECK_KEYS, *READ_ONE, *PREPARE})
    for one in found.having("error"):
        with suppress(UnisonoError), naming_keys(keys):
            raise one.error or AssertionError
