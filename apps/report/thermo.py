"""Thermodynamic output: curves, averages with errors, and the drift of the energy."""
from __future__ import annotations

import math
from dataclasses import dataclass

from . import averages, text
from .contents import Axis, Curve, Figure, Level, Section, Table, usable

# Columns that other_figures() leaves out, because they have figures of their own or none.
MAIN = {"step", "time", "temperature", "potential_energy", "kinetic_energy", "total_energy", "pressure",
        "conserved_energy", "momentum_x", "momentum_y", "momentum_z"}
MOST_CURVES = 8


@dataclass
class Drift:
    """The straight line fitted to an energy as a function of the step."""
    quantity: str
    first_step: float
    last_step: float
    slope: float  # energy per step
    start: float  # energy of the line at first_step
    relative: float | None  # change from first to last step, divided by the mean energy; None: mean 0
    rms: float


def finite_pairs(x, y):
    pairs = [(a, b) for a, b in zip(x, y) if usable(a) and usable(b)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def drift_of(quantity, steps, energies):
    steps, energies = finite_pairs(steps, energies)
    line = averages.line(steps, energies)
    if line is None:
        return None
    mean = math.fsum(energies) / len(energies)
    change = line.slope * (steps[-1] - steps[0])
    return Drift(quantity, steps[0], steps[-1], line.slope, line.intercept + line.slope * steps[0],
                 change / abs(mean) if mean else None, line.rms)


def first_averaged_row(steps, from_step):
    """Index of the first row that averages include: the first at from_step or, by default, at the middle of the run."""
    if from_step is None:
        if len(steps) < 3:
            return 0
        from_step = 0.5 * (steps[0] + steps[-1])
    return next((row for row, step in enumerate(steps) if step >= from_step), len(steps))


def conserved(table):
    """Name of the column with the energy that only errors of the integration change."""
    return "conserved_energy" if "conserved_energy" in table else "total_energy"


def averaged_names(table):
    left_out = {"step", "time", "momentum_x", "momentum_y", "momentum_z"}
    return [name for name in table.names if name not in left_out and not name.startswith("pressure_")]


def words(name):
    return name.replace("_", " ")


class Thermo:
    def __init__(self, table, atoms, from_step):
        self.table = table
        self.atoms = atoms
        self.steps = list(table["step"])
        self.first = first_averaged_row(self.steps, from_step)
        self.averages = {}
        for name in averaged_names(table):
            values = [v for v in table[name][self.first:] if usable(v)]
            if values:
                self.averages[name] = averages.average(values)
        quantity = conserved(table)
        self.drifts = [] if quantity not in table else [
            drift for drift in (drift_of(quantity, self.steps[self.first:], table[quantity][self.first:]),
                                drift_of(quantity, self.steps, table[quantity])) if drift]

    def unit(self, name):
        return text.pretty(self.table.units[name])

    def valued(self, name, a):
        """Text of an average with its error and unit."""
        return f"{text.with_error(a.mean, a.error)} {self.unit(name)}".rstrip()

    @staticmethod
    def remark(a, changes):
        return ", ".join(["error is a lower bound"] * a.at_least + ["still changes"] * changes)

    def averages_table(self):
        rows = []
        for name, a in self.averages.items():
            changes = averages.still_changes([v for v in self.table[name][self.first:] if usable(v)])
            rows.append([words(name), self.valued(name, a),
                         text.number(a.mean / self.atoms, 6) if self.atoms and "energy" in name else "",
                         text.number(a.deviation, 3), "–" if a.independent is None else text.number(a.independent, 3),
                         self.remark(a, changes)])
        titles = ["", "average", "per atom", "deviation", "independent rows", ""]
        if not self.atoms:
            for row in [titles, *rows]:
                del row[2]
        if not any(row[-1] for row in rows):
            for row in [titles, *rows]:
                del row[-1]
        return Table(titles, rows, "Averages", tuple(range(1, 5)))

    def drift_table(self):
        rows = []
        for drift in self.drifts:
            unit = self.unit(drift.quantity)
            rows.append([f"{text.number(int(drift.first_step))} to {text.number(int(drift.last_step))}",
                         f"{text.number(drift.slope, 3)} {unit}", text.number(drift.relative, 3),
                         f"{text.number(drift.rms, 3)} {unit}"])
        name = words(self.drifts[0].quantity)
        return Table(["steps", "drift per step", "relative change", "rms distance from the line"], rows,
                     f"Drift of the {name}", (1, 2, 3))

    def column(self, name):
        return self.table.header(name), self.table[name]

    def x(self):
        return "time" if "time" in self.table else "step"

    def x_axis(self):
        return Axis(text.label(self.x(), self.table.units[self.x()]))

    def figure(self, name, title, names, y_label, scale=1.0, levels=(), caption="", labels=None):
        x = self.x()
        columns = [self.column(n) for n in dict.fromkeys(["step", x, *names])]
        unit = self.table.units[names[0]]
        curves = [Curve(self.table.header(n), (labels or {}).get(n, words(n)) if len(names) > 1 else "", colour=i)
                  for i, n in enumerate(names)]
        return Figure(name, title, columns, self.x_axis(), Axis(text.label(y_label, unit), scale),
                      x_column=self.table.header(x), curves=curves, levels=list(levels), caption=caption)

    def window(self):
        x = self.table[self.x()]
        return (x[self.first], x[-1]) if self.first < len(x) else None

    def mean_level(self, name):
        a, window = self.averages.get(name), self.window()
        if a is None or window is None:
            return []
        return [Level(*window, a.mean, a.mean, f"average {text.with_error(a.mean, a.error)}", a.error or 0)]

    def energies_figure(self):
        names = [n for n in ("potential_energy", "kinetic_energy", "total_energy") if n in self.table]
        if not names:
            return []
        short = {n: n.removesuffix("_energy") for n in names}
        return [self.figure("energies", "Energies", names, "energy per atom" if self.atoms else "energy",
                            1 / self.atoms if self.atoms else 1, labels=short,
                            caption="The data are of the whole system." if self.atoms else "")]

    def drift_figure(self):
        name = conserved(self.table)
        if name not in self.table:
            return []
        levels, caption = [], ""
        if self.drifts:
            drift, window = self.drifts[0], self.window()
            end = drift.start + drift.slope * (drift.last_step - drift.first_step)
            if window and drift.first_step == self.steps[self.first]:
                levels.append(Level(*window, drift.start, end, "straight line"))
            caption = (f"Drift {text.number(drift.slope, 3)} {self.unit(name)} per step, "
                       f"{text.number(drift.relative, 3)} of the energy over these steps.")
        return [self.figure("conservation", words(name).capitalize(), [name], words(name), levels=levels,
                            caption=caption)]

    def other_figures(self):
        """Figures of all other columns, such as energies of terms and groups. Columns of one unit share figures."""
        by_unit = {}
        for name in self.table.names:
            if name not in MAIN and not name.startswith("pressure_"):
                by_unit.setdefault(self.table.units[name], []).append(name)
        figures = []
        for names in by_unit.values():
            for start in range(0, len(names), MOST_CURVES):
                some = names[start:start + MOST_CURVES]
                all_energies = all(n.startswith("energy_") for n in some)
                label = "energy" if all_energies else (words(some[0]) if len(some) == 1 else "value")
                title = "Energies of terms and groups" if all_energies else ", ".join(map(words, some)).capitalize()
                figures.append(self.figure(f"columns_{len(figures) + 1}", title, some, label,
                                           labels={n: words(n.removeprefix("energy_")) for n in some}))
        return figures

    def figures(self):
        figures = self.energies_figure() + self.drift_figure()
        for name in ("temperature", "pressure"):
            if name in self.table:
                a = self.averages.get(name)
                caption = "" if a is None else f"Average {self.valued(name, a)}."
                figures.append(self.figure(name, name.capitalize(), [name], name, levels=self.mean_level(name),
                                           caption=caption))
        return figures + self.other_figures()

    def notes(self):
        notes = []
        for name in self.table.names:
            if bad := self.table.unusable(name):
                notes.append(f"{self.table.path.name}: {words(name)} is not finite, or too large, in {bad} of "
                             f"{len(self.table)} rows; averages and figures leave these out.")
        return notes

    def about(self):
        rows = len(self.table) - self.first
        if rows <= 0:
            return "No row lies in the steps that are averaged."
        phrase = (f"Averages are over {rows} {'row' if rows == 1 else 'rows'} from step "
                f"{text.number(int(self.steps[self.first]))} on. ")
        if rows < averages.FEWEST_VALUES:
            return phrase + f"Errors need {averages.FEWEST_VALUES} rows."
        phrase += ("Errors are standard errors from block averages, with blocks so long that they are not correlated; "
                 "the deviation is that of single rows.")
        if any(a.at_least for a in self.averages.values()):
            phrase += " An error is a lower bound where the rows are too few to see how long they are correlated."
        return phrase

    def numbers(self):
        return {"rows": len(self.table), "averaged_rows": len(self.table) - self.first,
                "averages": {name: {"mean": a.mean, "error": a.error, "error_is_lower_bound": a.at_least,
                                    "deviation": a.deviation, "independent_rows": a.independent,
                                    "unit": self.table.units[name]} for name, a in self.averages.items()},
                "drifts": [{"quantity": d.quantity, "first_step": d.first_step, "last_step": d.last_step,
                            "per_step": d.slope, "relative": d.relative, "rms": d.rms} for d in self.drifts]}

    def highlights(self):
        found = []
        for name in ("temperature", "pressure"):
            if (a := self.averages.get(name)) is not None:
                found.append((name, self.valued(name, a), "average" + ", error is a lower bound" * a.at_least))
        if self.drifts:
            drift = self.drifts[0]
            found.append(("energy drift", text.number(drift.relative, 2),
                          f"relative, over steps {text.number(int(drift.first_step))} to "
                          f"{text.number(int(drift.last_step))}"))
        return found

    def section(self):
        section = Section("Thermodynamics", numbers=self.numbers())
        if not self.steps:
            section.paragraphs.append(f"{self.table.path.name} has no complete row.")
            return section
        section.paragraphs.append(self.about())
        section.figures = self.figures()
        if self.averages:
            section.tables.append(self.averages_table())
        if self.drifts:
            section.tables.append(self.drift_table())
        return section
