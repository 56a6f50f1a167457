"""Drafts of one text with tokens, where annotators have texts of their own, and what people decide about them."""

from __future__ import annotations

import json
import random

import pytest
from commands import run

import unisono
from unisono.adjudication.decisions import parsed_decision, places_of_texts
from unisono.errors import DataError, OptionError
from unisono.measurement.registry import parse_measure
from unisono.shuffling import shuffle

TAGS = "ANPV"


def written(tokens, space=" "):
    """Give the text of tokens (text, label) and their places; a text that begins with + is joined to the one before."""
    text, units = "", []
    for word, label in tokens:
        text += space if text and not word.startswith("+") else ""
        word = word.removeprefix("+")
        units.append((len(text), len(text) + len(word), label))
        text += word
    return text, units


def corpus_of(people, **more):
    """Make a corpus of one document; `people` have their tokens, or a text and its units."""
    rows, texts = [], {}
    for who, tokens in people.items():
        text, units = tokens if isinstance(tokens, tuple) else written(tokens)
        texts["d", who] = text
        rows += [(who, *unit) for unit in units]
    return unisono.Corpus.from_columns(
        document=["d"] * len(rows),
        documents=["d"],
        annotator=[who for who, *_ in rows],
        start=[start for _, start, _, _ in rows],
        end=[end for _, _, end, _ in rows],
        features={"pos": [label for *_, label in rows]},
        texts=texts,
        worked=[("d", who) for who in people],
        **more,
    )


def drawn(people, **options):
    return unisono.gold(corpus_of(people), **options)


def tokens_of(corpus):
    """Give the text and the tokens with their labels."""
    document = corpus["d"]
    return document.text, [(document.text[one.start : one.end], one.features["pos"]) for one in document.units]


ANNA = [("siehe", "V"), ("ef al", "X"), ("im", "P"), ("Bund", "N")]
BERT = [("siehe", "V"), ("et", "C"), ("al.", "X"), ("im", "P"), ("Band", "N")]
CHRIS = [("siehe", "V"), ("et", "X"), ("al.", "X"), ("im", "P"), ("Band", "A")]


def test_text_tokens_and_labels_of_the_majority():
    draft = drawn({"anna": ANNA, "bert": BERT, "chris": CHRIS})
    expected = [("siehe", "V"), ("et", None), ("al.", "X"), ("im", "P"), ("Band", "N")]
    assert tokens_of(draft.plain) == ("siehe et al. im Band", expected)
    (place,) = draft.to_decide
    assert [reason.words for reason in place.reasons] == ["tie of pos of et: C or X"]
    frame = {name: list(column) for name, column in draft.to_frame().items()}
    assert frame["support"] == [1.0, 0.6667, 0.6667, 1.0, 0.6667], (
        "shares of those who have this text with these tokens"
    )
    assert frame["support of pos"] == [1.0, 0.5, 1.0, 1.0, 0.6667]
    assert draft.plain.annotators == ("gold",)


def test_a_tie_of_texts_is_asked_and_the_draft_has_most_in_common():
    draft = drawn({"anna": ANNA, "bert": BERT})
    assert [[reason.words for reason in place.reasons] for place in draft.to_decide] == [
        ["tie of texts: ef al or et | al."],
        ["tie of texts: Band or Bund"],
    ]
    split = drawn({"anna": [("zuhant", "A")], "bert": [("zu", "A"), ("+hant", "A")]}, measure="text-gamma")
    assert [reason.words for reason in split.to_decide[0].reasons] == ["tie of tokens: zu | hant or zuhant"]


def test_texts_that_touch_are_decided_together_and_others_separately():
    """With hat from one annotator and nothing for s from the other, a letter would be lost."""
    joined = drawn({"anna": [("da", "A"), ("hatt", "V")], "bert": [("da", "A"), ("hat", "V"), ("+s", "P")]})
    assert [place.place.versions["bert"].words for place in joined.to_decide] == ["hat | s (V | P)"]
    apart = drawn({"anna": [("in", "A"), ("Bund", "V")], "bert": [("im", "A"), ("Band", "V")]})
    assert [place.version.text for place in apart.proposals] == ["im", "Band"]


def test_thresholds():
    people = {"anna": ANNA, "bert": BERT, "chris": CHRIS}
    sure = drawn(people, sure=0.99, majority=0.99)
    assert len(sure.to_decide) == 2
    assert ["et | al. has 67%", "tie of pos of et: C or X"] in [
        [reason.words for reason in place.reasons] for place in sure.to_decide
    ]
    assert sure.reasons() == {"not sure": 2, "no majority of labels": 1, "tie of labels": 1}
    with pytest.raises(OptionError, match="annotations of one text"):
        drawn(people, boundary=1)
    with pytest.raises(OptionError, match="annotations of one text"):
        drawn(people, competence="mace")
    with pytest.raises(DataError, match="use text-gamma"):
        drawn(people, measure="gamma")


