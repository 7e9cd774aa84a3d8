#!/usr/bin/env python3
"""Tests groups of atoms in runs: groups_test.py TESSERA CASE.toml"""

import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import restart_file

TESSERA, CASE = map(os.path.abspath, sys.argv[1:3])

# 500 atoms: a frozen wall of two layers, whose atoms are given by their ids.
GROUPS = """
[groups]
frozen = ["wall"]
excluded = [["wall", "wall"]]
energies = [["wall", "fluid"], ["fluid", "fluid"], ["all", "all"]]

[[groups.group]]
name = "wall"
ids = ["1:100"]

[[groups.group]]
name = "fluid"
ids = ["101:500"]
"""


class GroupsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.text = pathlib.Path(CASE).read_text()
        (self.folder / "case.toml").write_text(self.text + GROUPS)

    def tessera(self, *arguments):
        return subprocess.run([TESSERA, *arguments], cwd=self.folder, capture_output=True, text=True)

    def run_case(self, out, *more, steps=20, case="case.toml", says=""):
        done = self.tessera("run", case, "--backend", "serial", "--out", out, "--set", f"run.steps={steps}",
                            "--set", "restart.every=20", "--set", "trajectory.every=10", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        if says:
            self.assertIn(says, done.stderr)
        else:
            self.assertEqual(done.stderr, "")
        return done.stdout

    def rows(self, out):
        with open(self.folder / out / "thermo.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_energies_are_columns(self):
        table = self.run_case("out")
        lines = table.splitlines()
        titles = next(line for line in lines if line.split()[:1] == ["step"])
        self.assertEqual(titles.split()[-3:], ["energy_wall-fluid", "energy_fluid-fluid", "energy_all-all"])
        summary = json.loads((self.folder / "out/summary.json").read_text())
        self.assertEqual(summary["frozen_atoms"], 100)
        self.assertEqual([t["atoms"] for t in summary["types"]], [500])
        for row, state in ((self.rows("out")[0], "initial"), (self.rows("out")[-1], "final")):
            between, inside, whole = (float(row[f"energy_{name} [epsilon]"])
                                      for name in ("wall-fluid", "fluid-fluid", "all-all"))
            potential = float(row["potential_energy [epsilon]"])
            self.assertAlmostEqual(between + inside, potential, delta=1e-10 * abs(potential))
            self.assertAlmostEqual(whole, potential, delta=1e-10 * abs(potential))
            self.assertLess(between, -100)
            self.assertEqual(summary[state]["energy_wall-fluid"], between)
        self.assertAlmostEqual(float(self.rows("out")[0]["temperature [epsilon/kB]"]), 1.44, delta=1e-12)

    def test_frozen_atoms_stay_in_every_frame(self):
        self.run_case("out")
        frames = (self.folder / "out/trajectory.xyz").read_text()
        frames = re.split("^500$", frames, flags=re.M)[1:]
        self.assertEqual(len(frames), 3)
        atoms = [{line.split()[-1]: line for line in frame.splitlines()[2:]} for frame in frames]
        stay = [id for id in atoms[0] if atoms[0][id] == atoms[1][id] == atoms[2][id]]
        self.assertEqual(sorted(map(int, stay)), list(range(1, 101)))

    def test_a_run_that_goes_on_has_the_same_bits(self):
        bath = ("--set", "integrator={style='langevin', temperature=1.0, friction=1.0}")
        for name, more in (("nve", ()), ("nvt", bath)):
            self.run_case(name, *more, steps=40)
            self.run_case(name + "-part", *more)
            self.run_case(name + "-part", *more, "--set", f"system.restart={name}-part/restart.tessera")
            self.assertEqual(self.rows(name), self.rows(name + "-part"))
            self.assertEqual(restart_file.state(self.folder / name / "restart.tessera"),
                             restart_file.state(self.folder / (name + "-part") / "restart.tessera"))

    def test_a_run_that_goes_on_with_other_groups_says_so(self):
        self.run_case("out")
        (self.folder / "plain.toml").write_text(self.text)
        restart = ("--set", "system.restart=out/restart.tessera")
        self.run_case("plain", *restart, case="plain.toml",
                      says='groups.frozen was ["wall"], is not given now')
        self.run_case("more", *restart, "--set", 'groups.frozen=["all"]',
                      says="400 frozen atoms had velocities, which are set to zero")
        self.assertEqual(float(self.rows("more")[-1]["kinetic_energy [epsilon]"]), 0)

    def test_kernels_are_verified_on_what_groups_make_of_a_case(self):
        done = self.tessera("verify", "case.toml", "--operation", "md/pair_force", "--backend", "serial",
                            "--verbose")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("case.toml", done.stdout)

    def test_wrong_groups_are_refused_in_one_line(self):
        done = self.tessera("run", "case.toml", "--set", 'groups.frozen=["wal"]')
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("did you mean 'wall'?", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
