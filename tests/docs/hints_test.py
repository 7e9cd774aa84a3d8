#!/usr/bin/env python3
"""Tests that commands and options in messages exist: hints_test.py --build BUILD

Messages are string literals of the C++ sources, and texts that scripts print or raise. An option belongs to the
program that precedes it in the message ("scripts/bootstrap --peers", "'tune --pin'"), else to the programs that print
the message: for a C++ source the commands of `tessera` in PRINTED_BY, for a script itself and every script that imports
it. The options of a program are those in its --help.
"""

import argparse
import ast
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# {start of the path of a file below apps/tessera: commands that print its messages}. Messages of other files, except
# X_command.cpp, have to name the command together with the option.
PRINTED_BY = {
    "case/": {"run", "verify"},
    "run_": {"run"},
    "runs/": {"run"},
    "time_limit": {"run"},
    "tune_": {"tune"},
    "tuning_": {"tune"},
    "filter": {"verify", "bench"},
    "selection_options": {"run", "verify", "bench"},
}
# Programs outside of this repository, whose options are not checked.
FOREIGN = {"cmake", "ctest", "nvcc", "nvidia-smi", "pip", "apt-get", "lmp", "mpiexec", "openpmd-pipe"}
OPTION = re.compile(r"--[a-z][a-z0-9-]*")


def joined_literals(text):
    """Returns (line, text) of the string literals of C++ code; adjacent literals are joined."""
    text = re.sub(r"//[^\n]*", "", text)
    found = []
    end = -1
    for match in re.finditer(r'"((?:[^"\\\n]|\\.)*)"', text):
        if found and not text[end:match.start()].strip():
            found[-1][1] += match[1]
        else:
            found.append([text.count("\n", 0, match.start()) + 1, match[1]])
        end = match.end()
    return found


def references(text, commands):
    """Returns (program, option) for each option of a message.

    The program is a command of `tessera`, a script, one of FOREIGN, or None for the program that prints the message.
    The option is None for a command or script without options.
    """
    found, program = [], None
    words = text.replace("\\n", " ").split()
    for at, raw in enumerate(words):
        word = raw.strip("`'\"(),.;:{}")
        opens = raw[:1] in "`'\"("
        name = word.rsplit("/", 1)[-1]
        behind = words[at + 1].strip("`'\"(),.;:{}") if at + 1 < len(words) else ""
        if word == "tessera" and (behind in commands or (raw[:1] in "`'" and re.fullmatch("[a-z]+", behind))):
            program = f"tessera {behind}"
            found.append((program, None))
            continue
        if program == f"tessera {word}":
            pass
        elif word == "tessera" and behind.startswith("--"):
            program = "tessera"
        elif opens and word in commands and behind.startswith("--"):
            program = f"tessera {word}"
        elif re.fullmatch(r"(?:scripts|benchmarks)/[\w/]+", word):
            program = word
            found.append((program, None))
        elif name in FOREIGN or word.startswith(".venv"):
            program = name
        elif option := OPTION.fullmatch(word.split("=")[0]):
            found.append((program, option[0]))
        if raw[-1:] in ",;:.)'`\"":
            program = None
    return found


