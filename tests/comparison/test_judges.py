"""Judges of systems' outputs, from their definitions, vote by vote, and by simulation."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from judged import SYSTEMS, scores, verdicts
from scipy import stats

import unisono
from unisono.comparison.judging import judges
from unisono.data.verdicts import Verdicts
from unisono.errors import DataError, OptionError


def votes_by_place(data):
    """Give, for each item and pair of systems, the votes of each judge: the winner, or a tie."""
    showings = defaultdict(lambda: defaultdict(list))
    columns = data.columns()
    names = zip(columns["item"], columns["judge"], columns["first"], columns["second"], data.value, strict=True)
    for item, judge, first, second, value in names:
        winner = {1.0: first, 0.0: second, 0.5: "tie"}[float(value)]
        showings[item, *sorted((first, second))][judge].append(winner)
    return {
        place: {who: own[0] if len(set(own)) == 1 else "tie" for who, own in votes.items()}
        for place, votes in showings.items()
    }


@pytest.fixture(scope="module")
def data():
    return verdicts(np.random.default_rng(1), first=0.4, length=0.3, seen=0.6)


@pytest.fixture(scope="module")
def found(data):
    return judges(data, "gpt")


def test_agreement_vote_by_vote(data, found):
    """As MT-Bench counts it: pairs of votes, and all pairs of people."""
    places = votes_by_place(data)
    same, among, decisive = [], [], []
    for votes in places.values():
        people = [vote for who, vote in votes.items() if who != "gpt"]
        same += [vote == votes["gpt"] for vote in people]
        decisive += [vote == votes["gpt"] for vote in people if "tie" not in (vote, votes["gpt"])]
        among += [one == other for one, other in combinations(people, 2)]
    (gpt,) = found.judges
    assert gpt.agreement.agreement.value == pytest.approx(np.mean(same))
    assert gpt.agreement.n == len(same)
    assert gpt.agreement.decisive.value == pytest.approx(np.mean(decisive))
    assert found.among.value == pytest.approx(np.mean(among))
    assert gpt.agreement.agreement.low < np.mean(same) < gpt.agreement.agreement.high
    difference, low, high = gpt.agreement.beyond_people
    assert difference == pytest.approx(np.mean(same) - np.mean(among))
    assert low < difference < high


def test_the_base_rate_is_that_of_a_judge_who_does_not_look(data, found):
    """Such a judge, added to the data, agrees with people as often as the base rate says."""
    columns = data.columns()
    people = np.array(columns["judge"]) != "gpt"
    order = {name: place for place, name in enumerate(sorted(found.together.systems, key=found.together.systems.get))}
    places = sorted(
        {(i, *sorted((a, b))) for i, a, b in zip(*(columns[c] for c in ("item", "first", "second")), strict=True)}
    )
    blind = [(item, "blind", a, b, float(order[a] > order[b]), 0.0) for item, a, b in places]
    rows = zip(*(np.array(columns[c])[people].tolist() for c in ("item", "judge", "first", "second")),
               data.value[people].tolist(), data.length[people].tolist(), strict=True)  # fmt: skip
    item, judge, one, other, value, length = (list(column) for column in zip(*[*rows, *blind], strict=True))
    made = Verdicts.from_columns(
        item=item, question=item, judge=judge, first=one, second=other, value=value, length=length
    )
    (agreed,) = judges(made, "blind").judges
    assert agreed.agreement.agreement.value == pytest.approx(agreed.agreement.base_rate)
    assert agreed.agreement.kappa == pytest.approx(0, abs=1e-12)
    (gpt,) = found.judges
    assert gpt.agreement.base_rate == pytest.approx(agreed.agreement.base_rate)


def test_kappa_is_that_of_its_definition(data, found):
    order = found.together.systems
    one, other = [], []
    for (_, a, b), votes in votes_by_place(data).items():
        better, worse = (a, b) if order[a] >= order[b] else (b, a)
        for who, vote in votes.items():
            if who != "gpt":
                one.append({better: 1, worse: -1, "tie": 0}[votes["gpt"]])
                other.append({better: 1, worse: -1, "tie": 0}[vote])
    one, other = np.array(one), np.array(other)
    expected = sum((one == k).mean() * (other == k).mean() for k in (-1, 0, 1))
    kappa = ((one == other).mean() - expected) / (1 - expected)
    assert found.judges[0].agreement.kappa == pytest.approx(kappa)


def test_position_by_hand(data, found):
    (gpt,) = found.judges
    columns = data.columns()
    pairs = defaultdict(dict)
    for item, judge, first, second, value in zip(
        columns["item"], columns["judge"], columns["first"], columns["second"], data.value.tolist(), strict=True
    ):
        if judge == "gpt":
            pairs[item, *sorted((first, second))][first] = value
    games = [list(own.values()) for own in pairs.values()]
    position = gpt.position
    assert position.n == len(games)
    assert position.first.value == pytest.approx(np.mean(games))
    assert position.consistent.value == pytest.approx(np.mean([sum(game) == 1 for game in games]))
    assert position.first_twice == sum(game == [1, 1] for game in games)
    assert position.second_twice == sum(game == [0, 0] for game in games)
    assert position.first.low > 0.5  # gpt prefers what is shown first
    assert (position.n_single, position.first_single) == (0, None)
    assert found.together.position.n == 0
    single = found.together.position.first_single
    assert single.low <= 0.5 <= single.high  # people do not


def test_length_by_hand(data, found):
    (gpt,) = found.judges
    assert gpt.length.difference[1] > 0  # gpt prefers the longer output more often than people
    lengths = {}
    columns = data.columns()
    for item, first, second, longer in zip(
        columns["item"], columns["first"], columns["second"], data.length.tolist(), strict=True
    ):
        lengths[item, *sorted((first, second))] = longer if first < second else -longer
    wins, theirs = [], []
    for (item, a, b), votes in votes_by_place(data).items():
        longer = a if lengths[item, a, b] > 0 else b
        people = [vote for who, vote in votes.items() if who != "gpt" and vote != "tie"]
        if votes["gpt"] != "tie" and lengths[item, a, b] and people:
            wins.append(votes["gpt"] == longer)
            theirs.append(np.mean([vote == longer for vote in people]))
    assert gpt.length.judge_there == pytest.approx(np.mean(wins))
    assert gpt.length.people.value == pytest.approx(np.mean(theirs))
    assert gpt.length.difference[0] == pytest.approx(np.mean(wins) - np.mean(theirs))


def test_ties_and_scores_of_systems_by_hand(data, found):
    (gpt,) = found.judges
    own = [votes["gpt"] for votes in votes_by_place(data).values()]
    assert gpt.ties.value == pytest.approx(np.mean([vote == "tie" for vote in own]))
    against = defaultdict(list)
    for (_, a, b), votes in votes_by_place(data).items():
        won = {a: 1.0, b: 0.0, "tie": 0.5}[votes["gpt"]]
        against[a, b].append(won)
        against[b, a].append(1 - won)
    for name in SYSTEMS:
        shares = [np.mean(against[name, other]) for other in SYSTEMS if other != name]
        assert gpt.systems[name] == pytest.approx(np.mean(shares))


def test_scores_are_ranked_by_their_means():
    data = scores(np.random.default_rng(2))
    (gpt,) = judges(data, "gpt").judges
    columns = data.columns()
    frame = pd.DataFrame({"judge": columns["judge"], "system": columns["first"], "value": data.value})
    people = frame[frame["judge"] != "gpt"].groupby("system")["value"].mean()
    own = frame[frame["judge"] == "gpt"].groupby("system")["value"].mean()
    assert gpt.systems == pytest.approx(own.to_dict())
    assert gpt.ranking.tau == pytest.approx(stats.kendalltau(people, own).statistic)
    assert gpt.ranking.interval.low < gpt.ranking.tau < gpt.ranking.interval.high
    assert gpt.position is None
    assert gpt.length is None


def test_scores_are_verdicts_on_all_pairs():
    """The same agreement as that of comparisons made of them."""
    data = scores(np.random.default_rng(3), n_items=12)
    columns = data.columns()
    given = defaultdict(dict)
    for item, judge, system, value in zip(
        columns["item"], columns["judge"], columns["first"], data.value.tolist(), strict=True
    ):
        given[item, judge][system] = round(value)
    rows = [
        (item, judge, a, b, (np.sign(own[a] - own[b]) + 1) / 2)
        for (item, judge), own in given.items()
        for a, b in combinations(own, 2)
    ]
    item, judge, one, other, value = (list(column) for column in zip(*rows, strict=True))
    nothing = [np.nan] * len(rows)
    pairs = Verdicts.from_columns(
        item=item, question=item, judge=judge, first=one, second=other, value=value, length=nothing
    )
    rounded = Verdicts(**{**vars(data), "value": data.value.round()})
    (one,), (other,) = (judges(each, "gpt").judges for each in (rounded, pairs))
    assert one.agreement == other.agreement
    assert one.ties == other.ties


def test_nothing_depends_on_the_order_of_rows_or_on_names(data, found):
    columns = data.columns()
    order = np.random.default_rng(4).permutation(len(data.value))
    renamed = {name: f"x{place}" for place, name in enumerate(reversed(SYSTEMS))}

    def column(name, new=None):
        return [(new or {}).get(columns[name][row], columns[name][row]) for row in order.tolist()]

    shuffled = Verdicts.from_columns(
        item=column("item"),
        question=column("question"),
        judge=column("judge"),
        first=column("first", renamed),
        second=column("second", renamed),
        value=data.value[order].tolist(),
        length=data.length[order].tolist(),
    )
    (one,), (other,) = found.judges, judges(shuffled, "gpt").judges
    assert other.agreement.agreement.value == pytest.approx(one.agreement.agreement.value)
    assert other.agreement.kappa == pytest.approx(one.agreement.kappa)
    assert other.position == one.position
    assert other.length.difference == pytest.approx(one.length.difference)
    assert other.ranking.tau == pytest.approx(one.ranking.tau)


def test_without_models_each_judge_is_compared_with_the_others(data):
    found = judges(data)
    assert [one.name for one in found.judges] == ["gpt", "person0", "person1", "person2"]
    assert "each is compared with all others" in found.notes[0]
    table = found.tabled()[0][0]
    assert "the other judges" in table.caption
    assert len(table.table.rows) == 4
    assert "(gpt looks like one)" in found.notes[0]
    assert "gpt looks like a model but counts as a person" in judges(data, "person0").notes[0]
    (only,) = [one for one in judges(data, "person0").judges if one.name == "person0"]
    assert only.agreement == found.judges[1].agreement


def test_tables_and_plain_data(found):
    tables, sentences = found.tabled()
    assert [one.caption.split(":")[0] for one in tables] == [
        "Agreement with people on which output is better",
        "Ties",
        "Position",
        "Position",
        "Length",
        "Ranking of systems, compared with that of people",
        "Mean share of wins",
    ]
    said = " ".join(sentences)
    assert "gpt agrees with people on" in said
    assert "gpt prefers what is shown first" in said
    assert "gpt prefers the longer output more often than people" in said
    assert "gpt's ranking of 6 systems and that of people have τ" in said
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["judges"][0]["ranking"]["interval"]["level"] == 0.95


def test_a_judge_without_biases_shows_none():
    rng = np.random.default_rng(5)
    hits = []
    for _ in range(40):
        (gpt,) = judges(verdicts(rng, 25, seen=0.5), "gpt").judges
        first, (_, low, high) = gpt.position.first, gpt.length.difference
        hits.append((first.low <= 0.5 <= first.high, low <= 0 <= high))
    assert np.mean(hits, axis=0) == pytest.approx(0.95, abs=0.07)


def test_few_systems_have_no_interval():
    data = scores(np.random.default_rng(6), n_systems=4)
    (gpt,) = judges(data, "gpt").judges
    assert gpt.ranking.interval is None
    assert "only 4 systems" in gpt.ranking.no_interval
    assert "no interval: only 4 systems" in " ".join(judges(data, "gpt").tabled()[1])


def test_families_of_systems_are_left_out_together():
    names = [f"{family}-{size}" for family in ("llama", "qwen", "phi", "yi", "olmo", "gemma") for size in (1, 2)]
    data = replace(scores(np.random.default_rng(8), n_systems=12), systems=tuple(names))
    alone, found = judges(data, "gpt"), judges(data, "gpt", families="names")
    (before,), (after,) = alone.judges, found.judges
    assert before.ranking.tau == after.ranking.tau
    assert (before.ranking.families, after.ranking.families) == (None, 6)
    assert after.ranking.interval.method == "jackknife over 6 families of systems and their items"
    given = {name: [f"{name}-1", f"{name}-2"] for name in ("llama", "qwen", "phi", "yi", "olmo", "gemma")}
    assert judges(data, "gpt", families=given).judges == found.judges
    proposal = "some systems are of one family (llama, qwen, phi, yi, olmo and 1 more)"
    assert any(proposal in note for note in alone.notes)
    assert not any("family" in note for note in found.notes)
    (one,) = judges(data, "gpt", families={"all": names}).judges
    assert one.ranking.no_interval.startswith("only one family of systems was ranked")
    with pytest.raises(OptionError, match="families: 'gpt' in all is not a system; systems: llama-1"):
        judges(data, "gpt", families={"all": ["gpt"]})


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"models": "gtp"}, OptionError, "models: unknown judge 'gtp'; available: gpt, person0"),
        ({"humans": ["anna"]}, OptionError, "humans: unknown judge 'anna'"),
        ({"models": "gpt", "humans": ["gpt"]}, OptionError, "named both as a model and as a person"),
        ({"models": []}, OptionError, "models: name at least one judge"),
        (
            {"models": ["gpt", "person0", "person1", "person2"]},
            DataError,
            "there are no judges besides gpt, person0, person1, person2; people are needed",
        ),
        ({"models": 3}, OptionError, "models"),
        ({"layer": 3}, OptionError, "layer"),
    ],
)
def test_wrong_names(data, given, error, message):
    with pytest.raises(error, match=message):
        judges(data, **given)


def test_a_judge_who_shares_nothing_with_people():
    data = Verdicts.from_columns(
        item=["q1", "q2"],
        question=["q1", "q2"],
        judge=["anna", "gpt"],
        first=["a", "a"],
        second=["b", "b"],
        value=[1, 0],
        length=[np.nan] * 2,
    )
    with pytest.raises(DataError, match="never judged the same pair of outputs"):
        judges(data, "gpt")


def test_one_person_only_still_tells_something():
    found = judges(verdicts(np.random.default_rng(7), n_people=1), "gpt")
    assert found.among is None
    assert found.judges[0].agreement.beyond_people is None
    assert "no two people judged the same" in " ".join(found.notes)


def test_a_single_item_and_an_unclear_preference_are_called_so(found):
    few = judges(verdicts(np.random.default_rng(7), n_items=1), "gpt")
    assert "there is only 1 item; intervals are rough" in few.notes
    (judge,) = found.judges
    _, low, high = judge.length.difference
    (said,) = [one for one in found.tabled()[1] if "longer output" in one]
    assert ("neither more nor less often, beyond chance, than people" in said) == (low <= 0 <= high)


def test_what_is_no_table_of_verdicts():
    with pytest.raises(OptionError, match="data: expected a path"):
        judges([[1, 2]])
    with pytest.raises(DataError, match="there are no verdicts"):
        unisono.judges(pd.DataFrame({"item": ["a"], "anna": ["x"], "bert": ["y"]}))
