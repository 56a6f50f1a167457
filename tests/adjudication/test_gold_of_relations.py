"""Drafts of relations, events and units in pieces: ends one by one, and the label by itself."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from commands import run

import unisono
from unisono.adjudication.decisions import parsed_decision, places_of_units
from unisono.adjudication.ends import GoldSpans
from unisono.data.labels import feature
from unisono.errors import DataError

TEXT = "Anna met Bert in Rome with Cleo."
ANNA, BERT, CLEO, ROME = (0, 4), (9, 13), (27, 31), (17, 21)


def drawn(*relations, **options):
    """Give the draft of (source, target, label) of each annotator."""
    people = "abcdef"[: len(relations)]
    corpus = unisono.Corpus.from_columns(
        annotator=list(people),
        anchors=[[("source", *source), ("target", *target)] for source, target, _ in relations],
        features={"category": [label for *_, label in relations]},
        texts={("document", who): TEXT for who in people},
    )
    return unisono.gold(corpus, **options)


def anchors(draft):
    return [[tuple(one) for one in unit.anchors] for document in draft.corpus for unit in document.units]


def test_ends_and_label_of_the_majority():
    draft = drawn((ANNA, BERT, "met"), (ANNA, CLEO, "met"), (ANNA, BERT, "saw"))
    assert anchors(draft) == [[("source", *ANNA), ("target", *BERT)]]
    assert [unit.category for document in draft.corpus for unit in document.units] == ["met"]
    assert draft.to_decide == ()


def test_ends_and_label_are_asked_for_separately():
    draft = drawn((ANNA, BERT, "met"), (ANNA, CLEO, "saw"), measure="gamma(beta=0.5)")
    (place,) = draft.to_decide
    assert [reason.words for reason in place.reasons] == ["tie of category: met or saw", "target: 9..13 or 27..31"]
    queue = {name: column[0] for name, column in draft.queue_columns().items()}
    assert queue["a"] == "source 0..4 + target 9..13 met"
    assert queue["draft"] == "source 0..4 + target 9..13 met or saw"


def test_a_draft_is_an_end_that_somebody_chose():
    """Medians of starts and of ends could be of two different words."""
    draft = drawn((ANNA, BERT, "x"), (ANNA, ROME, "x"), (ANNA, CLEO, "x"), (ANNA, (9, 21), "x"))
    (unit,) = anchors(draft)
    assert unit[1][1:] in (BERT, ROME, CLEO, (9, 21))


def test_pieces(tmp_path):
    lines = [
        {
            "document": "d",
            "annotator": who,
            "text": TEXT,
            "units": [{"anchors": [{"role": "piece", "start": s, "end": e} for s, e in pieces], "features": {}}],
        }
        for who, pieces in {"a": (ANNA, BERT), "b": (ANNA, BERT), "c": (ANNA,)}.items()
    ]
    path = tmp_path / "in.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    draft = unisono.gold(path)
    assert anchors(draft) == [[("piece", *ANNA), ("piece", *BERT)]]
    (place,) = draft.to_decide
    assert [reason.words for reason in place.reasons] == ["number of anchors piece: 1 or 2"]


def test_the_gold_standard_is_written_with_its_anchors(tmp_path):
    draft = drawn((ANNA, BERT, "met"), (ANNA, BERT, "met"))
    unisono.write(draft.plain, tmp_path / "gold.jsonl")
    back = unisono.read(tmp_path / "gold.jsonl", units="relations")
    assert [[tuple(one) for one in unit.anchors] for document in back for unit in document.units] == anchors(draft)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_the_gold_standard_as_a_frame_has_its_ends(library):
    pytest.importorskip(library)
    draft = drawn((ANNA, BERT, "met"), (ANNA, BERT, "met"))
    frame = draft.to_frame(library)
    names = list(frame.column_names if library == "pyarrow" else frame.columns)
    assert names[:5] == ["document", "start", "end", "target_start", "target_end"]
    pieces = [[("source", *ANNA), ("target", *BERT), ("target", *ROME)], [("source", *CLEO)]]
    rows = [(who, own, label) for who in "ab" for own, label in zip(pieces, "xy", strict=True)]
    people, every, labels = zip(*rows, strict=True)
    corpus = unisono.Corpus.from_columns(annotator=people, anchors=every, features={"category": labels})
    made = unisono.gold(corpus)
    frame = made.to_frame(library)
    if library == "pyarrow":
        frame = frame.append_column("annotator", [["gold"] * 2])
    else:
        frame = (
            frame.with_columns(annotator=gold_of_polars()) if library == "polars" else frame.assign(annotator="gold")
        )
    back = unisono.from_frame(frame)
    assert {frozenset(unit.anchors) for unit in back["document"].units} == set(map(frozenset, pieces))


def gold_of_polars():
    import polars

    return polars.lit("gold")


def test_align_prints_both_ends_with_their_text(tmp_path):
    draft = drawn((ANNA, BERT, "met"), (ANNA, CLEO, "met"))
    unisono.write(draft.annotated, tmp_path / "in.jsonl")
    done = run("align", tmp_path / "in.jsonl", "--units", "relations", "-o", tmp_path / "out.jsonl")
    assert done.returncode == 0, done.stderr
    (row,) = map(json.loads, (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines())
    assert (row["a.ends"], row["a.text"]) == ("source 0–4, target 9–13", "Anna → Bert")
    assert row["b.text"] == "Anna → Cleo"


SPANS = [ANNA, BERT, CLEO, ROME]


def spans_of(*people, who="abc"):
    """Make spans of annotators, each a list of places."""
    rows = [(name, *place) for name, places in zip(who, people, strict=False) for place in places]
    names, start, end = zip(*rows, strict=True)
    texts = {("document", name): TEXT for name in names}
    return unisono.Corpus.from_columns(
        annotator=names, start=start, end=end, features={"category": ["PER"] * len(rows)}, texts=texts
    )


def test_ends_are_units_of_the_gold_standard():
    """Two of three mean Bert, but no two marked him in the same way."""
    gold = spans_of(SPANS, who=["gold"])
    draft = drawn((ANNA, (9, 16), "met"), (ANNA, (5, 13), "met"), (ANNA, CLEO, "met"), spans=gold)
    assert anchors(draft) == [[("source", *ANNA), ("target", *BERT)]]
    assert draft.to_decide == ()
    assert draft.notes == ("ends of relations are the 4 spans of 'gold'",)
    without = drawn((ANNA, (9, 16), "met"), (ANNA, (5, 13), "met"), (ANNA, CLEO, "met"))
    assert anchors(without) != anchors(draft)


def test_spans_of_the_same_annotators_are_drafted_first():
    relations = [(ANNA, (9, 16), "met"), (ANNA, BERT, "met"), (ANNA, BERT, "met")]
    spans = spans_of([ANNA, (9, 16), ROME], [ANNA, BERT], [ANNA, BERT])
    draft = drawn(*relations, spans=spans)
    assert anchors(draft) == [[("source", *ANNA), ("target", *BERT)]]
    (document,) = draft.spans
    assert [(unit.annotator, unit.start, unit.end, unit.category) for unit in document.units] == [
        ("gold", *ANNA, "PER"),
        ("gold", *BERT, "PER"),
    ]
    first = "ends of relations are among the 2 spans that were drafted first"
    assert draft.notes == (f"{first}; people should decide on 1 place among these first",)


def test_ends_on_no_unit_are_asked_for():
    draft = drawn((ANNA, CLEO, "met"), (ANNA, CLEO, "met"), spans=spans_of([ANNA, BERT], who=["gold"]))
    assert anchors(draft) == [[("source", *ANNA), ("target", *CLEO)]]
    (place,) = draft.to_decide
    assert [reason.words for reason in place.reasons] == ["target 27..31 is not a unit of the gold standard"]
    assert draft.reasons() == {"ends on no unit": 1}
    draft = drawn((ANNA, CLEO, "met"), (ANNA, BERT, "met"), spans=spans_of([ANNA, BERT], who=["gold"]))
    (place,) = draft.to_decide
    assert [reason.words for reason in place.reasons] == ["target: 9..13 or no unit of the gold standard"]


def test_spans_that_do_not_belong_to_the_relations():
    other = unisono.Corpus.from_columns(document=["d2"], annotator=["gold"], start=[0], end=[4])
    with pytest.raises(
        unisono.OptionError, match=r"spans: the spans are of other documents \(d2\) than .*\(document\)"
    ):
        drawn((ANNA, BERT, "met"), (ANNA, BERT, "met"), spans=other)
    with pytest.raises(unisono.OptionError, match="spans: only relations and events have ends, and these are spans"):
        unisono.gold(spans_of([ANNA], [ANNA]), spans=spans_of([ANNA], who=["gold"]))


def test_words_are_given_so_they_are_not_drafted():
    spans = spans_of(SPANS, SPANS)
    words = replace(spans, features={**spans.features, "type": feature(["token"] * spans.n_units)})
    draft = drawn((ANNA, BERT, "met"), (ANNA, BERT, "met"), spans=words)
    assert draft.spans is None
    assert draft.notes == ()


def test_an_end_is_the_nearest_span():
    """By d_pos, tried out for all spans."""
    rng = np.random.default_rng(3)
    places = [tuple(sorted(rng.integers(0, 30, 2).tolist())) for _ in range(12)]
    gold = GoldSpans(spans_of(places, who=["gold"]))
    for _ in range(200):
        end = tuple(sorted(rng.integers(0, 30, 2).tolist()))
        costs = {place: d_pos(end, place) for place in places}
        found = gold.nearest("document", end)
        least = min(costs.values())
        assert (found is None) == (least >= 1)
        assert found is None or costs[found] == least


def d_pos(one, other):
    if one == other:
        return 0.0
    size = one[1] - one[0] + other[1] - other[0]
    apart = abs(one[0] - other[0]) + abs(one[1] - other[1])
    return (apart / size) ** 2 if size else float("inf")


def test_spans_of_the_layers_that_relations_join(tmp_path):
    """Spans of other layers, and parts of speech, do not matter."""
    pos = [{"start": s, "end": e, "type": "POS", "features": {"tag": "X"}} for s, e in (*SPANS, (5, 8), (14, 16))]
    lines = [
        {
            "document": "d",
            "annotator": who,
            "text": TEXT,
            "tokens": [[unit["start"], unit["end"]] for unit in pos],
            "units": [
                *pos,
                {"start": 0, "end": 20, "type": "Clause", "features": {"tag": who}},
                *({"start": s, "end": e, "type": "NE", "features": {"value": "PER"}} for s, e in (ANNA, BERT)),
                {
                    "anchors": [{"role": "source", "start": 0, "end": 4}, {"role": "target", "start": 9, "end": 13}],
                    "type": "Knows",
                    "features": {"kind": "met"},
                },
            ],
        }
        for who in ("anna", "bert")
    ]
    path = tmp_path / "in.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    out = tmp_path / "gold"
    done = run("gold", path, "--units", "relations", "--features", "kind", "--plain", "--to", "brat", "-o", out)
    assert done.returncode == 0, done.stderr
    assert "ends of relations are among the 2 spans that were drafted first" in done.stderr
    (file,) = out.glob("*/*.ann")
    assert [line.split("\t")[1] for line in file.read_text(encoding="utf-8").splitlines() if line[0] in "TR"] == [
        "NE 0 4",
        "NE 9 13",
        "met Arg1:T1 Arg2:T2",
    ]
    done = run("gold", path, "--units", "relations", "--spans", tmp_path / "none.jsonl", "-o", tmp_path / "g.jsonl")
    assert done.returncode == 1
    assert "none.jsonl" in done.stderr


def decided(tmp_path, name, draft, *units):
    """Write a file with a decision about the first place."""
    (place, *_) = places_of_units(draft.proposals)
    decision = parsed_decision({"id": name, "place": place, "decision": "units", "units": list(units), "by": name})
    path = tmp_path / f"{name}.jsonl"
    path.write_text(decision.line() + "\n", encoding="utf-8")
    return path


def joined(source, target, label):
    ends = {"source": source, "target": target}
    return {
        "anchors": [{"role": role, "start": start, "end": end} for role, (start, end) in ends.items()],
        "features": {"category": label},
    }


APART = ((ANNA, BERT, "met"), (ANNA, CLEO, "met"))


def test_decided_ends_and_labels_are_in_the_gold_standard(tmp_path):
    lena = decided(tmp_path, "lena", drawn(*APART), joined(ANNA, ROME, "saw"), joined(CLEO, BERT, "met"))
    draft = drawn(*APART, decisions=lena)
    first, second = [("source", *ANNA), ("target", *ROME)], [("source", *CLEO), ("target", *BERT)]
    assert anchors(draft) == [first, second]
    assert [unit.category for document in draft.corpus for unit in document.units] == ["saw", "met"]
    assert draft.to_decide == ()
    (line,) = lena.read_text("utf-8").splitlines()
    assert json.loads(line)["units"][0] == joined(ANNA, ROME, "saw"), "anchors are in place of start and end"


def test_people_who_chose_other_ends_are_a_conflict(tmp_path):
    files = [
        decided(tmp_path, name, drawn(*APART), joined(ANNA, target, "met"))
        for name, target in (("lena", BERT), ("max", CLEO))
    ]
    draft = drawn(*APART, decisions=files)
    (place,) = draft.to_decide
    assert place.reasons[-1].words == ("lena: source 0..4 + target 9..13 met; max: source 0..4 + target 27..31 met")
    agreed = decided(tmp_path, "mia", drawn(*APART), joined(ANNA, BERT, "met"))
    assert drawn(*APART, decisions=[files[0], agreed]).to_decide == ()


def test_a_place_is_another_one_if_an_end_has_changed(tmp_path):
    lena = decided(tmp_path, "lena", drawn(*APART), joined(ANNA, BERT, "met"))
    changed = drawn((ANNA, BERT, "met"), ((0, 4), (27, 30), "met"), decisions=lena)
    assert any("1 decision not used" in note for note in changed.notes)
    elsewhere = drawn(*APART, decisions=lena, measure="gamma(alpha=0.5)")
    assert any("1 decision in the gold standard" in note for note in elsewhere.notes)


@pytest.mark.parametrize(
    ("unit", "why"),
    [
        (joined(ANNA, (30, 33), "met"), "outside document"),
        ({"anchors": [{"role": "agent", "start": 0, "end": 4}, {"role": "target", "start": 9, "end": 13}]}, "no agent"),
        ({"start": 0, "end": 4}, "has no ends"),
        ({"anchors": []}, "should be a list of objects"),
        ({"anchors": [{"start": 0, "end": 4}]}, '"role"'),
        ({"anchors": [{"role": "source", "start": 4, "end": 0}]}, "before it begins"),
    ],
)
def test_decisions_that_are_no_relations_of_the_data_are_rejected(tmp_path, unit, why):
    with pytest.raises(DataError, match=why):
        drawn(*APART, decisions=decided(tmp_path, "lena", drawn(*APART), unit))
