"""Figures as SVG, drawn by matplotlib from their data alone."""
from __future__ import annotations

import io
import math
import re

import matplotlib
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from .contents import usable
from .text import number

PALETTE = ("#1f6fb2", "#d9721a", "#2e8b57", "#c23b3b", "#7a55a3", "#8c6239", "#3f9da8", "#b0478a")
INK, QUIET, GRID = "#222222", "#777777", "#e3e3e3"
WIDTH, HEIGHT = 4.4, 2.9  # inches
MOST_POINTS = 2000  # limit on the drawn points of a curve: see thinned()
FEW_POINTS = 40  # up to this number a curve has a mark at each point
MANY_DOTS = 1500  # above this number dots are drawn as a bitmap
MOST_CATEGORIES = 60

STYLE = {
    "svg.fonttype": "none", "text.parse_math": False, "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "sans-serif"], "font.size": 9.5,
    "axes.edgecolor": QUIET, "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": GRID, "axes.axisbelow": True,
    "legend.frameon": False, "legend.fontsize": 8.5, "lines.linewidth": 1.4, "figure.facecolor": "none",
    "axes.facecolor": "none", "axes.unicode_minus": True, "path.simplify": True,
}


def thinned(x, y):
    """At most about MOST_POINTS points of a curve: its ends, and the points with the smallest and the largest y in each
    of MOST_POINTS / 2 stretches, so that peaks stay visible."""
    if len(x) <= MOST_POINTS:
        return x, y
    keep = {0, len(x) - 1}
    stretches = MOST_POINTS // 2
    for k in range(stretches):
        start, end = k * len(x) // stretches, (k + 1) * len(x) // stretches
        finite = [i for i in range(start, end) if math.isfinite(y[i])]
        if finite:
            keep.add(min(finite, key=y.__getitem__))
            keep.add(max(finite, key=y.__getitem__))
        else:
            keep.add(start)
    order = sorted(keep)
    return [x[i] for i in order], [y[i] for i in order]


def scaled(values, factor):
    return [v * factor if usable(v) else math.nan for v in values]


def mark_decades(axis):
    """Sets tick marks of a logarithmic axis that are legible whether the axis spans a few percent or many decades."""
    low, high = axis.get_view_interval()
    if high < 4 * low:
        axis.set_major_locator(FixedLocator([v for v in MaxNLocator(5).tick_values(low, high) if low <= v <= high]))
    elif high < 100 * low:
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    else:
        axis.set_major_locator(LogLocator(numticks=6))
    axis.set_major_formatter(FuncFormatter(lambda v, _: number(float(f"{v:.6g}"), 3)))
    axis.set_minor_formatter(NullFormatter())


def draw_curves(figure, axes):
    x_scale, y_scale = figure.x.scale, figure.y.scale
    labels = False
    for curve in figure.curves:
        colour = PALETTE[curve.colour % len(PALETTE)]
        x = scaled(figure.values(curve.x or figure.x_column), x_scale)
        y = scaled(figure.values(curve.column), y_scale)
        options = {"color": colour, "label": curve.label or None}
        if curve.style == "dots":
            axes.plot(x, y, ".", markersize=5, alpha=0.55, markeredgewidth=0, rasterized=len(x) > MANY_DOTS, **options)
        else:
            x, y = thinned(x, y)
            options["linestyle"] = "--" if curve.style == "dashed" else "-"
            if curve.style == "steps":
                options["drawstyle"] = "steps-mid" if curve.x else "steps-post"
            if len(x) <= FEW_POINTS and curve.style != "steps" or len(x) == 1:
                options.update(marker="o", markersize=3.5)
            axes.plot(x, y, **options)
        labels = labels or bool(curve.label)
    for level in figure.levels:
        x = [level.from_x * x_scale, level.to_x * x_scale]
        y = [level.from_y * y_scale, level.to_y * y_scale]
        axes.plot(x, y, color=INK, linewidth=1.2, linestyle="--", label=level.label)
        if level.error:
            error = level.error * y_scale
            axes.fill_between(x, [v - error for v in y], [v + error for v in y], color=INK, alpha=0.18, linewidth=0)
        labels = True
    axes.margins(x=0.015)
    for axis, one, scale in ((figure.x, axes.xaxis, axes.set_xscale), (figure.y, axes.yaxis, axes.set_yscale)):
        if axis.logarithmic:
            scale("log")
            mark_decades(one)
        elif axis.whole:
            one.set_major_locator(MaxNLocator(integer=True))
        one.set_label_text(axis.label)
    return labels


def shortened(text, most=34):
    return text if len(text) <= most else text[:most - 1] + "…"


def draw_bars(figure, axes):
    names = figure.values(figure.x_column)[:MOST_CATEGORIES]
    values = scaled(figure.values(figure.curves[0].column)[:MOST_CATEGORIES], figure.x.scale)
    places = list(range(len(names)))
    axes.barh(places, values, color=PALETTE[figure.curves[0].colour], height=0.7)
    set_names(axes, places, names)
    axes.set_xlabel(figure.x.label)
    axes.set_xlim(left=0, right=1.1 * max([v for v in values if math.isfinite(v)] or [1]) or 1)
    if figure.x.whole:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return False


