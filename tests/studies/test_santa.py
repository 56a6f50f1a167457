"""The study file of docs/study-files.md, on files laid out like those of SANTA, with made-up text."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from commands import run

import unisono
from unisono.errors import DataError
from unisono.studies import read_study

PAGE = Path(__file__).parents[2] / "docs" / "study-files.md"
TEXT = "Once, a fox met a hen.\r\nShe told him of a crow.\r\nHe left."
XMI = """<?xml version="1.0" encoding="UTF-8"?><xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmi:version="2.0"
 xmlns:cas="http:///uima/cas.ecore" xmlns:v1="http:///de/unistuttgart/ims/coref/annotator/api/v1.ecore">
<cas:NULL xmi:id="0"/>{elements}
<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString={text}/>
<cas:View sofa="1" members="{members}"/></xmi:XMI>"""
LABELS = {
    "SANTA1": ("Original", "Original "),
    "SANTA2": ('Level DEGREE = "1"', "level, DEGREE= 1"),
    "SANTA5": ("L1N1|n_id:a,n_d:he", "l1n1"),
    "SANTA7": ("CHARACTER_0", "CHARACTERS_0"),
    "SANTA8": ("a", "a"),
}
"""What two annotators call the same."""
PEOPLE = {"SANTA1": "AJ MS", "SANTA2": "AS KH", "SANTA5": "JH YH", "SANTA7": "CB MM", "SANTA8": "AS DK"}
AUTOMATIC = "segments that cover the whole text, which CorefAnnotator adds itself"


def xmi(label, text=TEXT, *, detached=False):
    """Write a file of CorefAnnotator: a mention of the middle sentence, flags, and a segment that is automatic."""
    start = text.index("She")
    escaped = quoteattr(text).replace("\r", "&#13;").replace("\n", "&#10;")
    more = ' Discontinuous="6"' if detached else ""
    elements = [
        f'<v1:Entity xmi:id="3" Label={quoteattr(label)} Color="-65313" Flags="" Hidden="false"/>',
        f'<v1:Mention xmi:id="4" sofa="1" begin="{start}" end="{start + 23}" Entity="3"{more}>'
        "<Flags>Difficult</Flags></v1:Mention>",
        f'<v1:Segment xmi:id="5" sofa="1" begin="0" end="{len(text)}"/>',
    ]
    if detached:
        place = f'begin="{len(text) - 8}" end="{len(text)}"'
        elements.append(f'<v1:DetachedMentionPart xmi:id="6" sofa="1" {place} Mention="4"/>')
    return XMI.format(elements="\n".join(elements), text=escaped, members="3 4 5 6" if detached else "3 4 5")


@pytest.fixture
def santa(tmp_path):
    """Lay files out as in the repository, and put the study file of the page beside the folder."""
    top = tmp_path / "phase-1-round-2-test-corpus"
    for guideline, labels in LABELS.items():
        (top / guideline).mkdir(parents=True)
        (top / guideline / "profile.xml").write_text('<?xml version="1.0"?><profile/>')
        for number, (who, label) in enumerate(zip(PEOPLE[guideline].split(), labels, strict=True)):
            for text in ("05_Twain", "11_Anderson", "91_Kleist"):
                name = "11_Andersen" if (guideline, text, who) == ("SANTA8", "11_Anderson", "DK") else text
                spaces = (guideline, text, number) == ("SANTA2", "91_Kleist", 0)
                content = xmi(
                    label,
                    TEXT.replace("\r\n", "\r\r\n") if spaces else TEXT,
                    detached=(guideline, text, number) == ("SANTA2", "05_Twain", 1),
                )
                if guideline == "SANTA1":
                    (top / guideline / f"{name}_{who}.xmi.gz").write_bytes(gzip.compress(content.encode()))
                else:
                    (top / guideline / f"{name}_{who}.xmi").write_text(content, newline="")
    (top / "SANTA2" / "05_Twain_AS.xmi.gz").write_bytes(gzip.compress(xmi("older").encode()))
    (top / "SANTA2" / "09_Melville_KH.xmi").write_text(xmi("longer"), newline="")
    for copy in ("Kleist JH.2.xmi", "Kleist_YH.2.xmi"):
        (top / "SANTA5" / copy).write_text(xmi("l1n1"), newline="")
    (top / "xmi").mkdir()
    (top / "xmi" / "05_Twain.xmi.gz").write_bytes(gzip.compress(xmi("nobody").encode()))
    (block,) = re.findall(r"```toml\n(title = \"SANTA\"\npath = \"phase.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    study = tmp_path / "study.toml"
    study.write_text(block, encoding="utf-8")
    return study


def test_the_study_file_of_the_page(santa):
    found = read_study(santa)
    assert [one.name for one in found.guidelines] == list(LABELS)
    for one in found.guidelines:
        assert one.corpus.annotators == tuple(PEOPLE[one.name].split())
        assert set(one.corpus.documents) == {"05_Twain", "11_Anderson", "91_Kleist"}
        assert one.corpus.worked.all()
        # all agree: labels are cleaned, automatic segments and detached parts do not count, line ends do not matter
        assert {(unit.start, unit.end) for text in one.corpus for unit in text.units} == {(8, 15)}
        assert len(one.corpus.features["category"].labels) == 1
        assert one.corpus.dropped[AUTOMATIC] == 6
    dropped = {one.name: one.corpus.dropped for one in found.guidelines}
    assert dropped["SANTA2"]["files that leave_out names"] == 2
    assert dropped["SANTA2"]["units in several pieces, of which only the main piece is read"] == 1
    (unmatched,) = found.dropped.items()
    assert unmatched[0].startswith("files that the pattern does not match: SANTA1/profile.xml, ")
    assert unmatched[1] == 6  # profiles, and a name with a space


def test_the_command(santa):
    done = run("study", santa, "-m", "gamma(chance=shift,precision=0.2)", "--json")
    assert done.returncode == 0, done.stderr
    assert f"left out or changed in SANTA7: 6 {AUTOMATIC}\n" in done.stderr
    found = json.loads(done.stdout)
    (study,) = found["studies"]
    assert study["dropped"]["SANTA7"] == {AUTOMATIC: 6}
    assert found["dropped"]
    assert all(cell["value"] == 1 for part in study["parts"] for cell in part["texts"])
    page = santa.parent / "santa.html"
    assert run("study", santa, "-m", "span-f1", "-o", page).returncode == 0
    assert f"left out or changed in SANTA7: 6 {AUTOMATIC}" in page.read_text(encoding="utf-8")


def test_the_category_is_the_entity_beside_flags(santa):
    """Plain `measure` needs no option to know it."""
    files = [santa.parent / "phase-1-round-2-test-corpus" / "SANTA8" / f"05_Twain_{who}.xmi" for who in ("AS", "DK")]
    corpus = unisono.read(files, pattern="{document}_{annotator}.xmi")
    assert set(corpus.features) == {"type", "category", "Flags"}
    assert unisono.gamma(corpus, precision=0.2).value == 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("SANTA5/Kleist*", "SANTA5/Kleist", "leave_out: no file that would be read has the path 'SANTA5/Kleist'"),
        ("11_Andersen =", "11_Andersson =", r"documents in \[rename\]: nothing is named '11_Andersson'"),
        (
            "11_Andersen =",
            "05_Twain =",
            "SANTA2, SANTA8: rename: '05_Twain' by 'AS' and '11_Anderson' by 'AS'",
        ),
        ("[guidelines.SANTA7", "[guidelines.SANTA9", r"\[guidelines.SANTA9\]: the paths name no such guidelines"),
        (
            "[guidelines.SANTA7.prepare]",
            '[guidelines.SANTA7]\npath = "x"\n[guidelines.SANTA7.prepare]',
            r"path in \[guidelines.SANTA7\]: the study already says",
        ),
    ],
)
def test_what_is_wrong_in_the_file(santa, old, new, said):
    text = santa.read_text(encoding="utf-8")
    assert old in text
    santa.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises((DataError, unisono.OptionError), match=said):
        read_study(santa)


def test_layers_and_features_that_are_wrong_are_reported_all_at_once(santa):
    text = santa.read_text(encoding="utf-8")
    santa.write_text(text.replace('positions = "tokens"', 'layers = "Segment"\nfeatures = "Level"'), encoding="utf-8")
    done = run("study", santa)
    assert done.returncode == 1
    assert "SANTA1, SANTA2, SANTA5, SANTA7, SANTA8: layers: unknown layer 'Segment'; available: Mention" in done.stderr
    assert "--layer" not in done.stderr
