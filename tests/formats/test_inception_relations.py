"""Relations, slots and chains of INCEpTION and WebAnno: TSV 2 and 3, CAS XMI and JSON."""

from __future__ import annotations

import re

import pytest
from format_helpers import refusal
from hypothesis import given, settings
from hypothesis import strategies as st
from test_cas import ANNOTATION, DKPRO, STRING, TEXT, add, cas_of, type_system
from test_webanno import COREF, NER, POS, tsv
from test_webanno2 import tsv as tsv2

from unisono.errors import DataError
from unisono.formats import read

DEPENDENCY = "de.tudarmstadt.ukp.dkpro.core.api.syntax.type.dependency.Dependency"
RELATION, HOST, FILLER = "webanno.custom.Relation", "webanno.custom.Frame", "webanno.custom.Lu"


@pytest.fixture
def file(tmp_path):
    def make(content, name="text1.tsv"):
        path = tmp_path / name
        path.write_text(content, "utf-8")
        return path

    return make


@pytest.fixture
def save(tmp_path):
    def make(cas, suffix):
        path = tmp_path / f"text1{suffix}"
        if suffix == ".json":
            cas.to_json(path)
        else:
            cas.to_xmi(path)
            cas.typesystem.to_xml(tmp_path / "TypeSystem.xml")
        return path

    return make


both = pytest.mark.parametrize("suffix", [".xmi", ".json"])


def composite(corpus):
    """What units are, as words: labels in the order of their features, and the text at each anchor."""
    return [
        (
            *(label for label in unit.features.values() if label is not None),
            *((role, document.text[start:end]) for role, start, end in unit.anchors),
        )
        for document in corpus
        for unit in document.units
    ]


PEOPLE = [
    "#Text=Anna 😊 and Bert met Carl .",
    "1-1 0-4 Anna PER[1]|NAME[2] _ _",
    "1-2 5-7 😊 _ _ _",
    "1-3 8-11 and _ _ _",
    "1-4 12-16 Bert PER friend|* 1-1[1_0]|1-1[2_0]",
    "1-5 17-20 met _ _ _",
    "1-6 21-25 Carl PER[3] _ _",
    "1-7 26-27 . PER[3] with 1-4[0_3]",
]


def people(*changes):
    text = "\n".join(PEOPLE)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return tsv([f"#T_SP={NER}|value", f"#T_RL={RELATION}|kind|BT_{NER}"], *text.split("\n"))


def test_relations_of_webanno_3(file):
    corpus = read(file(people()), units="relations")
    assert sorted(composite(corpus), key=repr) == sorted(
        [
            ("Relation", "friend", ("source", "Anna"), ("target", "Bert")),
            ("Relation", ("source", "Anna"), ("target", "Bert")),
            ("Relation", "with", ("source", "Bert"), ("target", "Carl .")),
        ],
        key=repr,
    )
    assert corpus.others == {"spans": {"NamedEntity": 4}}
    assert read(file(people())).others == {"relations": {"Relation": 3}}


def test_relations_between_tokens(file):
    rows = ["#Text=Anna met", "1-1 0-4 Anna _ _", "1-2 5-8 met x 1-1"]
    content = tsv([f"#T_RL={RELATION}|kind|BT_{DKPRO}segmentation.type.Token"], *rows)
    assert composite(read(file(content), units="relations")) == [
        ("Relation", "x", ("source", "Anna"), ("target", "met"))
    ]


def test_a_dependent_is_the_source_and_the_root_has_no_target(file):
    rows = ["#Text=He met Bob", "1-1 0-2 He P nsubj 1-2", "1-2 3-6 met V ROOT 1-2", "1-3 7-10 Bob N obj 1-2"]
    content = tsv([f"#T_SP={POS}|PosValue", f"#T_RL={DEPENDENCY}|DependencyType|BT_{POS}"], *rows)
    expected = [
        ("Dependency", "nsubj", ("source", "He"), ("target", "met")),
        ("Dependency", "ROOT", ("source", "met")),
        ("Dependency", "obj", ("source", "Bob"), ("target", "met")),
    ]
    assert composite(read(file(content), units="relations")) == expected
    rows = ["#id=1", "#text=He met Bob", "1-1 He P nsubj 1-2", "1-2 met V B-ROOT 1-2", "1-3 Bob N obj 1-2"]
    content = tsv2([f"{POS} | PosValue", f"{DEPENDENCY} | DependencyType | AttachTo={POS}"], *rows)
    assert composite(read(file(content, "text2.tsv"), units="relations")) == expected


