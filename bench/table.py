"""One row of the table, and the table as Markdown."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One figure."""

    what: str
    figure: str
    how: str
    ratio: str = ""
    good: bool | None = None
    """Whether it is as the project wants it; None where nothing was promised."""


def markdown(rows: list[Row]) -> str:
    """The table."""
    lines = ["| what | figure | how | ratio | |", "| --- | ---: | --- | ---: | --- |"]
    marks = {None: "", True: "holds", False: "**does not hold**"}
    lines += [
        f"| {row.what} | {row.figure} | {row.how} | {row.ratio} | {marks[row.good]} |"
        for row in rows
    ]
    return "\n".join(lines)
