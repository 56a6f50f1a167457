"""Relations that are written as UIMA CAS XMI, WebAnno TSV 3 and Label Studio come back as they were."""

from __future__ import annotations

import json
import random
import warnings

import cassis
import pytest
from commands import run
from test_cas_writing import DKPRO, ENTITY, STRING, TOKEN, loaded

import unisono
from unisono.errors import DataError

TEXT = "😀 Anna met Bert\nand Carl in Rome."
TOKENS = [(0, 1), (2, 6), (7, 10), (11, 15), (16, 19), (20, 24), (25, 27), (28, 32), (32, 33)]
ANNOTATION = "uima.tcas.Annotation"
DEPENDENCY = f"{DKPRO}syntax.type.dependency.Dependency"
POS = f"{DKPRO}lexmorph.type.pos.POS"
KNOWS = "webanno.custom.Knows"
PATTERNS = {"xmi": "{annotator}/{document}.xmi", "webanno": "{annotator}/{document}.tsv"}


def content(corpus):
    """What units are, but for the names of layers."""
    return sorted(
        (
            document.name,
            unit.annotator,
            unit.start,
            unit.end,
            sorted((name, str(label)) for name, label in unit.features.items() if label is not None and name != "type"),
            unit.anchors,
        )
        for document in corpus
        for unit in document.units
    )


def back(corpus, tool, folder, units="relations"):
    """Write a corpus and read it; return what was said, and the corpus."""
    if tool == "labelstudio":
        said = unisono.write(corpus, folder / "out.json", format=tool)
        return said, unisono.read(folder / "out.json", units=units)
    said = unisono.write(corpus, folder / "out", format=tool)
    return said, unisono.read(folder / "out", pattern=PATTERNS[tool], units=units)


def random_corpus(rng, tool):
    """Spans and relations between them, or between other stretches; no two spans are the same."""
    rows = []
    label = "category" if tool == "labelstudio" else rng.choice(["category", "kind"])
    for who in ("anna", "bert"):
        places = rng.sample([(a, d) for a, _ in TOKENS for _, d in TOKENS if a < d], 6)
        rows += [(who, [("piece", *place)], rng.choice(["A", "B_|", None])) for place in places[:3]]
        for _ in range(0 if tool == "labelstudio" else rng.randint(0, 3)):
            roles = rng.choices(["agent", "slots", "a;b|c"], k=rng.randint(0, 4))
            ends = [("trigger", *rng.choice(places)), *((role, *rng.choice(places)) for role in roles)]
            rows.append((who, ends, rng.choice(["x", None])))
        for _ in range(rng.randint(0, 5)):
            ends = [(role, *rng.choice(places)) for role in ("source", "target")]
            rows.append((who, ends, rng.choice(["x", "y[1]", None])))
    who, anchors, labels = zip(*rows, strict=True)
    return unisono.Corpus.from_columns(
        document=["7"] * len(rows),
        annotator=who,
        anchors=anchors,
        features={label: labels},
        texts={("7", name): TEXT for name in ("anna", "bert")},
        tokens={"7": TOKENS} if rng.random() < 0.5 else None,
    )


@pytest.mark.parametrize("tool", ["xmi", "webanno", "labelstudio"])
def test_random_relations_come_back(tool, tmp_path):
    for seed in range(12):
        corpus = random_corpus(random.Random(seed), tool)
        (folder := tmp_path / str(seed)).mkdir()
        roles = {"relations": {"source", "target"}, "events": {"trigger"}}
        of_kind = {
            kind: [unit for unit in content(corpus) if own & {role for role, *_ in unit[-1]}]
            for kind, own in roles.items()
        }
        spans = [unit for unit in content(corpus) if not unit[-1]]
        path = folder / ("out.json" if tool == "labelstudio" else "out")
        unisono.write(corpus, path, format=tool)
        for kind, units in of_kind.items():
            if units:
                assert content(unisono.read(path, pattern=PATTERNS.get(tool), units=kind)) == units
        if tool == "labelstudio" and of_kind["relations"]:
            (task,) = json.loads((folder / "out.json").read_text(encoding="utf-8"))
            assert all(one["direction"] == "right" for one in task["annotations"][0]["result"] if "from_id" in one)
        found = unisono.read(path, pattern=PATTERNS.get(tool), units="spans")
        kept = [unit for unit in content(found) if not unit[-1]]
        assert [unit for unit in spans if unit not in kept] == []


