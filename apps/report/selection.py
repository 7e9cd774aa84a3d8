"""The part of a page about implementations: which one ran each operation and why, its time, the device, the build."""
from __future__ import annotations

from . import text
from .contents import Axis, Curve, Figure, Section, Table, parameters_of, value_of

REASONS = {
    "default": "the first in the default order that can run here",
    "configured": "chosen when this build was configured (TESSERA_SELECT)",
    "tuned": "the fastest that was measured",
    "tool": "a tuning tool in the process set parameters",
    "restart": "ran before the restart file was written",
    "pin": "named by the pin file",
    "user": "chosen in the case or on the command line",
}


def selection_section(summary):
    section = Section("Selection")
    choices = value_of(summary, "choices", dict, {})
    rows = []
    for operation, choice in choices.items():
        source = value_of(choice, "source", default="unknown")
        reason = REASONS.get(source, source)
        if evidence := value_of(choice, ("tuning", "text")):
            reason += f": {evidence}"
        if advised := value_of(choice, "advised", dict):
            reason += f"; a tuning tool set {text.parameters(advised)}"
        rows.append([operation, value_of(choice, "implementation", default=""), source, reason,
                     text.parameters(parameters_of(choice)) or "defaults"])
    if rows:
        section.tables.append(Table(["operation", "implementation", "chosen by", "why", "parameters"], rows))
        section.numbers = {"choices": choices}
    return section


def timing_rows(summary):
    """(rows, seconds of the run). A row is a tuple (operation, implementation, calls, seconds); the last row is the
    rest of the run."""
    rows = []
    for timing in value_of(summary, "timings", list, []):
        seconds = value_of(timing, "seconds", float)
        if seconds is not None:
            rows.append((value_of(timing, "operation", default=""), value_of(timing, "implementation", default=""),
                         value_of(timing, "calls", int, 0), seconds))
    total = value_of(summary, "seconds", float)
    if rows and total:
        rows.append(("output and the rest", "", 0, max(0.0, total - sum(row[3] for row in rows))))
    return rows, total


def timings_section(summary):
    section = Section("Time by operation")
    rows, total = timing_rows(summary)
    if not rows or not total:
        return section
    columns = [("operation", [r[0] for r in rows]), ("implementation", [r[1] for r in rows]),
               ("calls", [r[2] for r in rows]),
               ("seconds", [r[3] for r in rows])]
    section.figures.append(Figure("timings", "Time by operation", columns, Axis("time / s"), Axis(""), kind="bars",
                                  x_column="operation", curves=[Curve("seconds")]))
    section.tables.append(Table(
        ["operation", "implementation", "calls", "time of a call", "share of the run"],
        [[r[0], r[1], text.number(r[2]) if r[2] else "", text.seconds(r[3] / r[2]) if r[2] else "",
          f"{100 * r[3] / total:.1f} %"] for r in rows], numeric=(2, 3, 4)))
    section.paragraphs.append(f"{text.seconds(total)} in all, output included. On a GPU only a part of the steps is "
                              "timed, unless the run has --exact-timings.")
    return section


def box_text(box, unit):
    length = value_of(box, "length", list)
    if not length or not all(isinstance(v, (int, float)) for v in length):
        return None
    phrase = " × ".join(text.number(v) for v in length) + f" {text.pretty(unit)}".rstrip()
    tilt = value_of(box, "tilt", list, [])
    if any(isinstance(v, (int, float)) and v != 0 for v in tilt):
        phrase += ", tilts " + ", ".join(map(text.number, tilt))
    periodic = value_of(box, "periodic", list, [])
    along = "".join(axis for axis, is_periodic in zip("xyz", periodic) if is_periodic)
    return f"{phrase}, " + (f"periodic in {along}" if along else "open")


def facts_of_run(run):
    """Tuples (name, text) with facts about the case, the system and the device."""
    s = run.summary
    facts = []

    def add(name, value):
        if value not in (None, ""):
            facts.append((name, str(value)))

    add("case file", value_of(s, "case"))
    steps, first = value_of(s, "steps", int), value_of(s, "first_step", int, 0)
    if steps is not None:
        add("steps", f"{text.number(steps)}" + (f", from step {text.number(first)} on" if first else ""))
    unit = value_of(s, ("units", "length"), default="")
    if (step := value_of(s, "time_step", float)) is not None:
        add("time step", f"{text.number(step)} {text.pretty(value_of(s, ('units', 'time'), default=''))}")
    if (atoms := value_of(s, "atoms", int)) is not None:
        add("atoms", text.number(atoms))
    types = [f"{value_of(t, 'name', default='?')}: {text.number(value_of(t, 'atoms', int, 0))}"
             for t in value_of(s, "types", list, [])]
    if len(types) > 1:
        add("types", ", ".join(types))
    add("box", box_text(value_of(s, "box", dict, {}), unit))
    if (particles := value_of(s, "particles", int)) is not None:
        add("macro-particles", text.number(particles))
    if (gamma := value_of(s, ("reference", "gamma"), float)) is not None:
        add("reference particle", f"γ = {text.number(gamma, 6)}, "
                                  f"β = {text.number(value_of(s, ('reference', 'beta'), float), 6)}")
    if (length := value_of(s, ("lattice", "length"), float)) is not None:
        add("lattice", f"{text.number(length)} m, {value_of(s, ('lattice', 'elements'), int)} elements")
    if (kicks := value_of(s, ("space_charge", "kicks"), int)) is not None:
        nodes = value_of(s, ("space_charge", "nodes"), list, [])
        add("space charge", f"{text.number(kicks)} kicks, {' × '.join(map(str, nodes))} nodes")
    add("precision", value_of(s, "precision"))
    device = value_of(s, ("device", "name"))
    if device:
        threads = value_of(s, ("device", "concurrency"), int)
        host = value_of(s, ("device", "memory")) == "host"
        add("device", device + (f", {threads} threads" if host and threads else ""))
    add("backend", value_of(s, "backend"))
    if (seconds := value_of(s, "seconds", float)) is not None:
        add("wall time of the steps", text.seconds(seconds))
    for name, phrase in (("atom_steps_per_second", "atom-steps/s"), ("particle_steps_per_second", "particle-steps/s")):
        if rate := value_of(s, name, float):
            add("speed", f"{text.rate(rate)} {phrase}")
    if (rebuilds := value_of(s, ("neighbors", "rebuilds"), int)) is not None:
        add("neighbor lists", f"{text.number(rebuilds)} rebuilds, skin "
                              f"{text.number(value_of(s, ('neighbors', 'skin'), float))} {text.pretty(unit)}, "
                              f"{text.number(value_of(s, ('neighbors', 'per_atom'), float), 4)} neighbors of an atom")
    add("written by", value_of(run.record, "writer"))
    return facts


def build_section(summary):
    section = Section("Build")
    for name, value in value_of(summary, "fingerprint", dict, {}).items():
        if value not in ("", None):
            section.facts.append((name.replace("_", " "), str(value)))
    return section


def case_section(record):
    section = Section("Case")
    if case := value_of(record, "case"):
        section.text, section.text_title = case, "The case as run, with all defaults"
    return section
