#!/usr/bin/env python3
"""Computes optical functions and phase advance of the channel: analyse.py [MATCHED MISMATCHED] [--picture FILE]"""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import comparison  # noqa: E402
import outputs  # noqa: E402
from outputs import Measured  # noqa: E402

RUNS = ["fodo.out", "mismatched.out"]  # the folders that the commands of README.md write
QUADRUPOLE, DRIFT, K1, PARTS = 0.2, 0.8, 5.0, 8  # m, m, 1/m^2, steps per element
CELL = 2 * (QUADRUPOLE + DRIFT)
STEPS = 5 * PARTS  # per cell


def product(left, right):
    (a, b), (c, d) = left
    (e, f), (g, h) = right
    return (a * e + b * g, a * f + b * h), (c * e + d * g, c * f + d * h)


def drift(length):
    return (1.0, length), (0.0, 1.0)


def quadrupole(k, length):
    """Returns the transfer matrix in one plane, in which the quadrupole focuses for k > 0."""
    root = math.sqrt(abs(k))
    if k > 0:
        c, s = math.cos(root * length), math.sin(root * length)
        return (c, s / root), (-root * s, c)
    c, s = math.cosh(root * length), math.sinh(root * length)
    return (c, s / root), (root * s, c)


def parts(plane):
    """Returns the transfer matrices of the steps of a cell."""
    k = K1 if plane == "x" else -K1
    half, space = [quadrupole(k, QUADRUPOLE / 2 / PARTS)] * PARTS, [drift(DRIFT / PARTS)] * PARTS
    return half + space + [quadrupole(-k, QUADRUPOLE / PARTS)] * PARTS + space + half


def cell(plane):
    whole = drift(0.0)
    for part in parts(plane):
        whole = product(part, whole)
    return whole


def periodic(plane):
    """Returns the phase advance of a cell in radians, and the periodic beta and alpha at its start."""
    (a, b), (c, d) = cell(plane)
    advance = math.acos((a + d) / 2)
    return advance, b / math.sin(advance), (a - d) / (2 * math.sin(advance))


def transported(beta, alpha, maps):
    """Returns beta at the start and after each of the maps."""
    gamma, found = (1 + alpha * alpha) / beta, [beta]
    for (a, b), (c, d) in maps:
        beta, alpha, gamma = (a * a * beta - 2 * a * b * alpha + b * b * gamma,
                              -a * c * beta + (a * d + b * c) * alpha - b * d * gamma,
                              c * c * beta - 2 * c * d * alpha + d * d * gamma)
        found.append(beta)
    return found


def statistics(folder):
    return outputs.table(folder / "statistics.csv")


def each_cell(values):
    return values[::STEPS]


def centroid_advance(x):
    """Returns the phase advance per cell in degrees, for x[n] = cos(n advance + start) after n cells: a least-squares
    fit of x[n-1] + x[n+1] = 2 cos(advance) x[n]."""
    sums = sum(x[i] * (x[i - 1] + x[i + 1]) for i in range(1, len(x) - 1))
    return math.degrees(math.acos(sums / (2 * sum(v * v for v in x[1:-1]))))


