#!/usr/bin/env python3
"""Computes structure, diffusion, energy, pressure of liquid argon: analyse.py [FOLDER NIST_FOLDER] [--picture FILE]"""

import functools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import comparison  # noqa: E402
import outputs  # noqa: E402
from outputs import Measured  # noqa: E402

RUNS = ["argon.out", "nist.out"]  # the folders that the commands of README.md write
MELTED = 10_000.0  # fs; the crystal has melted by then, and averages begin
ATOMS = 864
RAHMAN_PEAKS = (3.7, 7.0, 10.4)  # angstrom, places of the maxima of g(r)
RAHMAN_DIFFUSION = 2.43  # 1e-5 cm^2/s
TO_DIFFUSION = 1e4  # 1e-5 cm^2/s in an angstrom^2/fs, which is 0.1 cm^2/s
NIST_ENERGY = -5.5121 * 0.238465  # kcal/mol per atom: NIST's value in epsilon, times epsilon


@functools.cache
def distribution(folder):
    return outputs.pair_distribution(outputs.frames(folder, MELTED, every=10), 14.0, 0.1)


@functools.cache
def displacement(folder):
    return outputs.mean_square_displacement(outputs.frames(folder, MELTED), 10)


def diffusion(times, squares):
    """Returns the diffusion coefficient in 1e-5 cm^2/s and the offset in angstrom^2 of a line that fits the mean square
    displacement at lags of 2 ps and more, where it grows linearly."""
    late = [i for i, t in enumerate(times) if t >= 2000.0]
    offset, slope = outputs.line([times[i] for i in late], [squares[i] for i in late])
    return slope / 6 * TO_DIFFUSION, offset


def measure(argon, nist):
    r, g = distribution(argon)
    figures = {"first maximum of g(r)": Measured(outputs.peak(r, g, 3.0, 4.5)[0]),
               "second maximum of g(r)": Measured(outputs.broad_peak(r, g, 6.3, 7.7)[0]),
               "third maximum of g(r)": Measured(outputs.broad_peak(r, g, 9.5, 11.3)[0])}
    figures["diffusion"] = Measured(diffusion(*displacement(argon))[0])
    figures["temperature"] = outputs.average(outputs.thermo(argon, MELTED)["temperature"])
    state = outputs.thermo(nist, MELTED)
    figures["NIST: temperature"] = outputs.average(state["temperature"])
    figures["NIST: energy"] = outputs.average(energy / ATOMS for energy in state["potential_energy"])
    figures["NIST: pressure"] = outputs.average(state["pressure"])
    return figures


def picture(folders, file):
    import plots
    argon, nist = folders
    figure, (left, middle, right) = plots.panels(3, 10.4, 3.5)

    r, g = distribution(argon)
    left.plot(r, g, color=plots.RUN, label="this run, 94.4 K")
    for i, (about, height) in enumerate(zip(RAHMAN_PEAKS, (2.9, 1.5, 1.3))):
        left.vlines(about, 0, height, color=plots.REFERENCE, ls="--", lw=0.9,
                    label="maxima of Rahman (1964)" if i == 0 else None)
        left.annotate(f"{about} Å", (about, height), ha="center", textcoords="offset points", xytext=(0, 3), fontsize=8)
    left.set(title="structure", xlabel="distance / Å", ylabel="pair distribution g(r)", xlim=(0, 14), ylim=(0, 3.6))
    left.legend(loc="upper right")

    times, squares = displacement(argon)
    measured, _ = diffusion(times, squares)
    times = [t / 1000 for t in times]
    middle.plot(times, squares, "o", ms=4, color=plots.RUN, label=f"this run: D = {measured:.2f}e-5 cm²/s")
    line = [6 * RAHMAN_DIFFUSION / TO_DIFFUSION * 1000 * t + 0.2 for t in times]
    middle.plot(times, line, "--", color=plots.REFERENCE, lw=0.9, label=f"Rahman: {RAHMAN_DIFFUSION}e-5 cm²/s")
    middle.set(title="diffusion", xlabel="time / ps", ylabel="mean square displacement / Å²",
               xlim=(0, 5.2), ylim=(0, None))
    middle.legend(loc="upper left")

    state = outputs.thermo(nist)
    time = [t / 1000 for t in state["time"]]
    energy = [e / ATOMS for e in state["potential_energy"]]
    right.plot(time, energy, color=plots.RUN, lw=0.6, label="this run, 102 K")
    right.axhline(NIST_ENERGY, color=plots.REFERENCE, ls="--", lw=0.9, label="NIST")
    right.set(title="energy at the state of NIST", xlabel="time / ps", ylabel="potential energy / kcal/mol an atom",
              xlim=(0, time[-1]), ylim=(-1.37, -1.27))
    right.legend(loc="lower right")
    plots.save(figure, file, "Liquid argon: 864 atoms, real units")


if __name__ == "__main__":
    comparison.main(__file__, RUNS, measure, picture)
