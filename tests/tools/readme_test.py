#!/usr/bin/env python3
"""Tests that the documents name the options of CMake, environment variables and files of the tree."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
INSTALL = (ROOT / "docs" / "install.md").read_text()
# Variables that need no documentation, because they are internal or only for scripts of the repository.
OWN_AFFAIRS = {"TESSERA_PAIR_FORMS_COMPILED", "TESSERA_FUZZ"}


def table(title):
    """Returns the cells of the first column of the table whose first column has this title."""
    lines = INSTALL.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"| {title} |"))
    cells = []
    for line in lines[start + 2:]:
        if not line.startswith("|"):
            break
        cells += re.findall(r"`([^`]+)`", line.split("|")[1])
    return set(cells)


class ReadmeTest(unittest.TestCase):
    def test_options(self):
        text = "\n".join(p.read_text() for p in [ROOT / "CMakeLists.txt", *(ROOT / "cmake").rglob("*.cmake")])
        there = set(re.findall(r"option\((TESSERA_\w+)", text))
        there |= set(re.findall(r"set\((TESSERA_\w+)[^()]*?\bCACHE (?:STRING|PATH|BOOL)", text))
        self.assertEqual(table("option"), there - OWN_AFFAIRS)

    def test_defaults(self):
        text = (ROOT / "cmake" / "options.cmake").read_text() + (ROOT / "cmake/kokkos/kokkos.cmake").read_text()
        there = dict(re.findall(r'option\((TESSERA_\w+) "[^"]*" (\S+)\)', text))
        rows = re.findall(r"^\| (`TESSERA_[^|]*) \| `?(ON|OFF)\b[^|]*\|", INSTALL, re.M)
        self.assertGreater(len(rows), 5)
        for names, default in rows:
            for name in re.findall(r"\w+", names):
                self.assertEqual(there[name].replace("${PROJECT_IS_TOP_LEVEL}", "ON"), default, name)

    def test_environment(self):
        text = "\n".join(p.read_text() for folder in ("core", "physics", "backends", "apps")
                         for p in (ROOT / folder).rglob("*.[ch]pp"))
        there = set(re.findall(r'getenv\("(\w+)"\)', text)) | set(re.findall(r'"(KOKKOS_\w+)"', text))
        named = table("variable")
        self.assertEqual(there - named, set())
        # The runtimes of OpenMP and CUDA read these two.
        self.assertEqual(named - there - {"OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES"}, set())

    def test_links(self):
        for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"),
                     *(ROOT / "benchmarks").glob("*.md"), *(ROOT / "backends").rglob("*.md")]:
            for link in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text()):
                if not re.match(r"[a-z]+:", link):
                    self.assertTrue((path.parent / link).exists(), f"{path.relative_to(ROOT)}: {link}")


if __name__ == "__main__":
    unittest.main()
