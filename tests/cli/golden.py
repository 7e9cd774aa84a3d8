#!/usr/bin/env python3
"""Runs the commands of a golden file and compares what they print.

A golden file is a sequence of

    $ tessera ARGUMENTS            the command; "| keys" after it lists the keys of its JSON
    text                           expected standard output
    --- stderr                     then the expected error output, when there is any
    text
    --- exit N                     expected exit code

Placeholders stand for text that differs between machines and builds: <any> for some text in a line,
<number> for a number, <lines> on a line of its own for any number of lines. Runs of blanks count as
one, because the widths of columns depend on their content. A key that begins with '?' may be absent.
Commands run in a new folder that contains the files beside the golden file. --update rewrites the golden
file from the output of the program; put the placeholders back by hand.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile


class Case:
    def __init__(self, command):
        self.command = command
        self.stdout = []
        self.stderr = []
        self.exit = 0


def read_cases(path):
    cases, target = [], None
    for line in path.read_text().splitlines():
        if line.startswith("$ "):
            cases.append(Case(line[2:]))
            target = cases[-1].stdout
        elif line == "--- stderr":
            target = cases[-1].stderr
        elif line.startswith("--- exit "):
            cases[-1].exit = int(line[9:])
            target = None
        elif target is not None:
            target.append(line)
        elif line and not line.startswith("#"):
            raise SystemExit(f"{path}: '{line}' belongs to no command")
    return cases


def normalised(text):
    return re.sub(r"[ \t]+", " ", text).rstrip()


def pattern_of(line):
    escaped = re.escape(normalised(line))
    escaped = escaped.replace(re.escape("<any>"), ".*?")
    return escaped.replace(re.escape("<number>"), r"[-+]?[0-9][-+.0-9e]*")


def matches(expected, actual):
    """Whether the lines agree; <lines> matches any number of lines."""
    if not expected:
        return not actual
    if expected[0].strip() == "<lines>":
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return (
        bool(actual)
        and re.fullmatch(pattern_of(expected[0]), normalised(actual[0])) is not None
        and matches(expected[1:], actual[1:])
    )


def keys_of(value, prefix=""):
    found = set()
    if isinstance(value, dict):
        for key, inner in value.items():
            name = f"{prefix}.{key}" if prefix else key
            found.add(name)
            found |= keys_of(inner, name)
    elif isinstance(value, list):
        for inner in value:
            found |= keys_of(inner, prefix + "[]")
    return found


def keys_agree(expected, actual):
    required = {k for k in expected if not k.startswith("?")}
    known = {k.lstrip("?") for k in expected}
    return required <= set(actual) and set(actual) <= known


def run(case, program, folder):
    command = case.command
    wants_keys = command.endswith("| keys")
    if wants_keys:
        command = command[: -len("| keys")]
    words = shlex.split(command)
    if words[0] != "tessera":
        raise SystemExit(f"'{command}' does not start with tessera")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TESSERA_")}
    environment["TESSERA_TUNING"] = "off"  # not the records of the user
    result = subprocess.run(
        [program] + words[1:], cwd=folder, env=environment, text=True, capture_output=True
    )
    stdout = result.stdout.splitlines()
    if wants_keys:
        stdout = sorted(keys_of(json.loads(result.stdout)))
    return stdout, result.stderr.splitlines(), result.returncode, wants_keys


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("golden", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    cases = read_cases(arguments.golden)
    failures = 0
    rewritten = []
    with tempfile.TemporaryDirectory() as folder:
        for file in arguments.golden.parent.iterdir():
            if file.suffix != ".txt":
                shutil.copy(file, folder)
        for case in cases:
            stdout, stderr, code, is_keys = run(case, program, folder)
            rewritten += [f"$ {case.command}", *stdout]
            rewritten += ["--- stderr", *stderr] if stderr else []
            rewritten += [f"--- exit {code}", ""]
            agree = keys_agree(case.stdout, stdout) if is_keys else matches(case.stdout, stdout)
            if agree and matches(case.stderr, stderr) and code == case.exit:
                continue
            failures += 1
            print(f"$ {case.command}\n  expected exit {case.exit}, got {code}")
            if is_keys:
                print("  keys:", sorted(set(stdout) ^ {k.lstrip('?') for k in case.stdout}))
            for name, expected, actual in (
                ("output", case.stdout, stdout),
                ("errors", case.stderr, stderr),
            ):
                print(f"  expected {name}:", *[f"    {line}" for line in expected], sep="\n")
                print(f"  actual {name}:", *[f"    {line}" for line in actual], sep="\n")
    if arguments.update:
        arguments.golden.write_text("\n".join(rewritten))
    print(f"{len(cases) - failures} of {len(cases)} commands as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
