"""Tests of scripts/pack_checks with a folder that looks like a build."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/pack_checks"


def run(*command):
    return subprocess.run([str(part) for part in command], text=True, capture_output=True, timeout=120)


class PackChecks(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.work = pathlib.Path(temporary.name).resolve()
        self.build = self.work / "build"
        (self.build / "bin").mkdir(parents=True)

    def test_folder_runs_where_it_is(self):
        shutil.copy(shutil.which("python3"), self.build / "bin/tessera")
        for place in ["tests/unit", "tests/CMakeFiles"]:
            (self.build / place).mkdir(parents=True)
            (self.build / place / "CTestTestfile.cmake").write_text(
                f'add_test(a "/elsewhere/python" "{self.build}/a" "{ROOT}/tests/b")\n')
        (self.build / "CMakeCache.txt").write_text("_Python3_EXECUTABLE:INTERNAL=/elsewhere/python\n")
        packed = run(SCRIPT, self.build, self.work / "checks")
        self.assertEqual(packed.returncode, 0, packed.stderr)
        moved = self.work / "else where"
        (self.work / "checks").rename(moved)
        self.assertFalse((moved / "build/tests/CMakeFiles").exists())
        self.assertTrue((moved / "source/examples/melt/melt.toml").exists())
        self.assertFalse((moved / "source/benchmarks/results").exists())
        started = run(moved / "build/bin/tessera", "-c", "print(6 * 7)")
        self.assertEqual(started.stdout, "42\n", started.stderr)
        checks = moved / "source/scripts/gpu_check"
        checks.write_text('#!/bin/sh\necho "$@"; cat "$1/tests/unit/CTestTestfile.cmake"\n')
        self.assertEqual(run(moved / "run", "--quick").stdout,
                         f'{moved}/build --quick\n'
                         f'add_test(a "{shutil.which("python3")}" "{moved}/build/a" "{moved}/source/tests/b")\n')

    def test_refusals(self):
        missing = run(SCRIPT, self.build, self.work / "checks")
        self.assertNotEqual(missing.returncode, 0)
        self.assertIn("has no bin/tessera, expected the folder of a finished build", missing.stderr)
        shutil.copy("/bin/true", self.build / "bin/tessera")
        full = run(SCRIPT, self.build, self.work)
        self.assertIn("is not empty", full.stderr)
        self.assertEqual(run(SCRIPT, "--help").returncode, 0)
        self.assertEqual(run(SCRIPT, self.build).returncode, 2)


if __name__ == "__main__":
    unittest.main()
