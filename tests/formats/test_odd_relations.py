"""Relations that are odd, as tools' specifications allow them, or broken: nothing of them is lost silently."""

from __future__ import annotations

import json

import cassis
import pytest
from test_glozz import TEXT as GLOZZ_TEXT
from test_glozz import annotations, unit
from test_inception_relations import composite
from test_inception_relations import save as save

import unisono
from unisono.errors import DataError

ANNOTATION, STRING = "uima.tcas.Annotation", "uima.cas.String"
TEXT = "Anna saw Bert and Carl. He slept."


def cas_with(add):
    """Make a CAS with entities, and relations between any annotations; `add` adds to it."""
    types = cassis.TypeSystem()
    entity = types.create_type("webanno.custom.Ent", supertypeName=ANNOTATION)
    types.create_feature(entity, "value", STRING)
    relation = types.create_type("webanno.custom.Rel", supertypeName=ANNOTATION)
    for name, range_name in (("kind", STRING), ("Governor", ANNOTATION), ("Dependent", ANNOTATION)):
        types.create_feature(relation, name, range_name)
    cas = cassis.Cas(types)
    cas.sofa_string, cas.sofa_mime = TEXT, "text/plain"
    other = cas.create_view("other")
    other.sofa_string, other.sofa_mime = "Elsewhere is Zoe.", "text/plain"
    people = [entity(begin=begin, end=end, value="PER") for begin, end in ((0, 4), (9, 13), (18, 22))]
    cas.add_all(people)
    other.add(elsewhere := entity(begin=13, end=16, value="PER"))
    add(cas, relation, people, elsewhere)
    return cas


@pytest.mark.parametrize("suffix", [".xmi", ".json"])
def test_an_end_in_another_view_is_counted(suffix, save):
    def add(cas, relation, people, elsewhere):
        cas.add(relation(begin=0, end=4, Governor=people[0], Dependent=people[1], kind="here"))
        cas.add(relation(begin=0, end=4, Governor=elsewhere, Dependent=people[1], kind="elsewhere"))
        cas.add(relation(begin=0, end=4, Governor=people[0], kind="nowhere"))

    corpus = unisono.read(save(cas_with(add), suffix), units="relations")
    assert composite(corpus) == [("Rel", "here", ("source", "Anna"), ("target", "Bert"))]
    (said,) = (what for what in corpus.dropped if what.startswith("relations"))
    assert corpus.dropped[said] == 2
    assert "in this text is not there" in said


@pytest.mark.parametrize("suffix", [".xmi", ".json"])
def test_a_relation_to_a_relation_goes_from_its_first_end_to_its_last(suffix, save):
    def add(cas, relation, people, elsewhere):
        first = relation(begin=9, end=13, Governor=people[0], Dependent=people[1], kind="first")
        cas.add(relation(begin=0, end=4, Governor=first, Dependent=people[2], kind="second"))
        cas.add(first)

    corpus = unisono.read(save(cas_with(add), suffix), units="relations")
    assert ("Rel", "second", ("source", "Anna saw Bert"), ("target", "Carl")) in composite(corpus)


@pytest.mark.parametrize("suffix", [".xmi", ".json"])
def test_relations_in_a_circle(suffix, save):
    def add(cas, relation, people, elsewhere):
        first, second = (relation(begin=0, end=4, Dependent=one) for one in people[:2])
        first.Governor, second.Governor = second, first
        cas.add(first)
        cas.add(second)

    with pytest.raises(DataError, match=r"Rel \d+ and Rel \d+ point at each other, so they have no place"):
        unisono.read(save(cas_with(add), suffix), units="relations")


def test_what_labels_of_items_leave_out_is_counted_with_relations_too(tmp_path):
    """Label Studio: choices beside relations, one of which has no end."""
    span = {"id": "r1", "from_name": "l", "to_name": "t", "type": "labels", "value": {"start": 0, "end": 4}}
    choice = {"id": "c1", "from_name": "c", "to_name": "t", "type": "choices", "value": {"choices": ["y"]}}
    ends = [{"type": "relation", "from_id": "r1", "to_id": other} for other in ("r1", "gone")]
    annotation = {"completed_by": 1, "result": [*ends, {**span, "value": {**span["value"], "labels": ["P"]}}, choice]}
    path = tmp_path / "e.json"
    path.write_text(json.dumps([{"id": 1, "data": {"t": TEXT}, "annotations": [annotation]}]), encoding="utf-8")
    corpus = unisono.read(path, units="relations")
    assert corpus.n_units == 1
    said = (
        "relations without one of their ends, for example a relation of task 1 (e.json): its target gone is not there"
    )
    assert corpus.dropped[said] == 1
    with pytest.raises(DataError, match=r"--units relations|units='relations'"):
        unisono.gamma(path)


def glozz_relation(name, *ends):
    terms = "".join(f'<term id="{end}"/>' for end in ends)
    return f'<relation id="{name}"><positioning>{terms}</positioning></relation>\n'


def glozz_schema(name, *members):
    inside = "".join(f'<embedded-{kind} id="{end}"/>' for kind, end in members)
    return f'<schema id="{name}"><positioning>{inside}</positioning></schema>\n'


def test_relations_and_schemas_of_glozz_before_what_they_join(tmp_path):
    content = annotations(
        glozz_relation("r_2", "r_1", "anna_1"),
        glozz_schema("s_2", ("schema", "s_1"), ("relation", "r_1")),
        glozz_schema("s_0"),
        glozz_schema("s_4", ("schema", "s_4")),
        unit(1, "Person", 4, 8),
        unit(2, "Person", 17, 21, author="bert"),
        glozz_relation("r_1", "anna_1", "bert_2"),
        glozz_schema("s_1", ("unit", "anna_1")),
    )
    path = tmp_path / "text1.aa"
    path.write_text(content, encoding="utf-8")
    path.with_suffix(".ac").write_text(GLOZZ_TEXT, encoding="utf-8")
    both = "Anna sings.  Bert"
    assert composite(unisono.read(path, units="relations")) == [
        (("source", "Anna"), ("target", "Bert")),
        (("source", both), ("target", "Anna")),
    ]
    bad = []
    events = unisono.read(path, units="events", bad=bad.append)
    assert composite(events) == [(("member", "Anna"),), (("member", "Anna"), ("member", both))]
    assert [error.reason for error in bad] == [
        "a schema embeds nothing; correct it, or remove it",
        "s_4 points at itself, so it has no place in the text; correct it",
    ]


TABLE = "document,annotator,start,end,target_start,target_end,category\nd,a,0,4,10,16,x\nd,b,0,4,10,17,x\n"


def test_relations_in_all_tables(tmp_path):
    pandas = pytest.importorskip("pandas")
    (tmp_path / "r.csv").write_text(TABLE, encoding="utf-8")
    corpus = unisono.read(tmp_path / "r.csv", units="relations")
    frame = pandas.read_csv(tmp_path / "r.csv")
    frame.to_csv(tmp_path / "r.tsv", sep="\t", index=False)
    frame.to_parquet(tmp_path / "r.parquet")
    frame.to_excel(tmp_path / "r.xlsx", index=False)
    frame.to_json(tmp_path / "r.json", orient="records")
    for name in ("r.tsv", "r.parquet", "r.xlsx", "r.json"):
        assert unisono.read(tmp_path / name, units="relations") == corpus, name
    assert unisono.from_frame(frame) == corpus


def test_half_of_the_columns_of_an_end(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text(TABLE.replace("target_end", "until"), encoding="utf-8")
    with pytest.raises(DataError, match="there is a column 'target_start' but no 'target_end'; add it"):
        unisono.read(path)
