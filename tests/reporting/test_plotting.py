"""Figures for papers."""

from __future__ import annotations

import builtins

import pytest

import unisono
from unisono.data import Corpus
from unisono.demo import demo_path
from unisono.errors import DataError, OptionError
from unisono.reporting.plotting import plot_result

pytest.importorskip("matplotlib", reason="figures are drawn with matplotlib")


@pytest.fixture(scope="module")
def result():
    return unisono.gamma(unisono.read(demo_path()), precision=0.1, workers=1)


@pytest.mark.parametrize(("by", "n_dots"), [("documents", 4), ("categories", 4), ("pairs", 3), ("annotators", 3)])
def test_a_dot_for_each(result, by, n_dots):
    (axes,) = result.plot(by).axes
    (dots,) = [line for line in axes.lines if line.get_linestyle() == "None"]
    assert len(dots.get_xdata()) == n_dots
    assert axes.get_xlabel() == "γ"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["95% interval", "γ of all"]


def test_values_are_those_of_the_result(result):
    (axes,) = result.plot().axes
    (dots,) = [line for line in axes.lines if line.get_linestyle() == "None"]
    assert sorted(dots.get_xdata()) == pytest.approx(sorted(document.value for document in result.documents))


@pytest.mark.parametrize("suffix", ["pdf", "svg", "png"])
def test_files(result, tmp_path, suffix):
    path = tmp_path / f"figure.{suffix}"
    result.plot(path=path)
    assert path.read_bytes()[:4] in (b"%PDF", b"<?xm", b"\x89PNG")
    with pytest.raises(DataError, match="exists already"):
        result.plot(path=path)
    result.plot(path=path, overwrite=True)


def test_coefficients_are_drawn_too():
    found = unisono.krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"]], rows="items")
    assert found.plot("categories").axes


def dots_of(figure):
    (axes,) = figure.axes
    (dots,) = [line for line in axes.lines if line.get_linestyle() == "None"]
    return len(dots.get_xdata())


def test_of_one_document_categories_are_drawn(result):
    rated = unisono.krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"], ["c", "c"]], rows="items")
    assert dots_of(plot_result(rated)) == 3
    assert dots_of(plot_result(rated, "documents")) == 1
    assert dots_of(plot_result(result)) == 4
    bare = Corpus.from_columns(annotator=["a", "b"] * 2, start=[0, 1, 20, 20], end=[5, 6, 25, 25])
    assert dots_of(plot_result(unisono.span_f1(bare))) == 1


def test_the_legend_lies_on_nothing(result):
    figure = result.plot()
    figure.draw_without_rendering()
    (axes,) = figure.axes
    assert axes.get_legend().get_window_extent().y0 >= axes.get_window_extent().y1


@pytest.mark.parametrize(("columns", "width"), [(1, 85), (2, 178)])
def test_figures_are_as_wide_as_columns(result, columns, width):
    figure = result.plot(columns=columns)
    assert figure.get_figwidth() * 25.4 == pytest.approx(width)
    numbers = unisono.krippendorff_alpha({"a": [1, 2, 3, 4], "b": [1, 2, 4, 4]}, distance="interval")
    assert numbers.plot("differences", columns=columns).get_figwidth() * 25.4 == pytest.approx(width)
    with pytest.raises(OptionError, match="columns: expected 1 or 2, not 3"):
        result.plot(columns=3)


@pytest.mark.parametrize("by", ["documents", "categories", "pairs", "annotators"])
def test_no_dot_lies_on_the_frame(result, by):
    figure = result.plot(by, columns=1)
    figure.draw_without_rendering()
    (axes,) = figure.axes
    (dots,) = [line for line in axes.lines if line.get_linestyle() == "None"]
    box, radius = axes.get_window_extent(), dots.get_markersize() / 2 * figure.dpi / 72
    for x, y in axes.transData.transform(dots.get_xydata()):
        assert box.x0 + radius < x < box.x1 - radius
        assert box.y0 + radius < y < box.y1 - radius
    right = max(label.get_window_extent().x1 for label in axes.get_yticklabels())
    assert right <= box.x0
    assert min(label.get_window_extent().x0 for label in axes.get_yticklabels()) >= 0


def test_letters_stay_letters(result, tmp_path):
    result.plot(path=tmp_path / "figure.svg")
    assert "library" in (tmp_path / "figure.svg").read_text(encoding="utf-8")


def test_what_cannot_be_drawn(result, tmp_path, monkeypatch):
    with pytest.raises(OptionError, match=r"by: expected .* not 'colour'"):
        result.plot("colour")
    with pytest.raises(OptionError, match=r"\.pdf"):
        result.plot(path=tmp_path / "figure.docx")

    def without(name, *rest, **more):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return original(name, *rest, **more)

    original = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(OptionError, match="pip install"):
        result.plot()


def test_differences_of_numbers():
    numbers = {"anna": [1, 2, 3, 4.5], "bert": [2, 2, 4, 5], "chris": [1, 3, 2, None]}
    result = unisono.krippendorff_alpha(numbers, distance="interval")
    figure = result.plot("differences")
    assert [axes.get_title() for axes in figure.axes] == ["anna – bert", "anna – chris", "bert – chris"]
    points = figure.axes[0].collections[-1].get_offsets()
    assert points.tolist() == [[1.5, -1], [2, 0], [3.5, -1], [4.75, -0.5]]
    assert sorted(line.get_ydata()[0] for line in figure.axes[0].lines)[1] == pytest.approx(-0.625)
    names = unisono.krippendorff_alpha({"a": ["x", "y", "z"], "b": ["x", "z", "z"]})
    with pytest.raises(OptionError, match="labels of items that are numbers"):
        names.plot("differences")
