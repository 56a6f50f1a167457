"""Several models among people: who is what, agreement, the test, errors in common, families and runs."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from comparison_helpers import ratings, spans

import unisono
from unisono.comparison import compare_model, compare_models, prevalence
from unisono.comparison.models.crowds import seated
from unisono.comparison.models.roles import check_families, looks_like_a_model, who_is_who
from unisono.data import Corpus, Ratings
from unisono.errors import DataError, OptionError
from unisono.statistics.paired import adjusted_by_holm

PEOPLE = {"anna": 0.2, "bert": 0.2, "cleo": 0.2}


def labelled(seed=1, n=120, **models):
    """People and models that deviate from the truth so often."""
    return ratings(np.random.default_rng(seed), {**PEOPLE, **models}, n)


def alike(seed=2, n=300, copies=0.8):
    """Three people, two models that share most of their errors, and one with errors of its own."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, n)

    def deviating(often):
        return np.where(rng.random(n) < often, rng.integers(0, 4, n), truth)

    common = deviating(0.4)
    columns = {name: deviating(0.2) for name in PEOPLE}
    columns |= {name: np.where(rng.random(n) < copies, common, deviating(0.4)) for name in ("gpt-a", "gpt-b")}
    columns["llama"] = deviating(0.4)
    return Ratings.from_annotators({name: column.tolist() for name, column in columns.items()})


def alpha(data, *pair):
    return unisono.krippendorff_alpha(data.select(annotators=pair, all_labels=True)).value


def test_other_models_are_no_people():
    """What went wrong before: the second model was taken for a human."""
    data = alike()
    measure = "krippendorff-alpha"
    found = compare_models(data, ["gpt-a", "gpt-b", "llama"], measure=measure)
    assert found.humans == ("anna", "bert", "cleo")
    people = np.mean([alpha(data, *pair) for pair in combinations(PEOPLE, 2)])
    for one in found.models:
        assert one.comparison.values[0] == pytest.approx(people)
        assert one.comparison.values[1] == pytest.approx(np.mean([alpha(data, one.model, who) for who in PEOPLE]))
        assert [human.annotator for human in one.test.humans] == [*PEOPLE]
        assert not one.test.passes
        alone = compare_model(data, one.model, measure, humans=[*PEOPLE])
        assert alone.comparison.values == one.comparison.values
        assert alone.test == one.test
    means = {one.name: one.value for one in found.agreements}
    assert means["human–human"] == pytest.approx(people)
    assert means["model–model"] == pytest.approx(
        np.mean([alpha(data, *pair) for pair in combinations(["gpt-a", "gpt-b", "llama"], 2)])
    )


def test_p_values_are_corrected_for_the_number_of_models():
    found = compare_models(alike(), ["gpt-a", "gpt-b", "llama"], measure="krippendorff-alpha")
    differences = [one.comparison.difference for one in found.models]
    assert differences == adjusted_by_holm(differences)
    assert all(one.p_adjusted >= one.p for one in differences)


def test_named_people_only():
    found = compare_models(labelled(gpt=0.1, dora=0.9), "gpt", ["anna", "bert", "cleo"])
    assert found.humans == ("anna", "bert", "cleo")
    assert {row["annotator_1"] for row in found.pairs} <= set(PEOPLE)
    assert "dora" not in json.dumps(found.to_dict())


def test_names_like_those_of_models_are_only_noted():
    found = compare_models(labelled(gpt=0.1, llama=0.3), "gpt")
    assert found.humans == ("anna", "bert", "cleo", "llama")
    assert found.notes == ("llama looks like a model but counts as a person; if it is a model, name it as such",)
    assert compare_model(labelled(gpt=0.1, llama=0.3), "gpt").remarks == [*found.notes]
    assert compare_models(labelled(gpt=0.1, llama=0.3), "gpt", ["anna", "bert", "llama"]).notes == ()


@pytest.mark.parametrize(
    "name",
    ["gpt-4o", "GPT4", "ChatGPT", "claude-3-opus", "meta-llama/Llama-3", "gemini_flash", "judge", "judge2", "o3-mini"],
)
def test_looks_like_a_model(name):
    assert looks_like_a_model(name)


@pytest.mark.parametrize("name", ["anna", "bert", "expert_24", "Claudette", "botany", "worker_0", "w10", "Aida", "O"])
def test_looks_like_a_person(name):
    assert not looks_like_a_model(name)


