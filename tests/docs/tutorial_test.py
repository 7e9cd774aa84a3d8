#!/usr/bin/env python3
"""Follows docs/tutorial.md literally: writes its files, runs its commands in their order, compares their output.

    tutorial_test.py [--whole] WORK CMAKE GENERATOR CXX_COMPILER LAUNCHER PREFIX
    tutorial_test.py --files

The paragraph before a block of TOML, C++ or CMake names the file that the block is ("Write `x`:"), or that it continues
after a blank line ("Append to `x`:"). The complete files are those of examples/tutorial. --files compares only these.
Long commands are shortened (LESS); --whole runs them as they are, and prints all output.

Commands run in one shell, whose home folder has the installed package as ~/tessera. A block of text after commands is
their expected output: "..." stands for any lines, or for the rest of a line, and words must agree. Rows of numbers must
agree too: the row of step 0 in five digits, others roughly, because the trajectories of a liquid amplify rounding
errors. Other numbers are times, or counts that depend on the machine, and may differ.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "docs"))
import blocks as code  # noqa: E402

NAME = "docs/tutorial.md"
TEXT = (ROOT / NAME).read_text()
FILES = ROOT / "examples" / "tutorial"

# Words that are appended to commands that would take long.
QUICK = "-DCMAKE_BUILD_TYPE=Quick '-DCMAKE_CXX_FLAGS={} -DNDEBUG'"
LESS = {
    "tessera run beam.toml --set bunch.particles=100_000 --out twice.out": "--set run.turns=2",
    "tessera tune liquid.toml": "--operation integrate --budget 2",
    "tessera-report liquid.out --from 3000": "--frames 1",
    "cmake -S potential -B potential/build": QUICK.format("-O0"),
    "tessera --plugin potential/build/inverse_power.so run soft_spheres.toml": "--set run.steps=100",
    "cmake -S kernel -B kernel/build": QUICK.format("-O1"),
    "tessera --plugin kernel/build/all_pairs.so verify --operation pair_force --implementation serial.all_pairs":
        "--input melt --size 500",
    "tessera --plugin potential/build/inverse_power.so --plugin kernel/build/all_pairs.so run soft_spheres.toml "
    "--select pair_force=serial.all_pairs --out mine.out": "--set run.steps=100",
}
# Commands that the test prepares instead of running them.
PREPARED = {"cmake --install build/cpu --prefix ~/tessera"}
# {(command, which of its occurrences, counted from 1): exit code} of commands that must fail.
FAILS = {
    ("tessera run liquid.toml", 1): 2,  # the file is still empty
    ("tessera run liquid.toml --set run.stepz=10", 1): 2,
    ("tessera --plugin kernel/build/all_pairs.so verify --operation pair_force --implementation serial.all_pairs "
     "--input two", 1): 1,
}
# Commands whose output depends on the results of a search of two seconds.
DEPENDS_ON_SEARCH = {"tessera tune liquid.toml", "tessera tune --show"}
# Commands that may end with exit code 2 and these words: a page needs matplotlib, which not every machine has, and a
# short search may find no time on a busy machine.
MAY_FAIL = {"tessera-report liquid.out --from 3000": "has no (matplotlib|jinja2)",
            "tessera tune liquid.toml": "the budget ended before"}
NUMBER = r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
NUMBER_PATTERN = r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?"


class Failed(Exception):
    pass


def named_files():
    """Yields (block, name of its file, whether it continues the file) of each block that belongs to a file."""
    lines = TEXT.splitlines()
    for block in code.blocks(NAME, TEXT):
        if block.language not in ("toml", "cpp", "cmake"):
            continue
        start = end = int(block.where.split(":")[1]) - 2
        while lines[start - 1].strip():
            start -= 1
        paragraph = " ".join(lines[start:end])
        named = re.search(r"(?:Write|Write a case,|(Append)(?: the rest)? to|comes from) "
                          r"`([\w./]+)`(?:, piece by piece)?:$", paragraph)
        if not named:
            raise Failed(f"{block.where}: the paragraph before the block names no file: {paragraph[-80:]}")
        yield block, named[2], bool(named[1])


def compare_files():
    """Checks that the files in the blocks are exactly the files of examples/tutorial."""
    text = {}
    for block, name, continues in named_files():
        if continues != (name in text):
            raise Failed(f"{block.where}: {name} " + ("is written twice" if name in text else "is not begun yet"))
        text[name] = f"{text[name]}\n{block.text}" if continues else block.text
    there = {str(p.relative_to(FILES)): p for p in FILES.rglob("*") if p.is_file()}
    if set(text) != set(there):
        raise Failed(f"{NAME} and examples/tutorial have different files: {sorted(set(text) ^ set(there))}")
    for name, path in there.items():
        if path.read_text() != text[name]:
            raise Failed(f"{path.relative_to(ROOT)} differs from the blocks of {NAME}")
    print(f"{len(text)} files of examples/tutorial are those of {NAME}")


def is_row(line):
    return bool(line.split()) and all(re.fullmatch(NUMBER_PATTERN, word) for word in line.split())


def rows_agree(expected, actual):
    expected, actual = ([float(word) for word in line.split()] for line in (expected, actual))
    if len(expected) != len(actual):
        return False
    if expected[0] == 0:
        return all(abs(a - e) <= 1e-5 * abs(e) for e, a in zip(expected, actual))
    # Pressures fluctuate by more than their averages.
    return all(abs(a - e) <= 0.02 * abs(e) + (0.2 if 1e-3 < abs(e) < 2 else 0) for e, a in zip(expected, actual))


def line_agrees(expected, actual):
    if is_row(expected):
        return is_row(actual) and rows_agree(expected, actual)
    if expected.startswith("  selected:"):  # a search may have chosen other implementations than the default ones
        return all(word in actual for word in re.findall(r"\S+=\S+ \(user\)", expected)) and (
            re.findall(r"(\S+)=", expected) == re.findall(r"(\S+)=", actual))
    expected = re.sub(r"\s+", " ", expected.rstrip())
    rest = expected.endswith("...")
    expected = re.sub(r" on \S[^,]*$", " on {any}", expected.removesuffix("..."))  # the name of the device
    pattern = NUMBER_PATTERN.join(re.escape(part) for part in re.split(NUMBER, expected))
    pattern = pattern.replace(re.escape("{any}"), ".*") + (".*" if rest else "")
    return re.fullmatch(pattern, re.sub(r"\s+", " ", actual.rstrip())) is not None


def agree(expected, actual):
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(agree(expected[1:], actual[at:]) for at in range(len(actual) + 1))
    return bool(actual) and line_agrees(expected[0], actual[0]) and agree(expected[1:], actual[1:])


def compare_output(where, expected, actual, more):
    if last := re.search(r"run\.(steps|turns)=(\d+)", more):  # a shorter run has fewer rows
        expected = [line for line in expected if not is_row(line) or float(line.split()[0]) <= int(last[2])]
    if not agree(expected, actual):
        raise Failed("\n".join([f"{where}: expected", *expected, "got", *actual]))


def check_virial(lines):
    """Checks that the two pressures in each line agree: that of the run, and that of the virial theorem."""
    rows = [[float(word) for word in line.split()] for line in lines]
    if len(rows) < 2 or any(abs(a - b) > 1e-5 * a for a, b in rows):
        raise Failed("\n".join(["the pressures are not those of the virial theorem", *lines]))


class Shell:
    """One bash process for all commands, as for a reader of the tutorial."""

    def __init__(self, folder, environment):
        self.process = subprocess.Popen(["bash"], cwd=folder, env=environment, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, command):
        self.process.stdin.write(f"{{ {command}\n}} </dev/null\necho \"--- exit $?\"\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if done := re.fullmatch(r"--- exit (\d+)\n", line):
                return lines, int(done[1])
            lines.append(line.rstrip("\n"))
        raise Failed(f"the shell ended in: {command}")


def prepare(work, cmake, prefix):
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "tessera").symlink_to(prefix)
    programs = work / "programs"  # cmake of the enclosing build
    programs.mkdir()
    (programs / "cmake").symlink_to(cmake)


def environment_of(work, generator, compiler, launcher):
    if launcher.endswith("-NOTFOUND"):
        launcher = ""
    environment = {k: v for k, v in os.environ.items()
                   if not k.startswith("TESSERA_") and k not in ("XDG_DATA_HOME", "CMAKE_PREFIX_PATH")}
    environment.setdefault("CCACHE_DIR", str(pathlib.Path.home() / ".cache" / "ccache"))
    environment.update(HOME=str(work), PATH=f"{work / 'programs'}:{os.environ['PATH']}", CMAKE_GENERATOR=generator,
                       CXX=compiler, CMAKE_CXX_COMPILER_LAUNCHER=launcher)
    return environment


def follow(whole, work, cmake, generator, compiler, launcher, prefix):
    prepare(work, cmake, prefix)
    shell = Shell(work, environment_of(work, generator, compiler, launcher))
    files = {block.where: (name, continues) for block, name, continues in named_files()}
    output, more, times = None, "", {}
    for block in code.blocks(NAME, TEXT):
        if block.language == "text":
            if output is not None:
                compare_output(block.where, block.text.splitlines(), output, more)
            continue
        if block.where in files:
            name, continues = files[block.where]
            path = work / "tutorial" / name
            path.write_text(f"{path.read_text()}\n{block.text}" if continues else block.text)
            continue
        output = []
        for command in code.commands(block):
            times[command] = times.get(command, 0) + 1
            if command in PREPARED:
                continue
            more = "" if whole else LESS.get(command, "")
            begin = time.monotonic()
            lines, exit_code = shell.run(f"{command} {more}")
            print(f"$ {command} {more}    (exit {exit_code}, {time.monotonic() - begin:.1f} s)", flush=True)
            if whole:
                print("\n".join(lines), flush=True)
            tolerated = command in MAY_FAIL and exit_code == 2 and re.search(MAY_FAIL[command], "".join(lines))
            if not tolerated and exit_code != FAILS.get((command, times[command]), 0):
                raise Failed("\n".join([f"{block.where}: {command} {more}: exit {exit_code}", *lines]))
            if command.startswith("awk") and "12/3" in command:
                check_virial(lines)
            if tolerated or command in DEPENDS_ON_SEARCH:
                output = None
            elif output is not None:
                output += lines
    for command in [*LESS, *PREPARED, *DEPENDS_ON_SEARCH, *MAY_FAIL, *(c for c, _ in FAILS)]:
        if command not in times:
            raise Failed(f"{NAME} does not have the command {command}")


parser = argparse.ArgumentParser()
parser.add_argument("--files", action="store_true")
parser.add_argument("--whole", action="store_true")
parser.add_argument("settings", nargs="*")
arguments = parser.parse_args()
try:
    compare_files()
    if not arguments.files:
        folder, *settings, installed = arguments.settings
        follow(arguments.whole, pathlib.Path(folder).resolve(), *settings, pathlib.Path(installed).resolve())
except Failed as failure:
    sys.exit(f"tutorial_test.py: {failure}")
