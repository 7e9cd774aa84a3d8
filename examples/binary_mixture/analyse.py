#!/usr/bin/env python3
"""Computes energy, pressure and partial pair distributions of the mixture: analyse.py [FOLDER] [--picture FILE]"""

import functools
import pathlib
import sys

HOME = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HOME.parent / "common"))
import comparison  # noqa: E402
import outputs  # noqa: E402
from outputs import Measured  # noqa: E402

RUNS = ["binary_mixture.out"]  # the folders that the commands of README.md write
LIQUID = 10.0  # tau; the lattice has become a liquid by then, and averages begin
ATOMS = 1000
PAIRS = {"AA": (0.9, 1.4), "AB": (0.7, 1.1), "BB": (0.7, 1.2)}  # sigma of A: ranges that hold the first maxima of g(r)


@functools.cache
def distribution(folder, pair):
    return outputs.pair_distribution(outputs.frames(folder, LIQUID), 2.6, 0.02, pair)


def measure(run):
    thermo = outputs.thermo(run, LIQUID)
    figures = {"temperature": outputs.average(thermo["temperature"]),
               "potential energy": outputs.average(e / ATOMS for e in thermo["potential_energy"]),
               "pressure": outputs.average(thermo["pressure"])}
    for pair, (low, high) in PAIRS.items():
        if pair == "BB":
            continue  # too few pairs for a precise height from the frames of this run
        place, height = outputs.peak(*distribution(run, pair), low, high)
        figures[f"first maximum of g_{pair}, at"] = Measured(place)
        figures[f"first maximum of g_{pair}"] = Measured(height)
    return figures


def picture(folders, file):
    import plots
    run, = folders
    reference = outputs.table(HOME / "reference.csv")
    figure, (left, right) = plots.panels(2, 9.6, 3.7, width_ratios=(1.5, 1))
    for i, (pair, colour) in enumerate(zip(PAIRS, (plots.RUN, plots.SECOND, plots.THIRD))):
        left.plot(*distribution(run, pair), color=colour, label=f"{pair}, this run")
        left.plot(reference["r"][::3], reference[f"g_{pair}"][::3], "o", ms=3, mfc="none", mew=0.7,
                  color=plots.REFERENCE,
                  label="LAMMPS" if i == 0 else None)
    left.set(title="partial pair distributions", xlabel="distance / σ of A", ylabel="g(r)",
             xlim=(0.6, 2.35), ylim=(0, 4.8))
    left.legend()

    expected = comparison.read_expected(HOME)["figures"]["potential energy"]["value"]
    thermo = outputs.thermo(run)
    right.plot(thermo["time"], [e / ATOMS for e in thermo["potential_energy"]], color=plots.RUN, lw=0.8,
               label="this run")
    right.axhline(expected, color=plots.REFERENCE, ls="--", lw=0.9, label="mean of LAMMPS")
    right.set(title="from the lattice to the liquid", xlabel="time / τ", ylabel="potential energy / ε an atom",
              xlim=(0, thermo["time"][-1]), ylim=(-6.6, -4.5))
    right.legend(loc="upper right")
    plots.save(figure, file, "Kob-Andersen mixture: 800 atoms A and 200 atoms B at T = 0.8")


if __name__ == "__main__":
    comparison.main(__file__, RUNS, measure, picture)