@pytest.mark.parametrize(
    ("models", "humans", "said"),
    [
        ("claude", None, "unknown annotator 'claude'; available: anna, bert, cleo, gpt"),
        ("", None, "unknown annotator ''; available: anna, bert, cleo, gpt"),
        (["gpt"], ["dora"], "humans: unknown annotator 'dora'"),
        (["gpt", "anna"], ["anna", "bert"], "anna is named both as a model and as a person; choose one"),
        ([], None, "name at least one model"),
        (["gpt"], [], "name at least one person"),
        (
            ["gpt", "anna", "bert", "cleo"],
            None,
            "there are no annotators besides gpt, anna, bert, cleo, but people are needed",
        ),
    ],
)
def test_wrong_names(models, humans, said):
    with pytest.raises((OptionError, DataError), match=said):
        compare_models(labelled(gpt=0.1), models, humans)


def test_one_person_says_what_can_be_told():
    data = alike()
    found = compare_models(data, ["gpt-a", "gpt-b"], "anna", "krippendorff-alpha")
    one = found.models[0]
    assert one.comparison.values == (None, pytest.approx(alpha(data, "anna", "gpt-a")))
    assert one.comparison.intervals[1].low < one.comparison.values[1] < one.comparison.intervals[1].high
    assert one.comparison.undefined == "there is one person, anna, so nothing shows how well people agree"
    assert (one.test.passes, one.test.advantage) == (None, None)
    assert found.shared.n_independent < 2
    tables, said = found.tabled()
    assert "Note: with one person, anna, nothing shows how well people agree." in said
    assert not any("test" in table.caption for table in tables)
    assert found.undefined is None


def holes(columns):
    return Ratings.from_annotators({name: list(column) for name, column in columns.items()})


def test_models_and_people_without_anything_in_common():
    x = ["a", "b", "a", "b", "a", "b"]
    empty = [None] * 6
    with pytest.raises(DataError, match="gpt annotated nothing"):
        compare_models(holes({"anna": x, "bert": x, "gpt": empty}), "gpt")
    with pytest.raises(DataError, match=r"the people \(anna, bert\) annotated nothing"):
        compare_models(holes({"anna": empty, "bert": empty, "gpt": x}), "gpt")
    first, last = [*x[:3], None, None, None], [None, None, None, *x[3:]]
    with pytest.raises(DataError, match="gpt and the people have no item in common"):
        compare_models(holes({"anna": first, "bert": first, "gpt": last}), "gpt")
    files = {"anna": x, "bert": x, "gpt": x}
    rows = [(who, str(item), who, label) for who, own in files.items() for item, label in enumerate(own)]
    document, item, annotator, label = zip(*rows, strict=True)
    apart = Ratings.from_columns(document=document, item=item, annotator=annotator, label=label)
    with pytest.raises(DataError, match=r"their documents are different \(gpt; anna, bert\): each file is one"):
        compare_models(apart, "gpt")
    with pytest.raises(DataError, match=r"their documents are different \(anna, bert; gpt\)"):
        prevalence(apart, "gpt")
    with pytest.raises(DataError, match="no item that gpt annotated was annotated by 2 people; name one person"):
        compare_models(holes({"anna": first, "bert": last, "gpt": x}), "gpt")


def test_models_that_have_no_item_in_common_are_compared_one_by_one():
    data = labelled(gpt=0.1, llama=0.3)
    codes = data.codes.copy()
    codes[:60, 3], codes[60:, 4] = -1, -1
    data = Ratings(data.items, data.annotators, data.documents, data.document, codes, data.labels)
    found = compare_models(data, ["gpt", "llama"], measure="krippendorff-alpha")
    assert found.shared.undefined == "there is no item that all of gpt, llama annotated; compare them one by one"
    for one, rows in zip(found.models, (slice(60, None), slice(60)), strict=True):
        part = Ratings.from_annotators(
            {name: [data.labels[code] for code in data.codes[rows, k]] for k, name in enumerate(PEOPLE)}
        )
        assert one.comparison.values[0] == pytest.approx(
            np.mean([alpha(part, *pair) for pair in combinations(PEOPLE, 2)])
        )


