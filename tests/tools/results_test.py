"""Tests that files of benchmarks/results have the names, first lines and citations that the table in its README
states."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"
DATE = r"\d{4}-\d{2}-\d{2}"
NAME = re.compile(rf"(?P<benchmark>[a-z][a-z0-9_]*)/(?P<machine>[a-z][a-z0-9_]*?)"
                  rf"(?:_(?P<date>{DATE})\.(?:txt|json|svg)|\.(?:txt|json|svg)|/[a-z0-9_]+\.json)")
FIRST_LINE = re.compile(rf"date: ({DATE}), (?:recorded in )?commit [0-9a-f]{{7,10}}(?:-dirty)?")
# Documents and comments that cite results.
CITING = ["*.md", "docs/**/*.md", "benchmarks/*.md", "benchmarks/peers/*.md", "backends/**/*.md", "examples/**/*.md",
          "physics/**/*.md", "core/**/*.hpp", "physics/**/*.hpp", "backends/**/*.hpp"]


def results():
    """Returns the paths of the files below benchmarks/results without its README.md."""
    return sorted(path.relative_to(RESULTS).as_posix() for path in RESULTS.rglob("*")
                  if path.is_file() and path != RESULTS / "README.md")


def tables(document):
    """Returns {heading row of a table: rows as lists of cells} of a document."""
    found, rows = {}, None
    for line in document.split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else None
        if cells is None:
            rows = None
        elif rows is None:
            rows = found.setdefault(tuple(cells), [])
        elif not set("".join(cells)) <= {"-", " "}:
            rows.append(cells)
    return found


def links(cell):
    return re.findall(r"\]\(([^)]+)\)", cell)


def belongs(name, linked):
    """Returns whether a linked path is the file `name`, or a folder that contains it."""
    return name == linked or name.startswith(linked + "/")


def citations():
    """Returns {name of a result: documents that cite it}."""
    cited = {}
    for pattern in CITING:
        for path in ROOT.glob(pattern):
            for name in re.findall(r"results/([\w./-]+\.(?:txt|json|svg))", path.read_text(encoding="utf-8")):
                cited.setdefault(name, set()).add(path.relative_to(ROOT).as_posix())
    return cited


class ResultsTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.tables = tables((RESULTS / "README.md").read_text(encoding="utf-8"))
        self.rows = self.tables["file", "benchmark", "machine", "date", "command", "cited in"]
        self.machines = {row[0] for row in self.tables["machine", ""]}

    def test_names(self):
        names = results()
        self.assertGreater(len(names), 50)
        for name in names:
            with self.subTest(file=name):
                match = NAME.fullmatch(name)
                self.assertTrue(match, "expected <benchmark>/<machine>.txt, .json or .svg, or a .json in such a folder")
                self.assertIn(match["machine"], self.machines, "a machine that benchmarks/results/README.md lists")
                if match["date"]:
                    self.assertIn(name.replace("_" + match["date"], ""), names, "a second run needs a first one")

    def test_dates(self):
        for name in results():
            with self.subTest(file=name):
                text = (RESULTS / name).read_text(encoding="utf-8")
                if name.endswith(".txt"):
                    first = FIRST_LINE.fullmatch(text.split("\n")[0])
                    self.assertTrue(first, "the first line is 'date: YYYY-MM-DD, commit HASH'")
                    self.assertEqual(NAME.fullmatch(name)["date"] or first[1], first[1])
                elif name.endswith(".json"):
                    self.assertRegex(json.loads(text)["date"], DATE)

    def test_every_file_is_in_the_table_once(self):
        listed = [link for row in self.rows for link in links(row[0])]
        for name in results():
            with self.subTest(file=name):
                self.assertEqual(sum(belongs(name, link) for link in listed), 1)
        for link in listed:
            with self.subTest(link=link):
                self.assertTrue(any(belongs(name, link) for name in results()), "no such file")

    def test_rows(self):
        cited = citations()
        for name in cited:
            self.assertIn(name, results(), f"cited in {cited[name]}, and is not there")
        for row in self.rows:
            with self.subTest(row=row[0]):
                self.assertEqual(len(row), 6)
                first = links(row[0])[0]
                self.assertEqual(row[2], NAME.fullmatch(first)["machine"])
                self.assertEqual(row[3], FIRST_LINE.match((RESULTS / first).read_text(encoding="utf-8"))[1])
                self.assertTrue(row[1] and row[4])
                stated = {(RESULTS / link).resolve().relative_to(ROOT).as_posix() for link in links(row[5])}
                self.assertEqual(stated, set().union(*(cited.get(link, set()) for link in links(row[0]))))


if __name__ == "__main__":
    unittest.main()
