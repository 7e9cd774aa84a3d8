"""What openPMD-api, openPMD-viewer and the openPMD validator make of our files, and we of theirs:
python3 tests/tools/openpmd_test.py. Needs build/cpu (or TESSERA_BUILD) and the environment that scripts/bootstrap
--developer makes; the comparison itself is tests/openpmd/compare.py."""

import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv/bin/python"
PROGRAM = pathlib.Path(os.environ.get("TESSERA_BUILD", ROOT / "build/cpu")) / "bin/openpmd_files"


class OpenPmdTest(unittest.TestCase):
    def test_files_are_those_of_the_openpmd_tools(self):
        self.assertTrue(PYTHON.exists(), f"{PYTHON}: missing, scripts/bootstrap --developer makes it")
        self.assertTrue(PROGRAM.exists(), f"{PROGRAM}: missing, cmake --build build/cpu --target openpmd_files makes it")
        process = subprocess.run([PYTHON, ROOT / "tests/openpmd/compare.py", PROGRAM], capture_output=True, text=True)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertRegex(process.stderr, r"Ran [1-9]\d* tests")
        self.assertNotIn("skipped", process.stderr)


if __name__ == "__main__":
    unittest.main()
