#!/usr/bin/env python3
"""Tests that `tessera bench` prints rows as soon as they are measured, in columns, and a line of progress.

    bench_test.py TESSERA
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from terminal import on_a_terminal  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
WORDS = [PROGRAM, "bench", "--operation", "sum", "--input", "moments", "--backend", "serial", "--repeat",
         "5", "--size", "1000", "--size", "300007"]


class BenchTest(unittest.TestCase):
    def test_rows_come(self):
        """Rows written to a pipe arrive while others are measured, in columns."""
        with subprocess.Popen(WORDS, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            titles = process.stdout.readline()
            first = process.stdout.readline()
            self.assertIsNone(process.poll())
            rest = process.stdout.read()
        self.assertEqual(process.returncode, 0)
        self.assertIn("Medians of 5 samples", rest)
        rows = [first, *(line for line in rest.splitlines() if line.startswith("reduction/sum"))]
        self.assertEqual(len(rows), 5 * 2)
        for title in ("implementation", "precision", "input", "item"):
            at = titles.index(f"  {title}  ")
            for row in rows:
                self.assertRegex(row[at:at + 3], r"^  \S$", f"{title}: {row}")
        for title in ("size", "ms", "+-", "prepare ms", "plan MB", "items/s", "GB/s", "% of copy", "Gflop/s"):
            end = titles.index("  " + title) + 2 + len(title)
            for row in rows:
                self.assertRegex(row[end - 1:end + 2], r"^\S(  |$)", f"{title}: {row}")

    def test_copies_in_turn(self):
        """`bench` times a copy with each sample of a row, and the row states its bandwidth relative to these copies."""
        result = subprocess.run([*WORDS, "--precision", "double", "--json"], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True, check=True)
        answer = json.loads(result.stdout)
        rows, limits = answer["results"], answer["limits"]["serial"]
        self.assertEqual(len(rows), 2)
        # One more copy is timed before all rows.
        self.assertEqual(limits["copy_samples"], 1 + sum(row["samples"] for row in rows))
        self.assertGreater(limits["copy_bytes_per_second"], 0)
        self.assertGreaterEqual(limits["copy_spread"], 0)
        for row in rows:
            self.assertGreater(row["copy_bytes_per_second"], 0)
            self.assertAlmostEqual(row["memory_fraction"], row["bytes_per_second"] / row["copy_bytes_per_second"])

    def test_terminal(self):
        """The line of progress is erased before a row is printed."""
        text, code = on_a_terminal(WORDS, NO_COLOR="1")
        self.assertEqual(code, 0)
        self.assertIn("\rbench", text)
        # A terminal shows the text of a line after its last carriage return or erasure.
        shown = [line.split("\x1b[K")[-1].split("\r")[-1] for line in text.replace("\r\n", "\n").split("\n")]
        rows = [line for line in shown if line.startswith("reduction/sum")]
        self.assertEqual(len(rows), 5 * 2)
        for row in rows:
            self.assertRegex(row, r"^reduction/sum +serial\.portable +\w+ +moments +\d+ ")

    def test_reader_that_leaves(self):
        """With `| head -1` the program ends at the second row, before it has measured all rows."""
        result = subprocess.run(["bash", "-c", '"$@" | head -n 1; exit ${PIPESTATUS[0]}', "bash", *WORDS],
                                capture_output=True, text=True)
        self.assertEqual((result.returncode, len(result.stdout.splitlines())), (141, 1))
        self.assertNotRegex(result.stderr, re.escape("standard output"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
