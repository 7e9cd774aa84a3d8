#!/usr/bin/env python3
"""Compares numbers of tessera-report with closed forms and plain counting: numbers_test.py

Needs NumPy. Compares errors of averages with those of correlated series with known errors, drifts with known lines,
g(r) with the shells of crystals and with pairs that are counted one by one, and densities with known profiles.
"""

import math
import pathlib
import random
import resource
import sys
import tempfile
import time
import unittest
from array import array

import numpy as np

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "apps"))
from report import averages, csv_table, structure, text, thermo, trajectory, tuning  # noqa: E402
from report.structure_section import structure_section  # noqa: E402


def frame_of(positions, lattice, periodic=(True, True, True), types=None, names=("A",), origin=(0, 0, 0), step=0):
    x, y, z = (array("d", np.asarray(positions)[:, k].tolist()) for k in range(3))
    types = array("i", [0] * len(x)) if types is None else array("i", [int(t) for t in types])
    return trajectory.Frame(step, tuple(tuple(map(float, v)) for v in lattice), tuple(map(float, origin)),
                            tuple(periodic), list(names), types, x, y, z)


def xyz_of(positions, lattice, step, species=None, comment=""):
    rows = "".join(f"{'A' if species is None else species[i]} {x!r} {y!r} {z!r} {i + 1}\n"
                   for i, (x, y, z) in enumerate(np.asarray(positions).tolist()))
    cell = " ".join(repr(float(v)) for row in lattice for v in row)
    return (f'{len(positions)}\nLattice="{cell}" Origin="0 0 0" pbc="T T T" '
            f"Properties=species:S:1:pos:R:3:id:I:1 Step={step} Time=0.0{comment}\n{rows}")


def correlated(count, memory, rng):
    """Returns a series with mean 0 and variance 1, in which the correlation of two values is memory^distance."""
    values = [rng.gauss(0, 1)]
    for _ in range(count - 1):
        values.append(memory * values[-1] + math.sqrt(1 - memory**2) * rng.gauss(0, 1))
    return values


class Averages(unittest.TestCase):
    def test_errors_of_correlated_series(self):
        """With the memory a, the squared error is (1 + a) / (1 - a) / n; the mean of most series is within two
        errors."""
        for memory in (0.0, 0.5, 0.9):
            rng = random.Random(7)
            count, tries = 8192, 60
            found = [averages.average(correlated(count, memory, rng)) for _ in range(tries)]
            expected = (1 + memory) / (1 - memory) / count
            mean_square = sum(a.error**2 for a in found) / tries
            self.assertAlmostEqual(mean_square / expected, 1, delta=0.15, msg=memory)
            within = sum(abs(a.mean) < 2 * a.error for a in found) / tries
            self.assertGreater(within, 0.85, memory)
            self.assertFalse(any(a.at_least for a in found), memory)
            for a in found:
                self.assertAlmostEqual(a.deviation, 1, delta=0.4)

    def test_too_long_a_correlation_gives_a_lower_bound(self):
        rng = random.Random(3)
        found = [averages.average(correlated(64, 0.995, rng)) for _ in range(20)]
        self.assertGreater(sum(a.at_least for a in found), 15)

    def test_few_and_equal_values(self):
        self.assertIsNone(averages.average([1.0] * 7).error)
        self.assertIsNone(averages.average([1.0]).error)
        constant = averages.average([0.1] * 100)
        self.assertAlmostEqual(constant.mean, 0.1)
        self.assertLess(constant.error, 1e-16)

    def test_blocks(self):
        """Errors from blocks of two values equal those computed by hand."""
        levels = averages.block_errors([1, 3, 5, 7, 100])
        self.assertEqual([level[:2] for level in levels], [(1, 5), (2, 2)])
        self.assertAlmostEqual(levels[1][2], math.sqrt(((2 - 4)**2 + (6 - 4)**2) / 1 / 2))

    def test_drift_of_a_line(self):
        steps = [10.0 * k for k in range(50)]
        drift = thermo.drift_of("total_energy", steps, [-200 + 0.003 * s for s in steps])
        self.assertAlmostEqual(drift.slope, 0.003, delta=1e-14)
        mean = -200 + 0.003 * 245
        self.assertAlmostEqual(drift.relative, 0.003 * 490 / abs(mean), delta=1e-13)
        self.assertLess(drift.rms, 1e-12)
        wave = [-200 + 0.003 * s + (1 if k % 2 else -1) for k, s in enumerate(steps)]
        self.assertAlmostEqual(thermo.drift_of("", steps, wave).rms, 1, delta=0.01)
        holes = [math.nan if k % 3 else e for k, e in enumerate([2 * s for s in steps])]
        self.assertAlmostEqual(thermo.drift_of("", steps, holes).slope, 2)
        self.assertIsNone(thermo.drift_of("", [5.0], [1.0]))

    def test_still_changes(self):
        rng = random.Random(5)
        noise = [rng.gauss(0, 1) for _ in range(400)]
        self.assertFalse(averages.still_changes(noise))
        self.assertTrue(averages.still_changes([v + 0.005 * k for k, v in enumerate(noise)]))

    def test_quantiles(self):
        rng = random.Random(1)
        values = [rng.random() for _ in range(21)]
        for share in (0, 0.25, 0.5, 0.8, 1):
            self.assertAlmostEqual(tuning.quantile(values, share), np.quantile(values, share))

    def test_texts(self):
        self.assertEqual(text.with_error(0.71034, 0.0042), "0.7103 ± 0.0042")
        self.assertEqual(text.with_error(-18485.2, 12.3), "−18485 ± 12")
        self.assertEqual(text.with_error(2.5e-7, 3.1e-9), "(2.500 ± 0.031) × 10⁻⁷")
        self.assertEqual(text.number(1e8), "10⁸")
        self.assertEqual(text.number(-1.234567e-9, 3), "−1.23 × 10⁻⁹")
        self.assertEqual(text.pretty("epsilon/sigma^3"), "ε/σ³")
        self.assertEqual(text.pretty("kcal/mol"), "kcal/mol")


