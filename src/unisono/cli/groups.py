"""Groups of annotators as they are written on the command line."""

from __future__ import annotations

from unisono.errors import OptionError


def groups_of(written: list[str] | None) -> dict[str, list[str]]:
    """Read groups, e.g. experts=anna,bert."""
    groups: dict[str, list[str]] = {}
    for text in written or ():
        name, equals, members = text.partition("=")
        people = [member.strip() for member in members.split(",") if member.strip()]
        if not (name.strip() and equals and people):
            raise OptionError(f"--group {text}: write a name, =, and annotators, e.g. experts=anna,bert")
        if name.strip() in groups:
            raise OptionError(f"--group {text}: there is a group {name.strip()!r} already; give it another name")
        groups[name.strip()] = people
    return groups
