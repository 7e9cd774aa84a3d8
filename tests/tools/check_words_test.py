"""Unit tests of scripts/check_words: python3 tests/tools/check_words_test.py"""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "check_words"

VOCABULARY = """# Vocabulary

| not used | scope | use |
| --- | --- | --- |
| `LateCopy` | names | `AsyncHostCopy` |
| `take()`, `move` | names in backends/openmp/* | `load`, `step` |
| nobody, lacks a pair | prose | the part of the program |
| knob | both | tuning parameter |
"""

HEADLESS = [
    ("a.cpp", "// What the host waits for.", 1),
    ("a.cpp", "int a;\n/// The box.\n/// Those of a\n/// thread come first.", 3),
    ("a.hpp", "int a;  ///< what the caller gave", 1),
    ("a.hpp", "/// \\param atoms those of the block\nvoid f(int atoms);", 1),
    ("a.cu", "/* The first.\n   Of each round the median. */", 2),
    ("a.cuh", "/// Whoever writes a bunch derives from this.", 1),
    ("a.cpp.in", "// Nobody looks there.", 1),
    ("a.cpp", "// So many steps are put into the queue.", 1),
    ("a.cpp", "// That of a shell for a signal.", 1),
    ("a.cpp", "// One that is run elsewhere.", 1),
    ("a.cpp", "// As it was when it was saved.", 1),
    ("a.cpp", "// Where the bins lie.", 1),
    ("a.cpp", "f(R\"(// What)\", '\"');  // Who made a choice.", 1),
    ("CMakeLists.txt", "# What no step waits for.\nset(a b)", 1),
    ("a.cmake", "set(a \"# b\")  # What is behind it.", 1),
    ("a.py", 'def f():\n    """Of a call."""', 2),
    ("a.py", "a = '#'  # What is there.", 1),
    ("tool", "#!/usr/bin/env bash\necho '# a'\n# What is measured.", 3),
    ("a.toml", "a = 1  # what is kicked", 1),
    ("a.md", "# What it is\n\nThe program runs.\nWhat is left\nfollows.", 4),
    ("a.md", "1. A step.\n2. What `prepare` does.", 2),
]
WORDS = [
    ("a.cpp", "// The list lacks\n// a pair.", "lacks a pair"),
    ("core/a.cpp", 'throw Error("the knob is large");', "knob"),
    ("a.cpp", "LateCopy copy;", "LateCopy"),
    ("backends/openmp/pair/a.hpp", "plan.take(1);", "take"),
    ("a.md", "The class `LateCopy` waits.", "LateCopy"),
    ("a.cmake", "set(knob 1)", "knob"),
    ("a.cpp", "/// Nobody's: not read.", "Nobody"),
]
SOUND = [
    ("a.cpp", "// Asynchronous copy to the host. That is fast. Of course it is."),
    ("a.cpp", "// What is the largest skin?"),
    ("a.cpp", "// Those atoms come first, and so many follow. So the sum is exact."),
    ("a.cpp", "// Where a direction is not periodic, atoms may leave the box."),
    ("a.cpp", "// Where particles of a cell lie side by side the lanes of a warp touch few lines."),
    ("a.cpp", "// That value is exact. One of them is lost. As lengths are mixed, so are energies."),
    ("a.cpp", 'f("// What is there", R"x(\n// What is there)x", \'"\');  // Another.'),
    ("a.cpp", "const auto n = 1'000'000;  // A number.\nf('a');"),
    ("a.cpp", "//     What is code in a comment();\n// clang-format off"),
    ("a.cpp", "lateCopy(); LateCopy2(); knobs();"),
    ("backends/gpu/a.hpp", "plan.take(1); std::move(a);"),
    ("a.cpp", "// The field `nobody` and the text \"nobody\" are quoted."),
    ("tests/a.cpp", 'check("nobody is lost");'),
    ("a.md", "    What is code\n\n```\nWhat is code\n```\n\n| What |\n| --- |\n\nA line, see [what](nobody).\n"),
    ("a.txt", "What is not read."),
    ("a.py", "knob = row['knob']"),
    ("core/a.cpp", r'f("{ \"knob\": 1}");'),
    ("benchmarks/results/a.md", "What was measured."),
    ("tool", "#!/usr/bin/env bash\ncat <<EOF\n# What is printed.\nEOF\necho ${#a} a#What"),
]


