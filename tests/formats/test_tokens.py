"""Tokens as items: columns of CoNLL-U and IOB files as questions about each token."""

from __future__ import annotations

import pytest
from format_helpers import refusal

import unisono
from unisono.data import Export, Ratings
from unisono.errors import DataError, OptionError
from unisono.formats import read

WORDS = """\
# newdoc id = d1
# text = Dogs don't bark
1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t4\tnsubj\t_\tNorm=dogs
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\t_\t_\t4\taux\t_\tFlag
3\tn't\tnot\tPART\t_\tPolarity=Neg\t4\tadvmod\t_\t_
3.1\tx\t_\t_\t_\t_\t_\t_\t_\t_
4\tbark\tbark\tVERB\t_\tMood=Ind|VerbForm=Fin\t0\troot\t_\t_

1\tGo\tgo\tVERB\t_\t_\t_\t_\t_\t_

# newdoc id = d2
1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_
"""


@pytest.fixture
def save(tmp_path):
    def make(**files):
        for who, content in files.items():
            (tmp_path / f"{who}.conllu").write_text(content, encoding="utf-8")
        return tmp_path

    return make


def table(ratings):
    """Return the labels by document and item, and annotator."""
    found = {}
    for row, item in enumerate(ratings.items):
        for who, code in zip(ratings.annotators, ratings.codes[row].tolist(), strict=True):
            place = ratings.documents[ratings.document[row]], item
            found.setdefault(place, {})[who] = ratings.labels[code] if code >= 0 else None
    return found


def of(ratings, who):
    return [labels[who] for labels in table(ratings).values()]


def tokens(path, **options):
    return read(path, pattern="{annotator}.conllu", units="tokens", **options)


def test_columns_of_conllu(save):
    export = tokens(save(anna=WORDS))
    assert isinstance(export, Export)
    assert export.units is None
    assert [*export.questions] == ["lemma", "upos", "xpos", "deprel", "feats", "Norm", "head", "Flag"]
    upos = export.questions["upos"]
    assert [*table(upos)] == [("d1", "1-1"), ("d1", "1-2"), ("d1", "1-3"), ("d1", "1-4"), ("d1", "2-1"), ("d2", "1-1")]
    assert of(upos, "anna") == ["NOUN", "AUX", "PART", "VERB", "VERB", "INTJ"]
    assert upos.texts == ("Dogs", "do", "n't", "bark", "Go", "Yes")
    assert upos.question.kind == "names"
    feats = export.questions["feats"]
    plain = ("Number=Plur",), (), ("Polarity=Neg",), ("Mood=Ind", "VerbForm=Fin"), (), ()
    assert of(feats, "anna") == list(plain)
    assert feats.question.kind == "sets"
    assert of(export.questions["head"], "anna") == ["4", "4", "4", "0", None, "0"]
    assert of(export.questions["Flag"], "anna") == [None, True, None, None, None, None]
    assert export.dropped == {"empty nodes, which are not in the text": 1}


def test_without_any_feature_there_is_no_question_about_them(save):
    content = "1\tGo\tgo\tVERB\t_\t_\t_\t_\t_\t_\n"
    assert [*tokens(save(anna=content)).questions] == ["lemma", "upos"]


