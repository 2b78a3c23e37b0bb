"""The report as one HTML page that needs nothing else: plots are part of it."""

import base64
import re
from pathlib import Path

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from spielwerk.files import DATA
from spielwerk.lab.report import Report, why_not
from spielwerk.lab.report_markdown import in_a_sentence
from spielwerk.lab.verdicts import AGREES, DIFFERS, NOT_MEASURED, SAME, UNDECIDED, VERDICTS

TEMPLATE = DATA / "report.html"
SIGNS = {AGREES: "✓", SAME: "≈", UNDECIDED: "?", DIFFERS: "≠", NOT_MEASURED: "–"}


def as_html(report: Report) -> str:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["prose"] = with_code
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    return template.render(
        report=report,
        sentence=in_a_sentence(report.published).replace("**", ""),
        verdicts=VERDICTS,
        signs=SIGNS,
        why_not=why_not,
        picture=_picture,
    )


def with_code(text: str) -> Markup:
    """The text with what stands between backticks as code, as it is in Markdown."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _picture(path: Path) -> str:
    """The plot as an address that contains it."""
    return f"data:image/svg+xml;base64,{base64.b64encode(path.read_bytes()).decode()}"
