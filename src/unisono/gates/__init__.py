"""Gates: agreement that data must reach, for continuous integration; unisono.toml has several."""

from unisono.gates.checking import Checked, run_checks
from unisono.gates.gate import Gate, Outcome
from unisono.gates.junit import junit_xml
from unisono.gates.markdown import as_markdown

__all__ = ["Checked", "Gate", "Outcome", "as_markdown", "junit_xml", "run_checks"]