def test_what_a_model_left_out_counts_for_nobody():
    """People disagree where the model gives no label; that is no argument for the model, nor against it."""
    rng = np.random.default_rng(6)
    easy = ["a", "b"] * 40
    hard = {name: rng.choice(["a", "b"], 40).tolist() for name in PEOPLE}
    data = Ratings.from_annotators(
        {**{name: easy + hard[name] for name in PEOPLE}, "gpt": ["b", *easy[1:]] + [None] * 40}
    )
    found = compare_models(data, "gpt", measure="krippendorff-alpha").models[0]
    assert found.comparison.values == (1.0, pytest.approx(1 - 0.0249, abs=0.01))


def test_the_order_of_items_and_annotators_plays_no_part():
    data = alike(n=90)
    order = np.random.default_rng(7).permutation(90)
    people = [3, 1, 5, 0, 4, 2]
    other = Ratings(
        [data.items[i] for i in order],
        tuple(data.annotators[k] for k in people),
        data.documents,
        data.document,
        data.codes[np.ix_(order, people)],
        data.labels,
    )
    one, two = (compare_models(it, ["gpt-a", "gpt-b", "llama"]) for it in (data, other))
    for first, second in zip(one.models, two.models, strict=True):
        assert first.comparison.values == pytest.approx(second.comparison.values)
    assert one.shared.n_independent == pytest.approx(two.shared.n_independent)


def test_errors_that_models_share_are_found():
    """Both take 80% of their labels from one source: the correlation is 0.8², beyond what people explain."""
    found = compare_models(alike(n=3000), ["gpt-a", "gpt-b", "llama"]).shared
    correlation = {(row["model_1"], row["model_2"]): row["correlation"] for row in found.pairs}
    assert correlation["gpt-a", "gpt-b"] == pytest.approx(0.64, abs=0.07)
    assert correlation["gpt-a", "llama"] == pytest.approx(0, abs=0.07)
    for row in found.pairs:
        assert row["low"] < row["correlation"] < row["high"]
    assert found.n_independent == pytest.approx(3 / (1 + 2 * found.mean))
    assert found.interval.low < found.n_independent < found.interval.high <= 3


def test_the_people_may_be_of_any_quality():
    rng = np.random.default_rng(8)
    found = ratings(rng, {"anna": 0.05, "bert": 0.6, "cleo": 0.3, "gpt": 0.3, "llama": 0.4}, 4000)
    assert compare_models(found, ["gpt", "llama"]).shared.mean == pytest.approx(0, abs=0.06)


def test_without_errors_nothing_is_shared():
    shared = compare_models(labelled(n=40, gpt=0.02, llama=0.02), ["gpt", "llama"]).shared
    assert all(row["low"] is None for row in shared.pairs)


def test_a_measure_that_counts_chance_shows_no_errors():
    shared = compare_models(alike(), ["gpt-a", "llama"], measure="percent-agreement").shared
    assert "not corrected for chance" in shared.undefined


def test_families():
    data, models = alike(), ["gpt-a", "gpt-b", "llama"]
    found = compare_models(data, models, measure="krippendorff-alpha", families="names")
    assert [(row["without"], row["models"]) for row in found.families] == [
        ("", []),
        ("gpt", ["gpt-a", "gpt-b"]),
        ("llama", ["llama"]),
    ]
    everybody = [*PEOPLE, *models]
    for row in found.families:
        rest = [name for name in everybody if name not in row["models"]]
        assert row["everybody"] == pytest.approx(np.mean([alpha(data, *pair) for pair in combinations(rest, 2)]))
        assert row["everybody_low"] < row["everybody"] < row["everybody_high"]
    assert found.families[1]["among_models"] is None
    assert found.families[2]["among_models"] == pytest.approx(alpha(data, "gpt-a", "gpt-b"))
    means = {one.name: one.value for one in found.agreements}
    assert means["models of one family"] == found.families[2]["among_models"]
    given = compare_models(data, models, measure="krippendorff-alpha", families={"openai": ["gpt-a", "gpt-b"]})
    assert given.families[1]["everybody"] == found.families[1]["everybody"]


def test_labels_that_may_be_mistakes_are_noted():
    data = {name: list("abababab") for name in ("anna", "bert", "cleo", "gpt")}
    data["gpt"] = [*"ababab", "NaN", "b"]
    (note,) = (note for note in compare_models(data, "gpt").notes if "NaN" in note)
    assert note.startswith("'NaN' is treated as a label; if there is no label, leave the cell empty")


