#!/usr/bin/env python3
"""Tests that the conformance program runs all properties of the selected operation, and no others.

    selection_test.py PROGRAM OPERATION...
"""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TEST = r'(?:TEST_CASE|TESSERA_PROPERTY)\(\s*(?:\w+,\s*)?((?:"(?:[^"\\]|\\.)*"\s*)+)\)'


def tests_of(*files):
    return {"".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).replace('\\"', '"')
            for file in files for text in re.findall(TEST, file.read_text())}


program, *operations = sys.argv[1:]
common = tests_of(HERE.parent / "support" / "conformance_main.cpp")
wrong = [] if len(common) >= 2 and operations else ["nothing to compare"]
for operation in operations:
    name = operation.replace("/", "_")
    expected = common | tests_of(HERE / f"{name}.cpp", *sorted((HERE / name).glob("*.cpp")))
    listed = subprocess.run([program, "--operation", operation, "--list-test-cases", "--no-colors=1"],
                            capture_output=True, text=True, check=True).stdout
    there = {line for line in listed.splitlines() if not re.match(r"\[doctest\]|=+$", line)}
    there.discard(next(line for line in listed.splitlines() if line.startswith(operation)))
    if there != expected or len(expected) <= len(common):
        wrong.append(f"{operation}: only listed {sorted(there - expected)}, not listed {sorted(expected - there)}")
print(*wrong, sep="\n")
sys.exit(1 if wrong else 0)
