"""Timings of `tessera bench --json`."""
from __future__ import annotations

import math

from . import text
from .contents import Axis, Curve, Figure, InputError, Section, Table, value_of

SCHEMA = "tessera.bench/1"
NUMBERS = ("seconds", "seconds_shortest", "seconds_longest", "items_per_second")


def rows_of(path, data):
    rows = value_of(data, "results", list)
    if rows is None:
        raise InputError(f"{path}: results: expected a list of timings")
    for number, row in enumerate(rows):
        for name in ("operation", "implementation", "precision", "input"):
            if value_of(row, name) is None:
                raise InputError(f"{path}: results[{number}].{name}: expected a text")
        for name in NUMBERS:
            if (value_of(row, name, float) or 0) <= 0:
                raise InputError(f"{path}: results[{number}].{name}: expected a number greater than 0")
        if value_of(row, "size", int) is None:
            raise InputError(f"{path}: results[{number}].size: expected a whole number")
    return rows


def percent(row, name):
    share = value_of(row, name, float)
    return "" if share is None else f"{100 * share:.1f}"


def results_table(rows):
    return Table(
        ["implementation", "precision", "input", "size", "time", "±", "prepare", "plan MB", "items/s", "GB/s",
         "% of copy", "Gflop/s", "% of peak", ""],
        [[r["implementation"], r["precision"], r["input"], text.number(r["size"]), text.seconds(r["seconds"]),
          f"{50 * (r['seconds_longest'] - r['seconds_shortest']) / r['seconds']:.1f} %",
          text.seconds(value_of(r, "prepare_seconds", float, 0.0)),
          f"{1e-6 * value_of(r, 'memory_bytes', float, 0.0):.2f}", text.rate(r["items_per_second"]),
          f"{1e-9 * value_of(r, 'bytes_per_second', float, 0.0):.2f}", percent(r, "memory_fraction"),
          f"{1e-9 * value_of(r, 'flops_per_second', float, 0.0):.2f}", percent(r, "arithmetic_fraction"),
          "in cache" if value_of(r, "in_cache", bool) else ""] for r in rows], numeric=tuple(range(3, 13)))


def groups(rows, *names):
    found = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return found


def sizes_figure(name, title, rows):
    """A figure of the speed as a function of the size, with a curve for each implementation."""
    columns, curves = [], []
    for colour, ((implementation,), some) in enumerate(groups(rows, "implementation").items()):
        some = sorted(some, key=lambda r: r["size"])
        x, y = f"size, {implementation}", f"items/s, {implementation}"
        columns += [(x, [r["size"] for r in some]), (y, [r["items_per_second"] for r in some])]
        curves.append(Curve(y, implementation, x=x, colour=colour))
    item = value_of(rows[0], "item", default="items")
    return Figure(name, title, columns, Axis("size", logarithmic=True), Axis(f"{item}/s", logarithmic=True),
                  x_column=columns[0][0], curves=curves)


def bars_figure(name, title, rows):
    item = value_of(rows[0], "item", default="items")
    rows = sorted(rows, key=lambda r: r["items_per_second"], reverse=True)
    return Figure(name, title, [("implementation", [r["implementation"] for r in rows]),
                                ("items per second", [r["items_per_second"] for r in rows]),
                                ("slowest sample", [r["items_per_second"] * r["seconds"] / r["seconds_longest"]
                                                    for r in rows]),
                                ("fastest sample", [r["items_per_second"] * r["seconds"] / r["seconds_shortest"]
                                                    for r in rows])],
                  Axis(f"million {item}/s", 1e-6), Axis(""), kind="intervals", x_column="implementation",
                  curves=[Curve("items per second")])


def limits_table(data):
    rows = []
    for backend, limit in value_of(data, "limits", dict, {}).items():
        def giga(name, limit=limit):
            value = value_of(limit, name, float)
            return "" if value is None else f"{1e-9 * value:.1f}"
        rows.append([backend, giga("copy_bytes_per_second"), giga("flops_double_per_second"),
                     giga("flops_single_per_second")])
    return [Table(["backend", "copy GB/s", "double Gflop/s", "float Gflop/s"], rows,
                  "What the devices reach at best", (1, 2, 3), leads=True)] if rows else []


def bench_sections(path, data):
    rows = rows_of(path, data)
    sections = []
    head = Section(f"Timings in {path.name}")
    head.facts = [(name.replace("_", " "), str(data[name])) for name in ("version", "commit", "build_type")
                  if data.get(name)]
    head.tables = limits_table(data)
    head.paragraphs = ["Times are medians of samples; shares of copy and peak are of what the device reached beside "
                       "them. Bytes and operations are the least that the work needs."]
    if value_of(data, "build_type", default="Release") != "Release":
        head.paragraphs.append(f"This is a {data['build_type']} build: its times mean little.")
    sections.append(head)
    for (operation,), of_operation in groups(rows, "operation").items():
        section = Section(operation)
        section.tables.append(results_table(of_operation))
        for (precision, input_name), some in groups(of_operation, "precision", "input").items():
            sizes = {row["size"] for row in some}
            title = f"{input_name}, {precision}"
            name = text.file_name(f"{operation}_{precision}_{input_name}".replace("/", "_"))
            if len(sizes) > 1:
                section.figures.append(sizes_figure(name, title, some))
            else:
                section.figures.append(bars_figure(name, f"{title}, size {text.number(some[0]['size'])}", some))
        section.numbers = {"fastest_seconds": min((r["seconds"] for r in of_operation), default=math.nan)}
        sections.append(section)
    if not rows:
        head.paragraphs.append("There are no timings.")
    return sections
