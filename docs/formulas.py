"""Formulas of the pages as MathML: a Markdown extension, so that the site needs no script and no font for them.

Formulas are written as plain text that people can read as it is, in blocks of the language `formula`:

    d_pos(u, v) = ((|start(u) − start(v)| + |end(u) − end(v)|) / (length(u) + length(v)))²

`_` begins an index, `_{…}` a longer one. What stands on both sides of `/` becomes a fraction and loses the brackets
around it; with blanks around `/`, all factors of the product before and after it belong to it. In text, indices
such as δ_o are lowered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from markdown import Extension, Markdown
from markdown.inlinepatterns import InlineProcessor

_TOKEN = re.compile(
    r"(?P<number>\d+(?:[.,]\d+)*)|(?P<power>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|\*)|(?P<sum>[Σ∏])|(?P<name>[A-Za-zα-ωΑ-Ω\u0304]+)|(?P<index>_)"
    r"|(?P<root>√)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<bar>\|)|(?P<over>\s*/\s*)|(?P<blank>\s+)|(?P<sign>\.\.|\S)"
)
_POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "−0123456789")
_ENDS_PRODUCT = "=≠≤≥<>+−·,;:→∈"
_INDEXED = r"(?<![\w\\])((?:[tcuk]?[α-ω]|[^\W\d_])̄?)_(\w{1,8}|∅)(?![\w])"


class Formulas(Extension):
    """Lowers indices in text; `fence` makes blocks."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (the name that Markdown calls)
        """Register the pattern, after those of code and links."""
        md.inlinePatterns.register(_Indexed(_INDEXED, md), "indexed", 75)


class _Indexed(InlineProcessor):
    def handleMatch(self, found: re.Match[str], data: str) -> tuple[Element, int, int]:  # noqa: N802 (as above)
        whole = Element("span")
        whole.text = found[1]
        SubElement(whole, "sub").text = found[2]
        return whole, found.start(0), found.end(0)


def fence(source: str, *_: object, **__: object) -> str:
    """Return the formulas of a block, one per line."""
    return "".join(f'<div class="formula">{mathml(line)}</div>' for line in source.splitlines() if line.strip())


def mathml(formula: str) -> str:
    """Return a formula as MathML."""
    top = Element("math", {"xmlns": "http://www.w3.org/1998/Math/MathML", "display": "block"})
    top.extend(_Reader(formula).sequence(""))
    return tostring(top, encoding="unicode")


class _Reader:
    """Reads the tokens of a formula from left to right."""

    def __init__(self, formula: str) -> None:
        self.tokens = [(found.lastgroup or "", found[0]) for found in _TOKEN.finditer(formula.strip())]
        self.place = 0

    @property
    def next(self) -> tuple[str, str]:
        return self.tokens[self.place] if self.place < len(self.tokens) else ("", "")

    def take(self) -> tuple[str, str]:
        self.place += 1
        return self.tokens[self.place - 1]

    def sequence(self, closing: str) -> list[Element]:
        """Read to a closing bracket or the end: operators and what they join."""
        done: list[Element] = []
        product = 0  # where the product begins to which a loose fraction belongs
        while self.place < len(self.tokens) and not (closing and self.next[1] == closing):
            kind, text = self.next
            if kind == "over":
                self.take()
                loose = text != text.strip() and text.strip() == "/"
                above = done[product:] if loose else done[-1:]
                below = self.product(closing) if loose else [self.factor()]
                del done[product if loose else len(done) - 1 :]
                done.append(_fraction(above, below))
            elif kind == "blank":
                self.take()
            elif kind == "sign" and text in _ENDS_PRODUCT:
                self.take()
                done.append(_element("mo", text))
                product = len(done)
            else:
                done.append(self.factor())
        return done

    def product(self, closing: str) -> list[Element]:
        """Read factors up to an operator that ends a product."""
        done: list[Element] = []
        while self.place < len(self.tokens) and self.next[1] != closing:
            kind, text = self.next
            if kind in ("close", "over") or (kind == "sign" and text in _ENDS_PRODUCT):
                break
            if kind == "blank":
                self.take()
            else:
                done.append(self.factor())
        return done

    def factor(self) -> Element:
        """Read a name, a number or a group with its index and its power."""
        base = self.atom()
        index, power = None, None
        while self.next[0] in ("index", "power") or self.next[1] == "..":
            kind, text = self.take()
            if text == "..":
                index = _element("mo", "··")
            elif kind == "power":
                power = _element("mn", text.translate(_POWERS))
            else:
                index = self.index()
        return _scripted(base, index, power)

    def index(self) -> Element:
        _, text = self.take()
        if text == "{":
            inside = _row(self.sequence("}"))
            self.take()
            return inside
        whole = text
        while self.next[0] in ("name", "number"):
            whole += self.take()[1]
        if len(whole) > 2:  # a word, such as pos; otherwise several indices, such as ck
            return _element("mi", whole)
        return _row([_element("mn" if sign.isdigit() else "mi", sign) for sign in whole])

    def atom(self) -> Element:
        kind, text = self.take()
        if kind in ("open", "bar"):
            closing = {"(": ")", "[": "]", "{": "}", "|": "|"}[text]
            inside = self.sequence(closing)
            if self.place < len(self.tokens):
                self.take()
            return _row([_element("mo", text), *inside, _element("mo", closing)])
        if kind == "root":
            root = Element("msqrt")
            root.append(_bare(self.factor()))
            return root
        if kind == "sum":
            return _element("mo", {"Σ": "∑"}.get(text, text))
        if kind == "number":
            return _element("mn", text)
        if kind == "name":
            words = (
                len(text) > 1 and self.next[0] not in ("index", "open", "power") and text.islower() and text.isascii()
            )
            return _element("mtext", f" {text} ") if words else _element("mi", text)
        return _element("mo", text)


def _fraction(above: Sequence[Element], below: Sequence[Element]) -> Element:
    made = Element("mfrac")
    for part in (above, below):
        made.append(_bare(part[0]) if len(part) == 1 else _row(part))
    return made


def _scripted(base: Element, index: Element | None, power: Element | None) -> Element:
    if index is None and power is None:
        return base
    is_sum = base.tag == "mo" and base.text in ("∑", "∏")
    names = ("munder", "mover", "munderover") if is_sum else ("msub", "msup", "msubsup")
    made = Element(names[1] if index is None else names[0] if power is None else names[2])
    made.extend(part for part in (base, index, power) if part is not None)
    return made


def _bare(part: Element) -> Element:
    """Return what is in brackets; fractions and roots need none."""
    return _row(list(part)[1:-1]) if part.tag == "mrow" and len(part) > 2 and part[0].text in ("(", "{") else part


def _row(parts: Sequence[Element]) -> Element:
    if len(parts) == 1:
        return parts[0]
    made = Element("mrow")
    made.extend(parts)
    return made


def _element(tag: str, text: str) -> Element:
    made = Element(tag)
    made.text = text
    return made


def makeExtension(**options: object) -> Extension:  # noqa: N802 (the name that Markdown calls)
    """Return the extension."""
    return Formulas(**options)
