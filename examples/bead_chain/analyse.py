#!/usr/bin/env python3
"""Computes the sizes and bond lengths of the chains: analyse.py [FOLDER] [--picture FILE]"""

import functools
import math
import pathlib
import sys

HOME = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HOME.parent / "common"))
import comparison  # noqa: E402
import outputs  # noqa: E402
from outputs import Measured  # noqa: E402

RUNS = ["bead_chain.out"]  # the folders that the commands of README.md write
BEADS = 10  # per chain; the beads of a chain are consecutive in the file
FORGOTTEN = 30.0  # tau; the chains have forgotten their initial shapes by then, and averages begin
K, R0 = 169.2, 0.967
BIN = 0.01


@functools.cache
def chains(folder):
    """Returns (time, chains) of each frame. A chain is a list of the positions of its beads, where each bead is the
    periodic image nearest to the previous one."""
    found = []
    for frame in outputs.frames(folder, FORGOTTEN):
        unwrapped = frame.unwrapped()
        # A bond is much shorter than the box: a difference of more than half of the box crosses a periodic face.
        joined = []
        for first in range(0, len(unwrapped), BEADS):
            chain = [unwrapped[first]]
            for bead in unwrapped[first + 1:first + BEADS]:
                chain.append(tuple(b - l * round((b - a) / l) for a, b, l in zip(chain[-1], bead, frame.lengths)))
            joined.append(chain)
        found.append((frame.time, joined))
    return found


@functools.cache
def squares(folder):
    """Returns <R^2> of two beads of a chain that are 1, 2, ..., 9 bonds apart. The errors come from the scatter between
    chains, which are nearly independent. Frames are not: a chain keeps its shape for a large part of the run."""
    frames = [frame for _, frame in chains(folder)]
    found = []
    for n in range(1, BEADS):
        by_chain = [sum(math.dist(frame[c][i], frame[c][i + n]) ** 2 for frame in frames for i in range(BEADS - n))
                    / len(frames) / (BEADS - n) for c in range(len(frames[0]))]
        found.append(outputs.average(by_chain, blocks=len(by_chain)))
    return found


def bonds(folder):
    return [math.dist(chain[i], chain[i + 1]) for _, frame in chains(folder) for chain in frame
            for i in range(BEADS - 1)]


def free_bonds():
    """Returns the normalised distribution of the length of a bond whose beads feel no other force,
    r^2 exp(-K (r - R0)^2/kT) with kT = 1: lengths and values."""
    lengths = [0.7 + 0.001 * i for i in range(551)]
    weights = [r * r * math.exp(-K * (r - R0) ** 2) for r in lengths]
    total = 0.001 * sum(weights)
    return lengths, [w / total for w in weights]


def measure(run):
    apart = squares(run)
    lengths = bonds(run)
    return {"temperature": outputs.average(outputs.thermo(run, FORGOTTEN)["temperature"]),
            "pressure": outputs.average(outputs.thermo(run, FORGOTTEN)["pressure"]),
            "length of a bond": Measured(sum(lengths) / len(lengths)),
            "<R^2> of next but one beads": apart[1],
            "<R^2> of the ends": apart[-1]}


def picture(folders, file):
    import plots
    run, = folders
    figure, (left, right) = plots.panels(2, 9.6, 3.7)
    reference = outputs.table(HOME / "reference.csv")
    numbers, means = list(range(1, BEADS)), squares(run)
    bond = means[0].value
    left.errorbar(numbers, [m.value / n / bond for m, n in zip(means, numbers)],
                  [m.error / n / bond for m, n in zip(means, numbers)], fmt="o", ms=4, color=plots.RUN,
                  label="this run")
    left.plot(reference["bonds"],
              [s / n / reference["squares"][0] for s, n in zip(reference["squares"], reference["bonds"])],
              "--", color=plots.REFERENCE, lw=0.9, label="LAMMPS")
    left.axhline(1.0, color=plots.QUIET, ls=":", lw=0.9, label="freely jointed")
    left.axhline(1.88, color=plots.QUIET, ls="-.", lw=0.9, label="long chains (Auhl et al. 2003)")
    left.set(title="stiffness of the chains", xlabel="n, bonds between two beads", ylabel="⟨R²⟩ / n ⟨b²⟩",
             xlim=(0.5, 9.5), ylim=(0.9, 2.0))
    left.legend(loc="lower right", bbox_to_anchor=(1.0, 0.1))

    lengths = bonds(run)
    counts = [0] * 60
    for length in lengths:
        if 0.7 <= length < 1.3:
            counts[int((length - 0.7) / BIN)] += 1
    right.plot([0.7 + (i + 0.5) * BIN for i in range(60)], [c / len(lengths) / BIN for c in counts], "o", ms=4,
               color=plots.RUN, label="this run")
    reference = outputs.table(HOME / "reference_bonds.csv")
    right.plot(reference["length"], reference["density"], "--", color=plots.REFERENCE, lw=0.9, label="LAMMPS")
    right.plot(*free_bonds(), ":", color=plots.QUIET, lw=1.2, label="a bond by itself")
    right.set(title="length of a bond", xlabel="length / σ", ylabel="density / σ⁻¹", xlim=(0.75, 1.2), ylim=(0, 9.5))
    right.legend(loc="upper right")
    plots.save(figure, file, "Melt of 100 chains of 10 beads, density 0.85, T = 1")


if __name__ == "__main__":
    comparison.main(__file__, RUNS, measure, picture)