def test_a_question_of_two_annotators(save):
    path = save(anna=WORDS, bert=WORDS.replace("NOUN", "PROPN").replace("Mood=Ind|", ""))
    upos = unisono.prepare(tokens(path), layers=["upos"])
    assert isinstance(upos, Ratings)
    assert upos.annotators == ("anna", "bert")
    assert table(upos)["d1", "1-1"] == {"anna": "NOUN", "bert": "PROPN"}
    assert sum(len(set(pair.values())) > 1 for pair in table(upos).values()) == 1
    assert upos.preparation == (("units", "tokens"), ("layers", "upos"))
    feats = unisono.prepare(tokens(path), layers=["feats"])
    assert table(feats)["d1", "1-4"] == {"anna": ("Mood=Ind", "VerbForm=Fin"), "bert": ("VerbForm=Fin",)}
    with pytest.raises(OptionError, match="unknown layer 'tag'"):
        unisono.prepare(tokens(path), layers=["tag"])


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("\tbark\tb", "\tgrowl\tb", 8, "token 4 of sentence 1 of document 'd1' is 'growl' here, but 'bark' in another"),
        ("1\tGo", "1\tOh\t_\tINTJ\t_\t_\t_\t_\t_\t_\n2\tGo", 10, "token 1 of sentence 2 of document 'd1' is 'Oh' here"),
        (
            "VERB\t_\t_\t_\t_\t_\t_\n",
            "VERB\t_\t_\t_\t_\t_\t_\n2\t!\t_\t_\t_\t_\t_\t_\t_\t_\n",
            11,
            "sentence 2 of document 'd1' has 2 tokens here, but 1 in another file",
        ),
    ],
)
def test_tokens_that_are_not_the_same(save, old, new, line, words):
    path = save(anna=WORDS, bert=WORDS.replace("# text = Dogs don't bark\n", "#\n").replace(old, new))
    with pytest.raises(DataError, match="make the tokens the same") as caught:
        tokens(path)
    assert words in str(caught.value)
    assert (caught.value.path, caught.value.line) == (path / "bert.conllu", line)
    told = []
    export = tokens(path, bad=told.append)
    assert [str(error) for error in told] == [str(caught.value)]
    assert export.dropped["files or records that could not be read and were passed over"] == 1
    sentence = words.partition("sentence ")[2][0]
    for ratings in export.questions.values():
        for (document, item), labels in table(ratings).items():
            missing = document == "d1" and item.startswith(sentence)
            assert (labels["bert"] is None) >= missing
            assert missing or labels["bert"] == labels["anna"]
    assert of(export.questions["upos"], "anna") == ["NOUN", "AUX", "PART", "VERB", "VERB", "INTJ"]


def test_a_bad_sentence_is_one_bad_record(save):
    path = save(anna=WORDS.replace("bark\tbark\tVERB", "bark\tVERB"))
    refusal(path / "anna.conllu", 8, "9 columns, not 10", units="tokens")
    refusal(path / "anna.conllu", 8, "9 columns, not 10")
    told = []
    export = tokens(path, bad=told.append)
    assert len(told) == 1
    assert of(export.questions["upos"], "anna") == ["VERB", "INTJ"]
    path = save(anna=WORDS.replace("Norm=dogs", "head=1"))
    refusal(path / "anna.conllu", 3, "MISC has 'head', which is a column already", units="tokens")
    assert read(path / "anna.conllu").features["head"].labels == ("1",)


def test_files_of_units_have_no_tokens_with_labels(tmp_path):
    (tmp_path / "t.csv").write_text("annotator,start,end\nanna,0,1\n")
    with pytest.raises(OptionError, match="CSV has no columns with labels of tokens"):
        read(tmp_path / "t.csv", units="tokens")


IOB = """\
-DOCSTART- -X- O O

U.N. NNP I-NP I-ORG
official NN I-NP O

-DOCSTART- (two)

Ekeus NNP I-NP I-PER
"""


def test_columns_of_iob(tmp_path):
    path = tmp_path / "n.conll"
    path.write_text(IOB)
    export = read(path, units="tokens")
    assert [*export.questions] == ["column 2", "column 3", "column 4"]
    assert table(export.questions["column 4"]) == {
        ("n", "1-1"): {"annotator": "I-ORG"},
        ("n", "1-2"): {"annotator": "O"},
        ("two", "1-1"): {"annotator": "I-PER"},
    }
    assert export.questions["column 4"].texts == ("U.N.", "official", "Ekeus")
    path.write_text("1\tU.N.\tB-ORG\n2\tsays\tO\n")
    ratings = read(path, units="tokens", options={"token": "2"})
    assert ratings.question.name == "column 3"
    assert of(ratings, "annotator") == ["B-ORG", "O"]


