"""Tests that CITATION.cff names the version of CMakeLists.txt."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class CitationTest(unittest.TestCase):
    def test_version(self):
        built = re.search(r"project\(Tessera VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        cited = re.findall(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.M)
        self.assertEqual(cited, [built])


if __name__ == "__main__":
    unittest.main()
