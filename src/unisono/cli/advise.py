"""`unisono advise`: which measures fit the data, and why."""

from __future__ import annotations

import json

from unisono.cli.options import AsJson, Paths
from unisono.cli.reading import Reading, reads


@reads
def advise(
    reading: Reading,
    paths: Paths,
    as_json: AsJson = False,
) -> None:
    """Say which measures fit the data and why; `measure` takes the first if none is named."""
    from unisono.measures import advice

    data = reading.data(paths)
    found = advice.advise(data)
    if as_json:
        print(json.dumps(found.to_dict(), ensure_ascii=False, indent=1))
        return
    from rich.padding import Padding
    from rich.table import Table

    from unisono.cli.screen import screen

    for sentence in found.observations:
        screen.print(sentence)
    if found.decisions:
        screen.print("\nFrom the data to the measure:", style="bold")
        asked = Table.grid(padding=(0, 2))
        for question, answer, therefore in found.decisions:
            asked.add_row(question, answer, f"→ {therefore}")
        screen.print(Padding(asked, (0, 0, 0, 2), expand=False))
    if found.fitting:
        screen.print("\nThese fit, the first before all others:", style="bold")
        table = Table.grid(padding=(0, 2))
        for one in found.fitting:
            table.add_row(one.name, one.when)
        screen.print(Padding(table, (0, 0, 0, 2), expand=False))
    reasons = dict.fromkeys(found.unfit.values())
    if reasons:
        screen.print("\nThese do not fit:", style="bold")
    for reason in reasons:
        names = ", ".join(name for name, why in found.unfit.items() if why == reason)
        screen.print(Padding(names, (0, 0, 0, 2), expand=False))
        screen.print(Padding(reason, (0, 0, 0, 4), expand=False), style="dim")
    if found.report:
        screen.print("\nReport:", style="bold")
    for sentence in found.report:
        screen.print(Padding(f"– {sentence}", (0, 0, 0, 2), expand=False))
    if found.fitting:
        screen.print(f"\nunisono measure {' '.join(map(str, paths))} -m {found.fitting[0].name}")