def test_annotators_in_columns_of_iob(tmp_path):
    path = tmp_path / "n.conll"
    path.write_text("U.N. X B-ORG B-PER\nsays X O O\n")
    ratings = read(path, units="tokens", options={"columns": "anna:3;bert:4"})
    assert ratings.question.name == "tag"
    assert table(ratings) == {
        ("n", "1-1"): {"anna": "B-ORG", "bert": "B-PER"},
        ("n", "1-2"): {"anna": "O", "bert": "O"},
    }


def test_a_bad_line_of_iob_keeps_its_token(tmp_path):
    for who in ("anna", "bert"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "n.conll").write_text(IOB if who == "anna" else IOB.replace("official NN", "official"))
    refusal(tmp_path / "bert" / "n.conll", 4, "the line has 3 columns, the first has 4", units="tokens")
    told = []
    export = read(tmp_path, units="tokens", bad=told.append)
    assert len(told) == 1
    assert table(export.questions["column 4"]) == {
        ("n", "1-1"): {"anna": "I-ORG", "bert": "I-ORG"},
        ("n", "1-2"): {"anna": "O", "bert": None},
        ("two", "1-1"): {"anna": "I-PER", "bert": "I-PER"},
    }
    (tmp_path / "bert" / "n.conll").write_text(IOB.replace("official NN I-NP O", "\tNN\tI-NP\tO"))
    refusal(tmp_path / "bert" / "n.conll", 4, "there is no token in column 1", units="tokens")
    assert table(read(tmp_path, units="tokens", bad=told.append).questions["column 2"])["two", "1-1"] == {
        "anna": "NNP",
        "bert": "NNP",
    }


NER, POS = "de.tudarmstadt.ner.NamedEntity", "de.tudarmstadt.pos.POS"
TSV_3 = f"""#FORMAT=WebAnno TSV 3.3
#T_SP={NER}|identifier|value
#T_SP={POS}|PosValue
#T_RL=de.tudarmstadt.Dependency|kind|BT_{POS}

#Text=Ms. Haag plays
1-1\t0-3\tMs.\t*[1]|Q1[2]\tPER[1]|PERpart[2]\tNNP\t_\t_\t
1-2\t4-8\tHaag\t*[1]\tPER[1]\tNN\\_P\tx\t1-1\t
1-2.1\t4-6\tHa\t_\tX\t_\t_\t_\t
1-3\t9-14\tplays\t_\t_\t_\t_\t_\t
"""
TSV_2 = f""" # {NER} | identifier | value # {POS} | PosValue # de.tudarmstadt.Dependency | kind | AttachTo={POS}
#id=1
#text=Ms. Haag plays
1-1\tMs.\tB-{NER}_|B-Q1\tB-PER|B-PERpart\tNNP\t_\t_\t
1-2\tHaag\tI-{NER}_\tI-PER\tNN_P\tx\t1-1\t
1-3\tplays\tO\tO\t_\t_\t_\t
"""


@pytest.mark.parametrize("content", [TSV_3, TSV_2])
def test_features_of_webanno(tmp_path, content):
    path = tmp_path / "text1.tsv"
    path.write_text(content)
    export = read(path, units="tokens")
    assert {name: of(ratings, "annotator") for name, ratings in export.questions.items()} == {
        "NamedEntity.identifier": ["Q1", None, None],
        "NamedEntity.value": [("PER", "PERpart"), ("PER",), ()],
        "POS.PosValue": ["NNP", "NN_P", None],
    }
    assert [*table(export.questions["POS.PosValue"])] == [("text1", f"1-{token}") for token in (1, 2, 3)]
    assert export.questions["POS.PosValue"].texts == ("Ms.", "Haag", "plays")
    assert export.dropped == ({"parts of tokens, which are not tokens": 1} if content is TSV_3 else {})


@pytest.mark.parametrize("content", ["item,annotator,label\na,x,1\na,y,2\n", "item,x,y\nb,1,2\nt-1,1,1\n"])
def test_labels_of_items_are_not_those_of_tokens(tmp_path, content):
    path = tmp_path / "labels.csv"
    path.write_text(content)
    with pytest.raises(OptionError, match="no columns with labels of tokens; leave it out") as caught:
        read(path, units="tokens")
    assert caught.value.parameter == "units"
