"""Reads the output of runs and computes averages from it, with the standard library alone: the figures of the examples
can be checked on any machine that runs the program. Only pictures need matplotlib (plots.py)."""

import ast
import csv
import math
import pathlib
import re
import struct
from dataclasses import dataclass


@dataclass
class Measured:
    """A figure of a run, with its statistical error if it is an average."""

    value: float
    error: float = 0.0


def table(path):
    """Returns the columns of thermo.csv or statistics.csv by name; the names have no units."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    names = [name.split(" ")[0] for name in rows[0]]
    texts = list(zip(*rows[1:])) or [()] * len(names)
    return {name: list(values) if name == "name" else [float(v) for v in values] for name, values in zip(names, texts)}


def thermo(folder, after=0.0):
    """Returns the columns of thermo.csv by name, from the time `after` on."""
    columns = table(pathlib.Path(folder) / "thermo.csv")
    keep = [i for i, time in enumerate(columns["time"]) if time >= after]
    return {name: [values[i] for i in keep] for name, values in columns.items()}


def numpy_rows(path):
    """Returns the rows of a two-dimensional array of doubles in a .npy file, without NumPy."""
    content = pathlib.Path(path).read_bytes()
    size = 10 + int.from_bytes(content[8:10], "little")  # bytes before the data, in version 1 of the format
    header = ast.literal_eval(content[10:size].decode())
    rows, columns = header["shape"]
    if header["descr"] != "<f8" or header["fortran_order"]:
        raise ValueError(f"{path}: {header}, expected rows of little-endian doubles")
    values = struct.unpack(f"<{rows * columns}d", content[size:])
    return [values[i * columns:(i + 1) * columns] for i in range(rows)]


def average(values, blocks=10):
    """Returns the mean, with a standard error from the scatter of the means of consecutive blocks, which are nearly
    independent."""
    values = list(values)
    size = len(values) // blocks
    if size == 0:
        raise ValueError(f"{len(values)} values cannot be averaged in {blocks} blocks")
    means = [sum(values[i * size:(i + 1) * size]) / size for i in range(blocks)]
    mean = sum(means) / blocks
    variance = sum((m - mean) ** 2 for m in means) / (blocks - 1)
    return Measured(sum(values) / len(values), math.sqrt(variance / blocks))


@dataclass
class Frame:
    """One frame of a trajectory.xyz whose box has right angles. Lists are in the order of the atoms in the file."""

    time: float
    lengths: tuple
    species: list
    positions: list  # (x, y, z) of each atom
    images: list  # (ix, iy, iz) of each atom, how often it crossed the faces of the box; empty if not in the file
    velocities: list  # (vx, vy, vz) of each atom; empty if not in the file

    def unwrapped(self):
        """Returns positions without the jumps at the periodic faces of the box."""
        lx, ly, lz = self.lengths
        return [(x + i * lx, y + j * ly, z + k * lz)
                for (x, y, z), (i, j, k) in zip(self.positions, self.images)]


def frames(folder, after=0.0, every=1):
    """Yields every `every`-th frame of trajectory.xyz from the time `after` on."""
    kept = 0
    with open(pathlib.Path(folder) / "trajectory.xyz") as file:
        while count := file.readline():
            count, comment = int(count), file.readline()
            time = float(re.search(r" Time=(\S+)", comment)[1])
            if time >= after:
                kept += 1
            if time < after or (kept - 1) % every:
                for _ in range(count):
                    file.readline()
                continue
            lattice = [float(v) for v in re.search(r'Lattice="([^"]*)"', comment)[1].split()]
            columns, at = {}, 0
            for name, _, width in re.findall(r"(\w+):([SRI]):(\d+)", re.search(r"Properties=(\S+)", comment)[1]):
                columns[name] = slice(at, at + int(width))
                at += int(width)
            words = [file.readline().split() for _ in range(count)]
            # The rows show chemical elements in place of type names that are not elements; `type_names` has the names.
            stands_for = re.search(r'type_names="([^"]*)"', comment)
            names = dict(pair.split("=") for pair in stands_for[1].split()) if stands_for else {}
            three = {name: [tuple(map(float, w[columns[name]])) for w in words] if name in columns else []
                     for name in ("pos", "images", "velo")}
            yield Frame(time, (lattice[0], lattice[4], lattice[8]), [names.get(w[0], w[0]) for w in words],
                        three["pos"], three["images"], three["velo"])


def pair_distribution(frames, furthest, width, pair=None):
    """Returns g(r) of a periodic system: the centers of the bins, and the values.

    `pair` names two species; without it g(r) is that of all atoms. `furthest` is at most half of the shortest edge of
    the box.
    """
    bins = round(furthest / width)
    counts, ideal = [0] * (bins + 1), 0.0
    for frame in frames:
        lx, ly, lz = frame.lengths
        if furthest > min(frame.lengths) / 2:
            raise ValueError(f"{furthest} is more than half of the box")
        hx, hy, hz = lx / 2, ly / 2, lz / 2
        if pair is None or pair[0] == pair[1]:
            ones = [p for p, s in zip(frame.positions, frame.species) if pair is None or s == pair[0]]
            partners = [ones[:i] for i in range(len(ones))]
            pairs = len(ones) * (len(ones) - 1) / 2
        else:
            ones = [p for p, s in zip(frame.positions, frame.species) if s == pair[0]]
            others = [p for p, s in zip(frame.positions, frame.species) if s == pair[1]]
            partners = [others] * len(ones)
            pairs = len(ones) * len(others)
        ideal += pairs / (lx * ly * lz)
        limit, scale = furthest * furthest, bins / furthest
        for (xi, yi, zi), others in zip(ones, partners):
            for x, y, z in others:
                dx = abs(x - xi)
                if dx > hx:
                    dx = lx - dx
                if dx < furthest:
                    dy = abs(y - yi)
                    if dy > hy:
                        dy = ly - dy
                    dz = abs(z - zi)
                    if dz > hz:
                        dz = lz - dz
                    square = dx * dx + dy * dy + dz * dz
                    if square < limit:
                        counts[int(math.sqrt(square) * scale)] += 1
    width = furthest / bins
    shell = [4 / 3 * math.pi * width**3 * ((i + 1) ** 3 - i**3) for i in range(bins)]
    return [(i + 0.5) * width for i in range(bins)], [counts[i] / (ideal * shell[i]) for i in range(bins)]


def parabola(x, y):
    """Returns x and y of the top of a parabola that fits points at equal distances in x, by least squares."""
    n, middle = len(x), (len(x) - 1) / 2
    steps = [i - middle for i in range(n)]
    second, fourth = sum(t**2 for t in steps), sum(t**4 for t in steps)
    b = sum(t * v for t, v in zip(steps, y)) / second
    c = (sum(t**2 * v for t, v in zip(steps, y)) - second / n * sum(y)) / (fourth - second**2 / n)
    a = (sum(y) - c * second) / n
    if c >= 0:
        return math.nan, math.nan
    top = -b / (2 * c)
    return x[0] + (middle + top) * (x[1] - x[0]), a + b * top / 2


def peak(x, y, low, high):
    """Returns x and y of a sharp maximum with low <= x <= high, from a fit to the five points around it."""
    top = max((i for i in range(2, len(x) - 2) if low <= x[i] <= high), key=lambda i: y[i])
    return parabola(x[top - 2:top + 3], y[top - 2:top + 3])


def broad_peak(x, y, low, high):
    """Returns x and y of a broad maximum, from a fit to all points with low <= x <= high."""
    inside = [i for i in range(len(x)) if low <= x[i] <= high]
    return parabola([x[i] for i in inside], [y[i] for i in inside])


def mean_square_displacement(frames, lags):
    """Returns <|r(t + lag) - r(t)|^2>, averaged over atoms and all times t: the lags in units of time, and the values.

    `frames` are equidistant in time, and `lags` is the number of lags. The drift of the center of mass is not
    subtracted.
    """
    frames = list(frames)
    places = [frame.unwrapped() for frame in frames]
    step = frames[1].time - frames[0].time
    times, values = [], []
    for lag in range(1, lags + 1):
        total = 0.0
        for early, late in zip(places, places[lag:]):
            total += sum((x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2 for (x, y, z), (u, v, w) in zip(late, early))
        times.append(lag * step)
        values.append(total / (len(places) - lag) / len(places[0]))
    return times, values


def line(x, y):
    """Returns offset and slope of a straight line that fits the points by least squares."""
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)
    return mean_y - slope * mean_x, slope
