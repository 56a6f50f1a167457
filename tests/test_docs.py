"""What the pages print is what the commands print."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest
import typer
from binary_examples import WRITERS
from commands import run

import unisono
from unisono import shuffling, studies
from unisono.cli.app import app
from unisono.demo import demo_path

ROOT = Path(__file__).parents[1]
FILES = {
    "coming-from.md": {"ratings.csv": 0},
    "categorization.md": {"mood.csv": 0, "quality.csv": 5, "paradox.csv": 7},
    "faq.md": {"apart.csv": 0, "same.csv": 2},
    "gold-items.md": {"ratings.csv": 0, "scores.csv": 7},
    "ratings.md": {"essays.csv": 0},
    "relations.md": {"relations.csv": 0},
    "segmentation.md": {"hearst.json": 0},
    "unitizing.md": {"interview.csv": 0},
    "text-gamma.md": {"labels.jsonl": 1, "tokens.jsonl": 3, "start.jsonl": 5, "texts.jsonl": 6},
}
"""Page to the files that its commands read, each with the number of the block on the page that holds it."""
FOLLOWED = ("tutorial.md", "gold.md", "models.md", "judges.md", "prevalence.md")
"""Pages to follow from the top to the bottom, with the built-in data and files that Python writes."""
NOT_INSTALLED = ("krippendorff", "pingouin")
"""Programs that tests do not install: one is under another licence, one is large. Their numbers were computed once."""
SKIPPED = ("report", "gold annotations.jsonl --decisions")
"""What takes long, or needs what people did."""


COMING = ("coming-from.md", "coming-from-tools.md")
"""Pages about other programs."""

NAMED = re.compile(r"^`([^`\n]+)`(?: \(.*\))?:\n\n```\w*\n(.*?)^```$", flags=re.M | re.S)
"""A block whose name is above it, on the pages with many files."""

COMPARED = re.compile(r"^\| (.+?) \|.* `(\w+\.(?:csv|json) [^|]*)` \| ([\d.]+) \|$", flags=re.M)
"""A row of a table: the call of another program, our command, and the number that both give."""


class Example(NamedTuple):
    """A command of a page, what it prints, and the files that it reads."""

    page: str
    command: str
    printed: str
    files: dict[str, str]


class Section(NamedTuple):
    """What a page says about another program: Python code to begin with; its calls, our commands, and their values."""

    program: str
    code: str
    rows: list[tuple[str, str, str]]


def blocks(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```\w*\n(.*?)^```$", text, flags=re.M | re.S)


def examples():
    shown = next(one for one in blocks("docs/getting-started.md") if one.startswith("$ unisono demo"))
    yield Example("getting-started.md", "demo", shown, {})
    for name, places in FILES.items():
        found = blocks(f"docs/{name}")
        files = {file: found[place] for file, place in places.items()}
        for one in found:
            for part in re.split(r"^\$ unisono ", one, flags=re.M)[1:]:
                command, printed = part.split("\n", 1)
                if any(file in command for file in files):
                    yield Example(name, command, printed, files)


def steps(page):
    """Give the commands of a page one after another, each with what it prints, where the page says so."""
    for block in blocks(f"docs/{page}"):
        if "$ unisono " in block:
            yield from (part.split("\n", 1) for part in re.split(r"^\$ unisono ", block, flags=re.M)[1:])
        else:
            yield from ((line.removeprefix("unisono "), "") for line in re.findall(r"^unisono .*", block, flags=re.M))


def written_by_python(page):
    """Give the Python code on a page that writes files."""
    found = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / page).read_text(encoding="utf-8"), flags=re.M | re.S)
    return [code for code in found if 'open("' in code]


def examples_of_labels():
    return [tuple(step) for step in steps("labels.md")]


def sections_of_programs():
    """Give the sections of the pages about other programs with a table of calls, our commands and values."""
    for page in COMING:
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        for part in re.split(r"^## ", text, flags=re.M)[1:]:
            if rows := COMPARED.findall(part):
                code = re.findall(r"^```python\n(.*?)^```$", part, flags=re.M | re.S)
                yield Section(part.split("\n", 1)[0], code[0] if code else "", rows)


def same_words(text):
    return " ".join(text.split())


@pytest.mark.parametrize("example", list(examples()), ids=lambda one: f"{one.page}: {one.command}")
def test_a_command_prints_what_the_page_says(example, tmp_path, monkeypatch):
    for name, content in example.files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = run(*shlex.split(example.command))
    assert done.returncode == 0, done.stderr
    assert_printed(example.printed.removeprefix("$ unisono demo"), done.stdout)


def test_the_commands_for_labels_of_items_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = blocks("docs/getting-started.md")
    Path("ratings.csv").write_text(next(one for one in found if one.startswith("item,anna")), encoding="utf-8")
    commands = next(one for one in found if "unisono measure ratings.csv" in one)
    for command in re.findall("^unisono (.*)", commands, flags=re.M):
        done = run(*shlex.split(command, comments=True))
        assert done.returncode == 0, (command, done.stderr)


@pytest.fixture(scope="module")
def files_of_labels(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labels")
    for name, content in NAMED.findall((ROOT / "docs/labels.md").read_text(encoding="utf-8")):
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(content, encoding="utf-8")
    for write in WRITERS:
        write(folder)
    return folder


@pytest.mark.parametrize(("command", "printed"), examples_of_labels(), ids=lambda text: text[:40])
def test_every_tool_gives_the_same_number(command, printed, files_of_labels, monkeypatch):
    monkeypatch.chdir(files_of_labels)
    done = run(*shlex.split(command, comments=True))
    assert done.returncode == 0, done.stderr
    assert_printed(printed, done.stdout)
    if printed:
        assert "α 0.444" in same_words(done.stdout)


@pytest.fixture(scope="module")
def two_tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("coming-from")
    for page in COMING:
        for name, content in NAMED.findall((ROOT / "docs" / page).read_text(encoding="utf-8")):
            (folder / name).write_text(content, encoding="utf-8")
    return folder


@pytest.mark.parametrize("section", list(sections_of_programs()), ids=lambda section: section.program)
def test_our_command_gives_the_number_of_the_other_program(section, two_tables, monkeypatch):
    monkeypatch.chdir(two_tables)
    assert section.rows
    for _, command, value in section.rows:
        done = run("measure", *shlex.split(command), "--no-leave-one-out", "--json")
        assert done.returncode == 0, done.stderr
        assert f"{json.loads(done.stdout)['results'][0]['value']:.3f}" == value, command


@pytest.mark.parametrize(
    "section",
    [one for one in sections_of_programs() if one.code and one.program not in NOT_INSTALLED],
    ids=lambda section: section.program,
)
def test_the_other_program_gives_its_number(section, two_tables, monkeypatch):
    monkeypatch.chdir(two_tables)
    names: dict[str, object] = {}
    exec(section.code, names)
    for call, _, value in section.rows:
        assert f"{eval(call.strip('`'), names):.3f}" == value, call


@pytest.mark.parametrize("page", FOLLOWED)
def test_a_page_can_be_followed(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(demo_path(), "annotations.jsonl")
    names: dict[str, object] = {}
    for code in written_by_python(page):
        exec(code, names)
    for command, printed in steps(page):
        if not command.startswith(SKIPPED):
            done = run(*shlex.split(command, comments=True))
            assert done.returncode == 0, (command, done.stderr)
            assert_printed(printed, done.stdout + done.stderr)


def test_the_cheat_sheet_has_commands_and_options_that_exist():
    group = typer.main.get_command(app)
    found = re.findall(r"`unisono (\w+)([^`]*)`", (ROOT / "docs/cheat-sheet.md").read_text(encoding="utf-8"))
    assert len(found) > 20
    for name, rest in found:
        known = {one for option in group.commands[name].params for one in option.opts}
        given = [word.partition("=")[0] for word in shlex.split(rest) if word.startswith("-")]
        assert set(given) <= known, (name, given)


def test_the_python_of_the_cheat_sheet_runs(tmp_path, monkeypatch):
    pandas = pytest.importorskip("pandas", reason="the sheet begins with a data frame")
    monkeypatch.chdir(tmp_path)
    shutil.copy(demo_path(), "annotations.jsonl")
    frame = pandas.DataFrame({"annotator": ["a", "b"], "start": [0, 0], "end": [3, 4], "category": ["x", "x"]})
    (code,) = (one for one in blocks("docs/cheat-sheet.md") if one.startswith("import unisono"))
    exec(code, {"df": frame})
    assert Path("report.html").exists()


def test_the_same_number_is_discussed_on_another_page():
    printed = next(text for command, text in steps("tutorial.md") if command == "measure round1 --ladder")
    ((command, said),) = steps("is-it-good.md")
    assert command == "measure round1 --ladder"
    assert_printed(said, printed)
    low, high = re.search(r"interval (\S+) to (\S+)", printed).groups()
    assert f"an interval from {low} to {high}" in same_words((ROOT / "docs/is-it-good.md").read_text(encoding="utf-8"))


def test_the_api_page_lists_the_public_names_and_no_others():
    page = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(unisono\.[\w.]+)` \|", page, flags=re.M)
    modules = {"unisono": dir(unisono), "unisono.shuffling": shuffling.__all__, "unisono.studies": studies.__all__}
    assert sorted(listed) == sorted(f"{module}.{name}" for module, names in modules.items() for name in names)


def assert_printed(expected, printed):
    """Find what a page says in what was printed; … stands for more."""
    shown = same_words(printed)
    place = 0
    for piece in re.split(r"^\s*…$", expected, flags=re.M):
        words = same_words(piece)
        assert words in shown[place:], printed
        place += shown[place:].index(words) + len(words)