def random_edition(rng, words):
    """Correct, split, merge, miss, add and relabel words."""
    made = []
    for word in words:
        what = rng.random()
        if what < 0.1:
            word = word[:-1] + rng.choice("xyz")
        elif what < 0.15 and len(word) > 2:
            made += [(word[:2], rng.choice(TAGS)), ("+" + word[2:], rng.choice(TAGS))]
            continue
        elif what < 0.2 and made:
            before, _ = made.pop()
            made.append((f"{before}{rng.choice([' ', ''])}{word}", rng.choice(TAGS)))
            continue
        elif what < 0.25:
            continue
        elif what < 0.3:
            made.append((rng.choice(["ach", "+,"]) if made else "ach", rng.choice(TAGS)))
        made.append((word, rng.choice(TAGS) if rng.random() < 0.2 else "N"))
    return written(made)


@pytest.mark.parametrize("seed", range(12))
def test_whoever_is_taken_everywhere_is_the_gold_standard(seed, tmp_path):
    """No token and no character is lost or doubled, whatever the texts."""
    rng = random.Random(seed)
    words = ["".join(rng.choice("abc") for _ in range(rng.randint(1, 5))) for _ in range(25)]
    people = {who: random_edition(rng, words) for who in ("anna", "bert", "chris")[: 2 + seed % 2]}
    corpus = corpus_of(people)
    draft = unisono.gold(corpus)
    places = places_of_texts(one.place for one in draft.proposals)
    for who, (text, units) in people.items():
        lines = []
        for number, (place, proposal) in enumerate(zip(places, draft.proposals, strict=True)):
            version = proposal.place.versions[who]
            begin = proposal.place.starts[who]
            assert text[begin : begin + len(version.text)] == version.text
            tokens = [{"start": one.start, "end": one.end, "features": one.features} for one in version.tokens]
            line = {"id": f"{who} {number}", "place": place, "decision": "text", "text": version.text, "tokens": tokens}
            lines.append(parsed_decision(line).line())
        path = tmp_path / f"{who}.jsonl"
        path.write_text("\n".join(lines), encoding="utf-8")
        settled = unisono.gold(corpus, decisions=path)
        assert settled.to_decide == ()
        found, tokens = tokens_of(settled.plain)
        assert tokens == [(text[start:end], label) for start, end, label in units]
        assert "".join(found.split()) == "".join(text.split())
        assert settled.texts["d"] == found


def compared(corpus, who, reference):
    """Give the observed disorder of an annotator and the reference."""
    both = [(who, one) for one in corpus["d"].units if one.annotator == who]
    both += [("reference", one) for one in reference["d"].units]
    texts = {("d", who): corpus.texts[0, corpus.annotators.index(who)], ("d", "reference"): reference["d"].text}
    pair = unisono.Corpus.from_columns(
        document=["d"] * len(both),
        annotator=[name for name, _ in both],
        start=[one.start for _, one in both],
        end=[one.end for _, one in both],
        features={"pos": [one.features["pos"] for _, one in both]},
        texts=texts,
    )
    return parse_measure("text-gamma").align(pair)["d"].disorder


def test_the_draft_is_nearer_to_the_truth_than_anybody():
    rng = random.Random(3)
    words = [
        ("".join(rng.choice("abcdefghij") for _ in range(rng.randint(2, 8))), rng.choice(TAGS)) for _ in range(150)
    ]
    reference = corpus_of({"truth": words})
    people = shuffle(reference, "text+segmentation+label", 0.2, n_annotators=3, rng=1)
    best = min(compared(people, who, reference) for who in people.annotators)
    assert compared(unisono.gold(people).plain, "gold", reference) < best / 2


def test_texts_that_agree_are_kept_as_they_are():
    text = "\n Ach,  so!\t(nein)\n\n"
    same = (text, [(2, 5, "A"), (5, 6, "P"), (8, 10, "A"), (13, 17, "A")])
    other = (text.replace("so", "sO"), same[1])
    draft = drawn({"anna": same, "bert": same, "chris": other})
    assert draft.texts["d"] == text
    assert [(unit.start, unit.end) for unit in draft.plain["d"].units] == [(2, 5), (5, 6), (8, 10), (13, 17)]
    assert draft.to_decide == ()


def test_a_text_that_is_left_out_takes_its_space_along(tmp_path):
    people = {"anna": [("a", "N"), ("b", "N")], "bert": [("a", "N"), ("x", "N"), ("b", "N")]}
    for took, text in (("", "a b"), ("x", "a x b")):
        draft = drawn(people, decisions=decided(tmp_path, "lena", drawn(people), took, [(0, 1, "N")] if took else []))
        assert draft.texts["d"] == text


def decided(tmp_path, name, draft, text, tokens, place=None):
    """Write a file with a decision about the worst place."""
    number = draft.proposals.index(draft.to_decide[0]) if place is None else place
    entry = {"id": name, "by": name, "decision": "text", "text": text}
    entry["tokens"] = [{"start": start, "end": end, "features": {"pos": label}} for start, end, label in tokens]
    entry["place"] = places_of_texts(one.place for one in draft.proposals)[number]
    path = tmp_path / f"{name}.jsonl"
    path.write_text(json.dumps(entry) + "\n", encoding="utf-8")
    return path


