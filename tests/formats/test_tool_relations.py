"""Relations and events of Label Studio, doccano, Prodigy, CoNLL-U, Glozz, GATE and CATMA."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from format_helpers import refusal
from hypothesis import given, settings
from hypothesis import strategies as st
from test_gate import document as gate_document
from test_glozz import annotations as glozz_annotations
from test_glozz import unit as glozz_unit
from test_labelstudio import annotation, span, task

from unisono.errors import OptionError
from unisono.formats import read

TEXT = "😀 Anna sees Bert in Rome."
WIDE = {"anna": (3, 7), "sees": (8, 12), "bert": (13, 17), "rome": (21, 25)}
"""Where words are, if the face counts as two."""


def composite(corpus):
    """What units are, as words: annotator, labels but those of layers, and the text at each anchor."""
    return sorted(
        (
            (
                unit.annotator,
                *(label for name, label in unit.features.items() if label is not None and name != "type"),
                *((role, document.text[start:end]) for role, start, end in unit.anchors),
            )
            for document in corpus
            for unit in document.units
        ),
        key=repr,
    )


def labelstudio_relation(source, target, *labels, direction="right"):
    return {"type": "relation", "from_id": source, "to_id": target, "direction": direction, "labels": list(labels)}


def labelstudio(relations):
    spans = [span(2, 6, "PER", id="a"), span(12, 16, "PER", id="b"), span(20, 24, "LOC", id="c")]
    return json.dumps([task(7, annotation(1, *spans, *relations))])


def doccano(relations):
    places = {1: (2, 6), 2: (12, 16), 3: (20, 24)}
    entities = [
        {"id": n, "start_offset": start + 1, "end_offset": end + 1, "label": "X"} for n, (start, end) in places.items()
    ]
    return json.dumps({"id": 7, "text": TEXT, "entities": entities, "relations": relations}) + "\n"


def prodigy(relations):
    tokens = [{"start": start, "end": end, "id": n} for n, (start, end) in enumerate([(2, 6), (7, 11), (12, 16)])]
    return json.dumps(
        {"text": TEXT, "_input_hash": 7, "spans": [], "tokens": tokens, "relations": relations, "answer": "accept"}
    )


def conllu(rows):
    words = ["Anna", "sees", "Bert"]
    lines = [
        f"{n}\t{word}\t_\tX\t_\t_\t{row}\t_\t_\n" for n, (word, row) in enumerate(zip(words, rows, strict=True), 1)
    ]
    return "# text = Anna sees Bert\n" + "".join(lines) + "\n"


def glozz(links):
    places = {"u1": WIDE["anna"], "u2": WIDE["bert"], "u3": WIDE["rome"]}
    units = [glozz_unit(1, "X", *place).replace("anna_1", own) for own, place in places.items()]
    return glozz_annotations(*units, *links)


def glozz_relation(number, kind, *terms, author="anna"):
    inside = "".join(f'<term id="{term}"/>' for term in terms)
    return (
        f'<relation id="r{number}"><metadata><author>{author}</author></metadata><characterisation><type>{kind}</type>'
        f'<featureSet><feature name="sure">yes</feature></featureSet></characterisation>'
        f"<positioning>{inside}</positioning></relation>\n"
    )


def glozz_schema(number, kind, *members):
    inside = "".join(f'<embedded-{what} id="{member}"/>' for what, member in members)
    return (
        f'<schema id="s{number}"><characterisation><type>{kind}</type></characterisation>'
        f"<positioning>{inside}</positioning></schema>\n"
    )


def gate(relations):
    annotations = "".join(
        f'<Annotation Id="{n}" Type="X" StartNode="{start}" EndNode="{end}"></Annotation>\n'
        for n, (start, end) in {1: (0, 4), 2: (11, 16)}.items()
    )
    sets = f'<AnnotationSet Name="anna">{annotations}</AnnotationSet>\n'
    return gate_document(sets, f'<RelationSet Name="anna">{"".join(relations)}</RelationSet>\n')


def gate_relation(number, kind, members):
    return f'<Relation Id="{number}" Type="{kind}" Members="{members}"><UserData/></Relation>\n'


@pytest.fixture
def file(tmp_path):
    def make(content, name):
        path = tmp_path / name
        path.write_text(content, "utf-8")
        path.with_suffix(".ac").write_text(TEXT, "utf-8")
        return path

    return make


def test_relations_of_label_studio(file):
    relations = [
        labelstudio_relation("a", "b", "knows"),
        labelstudio_relation("a", "b", "lives", "works", direction="left"),
        labelstudio_relation("b", "c", direction="bi"),
    ]
    path = file(labelstudio(relations), "export.json")
    corpus = read(path, units="relations")
    assert composite(corpus) == [
        ("1", "bi", ("source", "Bert"), ("target", "Rome")),
        ("1", "knows", ("source", "Anna"), ("target", "Bert")),
        ("1", ("lives", "works"), ("source", "Bert"), ("target", "Anna")),
    ]
    assert corpus.others == {"spans": {"PER": 2, "LOC": 1}}
    assert read(path).others == {"relations": {"knows": 1, "lives/works": 1, "": 1}}


def test_relations_beside_labels_of_whole_tasks(file):
    choice = {"from_name": "mood", "to_name": "text", "type": "choices", "value": {"choices": ["good"]}}
    spans = [span(2, 6, "PER", id="a"), span(12, 16, "PER", id="b")]
    done = annotation(1, *spans, choice, labelstudio_relation("a", "b", "knows"))
    path = file(json.dumps([task(7, done)]), "export.json")
    assert read(path).summary() == "2 spans and labels of items: mood (1) and 1 relation"
    assert composite(read(path, units="relations")) == [("1", "knows", ("source", "Anna"), ("target", "Bert"))]
    assert ("units", "relations") in read(path, units="relations").preparation


@pytest.mark.parametrize("older", [False, True])
def test_relations_of_doccano(file, older):
    relations = [{"id": 1, "from_id": 1, "to_id": 2, "type": "knows"}, {"from_id": 2, "to_id": 3}]
    record = json.loads(doccano(relations))
    if older:
        record["label"] = {key: record.pop(key) for key in ("entities", "relations")}
    path = file(json.dumps(record) + "\n", "export.jsonl")
    assert composite(read(path, units="relations")) == [
        ("annotator", "knows", ("source", "Anna"), ("target", "Bert")),
        ("annotator", ("source", "Bert"), ("target", "Rome")),
    ]
    assert read(path).others == {"relations": {"knows": 1, "": 1}}
    assert read(path).n_units == 3


def test_relations_of_users_of_doccano(file):
    entities = [
        {"id": n, "start_offset": 3, "end_offset": 7, "label": "X", "user": user} for n, user in ((1, "u"), (2, "v"))
    ]
    relations = [{"from_id": 1, "to_id": 1, "type": "r"}, {"from_id": 2, "to_id": 2, "type": "r"}]
    record = {"id": 7, "text": TEXT, "entities": entities, "relations": relations}
    corpus = read(file(json.dumps(record), "export.jsonl"), units="relations")
    assert [one[0] for one in composite(corpus)] == ["u", "v"]


def test_relations_of_prodigy(file):
    spans = {"head_span": {"start": 2, "end": 6}, "child_span": {"start": 20, "end": 24}}
    relations = [{"head": 0, "child": 2, "label": "knows"}, {"head": 0, "child": 9, **spans, "label": "lives"}]
    path = file(prodigy([*relations, relations[0]]), "export.jsonl")
    corpus = read(path, units="relations")
    assert composite(corpus) == [
        ("annotator", "knows", ("source", "Anna"), ("target", "Bert")),
        ("annotator", "lives", ("source", "Anna"), ("target", "Rome")),
    ]
    assert corpus.dropped == {"relations that one annotator gave twice for one text": 1}
    assert read(path).others == {"relations": {"knows": 2, "lives": 1}}


def test_dependencies_of_conllu(file):
    path = file(conllu(["2\tnsubj", "0\troot", "2\tobj"]), "text1.conllu")
    corpus = read(path, units="relations")
    assert composite(corpus) == [
        ("annotator", "nsubj", ("source", "Anna"), ("target", "sees")),
        ("annotator", "obj", ("source", "Bert"), ("target", "sees")),
        ("annotator", "root", ("source", "sees")),
    ]
    assert [*corpus.features] == ["deprel"]
    assert read(path).others == {"relations": {"nsubj": 1, "root": 1, "obj": 1}}
    assert composite(read(file(conllu(["2\tnsubj", "_\t_", "2\t_"]), "text2.conllu"), units="relations")) == [
        ("annotator", "nsubj", ("source", "Anna"), ("target", "sees")),
        ("annotator", ("source", "Bert"), ("target", "sees")),
    ]


def test_words_of_one_token_have_their_own_dependencies(file):
    rows = ["1-2\tdas\t_\t_\t_\t_\t_\t_\t_\t_", "1\tda\t_\tX\t_\t_\t0\troot\t_\t_", "2\ts\t_\tX\t_\t_\t1\tx\t_\t_"]
    corpus = read(file("\n".join(rows) + "\n\n", "text1.conllu"), units="relations")
    assert composite(corpus) == [
        ("annotator", "root", ("source", "da")),
        ("annotator", "x", ("source", "s"), ("target", "da")),
    ]


def test_relations_and_schemas_of_glozz(file):
    links = [
        glozz_relation(1, "knows", "u1", "u2"),
        glozz_relation(2, "about", "r1", "u3"),
        glozz_schema(1, "group", ("unit", "u1"), ("unit", "u3")),
        glozz_schema(2, "all", ("schema", "s1"), ("relation", "r1")),
    ]
    path = file(glozz(links), "text1.aa")
    assert composite(read(path, units="relations")) == [
        ("annotator", "about", "yes", ("source", "Anna sees Bert"), ("target", "Rome")),
        ("annotator", "knows", "yes", ("source", "Anna"), ("target", "Bert")),
    ]
    assert composite(read(path, units="events")) == [
        ("annotator", "all", ("member", "Anna sees Bert"), ("member", "Anna sees Bert in Rome")),
        ("annotator", "group", ("member", "Anna"), ("member", "Rome")),
    ]
    assert read(path).others == {"relations": {"knows": 1, "about": 1}, "events": {"group": 1, "all": 1}}


def test_authors_of_relations_of_glozz(file):
    links = [glozz_relation(1, "r", "u1", "u2"), glozz_relation(2, "r", "u2", "u3", author="bert")]
    corpus = read(file(glozz(links), "text1.aa"), units="relations", annotator_from="field")
    assert [one[0] for one in composite(corpus)] == ["anna", "bert"]


@pytest.mark.parametrize(
    ("link", "units", "message"),
    [
        (glozz_relation(1, "r", "u1"), "relations", "a relation has two terms, not 1; correct it"),
        (glozz_schema(1, "s"), "events", "a schema embeds nothing; correct it, or remove it"),
        (glozz_schema(1, "s", ("schema", "s1")), "events", "s1 points at itself"),
    ],
)
def test_links_of_glozz_that_are_none(file, link, units, message):
    path = file(glozz([link]), "text1.aa")
    line = path.read_text("utf-8").split("\n").index(link.strip()) + 1
    refusal(path, line, message, units=units)
    assert read(path).n_units == 3


def test_relations_of_gate(file):
    relations = [gate_relation(8, "knows", "1;2"), gate_relation(9, "all", "1;2;8")]
    path = file(gate(relations), "text1.xml")
    assert composite(read(path, units="relations")) == [
        ("annotator", "knows", ("source", "Anna"), ("target", "Bert\n"))
    ]
    assert composite(read(path, units="events", annotator_from="field")) == [
        ("anna", "all", ("member", "Anna"), ("member", "Anna 𝄞 & Bert\n"), ("member", "Bert\n"))
    ]
    assert read(path).others == {"relations": {"anna": 1}, "events": {"anna": 1}}


@dataclass(frozen=True)
class Kind:
    """A kind of file with relations, each of which can be damaged alone."""

    name: str
    make: object
    good: tuple[object, ...]
    lost: tuple[object, ...]
    """The same relations, with an end that is not there."""
    damaged: object
    """Something that is no relation, in place of the first."""

    def write(self, folder: Path, relations: list[object]) -> Path:
        path = folder / self.name
        path.write_text(self.make(relations), "utf-8")
        path.with_suffix(".ac").write_text(TEXT, "utf-8")
        return path


def doccano_relation(source, target):
    return {"from_id": source, "to_id": target, "type": "r"}


KINDS = [
    Kind(
        "export.json",
        labelstudio,
        tuple(labelstudio_relation(*ends, "r") for ends in ("ab", "bc", "ca")),
        tuple(labelstudio_relation(*ends, "r") for ends in ("ax", "xc", "cx")),
        None,
    ),
    Kind(
        "export.jsonl",
        doccano,
        tuple(doccano_relation(*ends) for ends in ((1, 2), (2, 3), (3, 1))),
        tuple(doccano_relation(*ends) for ends in ((1, 9), (9, 3), (3, 8))),
        {"from_id": 1},
    ),
    Kind(
        "task.jsonl",
        prodigy,
        tuple({"head": head, "child": child, "label": "r"} for head, child in ((0, 1), (1, 2), (2, 0))),
        tuple({"head": head, "child": child, "label": "r"} for head, child in ((0, 9), (9, 2), (2, 7))),
        5,
    ),
    Kind("text1.conllu", conllu, ("2\tr", "3\tr", "1\tr"), ("7\tr", "8\tr", "9\tr"), None),
    Kind(
        "text1.aa",
        glozz,
        tuple(glozz_relation(n, "r", *ends) for n, ends in enumerate((("u1", "u2"), ("u2", "u3"), ("u3", "u1")))),
        tuple(glozz_relation(n, "r", *ends) for n, ends in enumerate((("u1", "x"), ("x", "u3"), ("u3", "y")))),
        glozz_relation(0, "r", "u1"),
    ),
    Kind(
        "text1.xml",
        gate,
        tuple(gate_relation(n, "r", ends) for n, ends in enumerate(("1;2", "2;1", "1;1"), 5)),
        tuple(gate_relation(n, "r", ends) for n, ends in enumerate(("1;9", "9;1", "1;8"), 5)),
        None,
    ),
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_one_lost_end_leaves_the_other_relations(kind, tmp_path_factory, data):
    number = data.draw(st.integers(0, 2))
    whole = composite(read(kind.write(tmp_path_factory.mktemp("whole"), [*kind.good]), units="relations"))
    assert len(whole) == 3
    relations = [*kind.good]
    relations[number] = kind.lost[number]
    corpus = read(kind.write(tmp_path_factory.mktemp("lost"), relations), units="relations")
    left = composite(corpus)
    assert len(left) == 2
    assert all(one in whole for one in left)
    (what,) = [one for one in corpus.dropped if one.startswith("relations without one of their ends, for example ")]
    assert kind.name in what
    assert corpus.dropped[what] == 1


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.damaged is not None], ids=lambda kind: kind.name)
def test_one_damaged_relation_is_refused_or_skipped_and_spans_do_not_care(kind, tmp_path):
    path = kind.write(tmp_path, [kind.damaged, *kind.good[1:]])
    bad = []
    with pytest.raises(Exception, match=kind.name):
        read(path, units="relations")
    assert len(composite(read(path, units="relations", bad=bad.append))) == 2
    assert len(bad) == 1
    assert read(path).documents
    assert sum(read(path).others["relations"].values()) == 3


def test_formats_without_relations_say_so(file):
    with pytest.raises(OptionError, match="units: RTTM has no relations; leave it out"):
        read(file("SPEAKER rec 1 0 1 <NA> <NA> anna <NA> <NA>\n", "x.rttm"), units="relations")
    with pytest.raises(OptionError, match="units: Label Studio JSON has no events; leave it out"):
        read(file(labelstudio([]), "export.json"), units="events")