def repository(folder, files):
    folder = pathlib.Path(folder)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    return folder


def numbered(path, number):
    """Returns a path for case `number`, in the same folder and of the same language."""
    file = pathlib.PurePosixPath(path)
    if file.name == "CMakeLists.txt":
        return f"cmake{number}/{path}"
    return str(file.with_name(f"{file.name.partition('.')[0]}{number}{''.join(file.suffixes)}"))


def git(folder, *arguments):
    subprocess.run(["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a", *arguments], check=True)


def check_words(folder, *arguments):
    return subprocess.run([SCRIPT, "--root", folder, *arguments], capture_output=True, text=True)


class CheckWords(unittest.TestCase):
    def check(self, files, *arguments, vocabulary=VOCABULARY):
        with tempfile.TemporaryDirectory() as folder:
            return check_words(repository(folder, {"docs/vocabulary.md": vocabulary, **files}), *arguments)

    def test_finds_headless_sentences(self):
        rows = [(numbered(path, i), text, line) for i, (path, text, line) in enumerate(HEADLESS)]
        run = self.check({path: text for path, text, _ in rows})
        self.assertEqual(run.returncode, 1, run.stderr)
        for path, text, line in rows:
            self.assertRegex(run.stdout, rf"(?m)^{path}:{line}: .* is headless: ", text)
        self.assertEqual(run.stdout.count("is headless"), len(rows), run.stdout)

    def test_finds_words_and_names(self):
        rows = [(numbered(path, i), text, word) for i, (path, text, word) in enumerate(WORDS)]
        run = self.check({path: text for path, text, _ in rows})
        self.assertEqual(run.returncode, 1, run.stderr)
        for path, text, word in rows:
            self.assertRegex(run.stdout, rf"(?m)^{path}:\d+: .*'{word}'", text)

    def test_accepts_the_rest(self):
        run = self.check({numbered(path, i): text for i, (path, text) in enumerate(SOUND)})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_prints_the_better_word(self):
        run = self.check({"core/a.cpp": "int a;\nLateCopy b;\n"})
        self.assertIn("core/a.cpp:2: name 'LateCopy': AsyncHostCopy\n", run.stdout)
        run = self.check({"core/a.cpp": '#include "a.hpp"\n\n#include <b>\n\nf("a knob");\n'})
        self.assertIn("core/a.cpp:5: 'knob' in the message", run.stdout)

    def test_pairs_words_by_their_order(self):
        run = self.check({"backends/openmp/a.hpp": "plan.move(1);", "core/a.hpp": "// It lacks a pair."})
        self.assertIn("backends/openmp/a.hpp:1: name 'move': step\n", run.stdout)
        self.assertIn("the part of the program\n", run.stdout)

    def test_counts_findings_by_kind(self):
        files = {"physics/md/potentials/a.hpp": "// What it is.",
                 "backends/gpu/pair_force_list/a.hpp": "// Of a list."}
        run = self.check(files, "--count")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stdout, r"(?m)^all +2 +2 +0 +0$")

    def test_reads_the_given_paths_only(self):
        files = {"core/a.hpp": "// What it is.", "apps/b.hpp": "// The box."}
        self.assertEqual(self.check(files).returncode, 1)
        with tempfile.TemporaryDirectory() as folder:
            repository(folder, {"docs/vocabulary.md": VOCABULARY, **files})
            self.assertEqual(check_words(folder, f"{folder}/apps").returncode, 0)
            self.assertEqual(check_words(folder, f"{folder}/core/a.hpp").returncode, 1)
            run = check_words(folder, f"{folder}/tests")
            self.assertIn("expected a file or folder", run.stderr)

    def test_exceptions_are_of_a_path_and_a_word(self):
        table = VOCABULARY + "\n| path | word | reason |\n| --- | --- | --- |\n| `core/*` | `knob` | A key. |\n"
        self.assertEqual(self.check({"core/a.hpp": "int knob;"}, vocabulary=table).returncode, 0)
        self.assertEqual(self.check({"apps/a.hpp": "int knob;"}, vocabulary=table).returncode, 1)
        self.assertEqual(self.check({"core/a.hpp": "LateCopy a;"}, vocabulary=table).returncode, 1)
        run = self.check({}, vocabulary=table + "| `a` | `knob` | Another. |\n" * 10)
        self.assertIn("11 exceptions, expected at most 10", run.stderr)
        run = self.check({}, vocabulary=table + "| `a` | `knob` | |\n")
        self.assertIn("docs/vocabulary.md:13: expected '| path | word | reason |'", run.stderr)

    def test_refuses_a_wrong_table(self):
        run = self.check({}, vocabulary=VOCABULARY + "| trial | sometimes | run |\n")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("docs/vocabulary.md:9: expected '| words | names, prose or both [in paths] |", run.stderr)
        self.assertIn("expected a table", self.check({}, vocabulary="# Vocabulary\n").stderr)

    def test_this_repository_has_a_table(self):
        run = subprocess.run([SCRIPT, "--count"], capture_output=True, text=True)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        self.assertEqual(run.stderr, "")


