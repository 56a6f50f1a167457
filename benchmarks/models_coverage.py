"""Models compared with people: coverage of every interval, level and power of every test, by simulation.

Prints the tables of docs/simulations.md. People and models give the right one of four labels, or any label: people as
often as they deviate, models from a source of their own each, or from one that they share. True values are those of a
sample of 400,000 items. Agreement of all pairs, with and without each part, is computed at once here; what is made of
it is the package's, and so is the choice between single parts and blocks of neighbours. All of it takes about half an
hour on one core; `--only`, `--people`, `--sizes` and `--runs` make it less.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from unisono.results import Interval
from unisono.statistics.alternative import alternative_test
from unisono.statistics.jackknife import Disputes, ErrorScale, Jackknife
from unisono.statistics.paired import difference_of_mean_errors
from unisono.statistics.run_noise import noise_limits
from unisono.statistics.shared_errors import (
    correlation_limits,
    error_correlations,
    error_products,
    mean_correlation,
    worth,
)

LABELS, LARGE = 4, 400_000
MOST_PARTS, BLOCKS = 50, 10
EPSILON = 0.15
PARTS = ("agreement", "shared", "runs", "test")
QUALITY = {"0.96": 0.02, "0.87": 0.07, "0.64": 0.2, "0.42": 0.35}
"""How often people deviate, by about the α that they have."""


@dataclass(frozen=True)
class Population:
    """How often people and models deviate from the truth."""

    n_people: int
    people: float
    model: float
    n_models: int = 1
    shared: float = 0.0  # the probability that a model's label comes from the common source
    n_runs: int = 1
    noise: float = 0.0  # how often a run deviates from the model's opinion
    spread: float = 0.3  # people are not equally good

    @property
    def models(self) -> list[str]:
        """The names of the models."""
        return [f"f{place}" for place in range(self.n_models)]

    def labels(self, rng: np.random.Generator, n: int) -> dict[str, np.ndarray]:
        """Draw the labels of n items."""
        truth = rng.integers(0, LABELS, n)
        often = self.people * np.linspace(1 - self.spread, 1 + self.spread, self.n_people)
        found = {f"h{j}": _deviating(rng, truth, own) for j, own in enumerate(often)}
        common = _deviating(rng, truth, self.model)
        for name in self.models:
            own = _deviating(rng, truth, self.model)
            opinion = np.where(rng.random(n) < self.shared, common, own)
            if self.n_runs == 1:
                found[name] = opinion
            else:
                found |= {f"{name}#{run}": _deviating(rng, opinion, self.noise) for run in range(self.n_runs)}
        return found


def _deviating(rng, truth, often):
    return np.where(rng.random(len(truth)) < often, rng.integers(0, LABELS, len(truth)), truth)


def alpha(one, other):
    """Krippendorff's α of two annotators of very many items."""
    both = (np.bincount(one, minlength=LABELS) + np.bincount(other, minlength=LABELS)) / (2 * len(one))
    return 1 - (one != other).mean() / (1 - (both**2).sum())


def alphas(rows, columns):
    return np.array([[alpha(one, other) for other in columns] for one in rows])


def truth_of(population):
    """Return what intervals should cover."""
    drawn = population.labels(np.random.default_rng(1_000_000), LARGE)
    people = [column for name, column in drawn.items() if name.startswith("h")]
    models = [[c for name, c in drawn.items() if name.split("#")[0] == model] for model in population.models]
    among = alphas(people, people)
    np.fill_diagonal(among, np.nan)
    found = {"human–human": np.nanmean(among), "human–model": alphas(models[0], people).mean()}
    found["difference"] = found["human–human"] - found["human–model"]
    human, model = likeness(people, models[0])
    tested = alternative_test(list(map(str, range(len(people)))), human, model, epsilon=EPSILON)
    found["ρ"] = tested.advantage
    found["behind"] = np.array([one.human - one.model for one in tested.humans])
    if population.n_models > 1:
        first = [runs[0] for runs in models]
        products = error_products(alphas(first, first), alphas(first, people), among, np.ones(among.shape))
        found["error correlation"] = error_correlations(products)[0, 1]
        found["worth"] = worth(population.n_models, float(mean_correlation(products)))
    if population.n_runs > 1:
        runs = np.mean([1 - alpha(*pair) for pair in combinations(models[0], 2)])
        found["stability"], found["noise"] = 1 - runs, runs / 2 / (1 - found["human–model"])
    return found


def likeness(people, runs):
    """How well each person, and the model in their place, agrees with all other people, item by item."""
    human = np.array([np.mean([j == k for k in people if k is not j], axis=0) for j in people])
    model = np.array([[np.mean([f == k for k in people if k is not j], axis=0) for j in people] for f in runs])
    return human, model


