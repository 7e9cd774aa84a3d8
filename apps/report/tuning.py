"""Sections about searches of `tessera tune`: from landscapes, from its output with --json, and from the tuning
database."""
from __future__ import annotations

import math
from dataclasses import dataclass, field

from . import text
from .contents import Axis, Curve, Figure, InputError, Section, Table, parameters_of, value_of

SCHEMA = "tessera.landscape/1"
UNTUNED = 0  # number of the candidate that runs without tuning
MOST_REJECTED = 100
UNMEASURED = ("unmeasured", "unknown")  # "unknown" in landscapes of earlier versions


@dataclass
class Candidate:
    implementation: str
    parameters: dict
    outcome: str
    reason: str = ""
    seconds: float = math.nan
    spread: float = math.nan
    prepare: float = math.nan
    steps: float = math.inf
    samples: int = 0
    evaluation: int = 0  # position in the order of measurement, from 1; 0: not measured

    def counts(self):
        return self.outcome == "measured"

    def text(self):
        return f"{self.implementation} {text.parameters(self.parameters)}".strip()

    def value(self, direction):
        if direction == "implementation":
            return self.implementation
        return text.value_text(self.parameters[direction]) if direction in self.parameters else ""


@dataclass
class Landscape:
    path: object
    data: dict
    candidates: list = field(default_factory=list)
    order: list = field(default_factory=list)
    compared: list = field(default_factory=list)  # tuples (number of a candidate, ratios to the untuned one)
    refused: list = field(default_factory=list)

    def counted(self):
        return [c for c in self.candidates if c.counts()]

    def best(self):
        return min(self.counted(), key=lambda c: c.seconds, default=None)

    def directions(self):
        names = {name for c in self.candidates for name in c.parameters}
        return ["implementation", *sorted(names)]


class Reader:
    """Access to the values of a file, with errors that name the file and the field."""

    def __init__(self, path, data):
        self.path, self.data = path, data

    def wrong(self, field_name, value, expected):
        return InputError(f"{self.path}: {field_name} = {str(value)[:60]!r}, expected {expected}")

    def get(self, field_name, kind, expected):
        value = self.data.get(field_name)
        if not isinstance(value, kind):
            raise self.wrong(field_name, value, expected)
        return value

    def number(self, value, field_name, least=-math.inf):
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not least <= value < math.inf:
            raise self.wrong(field_name, value, "a number" if least == -math.inf else f"a number from {least:g} on")
        return float(value)


def candidate_of(reader, implementation, names, row):
    try:
        values, result = row
        parameters = dict(zip(names, values, strict=True))
        outcome = result[0]
        if outcome != "measured":
            return Candidate(implementation, parameters, str(outcome), str(result[1]))
        steps = math.inf if result[4] is None else reader.number(result[4], "steps")
        return Candidate(implementation, parameters, "measured", "", reader.number(result[1], "seconds", 1e-300),
                         reader.number(result[2], "spread"), reader.number(result[3], "prepare"), steps,
                         int(reader.number(result[5], "samples")))
    except (TypeError, ValueError, IndexError, KeyError):
        raise reader.wrong("candidates", row, "values of parameters and a measurement") from None


def read_landscape(path, data):
    reader = Reader(path, data)
    for name in ("operation", "precision", "input", "device", "build", "date", "strategy"):
        reader.get(name, str, "a text")
    landscape = Landscape(path, data)
    for table in reader.get("candidates", list, "tables of candidates"):
        implementation = value_of(table, "implementation")
        names = parameters_of(table, list)
        rows = value_of(table, "rows", list)
        if implementation is None or rows is None:
            raise reader.wrong("candidates", table, "an implementation with rows")
        landscape.candidates += [candidate_of(reader, implementation, names, row) for row in rows]
    count = len(landscape.candidates)

    def candidate_number(value, name):
        if not isinstance(value, int) or not 0 <= value < count:
            raise reader.wrong(name, value, f"the number of a candidate, from 0 to {count - 1}")
        return value

    landscape.order = [candidate_number(v, "order") for v in reader.get("order", list, "numbers of candidates")]
    for place, number in enumerate(landscape.order, 1):
        landscape.candidates[number].evaluation = place
    for row in reader.get("compared", list, "candidates and ratios"):
        if not isinstance(row, list) or len(row) != 2 or not isinstance(row[1], list):
            raise reader.wrong("compared", row, "the number of a candidate and its ratios")
        landscape.compared.append((candidate_number(row[0], "compared"),
                                   [reader.number(v, "compared") for v in row[1]]))
    for row in data.get("refused") or []:
        if isinstance(row, list) and len(row) == 4:
            landscape.refused.append(row)
    return landscape


