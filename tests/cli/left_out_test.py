#!/usr/bin/env python3
"""Tests that list, run, verify, bench and trial report an implementation of a missing backend as left out of the build.

    left_out_test.py TESSERA CASE.toml
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
CASE = pathlib.Path(sys.argv[2]).resolve()


def tessera(*words, cwd=None):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TESSERA_")}
    environment["TESSERA_TUNING"] = "off"  # not the records of the user
    return subprocess.run([PROGRAM, *words], cwd=cwd, env=environment, capture_output=True, text=True)


LISTED = json.loads(tessera("list", "--json").stdout)
MISSING = [(b["name"], b["reason"]) for b in LISTED["backends"] if not b["built"]]


@unittest.skipUnless(MISSING, "this build has every backend")
class LeftOutTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        shutil.copy(CASE, self.folder.name)
        self.backend, reason = MISSING[0]
        self.assertTrue(reason.startswith("not built: "))
        self.words = f"is not in this build: backend {self.backend} is {reason}"

    def refused(self, *words):
        result = tessera(*words, cwd=self.folder.name)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertIn(self.words, result.stderr)
        self.assertNotIn("unknown", result.stderr)
        self.assertNotIn("did you mean", result.stderr)

    def test_options(self):
        name = f"{self.backend}.portable"
        self.refused("run", CASE.name, "--select", f"pair_force={name}")
        self.refused("run", CASE.name, "--parameter", f"pair_force.{name}.skin_over_cutoff=0.1")
        self.refused("list", "--select", f"pair_force={name}")
        self.refused("verify", "--implementation", name)
        self.refused("verify", CASE.name, "--implementation", name)
        self.refused("bench", "--implementation", name)
        self.refused("bench", "--operation", "sum", "--implementation", name)

    def test_case_file(self):
        case = pathlib.Path(self.folder.name) / "chosen.toml"
        case.write_text(CASE.read_text() + f'\n[selection]\npair_force = "{self.backend}.portable"\n')
        self.refused("run", case.name)
        case.write_text(CASE.read_text() + f'\n[parameters.pair_force.{self.backend}.portable]\nblock_size = 64\n')
        self.refused("run", case.name)
        self.refused("run", CASE.name, "--set", f"selection.pair_force={self.backend}.portable")

    def test_trial(self):
        self.refused("trial", json.dumps({"operation": "sum", "implementation": f"{self.backend}.portable",
                                          "input": "moments"}))

    def test_listed(self):
        """Selecting a kernel that `list` reports as left out gives the same reason."""
        self.assertTrue(LISTED["left_out"] or "cuda" not in dict(MISSING))
        for line in LISTED["left_out"]:
            subject, reason = line.split(": ", 1)
            operation, name = subject.split("=")
            result = tessera("list", "--select", f"{operation}={name}")
            self.assertEqual(result.returncode, 2)
            self.assertIn("is not in this build", result.stderr, reason)

    def test_misspelt(self):
        """An unknown implementation of a backend in this build is reported as unknown, with a similar name."""
        result = tessera("verify", "--implementation", "serial.portabel")
        self.assertIn("unknown implementation 'serial.portabel', did you mean", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
