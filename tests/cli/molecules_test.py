#!/usr/bin/env python3
"""Molecules and open systems in whole runs: molecules_test.py TESSERA FOLDER"""

import csv
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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
