"""Formulas of the pages as MathML."""

from __future__ import annotations

import importlib.util
import re
import unicodedata
from xml.etree.ElementTree import fromstring

import pytest
from pages import DOCS

pytest.importorskip("markdown", reason="the site is built by zensical, in the extra docs")


def load():
    spec = importlib.util.spec_from_file_location("formulas", DOCS / "formulas.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


FORMULAS = load()
BLOCKS = re.compile(r"^ *```formula\n(.*?)^ *```$", flags=re.M | re.S)
ON_PAGES = [
    line
    for page in sorted(DOCS.glob("*.md"))
    for block in BLOCKS.findall(page.read_text())
    for line in block.splitlines()
]
TAG = "{http://www.w3.org/1998/Math/MathML}"


def written(formula):
    """Write the tree of a formula without the name space: tag(children) or the sign itself."""

    def of(element):
        tag = element.tag.removeprefix(TAG)
        inside = ",".join(of(child) for child in element) or element.text
        return inside if tag in ("mi", "mn", "mo", "mtext", "math") else f"{tag}({inside})"

    return of(fromstring(FORMULAS.mathml(formula)))


@pytest.mark.parametrize(
    ("formula", "tree"),
    [
        ("γ = 1 − δ_o/δ_e", "γ,=,1,−,mfrac(msub(δ,o),msub(δ,e))"),
        ("Σ d/n", "∑,mfrac(d,n)"),
        ("2 a b / (c + d)", "mfrac(mrow(2,a,b),mrow(c,+,d))"),
        ("x + 2 a / b", "x,+,mfrac(mrow(2,a),b)"),
        ("((a + b)/2)²", "msup(mrow((,mfrac(mrow(a,+,b),2),)),2)"),
        ("√(1 − r_ft²)", "msqrt(mrow(1,−,msubsup(r,mrow(f,t),2)))"),
        ("Σ_{i≠j} d_pos", "munder(∑,mrow(i,≠,j)),msub(d,pos)"),
        ("l.. l*_k", "msub(l,··),msubsup(l,k,*)"),
        ("1/(n(n − 1)) x", "mfrac(1,mrow(n,mrow((,n,−,1,)))),x"),
    ],
)
def test_what_is_read_is_set(formula, tree):
    assert written(formula) == tree


def test_no_letter_or_number_of_a_page_is_lost():
    """Fractions lose their brackets and indices their signs; everything else is still there, in the same order."""
    assert len(ON_PAGES) > 20

    def signs(text):
        return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", text.replace("Σ", "∑")))

    for formula in ON_PAGES:
        shown = "".join(fromstring(FORMULAS.mathml(formula)).itertext())
        assert sorted(signs(shown)) == sorted(signs(formula)), formula


def test_indices_in_text_are_lowered_and_names_are_not():
    import markdown

    text = "δ_o/δ_e of n_ck and γ_cat; krippendorff_alpha, SANTA_1, `a_b`, [x](a_b.md)"
    made = markdown.markdown(text, extensions=[FORMULAS.Formulas()])
    assert re.findall(r"(\w+)<sub>(\w+)</sub>", made) == [("δ", "o"), ("δ", "e"), ("n", "ck"), ("γ", "cat")]
