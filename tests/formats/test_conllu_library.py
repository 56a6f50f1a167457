"""The CoNLL-U reader on what the package conllu writes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.formats import read

conllu = pytest.importorskip("conllu", reason="the package conllu writes the files")

FORMS = st.text("aäß𝄞漢#|=.-", min_size=1, max_size=5).filter(lambda form: form != "_")


def token(number, form, **columns):
    missing = dict.fromkeys(("lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"))
    return conllu.Token({"id": number, "form": form, **missing, **columns})


def sentence(*tokens, **metadata):
    return conllu.TokenList(list(tokens), conllu.Metadata(metadata))


def test_all_columns(tmp_path):
    first = sentence(
        token((1, "-", 2), "vámonos"),
        token(1, "vamos", lemma="ir", upos="VERB", feats={"Number": "Plur", "Mood": "Imp"}, head=0, deprel="root"),
        token(2, "nos", lemma="nosotros", upos="PRON", xpos="PP", head=1, deprel="obj", deps=[("obj", 1)]),
        token((2, ".", 1), "e", upos="X"),
        token(3, "Mar", lemma="mar", upos="NOUN", head=1, deprel="obl", misc={"SpaceAfter": "No", "Gloss": "sea"}),
        token(4, ".", lemma=".", upos="PUNCT", head=1, deprel="punct"),
        **{"newdoc id": "d1", "sent_id": "s1", "text": "vámonos Mar."},
    )
    second = sentence(token(1, "Sí", lemma="sí", upos="INTJ", head=0, deprel="root"), **{"newdoc id": "d2"})
    path = tmp_path / "anna.conllu"
    path.write_text(first.serialize() + second.serialize(), encoding="utf-8")
    corpus = read(path)
    assert corpus.documents == ("d1", "d2")
    assert [corpus[name].text for name in corpus.documents] == ["vámonos Mar.", "Sí"]
    units = {unit.features["lemma"]: (unit.start, unit.end, unit.features) for unit in corpus["d1"].units}
    assert {lemma: place[:2] for lemma, place in units.items()} == {
        "ir": (0, 7),
        "nosotros": (0, 7),
        "mar": (8, 11),
        ".": (11, 12),
    }
    assert units["ir"][2]["feats"] == ("Mood=Imp", "Number=Plur")
    assert (units["nosotros"][2]["xpos"], units["mar"][2]["Gloss"]) == ("PP", "sea")


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.tuples(FORMS, st.booleans()), min_size=1, max_size=5), min_size=1, max_size=4))
def test_forms_and_spaces(tmp_path_factory, sentences):
    written = [
        sentence(
            *(
                token(number, form, upos="X", misc={"SpaceAfter": "No"} if joined else None)
                for number, (form, joined) in enumerate(words, start=1)
            )
        )
        for words in sentences
    ]
    path = tmp_path_factory.mktemp("conllu") / "text1.conllu"
    path.write_text("".join(tokens.serialize() for tokens in written), encoding="utf-8")
    document = read(path)["text1"]
    lines = ("".join(form + ("" if joined else " ") for form, joined in words).rstrip(" ") for words in sentences)
    assert document.text == "\n".join(lines)
    assert [document.text[unit.start : unit.end] for unit in document.units] == [
        form for words in sentences for form, _ in words
    ]
