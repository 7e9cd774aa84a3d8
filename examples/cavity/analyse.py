#!/usr/bin/env python3
"""Compares the synchrotron tune at each amplitude with that of a pendulum: analyse.py [SMALL LINE] [--picture FILE]"""

import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import comparison  # noqa: E402
import outputs  # noqa: E402
from outputs import Measured  # noqa: E402

RUNS = ["cavity.out", "line.out"]  # the folders that the commands of README.md write
LIGHT = 299792458.0  # m/s
LATEST = 28.3  # m, the largest cdt in line.csv
RING, COMPACTION, HARMONIC, VOLTAGE, MASS = 200.0, 1 / 25, 4, 0.02, 938.27208816  # m, 1, 1, MV, MeV


class Bucket:
    """A stationary bucket, by the formulas of S. Y. Lee, Accelerator Physics, chapter on synchrotron motion."""

    def __init__(self, reference):
        self.beta, gamma = reference["beta"], reference["gamma"]
        self.slip = COMPACTION - 1 / gamma**2
        self.wave = 2 * math.pi * HARMONIC / RING  # 1/m: 2 pi f/(beta c), radians of phase in a meter of path
        energy = gamma * MASS
        self.tune = math.sqrt(HARMONIC * abs(self.slip) * VOLTAGE / (2 * math.pi * self.beta**2 * energy))
        self.height = 2 * self.tune / (HARMONIC * abs(self.slip))  # the largest dpop on the separatrix

    def phase(self, cdt):
        return self.wave * cdt * self.beta

    def late(self, phase):
        return phase / self.wave / self.beta

    def separatrix(self, phase):
        return self.height * math.cos(phase / 2)


def complete(k):
    """Complete elliptic integral of the first kind, by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - k * k)
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def incomplete(angle, k, parts=400):
    """Elliptic integral of the first kind, by Simpson's rule."""
    f = [1 / math.sqrt(1 - (k * math.sin(angle * i / parts)) ** 2) for i in range(parts + 1)]
    return angle / parts / 3 * (f[0] + f[-1] + 4 * sum(f[1:-1:2]) + 2 * sum(f[2:-1:2]))


def pendulum(amplitude):
    """Returns the tune at an amplitude (radians of phase) over the tune of small oscillations."""
    return math.pi / 2 / complete(math.sin(amplitude / 2))


def oscillations(bucket, amplitude, phase, dpop, expected):
    """Returns the number of oscillations of a particle that started at `amplitude` with dpop = 0.

    The present phase and dpop give the fraction of an oscillation, and `expected` the number of whole ones.
    """
    k = math.sin(amplitude / 2)
    angle = math.atan2(math.sin(phase / 2) / k, dpop * math.copysign(1, bucket.slip) / bucket.height / k)
    fraction = incomplete(angle, k) / (4 * complete(k)) - 0.25
    return fraction + round(expected - fraction)


def summary(folder):
    return json.loads((folder / "summary.json").read_text())


def line(folder):
    """Returns the bucket, the number of turns, and (amplitude, tune over that of small amplitudes, phase, dpop) of each
    particle whose amplitude is below 2.9 radians. Closer to the separatrix the tune depends on the last digits of the
    amplitude."""
    run = summary(folder)
    bucket, turns = Bucket(run["reference"]), outputs.table(folder / "statistics.csv")["turn"][-1]
    rows = outputs.numpy_rows(folder / "bunch.npy")
    found = []
    for row in rows:
        amplitude = bucket.phase(LATEST * (row[6] + 1) / len(rows))
        if amplitude < 2.9:
            phase = bucket.phase(row[4])
            count = oscillations(bucket, amplitude, phase, row[5], turns * bucket.tune * pendulum(amplitude))
            found.append((amplitude, count / turns / bucket.tune, phase, row[5]))
    return bucket, turns, found


def small_tune(values):
    """Returns the tune of values x[n] = cos(2 pi tune n + start), by least squares of
    x[n-s] + x[n+s] = 2 cos(2 pi tune s) x[n]."""
    s = 50
    sums = sum(values[i] * (values[i - s] + values[i + s]) for i in range(s, len(values) - s))
    return math.acos(sums / (2 * sum(v * v for v in values[s:-s]))) / (2 * math.pi * s)


def measure(small, swept):
    bucket, _, particles = line(swept)
    values = outputs.table(small / "statistics.csv")["mean_cdt"]
    largest = max(abs(tune / pendulum(amplitude) - 1) for amplitude, tune, *_ in particles)
    drift = max(abs((dpop / bucket.height) ** 2 + math.sin(phase / 2) ** 2 - math.sin(amplitude / 2) ** 2)
                for amplitude, _, phase, dpop in particles)
    return {"tune of small amplitudes": Measured(small_tune(values)),
            "tunes off those of the pendulum": Measured(largest),
            "energy of an oscillation off that of its start": Measured(drift)}


def picture(folders, file):
    import plots
    small, swept = folders
    bucket, turns, particles = line(swept)
    figure, (left, middle, right) = plots.panels(3, 10.6, 3.5)

    run = outputs.table(small / "statistics.csv")
    expected = [100 * math.cos(2 * math.pi * bucket.tune * n) for n in run["turn"]]
    left.plot(run["turn"][::25], [1e3 * v for v in run["mean_cdt"][::25]], "o", ms=3, color=plots.RUN, label="this run")
    left.plot(run["turn"], expected, "--", color=plots.REFERENCE, lw=0.9, label=f"cosine, tune {bucket.tune:.6f}")
    left.set(title=f"small amplitude: tune {small_tune(run['mean_cdt']):.6f}", xlabel="turn",
             ylabel="c × lateness / mm",
             xlim=(0, turns), ylim=(-115, 150))
    left.legend(loc="upper right", ncols=2, columnspacing=0.8)

    edge = [math.pi * i / 200 for i in range(-200, 201)]
    for sign in (1, -1):
        middle.plot(edge, [sign * 1e3 * bucket.separatrix(p) for p in edge], "--", color=plots.REFERENCE, lw=0.9,
                    label="separatrix" if sign > 0 else None)
    middle.plot([p for _, _, p, _ in particles], [1e3 * d for *_, d in particles], "o", ms=3, color=plots.RUN,
                label=f"line of particles after {turns:,.0f} turns")
    middle.plot([a for a, *_ in particles], [0] * len(particles), ".", ms=2, color=plots.QUIET, label="at the start")
    middle.set(title="the bucket", xlabel="phase / rad", ylabel="(p - p₀) / p₀ / 10⁻³", xlim=(-math.pi, math.pi),
               ylim=(-4.2, 5.6))
    middle.legend(loc="upper center", ncols=2, columnspacing=0.8)

    amplitudes = [0.01 * i for i in range(1, 314)]
    right.plot([a for a, *_ in particles], [t for _, t, *_ in particles], "o", ms=3.5, color=plots.RUN,
               label="this run")
    right.plot(amplitudes, [pendulum(a) for a in amplitudes], "--", color=plots.REFERENCE, lw=0.9,
               label="pendulum, π / 2K(sin(φ/2))")
    right.set(title="tune by amplitude", xlabel="amplitude / rad", ylabel="tune / tune of small amplitudes",
              xlim=(0, math.pi), ylim=(0, 1.1))
    right.legend(loc="lower left")
    plots.save(figure, file, "Stationary bucket: protons of 1 GeV in a ring of 200 m, 20 kV at the fourth harmonic")


if __name__ == "__main__":
    comparison.main(__file__, RUNS, measure, picture)