def fcc(cells, edge):
    basis = np.array([[0, 0, 0], [0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]])
    grid = np.stack(np.meshgrid(*[np.arange(cells)] * 3, indexing="ij"), -1).reshape(-1, 3)
    return edge * (grid[:, None] + basis[None]).reshape(-1, 3), edge * cells * np.eye(3)


def fcc_primitive(cells, edge):
    """Returns an fcc crystal in a box along its primitive vectors, which is strongly tilted."""
    vectors = edge * np.array([[0.5, 0.5, 0], [0, 0.5, 0.5], [0.5, 0, 0.5]])
    # As boxes of runs: the first along x, the second in the x-y plane.
    q, r = np.linalg.qr(vectors.T)
    vectors = (r * np.sign(np.diag(r))[:, None]).T
    grid = np.stack(np.meshgrid(*[np.arange(cells)] * 3, indexing="ij"), -1).reshape(-1, 3)
    return grid @ vectors, cells * vectors


# (distance / edge of the cubic cell, number of neighbors)
FCC_SHELLS = [(math.sqrt(0.5), 12), (1.0, 6), (math.sqrt(1.5), 24), (math.sqrt(2.0), 12)]


class Structure(unittest.TestCase):
    def count_shells(self, found, shells, edge):
        """Checks the number of neighbors in each shell, and that there are none between shells."""
        width = found.r_max / len(found.r)
        before = 0
        for distance, number in shells:
            if distance * edge > found.r_max - width:
                break
            k = min(len(found.r) - 1, int((distance * edge + 0.5 * width) / width))
            self.assertAlmostEqual(found.neighbours[k] - before, number, delta=1e-9, msg=distance)
            before = found.neighbours[k]

    def both_ways(self, frames):
        """Yields the pair distribution, computed with NumPy and without it."""
        yield structure.pair_distribution(frames)
        saved = structure.np
        structure.np = None
        try:
            yield structure.pair_distribution(frames)
        finally:
            structure.np = saved

    def test_shells_of_crystals(self):
        edge = 1.7
        for positions, lattice in (fcc(4, edge), fcc_primitive(7, edge)):
            shifted = positions + [0.31, -7.9, 23.4]  # over the faces, and outside of the box
            for found in self.both_ways([frame_of(shifted, lattice)]):
                self.assertGreater(found.r_max, math.sqrt(1.5) * edge)
                self.count_shells(found, FCC_SHELLS, edge)
                self.assertAlmostEqual(found.peak()[0], edge * math.sqrt(0.5), delta=found.r_max / len(found.r))

    def test_a_plane(self):
        """Atoms on squares in the plane: 4 neighbors at 1, 4 at sqrt 2, 4 at 2."""
        grid = np.stack(np.meshgrid(np.arange(12), np.arange(12), [0.0], indexing="ij"), -1).reshape(-1, 3)
        for found in self.both_ways([frame_of(grid, np.diag([12, 12, 1]), (True, True, False))]):
            self.assertTrue(found.plane and found.normalised)
            self.count_shells(found, [(1, 4), (math.sqrt(2), 4), (2, 4), (math.sqrt(5), 8)], 1)

    def test_pairs_counted_one_by_one(self):
        """Two types in a tilted box with an origin: every pair with all of its images."""
        rng = np.random.default_rng(11)
        lattice = np.array([[9.0, 0, 0], [2.5, 8.0, 0], [-3.1, 1.9, 10.0]])
        positions = rng.random((240, 3)) @ lattice + [1, 2, 3]
        types = rng.integers(0, 2, 240)
        frame = frame_of(positions, lattice, types=types, names=("Na", "Cl"), origin=(1, 2, 3))
        found = structure.PairDistribution([frame], 3.3, 60, 2)
        expected = np.zeros((2, 2, 60))
        for shift in np.stack(np.meshgrid(*[[-1, 0, 1]] * 3), -1).reshape(-1, 3):
            d = np.linalg.norm(positions[None] + shift @ lattice - positions[:, None], axis=2)
            for a in range(2):
                for b in range(2):
                    some = d[np.ix_(types == a, types == b)]
                    expected[a, b] += np.histogram(some[some > 0], 60, (0, 3.3))[0]
        volume = np.linalg.det(lattice)
        edges = np.linspace(0, 3.3, 61)
        shells = 4 / 3 * np.pi * np.diff(edges**3)
        self.assertEqual(found.counts.counts, expected.astype(int).tolist())
        np.testing.assert_allclose(found.total, expected.sum((0, 1)) / shells / 240 / (240 / volume), rtol=1e-12)
        n = [np.count_nonzero(types == t) for t in (0, 1)]
        np.testing.assert_allclose(found.pairs[0, 1], expected[0, 1] / shells / n[0] / (n[1] / volume), rtol=1e-12)
        np.testing.assert_allclose(found.pairs[1, 1], expected[1, 1] / shells / n[1] / (n[1] / volume), rtol=1e-12)
        np.testing.assert_allclose(found.neighbours, np.cumsum(expected.sum((0, 1))) / 240, rtol=1e-12)

    def test_an_ideal_gas(self):
        rng = np.random.default_rng(2)
        frames = [frame_of(20 * rng.random((4000, 3)), 20 * np.eye(3)) for _ in range(3)]
        found = structure.PairDistribution(frames, 4.0, 20, 1)
        np.testing.assert_allclose(found.total[3:], 1, atol=0.06)

    def test_fewer_centres(self):
        """A g(r) around a selection of the atoms is the same up to noise, and reports the number of selected atoms."""
        rng = np.random.default_rng(2)
        frame = frame_of(20 * rng.random((4000, 3)), 20 * np.eye(3))
        whole = structure.PairDistribution([frame], 4.0, 10, 1)
        saved = structure.MOST_DISTANCES
        structure.MOST_DISTANCES = 400_000
        try:
            some = structure.PairDistribution([frame], 4.0, 10, 1)
        finally:
            structure.MOST_DISTANCES = saved
        self.assertEqual(whole.centres, 4000)
        self.assertLess(some.centres, 2000)
        np.testing.assert_allclose(some.total[2:], whole.total[2:], atol=0.1)

    def test_an_open_box(self):
        """An open box has no bulk density: the distribution is not normalised, and counts all neighbors."""
        frame = frame_of([[0, 0, 0], [1, 0, 0], [50, 0, 0]], 100 * np.eye(3), (False, False, False))
        for found in self.both_ways([frame]):
            self.assertFalse(found.normalised)
            self.assertAlmostEqual(found.neighbours[-1], 2)
            self.assertAlmostEqual(found.neighbours[len(found.r) // 10], 2 / 3)
        with_one = frame_of([[0, 0, 0]], np.eye(3))
        self.assertIsNone(structure.pair_distribution([with_one]))

    def test_density_of_a_slab(self):
        """With atoms in a third of a tilted box, the density is three times the mean there and 0 elsewhere; its
        integral is the number of atoms."""
        rng = np.random.default_rng(4)
        lattice = np.array([[6.0, 0, 0], [1.5, 7.0, 0], [2.0, -1.0, 12.0]])
        s = rng.random((30000, 3))
        s[:, 2] = (s[:, 2] + 1) / 3
        frame = frame_of((s + [0, 5, -3]) @ lattice, lattice)
        volume = np.linalg.det(lattice)
        for axis in range(3):
            places, density, by_volume = structure.slab_profile([frame], axis)
            self.assertTrue(by_volume)
            width = structure.Cell(frame).widths[axis]
            self.assertAlmostEqual(sum(density) / len(density) * volume, 30000, delta=1e-6)
            for place, value in zip(places, density):
                share = place / width
                if axis < 2:
                    self.assertAlmostEqual(value * volume / 30000, 1, delta=0.25)
                elif abs(share - 0.5) < 0.15:
                    self.assertAlmostEqual(value * volume / 30000, 3, delta=0.5)
                elif abs(share - 0.5) > 0.18:
                    self.assertEqual(value, 0)

    def test_density_around_the_middle(self):
        """The radial profile of a uniform ball in an open box is constant inside."""
        rng = np.random.default_rng(9)
        ball = rng.normal(size=(40000, 3))
        ball *= (5 * rng.random(40000)**(1 / 3) / np.linalg.norm(ball, axis=1))[:, None]
        distances, density = structure.radial_profile([frame_of(ball + 30, 100 * np.eye(3), (False,) * 3)])
        expected = 40000 / (4 / 3 * np.pi * 125)
        for r, value in zip(distances, density):
            if 1.5 < r < 4.8:
                self.assertAlmostEqual(value / expected, 1, delta=0.2)


class Trajectories(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "trajectory.xyz"

    def write(self, *parts):
        self.path.write_text("".join(parts))

    def frames(self, count=5, atoms=6):
        rng = np.random.default_rng(1)
        self.positions = rng.random((count, atoms, 3)) * 9
        return [xyz_of(p, 9 * np.eye(3), 10 * k) for k, p in enumerate(self.positions)]

    def test_the_last_frames(self):
        self.write(*self.frames())
        found, notes = trajectory.last_frames(self.path, 3)
        self.assertEqual(([f.step for f in found], notes), ([20, 30, 40], []))
        for frame, expected in zip(found, self.positions[2:]):
            self.assertEqual(np.array([frame.x, frame.y, frame.z]).T.tolist(), expected.tolist())
        found, _ = trajectory.last_frames(self.path, 10)
        self.assertEqual([f.step for f in found], [0, 10, 20, 30, 40])
        found, _ = trajectory.last_frames(self.path, 10, 25)
        self.assertEqual([f.step for f in found], [30, 40])

    def test_blocks_of_any_length(self):
        """The start of a frame may lie across two blocks of the file that are read one after the other."""
        self.write(*self.frames(7, 3))
        saved = trajectory.BLOCK
        try:
            for length in range(20, 140, 7):
                trajectory.BLOCK = length
                found, notes = trajectory.last_frames(self.path, 7)
                self.assertEqual(([f.step for f in found], notes), ([0, 10, 20, 30, 40, 50, 60], []), length)
        finally:
            trajectory.BLOCK = saved

    def test_a_last_frame_that_is_not_complete(self):
        whole = self.frames()
        for cut in (1, 30, 200, len(whole[4]) - 3):
            self.write(*whole[:4], whole[4][:-cut])
            found, notes = trajectory.last_frames(self.path, 2)
            self.assertEqual([f.step for f in found], [20, 30], cut)
            if "Properties" in whole[4][:-cut]:
                self.assertIn("not complete", " ".join(notes), cut)

    def test_frames_that_cannot_be_read(self):
        whole = self.frames(2)
        for old, new, words in (('Lattice="9.0', 'Lattice="nine', "Lattice"), ("pos:R:3", "place:R:3", "Properties"),
                                ("\n6\n", "\nsix\n", "number of atoms"), ('pbc="T T T"', 'pbc="T"', "pbc"),
                                ("A ", "A nan ", "expected"), ('Lattice="9.0', 'Lattice="nan', "finite")):
            text_ = "".join(whole)
            at = text_.rindex(old) if old in text_ else None
            self.path.write_text(text_[:at] + new + text_[at + len(old):])
            found, notes = trajectory.last_frames(self.path, 2)
            self.assertEqual([f.step for f in found], [0], (old, notes))
            self.assertIn(words, " ".join(notes))
            self.assertIn("trajectory.xyz", " ".join(notes))

    def test_a_box_without_volume(self):
        self.write(self.frames(1)[0].replace("9.0 0.0 0.0 0.0 9.0", "9.0 0.0 0.0 9.0 0.0"))
        section, notes = structure_section(self.path, "", 3, None)
        self.assertTrue(section.empty())
        self.assertIn("no volume", " ".join(notes))

    def test_types_that_come_in_another_order(self):
        p = [[1, 1, 1], [2, 1, 1], [5, 5, 5]]
        self.write(xyz_of(p, 9 * np.eye(3), 0, "ABB"), xyz_of(p[::-1], 9 * np.eye(3), 1, "BBA"))
        frames, _ = trajectory.last_frames(self.path, 5)
        frames = structure.same_names(frames)
        self.assertEqual(len(frames), 2)
        self.assertEqual([[frame.names[t] for t in frame.types] for frame in frames], [list("ABB"), list("BBA")])

    def test_a_huge_file_in_little_memory(self):
        """The last frames of a sparse file of 4 GB are read with little memory and time."""
        rng = np.random.default_rng(1)
        with open(self.path, "wb") as file:
            file.seek(4 << 30)
            file.write(b"\n" + "".join(xyz_of(rng.random((2000, 3)) * 9, 9 * np.eye(3), k) for k in range(4)).encode())
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        begin = time.monotonic()
        found, _ = trajectory.last_frames(self.path, 3)
        self.assertEqual([f.step for f in found], [1, 2, 3])
        self.assertLess(time.monotonic() - begin, 20)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - used, 100 << 10)  # KiB

    def test_no_more_atoms_than_asked_for(self):
        self.write(*self.frames(5, 60))
        saved = trajectory.MOST_ATOMS_IN_ALL, trajectory.MOST_ATOMS
        try:
            trajectory.MOST_ATOMS_IN_ALL = 130
            self.assertEqual(len(trajectory.last_frames(self.path, 5)[0]), 2)
            trajectory.MOST_ATOMS = 50
            found, notes = trajectory.last_frames(self.path, 5)
            self.assertEqual(found, [])
            self.assertIn("60 atoms, more than", notes[0])
        finally:
            trajectory.MOST_ATOMS_IN_ALL, trajectory.MOST_ATOMS = saved


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "thermo.csv"

    def read(self, text_, columns=()):
        self.path.write_text(text_)
        return csv_table.read_table(self.path, columns)

    def test_rows(self):
        table = self.read("step,x [m]\n0,1.5\n10,nan\n20,-inf\n")
        self.assertEqual(list(table["step"]), [0, 10, 20])
        self.assertEqual((table.units["x"], table.unusable("x"), table.notes), ("m", 2, []))

    def test_rows_that_cannot_be_read_become_notes(self):
        table = self.read("step,x\n0,1\n1,two\n2\nnan,3\n4,5\n6,7")
        self.assertEqual(list(table["step"]), [0, 4])
        for words in ("line 3: x = 'two'", "line 4: 1 values, expected 2", "line 5: step",
                      "line 7: the row is not complete"):
            self.assertTrue(any(words in note for note in table.notes), (words, table.notes))
        self.assertEqual(len(self.read("step,x\n" + "bad\n" * 1000).notes), csv_table.MOST_NOTES + 1)
        for whole in ("", "step,x", "step,x\n"):
            self.assertEqual(len(self.read(whole)), 0)

    def test_names(self):
        table = self.read("step,name,path [m]\n1,qf,0.5\n2,3,1\n", ("name",))
        self.assertEqual((table["name"], list(table["path"])), (["qf", "3"], [0.5, 1]))

    def test_long_tables_are_thinned(self):
        saved = csv_table.MOST_ROWS
        csv_table.MOST_ROWS = 100
        try:
            table = self.read("step,x\n" + "".join(f"{k},{k * k}\n" for k in range(1000)))
        finally:
            csv_table.MOST_ROWS = saved
        self.assertLessEqual(len(table), 101)
        self.assertEqual((table["step"][0], table["step"][-1]), (0, 999))
        self.assertEqual([s * s for s in table["step"]], list(table["x"]))
        self.assertIn("1,000 rows; one in 16", table.notes[0])


if __name__ == "__main__":
    unittest.main()