def types_of_a_project():
    types = cassis.TypeSystem()
    for name, features in (
        (POS, {"PosValue": STRING}),
        (TOKEN, {"pos": POS}),
        (ENTITY, {"value": STRING}),
        (KNOWS, {"kind": STRING, "Governor": ENTITY, "Dependent": ENTITY}),
        (DEPENDENCY, {"DependencyType": STRING, "Governor": TOKEN, "Dependent": TOKEN}),
    ):
        kind = types.create_type(name, supertypeName=ANNOTATION)
        for feature, range_name in features.items():
            types.create_feature(kind, feature, range_name)
    return types


@pytest.fixture
def project(tmp_path):
    """An export of INCEpTION: entities, relations between them, and dependencies with a root, of two annotators."""
    types = types_of_a_project()
    for who in ("anna", "bert"):
        cas = cassis.Cas(types)
        cas.sofa_string, cas.sofa_mime = TEXT, "text/plain"
        tokens = [types.get_type(TOKEN)(begin=begin, end=end) for begin, end in TOKENS]
        for token in tokens:
            cas.add(token)
            token.pos = types.get_type(POS)(begin=token.begin, end=token.end, PosValue="X")
            cas.add(token.pos)
        people = [types.get_type(ENTITY)(begin=b, end=e, value="PER") for b, e in ((2, 6), (11, 24), (20, 24))]
        for one in people:
            cas.add(one)
        for source, target, kind in ((0, 1, "well"), (1, 0, None), (0, 2, "a|b")):
            ends = {"Governor": people[source], "Dependent": people[target]}
            cas.add(types.get_type(KNOWS)(begin=people[target].begin, end=people[target].end, kind=kind, **ends))
        for dependent, governor, kind in ((1, 2, "nsubj"), (3, 2, "obj"), (2, 2, "ROOT")):
            ends = {"Governor": tokens[governor], "Dependent": tokens[dependent]}
            place = {"begin": tokens[dependent].begin, "end": tokens[dependent].end}
            cas.add(types.get_type(DEPENDENCY)(**place, DependencyType=kind, **ends))
        (tmp_path / "in" / who).mkdir(parents=True)
        cas.to_xmi(tmp_path / "in" / who / "d.xmi")
    types.to_xml(tmp_path / "in" / "TypeSystem.xml")
    return tmp_path / "in"


@pytest.mark.parametrize("tool", ["xmi", "webanno"])
def test_relations_go_back_with_their_own_types(project, tool, tmp_path):
    corpus = unisono.read(project, units="relations")
    said, found = back(corpus, tool, tmp_path)
    assert not any("not written" in sentence or "new" in sentence for sentence in said)
    assert content(found) == content(corpus)
    assert set(found.features["type"].labels) == {"Knows", "Dependency"}
    _, twice = back(found, tool, tmp_path / "out")
    assert content(twice) == content(corpus)


def test_cassis_reads_relations(project, tmp_path):
    said, _ = back(unisono.read(project, units="relations"), "xmi", tmp_path)
    assert said == [
        "relations and events join annotations in UIMA CAS XMI; an annotation without a label was added at 6 ends"
    ]
    types = loaded(tmp_path / "out" / "TypeSystem.xml")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cas = cassis.load_cas_from_xmi(tmp_path / "out" / "anna" / "d.xmi", typesystem=types)
    found = {
        (one.Governor.get_covered_text(), one.Dependent.get_covered_text(), one.kind, one.Governor.type.name)
        for one in cas.select(KNOWS)
    }
    bert = "Bert\nand Carl"
    assert found == {("Anna", bert, "well", ENTITY), (bert, "Anna", None, ENTITY), ("Anna", "Carl", "a|b", ENTITY)}
    assert {(one.begin, one.end) == (one.Dependent.begin, one.Dependent.end) for one in cas.select(KNOWS)} == {True}
    words = {one.DependencyType: (one.Dependent, one.Governor) for one in cas.select(DEPENDENCY)}
    assert {kind: tuple(end.get_covered_text() for end in ends) for kind, ends in words.items()} == {
        "nsubj": ("Anna", "met"),
        "obj": ("Bert", "met"),
        "ROOT": ("met", "met"),
    }
    tokens = list(cas.select(TOKEN))
    assert len(tokens) == len(TOKENS)
    assert all(any(end is token for token in tokens) for ends in words.values() for end in ends)
    assert words["obj"][0].pos.type.name == POS


