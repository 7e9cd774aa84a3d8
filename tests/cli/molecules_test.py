#!/usr/bin/env python3
"""Molecules and open systems in whole runs: molecules_test.py TESSERA FOLDER"""

import csv
import itertools
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TESSERA, CASES = map(os.path.abspath, sys.argv[1:3])


def lennard_jones(epsilon, sigma, r):
    return 4 * epsilon * ((sigma / r)**12 - (sigma / r)**6)


class MoleculesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "cases"
        shutil.copytree(CASES, self.folder)

    def tessera(self, *arguments):
        return subprocess.run([TESSERA, *arguments], cwd=self.folder, capture_output=True, text=True)

    def run_case(self, case, *more, says=(), out="out"):
        done = self.tessera("run", case, "--out", out, "--overwrite", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), len(says), done.stderr)
        for line, words in zip(lines, says):
            self.assertIn(words, line)
        return done.stdout

    def refused(self, words, case, *more):
        done = self.tessera("run", case, "--out", "refused", *more)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertFalse((self.folder / "refused").exists())

    def rows(self, out="out"):
        with open(self.folder / out / "thermo.csv", newline="", encoding="utf-8") as file:
            return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]

    def test_a_scaled_pair_flies_beyond_half_of_the_box(self):
        for precision in ("double", "mixed", "single"):
            self.run_case("scaled_pair_flies.toml", "--precision", precision)
            rows = {row["step"]: row for row in self.rows()}
            self.assertEqual(len(rows), 9)
            apart = [rows[step]["total_energy [epsilon]"] for step in range(500, 3001, 500)]
            expected = 0.5 + 0.5 * (lennard_jones(1, 1, 2) - lennard_jones(1, 1, 2.5))
            for step, energy in zip(range(500, 3001, 500), apart):
                self.assertEqual(rows[step]["potential_energy [epsilon]"], 0)
                self.assertAlmostEqual(energy, expected, delta=1e-4)
                self.assertAlmostEqual(energy, apart[0], delta=1e-12 if precision == "double" else 1e-6)

    def test_a_molecule_without_a_cell_is_an_open_system(self):
        self.run_case("molecule_without_cell.toml", says=["no cell along x, y, z"])
        lines = (self.folder / "molecule_without_cell.xyz").read_text().splitlines()[2:]
        atoms = [(line.split()[0], [float(x) for x in line.split()[1:]]) for line in lines]
        sigma = {"C": 3.4, "H": 2.4}
        energy = sum(lennard_jones(0.01, math.sqrt(sigma[a] * sigma[b]), math.dist(x, y))
                     for (a, x), (b, y) in itertools.combinations(atoms, 2))
        self.assertAlmostEqual(self.rows()[0]["potential_energy [eV]"] / energy, 1, delta=1e-12)
        self.assertEqual(json.loads((self.folder / "out/summary.json").read_text())["box"]["periodic"], [False] * 3)
        # The file alone says so too, and a case that wants it to repeat is refused.
        text = (self.folder / "molecule_without_cell.toml").read_text()
        (self.folder / "other.toml").write_text(text.replace("periodic=[false,false,false]\n", ""))
        self.run_case("other.toml", says=["no cell along x, y, z"])
        self.refused("no vector a on the comment line", "molecule_without_cell.toml", "--set",
                     "system.periodic=[true, true, true]")

    def test_of_several_frames_the_last_is_taken_and_told(self):
        first = (self.folder / "molecule_without_cell.xyz").read_text()
        second = first.replace("0.62911800", "0.62911801")
        (self.folder / "molecule_without_cell.xyz").write_text(first + second)
        open_system, last = "no cell along x, y, z", "the last of 2 frames is taken; `frame` picks another"
        self.run_case("molecule_without_cell.toml", says=[last, open_system], out="told")
        for frame in (0, 1, -1):
            self.run_case("molecule_without_cell.toml", "--set", f"system.frame={frame}", says=[open_system],
                          out=f"frame{frame}")
        told, *picked = (self.rows(out)[0]["potential_energy [eV]"] for out in ("told", "frame0", "frame1", "frame-1"))
        self.assertNotEqual(picked[0], told)
        self.assertEqual(picked[1:], [told, told])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
