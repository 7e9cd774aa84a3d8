#!/usr/bin/env python3
"""Computes energy, pressure and partial pair distributions of molten NaCl: analyse.py [FOLDER] [--picture FILE]"""

import functools
import math
import pathlib
import sys

HOME = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HOME.parent / "common"))
import comparison  # noqa: E402
import outputs  # noqa: E402
from outputs import Measured  # noqa: E402

RUNS = ["molten_salt.out"]  # the folders that the commands of README.md write
MELTED = 1.2  # ps; the crystal has melted by then, and averages begin
IONS = 512
PAIRS = ("Na-Cl", "Na-Na", "Cl-Cl")
MINIMUM = 4.1  # angstrom, the minimum of g(r) after the first shell of unlike ions


@functools.cache
def distribution(folder, pair):
    return outputs.pair_distribution(outputs.frames(folder, MELTED), 10.0, 0.08, tuple(pair.split("-")))


def neighbors(r, g, volume):
    """Returns the number of ions of the other kind in the first shell of an ion."""
    width = r[1] - r[0]
    return IONS / 2 / volume * sum(4 * math.pi * x * x * y * width for x, y in zip(r, g) if x < MINIMUM)


def measure(run):
    thermo = outputs.thermo(run, MELTED)
    place, height = outputs.broad_peak(*distribution(run, "Na-Cl"), 2.44, 2.84)
    volume = math.prod(next(outputs.frames(run)).lengths)
    return {"temperature": outputs.average(thermo["temperature"]),
            "potential energy": outputs.average(e / IONS for e in thermo["potential_energy"]),
            "pressure": outputs.average(p / 1000 for p in thermo["pressure"]),
            "first maximum of g_NaCl, at": Measured(place),
            "first maximum of g_NaCl": Measured(height),
            "Cl around an Na": Measured(neighbors(*distribution(run, "Na-Cl"), volume)),
            "first maximum of g_ClCl, at": Measured(outputs.broad_peak(*distribution(run, "Cl-Cl"), 3.6, 4.6)[0])}


def picture(folders, file):
    import plots
    run, = folders
    reference = outputs.table(HOME / "reference.csv")
    figure, (left, right) = plots.panels(2, 9.6, 3.7, width_ratios=(1.5, 1))
    for i, (pair, colour) in enumerate(zip(PAIRS, (plots.RUN, plots.SECOND, plots.THIRD))):
        left.plot(*distribution(run, pair), color=colour, label=f"{pair}, damped charges")
        left.plot(reference["r"][::2], reference["g_" + pair.replace("-", "")][::2], "o", ms=3, mfc="none", mew=0.7,
                  color=plots.REFERENCE, label="LAMMPS, Ewald sum" if i == 2 else None)
    left.set(title="partial pair distributions", xlabel="distance / Å", ylabel="g(r)", xlim=(1.8, 10), ylim=(0, 4.2))
    left.legend()

    expected = comparison.read_expected(HOME)["figures"]["potential energy"]["value"]
    thermo = outputs.thermo(run)
    right.plot(thermo["time"], [e / IONS for e in thermo["potential_energy"]], color=plots.RUN, lw=1.0,
               label="this run")
    right.axhline(expected, color=plots.REFERENCE, ls="--", lw=0.9, label="mean of LAMMPS, Ewald sum")
    right.set(title="from the crystal to the melt", xlabel="time / ps", ylabel="potential energy / eV an ion",
              xlim=(0, thermo["time"][-1]), ylim=(-3.76, -3.66))
    right.legend(loc="upper right")
    plots.save(figure, file, "Molten NaCl at 1200 K: 512 ions, Tosi-Fumi potential")


if __name__ == "__main__":
    comparison.main(__file__, RUNS, measure, picture)