class Pairs:
    """1 - α of all pairs of annotators, of all items and without each part, shape (n, n, 1 + n_parts)."""

    def __init__(self, columns, most_parts=MOST_PARTS):
        labels = np.array([*columns])
        n = labels.shape[1]
        self.n_items, self.n_parts = n, min(n, most_parts)
        edges = np.arange(self.n_parts) * n // self.n_parts
        apart = np.add.reduceat((labels[:, None] != labels[None]).astype(float), edges, axis=2)
        given = np.add.reduceat(labels[..., None] == np.arange(LABELS), edges, axis=1).astype(float)
        sizes = np.append(n, n - np.diff([*edges, n]))
        observed = self._with_and_without(apart) / sizes
        counts = self._with_and_without(np.moveaxis(given, 1, 2))
        both = counts[:, None] + counts[None]
        self.expected = 1 - (both * (both - 1)).sum(axis=2) / (2 * sizes * (2 * sizes - 1))
        self.errors = observed / self.expected

    @staticmethod
    def _with_and_without(sums):
        total = sums.sum(axis=-1, keepdims=True)
        return np.concatenate([total, total - sums], axis=-1)

    def mean(self, pairs):
        """The jackknife of the mean error of pairs."""
        pairs = [*pairs]
        rows, columns = np.array(pairs).T
        found = self.errors[rows, columns].mean(axis=0)
        one_more = 1 / self.n_items / self.expected[rows, columns, 0].mean()
        scale = ErrorScale(bounded=True, greatest=2.0)
        disputes = Disputes(None if found[0] > 0 else 0, one_more)
        made = Jackknife(found[0], found[1:], np.ones(self.n_parts), scale=scale, disputes=disputes)
        return made.with_one_unseen() if frozenset.intersection(*map(frozenset, pairs)) else made


def measured(columns):
    """Leave out items, or blocks of neighbours if they vary more."""
    columns = np.array([*columns])
    singly, blocks = Pairs(columns), Pairs(columns, BLOCKS)
    everything = [*combinations(range(len(columns)), 2)]
    v_singly, v_blocks = (found.mean(everything).variance for found in (singly, blocks))
    return blocks if (v_blocks or -1.0) > (v_singly or -1.0) else singly


class Covered:
    """How often intervals cover what they should, and how often there is none."""

    def __init__(self, truth):
        self.truth, self.hits, self.n, self.none = truth, {}, {}, {}

    def add(self, name, interval):
        limits = (interval.low, interval.high) if hasattr(interval, "low") else interval
        if limits is None or limits[0] is None:
            self.none[name] = self.none.get(name, 0) + 1
            return
        self.n[name] = self.n.get(name, 0) + 1
        self.hits[name] = self.hits.get(name, 0) + (limits[0] - 1e-9 <= self.truth[name] <= limits[1] + 1e-9)

    def cell(self, name):
        n, none = self.n.get(name, 0), self.none.get(name, 0)
        if not n:
            return "none"
        more = f" ({100 * none / (n + none):.0f}% none)" if none / (n + none) >= 0.005 else ""
        return f"{100 * self.hits[name] / n:.1f}{more}"


def agreement(people, sizes, runs):
    """Intervals of means, differences and ρ; level and power of the comparison."""
    heading("Means, difference and advantage probability", "", sizes)
    for quality, often in QUALITY.items():
        for n_people in people:
            covered, seen = simulated(Population(n_people, often, often), sizes, runs)
            also, worse = simulated(Population(n_people, often, 1.6 * often), sizes, runs)
            for name in ("human–human", "human–model", "difference", "ρ"):
                row(f"α {quality}; {n_people} people: {name}", [one.cell(name) for one in covered])
            for name in ("difference", "ρ"):
                row(f"α {quality}; {n_people} people: {name}, model worse", [one.cell(name) for one in also])
            row(f"α {quality}; {n_people} people: p < 0.05, model as good", [f"{100 * s:.1f}" for s in seen])
            row(f"α {quality}; {n_people} people: p < 0.05, model worse", [f"{100 * s:.1f}" for s in worse])


def simulated(population, sizes, runs):
    truth, covered, seen = truth_of(population), [], []
    n_people = population.n_people
    for n in sizes:
        rng, one, significant = np.random.default_rng(n), Covered(truth), 0
        for _ in range(runs):
            drawn = [*population.labels(rng, n).values()]
            pairs = measured(drawn)
            people = pairs.mean(combinations(range(n_people), 2))
            mixed = pairs.mean((j, n_people) for j in range(n_people))
            for name, mean in (("human–human", people), ("human–model", mixed)):
                interval = mean.interval()
                one.add(name, interval if isinstance(interval, Interval) else None)
            difference = difference_of_mean_errors("", people, mixed)
            one.add("difference", (difference.low, difference.high))
            human, model = likeness(drawn[:n_people], drawn[n_people:])
            one.add("ρ", alternative_test(["h"] * n_people, human, model, epsilon=EPSILON).interval)
            significant += difference.p is not None and difference.p < 0.05
        covered.append(one)
        seen.append(significant / runs)
    return covered, seen


