"""The local app: open an export, measure, look, decide, give the gold standard back; in a browser, here only.

Thin over what exists: `formats` reads and writes, `measurement` advises and measures, `reporting` makes the pages,
`adjudication` drafts and keeps decisions.
"""