class Sample(unittest.TestCase):
    def test_pairs_comments_by_the_code_next_to_them(self):
        same = "".join(f"inline constexpr int number_{i} = {i};\n" for i in range(20))
        old = ("/// What waits here.\nvoid late_copy();\n\n/// The same as before.\nvoid box();\n\n"
               "/// Of an atom, the mass.\nvoid mass_of(int atom);\n\nint a;  // what is left over\n" + same)
        new = ("// An addition to the file.\nint first = 5;\n\n/// Asynchronous host copy.\nvoid async_copy();\n\n"
               "/// The same as before.\nvoid box();\n\n/// Mass of an atom.\nvoid mass_of(int index);\n\n"
               "int a;  // the remaining bytes\n" + same)
        with tempfile.TemporaryDirectory() as folder:
            repository(folder, {"docs/vocabulary.md": VOCABULARY, "core/old.hpp": old})
            git(folder, "commit", "--quiet", "-m", "Old")
            git(folder, "mv", "core/old.hpp", "core/new.hpp")
            (pathlib.Path(folder) / "core/new.hpp").write_text(new)
            git(folder, "add", "--all")
            run = check_words(folder, "--sample", "30", "--before", "HEAD")
            self.assertEqual(run.returncode, 0, run.stderr)
            blocks = run.stdout.split("\n\n")
            self.assertIn("3 comments differ", blocks[0])
            self.assertEqual(len(blocks), 4)
            for before, now in (("What waits here.", "Asynchronous host copy."),
                                ("Of an atom, the mass.", "Mass of an atom."),
                                ("what is left over", "the remaining bytes")):
                self.assertTrue(any(f"before | {before}\n" in block and f"now    | {now}" in block for block in blocks),
                                run.stdout)
            self.assertIn("core/new.hpp:4 (was core/old.hpp:1)", run.stdout)
            first = check_words(folder, "--sample", "1", "--seed", "5", "--before", "HEAD").stdout
            self.assertEqual(first, check_words(folder, "--sample", "1", "--seed", "5", "--before", "HEAD").stdout)
            self.assertEqual(first.count("before |"), 1)


if __name__ == "__main__":
    unittest.main()
