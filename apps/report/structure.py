"""Pair distances and density profiles of frames: any box, periodic along any of its vectors.

Pairs are counted around centres: all atoms, or an evenly spaced selection where all would take too long. With NumPy the
neighbors of a centre come from a cell list. Without it the distances to all atoms are computed, for fewer centres.
"""
from __future__ import annotations

import itertools
import math
from array import array

try:
    import numpy as np
except ImportError:
    np = None

# Limit on the number of computed distances in all frames together, a few seconds of work.
MOST_DISTANCES = 150_000_000 if np else 3_000_000
MOST_TYPES_APART = 3
PILOTS = 20


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


class Cell:
    """The box of a frame."""

    def __init__(self, frame):
        self.vectors = frame.lattice
        self.origin = frame.origin
        self.periodic = frame.periodic
        a, b, c = frame.lattice
        self.volume = abs(dot(a, cross(b, c)))
        self.valid = 0 < self.volume < math.inf
        if self.valid:
            turn = dot(a, cross(b, c))
            # Rows of the inverse of the matrix of box vectors: their products with a position are its fractional
            # coordinates.
            self.reciprocal = [tuple(v / turn for v in cross(*pair)) for pair in ((b, c), (c, a), (a, b))]
            squares = [dot(r, r) for r in self.reciprocal]
            self.valid = all(0 < square < math.inf for square in squares)
        if self.valid:
            self.widths = [1 / math.sqrt(square) for square in squares]  # distances between opposite faces

    def fractions(self, frame, axis):
        """Fractional coordinates of the atoms along one box vector, wrapped into [0, 1) where it is periodic."""
        r, o = self.reciprocal[axis], self.origin
        values = [(x - o[0]) * r[0] + (y - o[1]) * r[1] + (z - o[2]) * r[2]
                  for x, y, z in zip(frame.x, frame.y, frame.z)]
        return [v - math.floor(v) for v in values] if self.periodic[axis] else values

    def longest_distance(self):
        """Largest distance at which only one image of an atom can be a neighbor: half the smallest periodic width."""
        widths = [w for w, periodic in zip(self.widths, self.periodic) if periodic]
        return 0.5 * min(widths) if widths else math.inf


def is_plane(frame, cell):
    """Whether the atoms lie in the x-y plane of a box that is open along z."""
    return not cell.periodic[2] and len(frame) > 0 and min(frame.z) == max(frame.z)


