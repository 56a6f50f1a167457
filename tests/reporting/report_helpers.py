"""Alignments and results to draw, and ways to look at what was drawn."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET

import unisono
from unisono.alignment.alignment import Alignment
from unisono.alignment.solve import best_alignment
from unisono.data import Corpus
from unisono.demo import demo_path
from unisono.dissimilarity.category import Nominal
from unisono.dissimilarity.combined import Dissimilarity, weighted_features

HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a&b'c", "nul\x00 bell\x07 \ud800")


def aligned(*rows, document="document", category=True, **more):
    """Align rows of (annotator, start, end, category), all one document."""
    columns = list(zip(*rows, strict=True)) if rows else [(), (), (), ()]
    features = {"category": list(columns[3])} if category else {}
    corpus = Corpus.from_columns(
        document=[document] * len(rows),
        annotator=list(columns[0]),
        start=list(columns[1]),
        end=list(columns[2]),
        features=features,
        **more,
    )
    definition = Dissimilarity(features=weighted_features(tuple(features), Nominal()))
    dissimilarity = definition.bind(corpus.features)
    found = next(iter(corpus))
    units = found.annotation_set(dissimilarity.features)
    return Alignment(found, units, best_alignment(units, dissimilarity), dissimilarity)


def demo_result():
    """Measure the built-in data."""
    return unisono.gamma(unisono.read(demo_path()))


def parsed(svg):
    """Parse a picture without namespaces."""
    root = ET.fromstring(svg)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root


def classed(root, name):
    """Find the elements of a class."""
    return [element for element in root.iter() if name in element.get("class", "").split()]


def unit_numbers(root):
    """List the numbers of the units drawn."""
    return sorted(int(element.get("data-unit")) for element in root.iter() if element.get("data-unit"))


def bands(root):
    """List the pairs of units that are joined."""
    pairs = [element.get("data-units") for element in root.iter() if element.get("data-units")]
    return sorted(tuple(map(int, pair.split())) for pair in pairs)


def neighbours(alignment):
    """List the pairs of units that should be joined: each with the next below in its unitary alignment."""
    rows = [[unit for unit in row if unit >= 0] for row in alignment.solution.table.tolist()]
    return sorted(pair for row in rows for pair in itertools.pairwise(row))


def text_of(root):
    """Give all the text of a picture."""
    return " ".join(root.itertext())
