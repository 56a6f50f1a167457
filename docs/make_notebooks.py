"""Run the notebooks of docs/notebooks, keep what they print, and write each as a page.

`python docs/make_notebooks.py [NAME…]`; with `--check`, compare with what was kept instead.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

NOTEBOOKS = Path(__file__).parent / "notebooks"
_NO_WORDS = re.compile(r"<(style|script)\b.*?</\1>|<[^>]*>", re.DOTALL)
_ADDRESSES = re.compile(r" at 0x[0-9a-f]+")


def main() -> None:
    """Run and write all notebooks, or those that are named; or check them."""
    import nbformat

    names = [name for name in sys.argv[1:] if name != "--check"]
    wrong = []
    for path in [NOTEBOOKS / f"{name}.ipynb" for name in names] or sorted(NOTEBOOKS.glob("*.ipynb")):
        kept = nbformat.read(path, as_version=4)
        notebook = executed(nbformat.read(path, as_version=4))
        if "--check" in sys.argv:
            written = path.with_suffix(".md").read_text(encoding="utf-8")
            if said(notebook) != said(kept) or page(kept, path.name) != written:
                wrong += [f"{path.name} is out of date; run python docs/make_notebooks.py", said(notebook), said(kept)]
        else:
            nbformat.write(notebook, path)
            path.with_suffix(".md").write_text(page(notebook, path.name), encoding="utf-8")
    if wrong:
        sys.exit("\n".join(wrong))


def said(notebook: Any) -> str:
    """Return what the cells of a notebook print, and the words of what they draw."""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return "\n".join(output.get("text") or _words(output["data"]) for output in outputs)


def _words(data: Mapping[str, str]) -> str:
    drawn = data.get("text/html") or data.get("image/svg+xml")
    return data["text/plain"] if drawn is None else " ".join(_NO_WORDS.sub(" ", drawn).split())


def executed(notebook: Any) -> Any:
    """Run all cells in a new folder, in this process, and keep their outputs."""
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.reset()
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, _width(100):
        os.chdir(folder)
        try:
            for number, cell in enumerate(notebook.cells, start=1):
                cell["id"] = f"cell-{number}"
                if cell.cell_type == "code":
                    cell.execution_count = None
                    cell.outputs = list(_outputs(shell, cell.source))
        finally:
            os.chdir(before)
    return notebook


def _outputs(shell: Any, source: str) -> Iterator[Any]:
    from IPython.utils.capture import capture_output
    from nbformat.v4 import new_output

    with (
        shell.display_trap,
        capture_output() as captured,
    ):  # the trap is set before, so that it does not undo the capture
        done = shell.run_cell(source, store_history=False)
    done.raise_error()
    printed = captured.stdout  # not what is said on stderr, such as that kernels are compiled
    shown = captured.outputs
    texts = [one.data.get("text/plain", "") for one in shown]
    for text in texts:  # what is displayed is also printed where there is no front end
        printed = printed.replace(f"{text}\n", "", 1) if text else printed
    if printed.strip():
        yield new_output("stream", name="stdout", text=printed)
    for one in shown:
        data = {kind: value for kind, value in one.data.items() if kind in ("text/html", "image/svg+xml", "text/plain")}
        data["text/plain"] = _ADDRESSES.sub("", data.get("text/plain", ""))
        yield new_output("display_data", data=data)


def page(notebook: Any, name: str) -> str:
    """Return a notebook as a page."""
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        source = cell.source.rstrip(";")  # which keeps a notebook from showing a value
        parts.append(f"```python\n{source}\n```")
        for output in cell.outputs:
            data = output.get("data", {})
            drawn = data.get("text/html") or data.get("image/svg+xml")
            text = output.get("text", data.get("text/plain", ""))
            parts.append(_embedded(drawn) if drawn else f"```text\n{text.rstrip()}\n```")
    title, *rest = parts
    head, _, lead = title.partition("\n")
    made = f"<!-- made by docs/make_notebooks.py from {name}; change the notebook, not this page -->"
    return "\n\n".join([head, made, f"[Download this page as a notebook]({name}).{lead}", *rest]) + "\n"


def _embedded(drawn: str) -> str:
    """Return HTML that Markdown leaves as it is: without empty lines, in one block."""
    lines = [line for line in drawn.splitlines() if line.strip()]
    return "\n".join(['<div class="notebook-output">', *(line.strip() for line in lines), "</div>"])


@contextlib.contextmanager
def _width(columns: int) -> Iterator[None]:
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(columns)
    try:
        yield
    finally:
        os.environ.pop("COLUMNS") if before is None else os.environ.update(COLUMNS=before)


if __name__ == "__main__":
    main()