PAIR = {"anna": ANNA, "bert": BERT}


def test_decisions_are_merged_and_conflicts_are_listed(tmp_path):
    draft = drawn(PAIR)
    lena = decided(tmp_path, "lena", draft, "et al.", [(0, 6, "X")])
    maxi = decided(tmp_path, "maxi", draft, "et al.", [(0, 2, "C"), (3, 6, "X")])
    one = drawn(PAIR, decisions=lena)
    assert tokens_of(one.plain)[1][1] == ("et al.", "X")
    assert len(one.to_decide) == 1
    both = drawn(PAIR, decisions=[lena, maxi])
    assert len(both.to_decide) == 2
    assert any("lena: et al. (X); maxi: et | al. (C | X)" in note for note in both.notes)
    same = decided(tmp_path, "mia", draft, "et al.", [(0, 6, "X")])
    assert len(drawn(PAIR, decisions=[lena, same]).to_decide) == 1


def test_places_survive_other_parameters_and_are_offered_again_if_texts_changed(tmp_path):
    lena = decided(tmp_path, "lena", drawn(PAIR), "et al.", [(0, 6, "X")])
    for measure in ("text-gamma(features=[text:3,pos])", "text-gamma(gap_boundary=2)"):
        assert "1 decision in the gold standard" in drawn(PAIR, decisions=lena, measure=measure).notes
    changed = {**PAIR, "anna": [("siehe", "V"), ("ef. al", "X"), *ANNA[2:]]}
    notes = drawn(changed, decisions=lena).notes
    assert any("1 decision not used, because the data has no such place" in note for note in notes)


@pytest.mark.parametrize(
    ("text", "tokens", "why"),
    [
        ("et al.", [(0, 7, "X")], "outside the text"),
        ("et al.", [(0, 3, "X"), (2, 6, "X")], "overlaps another one"),
        ("et al.", [(2, 2, "X")], "is empty"),
        ("et al.", [(0.5, 2, "X")], "whole characters"),
        (7, [], '"text" should be text'),
    ],
)
def test_impossible_decisions_are_rejected(tmp_path, text, tokens, why):
    with pytest.raises(DataError, match=why):
        drawn(PAIR, decisions=decided(tmp_path, "lena", drawn(PAIR), text, tokens))


def test_units_of_other_types_go_where_their_tokens_are():
    rows, texts = [], {}
    for who, word in (("anna", "ef"), ("bert", "et"), ("chris", "et al")):
        texts["d", who] = f"siehe {word} al. Band. Da."
        n = len(word) + 6
        rows += [(who, 0, 5, "token"), (who, 6, n, "token"), (who, n + 1, n + 4, "token"), (who, n + 5, n + 9, "token")]
        rows += [(who, n + 11, n + 13, "token"), (who, n + 11, n + 14, "sentence")]
        rows.append((who, 0, n + 10 if who != "bert" else 5, "sentence"))
    corpus = unisono.Corpus.from_columns(
        annotator=[who for who, *_ in rows],
        document=["d"] * len(rows),
        start=[row[1] for row in rows],
        end=[row[2] for row in rows],
        features={"type": [row[3] for row in rows]},
        texts=texts,
    )
    draft = unisono.gold(corpus)
    document = draft.plain["d"]
    sentences = [document.text[one.start : one.end] for one in document.units if one.features["type"] == "sentence"]
    assert sentences == [document.text[: document.text.index(" Da")], "Da."]
    assert sum(one.features["type"] == "token" for one in document.units) == 5
    assert any("1 unit of other types" in note for note in draft.remarks)


def test_the_command_writes_text_tokens_and_the_queue(tmp_path):
    path = tmp_path / "texts.jsonl"
    unisono.write(corpus_of({"anna": ANNA, "bert": BERT, "chris": CHRIS}), path)
    done = run("gold", path, "-o", tmp_path / "gold.jsonl", "--queue", tmp_path / "queue.csv")
    assert done.returncode == 0, done.stderr
    assert "5 units in 1 document" in done.stderr
    assert tokens_of(unisono.read(tmp_path / "gold.jsonl"))[0] == "siehe et al. im Band"
    assert "tie of pos of et: C or X" in (tmp_path / "queue.csv").read_text("utf-8")
    table = run("gold", path, "-o", tmp_path / "gold.csv", "--plain")
    assert table.returncode == 0
    assert (tmp_path / "gold.csv").read_text("utf-8").splitlines()[:3] == [
        "document,annotator,start,end,text,pos",
        "d,gold,0,5,siehe,V",
        "d,gold,6,8,et,",
    ]
    hidden = run("gold", path, "-o", tmp_path / "h.jsonl", "--queue", tmp_path / "h.csv", "--hide-text")
    assert hidden.returncode == 0
    assert "Band" not in (tmp_path / "h.jsonl").read_text("utf-8") + (tmp_path / "h.csv").read_text("utf-8")
