"""How often drafts of labels of items are right: the majority, Dawid–Skene and MACE, ours and those of crowd-kit.

``pip install crowd-kit`` first. Labels are simulated from known truths: annotators know the label with some
probability, otherwise they guess, or they confuse two labels systematically. Of real labels, whose truth nobody knows,
it is counted how often both choose the same; if ``../shared/data`` is not there, these are left out.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

import unisono

N_SETS = 20
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
REAL = {
    "PRESTO, distortion: 3 annotators, 593 items": SHARED / "items" / "prodigy" / "presto_distortion.jsonl",
    "CrowdTruth, relations: 67 annotators, 10 items": SHARED / "items" / "crowdtruth" / "relex-binary-choice.csv",
    "Raise Your Voice, recognition: 4 annotators, 6,392 items": SHARED
    / "raise_your_voice"
    / "03_data_recognition_Resel.csv",
}
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
    _print_real(lambda: (MajorityVote(), DawidSkene(n_iter=200), MACE(random_state=1)), DataFrame)
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


def _print_real(peers, frame):
    """Print the share of items with the same label; of ties, crowd-kit chooses one at random, which is left out."""
    print("| real labels | majority | Dawid–Skene | MACE |\n|---|---|---|---|")
    for name, path in REAL.items():
        if not path.exists():
            continue
        ratings = unisono.read(path)
        rows = [
            (item, who, str(ratings.labels[ratings.codes[item, who]]))
            for item, who in np.argwhere(ratings.codes >= 0).tolist()
        ]
        table = frame(rows, columns=["task", "worker", "label"])
        shares = []
        for model, peer in zip((None, "dawid-skene", "mace"), peers(), strict=True):
            own = unisono.gold(ratings, competence=model, scale="nominal").joint.label
            other = peer.fit_predict(table)
            shares.append(np.mean([str(own[item]) == label for item, label in other.items() if own[item] is not None]))
        print(f"| {name} | " + " | ".join(f"{share:.3f}" for share in shares) + " |", flush=True)
    print()


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
