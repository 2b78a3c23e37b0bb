"""The report as Markdown: `docs/reproduction.md`."""

from collections.abc import Sequence

from spielwerk.lab.report import Part, Report, Summary, why_not
from spielwerk.lab.verdicts import (
    AGREES,
    DIFFERS,
    MARKS,
    NOT_MEASURED,
    SAME,
    UNDECIDED,
    VERDICTS,
    Comparison,
)

JUDGED = VERDICTS[: VERDICTS.index(NOT_MEASURED)]


def as_markdown(report: Report) -> str:
    lines = [
        "# What was published, and what we found",
        "",
        "Made by `spielwerk report --out docs --no-html` from the files in `results/`; not written",
        "by hand. What the works print in these tables and figures, and say in the text beside",
        "them, stands beside ours, with a verdict by [one rule](lab.md#the-rule-of-the-verdicts):",
        "*agrees*, *same conclusion* (≈), *undecided* (?, our interval is too wide or missing),",
        "*differs* (≠).",
        "",
        *_summary(report),
        *_disagreements(report),
        *_gaps(report),
    ]
    for chapter in report.chapters:
        lines += [f"## {chapter.work.name}", "", f"*{chapter.work.title}*", ""]
        for part in chapter.parts:
            lines += _part(part)
    return "\n".join(lines).rstrip() + "\n"


def in_a_sentence(found: Summary) -> str:
    """How many numbers there are, and what became of them."""
    counts = found.counts
    without = found.measured - found.with_interval
    return (
        f"Of {found.printed} printed numbers {found.with_interval} ({found.coverage:.0f} %) have a "
        f"counterpart of ours with a 95 % interval, and {without} more one without: measured "
        f"once, or nobody noted by how much it varies. Of these {found.measured}, "
        f"**{counts[AGREES]} agree**, {counts[SAME]} lead to the same conclusion, "
        f"{counts[UNDECIDED]} are undecided because our interval is too wide or missing, "
        f"**{counts[DIFFERS]} differ**."
    )


def _summary(report: Report) -> list[str]:
    rows = [(chapter.work.name, chapter.summary) for chapter in report.chapters]
    head = ("work", "printed", "measured", "with interval", *VERDICTS)
    body = [_row(name, found) for name, found in rows]
    total = _row("all but our own aims", report.published)
    return [in_a_sentence(report.published), "", *_table(head, [*body, total], numbers=True)]


def _row(name: str, found: Summary) -> list[str]:
    numbers = (found.printed, found.measured, found.with_interval, *found.counts.values())
    return [name, *map(str, numbers)]


def _disagreements(report: Report) -> list[str]:
    rows = [
        [part.source, *(str(part.counts[v]) for v in JUDGED), part.explanation or "–"]
        for part in report.disagreements
    ]
    return [
        "## What does not agree, and why",
        "",
        "The last column is what we found out, or believe; no verdict follows from it.",
        "",
        *_table(("", *JUDGED, "explanation"), rows),
    ]


def _gaps(report: Report) -> list[str]:
    rows = [[part.source, str(part.counts[NOT_MEASURED]), why_not(part)] for part in report.gaps]
    return ["## What is not measured, and why", "", *_table(("", "numbers", "why"), rows)]


def _part(part: Part) -> list[str]:
    lines = [
        f"### {part.source}: {part.shows}",
        "",
        f"`{part.name}`; printed: {part.page.place}; {part.state}.",
    ]
    if part.command:
        date = part.saved.about.get("date", "")
        lines[-1] += f" `{part.command}`, {date}."
    if part.remark:
        lines[-1] += f" ({part.remark})"
    lines.append("")
    if part.page.rows:
        rows = [[row, *map(_cell, numbers)] for row, numbers in part.grid.items()]
        lines += ["Ours ± 95 % (printed):", ""]
        lines += _table(("", *part.page.columns), rows, numbers=True)
    if part.listed:
        rows = [_line(one) for one in part.listed]
        lines += _table(("number", "printed", "ours ± 95 %", "verdict"), rows)
    if part.page.note:
        lines += [f"Note: {part.page.note}", ""]
    if part.explanation and not any(part.counts[v] for v in (SAME, UNDECIDED, DIFFERS)):
        lines += [f"To be known as well: {part.explanation}", ""]
    return lines


def _cell(one: Comparison) -> str:
    ours = one.measured.text if one.measured is not None else "–"
    return f"{ours} ({one.printed.text}){MARKS[one.verdict]}"


def _line(one: Comparison) -> list[str]:
    ours = one.measured.text if one.measured is not None else "–"
    return [one.name.replace(" | ", " against "), one.printed.text, ours, one.verdict]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: bool = False) -> list[str]:
    """Columns of numbers, all but the first, stand to the right."""
    line = ["---", *("---:" if numbers else "---" for _ in head[1:])]
    return [f"| {' | '.join(row)} |" for row in (head, line, *rows)] + [""]
