"""Build the site of this version beside those of others: `python docs/make_site.py FOLDER`.

Each version is a folder of its own. `versions.json` names them for the selector of versions on each page, and
`index.html` leads to the newest release. A version that is built again replaces itself; nothing else changes.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import unisono

ROOT = Path(__file__).parents[1]
LATEST = "latest"
REDIRECT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>unisono</title>
<meta http-equiv="refresh" content="0; url={version}/index.html">
<link rel="canonical" href="{version}/index.html">
<a href="{version}/index.html">unisono {version}</a>
</html>
"""


def main() -> None:
    """Build the site, and put it into the folder."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the folder of all versions, for instance a checkout of gh-pages")
    parser.add_argument("--version", default=unisono.__version__, help="the name of the version (default: %(default)s)")
    given = parser.parse_args()
    build(given.version)
    add(ROOT / "build/site", given.folder, given.version)


def build(version: str) -> None:
    """Build the site in build/site; its pages name the address of this version as their own."""
    environment = {**os.environ, "MIKE_DOCS_VERSION": version}
    subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=ROOT, env=environment, check=True)


def add(site: Path, folder: Path, version: str) -> None:
    """Put a site among those of other versions."""
    if not re.fullmatch(r"\w[\w.-]*", version):
        raise SystemExit(f"{version!r} is not a name of a folder; choose another --version")
    shutil.rmtree(folder / version, ignore_errors=True)
    shutil.copytree(site, folder / version)
    versions = sorted((path.parent.name for path in folder.glob("*/index.html")), key=_newest_first)
    newest = next((one for one in versions if _is_release(one)), versions[0])
    entries = [{"version": one, "title": one, "aliases": [LATEST] if one == newest else []} for one in versions]
    (folder / "versions.json").write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")
    (folder / "index.html").write_text(REDIRECT.format(version=newest), encoding="utf-8")
    (folder / ".nojekyll").touch()  # GitHub Pages would leave out files whose names begin with an underscore


def _is_release(version: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)*", version) is not None


def _newest_first(version: str) -> tuple[bool, list[int], str]:
    """Sort what is in development first, then releases from the newest to the oldest."""
    return _is_release(version), [-int(part) for part in re.findall(r"\d+", version)], version


if __name__ == "__main__":
    main()
