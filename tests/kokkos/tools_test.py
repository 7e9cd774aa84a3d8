#!/usr/bin/env python3
"""Tests that a tuner that Kokkos loads receives problems and sets parameters: tools_test.py TESSERA CASE.toml
TUNER.so"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TESSERA, CASE, TUNER = map(os.path.abspath, sys.argv[1:4])
FORCE = "md/pair_force"
PORTABLE = "kokkos.portable"
SKIN = f"{FORCE}/{PORTABLE}/skin_over_cutoff"
TEAM_SIZE = f"{FORCE}/{PORTABLE}/team_size"
SELECT = ("--select", f"pair_force={PORTABLE}")


class ToolsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        shutil.copy(CASE, self.folder / "melt.toml")
        self.log = self.folder / "tuner.log"

    def tessera(self, *command, sets=None, tool=True, **more):
        """Runs a command; returns its result, and the events that the tuner has received."""
        environment = {**os.environ, "TESSERA_TUNING": str(self.folder / "tuning.json"), **more}
        if tool:
            environment.update(KOKKOS_TOOLS_LIBS=TUNER, TESSERA_TEST_TUNER_LOG=str(self.log))
        if sets:
            environment["TESSERA_TEST_TUNER_SETS"] = sets
        self.log.unlink(missing_ok=True)
        done = subprocess.run([TESSERA, *command], cwd=self.folder, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        events = [json.loads(line) for line in self.log.read_text().splitlines()] if self.log.exists() else []
        return done, events

    def run_case(self, *more, says=0, **options):
        """Runs the case; returns its summary, and the events of Tessera that the tuner has received. Checks that all
        tuning contexts are closed."""
        done, events = self.tessera("run", "melt.toml", "--backend", "kokkos", "--json", *more, **options)
        self.assertEqual(done.stderr.count("warning"), says, done.stderr)
        self.stderr = done.stderr
        open_contexts = set()
        for event in events:
            if event["event"] == "begin":
                self.assertNotIn(event["context"], open_contexts)
                open_contexts.add(event["context"])
            elif event["event"] == "request":
                self.assertIn(event["context"], open_contexts)
            elif event["event"] == "end":
                open_contexts.remove(event["context"])
        self.assertEqual(open_contexts, set())
        if options.get("tool", True):
            self.assertEqual(events[-1]["event"], "finalize")
        return json.loads(done.stdout), events

    @staticmethod
    def requests(events, operation=FORCE):
        return [e for e in events if e["event"] == "request" and e["inputs"].get("tessera.operation") == operation]

    def test_a_tuner_sees_the_problem(self):
        _, events = self.run_case(*SELECT)
        (request,) = self.requests(events)
        inputs = request["inputs"]
        self.assertEqual(inputs["tessera.size"], 500)
        self.assertEqual(inputs["tessera.implementation"], PORTABLE)
        self.assertEqual(inputs["tessera.precision"], "double")
        self.assertEqual(inputs["tessera.form"], "lj/cut")
        self.assertAlmostEqual(inputs["tessera.neighbors"], 55.25, 1)
        outputs = dict(request["outputs"])
        self.assertEqual(outputs.pop(TEAM_SIZE, 0), 0)  # a parameter where Kokkos runs on a GPU
        self.assertEqual(outputs, {SKIN: 0.16})
        declared = {e["name"]: e for e in events if e["event"] in ("input", "output")}
        self.assertEqual(len(declared), sum(e["event"] in ("input", "output") for e in events))
        self.assertEqual(declared[SKIN]["candidates"], [0.06, 0.08, 0.1, 0.12, 0.16, 0.2, 0.24])
        self.assertEqual((declared["tessera.size"]["type"], declared["tessera.size"]["category"]), (1, 3))
        self.assertEqual((declared["tessera.neighbors"]["type"], declared["tessera.form"]["type"]), (0, 2))

    def test_a_tuner_sets_a_parameter(self):
        untuned, _ = self.run_case(tool=False)
        chosen = untuned["choices"][FORCE]["implementation"]
        name = f"{FORCE}/{chosen}/skin_over_cutoff"
        summary, events = self.run_case(sets=f"{name}=0.08")
        self.assertEqual(summary["choices"][FORCE], {"implementation": chosen, "source": "tool",
                                                     "parameters": {"skin_over_cutoff": 0.08},
                                                     "advised": {"skin_over_cutoff": 0.08}})
        # The list has fewer neighbors than with any usual skin, so the kernel uses the value.
        self.assertLess(summary["neighbors"]["per_atom"], 0.95 * untuned["neighbors"]["per_atom"])
        written = json.loads(next(self.folder.glob("**/summary.json")).read_text())
        self.assertEqual(written["choices"][FORCE]["implementation"], chosen)
        shown, _ = self.tessera("run", "melt.toml", "--backend", "kokkos", sets=f"{name}=0.08")
        self.assertIn(f"{FORCE}={chosen} (tool)", shown.stdout)
        self.assertIn(f"{FORCE}: a tuning tool set skin_over_cutoff=0.08", shown.stdout)

    def test_who_chose_the_implementation_stays_the_source(self):
        summary, _ = self.run_case(*SELECT, sets=f"{SKIN}=0.24")
        self.assertEqual(summary["choices"][FORCE], {"implementation": PORTABLE, "source": "user",
                                                     "parameters": {"skin_over_cutoff": 0.24},
                                                     "advised": {"skin_over_cutoff": 0.24}})

    def test_the_first_setting_of_a_parameter_wins(self):
        summary, events = self.run_case(*SELECT, "--parameter", "pair_force.skin_over_cutoff=0.2",
                                        sets=f"{SKIN}=0.24")
        self.assertEqual(summary["choices"][FORCE], {"implementation": PORTABLE, "source": "user",
                                                     "parameters": {"skin_over_cutoff": 0.2}})
        self.assertEqual(self.requests(events), [])

    def test_a_pin_wins(self):
        self.tessera("tune", "--backend", "kokkos", "--pin", "pin.json", tool=False)
        chosen = self.run_case("--pin", "pin.json", tool=False)[0]["choices"][FORCE]
        name = f"{FORCE}/{chosen['implementation']}/skin_over_cutoff"
        summary, events = self.run_case("--pin", "pin.json", sets=f"{name}=0.24")
        self.assertEqual(summary["choices"][FORCE], chosen)
        self.assertEqual(chosen["source"], "pin")
        self.assertEqual(self.requests(events), [])

    def test_a_value_that_the_policy_refuses(self):
        for value in ("-1", "nan"):
            with self.subTest(value):
                summary, events = self.run_case(*SELECT, sets=f"{SKIN}={value}", says=1)
                self.assertEqual(summary["choices"][FORCE],
                                 {"implementation": PORTABLE, "source": "user", "parameters": {}})
                self.assertEqual(len(self.requests(events)), 1)
                self.assertIn(f"for {FORCE}={PORTABLE} are ignored", self.stderr)
                self.assertIn("skin_over_cutoff", self.stderr)

    def test_without_an_answer_nothing_changes(self):
        before, _ = self.run_case(*SELECT, tool=False)
        asked, events = self.run_case(*SELECT)
        self.assertEqual(len(self.requests(events)), 1)
        for key in ("choices", "final", "neighbors"):
            self.assertEqual(asked[key], before[key])

    def test_kernels_that_are_tuned_too(self):
        summary, events = self.run_case(*SELECT, sets=f"{SKIN}=0.24", KOKKOS_TUNE_INTERNALS="1")
        self.assertEqual(summary["choices"][FORCE]["advised"], {"skin_over_cutoff": 0.24})
        self.assertGreater(sum(e["event"] == "begin" for e in events), len(self.requests(events)))

    def test_measurements_name_the_parameters(self):
        for command in (("verify", "--operation", "pair_force"),
                        ("bench", "--operation", "pair_force", "--size", "500")):
            with self.subTest(command[0]):
                _, events = self.tessera(*command, "--implementation", PORTABLE, "--precision", "double",
                                         sets=f"{SKIN}=0.24")
                self.assertTrue(events)
                self.assertFalse([e for e in events if e["event"] in ("begin", "request", "output")])


if __name__ == "__main__":
    info = subprocess.run([TESSERA, "info", "--json"], capture_output=True, check=True).stdout
    backends = json.loads(info)["backends"]
    if not any(b["name"] == "kokkos" and b["available"] for b in backends):
        print("skipped: the backend kokkos is not available")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