def test_relations_in_columns_of_webanno(project, tmp_path):
    _, _ = back(unisono.read(project, units="relations"), "webanno", tmp_path)
    lines = (tmp_path / "out" / "anna" / "d.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[1:5] == [
        f"#T_SP={ENTITY}",
        f"#T_SP={POS}",
        f"#T_RL={DEPENDENCY}|DependencyType|BT_{POS}",
        f"#T_RL={KNOWS}|kind|BT_{ENTITY}",
    ]
    rows = {line.split("\t")[2]: line.split("\t")[3:] for line in lines if line[:1].isdigit()}
    assert rows["Anna"] == ["*", "*", "nsubj", "1-3", "*", "1-4[1_0]", ""]
    assert rows["Bert"] == ["*[1]", "*", "obj", "1-3", "well", "1-2[0_1]", ""]
    assert rows["met"] == ["_", "*", "ROOT", "1-3", "_", "_", ""]


def test_a_gold_standard_of_relations_goes_back(project, tmp_path):
    for tool in ("xmi", "webanno", "labelstudio"):
        out = tmp_path / ("gold.json" if tool == "labelstudio" else tool)
        given = ("--units", "relations", "--layer", "Knows", "--features", "kind", "--plain", "--to", tool, "-o", out)
        done = run("gold", project, *given)
        assert done.returncode == 0, done.stderr
        assert "not written" not in done.stderr
        read = unisono.read(out, units="relations", **({"pattern": PATTERNS[tool]} if tool in PATTERNS else {}))
        places = [unit[2:4] for unit in content(read)]
        assert places == [(2, 24), (2, 24), (2, 24)]


def test_what_cannot_be_written(project, tmp_path):
    corpus = unisono.read(project, units="relations")
    said, _ = back(corpus, "labelstudio", tmp_path)
    assert said == [
        "relations and events join annotations in Label Studio; an annotation without a label was added at 10 ends",
        "relations in Label Studio have a source and a target; not written, because one is missing: 2 relations",
        "relations in Label Studio have no feature 'DependencyType': 4 labels not written",
        "relations in Label Studio have no feature 'kind': 4 labels not written",
    ]
    event = unisono.Corpus.from_columns(
        document=["d"],
        annotator=["anna"],
        anchors=[[("trigger", 0, 1), ("theme", 2, 3)]],
        texts={("d", "anna"): "abc"},
    )
    with pytest.raises(DataError, match=r"events are not written as Label Studio JSON; write jsonl, csv or brat"):
        unisono.write(event, tmp_path / "events.json", format="labelstudio")
    assert not (tmp_path / "events.json").exists()


def test_ends_in_pieces_and_without_a_target(tmp_path):
    anchors = [
        [("source", 0, 1), ("source", 7, 10), ("target", 2, 6)],
        [("source", 2, 6)],
    ]
    corpus = unisono.Corpus.from_columns(
        document=["7", "7"],
        annotator=["anna", "anna"],
        anchors=anchors,
        features={"category": ["x", "y"]},
        texts={("7", "anna"): TEXT},
    )
    for tool in ("xmi", "webanno", "labelstudio"):
        (folder := tmp_path / tool).mkdir()
        said, found = back(corpus, tool, folder)
        pieces, lost = said[1:3]
        assert pieces == "1 end in several pieces, written from the first to the last"
        assert lost.endswith("have a source and a target; not written, because one is missing: 1 relation")
        assert [unit[-1] for unit in content(found)] == [(("source", 0, 10), ("target", 2, 6))]


FRAME, LINK = "webanno.custom.Frame", "webanno.custom.FrameRolesLink"


