#!/usr/bin/env python3
"""Tests the resolution of paths: paths_test.py TESSERA CASE.toml BEAM.toml

A path on the command line, also in a value of --set, is relative to the current folder. A path in a case file is
relative to the folder of the file. The test executes the commands that a run prints for continuing it in a shell.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TESSERA, CASE, BEAM = map(os.path.abspath, sys.argv[1:4])
XYZ = '{atoms}\nLattice="9 0 0 0 9 0 0 0 9"\n{rows}'
OPTION = re.compile(r"--set (?:'(?:[^']|'\\'')*'|[^ ]+)")
TABLE = "LJ\nN 4 R 0.5 2.0\n\n1 0.5 {u} 0\n2 1.0 {u} 0\n3 1.5 {u} 0\n4 2.0 {u} 0\n"


class PathsTest(unittest.TestCase):
    """Cases in `work/cases`, with `work` as the current folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name) / "my work"
        (self.work / "cases").mkdir(parents=True)
        shutil.copy(CASE, self.work / "cases/melt.toml")
        shutil.copy(BEAM, self.work / "cases/channel.toml")
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("TESSERA_")}
        self.environment.update(OMP_WAIT_POLICY="passive", TESSERA_TUNING="off")  # not the records of the user

    def tessera(self, *words, code=0):
        done = subprocess.run([TESSERA, *words], cwd=self.work, env=self.environment, capture_output=True, text=True,
                              timeout=120)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def shell(self, command):
        """Runs the program in a shell with these arguments."""
        done = subprocess.run(["bash", "-c", f'"{TESSERA}" {command}'], cwd=self.work, env=self.environment,
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def pasted(self, done):
        option = OPTION.search(done.stderr)
        self.assertTrue(option, done.stderr)
        return option[0]

    def atoms(self, *words):
        return json.loads(self.tessera("run", *words, "--backend", "serial", "--json", "--overwrite",
                                       "--out", "out").stdout)["atoms"]

    def two_files(self):
        """Writes a case that reads `atoms.xyz`; the file in its folder has 2 atoms, that in the current folder 3."""
        for folder, atoms in (("cases", 2), (".", 3)):
            rows = "".join(f"X {i} {i} 1\n" for i in range(atoms))
            (self.work / folder / "atoms.xyz").write_text(XYZ.format(atoms=atoms, rows=rows))
        case = (self.work / "cases/melt.toml").read_text()
        case = re.sub(r"lattice = .*\ndensity = .*\ncells = .*\n", 'file = "atoms.xyz"\n', case)
        case = case.replace("1.44", "0").replace("steps = 20", "steps = 0")
        (self.work / "cases/file.toml").write_text(case)

    def test_a_run_goes_on_by_what_it_printed(self):
        for out in ((), ("--out", "it's here")):
            with self.subTest(out):
                done = self.tessera("run", "cases/melt.toml", "--backend", "serial", "--quiet", "--set",
                                    "run.steps=100000000", "--time-limit", "1", *out)
                self.assertIn("continues from there", done.stderr)
                first = json.loads((self.work / (out[-1] if out else "melt.out") / "summary.json").read_text())
                done = self.shell(f"run cases/melt.toml --backend serial --json --set run.steps=3 {self.pasted(done)}")
                second = json.loads(done.stdout)
                self.assertEqual(second["first_step"], first["final"]["step"])
                self.assertEqual(second["final"]["step"], first["final"]["step"] + 3)
                # It continues in the folder of the run, because it is the same run.
                self.assertFalse((self.work / "melt-2.out").exists())

    def test_a_blow_up_is_gone_on_from_by_what_it_printed(self):
        done = self.tessera("run", "cases/melt.toml", "--backend", "serial", "--quiet", "--set", "run.time_step=0.5",
                            code=1)
        self.shell(f"run cases/melt.toml --backend serial --quiet --set run.steps=0 {self.pasted(done)}")

    def test_a_beam_goes_on_by_what_it_printed(self):
        done = self.tessera("run", "cases/channel.toml", "--backend", "serial", "--quiet", "--set",
                            "run.turns=1000000", "--time-limit", "1")
        self.shell(f"run cases/channel.toml --backend serial --quiet --set run.turns=0 {self.pasted(done)}")

    def test_a_restart_file_given_as_a_case_says_how_to_go_on(self):
        for case, steps in (("melt", "run.steps=1"), ("channel", "run.turns=1")):
            self.tessera("run", f"cases/{case}.toml", "--backend", "serial", "--quiet", "--set", steps, "--set",
                         "restart.every=1")
            for command in ("run", "verify"):
                done = self.tessera(command, f"{case}.out/restart.tessera", code=2)
                self.assertIn("is a restart file", done.stderr)
                command = re.search(r"tessera (run CASE\.toml --set .*)", done.stderr)[1]
                self.shell(command.replace("CASE.toml", f"cases/{case}.toml --quiet --set {steps}"))

    def test_files_of_atoms(self):
        self.two_files()
        self.assertEqual(self.atoms("cases/file.toml"), 2)
        self.assertEqual(self.atoms("cases/file.toml", "--set", "system.file=atoms.xyz"), 3)
        self.assertEqual(self.atoms("cases/file.toml", "--set", 'system.file="cases/../atoms.xyz"'), 3)
        self.assertEqual(self.atoms("cases/file.toml", "--set", "system.file=cases/atoms.xyz"), 2)
        self.assertEqual(self.atoms(str(self.work / "cases/file.toml")), 2)

    def test_other_commands(self):
        self.two_files()
        only = ("--operation", "md/wrap", "--implementation", "serial.portable", "--precision", "double")
        self.tessera("verify", "cases/file.toml", *only)
        self.tessera("verify", "cases/file.toml", *only, "--set", "system.file=atoms.xyz")
        done = self.tessera("verify", "cases/file.toml", *only, "--set", "system.file=none.xyz", code=2)
        self.assertTrue(done.stderr.startswith("tessera: none.xyz: cannot be read"), done.stderr)
        line = {"operation": "md/wrap", "implementation": "serial.portable", "input": "cases/file.toml",
                "samples": 1}
        self.assertEqual(json.loads(self.tessera("trial", json.dumps(line)).stdout)["items"], 2)

    def test_tables(self):
        for folder, u in (("cases", 0), (".", 1)):
            (self.work / folder / "lj.table").write_text(TABLE.format(u=u))
        case = (self.work / "cases/melt.toml").read_text()
        case = case.replace("cutoff = 2.5", 'cutoff = 2.0\nstyle = "table"').replace(
            "epsilon = 1.0\nsigma = 1.0", 'file = "lj.table"').replace("steps = 20", "steps = 0")
        (self.work / "cases/table.toml").write_text(case)

        def energy(*words):
            done = self.tessera("run", "cases/table.toml", "--backend", "serial", "--json", "--overwrite", "--out",
                                "out", *words)
            return json.loads(done.stdout)["final"]["energy"]["potential"]
        self.assertEqual(energy(), 0)
        self.assertGreater(energy("--set", "pair.coefficients.0.file=lj.table"), 0)
        self.assertGreater(energy("--set", 'pair.coefficients=[{types=[1, 1], file="lj.table"}]'), 0)

    def test_bunches(self):
        for folder, particles in (("cases", 40), (".", 30)):
            rows = "".join(f"{1e-3 * (i % 7 - 3)},{1e-4 * (i % 5 - 2)},{1e-3 * (i % 3 - 1)},{1e-4 * (i % 4 - 1.5)},"
                           f"{1e-2 * (i % 6 - 2)},0\n" for i in range(particles))
            (self.work / folder / "bunch.csv").write_text("x [m],px [1],y [m],py [1],cdt [m],dpop [1]\n" + rows)
        case = (self.work / "cases/channel.toml").read_text()
        case = re.sub(r"\[bunch\][^[]*", '[bunch]\nfile = "bunch.csv"\n', case, count=1)
        (self.work / "cases/bunch.toml").write_text(case)

        def particles(*words):
            done = self.tessera("run", "cases/bunch.toml", "--backend", "serial", "--json", "--overwrite", "--out",
                                "out", "--set", "run.turns=0", *words)
            return json.loads(done.stdout)["particles"]
        self.assertEqual(particles(), 40)
        self.assertEqual(particles("--set", "bunch.file=bunch.csv"), 30)

    def test_outputs_stay_in_the_folder_of_the_run(self):
        self.tessera("run", "cases/melt.toml", "--backend", "serial", "--quiet", "--set", "thermo.file=t.csv")
        self.assertTrue((self.work / "melt.out/t.csv").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