def test_people_and_model_who_never_differ_have_intervals():
    """As for α of all annotators: with 40 items and no disagreement, at most 3.69 were likely."""
    data = {name: list("abcd") * 10 for name in ("anna", "bert", "cleo", "gpt")}
    for mean in compare_models(data, "gpt").agreements:
        assert mean.interval.method.startswith("Poisson limit")
        expected = 1 - (20 * 19 * 4) / (80 * 79)
        assert mean.interval.low == pytest.approx(1 - 3.688879454 / 40 / expected, abs=1e-6)
        assert mean.interval.high == 1


def test_families_of_one_model_are_an_error():
    data = {name: list("abab") for name in ("anna", "bert", "gpt")}
    with pytest.raises(OptionError, match="families: families consist of several models; name two models or more"):
        compare_models(data, "gpt", families="names")


def test_families_by_name():
    models = ["gpt-4o", "GPT4", "meta-llama/Llama-3", "llama_70b", "4x"]
    assert check_families("names", models) == {
        "gpt": ["gpt-4o", "GPT4"],
        "llama": ["meta-llama/Llama-3", "llama_70b"],
        "4x": ["4x"],
    }
    assert check_families(None, models) is None


@pytest.mark.parametrize(
    ("families", "said"),
    [
        ("prefix", "expected families with their models"),
        ({"x": ["anna"]}, "'anna' in x is not a model"),
        ({"x": ["gpt"], "y": ["gpt"]}, "gpt is in x already"),
    ],
)
def test_wrong_families(families, said):
    with pytest.raises(OptionError, match=said):
        compare_models(labelled(gpt=0.1, llama=0.1), ["gpt", "llama"], families=families)