def evenly(count, most):
    """At most `most` integers from 0 to count - 1, evenly spaced."""
    if count <= most:
        return list(range(count))
    return [i * count // most for i in range(most)]


def squared_distances(frame, cell, centre):
    """Squared distances from the atom with index `centre` to the nearest image of each atom, itself included."""
    x0, y0, z0 = frame.x[centre], frame.y[centre], frame.z[centre]
    if np:
        d = np.stack([np.asarray(frame.x) - x0, np.asarray(frame.y) - y0, np.asarray(frame.z) - z0])
        for axis in range(3):
            if cell.periodic[axis]:
                turns = np.rint(np.tensordot(cell.reciprocal[axis], d, 1))
                d -= np.outer(cell.vectors[axis], turns)
        return (d * d).sum(axis=0)
    found = []
    active = [(cell.reciprocal[axis], cell.vectors[axis]) for axis in range(3) if cell.periodic[axis]]
    for x, y, z in zip(frame.x, frame.y, frame.z):
        x, y, z = x - x0, y - y0, z - z0
        for r, v in active:
            if turns := round(x * r[0] + y * r[1] + z * r[2]):
                x, y, z = x - turns * v[0], y - turns * v[1], z - turns * v[2]
        found.append(x * x + y * y + z * z)
    return found


def choose_bins(frame, cell):
    """(largest distance, number of bins) of the pair distribution: a range of several shells of neighbors, and bins
    that resolve the shortest distance; None where no two atoms are apart."""
    nearest, twelfth = [], []
    for centre in evenly(len(frame), max(3, min(PILOTS, MOST_DISTANCES // (20 * len(frame))))):
        found = sorted(v for v in squared_distances(frame, cell, centre) if v > 0)
        if found:
            nearest.append(math.sqrt(found[0]))
            twelfth.append(math.sqrt(found[min(11, len(found) - 1)]))
    if not nearest:
        return None
    r_max = min(3.5 * sorted(twelfth)[len(twelfth) // 2], cell.longest_distance())
    bins = math.ceil(40 * r_max / min(nearest))
    return r_max, max(50, min(400, bins))


class PairCounts:
    """Numbers of ordered pairs by type of the centre, type of the other atom, and bin of the distance."""

    def __init__(self, types, r_max, bins):
        self.types, self.r_max, self.bins = types, r_max, bins
        self.counts = [[[0] * bins for _ in range(types)] for _ in range(types)]

    def types_of(self, frame):
        """The types of the frame, or one type for all atoms."""
        return frame.types if self.types > 1 else array("i", bytes(4 * len(frame)))

    def add_plain(self, frame, cell, centres):
        scale, limit = self.bins / self.r_max, self.r_max**2
        types = self.types_of(frame)
        for centre in centres:
            rows = self.counts[types[centre]]
            for other, squared in enumerate(squared_distances(frame, cell, centre)):
                if squared < limit and other != centre:
                    rows[types[other]][min(self.bins - 1, int(math.sqrt(squared) * scale))] += 1

    def add_by_cells(self, cells, centres):
        frame, positions = cells.frame, cells.positions
        types = np.asarray(self.types_of(frame))
        is_centre = np.zeros(len(frame), bool)
        is_centre[centres] = True
        total = np.zeros(self.types**2 * self.bins, np.int64)
        for home in np.unique(cells.number[is_centre]):
            inside = cells.atoms_in(home)
            inside = inside[is_centre[inside]]
            others, shifts = cells.around(home)
            p = positions[others] + shifts
            step = max(1, 2_000_000 // len(others))
            for start in range(0, len(inside), step):
                some = inside[start:start + step]
                squared = sum((positions[some, k][:, None] - p[:, k][None]) ** 2 for k in range(3))
                a, b = np.nonzero(squared < self.r_max**2)
                bin_ = np.minimum((np.sqrt(squared[a, b]) * (self.bins / self.r_max)).astype(np.int64), self.bins - 1)
                code = (types[some][a] * self.types + types[others][b]) * self.bins + bin_
                total += np.bincount(code, minlength=len(total))
        total = total.reshape(self.types, self.types, self.bins)
        for a in range(self.types):
            total[a, a, 0] -= np.count_nonzero(types[centres] == a)  # each centre was counted as its neighbor
            for b in range(self.types):
                self.counts[a][b] = [old + int(new) for old, new in zip(self.counts[a][b], total[a, b])]

    def add(self, frame, cell, most_distances):
        """Counts pairs of a frame around as many centres as need about `most_distances` distances; returns them."""
        if not np:
            centres = evenly(len(frame), max(1, int(most_distances / len(frame))))
            self.add_plain(frame, cell, centres)
            return centres
        cells = CellList(frame, cell, self.r_max)
        centres = evenly(len(frame), max(1, int(most_distances / cells.distances_of_a_centre())))
        self.add_by_cells(cells, centres)
        return centres


class CellList:
    """The atoms of a frame by cell. A cell is at least `reach`, the largest distance of a pair, wide (needs NumPy)."""

    MOST_CELLS_ALONG = 100

    def __init__(self, frame, cell, reach):
        self.frame, self.cell = frame, cell
        self.vectors = np.array(cell.vectors)
        self.positions = np.array([frame.x, frame.y, frame.z]).T - np.array(cell.origin)
        fractions = self.positions @ np.array(cell.reciprocal).T
        self.shape, places = [], []
        for axis in range(3):
            s, low, extent = fractions[:, axis], 0.0, 1.0
            if cell.periodic[axis]:
                turns = np.floor(s)
                self.positions -= np.outer(turns, self.vectors[axis])
                s = s - turns
            else:
                low, extent = s.min(), max(s.max() - s.min(), 1e-12)
            count = int(min(max(1, extent * cell.widths[axis] // reach), self.MOST_CELLS_ALONG))
            self.shape.append(count)
            places.append(np.clip(((s - low) / extent * count).astype(np.int64), 0, count - 1))
        self.number = (places[0] * self.shape[1] + places[1]) * self.shape[2] + places[2]
        self.order = np.argsort(self.number, kind="stable")
        self.bounds = np.searchsorted(self.number[self.order], np.arange(math.prod(self.shape) + 1))

    def atoms_in(self, number):
        return self.order[self.bounds[number]:self.bounds[number + 1]]

    def around(self, home):
        """Indices of the atoms in a cell and in the cells around it, and the shift of each to its image there."""
        shape = self.shape
        i, j, k = home // (shape[1] * shape[2]), home // shape[2] % shape[1], home % shape[2]
        others, shifts = [], []
        for step in itertools.product((-1, 0, 1), repeat=3):
            place, shift = [], np.zeros(3)
            for axis, at in enumerate((i + step[0], j + step[1], k + step[2])):
                turns = at // shape[axis]
                if turns and not self.cell.periodic[axis]:
                    break
                shift = shift + turns * self.vectors[axis]
                place.append(at - turns * shape[axis])
            else:
                found = self.atoms_in((place[0] * shape[1] + place[1]) * shape[2] + place[2])
                others.append(found)
                shifts.append(np.broadcast_to(shift, (len(found), 3)))
        return np.concatenate(others), np.concatenate(shifts)

    def distances_of_a_centre(self):
        """Estimated number of distances for a centre: an average over atoms, which are mostly in crowded cells."""
        inside = np.diff(self.bounds).astype(float)
        return 27 * (inside**2).sum() / len(self.frame)


def shell_volumes(r_max, bins, plane):
    width = r_max / bins
    if plane:
        return [math.pi * width**2 * ((k + 1) ** 2 - k**2) for k in range(bins)]
    return [4 / 3 * math.pi * width**3 * ((k + 1) ** 3 - k**3) for k in range(bins)]


class PairDistribution:
    """g(r) where the box is periodic in all directions. Otherwise the density of neighbors as a function of distance,
    because an open box has no bulk density to divide it by."""

    def __init__(self, frames, r_max, bins, types):
        self.r = [(k + 0.5) * r_max / bins for k in range(bins)]
        self.r_max = r_max
        last = frames[-1]
        cell = Cell(last)
        self.plane = is_plane(last, cell)
        self.normalised = all(cell.periodic[:2]) if self.plane else all(cell.periodic)
        shells = shell_volumes(r_max, bins, self.plane)
        self.centres = 0
        expected = [[0.0] * types for _ in range(types)]  # expected number of pairs per unit of volume of a shell
        self.counts = PairCounts(types, r_max, bins)
        for frame in frames:
            cell = Cell(frame)
            centres = self.counts.add(frame, cell, MOST_DISTANCES / len(frames))
            self.centres += len(centres)
            volume = cell.volume / cell.widths[2] if self.plane else cell.volume
            kinds = self.counts.types_of(frame)
            number = [kinds.count(t) for t in range(types)]
            of_type = [0] * types
            for centre in centres:
                of_type[kinds[centre]] += 1
            for a in range(types):
                for b in range(types):
                    expected[a][b] += of_type[a] * (number[b] / volume if self.normalised else 1.0)
        counts = self.counts.counts
        sums = [sum(counts[a][b][k] for a in range(types) for b in range(types)) for k in range(bins)]
        if self.normalised:
            of_all = sum(map(sum, expected))
        else:
            of_all = float(self.centres)
        self.total = [n / (of_all * v) for n, v in zip(sums, shells)]
        self.neighbours, inside = [], 0
        for n in sums:
            inside += n
            self.neighbours.append(inside / self.centres)
        self.pairs = {}
        if types > 1 and self.normalised:
            for a in range(types):
                for b in range(a, types):
                    if expected[a][b] + expected[b][a] == 0:
                        continue
                    both = expected[a][b] + (expected[b][a] if a != b else 0)
                    self.pairs[a, b] = [(n + (m if a != b else 0)) / (both * v)
                                        for n, m, v in zip(counts[a][b], counts[b][a], shells)]

    def peak(self):
        k = max(range(len(self.total)), key=self.total.__getitem__)
        return self.r[k], self.total[k]


def pair_distribution(frames):
    """The PairDistribution of frames that have the same types; None where no two atoms have different positions."""
    cell = Cell(frames[-1])
    bins = choose_bins(frames[-1], cell) if cell.valid and len(frames[-1]) > 1 else None
    if bins is None:
        return None
    types = len(frames[-1].names)
    return PairDistribution(frames, *bins, types if types <= MOST_TYPES_APART else 1)


def same_names(frames):
    """The frames whose types have the same names as those of the last frame, with types renumbered as there."""
    names = frames[-1].names
    found = []
    for frame in frames:
        if sorted(frame.names) != sorted(names):
            continue
        if frame.names != names:
            new = [names.index(name) for name in frame.names]
            for i, t in enumerate(frame.types):
                frame.types[i] = new[t]
            frame.names = names
        found.append(frame)
    return found


def histogram(values, low, width, bins):
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, max(0, int((value - low) / width)))] += 1
    return counts


def profile_bins(frames):
    return max(10, min(100, len(frames[-1]) * len(frames) // 200))


def slab_profile(frames, axis):
    """(positions, density, by_volume): profile along the normal of the faces that box vector `axis` connects.
    Where by_volume is true, the density is a number of atoms per volume, or per area of a plane. Where the box is open
    along another vector, a slab has no volume, and the density is per length."""
    bins = profile_bins(frames)
    cell = Cell(frames[-1])
    plane = is_plane(frames[-1], cell)
    others = [a for a in range(3) if a != axis and not (plane and a == 2)]
    by_volume = all(cell.periodic[a] for a in others)
    fractions = [Cell(frame).fractions(frame, axis) for frame in frames]
    if cell.periodic[axis]:
        low, high = 0.0, 1.0
    else:
        low, high = min(map(min, fractions)), max(map(max, fractions))
        if high == low:
            return None
    width = (high - low) / bins
    density = [0.0] * bins
    for frame, values in zip(frames, fractions):
        own = Cell(frame)
        volume = own.volume / (own.widths[2] if plane else 1)
        slab = volume * width if by_volume else own.widths[axis] * width
        for k, n in enumerate(histogram(values, low, width, bins)):
            density[k] += n / (slab * len(frames))
    places = [(low + (k + 0.5) * width) * cell.widths[axis] for k in range(bins)]
    return places, density, by_volume


def radial_profile(frames):
    """(distances, density) around the mean position of the atoms, for a box that is open in all directions."""
    # Fewer bins than a slab profile has, because inner shells are small.
    bins = max(10, min(60, int(1.5 * (len(frames[-1]) * len(frames)) ** (1 / 3))))
    distances = []
    for frame in frames:
        n = len(frame)
        x0, y0, z0 = (math.fsum(v) / n for v in (frame.x, frame.y, frame.z))
        distances.append([math.sqrt((x - x0) ** 2 + (y - y0) ** 2 + (z - z0) ** 2)
                          for x, y, z in zip(frame.x, frame.y, frame.z)])
    r_max = max(map(max, distances))
    if r_max == 0:
        return None
    shells = shell_volumes(r_max, bins, is_plane(frames[-1], Cell(frames[-1])))
    counts = [0] * bins
    for values in distances:
        for k, n in enumerate(histogram(values, 0.0, r_max / bins, bins)):
            counts[k] += n
    return ([(k + 0.5) * r_max / bins for k in range(bins)],
            [n / (v * len(frames)) for n, v in zip(counts, shells)])
