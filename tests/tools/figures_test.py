#!/usr/bin/env python3
"""Tests that the numbers in documents are those of the result files that they link to.

In the sections of README.md and docs/performance.md about measurements, every number of a paragraph must be in a file
that the paragraph links to. The number in a cell of a table must be in a line of the file with the names and sizes of
the row and of the column; a table links to one such file, of one machine and one run. In other documents, the decimals
of a paragraph that links to result files must be in these files.
"""

import pathlib
import re
import unittest
from decimal import Decimal

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEASURED = {"README.md": ("## Speed",), "docs/performance.md": ("## Measured", "## Tuning")}
ELSEWHERE = ["benchmarks/README.md", "benchmarks/peers/README.md", "backends/gpu/sum_single_pass/README.md"]
# Settings of measurements, which need not be in a result file.
SETTINGS = r"density\s0\.8442|cutoff\s2\.5"
MACHINES = r"Zen \d|[AH]\d00"
# A figure with a unit that only a measurement has.
UNITS = r"\d ?(?:ms|us|ns|s|GB|GB/s|MiB|%)(?!\w)|\d times"
NUMBER = r"(?<![\w.,/-])\d{1,3}(?:,\d{3})+(?!\w|,\d)|(?<![\w.-])\d+(?:\.\d+)?(?:e[+-]\d+)?(?![\w.]*\w)"


def numbers(text):
    return [Decimal(n.replace(",", "")) for n in re.findall(NUMBER, text)]


def holds(text, figure):
    """Returns whether a number of the text, rounded to the digits of the figure, equals it; counts are not rounded."""
    count = figure.as_tuple().exponent == 0 and figure < 100
    half = 0 if count else Decimal(1).scaleb(figure.as_tuple().exponent) / 2
    return any(abs(number - figure) <= half for number in numbers(text))


def results(folder, paragraph):
    """Returns the result files that a paragraph links to."""
    links = re.findall(r"\]\(([^)#\s]*results/[^)#\s]+\.txt)\)", paragraph)
    return [(folder / link).resolve() for link in dict.fromkeys(links)]


def plain(paragraph):
    """Returns the paragraph without targets of links, dates of results, conversions of units, and settings."""
    text = re.sub(r"\[(?:20\d\d-\d\d-\d\d)?([^]]*)\]\([^)]*\)", r"\1", paragraph)
    text = re.sub(r"(\d+ MiB) \([\d.]+ GB\)", r"\1", text)
    return re.sub(SETTINGS, "", text.replace("`", ""))


def paragraphs(document):
    """Returns (section, paragraph) of a document without code; a table is joined to the paragraph before it."""
    section, found = "", []
    text = re.sub(r"^```.*?^```$", "", document, flags=re.S | re.M)
    for block in re.split(r"\n\s*\n", text):
        block = "\n".join(line for line in block.split("\n") if not line.startswith("    "))
        if heading := re.match(r"#+ .*", block):
            section = heading[0]
        if block.startswith("|") and found:
            found[-1] = (section, found[-1][1] + "\n" + block)
        elif block.strip():
            found.append((section, block))
    return found


def split(paragraph):
    """Returns the prose of a paragraph, and the rows of the table after it."""
    lines = paragraph.split("\n")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return "\n".join(line for line in lines if not line.startswith("|")), rows


class Lines:
    """The lines of a result file, each with the last heading before it."""

    def __init__(self, path):
        self.path = path
        self.lines, heading = [], ""
        for line in path.read_text().split("\n"):
            self.lines.append((line, heading))
            if line.strip() and not line.startswith("|"):
                heading = line
        self.rows = [line for line, _ in self.lines if re.search(r"\d\.\d", line)]

    def known(self, label):
        """Returns the parts of a label that occur in rows of the file; sizes are compared separately."""
        parts = [part.strip() for part in re.split("[,:] | \\(", label)]
        return [part for part in parts
                if len(part) > 2 and not numbers(part) and any(part in row for row in self.rows)]

    def has(self, names, label, column, columns, figure):
        """Returns whether a line has the names, the sizes of row and column, and the figure; the sizes may be in the
        heading of the line."""
        for line, heading in self.lines:
            there = set(numbers(line))
            sized = there if there & columns else there | set(numbers(heading))
            if (all(name in line for name in names) and set(label) <= there | set(numbers(heading))
                    and set(column) <= sized and holds(line, figure)):
                return True
        return False


def wrong_prose(prose, files, least):
    wrong = [f"{n} is not in {', '.join(f.path.name for f in files) or 'a result file'}" for n in numbers(plain(prose))
             if -n.as_tuple().exponent >= least and not any(holds(f.path.read_text(), n) for f in files)]
    wrong += [f"{machine} is no machine of them" for machine in re.findall(MACHINES, prose)
              if not all(machine in f.path.read_text() for f in files)]
    for mib, gb in re.findall(r"([\d,]+) MiB \(([\d.]+) GB\)", prose):
        if abs(Decimal(mib.replace(",", "")) * 1024**2 / 10**9 - Decimal(gb)) > Decimal("0.05"):
            wrong.append(f"{mib} MiB are not {gb} GB")
    return wrong


def wrong_cells(rows, files, folder, least):
    columns, sizes, wrong = [], [], []
    for cell in rows[0][1:]:
        sizes = numbers(plain(cell)) or sizes  # "ratio" refers to the column before it
        columns.append((plain(cell), sizes))
    all_sizes = {size for _, column in columns for size in column}
    for row in rows[2:]:
        label = plain(row[0])
        own = [Lines(path) for path in results(folder, " ".join(row))] or files
        for (name, column), cell in zip(columns, row[1:]):
            names = ", ".join(f.path.name for f in own) or "a result file"
            wrong += [f"{figure} of '{label}', '{name}' is not in {names}"
                      for figure in numbers(plain(cell)) if -figure.as_tuple().exponent >= least
                      and not any(f.has(f.known(label) + f.known(name), numbers(label), column, all_sizes, figure)
                                  for f in own)]
    return wrong


def wrong_figures(folder, paragraph, least=0):
    """Returns messages for figures of a paragraph that are not in its result files; checks those with at least `least`
    decimals."""
    prose, rows = split(paragraph)
    files = [Lines(path) for path in results(folder, prose)]
    return wrong_prose(prose, files, least) + (wrong_cells(rows, files, folder, least) if rows else [])


class FiguresTest(unittest.TestCase):
    maxDiff = None

    def test_measured(self):
        figures = 0
        for name, sections in MEASURED.items():
            folder = (ROOT / name).parent
            for section, paragraph in paragraphs((ROOT / name).read_text()):
                with self.subTest(document=name, paragraph=paragraph[:60]):
                    prose, rows = split(paragraph)
                    measured = section in sections
                    self.assertEqual(wrong_figures(folder, paragraph) if measured else [], [])
                    if rows and measured:
                        self.assertEqual(len(results(folder, prose)), 1, "a table is one machine and one run")
                    if not measured:
                        self.assertEqual(re.findall(UNITS, plain(paragraph)), [], "measured, but not compared")
                    figures += measured * len(numbers(plain(paragraph)))
        self.assertGreater(figures, 70)

    def test_elsewhere(self):
        for name in ELSEWHERE:
            for _, paragraph in paragraphs((ROOT / name).read_text()):
                if not results(ROOT / name, paragraph):
                    continue
                with self.subTest(document=name, paragraph=paragraph[:60]):
                    self.assertEqual(wrong_figures((ROOT / name).parent, paragraph, least=1), [])


if __name__ == "__main__":
    unittest.main()
