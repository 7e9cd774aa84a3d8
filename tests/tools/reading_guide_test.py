"""Tests that docs/reading_guide.md names twelve headers in order, which have fewer than 2,000 lines in all."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "reading_guide.md"
HEADERS = 12
MOST_LINES = 2000


def entries():
    """Returns (number, name, link) of each item of the numbered list."""
    return [(int(number), name, link)
            for number, name, link in re.findall(r"^(\d+)\. \[([^]]+)\]\(([^)]+)\):", GUIDE.read_text(), re.M)]


class ReadingGuideTest(unittest.TestCase):
    def test_numbers(self):
        self.assertEqual([number for number, _, _ in entries()], list(range(1, HEADERS + 1)))
        self.assertEqual(len(re.findall(r"^\d+\.", GUIDE.read_text(), re.M)), HEADERS, "items without a link")
        self.assertRegex(GUIDE.read_text(), rf"Twelve headers, in this order and under {MOST_LINES:,} lines")

    def test_headers(self):
        names = [name for _, name, _ in entries()]
        self.assertEqual(len(set(names)), HEADERS, "a header is named twice")
        for _, name, link in entries():
            with self.subTest(header=name):
                self.assertRegex(name, r"\.(hpp|cuh)$")
                self.assertEqual(link, f"../{name}")
                self.assertTrue((ROOT / name).is_file(), "does not exist")

    def test_lines(self):
        lines = sum(len((ROOT / name).read_text().splitlines()) for _, name, _ in entries())
        self.assertLess(lines, MOST_LINES)


if __name__ == "__main__":
    unittest.main()
