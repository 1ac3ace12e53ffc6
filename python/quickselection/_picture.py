"""A small picture for notebooks: a curve as inline SVG, with names. Nothing but the standard library."""
from __future__ import annotations

import html
from typing import Any, Sequence

WIDTH, HEIGHT, MARGIN = 420, 120, 8
MOST_POINTS = 400
MOST_NAMES = 30
MOST_LETTERS = 40


def _thinned(values: Sequence[float], keep: int) -> list[int]:
    """Places to draw: all, or evenly spaced ones with both ends and the cut."""
    count = len(values)
    if count <= MOST_POINTS:
        return list(range(count))
    step = (count - 1) / (MOST_POINTS - 1)
    places = {round(i * step) for i in range(MOST_POINTS)} | {min(max(keep - 1, 0), count - 1)}
    return sorted(places)


def _short(name: str) -> str:
    return name if len(name) <= MOST_LETTERS else name[:MOST_LETTERS - 1] + "…"


def curve_html(what: str, values: Any, title: str, *, cut: int = 0, names: Sequence[str] = (),
               warnings: Sequence[str] = ()) -> str:
    """A box with warnings, a title, the curve (its first `cut` points filled) and names as text.

    Colours are those of the notebook's text, so that it can be read on light and dark ground. What
    comes from the data is escaped."""
    values = [float(value) for value in values]
    low, high = min(0.0, *values, 0.0), max(0.0, *values, 0.0)
    span = (high - low) or 1.0

    def x(place: float) -> float:
        return MARGIN + (WIDTH - 2 * MARGIN) * place / max(1, len(values) - 1)

    def y(value: float) -> float:
        return HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (value - low) / span

    places = _thinned(values, cut)
    line = " ".join(f"{x(i):.1f},{y(values[i]):.1f}" for i in places)
    shapes = [f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y(0):.1f}" y2="{y(0):.1f}" '
              'stroke="currentColor" stroke-opacity="0.3"/>']
    inside = [i for i in places if i < cut]
    if inside:
        area = " ".join(f"{x(i):.1f},{y(values[i]):.1f}" for i in inside)
        shapes.append(f'<polygon points="{x(inside[0]):.1f},{y(0):.1f} {area} {x(inside[-1]):.1f},{y(0):.1f}" '
                      'fill="#1f77b4" fill-opacity="0.25"/>')
        shapes.append(f'<line x1="{x(cut - 0.5):.1f}" x2="{x(cut - 0.5):.1f}" y1="{MARGIN}" '
                      f'y2="{HEIGHT - MARGIN}" stroke="currentColor" stroke-dasharray="3 3"/>')
    shapes.append(f'<polyline points="{line}" fill="none" stroke="#1f77b4" stroke-width="1.5"/>')
    doubts = "".join(f'<p style="border-left:4px solid #c60;padding-left:.5em;margin:.3em 0">'
                     f"{html.escape(text)}</p>" for text in warnings)
    listed = ""
    if names:
        more = len(names) - MOST_NAMES
        chips = ", ".join(f"<bdi>{html.escape(_short(name))}</bdi>" for name in names[:MOST_NAMES])
        listed = f'<p style="margin:.3em 0">{chips}{f" and {more} more" if more > 0 else ""}</p>'
    return (f'<div class="quickselection" style="max-width:{WIDTH}px;margin:.5em 0">{doubts}'
            f'<p style="margin:.3em 0"><b>{html.escape(title)}</b></p>'
            f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
            f'aria-label="{html.escape(title)}; {html.escape(what)}s from {high:.3g} to {min(values, default=0):.3g}">'
            f'{"".join(shapes)}</svg>{listed}</div>')
