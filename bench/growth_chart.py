"""Draw how times grow with the number of entities, as an SVG with both axes logarithmic."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

Series = Mapping[str, Sequence[tuple[float, float]]]
_WIDTH, _HEIGHT = 760, 460
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 210, 40, 70
_COLOURS = ("#1b6ca8", "#c8553d", "#588157", "#8d6a9f")


def _decades(low: float, high: float) -> list[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    return [10.0**power for power in range(first, last + 1)]


def _told(value: float) -> str:
    if value >= 1_000_000:
        return f"{value / 1_000_000:g}M"
    return f"{value / 1000:g}k" if value >= 1000 else f"{value:g}"


def chart(p50: Series, p99: Series, *, title: str, x: str, y: str) -> str:
    """The chart; p50 is drawn solid, p99 dashed."""
    points = [point for series in (p50, p99) for line in series.values() for point in line]
    across = _decades(min(p[0] for p in points), max(p[0] for p in points))
    up = _decades(min(p[1] for p in points), max(p[1] for p in points))

    def at_x(value: float) -> float:
        part = math.log10(value / across[0]) / math.log10(across[-1] / across[0])
        return _LEFT + part * (_WIDTH - _LEFT - _RIGHT)

    def at_y(value: float) -> float:
        part = math.log10(value / up[0]) / math.log10(up[-1] / up[0])
        return _HEIGHT - _BOTTOM - part * (_HEIGHT - _TOP - _BOTTOM)

    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        ' font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="22" font-size="14" font-weight="bold">{escape(title)}</text>',
    ]
    for value in across:
        out.append(_grid(at_x(value), _TOP, at_x(value), bottom))
        out.append(_text(at_x(value), bottom + 18, _told(value), "middle"))
    for value in up:
        out.append(_grid(_LEFT, at_y(value), right, at_y(value)))
        out.append(_text(_LEFT - 8, at_y(value) + 4, _told(value), "end"))
    out.append(_text((_LEFT + right) / 2, _HEIGHT - 22, x, "middle"))
    middle = (_TOP + bottom) / 2
    out.append(
        f'<text x="24" y="{middle:.0f}" text-anchor="middle"'
        f' transform="rotate(-90 24 {middle:.0f})">{escape(y)}</text>'
    )
    for number, name in enumerate(p50):
        colour = _COLOURS[number % len(_COLOURS)]
        for series, dash in ((p50, ""), (p99, ' stroke-dasharray="5 4"')):
            path = " ".join(f"{at_x(a):.1f},{at_y(b):.1f}" for a, b in series.get(name, ()))
            out.append(
                f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>'
            )
            out += [
                f'<circle cx="{at_x(a):.1f}" cy="{at_y(b):.1f}" r="3" fill="{colour}"/>'
                for a, b in series.get(name, ())
            ]
        row = _TOP + 14 + number * 22
        out.append(
            f'<line x1="{right + 16}" y1="{row - 4}" x2="{right + 40}" y2="{row - 4}"'
            f' stroke="{colour}" stroke-width="2"/>'
        )
        out.append(_text(right + 46, row, name, "start"))
    out.append(_text(right + 16, _TOP + 24 + len(p50) * 22, "solid p50, dashed p99", "start"))
    return "\n".join([*out, "</svg>", ""])


def _grid(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#ddd"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
