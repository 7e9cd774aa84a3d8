#!/usr/bin/env python3
"""Tests that files with a shebang line are executable: executable_test.py"""

import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class ExecutableTest(unittest.TestCase):
    def test_files_with_an_interpreter(self):
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        names = listed.split("\n")
        files = [path for path in (ROOT / name for name in names if name) if path.is_file()]
        scripts = [path for path in files if path.read_bytes()[:2] == b"#!"]
        self.assertGreater(len(scripts), 20)
        self.assertEqual([str(path.relative_to(ROOT)) for path in scripts if not os.access(path, os.X_OK)], [])


if __name__ == "__main__":
    unittest.main()