def draw_intervals(figure, axes):
    """For each name (first column) a dot at the middle value (second) and a bar from the low to the high value."""
    names, middle, low, high = (values[:MOST_CATEGORIES] for _, values in figure.columns[:4])
    places = list(range(len(names)))
    scale = figure.x.scale
    middle, low, high = scaled(middle, scale), scaled(low, scale), scaled(high, scale)
    axes.hlines(places, low, high, color=QUIET, linewidth=2.5)
    axes.plot(middle, places, "o", color=PALETTE[0], markersize=6)
    set_names(axes, places, names)
    axes.set_xlabel(figure.x.label)
    axes.margins(x=0.08)
    return False


def set_names(axes, places, names):
    axes.set_yticks(places, [shortened(str(name)) for name in names])
    axes.invert_yaxis()
    axes.set_ylim(len(places) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)


def draw_strips(figure, axes):
    """For each value of a parameter a strip of dots, one for each candidate with this value; marks the fastest."""
    names = figure.values(figure.x_column)
    values = scaled(figure.values(figure.curves[0].column), figure.y.scale)
    order = list(dict.fromkeys(sorted(names, key=strip_key)))
    place = {name: k for k, name in enumerate(order)}
    # Spread within the strip, because dots at the same x would hide each other.
    x = [place[name] + 0.5 * (math.fmod(0.618034 * k, 1) - 0.5) for k, name in enumerate(names)]
    axes.plot(x, values, ".", color=PALETTE[0], markersize=5, alpha=0.45, markeredgewidth=0,
              rasterized=len(x) > MANY_DOTS)
    first = [k for k, candidate in enumerate(figure.values("candidate")) if candidate == 0]
    axes.plot([x[k] for k in first], [values[k] for k in first], "D", color=PALETTE[2], markersize=5, label="untuned")
    least = [min(v for name, v in zip(names, values) if name == one) for one in order]
    axes.plot(range(len(order)), least, "_", color=PALETTE[3], markersize=14, markeredgewidth=2,
              label="fastest of each value")
    axes.set_yscale("log")
    mark_decades(axes.yaxis)
    long_names = max(map(len, order)) * len(order) > 36
    axes.set_xticks(range(len(order)), [shortened(name, 28) for name in order],
                    rotation=30 if long_names else 0, ha="right" if long_names else "center")
    axes.set_xlabel(figure.x.label)
    axes.set_ylabel(figure.y.label)
    axes.grid(axis="x", visible=False)
    axes.set_xlim(-0.6, len(order) - 0.4)
    return True


def strip_key(value):
    try:
        return (0, float(value), "")
    except ValueError:
        return (1, 0.0, value)


DRAW = {"curves": draw_curves, "bars": draw_bars, "intervals": draw_intervals, "strips": draw_strips}


def size_of(figure):
    if figure.kind in ("bars", "intervals"):
        return WIDTH, 0.8 + 0.24 * max(2, min(MOST_CATEGORIES, len(figure.values(figure.x_column))))
    return WIDTH, HEIGHT


def svg_of(figure):
    """The figure as an <svg> element with ids that do not clash with those of other figures of the page."""
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": figure.name}):
        canvas = Canvas(figsize=size_of(figure), layout="constrained")
        axes = canvas.subplots()
        labels = DRAW[figure.kind](figure, axes)
        if labels:
            handles, _ = axes.get_legend_handles_labels()
            longest = max(len(handle.get_label()) for handle in handles)
            above = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.2, "columnspacing": 1.2,
                     "handlelength": 1.5, "ncols": max(1, min(len(handles), 56 // (longest + 5)))}
            axes.legend(**above)
        text = io.StringIO()
        canvas.savefig(text, format="svg", dpi=160, metadata={"Date": None, "Creator": None})
    return embedded(text.getvalue(), figure)


def embedded(svg, figure):
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    # Ids of several figures would clash in the page: prefixes the ids that are referred to, and removes the others.
    used = set(re.findall(r'(?:xlink:href="#|url\(#)([^")]+)', svg))
    prefix = re.sub(r"[^A-Za-z0-9]", "-", figure.name)
    svg = re.sub(r' id="([^"]+)"', lambda m: f' id="{prefix}-{m[1]}"' if m[1] in used else "", svg)
    svg = re.sub(r'(xlink:href="#|url\(#)([^")]+)', lambda m: f"{m[1]}{prefix}-{m[2]}", svg)
    return re.sub(r'<svg ([^>]*?)width="[^"]*"', r'<svg role="img" \1', re.sub(r'(<svg [^>]*?) height="[^"]*"', r"\1",
                                                                              svg, count=1), count=1)
