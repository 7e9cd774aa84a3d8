"""Tests the exchange of openPMD files with openPMD-api, openPMD-viewer and the openPMD validator, and the files of a
run of a beam, read by these programs, h5py, NumPy and pandas: python3 tests/tools/openpmd_test.py. Needs build/cpu (or
TESSERA_BUILD) and the environment that scripts/bootstrap --developer makes; the comparisons themselves are
tests/openpmd/compare.py and tests/openpmd/beam_outputs.py."""

import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv/bin/python"
BIN = pathlib.Path(os.environ.get("TESSERA_BUILD", ROOT / "build/cpu")) / "bin"


class OpenPmdTest(unittest.TestCase):
    def compare(self, script, *programs):
        self.assertTrue(PYTHON.exists(), f"{PYTHON}: missing, scripts/bootstrap --developer makes it")
        for program in programs:
            self.assertTrue((BIN / program).exists(),
                            f"{BIN / program}: missing, cmake --build build/cpu --target tests/all makes it")
        process = subprocess.run([PYTHON, ROOT / "tests/openpmd" / script, *(BIN / program for program in programs)],
                                 capture_output=True, text=True)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertRegex(process.stderr, r"Ran [1-9]\d* tests")
        self.assertNotIn("skipped", process.stderr)

    def test_files_are_those_of_the_openpmd_tools(self):
        self.compare("compare.py", "openpmd_files")

    def test_files_of_a_run_are_the_arrays_of_the_library(self):
        self.compare("beam_outputs.py", "tessera", "beam_arrays")


if __name__ == "__main__":
    unittest.main()
