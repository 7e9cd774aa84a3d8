#!/usr/bin/env python3
"""Computes heating, velocity correlation and diffusion of Brownian particles: analyse.py [FOLDER] [--picture FILE]"""

import functools
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import comparison  # noqa: E402
import outputs  # noqa: E402
from outputs import Measured  # noqa: E402

RUNS = ["langevin.out"]  # the folders that the commands of README.md write
TEMPERATURE, MASS, FRICTION = 1.5, 2.0, 0.5
DIFFUSION = TEMPERATURE / (MASS * FRICTION)
WARM = 20.0  # tau; the temperature is then off by exp(-2 friction time) = 2e-9 of itself, and averages begin
LAGS = 12


def warming(time):
    """Returns the temperature at a time, of particles that start at rest."""
    return TEMPERATURE * (1 - math.exp(-2 * FRICTION * time))


def spread(time):
    """Returns the mean square displacement at a time: G. E. Uhlenbeck, L. S. Ornstein, Phys. Rev. 36, 823 (1930)."""
    return 6 * DIFFUSION * (time - (1 - math.exp(-FRICTION * time)) / FRICTION)


@functools.cache
def displacement(folder):
    return outputs.mean_square_displacement(outputs.frames(folder, WARM), LAGS)


@functools.cache
def correlation(folder):
    """Returns <v(0) v(t)>, averaged over atoms and times: the lags, and the values."""
    frames = list(outputs.frames(folder, WARM))
    velocities = [frame.velocities for frame in frames]
    step, times, values = frames[1].time - frames[0].time, [], []
    for lag in range(LAGS + 1):
        total = sum(u * x + v * y + w * z for early, late in zip(velocities, velocities[lag:])
                    for (u, v, w), (x, y, z) in zip(early, late))
        times.append(lag * step)
        values.append(total / (len(frames) - lag) / len(velocities[0]))
    return times, values


def measure(run):
    thermo = outputs.thermo(run)
    warm = outputs.average(outputs.thermo(run, WARM)["temperature"])
    half = math.log(2) / (2 * FRICTION)
    heating = [t / warming(time) for time, t in zip(thermo["time"], thermo["temperature"])
               if 0.5 * half < time < 4 * half]
    times, squares = displacement(run)
    lags, products = correlation(run)
    # The fit of exp(-friction t) uses the first four lags only, where the correlation exceeds its noise.
    decay = -outputs.line(lags[:4], [math.log(p) for p in products[:4]])[1]
    return {"temperature": warm,
            "temperature while warming up, over the law": Measured(sum(heating) / len(heating)),
            "friction, by the velocities": Measured(decay),
            "displacement after 6 tau, over the law": Measured(squares[5] / spread(times[5])),
            "diffusion": Measured(outputs.line(times[5:], squares[5:])[1] / 6)}


def picture(folders, file):
    import plots
    run, = folders
    figure, (left, middle, right) = plots.panels(3, 10.4, 3.5)
    fine = [0.05 * i for i in range(241)]
    known = {"ls": "--", "color": plots.REFERENCE, "lw": 0.9}

    thermo = outputs.thermo(run)
    left.plot(thermo["time"], thermo["temperature"], color=plots.RUN, lw=1.0, label="this run")
    left.plot(fine, [warming(t) for t in fine], **known, label="T (1 - exp(-2γt))")
    left.set(title="from rest", xlabel="time / τ", ylabel="temperature / ε/k", xlim=(0, 12), ylim=(0, 1.8))
    left.legend(loc="lower right")

    middle.plot(*correlation(run), "o", ms=4, color=plots.RUN, label="this run")
    middle.plot(fine, [3 * TEMPERATURE / MASS * math.exp(-FRICTION * t) for t in fine], **known, label="3kT/m exp(-γt)")
    middle.set(title="memory of the velocity", xlabel="time / τ", ylabel="⟨v(0)·v(t)⟩ / σ²/τ²",
               xlim=(0, 12), ylim=(-0.1, 2.4))
    middle.legend(loc="upper right")

    times, squares = displacement(run)
    right.loglog(times, squares, "o", ms=4, color=plots.RUN, label="this run")
    fine = [0.1 * 1.1**i for i in range(60)]
    right.loglog(fine, [spread(t) for t in fine], **known, label="Uhlenbeck, Ornstein (1930)")
    right.loglog(fine, [6 * DIFFUSION * t for t in fine], color=plots.QUIET, lw=0.9, ls=":", label="6 D t, D = kT/(mγ)")
    right.set(title="from flight to diffusion", xlabel="time / τ", ylabel="mean square displacement / σ²",
              xlim=(0.5, 20), ylim=(0.3, 200))
    right.legend(loc="upper left")
    plots.save(figure, file, "Langevin dynamics: 1,000 particles that do not meet, kT = 1.5, m = 2, γ = 0.5")


if __name__ == "__main__":
    comparison.main(__file__, RUNS, measure, picture)
