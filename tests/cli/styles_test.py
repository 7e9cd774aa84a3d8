#!/usr/bin/env python3
"""Tests potentials of single pairs of types in cases: styles_test.py TESSERA DATA_FILE"""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TESSERA, DATA = map(os.path.abspath, sys.argv[1:3])

LIKE = """[[pair.coefficients]]
types = ["A", "A"]
epsilon = 1.0
sigma = 1.0
"""
UNLIKE = """[[pair.coefficients]]
types = ["A", "B"]
style = "morse"
d0 = 1.1
alpha = 5.0
r0 = 1.0
cutoff = 2.2
"""
SUM = """[[pair.coefficients]]
types = ["B", "B"]
style = "mie/cut+morse"
epsilon = 0.5
sigma = 0.88
repulsive = 14
attractive = 7
d0 = 0.3
alpha = 4.0
r0 = 0.95
cutoff = 2.2
morse_cutoff = 1.9
"""
CASE = f"""units = "lj"
precision = "double"
[system]
file = "{DATA}"
[pair]
style = "lj/cut"
cutoff = 2.5
{LIKE}{UNLIKE}{SUM}[run]
steps = 0
time_step = 0.005
"""


class StylesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_case(self, case):
        (self.folder / "case.toml").write_text(case)
        return subprocess.run([TESSERA, "run", "case.toml", "--out", "out"], cwd=self.folder, capture_output=True,
                              text=True)

    def test_energy_and_pressure_are_those_of_lammps(self):
        done = self.run_case(CASE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with open(self.folder / "out/thermo.csv", newline="", encoding="utf-8") as file:
            row = {key.split()[0]: float(value) for key, value in next(csv.DictReader(file)).items()}
        # LAMMPS 22 Jul 2025: pair_style hybrid/overlay lj/cut 2.5 morse 2.5 mie/cut 2.5; forces agree to 2e-13.
        expected = {"potential_energy": -549.2188376934914, "pressure_xx": 43.32855641441439,
                    "pressure_yy": 42.976522733715235, "pressure_zz": 42.76105319200642}
        for name, value in expected.items():
            self.assertAlmostEqual(row[name] / value, 1, delta=1e-12, msg=name)
        for name, value in {"pressure_xy": 0.0027175682287074346, "pressure_xz": -0.004024133329782618,
                            "pressure_yz": -0.0031643061392290233}.items():
            self.assertAlmostEqual(row[name], value, delta=1e-11, msg=name)

    def test_the_style_of_all_pairs_may_be_named_again(self):
        plain = CASE.replace(UNLIKE, "").replace(SUM, SUM.split("style")[0] + "epsilon = 0.5\nsigma = 0.88\n")
        self.assertEqual(self.run_case(plain).returncode, 0)
        before = (self.folder / "out/thermo.csv").read_text()
        named = plain.replace('types = ["B", "B"]\n', 'types = ["B", "B"]\nstyle = "lj/cut"\n')
        self.assertNotEqual(named, plain)
        (self.folder / "named.toml").write_text(named)
        done = subprocess.run([TESSERA, "run", "named.toml", "--out", "again"], cwd=self.folder, capture_output=True,
                              text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((self.folder / "again/thermo.csv").read_text(), before)

    def test_errors(self):
        cases = [
            (CASE.replace('types = ["B", "B"]', 'types = ["A", "B"]'),
             'case.toml:19: pair.coefficients.style = "mie/cut+morse": the pair has the style "morse" in line 12, '
             "expected one potential for each pair of types (a sum is one)"),
            (CASE.replace(UNLIKE, ""),
             "case.toml:5: pair.coefficients: no potential for types A and B, expected coefficients: those of like "
             "pairs mix only where both have pair.style"),
            (CASE.replace('"morse"', '"morse+coul/cut"'),
             """case.toml:5: pair.style = "lj/cut": 'lj/cut+morse+mie/cut+coul/cut' reads charges, which the atoms """
             "do not have"),
            (CASE.replace('"morse"', '"morze"'), "did you mean 'morse'?"),
            (CASE.replace("d0 = 1.1", "epsilon = 1.1"),
             "pair.coefficients.epsilon: unknown key, expected one of types, style, d0, alpha, r0, cutoff, shift"),
            (CASE.replace("alpha = 5.0\n", ""), "pair.coefficients.alpha: missing key"),
        ]
        for case, message in cases:
            with self.subTest(message=message):
                self.assertNotEqual(case, CASE)
                done = self.run_case(case)
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn(message, done.stderr)
                self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
