"""Messages of the library mention parameters; on the command line, each is written as the option that sets it."""

from __future__ import annotations

import ast
import inspect
import json
import shlex
from pathlib import Path

import pytest
from commands import options_of_commands, run

import unisono
import unisono.checks
import unisono.formats
import unisono.formats.registry
import unisono.formats.writing
import unisono.shuffling
import unisono.studies
from unisono.cli.spelling import ONLY_IN_PYTHON, as_option, in_parentheses, naming, shell_word, told
from unisono.errors import DataError, OptionError, mention

SOURCE = Path(unisono.__file__).parent
SPANS = "document,annotator,start,end,category\nd,anna,0,5,A\nd,bert,0,6,A\n"


@pytest.mark.parametrize(
    ("parameter", "value", "written"),
    [
        ("layers", "NE", "--layer NE"),
        ("layers", ["NE", "POS"], "--layer NE --layer POS"),
        ("groups", {"experts": ["anna", "bert"]}, "--group experts=anna,bert"),
        ("annotators", ["anna", "bert"], "--annotators anna,bert"),
        ("humans", ["Smith, Anna", "bert"], """--humans '"Smith, Anna",bert'"""),
        ("annotator_from", "tier", "--annotator-from tier"),
        ("pattern", "{annotator}/{document}.xml", '--pattern "{annotator}/{document}.xml"'),
        ("columns", {"document": "doc", "category": "label"}, "--columns document=doc,category=label"),
        ("columns", {"document": "my doc"}, '--columns "document=my doc"'),
        ("options", {"text": "…"}, "--option text=…"),
        ("options", None, "--option"),
        ("continuum", [0, 5000], "--continuum 0:5000"),
        ("overwrite", True, "--force"),
        ("bad", None, "--skip-bad"),
        ("format", "ratings", "--format ratings"),
        ("measure", "gamma(alpha=3)", '-m "gamma(alpha=3)"'),
        ("measure", "u-alpha", "-m u-alpha"),
        ("rng", 7, "--seed 7"),
        ("where", 'category != "O"', "--where 'category != \"O\"'"),
        ("n_annotators", 3, "--annotators 3"),
        ("data", None, "PATH"),
        ("alpha", 3, "alpha=3"),
        ("features", ["pos", "lemma"], "features=[pos,lemma]"),
        ("distance", "ordinal(low,high)", "distance=ordinal(low,high)"),
        ("n_units", 60, "n_units=60"),
        ("rows", "items", "rows='items'"),
    ],
)
def test_parameters_are_written_as_options(parameter, value, written):
    assert as_option(parameter, value) == written


@pytest.mark.parametrize(
    "value", ["plain", "two words", "it's", 'say "no"', "$HOME", "a\\b", "{x}", "semi;colon", "é", "#", "a#b"]
)
def test_a_shell_reads_the_value_back(value):
    assert shlex.split(as_option("pattern", value)) == ["--pattern", value]


def functions():
    """Return the public functions."""
    for module in (unisono, unisono.shuffling, unisono.studies):
        for name in module.__all__:
            if callable(found := getattr(module, name)) and not inspect.isclass(found):
                yield f"{module.__name__}.{name}", found


