"""Compares output of runs of molecular dynamics, read by pandas, ASE and plain readers, with arrays of the library:
python3 tests/tools/md_outputs_test.py. Needs build/cpu (or TESSERA_BUILD) and the environment that
scripts/bootstrap --developer makes; the comparison itself is tests/outputs/md_outputs.py."""

import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv/bin/python"
PROGRAMS = pathlib.Path(os.environ.get("TESSERA_BUILD", ROOT / "build/cpu")) / "bin"


class MdOutputsTest(unittest.TestCase):
    def test_outputs_are_the_arrays_of_the_library(self):
        self.assertTrue(PYTHON.exists(), f"{PYTHON}: missing, scripts/bootstrap --developer makes it")
        programs = [PROGRAMS / "tessera", PROGRAMS / "md_arrays"]
        for program in programs:
            self.assertTrue(program.exists(), f"{program}: missing, cmake --build build/cpu makes it")
        command = [PYTHON, ROOT / "tests/outputs/md_outputs.py", *programs]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertRegex(process.stderr, r"Ran [1-9]\d* tests")
        self.assertNotIn("skipped", process.stderr)


if __name__ == "__main__":
    unittest.main()