def several_runs(seed=9, n=200, noise=0.3):
    """A model with an opinion of its own on each item, which is noisy from run to run."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)

    def deviating(of, often):
        return np.where(rng.random(n) < often, rng.integers(0, 3, n), of)

    opinion = deviating(truth, 0.3)
    columns = {name: deviating(truth, 0.1) for name in PEOPLE}
    columns |= {f"gpt#{run}": deviating(opinion, noise) for run in (1, 2, 3)}
    return Ratings.from_annotators({name: column.tolist() for name, column in columns.items()})


def test_runs_of_a_model():
    data = several_runs()
    found = compare_models(data, "gpt", measure="krippendorff-alpha")
    assert found.humans == ("anna", "bert", "cleo")
    (runs,) = found.runs
    names = ["gpt#1", "gpt#2", "gpt#3"]
    whole = unisono.krippendorff_alpha(data.select(annotators=names, all_labels=True))
    assert (runs.stability, runs.interval) == (whole.value, whole.interval)
    among = np.mean([1 - alpha(data, *pair) for pair in combinations(names, 2)])
    mixed = np.mean([1 - alpha(data, who, run) for who in PEOPLE for run in names])
    assert runs.with_people == pytest.approx(1 - mixed)
    assert found.models[0].comparison.values[1] == pytest.approx(1 - mixed)
    assert runs.noise == pytest.approx(among / 2 / mixed)
    assert runs.noise_interval.low < runs.noise < runs.noise_interval.high
    assert runs.averaged[5] == pytest.approx(1 - mixed * (1 - runs.noise * 0.8))
    assert runs.without_noise == pytest.approx(1 - mixed * (1 - runs.noise))
    assert runs.needed > 1


def test_the_test_of_runs_is_the_mean_of_each():
    data = several_runs()
    found = compare_models(data, "gpt", measure="krippendorff-alpha").models[0].test
    each = [compare_models(data, f"gpt#{run}", [*PEOPLE], "krippendorff-alpha").models[0].test for run in (1, 2, 3)]
    for place, human in enumerate(found.humans):
        assert human.model == pytest.approx(np.mean([one.humans[place].model for one in each]))
    assert found.advantage == pytest.approx(np.mean([one.advantage for one in each]))


def test_runs_that_are_the_same_have_no_noise():
    data = several_runs(noise=0.0)
    (runs,) = compare_models(data, "gpt").runs
    assert (runs.stability, runs.noise, runs.needed, runs.noise_interval) == (1.0, 0.0, 1, None)


def test_a_run_is_of_one_model():
    data = several_runs()
    with pytest.raises(OptionError, match="gpt#2 is a run of gpt already"):
        compare_models(data, ["gpt", "gpt#2"])


@pytest.mark.parametrize("measure", ["span-f1", "gamma(precision=0.2)", "slot-error-rate", "cu-alpha"])
def test_units(measure):
    data = spans(np.random.default_rng(10), {**PEOPLE, "gpt": 0.2, "llama": 0.6}, 8)
    found = compare_models(data, ["gpt", "llama"], measure=measure)
    assert len(found.documents) == 8
    assert found.models[0].test.instances == "documents"
    for name, one in zip(("gpt", "llama"), found.models, strict=True):
        alone = compare_model(data, name, measure, humans=[*PEOPLE])
        assert alone.comparison.values == pytest.approx(one.comparison.values)
        assert one.comparison.difference.value == pytest.approx(np.subtract(*one.comparison.values))
    if measure == "slot-error-rate":
        assert found.shared.undefined is not None
    assert found.tabled()
    json.dumps(found.to_dict(), allow_nan=False)


def test_texts_that_annotators_corrected():
    rng = np.random.default_rng(11)
    texts = {}
    columns = {"document": [], "annotator": [], "start": [], "end": []}
    labels = []
    for number in range(4):
        for who, often in {**PEOPLE, "gpt": 0.1, "llama": 0.5}.items():
            words = [("hats" if rng.random() < often else "hat") for _ in range(5)]
            texts[f"d{number}", who] = " ".join(words)
            start = 0
            for word in words:
                columns["document"].append(f"d{number}")
                columns["annotator"].append(who)
                columns["start"].append(start)
                columns["end"].append(start + len(word))
                labels.append("N" if rng.random() > often else "V")
                start += len(word) + 1
    data = Corpus.from_columns(**columns, features={"category": labels}, texts=texts)
    found = compare_models(data, ["gpt", "llama"], measure="text-gamma(p_text=0.1,p_segmentation=0.1,precision=0.3)")
    assert found.symbol == "tγ"
    assert found.models[0].comparison.values[1] > found.models[1].comparison.values[1]


def test_where_a_model_is_worse():
    """The model takes every z for y."""
    rng = np.random.default_rng(12)
    truth = rng.choice(["x", "y", "z"], 150)
    columns = {name: np.where(rng.random(150) < 0.1, rng.choice(["x", "y", "z"], 150), truth) for name in PEOPLE}
    columns["gpt"] = np.where(truth == "z", "y", truth)
    documents = [f"d{i // 30}" for i in range(150)]
    data = Ratings.from_annotators({name: list(map(str, one)) for name, one in columns.items()}, document=documents)
    found = compare_models(data, "gpt", measure="krippendorff-alpha")
    assert [row["category"] for row in found.categories] == ["z", "y", "x"]
    worst = found.categories[0]
    assert worst["models"]["gpt"]["behind"] == pytest.approx(worst["people"] - worst["models"]["gpt"]["value"])
    pairs = [unisono.krippendorff_alpha(data.select(annotators=pair)).categories() for pair in combinations(PEOPLE, 2)]
    by_hand = [row["value"] for rows in pairs for row in rows if row["category"] == "z"]
    assert worst["people"] == pytest.approx(np.mean(by_hand))
    assert {row["document"] for row in found.documents} == {f"d{i}" for i in range(5)}
    behind = [row["models"]["gpt"]["behind"] for row in found.documents]
    assert behind == sorted(behind, reverse=True)


def test_alike_models_are_shown_as_such():
    tables, said = compare_models(alike(), ["gpt-a", "gpt-b", "llama"], families="names").tabled()
    captions = [table.caption for table in tables]
    assert "Errors that models share, beyond what people explain" in captions
    assert any(one.startswith(("The 3 models are worth 1.", "The 3 models are worth 2.")) for one in said)
    assert sum("alternative annotator test, ε = 0.15" in caption for caption in captions) == 3


def crowd(seed=13, n=200, n_workers=20, seats=3):
    """Each item is labelled by three of many workers, who deviate in a fifth of cases, and by a model."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    columns = {f"w{worker}": [None] * n for worker in range(n_workers)}
    for item in range(n):
        for worker in rng.choice(n_workers, seats, replace=False).tolist():
            columns[f"w{worker}"][item] = int(rng.integers(0, 3) if rng.random() < 0.2 else truth[item])
    columns["gpt"] = np.where(rng.random(n) < 0.2, rng.integers(0, 3, n), truth).tolist()
    return Ratings.from_annotators(columns)