def mentioned():
    """Return the parameters that messages in the source mention, with where they do."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            named = [keyword.value for keyword in node.keywords if keyword.arg == "parameter"]
            named += node.args[:1] if called == "mention" else []
            named += node.args[1:2] if called == "OptionError" or called in vars(unisono.checks) else []
            for one in named:
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield one.value, f"{path.relative_to(SOURCE)}:{node.lineno}"


def has_an_option(parameter):
    written = as_option(parameter)
    return parameter in ONLY_IN_PYTHON or parameter in in_parentheses() or written in options_of_commands()


def test_every_parameter_of_a_public_function_has_an_option():
    lacking = [
        f"{name}: {parameter}"
        for name, function in functions()
        for parameter in inspect.signature(function).parameters
        if not has_an_option(parameter)
    ]
    assert not lacking


def test_every_parameter_that_a_message_mentions_has_an_option():
    lacking = [f"{where}: {parameter}" for parameter, where in mentioned() if not has_an_option(parameter)]
    assert not lacking


def test_what_is_only_in_python_has_no_option():
    for parameter in ONLY_IN_PYTHON:
        assert f"--{parameter.replace('_', '-')}" not in options_of_commands()


def test_the_message_names_options(tmp_path, monkeypatch):
    def failing(*_, **__):
        raise OptionError(f"unknown layer; choose {mention('layers', 'NE')}", parameter="features")

    monkeypatch.setattr(unisono.formats, "read", failing)
    done = run("measure", tmp_path)
    assert done.returncode == 1
    assert done.stderr == "unisono: --features: unknown layer; choose --layer NE\n"


def test_a_parameter_of_a_measure_is_written_as_in_its_parentheses(tmp_path, monkeypatch):
    def failing(*_, **__):
        raise DataError(f"choose {mention('features', ['pos'])} or {mention('continuum', [0, 9])}", path="x.csv")

    data = tmp_path / "spans.csv"
    data.write_text(SPANS)
    monkeypatch.setattr("unisono.measurement.registry.Measure.compute", failing)
    done = run("measure", data, "-m", "gamma")
    assert done.stderr == "unisono: gamma: x.csv: choose features=[pos] or --continuum 0:9\n"
    done = run("measure", data, "-m", "gamma", "--json")
    assert json.loads(done.stdout)["results"][0]["undefined"] == "x.csv: choose features=[pos] or --continuum 0:9"


@pytest.mark.parametrize("command", ["convert", "gold"])
def test_the_format_that_is_written_is_another_option(tmp_path, monkeypatch, command):
    def failing(*_, **__):
        raise DataError(f"name it with {mention('format', 'brat')}")

    monkeypatch.setattr(unisono.formats.writing, "refuse_target", failing)
    assert run(command, "x.csv", "-o", tmp_path / "out").stderr == "unisono: name it with --to brat\n"


@pytest.mark.parametrize(
    ("platform", "text", "quoted"),
    [
        ("linux", "gamma(alpha=3)", '"gamma(alpha=3)"'),
        ("linux", "a$b", "'a$b'"),
        ("linux", "anna,bert", "anna,bert"),
        ("win32", "gamma(alpha=3)", '"gamma(alpha=3)"'),
        ("win32", "anna,bert", '"anna,bert"'),
        ("win32", r"C:\data\a.csv", r"C:\data\a.csv"),
        ("win32", "my data\\", '"my data\\\\"'),
        ("win32", 'say "yes"', r'"say \"yes\""'),
    ],
)
def test_words_are_quoted_for_the_shell_of_the_system(monkeypatch, platform, text, quoted):
    monkeypatch.setattr("sys.platform", platform)
    assert shell_word(text) == quoted


def test_a_study_names_keys_of_its_file(tmp_path, monkeypatch):
    def failing(*_, **__):
        raise DataError(
            f"{mention('columns', {'document': 'doc'})}; {mention('layers', ['NE'])}; {mention('rng')}", path="x.csv"
        )

    monkeypatch.setattr(unisono.studies, "read_study", failing)
    done = run("study", tmp_path)
    assert done.stderr == 'unisono: x.csv: columns = { document = "doc" }; layers = ["NE"]; --seed\n'


def test_errors_keep_their_place_and_other_mentions():
    with pytest.raises(DataError) as caught, naming(format="--to"):
        raise DataError(f"{mention('format', 'csv')}, {mention('pattern', 'x')}", path="a.csv", line=3)
    assert told(caught.value) == "a.csv, line 3: --to csv, --pattern x"


def test_formats_are_described_with_options(monkeypatch):
    one = unisono.formats.registry.FORMATS[0]
    described = type(one)(
        **{name: getattr(one, name) for name in one.__dataclass_fields__}
        | {"reads": f"units, with {mention('annotator_from', 'tier')}", "ignores": "", "options": {}}
    )
    monkeypatch.setattr(unisono.formats.registry, "FORMATS", (described,))
    assert "units, with --annotator-from tier" in run("formats").stdout
    assert json.loads(run("formats", "--json").stdout)[0]["reads"] == "units, with --annotator-from tier"
