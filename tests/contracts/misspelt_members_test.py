#!/usr/bin/env python3
"""A misspelt member of a contract does not compile.

usage: misspelt_members_test.py COMPILER [FLAG...]

right.cpp meets the contracts of operations, plans, tuning parameters, spaces and pair potentials. Each row below
misspells or omits one member of it.
"""

import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = (pathlib.Path(__file__).parent / "right.cpp").read_text()

# The text of right.cpp, what replaces it, and the word that the compiler has to name.
WRONG = [
    ("{.prepare = Prepare::hint", "{.prepair = Prepare::hint", "prepair"),
    (".selects_determinism = true", ".select_determinism = true", "select_determinism"),
    (".checks_output = true", ".check_output = true", "check_output"),
    ("void after(", "void afterwards(", "after"),
    ("using Check =", "using Chek =", "Check"),
    ("Refusal refuse(", "Refusal refuses(", "refuse"),
    ("ProblemKey problem_key(", "ProblemKey problem_kee(", "problem_key"),
    (".refusal = &Parameters::refusal", ".refuse = &Parameters::refusal", "refuse"),
    (".refusal = &Parameters::refusal,", "", "refusal"),
    (".canonical = &Parameters::canonical,", "", "canonical"),
    (",\n                                   .defaults = &Parameters::defaults", "", "defaults"),
    ("[[nodiscard]] Parameters canonical()", "[[nodiscard]] Parameters canonicle()", "canonical"),
    ("PlanTraits<Example> traits{", "PlanTraits<Example> trait{", "traits"),
    (".determinism = Determinism::run", ".determinisn = Determinism::run", "determinisn"),
    (".determinism_on_request =", ".determinism_on_demand =", "determinism_on_demand"),
    (".description =", ".descripton =", "descripton"),
    (".features = {.by_row", ".features = {.by_rows", "by_rows"),
    ("static Refusal can_run(", "static Refusal can_ran(", "can_run"),
    ("can_run(const Problem&, const Context&, const Parameters&)", "can_run(const Problem&, const Context&)",
     "can_run"),
    ("SpaceFunctions functions{.reaches", "SpaceFunctions functions{.reach", "reach"),
    ("Traits traits{.width = 1", "Traits traits{.widht = 1", "widht"),
    ("static Real self_energy(", "static Real self_energi(", "self_energy"),
]
COMMAND = []


def compile_text(text):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "source.cpp"
        source.write_text(text)
        return subprocess.run([*COMMAND, "-std=c++20", "-fsyntax-only", str(source)], capture_output=True, text=True)


class MisspeltMembers(unittest.TestCase):

    def test_the_right_source_compiles(self):
        done = compile_text(SOURCE)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_wrong_member_does_not(self):
        texts = []
        for right, wrong, _ in WRONG:
            self.assertEqual(SOURCE.count(right), 1, right)
            texts.append(SOURCE.replace(right, wrong))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for (right, _, named), done in zip(WRONG, pool.map(compile_text, texts)):
                with self.subTest(member=right):
                    self.assertNotEqual(done.returncode, 0, "compiles without an error")
                    self.assertIn(named, done.stderr)


if __name__ == "__main__":
    COMMAND[:] = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
