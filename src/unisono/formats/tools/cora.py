"""CorA-XML, which the annotation tool CorA writes (Bollmann et al. 2014): one annotator's version of one text.

A ``<token>`` holds diplomatic tokens (``dipl``, ``tok_dipl``), the words as the source has them, and modernized tokens
(``mod``, ``anno``, ``tok_anno``), the words that are annotated. In the attribute ``trans``, symbols mark where the two
differ: a *merge* symbol (``#``) if several diplomatic tokens are one modernized token, and a *split* symbol (``|``, in
ReN ``§``) if one is several. Barteld et al. (2016) read the former as the space that it stands for and leave out the
latter, so that changing tokens leaves the text as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from unisono.errors import DataError, mention
from unisono.formats.collected import Collected, collecting
from unisono.formats.files import head_text
from unisono.formats.format import Format, Instructions
from unisono.formats.tools.words import Words
from unisono.formats.xml_reading import Element, elements

_MODERNIZED = ("mod", "anno", "tok_anno")
_NO_LAYERS = ("cora-flag", "suggestions", "comment", "sec_comment", "cora-comment")
_FORMS = ("utf", "trans", "ascii")
_ROOT = re.compile(r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*)*<text[\s>]", re.DOTALL)


@collecting
def read(collected: Collected) -> None:
    """Read modernized tokens as units, with their layers as features."""
    spelling = _spelling(collected.instructions)
    words = Words()
    n_tokens, n_modernized, gap = 0, 0, ""
    is_new = False
    for element in elements(collected.path):
        match element.names:
            case ("text", "token"):
                n_tokens += 1
                is_new = True
                gap = " " if words.length else ""
            case ("text", "token", name) if name in _MODERNIZED:
                n_modernized += is_new
                is_new = False
                if form := spelling.form(element):
                    words.write(gap)
                    gap = ""
                words.add(words.length, words.length + len(form), element.line)
                words.write(form)
            case ("text", "token", name, layer) if name in _MODERNIZED and layer not in _NO_LAYERS:
                if tag := element.attributes.get("tag"):
                    words.label(layer, tag)
            case (root,) if root != "text":
                known = f"no format is recognized by the root element <{root}> (CorA-XML has <text>)"
                raise DataError(f"{known}; name the format with {mention('format', '…')}", line=element.line)
    if not words.spans:
        missing = f"none of the {n_tokens:,} tokens has a mod (or anno, tok_anno)" if n_tokens else "there is no token"
        raise DataError(f"{missing}, so nothing was annotated; check the file")
    words.dropped["tokens without modernized tokens"] += n_tokens - n_modernized
    words.collect(collected)


@dataclass(frozen=True, slots=True)
class _Spelling:
    """Which of a token's forms makes the text, and what is replaced in it."""

    text: str | None
    replaced: Mapping[str, str]

    def form(self, element: Element) -> str:
        """Return a modernized token's form; it may be empty."""
        if self.text is None:
            form = next((element.attributes[name] for name in _FORMS if name in element.attributes), "")
        elif self.text in element.attributes:
            form = element.attributes[self.text]
        else:
            other = mention("options", {"text": "…"})
            message = f"the {element.names[-1]} has no {self.text}; add it, or choose another with {other}"
            raise DataError(message, line=element.line)
        for symbol, meaning in self.replaced.items():
            form = form.replace(symbol, meaning)
        return form


def _spelling(instructions: Instructions) -> _Spelling:
    given = instructions.options
    symbols = {given[name]: meaning for name, meaning in (("merge", " "), ("split", "")) if name in given}
    return _Spelling(instructions.choice("text", _FORMS, None) or ("trans" if symbols else None), symbols)


def _sniff(head: bytes, path: Path) -> bool:
    begin = head_text(head).removeprefix("\ufeff")
    return path.suffix.lower() in FORMAT.suffixes or begin.startswith("<?xml") or bool(_ROOT.match(begin))


FORMAT = Format(
    name="cora",
    title="CorA-XML",
    suffixes=(".xml",),
    reads="modernized tokens (mod, anno, tok_anno) as units on the text that they make, and each layer, such as pos, "
    "lemma or norm, as a feature. Annotator and document: from the path",
    ignores="diplomatic tokens, layout, header, shift tags, flags, suggestions and comments",
    options={
        "text": "the form that makes the text: utf, trans or ascii; by default the first of these that a token has",
        "merge": "the symbol in trans for words of the source that were joined, such as #; read as a space",
        "split": "the symbol in trans for words of the source that were split, such as | or §; left out",
    },
    names_annotators=False,
    sniff=_sniff,
    read=read,
)
