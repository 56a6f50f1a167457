"""The alternative annotator test on the data of its authors: our numbers beside theirs.

    git clone https://github.com/nitaytech/AltTest && python benchmarks/alternative_test.py AltTest

The published numbers are those that the notebook of that repository prints (Calderon, Reichart & Dror 2025). Its test
counts whole numbers by RMSE, which orders annotators on each instance as α's interval distance does.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import unisono

EPSILON = {
    "wax": 0.1,
    "lgbteen": 0.2,
    "mtbench": 0.2,
    "framing": 0.15,
    "cebab_aspects": 0.1,
    "summeval": 0.2,
    "10k_prompts": 0.15,
    "cebab_stars": 0.1,
    "lesion": 0.15,
}
NUMBERS = ("summeval", "10k_prompts", "cebab_stars", "lesion")
MODELS = ("gemini_flash", "gemini_pro", "gpt-4o", "llama-31", "gpt-4o-mini", "mistral-v03")
PUBLISHED = {
    "wax": ((0.38, 0.69), (0.50, 0.74), (0.50, 0.73), (0.00, 0.57), (0.00, 0.59), (0.00, 0.50)),
    "lgbteen": ((0.25, 0.71), (0.00, 0.67), (0.75, 0.77), (0.00, 0.72), (0.75, 0.76), (0.25, 0.75)),
    "mtbench": ((0.00, 0.72), (0.00, 0.76), (0.00, 0.77), (0.00, 0.69), (0.00, 0.74), (0.00, 0.68)),
    "framing": ((1.00, 0.83), (1.00, 0.91), (1.00, 0.92), (0.50, 0.80), (1.00, 0.87), (0.25, 0.80)),
    "cebab_aspects": ((0.70, 0.91), (0.90, 0.94), (0.90, 0.93), (0.60, 0.89), (0.50, 0.90), (0.10, 0.81)),
    "summeval": ((0.00, 0.46), (0.00, 0.44), (0.00, 0.48), (0.00, 0.58), (0.00, 0.54), (0.00, 0.62)),
    "10k_prompts": ((0.31, 0.67), (0.08, 0.63), (0.69, 0.76), (0.15, 0.67), (0.92, 0.80), (0.15, 0.67)),
    "cebab_stars": ((0.60, 0.82), (0.80, 0.87), (0.90, 0.90), (0.60, 0.85), (0.90, 0.89), (0.50, 0.83)),
    "lesion": ((0.17, 0.71), (1.00, 0.81), (0.00, 0.62), None, (0.67, 0.73), None),
}
"""Winning rate and average advantage probability of each model, in the order of `MODELS`."""


def compared(folder: Path, name: str) -> unisono.ModelsComparison:
    """Compare all models of one data set with people."""
    people = json.loads((folder / name / "human_annotations.json").read_text())
    models = json.loads((folder / name / "llm_annotations.json").read_text())
    everybody = {**people, **models}
    items = list(dict.fromkeys(item for own in everybody.values() for item in own))
    data = unisono.Ratings.from_annotators(
        {who: [own.get(item) for item in items] for who, own in everybody.items()}, items=items
    )
    measure = f"krippendorff-alpha(distance={'interval' if name in NUMBERS else 'nominal'})"
    return unisono.compare_models(data, list(models), list(people), measure, epsilon=EPSILON[name])


def main() -> None:
    """Print both, model by model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path, help="a clone of nitaytech/AltTest")
    parser.add_argument("--only", nargs="*", default=list(PUBLISHED), help="some of the data sets")
    given = parser.parse_args()
    n_same = n_all = 0
    print(
        f"{'data':14} {'model':14} {'ω':>5} {'published':>9} {'ρ':>6} {'published':>9}  95% interval   ω (score test)"
    )
    for name in given.only:
        found = {one.model: one.test for one in compared(given.repository / "data", name).models}
        for model, published in zip(MODELS, PUBLISHED[name], strict=True):
            if published is None:
                continue
            test = found[model]
            ours = (round(test.winning_rate, 2), round(test.advantage, 2))
            n_all, n_same = n_all + 1, n_same + (ours == published)
            limits = f"{test.interval.low:.2f} to {test.interval.high:.2f}"
            both = f"{ours[0]:5.2f} {published[0]:9.2f} {ours[1]:6.2f} {published[1]:9.2f}"
            print(f"{name:14} {model:14} {both}  {limits}   {test.winning_rate_by_score:.2f}", flush=True)
    print(f"{n_same} of {n_all} are the same to two decimals")


if __name__ == "__main__":
    main()
