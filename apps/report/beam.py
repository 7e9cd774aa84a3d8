"""Statistics of a bunch along the beam line."""
from __future__ import annotations

import math

from . import text
from .contents import Axis, Curve, Figure, Section, Table, usable

LENGTHS = ((1.0, "m"), (1e3, "mm"), (1e6, "µm"), (1e9, "nm"))


def length_unit(*columns):
    """(factor, unit) for columns of lengths in m: the largest unit in which the largest length is at least 0.1."""
    greatest = max((abs(v) for values in columns for v in values if usable(v)), default=0)
    return next(((f, unit) for f, unit in LENGTHS if greatest * f >= 0.1), LENGTHS[-1] if greatest else LENGTHS[1])


class Beam:
    def __init__(self, table, losses):
        self.table, self.losses = table, losses
        self.path = table.header("path")

    def columns(self, names):
        return [(self.table.header(n), self.table[n]) for n in ("step", "turn", "element", "name", "path", *names)
                if n in self.table]

    def figure(self, file, title, curves, y, length=True):
        """A list of one figure with a curve for each (column, label, colour) whose column is in the table; empty where
        there is no such column. `length`: the values are lengths in m; otherwise they are dimensionless and shown in
        thousandths."""
        curves = [c for c in curves if c[0] in self.table]
        if not curves:
            return []
        scale, unit = length_unit(*(self.table[c[0]] for c in curves)) if length else (1e3, "10⁻³")
        return [Figure(file, title, self.columns([c[0] for c in curves]), Axis("path / m"),
                       Axis(f"{y} / {unit}", scale), x_column=self.path,
                       curves=[Curve(self.table.header(c[0]), c[1], colour=c[2]) for c in curves])]

    def particles_figure(self):
        curves = [Curve(name, label, style="steps", colour=colour)
                  for name, label, colour in (("outside", "off the grid", 1), ("lost", "lost", 3))
                  if name in self.table]
        return [Figure("particles", "Particles lost", self.columns(["alive", "outside", "lost"]), Axis("path / m"),
                       Axis("particles", whole=True), x_column=self.path, curves=curves)] if curves else []

    def figures(self):
        def planes(name):
            return [(f"{name}_{p}", p, i) for i, p in enumerate("xy")]

        figures = self.figure("envelope", "Envelope", planes("deviation"), "rms size")
        figures += self.figure("emittance", "Normalised emittances", planes("normalised_emittance"), "rms emittance")
        figures += self.figure("emittance_z", "Normalised longitudinal emittance", [("normalised_emittance_z", "", 0)],
                               "rms emittance")
        figures += self.particles_figure()
        figures += self.losses_figure()
        figures += self.figure("extent", "Outermost particles",
                               [(f"{end}_{p}", p if end == "greatest" else "", i)
                                for i, p in enumerate("xy") for end in ("greatest", "least")], "least and greatest")
        figures += self.figure("centre", "Centre of the bunch", planes("mean"), "mean")
        figures += self.figure("length", "Length of the bunch", [("deviation_cdt", "", 0)], "rms c·dt")
        figures += self.figure("momentum", "Spread of the momentum", [("deviation_dpop", "", 0)], "rms Δp/p", False)
        figures += self.figure("optics", "Optical functions of the bunch",
                               [(f"beta_{p}", f"β {p}", i) for i, p in enumerate("xy")], "β")
        return figures

    def losses_by_element(self):
        """{name of the element: number of particles lost there}, in the order of the first loss."""
        found = {}
        if self.losses is not None:
            for name in self.losses["name"]:
                found[name] = found.get(name, 0) + self.losses.stride
        return found

    def losses_figure(self):
        found = self.losses_by_element()
        if not found:
            return []
        names = sorted(found, key=found.get, reverse=True)[:20]
        return [Figure("losses_by_element", "Where particles were lost",
                       [("element", names), ("lost", [found[n] for n in names])],
                       Axis("particles", whole=True), Axis(""), kind="bars", x_column="element",
                       curves=[Curve("lost", colour=3)])]

    def table_of_changes(self):
        rows = []
        for name, phrase in (
                ("alive", "particles alive"), ("lost", "particles lost"), ("deviation_x", "rms x"),
                ("deviation_y", "rms y"), ("deviation_cdt", "rms c·dt"), ("deviation_dpop", "rms Δp/p"),
                ("normalised_emittance_x", "normalised emittance x"),
                ("normalised_emittance_y", "normalised emittance y"),
                ("normalised_emittance_z", "normalised emittance z"), ("mean_x", "mean x"), ("mean_y", "mean y")):
            if name not in self.table:
                continue
            values = [v for v in self.table[name] if usable(v)]
            if not values:
                continue
            counts = name in ("alive", "lost")
            scale, unit = (1, "") if counts or name == "deviation_dpop" else length_unit(values)
            values = [int(v) for v in values] if counts else [v * scale for v in values]
            change = "" if name.startswith("mean") or counts else growth(values)
            rows.append([f"{phrase}{f' / {unit}' if unit else ''}", *map(text.number, (values[0], values[-1])), change,
                         *map(text.number, (min(values), max(values)))])
        return Table(["", "first", "last", "change", "least", "greatest"], rows, "Statistics of the bunch",
                     (1, 2, 3, 4, 5))

    def causes_table(self):
        causes = {}
        for cause in self.losses["cause"]:
            causes[cause] = causes.get(cause, 0) + self.losses.stride
        by_element = self.losses_by_element()
        return Table(["particles lost by", "particles"],
                     [[f"cause: {c}", text.number(n)] for c, n in causes.items()]
                     + [[f"element: {e}", text.number(n)] for e, n in by_element.items()][:20], "Losses", (1,))

    def notes(self):
        bad = {name: self.table.unusable(name) for name in self.table.names if name != "name"}
        worst = max(bad.values(), default=0)
        if worst == 0:
            return []
        names = [name for name, count in bad.items() if count]
        phrase = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
        return [f"{self.table.path.name}: {phrase} are not finite, or too large, in up to {worst} of {len(self.table)} "
                "rows; curves have gaps there."]

    def highlights(self):
        found = []
        for p in ("x", "y"):
            name = f"normalised_emittance_{p}"
            if name in self.table:
                values = [v for v in self.table[name] if usable(v)]
                if values:
                    scale, unit = length_unit(values)
                    found.append((f"emittance {p}", f"{text.number(scale * values[-1], 4)} {unit}",
                                  f"normalised, {growth(values)} since the start"))
        if "lost" in self.table and len(self.table):
            lost = self.table["lost"][-1]
            if usable(lost):
                found.append(("lost", text.number(int(lost)), "particles"))
        return found

    def section(self):
        section = Section("Beam")
        if not len(self.table):
            section.paragraphs.append(f"{self.table.path.name} has no complete row.")
            return section
        turns = self.table["turn"][-1] if "turn" in self.table else math.nan
        section.paragraphs.append(
            f"{text.number(len(self.table))} rows" + (f" over {text.number(int(turns))} turns" if turns > 1 else "")
            + f", path {text.number(self.table['path'][0])} to {text.number(self.table['path'][-1])} m. Moments are "
              "those of particles alive; emittances are rms.")
        section.figures = self.figures()
        section.tables.append(self.table_of_changes())
        if self.losses is not None and len(self.losses):
            section.tables.append(self.causes_table())
        section.numbers = {name: {"first": self.table[name][0], "last": self.table[name][-1]}
                           for name in self.table.names if name != "name"}
        return section


def growth(values):
    if values[0] == 0:
        return ""
    return f"{100 * (values[-1] / values[0] - 1):+.2f} %".replace("-", "−")
