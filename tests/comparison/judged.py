"""Verdicts of judges who can be simulated: people and models who compare or score the outputs of systems."""

from __future__ import annotations

import numpy as np

from unisono.data.verdicts import Verdicts

SYSTEMS = tuple("abcdef")


def verdicts(rng, n_items=40, n_people=3, *, first=0.0, length=0.0, noise=1.0, both=True, tie=0.3, seen=1.0):
    """Make comparisons of all pairs by people in one order, and by the judge gpt in both."""
    quality = dict(zip(SYSTEMS, np.linspace(-1, 1, len(SYSTEMS)), strict=True))
    rows = []
    for item in range(n_items):
        own = {name: quality[name] + rng.normal() * 0.7 for name in SYSTEMS}
        words = {name: float(rng.integers(50, 500)) for name in SYSTEMS}
        for a, b in [(a, b) for i, a in enumerate(SYSTEMS) for b in SYSTEMS[i + 1 :]]:
            shown = [(f"person{who}", *((a, b) if rng.random() < 0.5 else (b, a)), 0.0, 0.0) for who in range(n_people)]
            shown = [one for one in shown if rng.random() < seen]
            shown += [("gpt", a, b, first, length), ("gpt", b, a, first, length)][: 1 + both]
            for who, one, other, position, verbose in shown:
                apart = own[one] - own[other] + rng.normal() * noise + position
                apart += verbose * (words[one] - words[other]) / 100
                value = 1.0 if apart > tie else 0.0 if apart < -tie else 0.5
                rows.append((f"q{item:03}", who, one, other, value, words[one] - words[other]))
    item, judge, one, other, value, longer = (list(column) for column in zip(*rows, strict=True))
    return Verdicts.from_columns(
        item=item, question=item, judge=judge, first=one, second=other, value=value, length=longer
    )


def scores(rng, n_items=30, n_systems=8, *, like=0.8, noise=1.0):
    """Make scores of two people and of a judge."""
    quality = rng.normal(size=n_systems)
    found = like * quality + np.sqrt(1 - like**2) * rng.normal(size=n_systems)
    rows = []
    for item in range(n_items):
        for system in range(n_systems):
            own = rng.normal() * 0.6 * noise
            for who, mean in (("anna", quality), ("bert", quality), ("gpt", found)):
                score = mean[system] + own + rng.normal() * 0.8 * noise
                rows.append((f"q{item}", who, f"s{system}", score))
    item, judge, system, value = (list(column) for column in zip(*rows, strict=True))
    return Verdicts.from_columns(
        item=item, question=item, judge=judge, first=system, second=None, value=value, length=[np.nan] * len(rows)
    )
