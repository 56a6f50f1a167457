"""Phrases about what was left out, which become singular if they count one thing."""

from __future__ import annotations

import pytest

from unisono.data.left_out import counted, told_dropped


@pytest.mark.parametrize(
    ("several", "one"),
    [
        ("units of other layers", "unit of other layers"),
        ("units for which this does not hold: labels != 'x'", "unit for which this does not hold: labels != 'x'"),
        ("units that cover no token and have length 0 now", "unit that covers no token and has length 0 now"),
        ("documents whose own tokens overlap, are empty", "document whose own tokens overlap, are empty"),
        ("columns that are not annotators, so not read: notes", "column that is not an annotator, so not read: notes"),
        ("column read as the items' names: ids", "column read as the items' names: ids"),
        ("files or records that could not be read", "file or record that could not be read"),
        ("files that are not read because of their names", "file that is not read because of its name"),
        ("tiers, each taken as an annotator", "tier, taken as an annotator"),
        ("free texts, which are not labels", "free text, which is not a label"),
        ("coded areas of pages and pictures", "coded area of pages and pictures"),
        ("earlier responses of one person", "earlier response of one person"),
        ("codings that assign cases, not codes", "coding that assigns cases, not codes"),
        ("lines (SPKR-INFO), which have no time", "line (SPKR-INFO), which has no time"),
        ("texts whose categories have scores", "text whose categories have scores"),
        ("annotations, which are not annotators'", "annotation, which is not annotators'"),
        ("<rs>, which is not taken for an annotation", "<rs>, which is not taken for an annotation"),
        (
            "relations without one of their ends, for example R1 (Ties, a.ann, line 4): targets T9 is not there",
            "relation without one of its ends: R1 (Ties, a.ann, line 4): targets T9 is not there",
        ),
    ],
)
def test_one_is_singular(several, one):
    assert counted(1, several) == one
    assert counted(0, several) == counted(2, several) == several


def test_told_with_numbers():
    dropped = {"labels that cleaning leaves empty": 1, "units of other layers": 1_200}
    assert [*told_dropped(dropped)] == ["1 label that cleaning leaves empty", "1,200 units of other layers"]