def measure(matched, mismatched):
    run, figures = statistics(matched), {}
    for plane in "xy":
        advance, beta, _ = periodic(plane)
        betas = each_cell(run[f"beta_{plane}"])
        figures[f"beta_{plane} at the start of a cell"] = Measured(sum(betas) / len(betas))
        figures[f"change of beta_{plane} from cell to cell"] = Measured(max(abs(b / betas[0] - 1) for b in betas))
    figures["phase advance in x"] = Measured(centroid_advance(each_cell(run["mean_x"])))
    figures["growth of the emittance"] = Measured(run["emittance_x"][-1] / run["emittance_x"][0] - 1)
    run = statistics(mismatched)
    for plane in "xy":
        betas = run[f"beta_{plane}"]
        expected = transported(betas[0], run[f"alpha_{plane}"][0], parts(plane) * (len(betas) // STEPS))
        off = max(abs(b / e - 1) for b, e in zip(betas, expected))
        figures[f"mismatched: beta_{plane} off its law"] = Measured(off)
    return figures


def magnets(axes, top):
    for n in range(5):
        height = (0.05 if n % 2 == 0 else -0.05) * top
        axes.bar(n * CELL / 2, height, width=QUADRUPOLE, bottom=0.06 * top, color="#b5b5b5")


def picture(folders, file):
    import plots
    matched, mismatched = map(statistics, folders)
    figure, (left, middle, right) = plots.panels(3, 10.6, 3.5)

    shown = 2 * STEPS + 1
    for plane, colour in (("x", plots.RUN), ("y", plots.SECOND)):
        _, beta, alpha = periodic(plane)
        path = [0.0] + [p for p in matched["path"][1:shown]]
        left.plot(path, transported(beta, alpha, parts(plane) * 2), "--", color=plots.REFERENCE, lw=0.9,
                  label="Courant-Snyder" if plane == "x" else None)
        left.plot(path[::2], matched[f"beta_{plane}"][:shown:2], "o", ms=3.5, color=colour, label=f"this run, {plane}")
    magnets(left, 4.2)
    left.set(title="matched beam, two cells", xlabel="path / m", ylabel="beta function / m", xlim=(0, 2 * CELL),
             ylim=(0, 4.7))
    left.legend(loc="upper center", ncols=3, columnspacing=0.8, handletextpad=0.4)

    cells = list(range(25))
    _, beta, _ = periodic("x")
    middle.plot(cells, each_cell(matched["beta_x"])[:25], "o-", ms=3.5, lw=0.8, color=plots.RUN, label="matched")
    middle.plot(cells, each_cell(mismatched["beta_x"])[:25], "s", ms=3.5, color=plots.THIRD, label="mismatched")
    law = transported(mismatched["beta_x"][0], mismatched["alpha_x"][0], [cell("x")] * 24)
    middle.plot(cells, law, "--", color=plots.REFERENCE, lw=0.9, label="Courant-Snyder")
    middle.axhline(beta, color=plots.REFERENCE, ls="--", lw=0.9)
    middle.set(title="where a cell begins", xlabel="cell", ylabel="beta function in x / m",
               xlim=(-0.5, 24.5), ylim=(0, 6.4))
    middle.legend(loc="lower right", ncols=1)

    advance, beta, alpha = periodic("x")
    x = [1e6 * v for v in each_cell(matched["mean_x"])]
    slope = [1e6 * v for v in each_cell(matched["mean_xp"])]
    invariant = (1 + alpha**2) / beta * x[0] ** 2 + 2 * alpha * x[0] * slope[0] + beta * slope[0] ** 2
    turn = [2 * math.pi * i / 200 for i in range(201)]
    right.plot([math.sqrt(invariant * beta) * math.cos(t) for t in turn],
               [-math.sqrt(invariant / beta) * (alpha * math.cos(t) + math.sin(t)) for t in turn], "--",
               color=plots.REFERENCE, lw=0.9, label="Courant-Snyder")
    right.plot(x, slope, "o", ms=3.5, color=plots.RUN, label="this run, 60 cells")
    for n in range(6):
        right.annotate(str(n), (x[n], slope[n]), textcoords="offset points", xytext=(5, 4), fontsize=8)
    right.set(title=f"centre of the beam: {centroid_advance(x):.4f}° a cell",
              xlabel="mean x / µm", ylabel="mean px / p / µrad", xlim=(-115, 115), ylim=(-38, 46))
    right.legend(loc="upper right", ncols=2, columnspacing=0.8, handletextpad=0.4)
    plots.save(figure, file, "FODO channel: 10,000 protons of 100 MeV without space charge")


if __name__ == "__main__":
    comparison.main(__file__, RUNS, measure, picture)
