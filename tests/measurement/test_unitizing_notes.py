"""What measures for units say about the units."""

from __future__ import annotations

from unisono.data import Corpus
from unisono.data.labelled_units import labelled_units
from unisono.measurement.unitizing.units import facts_of, notes_on


def test_notes():
    marked = [("A", 0, 3, "x", "d1"), ("B", 0, 2, "x", "d1"), ("A", 0, 3, None, "d2"), ("B", 1, 1, "x", "d2")]
    marked += [("A", 0, 1, "x", "d3"), ("A", 0, 1, "x", "d4")]
    who, start, end, category, document = zip(*marked, strict=True)
    data = Corpus.from_columns(
        annotator=who,
        start=start,
        end=end,
        document=document,
        features={"category": category},
        texts={("d1", "A"): "one", ("d1", "B"): "two"},
    )
    assert notes_on(facts_of(labelled_units(data))) == (
        "2 of 4 documents are left out: fewer than two annotators worked on them",
        "1 unit has no label, which is treated as a category of its own",
        "annotators have different texts in d1; positions are compared without alignment",
        "the start and end of the continuum of document d2 were guessed from the units, so gaps at its ends are "
        "not seen; provide the text or the bounds",
        "1 unit of length 0 covers nothing and does not count",
    )
    assert len(notes_on(facts_of(labelled_units(data)), extent=False, lengths=False)) == 3