def test_relations_of_webanno_2(file):
    content = tsv2(
        [f"{NER} | value", f"{RELATION} | kind | AttachTo={NER}"],
        "#id=1",
        "#text=Ms. Haag likes Bob",
        "1-1 Ms. B-PER _ _",
        "1-2 Haag I-PER _ _",
        "1-3 likes O _ _",
        f"1-4 Bob B-PER love|{RELATION}_ 1-2|1-3",
    )
    corpus = read(file(content), units="relations")
    assert sorted(composite(corpus), key=repr) == sorted(
        [
            ("Relation", "love", ("source", "Ms. Haag"), ("target", "Bob")),
            ("Relation", ("source", "likes"), ("target", "Bob")),
        ],
        key=repr,
    )
    damaged = content.replace("1-2|1-3", "1-2|1-9")
    corpus = read(file(damaged), units="relations")
    assert len(composite(corpus)) == 1
    assert corpus.dropped == {
        "relations without one of their ends, for example Relation (text1.tsv, line 7): "
        "the token 1-9 of its governor is not there": 1
    }


SLOTS = tsv(
    [f"#T_SP={FILLER}|", f"#T_SP={HOST}|kind|ROLE_{HOST}:Roles_{HOST}RolesLink|{FILLER}"],
    "#Text=He shot himself .",
    "1-1 0-2 He * _ _ _",
    "1-2 3-7 shot _ x agent;* 1-1;1-3[2]",
    "1-3 8-15 himself *[2] _ _ _",
    "1-4 16-17 . *[2] y _ _",
)


def test_slots_are_events(file):
    corpus = read(file(SLOTS), units="events")
    assert composite(corpus) == [
        ("Frame", "x", ("Roles", "himself ."), ("agent", "He"), ("trigger", "shot")),
        ("Frame", "y", ("trigger", ".")),
    ]
    assert read(file(SLOTS)).others == {"events": {"Frame": 2}}


def test_slots_that_are_none(file):
    refusal(file(SLOTS.replace("agent;*", "agent")), 8, "the slots of webanno.custom.Frame should", units="events")
    assert read(file(SLOTS.replace("agent;*", "agent"))).n_units == 4
    lost = read(file(SLOTS.replace("1-1;1-3[2]", "1-1;1-9[7]")), units="events")
    assert composite(lost) == [("Frame", "y", ("trigger", "."))]
    assert lost.dropped == {
        "events without one of their ends, for example Frame (text1.tsv, line 8): its Roles 1-9[7] (Lu) is not there": 1
    }


def test_chains_are_relations_between_neighbours(file):
    content = tsv(
        [f"#T_CH={COREF}|referenceType|referenceRelation"],
        "#Text=Anna said she met her mum",
        "1-1 0-4 Anna name[1] anaphora->1-1",
        "1-2 5-9 said _ _",
        "1-3 10-13 she pr[1] *->1-2",
        "1-4 14-17 met _ _",
        "1-5 18-21 her pr[1]|np[2] *->1-3|*->2-1",
        "1-6 22-25 mum np[2] *->2-1",
    )
    assert composite(read(file(content), units="relations")) == [
        ("CoreferenceLink", "anaphora", ("source", "Anna"), ("target", "she")),
        ("CoreferenceLink", ("source", "she"), ("target", "her")),
    ]
    message = (
        "there are no relations, but 4 spans and 2 relations without one of their ends, for example CoreferenceLink "
        "(text1.tsv, line 6): its target 1-2 is not there; leave out units"
    )
    with pytest.raises(DataError, match=re.escape(message)):
        read(file(content.replace("*->1-2", "*->1-7")), units="relations")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (
            "1-1[1_0]|1-1[2_0]",
            "1-1[1_0]",
            10,
            "the columns of webanno.custom.Relation have 1 and 2 values on one token",
        ),
        ("1-1[1_0]|1-1[2_0]", "x|1-1", 10, "a relation of webanno.custom.Relation has no governor like 1-2"),
    ],
)
def test_relations_that_are_none(file, old, new, line, message):
    path = file(people((old, new)))
    refusal(path, line, message, units="relations")
    assert read(path).n_units == 4


def test_missing_ends_are_counted(file):
    corpus = read(file(people(("1-1[1_0]", "1-2[1_0]"), ("1-4[0_3]", "1-5[0_3]"))), units="relations")
    assert len(composite(corpus)) == 2  # number 1 is known, wherever it is
    assert corpus.dropped == {
        "relations without one of their ends, for example Relation (text1.tsv, line 13): "
        "its source 1-5 (NamedEntity) is not there": 1
    }


@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_damage_to_one_governor_leaves_the_other_relations(tmp_path_factory, data):
    governors = ["1-1[1_0]|1-1[2_0]", "1-4[0_3]"]
    number = data.draw(st.integers(0, 1))
    cells = governors[number].split("|")
    place = data.draw(st.integers(0, len(cells) - 1))
    cells[place] = data.draw(st.sampled_from(["1-2", "1-9[3_0]", "2-1", "1-3.1", "1-99[0_1]"]))
    path = tmp_path_factory.mktemp("tsv") / "text1.tsv"
    path.write_text(people((governors[number], "|".join(cells))), "utf-8")
    whole = tmp_path_factory.mktemp("tsv") / "text1.tsv"
    whole.write_text(people(), "utf-8")
    expected = composite(read(whole, units="relations"))
    left = composite(read(path, units="relations"))
    assert len(left) >= 2
    assert sum(one in expected for one in left) == 2


