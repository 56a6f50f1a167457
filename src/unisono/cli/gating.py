"""What ends a command with exit status 3: measured, but not good enough."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from unisono.cli.completion import one_of
from unisono.cli.help import COMPARING, MEASURING
from unisono.cli.streams import visible
from unisono.errors import OptionError

if TYPE_CHECKING:
    from unisono.comparison import Comparison
    from unisono.gates import Gate, Outcome
    from unisono.measurement.registry import Measure
    from unisono.results import Result

FAILED = 3
"""The exit status."""


@dataclass(frozen=True)
class Gating:
    """What a measure must reach."""

    under: float | None = MEASURING.field(
        None, "VALUE", "Exit with status 3 if the value is under this one, e.g. 0.7.", "--fail-under"
    )
    over: float | None = MEASURING.field(
        None, "VALUE", "The same for errors such as window-diff: exit with status 3 if it is over.", "--fail-over"
    )
    on: str | None = MEASURING.field(
        None,
        "WHAT",
        "What must not be under: the value (default), or low, the lower limit of its interval (--fail-over: high).",
        "--fail-on",
        complete=one_of("value", "low", "high"),
    )

    def gate(self) -> Gate | None:
        """Return the gate, if there is one; without options, nothing is loaded for it."""
        if self.under is None and self.over is None and self.on is None:
            return None
        from unisono.gates.gate import gate_of

        return gate_of(self.under, self.over, self.on)


def check_sides(gate: Gate | None, measures: Iterable[Measure]) -> None:
    """Raise OptionError if more is better, and the gate is for errors, or the other way round."""
    if gate is not None:
        from unisono.gates.gate import check_side

        for one in measures:
            check_side(gate, one.declaration.name, one.declaration.scale)


def judge(gate: Gate | None, results: Iterable[Result]) -> None:
    """End with status 3 if a value is not good enough."""
    if gate is not None:
        from unisono.gates.gate import outcome_of

        end([outcome_of(gate, one) for one in results])


@dataclass(frozen=True)
class Margin:
    """How much worse than another something may be."""

    non_inferior: float | None = COMPARING.field(
        None,
        "MARGIN",
        "Exit with status 3 unless the second study, or each model, is at most this much worse than the first, or than "
        "people, e.g. 0.05; what counts is the limit of the interval.",
    )
    fail_on: str | None = COMPARING.field(
        None,
        "WHAT",
        "What must be within the margin: low, the limit of the interval (default), or the value of the difference.",
        complete=one_of("low", "value"),
    )

    def check(self) -> None:
        """Raise OptionError if the options are wrong, before the long work."""
        from unisono.checks import check_choice, check_number

        if self.non_inferior is not None:
            check_number(self.non_inferior, "non_inferior", low=0)
        elif self.fail_on is not None:
            raise OptionError("--fail-on needs --non-inferior; add it, or leave it out")
        if self.fail_on is not None:
            check_choice(self.fail_on, "on", ("low", "value"))

    def judge(self, found: Iterable[Comparison]) -> None:
        """End with status 3 if one is worse than its margin."""
        if self.non_inferior is not None:
            from unisono.gates.gate import non_inferior

            end([non_inferior(one, self.non_inferior, self.fail_on or "low") for one in found])


def end(outcomes: Iterable[Outcome]) -> None:
    """Say what is not good enough, and end with status 3; do nothing if all is."""
    failed = [one.said for one in outcomes if not one.passed]
    if failed:
        sys.stdout.flush()
        print(f"unisono: {visible('; '.join(failed))}", file=sys.stderr)
        raise typer.Exit(FAILED)
