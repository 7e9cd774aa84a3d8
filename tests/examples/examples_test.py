#!/usr/bin/env python3
"""Runs the commands in the README.md of an example and compares the figures with its expected.json.

    examples_test.py TESSERA FOLDER NAME ... [--whole | --wrong]

The options `short` of expected.json shorten the runs; --whole leaves them as README.md has them. --wrong adds the
options `wrong`, which change the physics, and checks that the comparison then fails. The output stays in FOLDER/NAME,
from which tests/tools/example_pictures_test.py draws the pictures.
"""

import argparse
import filecmp
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "docs"))
import blocks as code  # noqa: E402


class Failed(Exception):
    pass


def commands(name):
    """Returns the path of the README.md of an example, and the commands in its blocks in their order."""
    readme = f"examples/{name}/README.md"
    found = [command for block in code.blocks(readme, (ROOT / readme).read_text()) if block.language == "shell"
             for command in code.commands(block)]
    return readme, found


class Example:
    def __init__(self, name, tessera, folder):
        self.name = name
        self.expected = json.loads((ROOT / "examples" / name / "expected.json").read_text())
        self.folder = folder / name
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "examples").mkdir(parents=True)
        # Copies the example, because scripts write files into their own folder.
        for part in ("common", name):
            shutil.copytree(ROOT / "examples" / part, self.folder / "examples" / part,
                            ignore=shutil.ignore_patterns("__pycache__"))
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("TESSERA_")}
        self.environment["PATH"] = f"{pathlib.Path(tessera).resolve().parent}:{os.environ['PATH']}"
        self.environment["TESSERA_TUNING"] = str(self.folder / "tuning.json")  # not that of the user
        self.environment["PYTHONDONTWRITEBYTECODE"] = "1"

    def does(self, command, codes=(0,)):
        begin = time.monotonic()
        result = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        print(f"$ {shlex.join(command)}    ({time.monotonic() - begin:.1f} s)", flush=True)
        print(result.stdout + result.stderr, end="", flush=True)
        if result.returncode not in codes:
            raise Failed(f"exit code {result.returncode} of: {shlex.join(command)}")
        return result.returncode

    def run(self, whole, wrong):
        readme, lines = commands(self.name)
        done = set()
        for line in lines:
            words = shlex.split(line)
            if line.startswith("tessera run "):
                less = [] if whole else shlex.split(self.expected["short"])
                self.does([*words, *less, *(shlex.split(self.expected["wrong"]) if wrong else []), "--quiet"])
                done.add("run")
            elif words[0] == f"examples/{self.name}/analyse.py":
                if "--picture" in words:
                    del words[words.index("--picture"):words.index("--picture") + 2]
                code = self.does([sys.executable, *words, *([] if whole else ["--short"])], (0, 1))
                if wrong and code == 0:
                    raise Failed(f"all figures agree with {self.expected['wrong']}: they show nothing")
                if not wrong and code == 1:
                    raise Failed("figures that are marked NO are off")
                done.add("analysis")
            elif words[0].startswith(f"examples/{self.name}/make_"):
                self.does([sys.executable, *words])
                for file in (self.folder / "examples" / self.name).iterdir():
                    checked_in = ROOT / "examples" / self.name / file.name
                    if file.is_file() and not filecmp.cmp(file, checked_in, shallow=False):
                        raise Failed(f"{words[0]} writes another {file.name} than the one in the repository")
            else:
                raise Failed(f"{readme}: unknown command: {line}")
        if done != {"run", "analysis"}:
            raise Failed(f"{readme} has commands for {sorted(done)}; a run and its analysis are needed")
        for made in sorted((ROOT / "examples" / self.name).glob("make_*.py")):
            if not any(line.startswith(f"examples/{self.name}/{made.name}") for line in lines):
                raise Failed(f"{readme} does not name {made.name}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tessera")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--wrong", action="store_true")
    arguments = parser.parse_args()
    failures = 0
    for name in arguments.names:
        try:
            Example(name, arguments.tessera, arguments.folder.resolve()).run(arguments.whole, arguments.wrong)
        except Failed as failure:
            print(f"{name}: {failure}", file=sys.stderr)
            failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
