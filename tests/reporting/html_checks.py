"""A strict look at HTML: every tag closed, in order, no identifier twice."""

from __future__ import annotations

from html.parser import HTMLParser

_VOID = {"meta", "link", "br", "hr", "img", "input"}


class _Checker(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open = []
        self.ids = []

    def handle_starttag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]
        assert not [name for name, _ in attrs if name.startswith("on")]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag


def assert_well_formed(html):
    """Check that tags are closed in order and identifiers are unique."""
    checker = _Checker()
    checker.feed(html)
    checker.close()
    assert not checker.open
    assert len(checker.ids) == len(set(checker.ids))
