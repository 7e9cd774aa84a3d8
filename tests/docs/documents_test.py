#!/usr/bin/env python3
"""Runs the commands of README.md, CONTRIBUTING.md and docs/, and compares their facts with the repository.

Commands in code blocks are run unchanged in a folder that looks like the repository. Exceptions: a command that
takes long is run with additional options (LESS); for a command that is run elsewhere a table names the script and
the words that it has to contain (ELSEWHERE); for a command that is never run a table gives the reason (NOT_RUN);
a command that needs a GPU may be refused (GPU); tutorial_test.py runs the commands of docs/tutorial.md (FOLLOWED).
Any other command that cannot be run is a failure, and so is an entry of a table that no document contains.

    documents_test.py --build BUILD [--log FILE] [unittest's options]

prints a line for each command, and with --log writes the lines to FILE too.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "docs"))
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import blocks as code  # noqa: E402
import golden  # noqa: E402

NAMES = ["README.md", "CONTRIBUTING.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").rglob("*.md"))]
DOCUMENTS = {name: (ROOT / name).read_text() for name in NAMES}
# Documents whose commands are not run, because they measure for minutes or need a GPU; paths and names are checked.
BESIDE = {str(p.relative_to(ROOT)): p.read_text() for folder in ("backends", "benchmarks", "examples", "physics")
          for p in (ROOT / folder).rglob("*.md")}
# Documents whose commands depend on each other, and the tests that run these commands.
FOLLOWED = {"docs/tutorial.md": "tests/docs/tutorial_test.py"}
FOLDERS = "core|physics|backends|apps|tests|benchmarks|examples|docs|scripts|cmake|\\.ci"

# Options that are appended to a command, to shorten it.
LESS = {
    "tessera run examples/melt/melt.toml": "--set run.steps=2",
    "tessera run examples/melt/melt.toml --select pair_force=kokkos.portable": "--set run.steps=2",
    "tessera run melt.toml --set run.steps=5000 --set 'system.cells=[40, 40, 40]' --set units=real":
        "--set 'system.cells=[4, 4, 4]' --set run.steps=2",
    "tessera run melt.toml --set pair.coefficients.0.epsilon=1.2 --set 'selection.\"md/pair_force\"=reference'":
        "--set 'system.cells=[4, 4, 4]' --set run.steps=2",
    "tessera tune examples/melt/melt.toml": "--budget 2 --operation pair_force --set 'system.cells=[4, 4, 4]'",
    "tessera tune --operation pair_force --size 32000 --precision mixed --budget 2m":
        "--implementation openmp.portable --values skin_over_cutoff=0.12",
    "tessera tune --operation charge_deposit --input random --size 1000000": "--budget 2",
    "tessera verify": "--operation extrema --implementation serial.portable",
    "tessera tune --operation sum --landscape all.json": "--size 1000 --budget 8",
    "tessera bench --json > bench.json":
        "--operation sum --implementation serial.portable --precision double --size 1000 --repeat 1",
    "tessera bench": "--operation sum --implementation serial.portable --precision double --size 1000 --repeat 1",
    "ctest --test-dir build/cpu -L md": "-N",
    "cmake --build build/cpu --target mutated_inputs tessera_cli": "-- -n",
    "tests/campaigns/inputs.py build/cpu/bin/mutated_inputs --tries 5000 --tessera build/cpu/bin/tessera --runs 200":
        "--tries 4 --runs 2",
    'cmake --preset cpu -DTESSERA_SELECT="pair_force=kokkos.portable"': "{configure}",
}
# {command: (options as in LESS, pattern of the refusal if the GPU or backend is missing)}
GPU = {
    "tessera run examples/melt/melt.toml --backend cuda --select pair_force=cuda.list --precision mixed":
        ("--set run.steps=2", "cuda.*(not built|cannot run)"),
}
ELSEWHERE = {
    "scripts/test": (".ci/run", "scripts/test "),
    "scripts/bootstrap --developer": (".ci/run", "scripts/bootstrap --developer"),
    "scripts/fuzz": (".ci/run", "scripts/fuzz --seconds"),
    "scripts/emulate --quick": (".ci/run", "scripts/emulate --quick "),
    "scripts/format --check": (".ci/run", "scripts/format --check"),
    "scripts/check_dependencies build/cpu": (".ci/run", "scripts/check_dependencies build/cpu"),
    "scripts/check_copies": (".ci/run", "scripts/check_copies"),
    "scripts/site": (".ci/run", "scripts/site"),
    "scripts/check_headers": (".ci/run", "scripts/check_headers build/cpu"),
    "scripts/case_reference build/cpu/bin/tessera": ("tests/cli/CMakeLists.txt", "scripts/case_reference --check"),
    "cmake --preset cpu": ("scripts/test", "cmake --preset cpu "),
    "cmake --build build/cpu": ("scripts/test", "cmake --build build/cpu "),
    "cmake --preset cuda": ("scripts/build_cuda", "cmake --preset cuda "),
    "cmake --build build/cuda": ("scripts/build_cuda", 'cmake --build "$folder" '),
    "cmake --install build/cpu --prefix DIR": ("tests/install/package.cmake", "--install ${BUILD} --prefix"),
    "ctest --test-dir build/cpu -j 2": ("scripts/test", "ctest --test-dir build/cpu "),
    "tests/campaigns/inputs.py build/sanitize/bin/mutated_inputs --tries 5000":
        (".ci/run", "ctest --test-dir build/sanitize "),
    "cmake --preset sanitize": (".ci/run", "configure_clang sanitize "),
    "cmake --build build/sanitize --target mutated_inputs": (".ci/run", "cmake --build build/sanitize "),
    "cmake --preset tsan": (".ci/run", "configure_clang tsan "),
    "cmake --build build/tsan": (".ci/run", "cmake --build build/tsan "),
    "ctest --test-dir build/tsan -L openmp": (".ci/run", "-L openmp"),
}
ELSEWHERE.update({command: ("tests/tools/new_files_test.py", words) for command, words in {
    'scripts/new_operation reduction/median --summary "middle value of each column"': '"new_operation"',
    "scripts/new_kernel reduction/sum gpu fast": '"new_kernel"', "scripts/new_potential born/mayer": '"born/mayer"',
    "scripts/new_potential gromos --bond": '"gromos", "--bond"'}.items()})
# tests/report/pages_test.py makes pages of all of these.
ELSEWHERE.update({command: ("tests/tools/report_test.py", "pages_test.py") for command in (
    "tessera-report melt.out", "tessera-report all.json", "tessera-report bench.json",
    ".venv/bin/python build/cpu/bin/tessera-report melt.out")})
NOT_RUN = {
    "scripts/demo": "builds without tests; its last command is run instead (test_demo)",
    ".ci/run": "runs this test",
    "ctest --test-dir build/cpu -R docs": "is this test",
    "scripts/gpu_check build/cuda": "needs a GPU",
    "scripts/emulate": "takes hours; .ci/run has a part",
    "cmake --preset hip": "a build of its own; scripts/build_hip makes one like it",
    "cmake --build build/hip": "a build of its own; scripts/build_hip makes one like it",
    "scripts/pack_checks build/hip checks": "needs a build for an AMD GPU; tests/tools/pack_checks_test.py runs it",
    "build/hip/bin/tessera list --backend hip": "needs a build for an AMD GPU",
    "build/hip/bin/tessera verify --backend hip": "needs an AMD GPU",
    "build/hip/bin/tessera bench --backend hip": "needs an AMD GPU",
    "build/hip/bin/tessera tune examples/melt/melt.toml --backend hip": "needs an AMD GPU",
    "ctest --test-dir build/tsan -R races -V -N": "shows tests of a build of its own, which .ci/run makes",
    "scripts/fuzz --seconds 60 restart": "needs a build of its own; .ci/run has a shorter one",
    "scripts/campaigns": "takes half an hour and more; ctest and .ci/run try a little of each",
    "scripts/campaigns --quick runs": "needs builds of its own; ctest ends a few runs",
    "cmake --preset package": "a build of its own; that there is this preset is looked up",
    "build/cpu/bin/tessera_conformance --operation pair_force --plugin lib.so --implementation <backend>.<variant> "
    "--precision mixed": "needs a plugin; that there is this program and what it takes is looked up",
}
# Words that stand for a file or a value of the reader.
STANDS_FOR = {"CASE.toml": "melt.toml", "CASE": "melt.toml", "LINE": "'{line}'", "FILE": "lines",
              "lib.so": "nowhere.so"}
# Files that the reader or a run writes.
MADE = {"plan.cuh", "plan.hpp", "born_mayer.hpp", "gromos.hpp", "row.cpp.in", "my_potential.hpp", "melt.toml",
        "summary.json", "thermo.csv",
        "statistics.csv", "losses.csv", "bunch.npy", "all.json", "bench.json", "report.json",
        "potential.npy",
        "tuning.json", "parameters.hpp", "select.cmake", "pin.json", "run.json", "melt-2.out", "A.json", "B.json"}
# Names that the reader chooses, words of file formats, and an option of a compiler.
CHOSEN = {"MyTerm", "FastPlan", "MyIntegrator", "MyPotential", "my_potential", "lib", "insns", "BUILD_A", "BUILD_B",
          "melt_32000", "melt_256000", "soft_spheres"}
# First words of blocks that are neither commands nor code, such as output of the program or lists of folders.
PICTURES = {"operation", "core/", "core/base", "physics/md/potentials/lj_cut.hpp", "integrator.before",
            "trial_session.hpp", "half"}
# {pattern of a figure in CONTRIBUTING: (file that defines it, pattern of the figure there)}
FIGURES = {
    "ctest tries (\\d+) mutations a format": ("tests/campaigns/CMakeLists.txt", "--tries (\\d+)"),
    "libFuzzer \\(clang (\\d+)\\)": ("CMakePresets.json", "clang\\+\\+-(\\d+)"),
    "clang (\\d+) with ThreadSanitizer": ("CMakePresets.json", "clang\\+\\+-(\\d+)"),
}
# {pattern of a number of lines in CONTRIBUTING: files whose lines are counted}
COUNTED = {
    "tests/potentials/soft.hpp` is one of (\\d+) lines": ["tests/potentials/soft.hpp"],
    "outside of the library: 1 file of (\\d+) lines": ["tests/analytic/tether_term.hpp"],
    "of list_term.hpp, are 2 files of (\\d+) lines":
        ["physics/md/simulation/special_term.hpp", "physics/md/simulation/special_term.cpp"],
    "langevin.cpp in that folder are 2 files of (\\d+) lines":
        ["physics/md/simulation/langevin.hpp", "physics/md/simulation/langevin.cpp"],
    "has two keys: it is one file of (\\d+) lines": ["physics/md/case/velocities_section.hpp"],
}


class Reader:
    """Runs commands of the documents in a temporary folder that looks like the repository with a build in build/cpu."""

    def __init__(self, build, log):
        self.build = build
        self.log = log
        self.home = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.home.name)
        for name in ("examples", "scripts", "tests", "cmake", ".ci"):
            (self.folder / name).symlink_to(ROOT / name)
        (self.folder / "build").mkdir()
        (self.folder / "build" / "cpu").symlink_to(build)
        (self.folder / "melt.toml").write_text(first("docs/case_reference.md", "toml").text)
        self.line = first("docs/trials.md", "json").text.strip()
        (self.folder / "lines").write_text(self.line + "\n")
        cache = (build / "CMakeCache.txt").read_text()
        self.cached = dict(re.findall(r"^(\w+):[A-Z]+=(.*)$", cache, re.M))
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("TESSERA_")}
        self.environment["PATH"] = f"{build / 'bin'}:{os.environ['PATH']}"
        self.environment["TESSERA_TUNING"] = str(self.folder / "tuning.json")  # not the user's database

    def tell(self, what, command, remark):
        line = f"{what:<8} $ {command}    ({remark})"
        print(line, flush=True)
        if self.log:
            self.log.write(line + "\n")

    def does(self, command, more="", told=None, folder="."):
        """Runs a command of a document, with `more` appended, in a folder; returns the result of subprocess.run."""
        words = re.sub(r"\b(CASE\.toml|CASE|LINE|FILE|lib\.so)(?![\w.])", lambda m: STANDS_FOR[m[1]], command)
        words = words.replace("{line}", self.line)
        begin = time.monotonic()
        result = subprocess.run(["bash", "-c", f"{words} {more}"], cwd=self.folder / folder, env=self.environment,
                                capture_output=True, text=True, timeout=120)
        place = "" if folder == "." else f" in {folder}"
        self.tell("run", f"{command} {more if told is None else told}".strip(),
                  f"exit {result.returncode}, {time.monotonic() - begin:.1f} s{place}")
        return result

    def does_elsewhere(self, command, more=""):
        """Runs a command in another current folder, with its paths made relative to that folder."""
        words = [f"../{word}" if re.fullmatch(r"[\w./-]+", word) and (self.folder / word).exists() else word
                 for word in command.split(" ")]
        (self.folder / "elsewhere").mkdir(exist_ok=True)
        return self.does(" ".join(words), more, folder="elsewhere")

    def configures(self):
        """Prepares a plugin folder, and returns options for cmake: a build folder, compiler and dependencies of this
        build."""
        plugin = self.folder / "cuda" / "sum_fast"
        plugin.mkdir(parents=True)
        (plugin / "CMakeLists.txt").write_text(first("CONTRIBUTING.md", "cmake").text)
        same = " ".join(f"-D{k}='{self.cached[k]}'" for k in
                        ("CMAKE_CXX_COMPILER", "TESSERA_DEPS_DIR", "TESSERA_NATIVE", "TESSERA_KOKKOS_SOURCE_DIR")
                        if self.cached.get(k))
        root, selected, plugin = (shlex.quote(str(p)) for p in (ROOT, self.folder / "selected", plugin))
        return (f"-S {root} -B {selected} {same} -DTESSERA_PLUGIN_DIRS={plugin} "
                "-DTESSERA_BUILD_TESTS=OFF -DTESSERA_BUILD_BENCHMARKS=OFF")


def first(name, language):
    return next(b for b in code.blocks(name, DOCUMENTS[name]) if b.language == language)


def commands():
    """Returns (where, command) of all commands in shell blocks, except in documents of FOLLOWED."""
    return [(block.where, command) for name, text in DOCUMENTS.items() if name not in FOLLOWED
            for block in code.blocks(name, text) if block.language == "shell" for command in code.commands(block)]


def spans():
    return [span for name, text in DOCUMENTS.items() for span in code.spans(name, text)]


def named_commands():
    """Returns (where, command) of the code spans that are commands."""
    return [(s.where, s.text) for s in spans() if re.match(code.PROGRAMS + "(?: |$)", s.text)
            and (s.text in ELSEWHERE or s.text in NOT_RUN or " " in s.text) and not s.text.startswith("build/fuzz/")]


class Documents(unittest.TestCase):
    maxDiff = None

    def test_commands(self):
        """Each command of a block is run by this test or by that in ELSEWHERE, or NOT_RUN has the reason why it is
        not."""
        for where, command in commands():
            with self.subTest(where=where, command=command):
                if command in ELSEWHERE:
                    file, words = ELSEWHERE[command]
                    self.assertIn(words, (ROOT / file).read_text())
                    reader.tell("run in", command, file)
                    continue
                if command in NOT_RUN:
                    reader.tell("not run", command, NOT_RUN[command])
                    continue
                self.assertRegex(command, r"^(tessera |cmake |ctest |tests/)",
                                 "in none of LESS, ELSEWHERE and NOT_RUN, and unknown")
                self.assertTrue(command.startswith("tessera ") or command in LESS, "what would it do?")
                more, refusal = GPU.get(command, (LESS.get(command, ""), None))
                if more == "{configure}":
                    self.configure(command)
                    continue
                result = reader.does(command, more)
                self.check(result, refusal)
                if command.startswith("ctest"):
                    self.assertNotIn("Total Tests: 0", result.stdout)

    def check(self, result, refusal):
        if refusal and result.returncode == 2:
            self.assertRegex(result.stderr, refusal)
        else:
            self.assertEqual(result.returncode, 0, result.stderr[-2000:])

    def test_commands_elsewhere(self):
        """Commands of the program in README, docs/running.md and the case reference work from another folder."""
        done = 0
        for where, command in commands():
            if not command.startswith("tessera ") or command in NOT_RUN or where.split(":")[0] not in (
                    "README.md", "docs/running.md", "docs/case_reference.md"):
                continue
            if STANDS_FOR.keys() & set(command.split()):
                continue
            with self.subTest(where=where, command=command):
                more, refusal = GPU.get(command, (LESS.get(command, ""), None))
                self.check(reader.does_elsewhere(command, more), refusal)
                done += 1
        self.assertGreater(done, 10)

    def test_continue(self):
        """A run continues as the case reference describes, from the repository and from another folder."""
        text = DOCUMENTS["docs/case_reference.md"]
        for case, option in (("examples/melt/melt.toml", r"Continue with `(--set system\.restart=\S+)`"),
                             ("examples/space_charge/channel.toml", r"`(--set bunch\.restart=\S+)`")):
            option = re.search(option, text)[1]
            out = re.search(r"=(\w+)/restart\.tessera", option)[1]
            less = ("--set 'system.cells=[4, 4, 4]' --set run.steps=2" if "melt" in case else
                    "--set bunch.particles=1000 --set run.turns=1")
            for does in (reader.does, reader.does_elsewhere):
                begun = does(f"tessera run {case}", f"{less} --set restart.every=1 --quiet --overwrite --out {out}")
                self.assertEqual((begun.returncode, begun.stderr), (0, ""))
                gone_on = does(f"tessera run {case}", f"{less} --quiet {option}")
                self.assertEqual((gone_on.returncode, gone_on.stderr), (0, ""))

    def configure(self, command):
        """Checks the report of cmake: the selection of docs/running.md, and the plugin of CONTRIBUTING, which is left
        out without its backend."""
        result = reader.does(command, reader.configures(), "-B ...")
        self.assertEqual(result.returncode, 0, result.stderr[-2000:])
        self.assertRegex(result.stdout, r"md/pair_force +kokkos\.portable .*\(TESSERA_SELECT\)")
        self.assertIn("plugin left out: reduction/sum=cuda.fast: backend cuda is off", result.stdout)

    def test_demo(self):
        """The last command of scripts/demo works."""
        last = (ROOT / "scripts" / "demo").read_text().strip().splitlines()[-1]
        command = re.fullmatch(r'exec "\$build/bin/tessera" (run .* --out )"\$build/demo" --overwrite "\$@"', last)
        self.assertTrue(command, last)
        result = reader.does(f"tessera {command[1]}demo --overwrite", "--set run.steps=2")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_tables_name_commands(self):
        """The tables above contain no commands that are no longer in a document."""
        said = {c for _, c in commands()} | {c for _, c in named_commands()} | {s.text for s in spans()}
        self.assertEqual([c for c in [*LESS, *GPU, *ELSEWHERE, *NOT_RUN] if c not in said], [])

    def test_named_commands(self):
        """Commands named within a line exist, and so do their options."""
        for where, command in named_commands():
            with self.subTest(where=where, command=command):
                if command in ELSEWHERE:
                    file, words = ELSEWHERE[command]
                    self.assertIn(words, (ROOT / file).read_text())
                elif command.startswith("tessera "):
                    words = [w for w in command.split()[1:] if not w.startswith("<")]
                    name = next((w for w in words if w in options), "")
                    self.assertTrue(name or words[0].startswith("-"), "no such command")
                    for option in re.findall(r"--[a-z-]+", command):
                        self.assertIn(option, options[name] | options[""])
                elif command in NOT_RUN:
                    if preset := re.match(r"cmake --preset (\w+)", command):
                        self.assertIn(preset[1], presets())
                    if program := re.match(r"build/cpu/(\S+)", command):
                        source = (ROOT / "tests/support/conformance_main.cpp").read_text()
                        for option in re.findall(r"--[a-z-]+", command):
                            self.assertIn(option, source)
                        self.assertTrue((reader.build / program[1]).exists(), "is not built")
                else:
                    self.assertIn(command, {c for _, c in commands()}, "unknown command")

    def test_toml(self):
        """Each TOML block is a valid case, or a valid part of one."""
        whole = (reader.folder / "melt.toml").read_text()
        for block in code.blocks("docs/case_reference.md", DOCUMENTS["docs/case_reference.md"]):
            if block.language != "toml":
                continue
            with self.subTest(where=block.where):
                result = self.run_toml(block, block.text, whole)
                if result.returncode == 2 and "cuda" in block.text:
                    self.assertRegex(result.stderr, "cuda.*not built|cannot run: .*cuda")
                    knobs = "".join(p.read_text() for p in (ROOT / "backends").rglob("parameters.hpp"))
                    for knob in re.findall(r"^(\w+) =", block.text, re.M):
                        self.assertRegex(knobs, r'TuningParameter\{\s*"' + knob + '"')
                    # Runs the parts of the block that do not need this backend.
                    rest = [part for part in block.text.split("\n\n") if "cuda" not in part]
                    if not rest:
                        continue
                    result = self.run_toml(block, "\n\n".join(rest) + "\n", whole)
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def run_toml(self, block, text, whole):
        """Runs a block that is a case, or whose tables replace those of the whole case."""
        tables = "|".join(set(re.findall(r"^\[(\w+)\]", text, re.M)) or ["none"])
        rest = [p for p in re.split(r"^(?=\[)", whole, flags=re.M)
                if p.startswith("[") and not re.match(rf"\[({tables})\]", p)]
        case = text if "[run]" in text else text + "\n" + "".join(rest)
        if "site_types" in text:  # adds coefficients for its two types
            case += "\n[[pair.coefficients]]\ntypes = [2, 2]\nepsilon = 1\nsigma = 1\n"
        (reader.folder / "block.toml").write_text(case)
        less = "--set 'system.cells=[4, 4, 4]' --set run.steps=1"
        if "[beam]" in text:
            less = "--set bunch.particles=1000 --set run.turns=1"
        return reader.does("tessera run block.toml", f"{less} --quiet    # {block.where}")

    def test_list(self):
        """docs/running.md shows the output of `list`, for a build for the host without a GPU."""
        there = {b["name"] for b in json.loads(reader.does("tessera list", "--json").stdout)["backends"]
                 if b["available"]}
        shown = next(b for b in code.blocks("docs/running.md", DOCUMENTS["docs/running.md"])
                     if b.text.startswith("operation "))
        if there != {"serial", "openmp", "kokkos"}:
            reader.tell("not run", "tessera list --verbose", "other backends than in docs/running.md")
            return
        self.assertIn("`tessera list --verbose` prints\nevery implementation", DOCUMENTS["docs/running.md"])
        actual = reader.does("tessera list --verbose").stdout.splitlines()
        expected = ["<lines>" if line == "..." else line for line in shown.text.splitlines()]
        self.assertTrue(golden.matches(expected, actual), "\n".join(["expected", *expected, "got", *actual]))

    def test_trial_tables(self):
        """docs/trials.md names exactly the existing fields."""
        text = DOCUMENTS["docs/trials.md"]
        asked, answered = [set(re.findall(r"`(\w+)`", "".join(row.split("|")[1] for row in rows.splitlines())))
                           for rows in re.findall(r"\| field [^\n]*\n\|[- |]+\n((?:\|[^\n]*\n)+)", text)]
        answer = json.loads(reader.does("tessera trial", f"'{reader.line[:-1]}, \"samples\": 1}}'").stdout)
        self.assertEqual(asked, set(answer["trial"]))
        self.assertEqual(answered, set(answer))

    def test_exit_codes(self):
        """The table of exit codes in docs/running.md is correct."""
        codes = re.findall(r"^\| (\d+[^|]*?) \|", DOCUMENTS["docs/running.md"], re.M)
        self.assertEqual(codes, ["0", "1", "2", "128 + n"])  # the last one: tests/cli/stop_test.py
        self.assertEqual(reader.does("tessera info").returncode, 0)
        self.assertEqual(reader.does("tessera info", ">/dev/full").returncode, 1)
        wrong = reader.does("tessera list", "--operation smu")
        self.assertEqual((wrong.returncode, wrong.stdout, wrong.stderr.count("\n")), (2, "", 1))
        left = reader.does("tessera list", "--verbose --json | { exec <&-; sleep 1; }; exit ${PIPESTATUS[0]}")
        self.assertEqual(left.returncode, 141)

    def test_options(self):
        """All options of the command line that documents name exist."""
        others = {"--preset", "--install", "--prefix", "--check", "--developer", "--tries", "--seed", "--keep",
                  "--runs", "--param", "--build", "--target", "--test-dir", "--wrong", "--whole",
                  "--out", "--from", "--frames", "--quick"}
        known = set().union(*options.values()) | others
        for span in spans():
            for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", span.text):
                self.assertIn(option, known, span.where)

    def test_labels(self):
        """CONTRIBUTING names the labels of the tests."""
        block = next(b for b in code.blocks("CONTRIBUTING.md", DOCUMENTS["CONTRIBUTING.md"]) if "labels:" in b.text)
        words = re.search(r"# labels: ((?:.*\n)(?: +# .*\n)*)", block.text)[1].replace("#", " ").split()
        named = {w.strip("(),") for w in words} - {"a", "module", "backend", "or"}
        there = set(reader.does("ctest", "--test-dir build/cpu --print-labels").stdout.split("\n  ")[1:])
        there = {label.strip() for label in there}
        backends = {p.name for p in (ROOT / "backends").iterdir() if p.is_dir()} | {"reference"}
        self.assertEqual(named - there, set())
        self.assertEqual(there - named - backends, set())

    def test_declaration(self):
        """CONTRIBUTING shows the tessera_operation() of pair forces."""
        shown = [b.text for b in code.blocks("CONTRIBUTING.md", DOCUMENTS["CONTRIBUTING.md"])
                 if b.text.startswith("tessera_operation(")][0]
        actual = (ROOT / "physics/md/pair_force/operation.cmake").read_text()
        for part in ("TAG \\w+", "PRECISIONS [a-z ]+[a-z]"):
            self.assertEqual(re.search(part, shown)[0], re.search(part, actual)[0])

    def test_presets(self):
        """CONTRIBUTING names exactly the existing presets."""
        sentence = re.search(r"^Presets: ([^.]*)\.", DOCUMENTS["CONTRIBUTING.md"], re.M)[1]
        self.assertEqual(re.findall("`(\\w+)`", sentence), presets())

    def test_blocks_are_known(self):
        """Every block is of a kind that a test checks; any other kind would go unnoticed."""
        for name, text in DOCUMENTS.items():
            for block in code.blocks(name, text):
                with self.subTest(where=block.where):
                    self.assertIn(block.language, {"shell", "cmake", "json", "text", "toml", "cpp"})
                    if name in FOLLOWED:
                        self.assertTrue((ROOT / FOLLOWED[name]).exists())
                        continue
                    if block.language == "toml":
                        self.assertEqual(name, "docs/case_reference.md")
                    if block.language == "text":
                        self.assertIn(block.text.split()[0], PICTURES)
                    if block.language in ("cmake", "cpp"):  # tests/docs/library_test.py has those of docs/library.md
                        self.assertIn(name, {"docs/library.md", "CONTRIBUTING.md"})

    def test_paths(self):
        """Every path and every file that a document names exists."""
        files = {p.name for folder in ROOT.iterdir() if folder.name not in (".git", ".deps", "build")
                 for p in ([folder] if folder.is_file() else folder.rglob("*"))}
        for name, text in {**DOCUMENTS, **BESIDE}.items():
            for path in re.findall(rf"(?<![\w/.<])((?:{FOLDERS})/[\w./*-]+(?![\w<]))(?!<)", text):
                path = path.rstrip(".")
                if "<" in path or "NNNN" in path or path.endswith("..."):
                    continue
                with self.subTest(document=name, path=path):
                    self.assertTrue(list(ROOT.glob(path)) or list(ROOT.glob(path + "*")), "does not exist")
            endings = r"(?:hpp|cpp\.in|cpp|cuh|cu|py|cmake|md|toml|json|csv)"
            for file in re.findall(rf"(?<![\w*>./-])[\w-]+\.{endings}\b", text):
                with self.subTest(document=name, file=file):
                    self.assertTrue(file in files | MADE | set(STANDS_FOR), "does not exist")

    def test_names(self):
        """Names of code and build in code spans of a document exist."""
        there = set()
        for folder in re.sub(r"\\", "", FOLDERS).split("|"):
            for path in (ROOT / folder).rglob("*"):
                if path.is_file() and path.parent.name != "docs" and path.suffix in (
                        ".hpp", ".cpp", ".cu", ".cuh", ".h", ".in", ".cmake", ".txt", ".py", ".toml", ""):
                    there |= set(re.findall(r"\w+", path.read_text(errors="ignore")))
        there |= set(re.findall(r"\w+", (ROOT / "CMakeLists.txt").read_text()))
        there |= set(re.findall(r"\w+", (ROOT / "CMakePresets.json").read_text()))
        for span in spans() + [span for name, text in BESIDE.items() for span in code.spans(name, text)]:
            text = re.sub(r"--[\w-]+|-D(?=\w)|<\w+>|[\w.-]*/[\w./-]*", " ", span.text)  # options, <...>, paths
            for word in re.findall(r"\b[A-Za-z]\w{2,}", text):
                with self.subTest(where=span.where, word=word):
                    self.assertTrue(word in there | CHOSEN, "no such name in the code")

    def test_figures(self):
        """Figures that CONTRIBUTING takes from scripts are correct."""
        for pattern, (file, words) in FIGURES.items():
            with self.subTest(pattern=pattern):
                said = re.search(pattern, DOCUMENTS["CONTRIBUTING.md"])
                self.assertTrue(said, pattern)
                self.assertEqual(said[1], re.search(words, (ROOT / file).read_text())[1])
        fuzz = (ROOT / "scripts/fuzz").read_text()
        formats = re.search(r"formats=\(([a-z ]+)\); fi", fuzz)[1].split()
        seconds = re.search(r"scripts/fuzz --seconds (\d+)", (ROOT / ".ci/run").read_text())[1]
        spent = re.search(r"`.ci/run` spends (\d+) seconds", DOCUMENTS["CONTRIBUTING.md"])[1]
        self.assertEqual(int(spent), int(seconds) * len(formats))
        self.assertIn("seconds=600", fuzz)
        self.assertIn("ten minutes for each format", DOCUMENTS["CONTRIBUTING.md"])

    def test_counts(self):
        """Numbers of lines that CONTRIBUTING states for files are correct."""
        text = re.sub(r"\s+", " ", DOCUMENTS["CONTRIBUTING.md"])
        counted = re.findall(r"files? of \d+ lines|of\s+\d+ lines", text)
        self.assertEqual(len(counted), len(COUNTED), counted)
        for pattern, files in COUNTED.items():
            with self.subTest(files=files):
                lines = sum(len((ROOT / f).read_text().splitlines()) for f in files)
                said = re.search(pattern, text)
                self.assertTrue(said, pattern)
                self.assertEqual(int(said[1]), lines)


def presets():
    text = json.loads((ROOT / "CMakePresets.json").read_text())
    return [p["name"] for p in text["configurePresets"] if not p.get("hidden")]


def options_of_program():
    """Returns {command: set of options}; the empty name stands for the program itself."""
    def of(*words):
        text = subprocess.run(["tessera", *words, "--help"], env=reader.environment, capture_output=True,
                              text=True, check=True).stdout
        return text, set(re.findall(r"^ +(?:-h,)?(--[a-z-]+)", text, re.M))
    text, common = of()
    names = re.findall(r"^  ([a-z]+)  ", text.split("Subcommands:")[1], re.M)
    return {"": common, **{name: of(name)[1] for name in names}}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--log", type=argparse.FileType("w"))
    arguments, rest = parser.parse_known_args()
    reader = Reader(arguments.build.resolve(), arguments.log)
    options = options_of_program()
    unittest.main(argv=[sys.argv[0], *rest])
