"""The documentation site: every page is in it, what follows from the code is up to date, and no link is broken."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONFIGURATION = ROOT / "mkdocs.yml"


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / f"docs/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def reference():
    return script("make_reference")


def test_versions_of_the_site_are_beside_each_other(tmp_path):
    site, folder = tmp_path / "site", tmp_path / "pages"
    site.mkdir()
    folder.mkdir()
    for version in ("0.9.0", "0.10.0", "dev", "0.2.0", "0.9.0"):
        (site / "index.html").write_text(version)
        script("make_site").add(site, folder, version)
    names = [one["version"] for one in json.loads((folder / "versions.json").read_text()) if not one["aliases"]]
    assert names == ["dev", "0.9.0", "0.2.0"]
    assert "url=0.10.0/index.html" in (folder / "index.html").read_text()
    assert (folder / "0.2.0/index.html").read_text() == "0.2.0"
    with pytest.raises(SystemExit, match="not a name of a folder"):
        script("make_site").add(site, folder, "..")


def test_reference_pages_are_what_the_code_says(reference):
    for name, text in reference.pages().items():
        written = (reference.REFERENCE / name).read_text(encoding="utf-8")
        assert written == text, f"docs/reference/{name} is out of date; run python docs/make_reference.py"


def test_every_page_is_in_the_navigation():
    listed = re.findall(r"([\w/.-]+\.md)$", CONFIGURATION.read_text(encoding="utf-8"), flags=re.M)
    there = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert sorted(listed) == sorted(there)


def test_the_site_builds_and_loads_nothing_from_the_network(tmp_path):
    """Broken links, anchors and references are errors; what pages load is their own."""
    pytest.importorskip("zensical", reason="the site is built by zensical, in the extra docs")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    text = CONFIGURATION.read_text(encoding="utf-8").replace("paths: [src]", f"paths: [{ROOT / 'src'}]")
    (tmp_path / "mkdocs.yml").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = list((tmp_path / "build/site").rglob("*.html"))
    assert len(pages) > 30
    for page in pages:
        loaded = re.findall(
            r"<(?:script|img|link|iframe)\b[^>]*?(?:src|href)=\"([^\"]+)\"", page.read_text(encoding="utf-8")
        )
        allowed = "https://unisono-agreement.github.io"  # the canonical address of a page, which is not loaded
        assert [
            one for one in loaded if one.startswith(("http:", "https:", "//")) and not one.startswith(allowed)
        ] == []
    measures = (tmp_path / "build/site/reference/python/measures.html").read_text(encoding="utf-8")
    assert 'id="unisono.krippendorff_alpha"' in measures
    assert "<code>text_gamma</code></a>" in measures, "names under See Also are links"
    assert "Create a new string object" not in measures, "a value is described by the documentation of its type"
    assert "<mfrac>" in (tmp_path / "build/site/gamma.html").read_text(encoding="utf-8")
