"""How often drafts of labels of items are right: the majority, Dawid–Skene and MACE, ours and those of crowd-kit.

``pip install crowd-kit`` first. Labels are simulated from known truths: annotators know the label with some
probability, otherwise they guess, or they confuse two labels systematically.
"""

from __future__ import annotations

import warnings

import numpy as np

import unisono

N_SETS = 20
CASES = {
    "5 annotators, 100 items, 3 labels": ((0.9, 0.8, 0.6, 0.4, 0.3), 100, 3, False),
    "5 annotators, 1,000 items, 3 labels": ((0.9, 0.8, 0.6, 0.4, 0.3), 1000, 3, False),
    "3 annotators, 300 items, 2 labels": ((0.8, 0.7, 0.3), 300, 2, False),
    "7 annotators, 300 items, 8 labels": ((0.9, 0.7, 0.5, 0.5, 0.3, 0.2, 0.2), 300, 8, False),
    "5 annotators, 1,000 items, 3 labels, confused": ((0.8, 0.8, 0.7, 0.7, 0.7), 1000, 3, True),
}


def main() -> None:
    """Print the share of right labels."""
    from crowdkit.aggregation import MACE, DawidSkene, MajorityVote
    from pandas import DataFrame

    warnings.simplefilter("ignore")
    print("| labels | majority | Dawid–Skene | MACE | crowd-kit: majority | Dawid–Skene | MACE |")
    print("|---|---|---|---|---|---|---|")
    for name, case in CASES.items():
        found = np.zeros((N_SETS, 6))
        for seed in range(N_SETS):
            truth, codes = _labels(np.random.default_rng(seed), *case)
            columns = {
                f"a{place}": [None if c < 0 else str(c) for c in own.tolist()] for place, own in enumerate(codes.T)
            }
            ours = [unisono.gold(columns, competence=model, scale="nominal") for model in (None, "dawid-skene", "mace")]
            rows = [(i, a, str(codes[i, a])) for i, a in np.argwhere(codes >= 0).tolist()]
            frame = DataFrame(rows, columns=["task", "worker", "label"])
            peers = [MajorityVote(), DawidSkene(n_iter=200), MACE(random_state=seed)]
            labels = [one.joint.label for one in ours]
            labels += [peer.fit_predict(frame).reindex(range(len(truth))).tolist() for peer in peers]
            wanted = [str(label) for label in truth]
            found[seed] = [np.mean([a == b for a, b in zip(own, wanted, strict=True)]) for own in labels]
        print(f"| {name} | " + " | ".join(f"{share:.3f}" for share in found.mean(axis=0)) + " |", flush=True)


def _labels(rng, knows, n_items, n_labels, confused):
    truth = rng.choice(n_labels, n_items, p=np.arange(n_labels, 0, -1) / np.arange(n_labels, 0, -1).sum())
    guess = np.repeat(((truth + 1) % n_labels)[:, None], len(knows), axis=1) if confused else None
    guess = rng.integers(0, n_labels, (n_items, len(knows))) if guess is None else guess
    codes = np.where(rng.random(guess.shape) < knows, truth[:, None], guess)
    codes[rng.random(codes.shape) < 0.2] = -1
    codes[(codes < 0).all(axis=1), 0] = 0
    return truth, codes


if __name__ == "__main__":
    main()
