"""`unisono prevalence`: how often each category occurs, from many labels of a model and a few of people."""

from __future__ import annotations

from typing import Annotated

from unisono.cli.help import COMPARING
from unisono.cli.options import Humans, Paths, with_groups
from unisono.cli.printing import Printing
from unisono.cli.reading import Reading
from unisono.cli.spelling import naming
from unisono.cli.values import names_in


@with_groups
def prevalence(
    paths: Paths,
    reading: Reading,
    printing: Printing,
    model: Annotated[str, COMPARING("NAME", "The annotator that is a model.")],
    humans: Humans = None,
) -> None:
    """Estimate how often each category occurs.

    It takes many labels of a model, whose own shares are biased by its errors, and labels of a few people on a random
    sample of the same items, which correct them.

    Examples
    --------
    unisono prevalence labels.csv --model gpt
    unisono prevalence labels.csv --model gpt --humans anna --json
    """
    from unisono import comparison

    printing.check()
    data = reading.data(paths)
    with naming(model="--model"):
        found = comparison.prevalence(data, model, humans=None if humans is None else names_in(humans))
    printing.print(found)
