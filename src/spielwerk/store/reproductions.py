"""Reproduced tables and figures that are kept: their numbers, and the rows of their files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert, select, update

from spielwerk.store.schema import FINDINGS, POINTS, RUNS
from spielwerk.store.store import FINISHED, Store, now

KIND = "lab"


@dataclass(frozen=True)
class Finding:
    """A number that was measured, with its 95 % interval."""

    name: str
    value: float
    low: float
    high: float


def keep_reproduction(
    store: Store,
    name: str,
    options: Mapping[str, Any],
    game: str,
    findings: Sequence[Finding],
    rows: Sequence[Mapping[str, Any]],
) -> int:
    """Enter a reproduction; returns the number of its run.

    The same one with the same options is one run: entering it again replaces its numbers. An option
    that is True is a flag.
    """
    told = sorted(options.items())
    words = [f"--{option}" if value is True else f"--{option} {value}" for option, value in told]
    known = " ".join([name, *words])
    before = store.runs(kind=KIND, name=known)
    if before:
        run = before[0].id
    else:
        seed = int(options["seed"])
        run = store.begin_run(KIND, game, {"name": name, **options}, seed, name=known)
    with store.writing() as connection:
        for table in (FINDINGS, POINTS):
            connection.execute(table.delete().where(table.c.run == run))
        if findings:
            numbered = [{"run": run, "number": n, **vars(one)} for n, one in enumerate(findings)]
            connection.execute(insert(FINDINGS), numbered)
        if rows:
            texts = [json.dumps(row, ensure_ascii=False) for row in rows]
            numbered = [{"run": run, "number": n, "row": row} for n, row in enumerate(texts)]
            connection.execute(insert(POINTS), numbered)
        ended = update(RUNS).where(RUNS.c.id == run).values(state=FINISHED, ended=now())
        connection.execute(ended)
    return run


def findings_of(store: Store, run: int) -> list[Finding]:
    """The numbers of a reproduction."""
    query = select(FINDINGS).where(FINDINGS.c.run == run).order_by(FINDINGS.c.number)
    with store.reading() as connection:
        rows = connection.execute(query).mappings().all()
    return [Finding(row["name"], row["value"], row["low"], row["high"]) for row in rows]


def rows_of_files(store: Store, run: int) -> list[dict[str, Any]]:
    """The rows of the files of a reproduction."""
    query = select(POINTS.c.row).where(POINTS.c.run == run).order_by(POINTS.c.number)
    with store.reading() as connection:
        return [json.loads(text) for text in connection.execute(query).scalars()]
