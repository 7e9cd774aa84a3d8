#!/usr/bin/env python3
"""Tests runs with a limit of the file size (ulimit -f), which acts like a full disk:
file_size_test.py TESSERA MELT.toml CHANNEL.toml"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest

TESSERA, MELT, CHANNEL = map(os.path.abspath, sys.argv[1:4])


class FileSizeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def tessera(self, *words, limit, output=subprocess.PIPE):
        """Runs the program with the default action of SIGXFSZ, which ends programs that do not handle it."""
        return subprocess.run([TESSERA, *words], cwd=self.folder, stdout=output, stderr=subprocess.PIPE, text=True,
                              timeout=120, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))

    def check_told(self, done, file):
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertRegex(done.stderr, rf"{file}(\.\w+\.part)?: writing failed: (HDF5: )?File too large\n$")
        self.assertEqual(list(self.folder.rglob("*.part")), [])

    def check_run(self, case, file, *changes, limit):
        """Checks that a run stops with an error when it writes the file, and still writes its summary."""
        sets = [word for change in changes for word in ("--set", change)]
        done = self.tessera("run", case, "--backend", "serial", "--quiet", "--out", "out", "--overwrite", *sets,
                            limit=limit)
        self.check_told(done, file)
        out = self.folder / "out"
        self.assertEqual(json.loads((out / "summary.json").read_text())["status"], "stopped")
        return out

    def test_a_restart_file(self):
        out = self.check_run(MELT, "restart.tessera", "restart.every=10", limit=20_000)
        self.assertFalse((out / "restart.tessera").exists())

    def test_the_restart_file_of_before_stays(self):
        sets = ("--set", "restart.every=10", "--quiet", "--backend", "serial", "--out", "out")
        self.tessera("run", MELT, *sets, limit=resource.RLIM_INFINITY)
        before = (self.folder / "out" / "restart.tessera").read_bytes()
        self.check_run(MELT, "restart.tessera", "restart.every=10",
                       f"system.restart='{self.folder / 'out' / 'restart.tessera'}'", limit=20_000)
        self.assertEqual((self.folder / "out" / "restart.tessera").read_bytes(), before)

    def test_a_trajectory_ends_with_a_whole_frame(self):
        out = self.check_run(MELT, "trajectory.xyz", "trajectory.every=1", limit=100_000)
        lines = (out / "trajectory.xyz").read_text().splitlines()
        self.assertGreater(len(lines), 0)
        self.assertEqual(len(lines) % (int(lines[0]) + 2), 0)

    def test_rows_are_whole(self):
        for case, file, key in ((MELT, "thermo.csv", "thermo.every=1"), (CHANNEL, "statistics.csv", "restart.every=0")):
            with self.subTest(file):
                out = self.check_run(case, file, key, *(["run.steps=2000"] if case == MELT else []), limit=9_000)
                text = (out / file).read_text()
                self.assertTrue(text.endswith("\n"))
                self.assertEqual({line.count(",") for line in text.splitlines()}, {text.splitlines()[0].count(",")})

    def test_files_of_a_beam(self):
        for file, changes, limit in (("restart.tessera", ["restart.every=1", "statistics.every=0"], 20_000),
                                     ("bunch.npy", ["snapshot.every=1", "restart.every=0"], 30_000),
                                     ("last.h5", ["openpmd={file='last.h5', every=1}", "restart.every=0"], 20_000),
                                     ("last.h5", ["openpmd={file='last.h5', every=1}", "restart.every=0"], 300_000)):
            with self.subTest(file, limit=limit):
                out = self.check_run(CHANNEL, file, *changes, limit=limit)
                # The last snapshot is that of the start, which has no fields.
                self.assertEqual((out / file).exists(), limit == 300_000)

    def test_a_summary(self):
        done = self.tessera("run", MELT, "--backend", "serial", "--quiet", "--out", "out", "--set", "thermo.every=0",
                            limit=1_500)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("summary.json", done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assertFalse((self.folder / "out" / "summary.json").exists())

    def test_the_standard_output(self):
        with open(self.folder / "list.txt", "w", encoding="utf-8") as output:
            done = self.tessera("list", limit=1_000, output=output)
        self.assertEqual((done.returncode, done.stderr),
                         (1, "tessera: standard output: writing failed: File too large\n"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
