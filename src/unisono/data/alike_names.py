"""Names that are nearly the same, and may be meant to be the same."""

from __future__ import annotations

from collections.abc import Iterator

from unisono.data import Data


def alike_names(data: Data) -> Iterator[str]:
    """Ask about annotators, and roles of anchors, whose names differ only in case or spaces."""
    anchors = getattr(data, "anchors", None)
    for what, known in (("annotator", data.annotators), ("role", () if anchors is None else anchors.roles)):
        alike: dict[str, list[str]] = {}
        for name in known:
            alike.setdefault("".join(name.split()).casefold(), []).append(name)
        for names in alike.values():
            if len(names) > 1:
                yield f"{' and '.join(map(repr, names))} differ only in case or spaces; are they the same {what}?"