@pytest.mark.parametrize("tool", ["xmi", "webanno", "brat"])
def test_events_go_back_to_their_slots(tool, tmp_path):
    types = cassis.TypeSystem()
    entity = types.create_type(ENTITY, supertypeName=ANNOTATION)
    types.create_feature(entity, "value", STRING)
    link = types.create_type(LINK, supertypeName="uima.cas.TOP")
    types.create_feature(link, "role", STRING)
    types.create_feature(link, "target", ENTITY)
    frame = types.create_type(FRAME, supertypeName=ANNOTATION)
    types.create_feature(frame, "kind", STRING)
    types.create_feature(frame, "Roles", "uima.cas.FSArray", elementType=LINK)
    cas = cassis.Cas(types)
    cas.sofa_string, cas.sofa_mime = TEXT, "text/plain"
    people = [entity(begin=begin, end=end, value="PER") for begin, end in ((2, 6), (11, 24))]
    cas.add_all(people)
    links = [
        link(role="agent", target=people[0]),
        link(role=None, target=people[1]),
        link(role="agent", target=people[1]),
    ]
    met = frame(begin=7, end=10, kind="meet", Roles=types.get_type("uima.cas.FSArray")(elements=links))
    cas.add_all([met, frame(begin=25, end=27, kind="be")])
    (tmp_path / "in" / "anna").mkdir(parents=True)
    cas.to_xmi(tmp_path / "in" / "anna" / "d.xmi")
    types.to_xml(tmp_path / "in" / "TypeSystem.xml")
    corpus = unisono.read(tmp_path / "in", pattern=PATTERNS["xmi"], units="events")
    if tool == "brat":
        unisono.write(corpus, tmp_path / "out", format=tool)
        lines = (tmp_path / "out/anna/d.ann").read_text(encoding="utf-8").splitlines()
        assert sum(line.startswith("T") for line in lines) == 4, "each place once"
        return
    _, found = back(corpus, tool, tmp_path, units="events")
    assert content(found) == content(corpus)
    assert found.features["type"].labels == ("Frame",)
    spans = unisono.read(tmp_path / "out", pattern=PATTERNS[tool])
    assert sorted(spans.features["type"].values()) == ["Frame", "Frame", "NamedEntity", "NamedEntity"]
    if tool == "webanno":
        lines = (tmp_path / "out/anna/d.tsv").read_text(encoding="utf-8").splitlines()
        assert f"#T_SP={FRAME}|kind|ROLE_{FRAME}:Roles_{LINK}|{ENTITY}" in lines
        (row,) = (line for line in lines if "\tmet\t" in line)
        assert row.split("\t")[3:] == ["meet", "*;agent;agent", "1-4[1];1-2;1-4[1]", "_", ""]
        return
    read = cassis.load_cas_from_xmi(tmp_path / "out/anna/d.xmi", typesystem=loaded(tmp_path / "out/TypeSystem.xml"))
    (one,) = (one for one in read.select(FRAME) if one.kind == "meet")
    assert sorted((str(own.role), own.target.get_covered_text()) for own in one.Roles.elements) == [
        ("None", "Bert\nand Carl"),
        ("agent", "Anna"),
        ("agent", "Bert\nand Carl"),
    ]


@pytest.mark.parametrize("units", ["spans", "relations", "events"])
@pytest.mark.parametrize("tool", ["xmi", "webanno"])
def test_files_that_say_differently_what_is_joined(units, tool, tmp_path):
    """WebAnno TSV 3 names what relations and slots join by the first annotation of a file."""
    for who, base, link, target in (
        ("anna", "webanno.custom.Ent", "webanno.custom.FrameRolesLink", "webanno.custom.Ent"),
        ("bert", ANNOTATION, "webanno.custom.FrameRolesLink[]", "uima.cas.FSArray"),
        ("carl", "de.x.Token", "webanno.custom.FrameRolesLink", FRAME),
    ):
        rows = [
            "1-1 0-4 Anna PER _ _ _ _ _",
            f"1-2 5-8 saw _ see {'_ *' if who == 'bert' else 'agent 1-2' if who == 'carl' else 'agent 1-1'} _ _",
            "1-3 9-13 Bert PER _ _ _ x 1-1",
        ]
        header = [
            "#FORMAT=WebAnno TSV 3.3",
            "#T_SP=webanno.custom.Ent|value",
            f"#T_SP={FRAME}|kind|ROLE_{FRAME}:Roles_{link}|{target}",
            f"#T_RL={KNOWS}|kind|BT_{base}",
        ]
        (tmp_path / "in" / who).mkdir(parents=True)
        lines = [*header, "", "", "#Text=Anna saw Bert", *("\t".join([*row.split(" "), ""]) for row in rows)]
        (tmp_path / "in" / who / "d.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    corpus = unisono.read(tmp_path / "in", units=units)
    said, found = back(corpus, tool, tmp_path, units=units)
    assert content(found) == content(corpus)
    assert found.features["type"].labels == corpus.features["type"].labels
    assert not said if units == "spans" else any("webanno.custom.End" in sentence for sentence in said)
