#!/usr/bin/env python3
"""Tests energies and stresses of single atoms, and pressures of terms, in runs: by_atom_test.py TESSERA CASE.toml"""

import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TESSERA, CASE = map(os.path.abspath, sys.argv[1:3])
TENSOR = ("xx", "yy", "zz", "xy", "xz", "yz")


class ByAtomTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "case.toml").write_text(pathlib.Path(CASE).read_text())

    def run_case(self, out, *more):
        done = subprocess.run([TESSERA, "run", "case.toml", "--backend", "serial", "--out", out,
                               "--set", "run.steps=20", "--set", "trajectory.every=10", *more],
                              cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def frames(self, out):
        text = (self.folder / out / "trajectory.xyz").read_text()
        return [frame.splitlines()[1:] for frame in re.split("^500$", text, flags=re.M)[1:]]

    def rows(self, out):
        with open(self.folder / out / "thermo.csv", newline="", encoding="utf-8") as file:
            return {int(row["step"]): row for row in csv.DictReader(file)}

    def test_columns_of_frames_add_up_to_the_rows_of_thermo(self):
        self.run_case("out", "--set", "trajectory.energies=true", "--set", "trajectory.stresses=true", "--set",
                      "thermo.every=10", "--set", "trajectory.images=false")
        rows = self.rows("out")
        frames = self.frames("out")
        self.assertEqual(len(frames), 3)
        for frame in frames:
            self.assertIn("Properties=species:S:1:pos:R:3:energies:R:1:stress_volume:R:6:id:I:1 ", frame[0])
            row = rows[int(re.search(r"Step=(\d+)", frame[0])[1])]
            length = [float(x) for x in re.search(r'Lattice="([^"]*)"', frame[0])[1].split()][0::4]
            volume = length[0] * length[1] * length[2]
            atoms = [[float(x) for x in line.split()[4:11]] for line in frame[1:]]
            self.assertEqual(len(atoms), 500)
            potential = float(row["potential_energy [epsilon]"])
            self.assertAlmostEqual(sum(atom[0] for atom in atoms), potential, delta=1e-11 * abs(potential))
            for c, name in enumerate(TENSOR):
                pressure = float(row[f"pressure_{name} [epsilon/sigma^3]"])
                self.assertAlmostEqual(-sum(atom[1 + c] for atom in atoms) / volume, pressure, delta=1e-10)

    def test_a_frame_with_them_is_read_back_without_a_word(self):
        self.run_case("out", "--set", "trajectory.energies=true", "--set", "trajectory.stresses=true")
        (self.folder / "case.toml").write_text(
            '[system]\nfile = "out/trajectory.xyz"\nframe = -1\n[pair]\ncutoff = 2.5\n[[pair.coefficients]]\n'
            'types = [1, 1]\nepsilon = 1\nsigma = 1\n[run]\nsteps = 0\n')
        self.run_case("again")

    def test_one_of_them_alone_and_none(self):
        self.run_case("energies", "--set", "trajectory.energies=true")
        self.run_case("stresses", "--set", "trajectory.stresses=true")
        self.run_case("none")
        self.assertIn(":energies:R:1:id:I:1 ", self.frames("energies")[0][0])
        self.assertIn(":stress_volume:R:6:id:I:1 ", self.frames("stresses")[0][0])
        self.assertNotIn("energies", self.frames("none")[0][0])
        # The run itself is not affected.
        self.assertEqual(self.rows("energies"), self.rows("none"))

    def test_pressures_of_terms_are_columns_where_they_are_asked_for(self):
        self.run_case("out", "--set", "thermo.term_pressures=true")
        self.run_case("none")
        row = self.rows("out")[20]
        kinetic = 2 / 3 * float(row["kinetic_energy [epsilon]"])
        summary = json.loads((self.folder / "out/summary.json").read_text())
        lengths = summary["box"]["length"]
        volume = lengths[0] * lengths[1] * lengths[2]
        self.assertAlmostEqual(float(row["pressure_pair [epsilon/sigma^3]"]) + kinetic / volume,
                               float(row["pressure [epsilon/sigma^3]"]), delta=1e-12)
        for name in TENSOR:
            self.assertEqual(summary["final"]["pressure_of_terms"]["pair"][name],
                             float(row[f"pressure_pair_{name} [epsilon/sigma^3]"]))
        self.assertNotIn("pressure_pair [epsilon/sigma^3]", self.rows("none")[20])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