def shared(people, sizes, runs):
    """Intervals of error correlations, and of how many independent models models are worth."""
    heading("Errors that models share", "", sizes)
    for often, models in ((0.1, 0.1), (0.2, 0.3), (0.35, 0.35)):
        for n_people in people:
            for share in (0.0, 0.5, 0.9):
                population = Population(n_people, often, models, n_models=3, shared=share)
                truth, cells = truth_of(population), []
                for n in sizes:
                    rng, one = np.random.default_rng(n), Covered(truth)
                    for _ in range(runs):
                        limits = limits_of_shared(measured(population.labels(rng, n).values()), n_people)
                        for name, both in zip(("error correlation", "worth"), limits, strict=True):
                            one.add(name, both)
                    cells.append(one)
                where = f"{n_people} people deviate {often:g}, models {models:g}"
                for name in ("error correlation", "worth"):
                    row(f"{where}: {name} {truth[name]:.2f}", [one.cell(name) for one in cells])


def limits_of_shared(pairs, n_people):
    """The limits of the first two models' error correlation, and of how many models all are worth."""
    agreement = 1 - pairs.errors
    among = agreement[:n_people, :n_people].copy()
    among[np.arange(n_people), np.arange(n_people)] = np.nan
    weights = np.ones((n_people, n_people))
    products = error_products(agreement[n_people:, n_people:], agreement[n_people:, :n_people], among, weights)
    own, sizes = pairs.n_items * np.maximum(np.einsum("ff...->f...", products)[:, 0], 0.0), np.ones(pairs.n_parts)
    n_models = len(own)
    one = correlation_limits(error_correlations(products)[0, 1], sizes, float(np.sqrt(own[0] * own[1])))
    mean = correlation_limits(mean_correlation(products), sizes, float(own.mean()) * np.sqrt(n_models / 2))
    return one, None if mean is None else tuple(worth(n_models, limit) for limit in reversed(mean))


def runs_of_one(people, sizes, runs):
    """Intervals of the share of noise."""
    heading("Noise of a model's runs", "", sizes)
    for n_runs in (2, 5):
        for noise in (0.05, 0.2, 0.5):
            for n_people in people:
                population = Population(n_people, 0.2, 0.25, n_runs=n_runs, noise=noise)
                truth, cells = truth_of(population), []
                for n in sizes:
                    rng, one = np.random.default_rng(n), Covered(truth)
                    for _ in range(runs):
                        pairs = measured(population.labels(rng, n).values())
                        own = range(n_people, n_people + n_runs)
                        among = pairs.mean(combinations(own, 2))
                        mixed = pairs.mean((j, f) for j in range(n_people) for f in own)
                        both = (np.append(mean.error, mean.without) for mean in (among, mixed))
                        one.add("noise", noise_limits(*both, np.ones(pairs.n_parts), among.disputes.one_more))
                    cells.append(one)
                row(f"{n_runs} runs, {n_people} people: {truth['noise']:.2f}", [one.cell("noise") for one in cells])


def level_and_power(people, sizes, runs):
    """How often the model may replace a person, and passes: where people are better by just ε, and where none is."""
    heading("Alternative annotator test", "may replace a person, by t-test / score test; passes, by both", sizes)
    for quality, often in QUALITY.items():
        for n_people in people:
            for what, model, epsilon in (("better by ε", 2.5 * often, None), ("as good", often, 0.15)):
                population = Population(n_people, often, model, spread=0.0)
                behind = truth_of(population)["behind"]
                cells = []
                for n in sizes:
                    rng, found = np.random.default_rng(n), []
                    for _ in range(runs):
                        drawn = [*population.labels(rng, n).values()]
                        human, own = likeness(drawn[:-1], drawn[-1:])
                        by = behind.mean() if epsilon is None else epsilon
                        test = alternative_test(["h"] * n_people, human, own, epsilon=by)
                        one = test.humans[0]
                        alone = one.p <= 0.05, one.p_score <= 0.05
                        found.append((*alone, test.passes, test.winning_rate_by_score >= 0.5))
                    t, score, passed, by_score = (100 * np.mean(found, axis=0)).tolist()
                    cells.append(f"{t:.1f} / {score:.1f}; {passed:.1f} / {by_score:.1f}")
                shown = f"ε = {behind.mean():.2f}" if epsilon is None else f"ε = {epsilon}"
                row(f"α {quality}; {n_people} people; {what} ({shown})", cells)


def heading(title, first, sizes):
    print(f"\n**{title}**, by number of items\n\n| {first} | {' | '.join(map(str, sizes))} |")
    print(f"|---|{'---|' * len(sizes)}")


def row(name, cells):
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", choices=PARTS, default=PARTS)
    parser.add_argument("--people", nargs="*", type=int, default=[3, 5, 10])
    parser.add_argument("--sizes", nargs="*", type=int, default=[30, 100, 300, 1000])
    parser.add_argument("--runs", type=int, default=1000)
    given = parser.parse_args()
    parts = {"agreement": agreement, "shared": shared, "runs": runs_of_one, "test": level_and_power}
    for name in given.only:
        parts[name](given.people, given.sizes, given.runs)


if __name__ == "__main__":
    main()