def quantile(values, share):
    """Quantile of order `share`, linearly interpolated between sorted values, like numpy.quantile."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def unit_of(seconds):
    return (1e6, "µs") if seconds < 1e-3 else (1e3, "ms")


def best_so_far_figure(landscape, prefix):
    best_seconds = landscape.best().seconds
    evaluations, speeds, best = [], [], []
    for place, number in enumerate(landscape.order, 1):
        c = landscape.candidates[number]
        evaluations.append(place)
        speeds.append(best_seconds / c.seconds if c.counts() else math.nan)
        best.append(max([*best[-1:], 0 if math.isnan(speeds[-1]) else speeds[-1]]))
    return Figure(f"{prefix}_best_so_far", "Best so far",
                  [("evaluation", evaluations), ("candidate", landscape.order), ("speed", speeds), ("best", best)],
                  Axis("evaluations"), Axis("speed over the fastest"), x_column="evaluation",
                  curves=[Curve("speed", "each candidate", style="dots"),
                          Curve("best", "best so far", style="steps", colour=3)])


def sort_key(value):
    try:
        return (0, float(value), "")
    except ValueError:
        return (1, 0.0, value)


def direction_figure(landscape, prefix, direction):
    """A figure of the times of all measured candidates, by the value of one parameter or by implementation."""
    counted = [(number, c) for number, c in enumerate(landscape.candidates) if c.counts() and c.value(direction)]
    values = sorted({c.value(direction) for _, c in counted}, key=sort_key)
    if len(values) < 2:
        return []
    columns = [(direction, [c.value(direction) for _, c in counted]), ("seconds", [c.seconds for _, c in counted]),
               ("spread", [c.spread for _, c in counted]), ("candidate", [number for number, _ in counted])]
    scale, unit = unit_of(landscape.best().seconds)
    return [Figure(f"{prefix}_{text.file_name(direction)}", direction, columns, Axis(direction),
                   Axis(f"time of a step / {unit}", scale, logarithmic=True), kind="strips", x_column=direction,
                   curves=[Curve("seconds")])]


def comparison(landscape, prefix):
    rows, labels, medians, lows, highs = [], [], [], [], []
    for number, ratios in landscape.compared:
        if not ratios:
            continue
        c = landscape.candidates[number]
        name = c.text() + (" (untuned)" if number == UNTUNED else "")
        median, low, high = (quantile(ratios, share) for share in (0.5, 0.25, 0.75))
        rows.append([f"{median:.4f}", f"{low:.4f} to {high:.4f}", str(len(ratios)), name])
        labels.append(f"{number}: {c.implementation}" + (" (untuned)" if number == UNTUNED else ""))
        medians.append(median)
        lows.append(low)
        highs.append(high)
    if not rows:
        return [], []
    table = Table(["median", "half of the rounds", "rounds", "candidate"], rows, "Comparison at the end", (0, 1, 2))
    figure = Figure(f"{prefix}_comparison", "Comparison at the end",
                    [("candidate", labels), ("median", medians), ("lower quartile", lows), ("upper quartile", highs)],
                    Axis("time over that of the untuned one"), Axis(""), kind="intervals", x_column="candidate",
                    curves=[Curve("median")],
                    caption="Median of the rounds, and the range of half of them. The untuned one against itself is "
                            "the noise.")
    return [table], [figure]


def all_candidates(landscape):
    """Columns with all candidates that were tried and their measurements, for the data file of the section."""
    directions = landscape.directions()[1:]
    known = [(n, c) for n, c in enumerate(landscape.candidates) if c.outcome not in UNMEASURED]
    return [("candidate", [n for n, _ in known]), ("evaluation", [c.evaluation for _, c in known]),
            ("implementation", [c.implementation for _, c in known]),
            *((d, [c.value(d) for _, c in known]) for d in directions),
            ("outcome", [c.outcome for _, c in known]), ("seconds", [c.seconds for _, c in known]),
            ("spread", [c.spread for _, c in known]), ("prepare", [c.prepare for _, c in known]),
            ("steps", [c.steps for _, c in known]), ("samples", [c.samples for _, c in known])]


def landscape_section(landscape, prefix):
    data = landscape.data
    section = Section(f"{data['operation']} in {data['precision']}, {data['input']}")
    known = sum(c.outcome not in UNMEASURED for c in landscape.candidates)
    rejected = known - len(landscape.counted())
    section.facts = [("device", data["device"]), ("build", data["build"]), ("date", data["date"]),
                     ("strategy", data["strategy"]),
                     ("candidates", f"{known} of {len(landscape.candidates)} measured, {rejected} rejected")]
    section.data.append((f"{prefix}_candidates", all_candidates(landscape)))
    best = landscape.best()
    if best is not None:
        rows = []
        for name, c in (("untuned", landscape.candidates[UNTUNED]), ("fastest measured", best)):
            if c.counts():
                rows.append([name, f"{text.seconds(c.seconds)} ± {50 * c.spread:.1f} %", c.implementation,
                             text.parameters(c.parameters)])
        section.tables.append(Table(["", "time of a step", "implementation", "parameters"], rows, leads=True))
        if landscape.order:
            section.figures.append(best_so_far_figure(landscape, prefix))
        for direction in landscape.directions():
            section.figures += direction_figure(landscape, prefix, direction)
        tables, figures = comparison(landscape, prefix)
        section.tables += tables
        section.figures += figures
        section.numbers = {"best_seconds": best.seconds, "best": best.text(), "measured": known, "rejected": rejected}
    else:
        section.paragraphs.append("No candidate was measured.")
    if landscape.refused:
        section.tables.append(Table(["implementation", "candidates", "reason"],
                                    [[str(r[0]), f"{r[2]} of {r[3]}", str(r[1])] for r in landscape.refused],
                                    "Candidates that cannot run this problem"))
    bad = [[c.outcome, c.text(), c.reason] for c in landscape.candidates if c.outcome not in ("measured", *UNMEASURED)]
    if bad:
        section.tables.append(Table(["outcome", "candidate", "reason"], bad[:MOST_REJECTED], "Rejected candidates"))
    if len(bad) > MOST_REJECTED:
        section.paragraphs.append(f"{len(bad) - MOST_REJECTED} more rejected candidates are in the data.")
    return section


def gains_section(title, rows, name):
    """A section with the gains. A row is a tuple (label, implementation, parameters, gain, low end and high end of its
    interval or None, remark)."""
    section = Section(title)
    section.tables.append(Table(
        ["problem", "implementation", "parameters", "gain", "between", ""],
        [[r[0], r[1], r[2], text.number(r[3], 4), "" if r[4] is None else f"{r[4]:.3f} to {r[5]:.3f}", r[6]]
         for r in rows], numeric=(3, 4)))
    section.figures.append(Figure(
        name, "Gains", [("problem", [r[0] for r in rows]), ("gain", [r[3] for r in rows]),
                        ("lower end", [r[3] if r[4] is None else r[4] for r in rows]),
                        ("upper end", [r[3] if r[5] is None else r[5] for r in rows])],
        Axis("speed over untuned"), Axis(""), kind="intervals", x_column="problem", curves=[Curve("gain")],
        caption="The interval of the gain, where the record has one. 1 is as fast as untuned."))
    return section


def interval_of(value):
    if isinstance(value, list) and len(value) == 2 and all(isinstance(v, (int, float)) for v in value):
        return value
    return [None, None]


def database_section(path, data):
    rows, left_out = [], 0
    for record in data["records"]:
        best = value_of(record, "best", list, [])
        winner = best[0] if best else {}
        seconds, untuned = value_of(winner, "seconds", float), value_of(record, ("untuned", "seconds"), float)
        if not seconds or not untuned:
            left_out += 1
            continue
        low, high = interval_of(value_of(winner, "gains", list))
        remark = "untuned stays" if value_of(record, "kept_default", bool) else value_of(record, "ignored", default="")
        rows.append((f"{value_of(record, 'operation', default='?')} {value_of(record, 'precision', default='')}, "
                     f"{value_of(record, 'input', default='')}", value_of(winner, "implementation", default=""),
                     text.parameters(parameters_of(winner)), untuned / seconds, low, high, remark))
    section = gains_section(f"Tuning database {path.name}", rows, "gains") if rows else Section(
        f"Tuning database {path.name}", paragraphs=["It has no records."])
    if left_out:
        section.paragraphs.append(f"{left_out} records without times are left out.")
    return section


def results_section(path, data):
    """The section about the parsed output of `tessera tune --json`."""
    rows = []
    for one in data:
        low, high = interval_of(value_of(one, "gain_interval", list))
        gain = value_of(one, "gain", float)
        if gain is None:
            raise InputError(f"{path}: gain = {one.get('gain')!r}, expected a number")
        rows.append((f"{value_of(one, 'operation', default='?')} {value_of(one, 'precision', default='')}, "
                     f"{value_of(one, 'input', default='')}", value_of(one, "implementation", default=""),
                     text.parameters(parameters_of(one)), gain, low, high,
                     value_of(one, "reason", default="") or ("untuned stays" if one.get("kept_default") else "")))
    return gains_section("Searches", rows, "gains")