def test_a_crowd_is_taken_for_a_few():
    data = crowd()
    found = compare_models(data, "gpt", measure="krippendorff-alpha")
    assert found.humans == ("person 1", "person 2", "person 3")
    assert found.notes == (
        "no two people annotated 30 items together, so the work of all 20 people is combined into that of 3",
    )
    workers = unisono.krippendorff_alpha(data.select(annotators=[name for name in data.annotators if name != "gpt"]))
    one = found.models[0]
    assert one.comparison.values[0] == pytest.approx(workers.value, abs=0.01)
    assert one.comparison.values == pytest.approx((0.64, 0.64), abs=0.08)
    assert one.comparison.difference.p > 0.05
    assert [human.n for human in one.test.humans] == [200, 200, 200]
    order = np.random.default_rng(14).permutation(len(data.annotators))
    other = Ratings(
        data.items,
        tuple(data.annotators[k] for k in order),
        data.documents,
        data.document,
        data.codes[:, order],
        data.labels,
    )
    assert compare_models(other, "gpt", measure="krippendorff-alpha").models == found.models


def test_very_many_people_are_a_crowd():
    found = compare_models(crowd(n=60, n_workers=28, seats=4), "gpt", measure="krippendorff-alpha")
    assert found.humans == ("person 1", "person 2", "person 3", "person 4")
    assert found.notes[0].startswith(
        "there are more than 25 people, so the work of all 28 people is combined into that of 4"
    )
    data = crowd(n=40, n_workers=30, seats=29)
    made, roles = seated(data, who_is_who(data, "gpt"))
    assert len(roles.humans) == 25
    assert (made.codes[:, :25] >= 0).all()
    assert (made.codes[:, 25] == data.codes[:, 30]).all()
    for item in range(40):  # labels are only given other names
        before, after = (np.bincount(one[item][one[item] >= 0], minlength=3) for one in (data.codes, made.codes))
        assert (after <= before).all()


def test_people_who_worked_together_keep_their_names():
    assert compare_models(crowd(n=400, n_workers=5), "gpt").humans == ("w0", "w1", "w2", "w3", "w4")
    few = compare_models(crowd(n=20, n_workers=5), "gpt")
    assert few.humans == ("w0", "w1", "w2", "w3", "w4")


def relations(seed=15, n_documents=6):
    """Two words of each sentence, joined; who deviates takes another target."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(n_documents):
        for place in range(8):
            for who, often in {**PEOPLE, "gpt": 0.1, "llama": 0.6}.items():
                target = 20 * place + (10 if rng.random() > often else 14)
                anchors = [("source", 20 * place, 20 * place + 3), ("target", target, target + 3)]
                rows.append((f"d{number}", who, anchors, "x" if rng.random() > often else "y"))
    return Corpus.from_columns(
        document=[row[0] for row in rows],
        annotator=[row[1] for row in rows],
        anchors=[row[2] for row in rows],
        features={"category": [row[3] for row in rows]},
    )


def test_relations():
    """A worse model is found in relations as in spans."""
    found = compare_models(relations(), ["gpt", "llama"], measure="relation-f1")
    good, bad = (one.comparison for one in found.models)
    assert good.values[1] > bad.values[1]
    assert bad.difference.p < 0.05
    assert found.documents[0]["models"]["llama"]["behind"] > 0


def test_one_item_in_common_is_too_little():
    data = {"anna": ["a", "b", "", ""], "bert": ["a", "b", "", ""], "gpt": ["", "b", "a", "b"]}
    data = {name: [label or None for label in labels] for name, labels in data.items()}
    with pytest.raises(
        DataError, match="gpt and the people have only one item in common; label more of the same items"
    ):
        compare_models(data, "gpt")


def test_a_label_that_cannot_be_used_is_found_where_it_is():
    """Items become documents, but messages name them as the data does."""
    labels = {name: ["x", *"12321"] for name in ("anna", "bert", "gpt")}
    data = Ratings.from_annotators(labels, items=[f"q{number}" for number in range(6)])
    with pytest.raises(DataError, match="no two annotators have a value: item 'q0', annotator 'anna': the label 'x'"):
        compare_models(data, "gpt", measure="icc")
