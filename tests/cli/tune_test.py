#!/usr/bin/env python3
"""Tests the search of `tessera tune`: tune_test.py TESSERA CASE.toml"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TESSERA, CASE = map(os.path.abspath, sys.argv[1:3])
SUM = ("--operation", "sum", "--input", "moments", "--size", "4099")
FORCE = ("--operation", "pair_force", "--size", "2048", "--backend", "serial")
# A search with few candidates, which measures the first of them within two seconds.
PORTABLE = (*FORCE, "--implementation", "serial.portable")


class Tune(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.database = self.folder / "tuning.json"
        shutil.copy(CASE, self.folder / "melt.toml")

    def environment(self, **more):
        return {**os.environ, "TESSERA_TUNING": str(self.database), **more}

    def tune(self, *arguments, **more):
        return subprocess.run(
            [TESSERA, "tune", *arguments],
            cwd=self.folder,
            env=self.environment(**more),
            capture_output=True,
            text=True,
            timeout=300,
        )

    def tuned(self, *arguments, **more):
        done = self.tune(*arguments, "--json", **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def refused(self, *arguments, words, code=2):
        before = self.records()
        done = self.tune(*arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(self.records(), before)

    def records(self):
        return json.loads(self.database.read_text())["records"] if self.database.exists() else []

    def assert_remembered(self, done):
        """Checks for one record, or for a message that there is none: under load a gain may be within the noise."""
        self.assertEqual(len(self.records()), 0 if "nothing is recorded" in done.stdout else 1, done.stdout)

    def test_a_case_is_tuned_and_its_run_uses_it(self):
        searches = self.tuned("melt.toml", "--budget", "12 evaluations", "--backend", "serial")
        names = [one["operation"] for one in searches]
        self.assertIn("md/pair_force", names)
        self.assertLessEqual(sum(one["evaluated"] for one in searches), 12)
        for one in searches:
            self.assertEqual(one["rejections"], [])
            # The whole interval of a recorded gain exceeds the noise.
            if not one["kept_default"]:
                self.assertTrue(one["remembered"])
                self.assertGreater(one["gain_interval"][0] * (1 - one["noise"]), 1)
            if not one["remembered"]:
                self.assertTrue(one["kept_default"])
                self.assertTrue(one["reason"])
        remembered = {one["operation"] for one in searches if one["remembered"]}
        self.assertEqual({r["operation"] for r in self.records()}, remembered)
        run = subprocess.run(
            [TESSERA, "run", "melt.toml", "--backend", "serial", "--json"],
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
        )
        self.assertEqual(run.returncode, 0, run.stderr)
        summary = json.loads(run.stdout)
        called = {t["operation"] for t in summary["timings"] if t["calls"] > 0}
        self.assertLessEqual(set(names), called)
        choice = summary["choices"]["md/pair_force"]
        if "md/pair_force" not in remembered:
            self.assertEqual(choice["source"], "default")
            return
        self.assertEqual(choice["source"], "tuned")
        self.assertEqual(choice["tuning"]["match"], "exact")
        (force,) = [one for one in searches if one["operation"] == "md/pair_force"]
        self.assertEqual(choice["implementation"], force["implementation"])
        self.assertEqual(choice["parameters"], force["parameters"])

    def test_a_case_is_changed_as_for_a_run(self):
        small = ("--set", "system.cells=[4, 4, 4]")
        self.tuned("melt.toml", *small, "--operation", "pair_force", "--budget", "2", "--backend", "serial",
                   "--landscape", "small.json")
        self.assertEqual(json.loads((self.folder / "small.json").read_text())["items"], 256)
        # The search tunes the choice of the case: the oracle leaves nothing to choose.
        self.refused("melt.toml", *small, "--set", "selection.\"md/pair_force\"=reference", "--operation", "pair_force",
                     "--backend", "serial", words=["nothing was tuned"])
        (chosen,) = self.tuned("melt.toml", *small, "--set", "selection.\"md/pair_force\"=serial.portable",
                               "--operation", "pair_force", "--budget", "3", "--landscape", "all.json")
        tables = json.loads((self.folder / "all.json").read_text())["candidates"]
        self.assertEqual({table["implementation"] for table in tables}, {"serial.portable"})
        told = self.tune("melt.toml", *small, "--set", "parameters.\"md/pair_force\".skin_over_cutoff=0.2",
                         "--operation", "pair_force", "--backend", "serial")
        self.assertEqual(told.returncode, 2)
        self.assertIn("left out, the case sets parameters of serial.portable", told.stdout)
        self.refused(*FORCE, "--set", "run.steps=1", words=["set", "case"])
        self.refused("melt.toml", "--set", "system.cels=[4, 4, 4]", words=["cels", "cells"])

    def test_what_a_run_does_not_call_is_not_tuned(self):
        self.refused("melt.toml", "--operation", "reduction/moments", "--backend", "serial",
                     words=["does not call reduction/moments", "md/pair_force"])
        told = self.tune("melt.toml", "--budget", "4", "--backend", "serial")
        self.assertEqual(told.returncode, 0, told.stderr)
        for name in ("reduction/moments", "reduction/extrema"):
            self.assertNotIn(name, told.stdout)

    def test_too_short_a_budget_ends_and_says_so(self):
        for what in (("melt.toml",), FORCE):
            self.refused(*what, "--budget", "1e-3s", words=["budget = 1e-3s", "expected a longer budget"])

    def test_what_is_measured_can_be_looked_at(self):
        self.tuned(*FORCE, "--budget", "24", "--landscape", "all.json")
        landscape = json.loads((self.folder / "all.json").read_text())
        self.assertEqual(len(landscape["order"]), 24)
        self.assertGreater(len(landscape["compared"]), 1)
        replays = json.loads(self.tune("--replay", "all.json", "--seeds", "4", "--json").stdout)
        self.assertEqual({r["strategy"] for r in replays}, {"adaptive", "random", "exhaustive"})

    def test_bad_input_is_told_before_anything_is_measured(self):
        for budget in ("0", "0s", "-3", "ten", "1e99", "5 s", "nan", "2.5"):
            self.refused(*SUM, f"--budget={budget}", words=["budget", "60s, 5m or 1h"])
        self.refused(*SUM, "--strategy", "adoptive", words=["strategy", "adaptive"])
        self.refused("--operation", "pair_fource", words=["pair_fource", "pair_force"])
        self.refused("--operation", "sum", "--input", "moment", words=["moment", "moments"])
        self.refused(*SUM, "--precision", "quadruple", words=["quadruple", "double"])
        self.refused(*SUM, "--implementation", "openmp.portible", words=["openmp.portible"])
        self.refused(*FORCE, "--values", "skim_over_cutoff=1", words=["skim_over_cutoff", "skin_over_cutoff"])
        self.refused(*FORCE, "--values", "skin_over_cutoff", words=["NAME=VALUE"])
        self.refused(*FORCE, "--values", "skin_over_cutoff=wide", words=["skin_over_cutoff", "wide"])
        self.refused("--operation", "sum", "--backend", "serail", words=["serail", "serial"])
        self.refused("nowhere.toml", words=["nowhere.toml"])
        self.refused(words=["--operation"])
        self.refused("melt.toml", "--size", "7", words=["size"])
        for option in ("--report", "--read"):  # former ones
            self.refused(option, "x.html", words=["tessera-report", "--landscape"])
        self.refused(*SUM, "--device", "7", words=["7"])
        self.refused(*SUM, "--landscape", "nowhere/file", words=["nowhere/file", "no such folder"])
        self.refused(*SUM, "--landscape", "melt.toml/", words=["melt.toml/", "creating failed"])
        self.refused(*SUM, "--size", "31", "--size", "33", "--landscape", "two.json",
                     words=["landscape", "one", "folder"])

    def test_a_case_that_nothing_can_run_says_why(self):
        case = self.folder / "small.toml"
        case.write_text((self.folder / "melt.toml").read_text().replace("[5, 5, 5]", "[2, 2, 2]"))
        self.refused("small.toml", "--operation", "pair_force", words=["larger than half of the periodic box"])
        self.refused(*FORCE[:2], "--input", "cutoff of half the box", "--size", "61", words=["size = 61"])

    def test_what_cannot_run_is_told_with_the_reason(self):
        command = (*FORCE, "--budget", "4", "--implementation", "serial.portable", "--values")
        few = (*command, "skin_over_cutoff=-1,-2,0.2")
        words = "serial.portable, 2 of 3 candidates: expected a skin_over_cutoff of 0 or more"
        told = self.tune(*few, "--landscape", "all.json")
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertEqual(told.stdout.count(f"  cannot run: {words}\n"), 1, told.stdout)
        self.assertIn("report: tessera-report all.json\n", told.stdout)
        self.assertEqual(json.loads((self.folder / "all.json").read_text())["refused"],
                         [["serial.portable", "expected a skin_over_cutoff of 0 or more", 2, 3]])
        (one,) = self.tuned(*few)
        self.assertEqual(one["refused"], [{"implementation": "serial.portable", "count": 2, "of": 3,
                                           "reason": "expected a skin_over_cutoff of 0 or more"}])
        self.assertEqual(self.tune(*few, "--quiet").stdout, "")
        # Where no candidate is left the reason is printed all the same.
        none = self.tune(*command, "skin_over_cutoff=-1")
        self.assertIn("  cannot run: serial.portable: expected a skin_over_cutoff", none.stdout)

    def test_a_former_name_of_a_parameter_is_accepted_with_one_warning(self):
        done = self.tune("--operation", "charge_deposit", "--size", "1000", "--budget", "2",
                         "--implementation", "openmp.planes", "--values", "way=planes")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("the parameter 'way' is called 'algorithm' now"), 1, done.stderr)
        self.assertIn(" 10 candidates", done.stdout)  # 3 x 3 values and the untuned ones

    def test_without_a_database_the_search_goes_on_and_says_so(self):
        done = self.tune(*FORCE, "--budget", "4", TESSERA_TUNING="off")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("nothing is recorded", done.stderr)
        self.assertIn("untuned", done.stdout)

    def test_a_database_that_cannot_be_written_is_an_error(self):
        self.database.mkdir()
        done = self.tune(*FORCE, "--budget", "4")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("tuning.json", done.stderr)

    def start(self, *arguments, **more):
        return subprocess.Popen(
            [TESSERA, "tune", *arguments],
            cwd=self.folder,
            env=self.environment(**more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_for_measurements(self, process):
        for _ in range(600):
            found = list(self.folder.glob("tuning.json.searches/*.json"))
            if found:
                return found[0]
            if process.poll() is not None:
                self.fail(process.communicate()[1])
            time.sleep(0.05)
        self.fail("nothing was kept")

    def test_a_search_that_is_stopped_goes_on(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number):
                command = (*PORTABLE, "--strategy", "exhaustive", "--group", "2")
                process = self.start(*command)
                kept = self.wait_for_measurements(process)
                process.send_signal(number)
                _, errors = process.communicate(timeout=60)
                if number == signal.SIGKILL:
                    self.assertEqual(process.returncode, -number)
                elif process.returncode != 0:  # 0: the search ended before the signal
                    self.assertEqual(process.returncode, 128 + number)
                    self.assertIn("continues the search", errors)
                kept_on = kept.exists()
                if kept_on:
                    done = self.tune(*command)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertIn("continues with", done.stdout)
                self.assertEqual(list(self.folder.glob("tuning.json.searches/*.json")), [])
                if kept_on:
                    self.assert_remembered(done)
                self.database.unlink(missing_ok=True)

    def answers(self):
        return {folder for folder in self.folder.glob("tessera_answers_*") if folder.is_dir()}

    def test_what_a_killed_search_leaves_is_removed_by_the_next(self):
        exhaustive = ("--strategy", "exhaustive", "--group", "2")
        killed = self.start(*PORTABLE, *exhaustive, TMPDIR=str(self.folder))
        self.wait_for_measurements(killed)
        (left,) = self.answers()
        self.assertTrue(list(left.glob("*.answer")))
        killed.kill()
        killed.communicate()
        self.assertEqual(self.answers(), {left})
        (kept,) = self.folder.glob("tuning.json.searches/*.json")
        # Makes a journal that another build seems to have left long ago.
        journal = json.loads(kept.read_text())
        foreign = kept.with_name("01234567.json")
        foreign.write_text(json.dumps({**journal, "build": "0.0.1 abc"}))
        month_ago = time.time() - 40 * 24 * 3600
        for path in (foreign, kept):
            os.utime(path, (month_ago, month_ago))
        running = self.start("--operation", "pair_force", "--size", "500", "--backend", "serial", *exhaustive,
                             TMPDIR=str(self.folder))
        for _ in range(600):
            if len(list(self.folder.glob("tuning.json.searches/*.json"))) == 2 and not foreign.exists():
                break
            time.sleep(0.05)
        self.assertFalse(left.exists())
        self.assertFalse(foreign.exists())
        self.assertTrue(kept.exists())  # the same command continues from it
        (others,) = self.answers()
        # Two searches at the same time do not use each other's journals.
        os.utime(kept, (month_ago, month_ago))
        done = self.tune(*PORTABLE, "--budget", "2", TMPDIR=str(self.folder))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIsNone(running.poll())
        self.assertEqual(self.answers(), {others})
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
        self.assertEqual(self.answers(), set())

    def test_the_same_search_twice_in_one_folder_keeps_both(self):
        two = [self.start(*FORCE, "--budget", "6"),
               self.start("--operation", "sum", "--size", "4099", "--input", "moments", "--backend", "serial",
                          "--budget", "6")]
        for process in two:
            output, errors = process.communicate(timeout=120)
            # One implementation without parameters leaves nothing to choose.
            self.assertIn(process.returncode, (0, 2), errors)
            self.assertIn("recorded", output + errors if process.returncode == 0 else "recorded")

    def test_nothing_to_choose_is_told(self):
        done = self.tune("--operation", "md/wrap", "--implementation", "serial.portable", "--backend", "serial",
                         "--size", "1000", "--input", self.input_of("md/wrap"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing", done.stderr + done.stdout)

    def input_of(self, operation):
        listed = subprocess.run([TESSERA, "list", "--json"], env=self.environment(), capture_output=True, text=True)
        (one,) = [o for o in json.loads(listed.stdout)["operations"] if o["name"] == operation]
        return one["inputs"][0]["name"]

    def test_a_damaged_search_starts_anew(self):
        command = (*PORTABLE, "--budget", "4", "--strategy", "random")
        process = self.start(*PORTABLE, "--strategy", "exhaustive", "--group", "1")
        kept = self.wait_for_measurements(process)
        process.kill()
        process.communicate()
        kept.write_text(kept.read_text()[:-40])
        done = self.tune(*command)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("starts anew", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
