"""Building blocks of drawings: plain SVG, without scripts, fonts or anything from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from unisono.reporting.markup import escaped, text_width


def px(number: float) -> str:
    """Write a number of pixels."""
    return f"{round(number, 2) + 0.0:.12g}"


def tag(name: str, content: str = "", **attributes: str | float) -> str:
    """Write an element; its attributes are escaped, its content must be.

    Underscores in attributes stand for hyphens, so that ``class_`` is the class.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(value) if isinstance(value, str) else px(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def svg_text(words: str, x: float, y: float, class_: str = "", **attributes: str | float) -> str:
    """Write text; its baseline begins at (x, y)."""
    named: dict[str, str | float] = {"class_": class_} if class_ else {}
    return tag("text", words, **named, x=x, y=y, **attributes)


def clipped(parts: Iterable[str], x: float, y: float, width: float, height: float) -> str:
    """Cut off what is beyond a rectangle; an inner svg element does so without needing an id."""
    box = " ".join(map(px, (x, y, width, height)))
    return tag("svg", "\n".join(parts), x=x, y=y, width=width, height=height, viewBox=box, overflow="hidden")


def drawing(
    parts: Iterable[str], width: float, height: float, *, title: str, description: str, style: tuple[str, str]
) -> str:
    """Make a whole drawing of elements, from the back to the front.

    Title and description say what it shows, in short and at length; the style is a class and its style sheet (see
    `palette.scoped`).
    """
    inside = [
        tag("title", escaped(title)) + tag("desc", escaped(description)),
        f"<style>{style[1]}</style>",
        tag("rect", class_="paper", width=width, height=height, rx=6),
        *parts,
    ]
    return tag(
        "svg",
        "\n".join(["", *inside, ""]),
        xmlns="http://www.w3.org/2000/svg",
        class_=style[0],
        role="img",
        aria_label=title,
        viewBox=f"0 0 {px(width)} {px(height)}",
        width=width,
        height=height,
        style="max-width:100%;height:auto",
    )


KEY_ROW = 22.0
"""The height of a row of a key."""


class KeyEntry(NamedTuple):
    """A swatch, drawn with its upper left corner at (0, 0), its width, and what it means."""

    label: str
    swatch: str = ""
    width: float = 0.0


def key_rows(
    entries: Iterable[KeyEntry],
    left: float,
    right: float,
    y: float,
    *,
    size: float,
    write: Callable[[str], str] = escaped,
) -> tuple[list[str], float]:
    """Place the entries of a key side by side, in as many rows as needed; return the parts, and where the rows end.

    The rows go from `left` to `right`, the first at `y`; `size` is that of the text, and `write` writes a label.
    """
    parts, x = [], left
    for label, swatch, width in entries:
        begin = width + 5 if swatch else 0.0
        end = begin + text_width(label, size)
        if x > left and x + end > right:
            x, y = left, y + KEY_ROW
        if swatch:
            parts.append(tag("g", swatch, transform=f"translate({px(x)} {px(y + 3)})"))
        parts.append(svg_text(write(label), x + begin, y + 13, "" if swatch else "soft"))
        x += end + 14
    return parts, y + KEY_ROW
