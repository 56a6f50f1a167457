"""Help pages: what a command is for and examples come first, options are grouped under headings, nothing is cut off."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup


@dataclass(frozen=True)
class Heading:
    """A heading of help pages, under which options are declared."""

    title: str

    def __call__(
        self,
        metavar: str,
        text: str,
        *names: str,
        complete: Callable[[str], Any] | None = None,
        least: int | None = None,
    ) -> Any:
        """Declare an option: what its value is in a word (empty for a switch), what it is for, and how it is written.

        Without names, it is written like its parameter. `complete` is what a shell offers, `least` its smallest value.
        """
        return typer.Option(
            *names,
            metavar=metavar or None,
            help=text,
            min=least,
            autocompletion=complete,
            rich_help_panel=self.title,
        )

    def field(self, default: Any, *declared: Any, **more: Any) -> Any:
        """Declare an option that is a field of a dataclass (see `options.with_groups`), with its default first."""
        return field(default=default, metadata={"option": self(*declared, **more)})


MEASURING = Heading("Measuring")
COMPARING = Heading("Comparing")
SIMULATING = Heading("Simulating")
DRAFTING = Heading("Drafting")
OUTPUT = Heading("Output")
READING = Heading("Reading")
PREPARING = Heading("Preparing")
WORK = Heading("Work")

_LONG_NAME = 24
"""Longer names have a separate line."""
_ARGUMENTS, _OTHER = "Arguments", "Other"
_SECTIONS = (MEASURING, COMPARING, SIMULATING, DRAFTING, OUTPUT, READING, PREPARING, WORK)
_ORDER = [_ARGUMENTS, *(section.title for section in _SECTIONS), _OTHER]


class Command(TyperCommand):
    """A command whose help begins with what it is for."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the whole page."""
        _write_purpose(self.help or "", formatter)
        formatter.write_paragraph()
        self.format_usage(ctx, formatter)
        _write_options(self.get_params(ctx), formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options; a number that is none is reported like any other wrong value."""
        words = list(args)
        try:
            return super().parse_args(ctx, args)
        except typer.BadParameter as error:
            expected = _expected_number(error, words)
            if expected is None:
                raise
            print(f"unisono: {expected}", file=sys.stderr)
            raise typer.Exit(2) from None

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what follows the command's name in its usage line."""
        return ["[OPTIONS]", *(str(one.metavar) for one in self.get_params(ctx) if one.param_type_name == "argument")]


class Group(TyperGroup):
    """All commands, under headings."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the whole page."""
        _write_purpose(self.help or "", formatter)
        formatter.write_paragraph()
        self.format_usage(ctx, formatter)
        width = max(map(len, self.commands))
        sections: dict[str, list[tuple[str, str]]] = {}
        for name, command in self.commands.items():
            heading = getattr(command, "rich_help_panel", _OTHER)
            sections.setdefault(heading, []).append((f"{name:{width}}", command.get_short_help_str()))
        for heading, rows in sections.items():
            _write_section(heading, rows, formatter)
        _write_options(self.get_params(ctx), formatter)


def _expected_number(error: Any, words: list[str]) -> str | None:
    """Say which number an option expects, if that is what is wrong."""
    limit = re.search(r"(?:equal to |>=)(-?[0-9]+)", error.message)
    if error.param is None or not (limit or re.search("integer|number|float", error.message)):
        return None
    option = max(error.param.opts, key=len)
    whole = "a whole number" if limit or "integer" in error.message else "a number"
    least = f" from {limit[1]} up" if limit else ""
    joined = next((word for word in words if word.startswith(f"{option}=")), "")
    given = joined.partition("=")[2] if joined else words[words.index(option) + 1]
    return f"{option}: expected {whole}{least}, not {given!r}"


def _write_purpose(docstring: str, formatter: Any) -> None:
    """Write a docstring: text is filled, the lines of a section such as Examples are kept."""
    for number, paragraph in enumerate(docstring.split("\n\n")):
        if number:
            formatter.write_paragraph()
        heading, *lines = paragraph.splitlines()
        if lines and set(lines[0]) == {"-"}:
            formatter.write_heading(heading)
            formatter.write("".join(f"  {line}\n" for line in lines[1:]))
        else:
            formatter.write_text(paragraph)


def option_rows(parameters: list[Any]) -> dict[str, list[tuple[str, str]]]:
    """Return arguments and options with what they mean, under their headings, in the order of help pages."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for one in parameters:
        is_argument = one.param_type_name == "argument"
        heading = _ARGUMENTS if is_argument else getattr(one, "rich_help_panel", None) or _OTHER
        if not getattr(one, "hidden", False):
            row = (one.metavar, one.help) if is_argument else (_names(one), _meaning(one))
            sections.setdefault(heading, []).append(row)
    return {heading: sections[heading] for heading in sorted(sections, key=_ORDER.index)}


def _write_options(parameters: list[Any], formatter: Any) -> None:
    for heading, rows in option_rows(parameters).items():
        _write_section(heading, rows, formatter)


def _write_section(heading: str, rows: list[tuple[str, str]], formatter: Any) -> None:
    """Write names on the left and what they mean on the right; names with hyphens are not broken."""
    formatter.write_paragraph()
    formatter.write_heading(heading)
    width = 4 + min(_LONG_NAME, max(len(name) for name, _ in rows))
    for name, meaning in rows:
        lines = textwrap.wrap(meaning, formatter.width - width, break_on_hyphens=False)
        beside = len(name) + 4 <= width
        first = f"{'  ' + name:{width}}{lines.pop(0)}" if beside else f"  {name}"
        formatter.write("".join(f"{line}\n" for line in (first, *(" " * width + line for line in lines))))


def _names(option: Any) -> str:
    names = ", ".join(sorted(option.opts, key=len))
    names += "".join(f" / {other}" for other in option.secondary_opts)
    return names if option.is_flag else f"{names} {option.metavar}"


def _meaning(option: Any) -> str:
    if option.required:
        return f"{option.help}  [required]"
    given = isinstance(option.default, str | int | float | Path) and not isinstance(option.default, bool)
    return f"{option.help}  [default: {option.default}]" if given and option.default != "" else option.help
