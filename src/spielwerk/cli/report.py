"""`spielwerk report`: every published number beside ours, on one page."""

import json as json_module
from pathlib import Path
from typing import Annotated, Any

import typer

from spielwerk.cli.options import JsonOption
from spielwerk.cli.terminal import log, out

EXAMPLE = "Example: `spielwerk report --results results --out report`"


def command(
    results: Annotated[
        Path, typer.Option(help="Where results lie, as `reproduce` wrote them.")
    ] = Path("results"),
    folder: Annotated[Path, typer.Option("--out", help="Where to write the report.")] = Path(
        "report"
    ),
    html: Annotated[
        bool, typer.Option("--html/--no-html", help="Write the page, or the Markdown alone.")
    ] = True,
    json: JsonOption = False,
) -> None:
    """Compare all results on disk with what was printed; nothing is run.

    Writes reproduction.md and reproduction.html, which needs no other file and no network.
    Experiments of a --plugin have a chapter of their own. A folder that is damaged is told of, and
    its numbers are not measured. With --json: printed, measured, with_interval, coverage (percent),
    verdicts, and the same by work.
    """
    from spielwerk.files import make_folder, write_whole
    from spielwerk.lab.report import read_report, strangers
    from spielwerk.lab.report_html import as_html
    from spielwerk.lab.report_markdown import as_markdown, in_a_sentence

    if not results.is_dir():
        raise typer.BadParameter(f"There is no folder {results}; `spielwerk reproduce` makes it.")
    report = read_report(results)
    for damage in report.damages:
        log.print(f"Warning: {damage}", markup=False, soft_wrap=True)
    for stranger in strangers(results):
        left_out = (
            f"{stranger} is left out: its experiment is unknown; give its file with --plugin."
        )
        log.print(f"Warning: {left_out}", markup=False, soft_wrap=True)
    make_folder(folder)
    written = {"reproduction.md": as_markdown(report)}
    if html:
        written["reproduction.html"] = as_html(report)
    for name, text in written.items():
        write_whole(folder / name, text)
    if json:
        told = {
            **_numbers(report.published),
            "works": {c.work.name: _numbers(c.summary) for c in report.chapters},
            "files": [str(folder / name) for name in written],
        }
        out.print_json(json_module.dumps(told))
        return
    out.print(in_a_sentence(report.published).replace("**", ""), markup=False)
    out.print(" ".join(str(folder / name) for name in written), markup=False)


def _numbers(summary: Any) -> dict[str, object]:
    return {
        "printed": summary.printed,
        "measured": summary.measured,
        "with_interval": summary.with_interval,
        "coverage": round(summary.coverage, 1),
        "verdicts": summary.counts,
    }
