"""Tests numbers and pages of tessera-report: python3 tests/tools/report_test.py. Needs build/cpu (or TESSERA_BUILD) and
the environment that scripts/bootstrap --developer makes; the tests themselves are tests/report/numbers_test.py and
tests/report/pages_test.py."""

import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv/bin/python"
PROGRAMS = pathlib.Path(os.environ.get("TESSERA_BUILD", ROOT / "build/cpu")) / "bin"


class ReportTest(unittest.TestCase):
    def passes(self, script, *words):
        self.assertTrue(PYTHON.exists(), f"{PYTHON}: missing, scripts/bootstrap --developer makes it")
        process = subprocess.run([PYTHON, ROOT / "tests/report" / script, *words], capture_output=True, text=True,
                                 check=False)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertRegex(process.stderr, r"Ran [1-9]\d* tests")
        self.assertNotIn("skipped", process.stderr)

    def test_numbers(self):
        self.passes("numbers_test.py")

    def test_pages(self):
        for program in ("tessera", "tessera-report"):
            path = PROGRAMS / program
            self.assertTrue(path.exists(), f"{path}: missing, cmake --build build/cpu makes it")
        self.passes("pages_test.py", PROGRAMS)


if __name__ == "__main__":
    unittest.main()
