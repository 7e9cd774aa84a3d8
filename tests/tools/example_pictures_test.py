"""Tests the pictures of the examples, and the comparison of their figures: python3
tests/tools/example_pictures_test.py. Draws the pictures from the runs that ctest leaves in build/cpu/example_runs (or
below $TESSERA_BUILD), with matplotlib of the environment that scripts/bootstrap --developer makes."""

import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv/bin/python"
RUNS = pathlib.Path(os.environ.get("TESSERA_BUILD", ROOT / "build/cpu")) / "example_runs"
NAMES = sorted(p.parent.name for p in ROOT.glob("examples/*/expected.json"))
LARGEST = 100_000  # bytes
sys.path.insert(0, str(ROOT / "examples" / "common"))
import comparison  # noqa: E402
from outputs import Measured  # noqa: E402

# Program that draws all pictures in one process, because matplotlib takes a second to load:
# draw.py ROOT RUNS FOLDER NAME ...
DRAW = """
import importlib.util, pathlib, sys
root, runs, out, *names = map(pathlib.Path, sys.argv[1:])
sys.dont_write_bytecode = True
for name in map(str, names):
    spec = importlib.util.spec_from_file_location(name, root / "examples" / name / "analyse.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.picture([runs / name / folder for folder in module.RUNS], out / f"{name}.png")
"""


class PicturesTest(unittest.TestCase):
    def test_each_is_drawn(self):
        self.assertTrue(PYTHON.exists(), f"{PYTHON}: missing, scripts/bootstrap --developer makes it")
        missing = [name for name in NAMES if not (RUNS / name).is_dir()]
        self.assertEqual(missing, [], f"no runs in {RUNS}; ctest --test-dir build/cpu -R examples makes them")
        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.run([PYTHON, "-c", DRAW, ROOT, RUNS, folder, *NAMES], capture_output=True, text=True)
            self.assertEqual(process.returncode, 0, process.stderr)
            for name in NAMES:
                self.assert_picture(pathlib.Path(folder) / f"{name}.png")

    def test_each_is_checked_in_and_shown(self):
        overview = (ROOT / "examples" / "README.md").read_text()
        for name in NAMES:
            with self.subTest(name=name):
                self.assert_picture(ROOT / "examples" / name / f"{name}.png")
                self.assertIn(f"]({name}.png)", (ROOT / "examples" / name / "README.md").read_text())
                self.assertIn(f"]({name}/README.md)", overview)

    def assert_picture(self, path):
        content = path.read_bytes()
        self.assertTrue(content.startswith(b"\x89PNG\r\n"), path)
        self.assertTrue(10_000 < len(content) < LARGEST, f"{path}: {len(content)} bytes")


class ComparisonTest(unittest.TestCase):
    EXPECTED = {"figures": {"a": {"value": 2.0, "tolerance": 0.1, "short_tolerance": 0.5, "unit": "", "source": ""},
                            "b": {"value": 0.0, "tolerance": 1e-3, "unit": "", "source": ""}}}

    def agree(self, a, b, short=False):
        rows = comparison.compare(self.EXPECTED, {"a": Measured(a), "b": Measured(b)}, short)
        return [agrees for *_, agrees in rows]

    def test_figures_within_and_off(self):
        self.assertEqual(self.agree(2.09, -9e-4), [True, True])
        self.assertEqual(self.agree(1.89, 9e-4), [False, True])
        self.assertEqual(self.agree(2.0, 2e-3), [True, False])

    def test_short_runs_have_tolerances_of_their_own(self):
        self.assertEqual(self.agree(2.4, 2e-3, short=True), [True, False])

    def test_what_is_no_number_agrees_with_nothing(self):
        self.assertEqual(self.agree(math.nan, math.inf), [False, False])

    def test_missing_and_unknown_figures_are_errors(self):
        for measured in ({"a": Measured(2.0)}, {"a": Measured(2.0), "b": Measured(0.0), "c": Measured(1.0)}):
            with self.assertRaisesRegex(SystemExit, "different figures: [bc]"):
                comparison.compare(self.EXPECTED, measured)

    def test_each_expectation_is_whole(self):
        for name in NAMES:
            expected = comparison.read_expected(ROOT / "examples" / name)
            self.assertRegex(expected["wrong"], "^--set ", name)
            for figure, entry in expected["figures"].items():
                with self.subTest(name=name, figure=figure):
                    self.assertLessEqual({"value", "tolerance", "unit", "source"}, set(entry))
                    self.assertGreater(entry["tolerance"], 0)
                    self.assertGreaterEqual(entry.get("short_tolerance", entry["tolerance"]), entry["tolerance"])
                    self.assertTrue(entry["source"])


if __name__ == "__main__":
    unittest.main()
