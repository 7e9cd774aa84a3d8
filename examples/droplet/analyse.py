#!/usr/bin/env python3
"""Computes the density profile and the evaporation of the droplet: analyse.py [FOLDER] [--picture FILE]"""

import functools
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import comparison  # noqa: E402
import outputs  # noqa: E402
from outputs import Measured  # noqa: E402

RUNS = ["droplet.out"]  # the folders that the commands of README.md write
ATOMS, TEMPERATURE = 2916, 0.7
ROUND = 10.0  # tau; the cube has become a round drop by then, and averages begin
# sigma: liquid within INSIDE of the center of the drop, vapor beyond OUTSIDE, and the width of the bins of the profile
INSIDE, OUTSIDE, WIDTH = 5.5, 14.0, 0.5

# Densities of liquid and vapor and the tension of a flat surface, of the fluid that is truncated at 2.5 sigma and
# shifted: J. Vrabec, G. K. Kedia, G. Fuchs, H. Hasse, Mol. Phys. 104, 1509 (2006).
BELOW = 1.0779 - TEMPERATURE
LIQUID = 0.3190 + 0.5649 * BELOW ** (1 / 3) + 0.1314 * BELOW + 0.0413 * BELOW**1.5
VAPOR = 0.3190 - 0.5649 * BELOW ** (1 / 3) + 0.2128 * BELOW + 0.0702 * BELOW**1.5
TENSION = 2.08 * (1 - TEMPERATURE / 1.0779) ** 1.21


def middle(positions):
    """Returns the center of the drop: the mean position of the atoms within 12 sigma of it, found by iteration."""
    centre = [sorted(p[axis] for p in positions)[len(positions) // 2] for axis in range(3)]
    for _ in range(3):
        near = [p for p in positions if math.dist(p, centre) < 12.0]
        centre = [sum(p[axis] for p in near) / len(near) for axis in range(3)]
    return centre


@functools.cache
def distances(folder):
    """Returns (time, distances of all atoms from the center of the drop) of each frame."""
    found = []
    for frame in outputs.frames(folder):
        centre = middle(frame.positions)
        found.append((frame.time, [math.dist(p, centre) for p in frame.positions]))
    return found


def profile(folder):
    """Returns distances from the center and the densities there, averaged over the second half of the run."""
    frames = distances(folder)
    late = [r for time, r in frames if time >= max(ROUND, frames[-1][0] / 2)]
    bins = round(20 / WIDTH)
    counts = [0] * bins
    for r in late:
        for d in r:
            if d < 20:
                counts[int(d / WIDTH)] += 1
    shell = [4 / 3 * math.pi * WIDTH**3 * ((i + 1) ** 3 - i**3) for i in range(bins)]
    return [(i + 0.5) * WIDTH for i in range(bins)], [n / len(late) / s for n, s in zip(counts, shell)]


def crossing(r, density, level):
    """Returns the largest distance at which the profile falls below a level."""
    i = max(i for i in range(len(r)) if density[i] >= level)
    return r[i] + (density[i] - level) / (density[i] - density[i + 1]) * (r[i + 1] - r[i])


def evaporated(folder):
    """Returns times, and the numbers of atoms in the vapor at these times."""
    frames = distances(folder)
    return [time for time, _ in frames], [sum(1 for d in r if d > OUTSIDE) for _, r in frames]


def flux(radius):
    """Returns the atoms that leave a drop in a unit of time. They are as many as would hit its surface from saturated
    vapor (Hertz and Knudsen), which is denser at a curved surface than at a flat one (Kelvin)."""
    kelvin = math.exp(2 * TENSION / (radius * LIQUID * TEMPERATURE))
    return 4 * math.pi * radius**2 * VAPOR * kelvin * math.sqrt(TEMPERATURE / (2 * math.pi))


def measure(run):
    inside = outputs.average((sum(1 for d in r if d < INSIDE) / (4 / 3 * math.pi * INSIDE**3)
                              for time, r in distances(run) if time >= ROUND), blocks=5)
    r, density = profile(run)
    radius = crossing(r, density, inside.value / 2)
    times, numbers = evaporated(run)
    flying = [i for i, time in enumerate(times) if time >= ROUND]
    rate = outputs.line([times[i] for i in flying], [numbers[i] for i in flying])[1]
    return {"temperature": outputs.average(outputs.thermo(run, ROUND)["temperature"]),
            "density of the liquid": inside,
            "radius": Measured(radius),
            "width of the surface, 90 % to 10 %": Measured(crossing(r, density, 0.1 * inside.value)
                                                           - crossing(r, density, 0.9 * inside.value)),
            "evaporation over that of Hertz and Knudsen": Measured(rate / flux(radius))}


def picture(folders, file):
    import plots
    run, = folders
    figure, (left, right) = plots.panels(2, 9.6, 3.7)
    r, density = profile(run)
    left.plot(r, density, "o-", ms=3.5, color=plots.RUN, label="this run")
    left.axhline(LIQUID, color=plots.REFERENCE, ls="--", lw=0.9, label="liquid and vapor at a flat surface")
    left.axhline(VAPOR, color=plots.REFERENCE, ls="--", lw=0.9)
    left.set(title="across the surface", xlabel="distance from the middle / σ", ylabel="density / σ⁻³", xlim=(0, 16),
             ylim=(0, 1.0))
    left.legend(loc="upper right")

    times, numbers = evaporated(run)
    radius = crossing(r, density, LIQUID / 2)
    right.plot(times, numbers, color=plots.RUN, label="this run")
    begin = next(i for i, time in enumerate(times) if time >= ROUND)
    offset = sum(numbers[begin:]) / len(numbers[begin:]) - flux(radius) * sum(times[begin:]) / len(times[begin:])
    right.plot(times[begin:], [offset + flux(radius) * t for t in times[begin:]], "--", color=plots.REFERENCE, lw=0.9,
               label=f"Hertz-Knudsen: {flux(radius):.1f} atoms in a τ")
    right.set(title=f"evaporation of {ATOMS:,} atoms", xlabel="time / τ", ylabel=f"atoms beyond {OUTSIDE:.0f} σ",
              xlim=(0, times[-1]), ylim=(0, None))
    right.legend(loc="upper left")
    plots.save(figure, file, "Lennard-Jones droplet in empty space at T = 0.7")


if __name__ == "__main__":
    comparison.main(__file__, RUNS, measure, picture)