def linked():
    types = type_system(
        (DEPENDENCY, ANNOTATION, {"Governor": ANNOTATION, "Dependent": ANNOTATION, "DependencyType": STRING}),
        ("webanno.custom.FrameRolesLink", "uima.cas.TOP", {"role": STRING, "target": ANNOTATION}),
        ("webanno.custom.Frame", ANNOTATION, {"kind": STRING, "Roles": "uima.cas.FSArray"}),
    )
    cas = cas_of(types)
    anna = add(cas, f"{DKPRO}ner.type.NamedEntity", 2, 6, value="PER")
    bert = add(cas, f"{DKPRO}ner.type.NamedEntity", 14, 18, value="PER")
    return cas, anna, bert


@both
def test_relations_of_a_cas(save, suffix):
    cas, anna, bert = linked()
    add(cas, RELATION, 14, 18, Governor=anna, Dependent=bert, label="sees")
    add(cas, DEPENDENCY, 2, 6, Governor=bert, Dependent=anna, DependencyType="nsubj")
    add(cas, DEPENDENCY, 14, 18, Governor=bert, Dependent=bert, DependencyType="root")
    path = save(cas, suffix)
    corpus = read(path, units="relations")
    assert sorted(composite(corpus)) == [
        ("Dependency", "nsubj", ("source", "Anna"), ("target", "Bert")),
        ("Dependency", "root", ("source", "Bert")),
        ("Relation", "sees", ("source", "Anna"), ("target", "Bert")),
    ]
    assert corpus.others == {"spans": {"NamedEntity": 2}}
    assert read(path).others == {"relations": {"Relation": 1, "Dependency": 2}}


@both
def test_slots_of_a_cas_are_events(save, suffix):
    cas, anna, bert = linked()
    link = cas.typesystem.get_type("webanno.custom.FrameRolesLink")
    array = cas.typesystem.get_type("uima.cas.FSArray")
    links = array(elements=[link(role="who", target=anna), link(target=bert)])
    add(cas, "webanno.custom.Frame", 7, 11, kind="see", Roles=links)
    corpus = read(save(cas, suffix), units="events")
    assert composite(corpus) == [("Frame", "see", ("Roles", "Bert"), ("trigger", "sees"), ("who", "Anna"))]


@both
def test_chains_of_a_cas_are_relations(save, suffix):
    cas = cas_of(type_system())
    name = f"{DKPRO}coref.type.CoreferenceLink"
    last = add(cas, name, 14, 18, referenceType="name")
    middle = add(cas, name, 7, 11, referenceType="name", next=last)
    add(cas, name, 2, 6, referenceType="name", referenceRelation="coref", next=middle)
    assert composite(read(save(cas, suffix), units="relations")) == [
        ("CoreferenceLink", "coref", ("source", "Anna"), ("target", "sees")),
        ("CoreferenceLink", ("source", "sees"), ("target", "Bert")),
    ]


@both
def test_ends_that_are_missing_or_in_another_text_are_counted(save, suffix):
    cas, anna, bert = linked()
    add(cas, RELATION, 14, 18, Governor=anna, Dependent=bert, label="sees")
    add(cas, RELATION, 14, 18, Dependent=bert, label="lost")
    path = save(cas, suffix)
    corpus = read(path, units="relations")
    assert composite(corpus) == [("Relation", "sees", ("source", "Anna"), ("target", "Bert"))]
    (what,) = corpus.dropped
    assert what.startswith("relations without one of their ends, for example Relation ")
    assert what.endswith("its Governor in this text is not there")
    assert read(path).dropped == {}


@both
def test_formats_say_the_same_as_tsv(save, file, suffix):
    cas, anna, bert = linked()
    add(cas, RELATION, 14, 18, Governor=anna, Dependent=bert, label="sees")
    one = read(save(cas, suffix), units="relations")
    rows = [
        f"#Text={TEXT}",
        "1-1 0-2 😀 _ _ _",
        "1-2 3-7 Anna PER _ _",
        "1-3 8-12 sees _ _ _",
        "1-4 13-15 🌍 _ _ _",
        "1-5 16-20 Bert PER sees 1-2",
        "1-6 20-21 . _ _ _",
    ]
    other = read(file(tsv([f"#T_SP={NER}|value", f"#T_RL={RELATION}|label|BT_{NER}"], *rows)), units="relations")
    assert one.n_units == 1
    assert composite(one) == composite(other)


def test_formats_without_events_say_so(file):
    content = tsv2([f"{POS} | PosValue"], "#id=1", "#text=He", "1-1 He P")
    with pytest.raises(DataError, match=r"there are no relations, but 1 span; leave out units"):
        read(file(content), units="relations")