def python_messages(path):
    """Yields (line, texts) that a script raises, prints or exits with, except the help of its options."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Raise):
            yield node.lineno, texts_of(node)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in (
                "exit", "error", "print", "fail", "die"):
            yield node.lineno, texts_of(node)


def texts_of(node):
    return " ".join(n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str))


def shell_messages(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if re.search(r"\b(echo|printf|fail|die)\b", line):
            for text in re.findall(r'"([^"]*)"', line):
                yield number, text


def scripts():
    """Yields the scripts of the repository."""
    for folder in ("benchmarks", "benchmarks/peers", "benchmarks/tools", "scripts", "examples/space_charge", ".ci",
                   "tests/campaigns"):
        for path in sorted((ROOT / folder).iterdir()):
            if path.is_file() and path.read_bytes()[:2] == b"#!":
                yield path


def is_python(path):
    return "python" in path.read_text().split("\n", 1)[0]


class Hints(unittest.TestCase):
    def setUp(self):
        self.options = {}

    def takes(self, program):
        """Returns the options of a command ("tessera run", "tessera") or of a script ("scripts/fuzz"); None if there is
        no such program."""
        if program not in self.options:
            self.options[program] = self.asked(program)
        return self.options[program]

    def asked(self, program):
        if program.startswith("tessera"):
            words = program.split()[1:]
            if words and words[0] not in commands:
                return None
            told = "".join(help_of(*w) for w in ([words] if words else []) + [[]])
            return set(re.findall(r"^ +(?:-h,)?(--[a-z-]+)", told, re.M))
        path = ROOT / program
        if not path.is_file():
            return None
        if is_python(path):
            done = subprocess.run([sys.executable, path, "--help"], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            return set(OPTION.findall(done.stdout))
        # Reads the source of scripts without --help, which would begin their work.
        return set(re.findall(r"(?:^|[|(\s])(--[a-z-]+)(?=\)| \||\|)", path.read_text(), re.M))

    def check(self, where, text, printers):
        for program, option in references(text, commands):
            if program is not None and program.split("/")[-1] in FOREIGN or (program or "").startswith("python"):
                continue
            with self.subTest(where=where, text=text, option=option):
                for one in [program] if program else printers:
                    there = self.takes(one)
                    self.assertIsNotNone(there, f"there is no {one}")
                    if option:
                        self.assertIn(option, there, f"{one} does not take it")
                if option and not program:
                    self.assertTrue(printers, "whose option is it?")
        return len(references(text, commands))

    def test_program(self):
        """Messages of the C++ sources name existing options."""
        count = 0
        for folder in ("apps", "core", "physics", "backends"):
            for path in sorted((ROOT / folder).rglob("*")):
                if path.suffix not in (".cpp", ".hpp", ".cu", ".cuh", ".in"):
                    continue
                name = str(path.relative_to(ROOT / folder)).removeprefix("tessera/")
                printers = next((c for start, c in PRINTED_BY.items() if folder == "apps" and name.startswith(start)),
                                {path.stem.removesuffix("_command")} if name.endswith("_command.cpp") else set())
                for line, text in joined_literals(path.read_text()):
                    # Skips names of options and origins of values, which are no messages.
                    if OPTION.fullmatch(text.strip()) or text.startswith("--set key"):
                        continue
                    count += self.check(f"{path.relative_to(ROOT)}:{line}", text,
                                        [f"tessera {c}" if c in commands else "tessera" for c in printers])
        self.assertGreater(count, 30)

    def test_variables(self):
        """Variables and options of CMake that messages name are used somewhere."""
        files = [p for folder in ("cmake", "apps", "core", "physics", "backends", "tests", "benchmarks", "examples")
                 for p in (ROOT / folder).rglob("*") if p.suffix in (".cmake", ".txt", ".cpp", ".hpp", ".in")]
        files.append(ROOT / "CMakeLists.txt")
        source = {p: p.read_text(errors="ignore") for p in files}
        known = set().union(*(re.findall(r"(?:(?:option|set)\(|\")(TESSERA_[A-Z0-9_]+)[\" ]", text)
                              for text in source.values()))
        for path, text in source.items():
            messages = [m for _, m in joined_literals(text)] if path.suffix in (".cpp", ".hpp") else re.findall(
                r'message\((?:FATAL_ERROR|WARNING|SEND_ERROR|STATUS)([^)]*)\)', text)
            for message in messages:
                if " " not in message.strip():
                    continue
                for variable in re.findall(r"(?<![${\w@])TESSERA_[A-Z0-9_]+\b(?!\()", message):
                    with self.subTest(where=str(path.relative_to(ROOT)), variable=variable):
                        self.assertTrue(variable in known, message)

    def test_scripts(self):
        """Messages of scripts name options of the script and of the scripts that import it."""
        imports = {path: set(re.findall(r'SourceFileLoader\("(\w+)"', path.read_text())) for path in scripts()}
        count = 0
        for path in scripts():
            printers = [p for p in imports if p == path or (path.name in imports[p] and p.parent == path.parent)]
            for line, text in python_messages(path) if is_python(path) else shell_messages(path):
                count += self.check(f"{path.relative_to(ROOT)}:{line}", text,
                                    [str(p.relative_to(ROOT)) for p in printers])
        self.assertGreater(count, 15)

    def test_melt_ratio(self):
        """Following the hint in a message of melt_ratio works."""
        script = ROOT / "benchmarks/peers/melt_ratio"
        command = [sys.executable, script, "tessera", "--environment", "/nowhere"]
        told = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(told.returncode, 1)
        self.assertIn("name your own with --lmp and --mpiexec", told.stderr)
        for own in ("/bin/false", "/nowhere/lmp"):
            done = subprocess.run([*command, "--lmp", own, "--mpiexec", own], capture_output=True, text=True,
                                  timeout=60)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"melt_ratio: {own} does not start", done.stderr)

    def test_this_test(self):
        """The functions of this test find options that do not exist."""
        self.assertEqual(references("run scripts/bootstrap --peers, or name it with --lmp", commands),
                         [("scripts/bootstrap", None), ("scripts/bootstrap", "--peers"), (None, "--lmp")])
        self.assertEqual(references("a file that 'tessera tune --pin' wrote, for 'run --pin'", commands),
                         [("tessera tune", None), ("tessera tune", "--pin"), ("tessera run", "--pin")])
        self.assertEqual(references("nvcc --version says", commands), [("nvcc", "--version")])
        self.assertEqual(references("tessera failed; run 'tessera tunes', or tessera --plugin X", commands),
                         [("tessera tunes", None), ("tessera", "--plugin")])
        self.assertEqual(joined_literals('f("a "\n  "--b", "c");  // "d"'), [[1, "a --b"], [2, "c"]])
        self.assertNotIn("--lmp", self.takes("benchmarks/peers/gromacs_water"))
        self.assertIn("--developer", self.takes("scripts/bootstrap"))
        self.assertIsNone(self.takes("tessera measure"))
        self.assertIsNone(self.takes("scripts/nothing"))


def help_of(*words):
    return subprocess.run([tessera, *words, "--help"], capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    arguments, rest = parser.parse_known_args()
    tessera = arguments.build.resolve() / "bin" / "tessera"
    commands = set(re.findall(r"^  ([a-z]+)  ", help_of().split("Subcommands:")[1], re.M))
    unittest.main(argv=[sys.argv[0], *rest])
