#!/usr/bin/env python3
"""What runs and listings make of the tuning database: tuning_test.py TESSERA CASE.toml"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import tuning_records

TESSERA, CASE = map(os.path.abspath, sys.argv[1:3])
FORCE = "md/pair_force"


class TuningTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.records = tuning_records.Records(TESSERA)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.folder.chmod(0o755)
        shutil.copy(CASE, self.folder / "melt.toml")
        self.database = self.folder / "tuning.json"

    def write(self, *records):
        tuning_records.write(self.database, *records)

    def tessera(self, *command, **options):
        environment = {**os.environ, "TESSERA_TUNING": str(self.database), **options.pop("environment", {})}
        return subprocess.run([TESSERA, *command], cwd=self.folder, env=environment, capture_output=True, text=True,
                              **options)

    def run_case(self, *more, says="", **options):
        """The choice for pair forces."""
        done = self.tessera("run", "melt.toml", "--backend", "serial", "--json", *more, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        if says:
            self.assertIn(says, done.stderr)
            self.assertEqual(done.stderr.count("warning"), 1)
        else:
            self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)["choices"][FORCE]

    def untuned(self, choice):
        self.assertEqual((choice["implementation"], choice["source"], choice["knobs"]),
                         ("serial.portable", "default", {}))
        self.assertNotIn("tuning", choice)

    def test_a_run_takes_the_winner_and_says_so(self):
        self.write(self.records.melt("reference"), self.records.melt("serial.portable", atoms=5000))
        choice = self.run_case()
        self.assertEqual((choice["implementation"], choice["source"]), ("reference", "tuned"))
        self.assertEqual(choice["tuning"]["match"], "exact")
        self.assertEqual(choice["tuning"]["record"]["size"], 500)
        self.assertAlmostEqual(choice["tuning"]["gain"], 1.25)
        shown = self.tessera("run", "melt.toml", "--backend", "serial").stdout
        self.assertIn("md/pair_force=reference (tuned)", shown)
        self.assertIn("tuned for a size of 500 on", shown)
        self.assertIn("1.25 x the default", shown)

    def test_without_tuning_the_default_runs(self):
        self.write(self.records.melt("reference"))
        self.untuned(self.run_case("--no-tune"))
        self.untuned(self.run_case(environment={"TESSERA_TUNING": "off"}))
        self.database.unlink()
        self.untuned(self.run_case())

    def test_the_folder_of_the_users_data(self):
        self.write(self.records.melt("reference"))
        home = self.folder / "home/.local/share/tessera"
        home.mkdir(parents=True)
        shutil.move(self.database, home / "tuning.json")
        environment = {"TESSERA_TUNING": "", "XDG_DATA_HOME": "", "HOME": str(self.folder / "home")}
        self.assertEqual(self.run_case(environment=environment)["source"], "tuned")

    def test_who_asks_for_something_gets_it(self):
        knobs = {"skin_over_cutoff": 0.2}
        self.write(self.records.melt("serial.portable", knobs))
        self.assertEqual(self.run_case()["knobs"], knobs)
        self.assertEqual(self.run_case("--select", "pair_force=auto")["source"], "tuned")
        choice = self.run_case("--select", "pair_force=serial.portable")
        self.assertEqual((choice["source"], choice["knobs"]), ("user", knobs))
        self.assertEqual(choice["tuning"]["match"], "exact")
        choice = self.run_case("--select", "pair_force=serial.portable", "--parameter",
                               "pair_force.skin_over_cutoff=0.3")
        self.assertEqual((choice["source"], choice["knobs"]), ("user", {"skin_over_cutoff": 0.3}))
        self.assertNotIn("tuning", choice)
        choice = self.run_case("--parameter", "pair_force.skin_over_cutoff=0.3")
        self.assertEqual((choice["source"], choice["knobs"]), ("default", {"skin_over_cutoff": 0.3}))
        self.assertEqual(self.run_case("--select", "pair_force=reference")["implementation"], "reference")

    def test_sizes_near_and_far(self):
        self.write(self.records.melt("reference", atoms=3000))
        choice = self.run_case()
        self.assertEqual((choice["source"], choice["tuning"]["match"]), ("tuned", "near size"))
        self.write(self.records.melt("reference", atoms=4001))
        self.untuned(self.run_case())
        self.write(self.records.melt("reference", neighbors=120))
        self.untuned(self.run_case())

    def test_what_does_not_hold_is_told_once(self):
        record = self.records.melt("reference")
        for path, value, says in [
            (("device", "name"), "Other Processor", "1 record ignored: md/pair_force double 500 was measured on Other "
                                                    "Processor, this is"),
            (("device", "concurrency"), 64, "with 64 threads, this is"),
            (("device", "memory"), "cuda", "was measured on"),
            (("build", "version"), "0.0.0", "the library was 0.0.0, is "),
            (("build", "compiler"), "Other 1", "the compiler was Other 1"),
            (("precision",), "quadruple", "records[0].precision"),
        ]:
            with self.subTest(path):
                changed = json.loads(json.dumps(record))
                place = changed
                for key in path[:-1]:
                    place = place[key]
                place[path[-1]] = value
                self.write(changed)
                self.untuned(self.run_case(says=says))
        changed = json.loads(json.dumps(record))
        changed["best"][0]["source"] = "0123456789abcdef"
        self.write(changed)
        self.untuned(self.run_case(says="the sources of reference have changed"))

    def test_a_winner_that_cannot_run_gives_way(self):
        record = self.records.melt("serial.portable", {"skin_over_cutoff": "wide"})
        self.write(record)
        self.untuned(self.run_case())
        record["best"][0]["knobs"] = {"tile": 8}
        self.write(record)
        self.untuned(self.run_case())

    def test_a_database_that_cannot_be_read(self):
        for text, says in [("{\"schema\": 1, \"rec", "damaged"), ("{\"schema\": 2, \"records\": []}", "later program")]:
            self.database.write_text(text)
            self.untuned(self.run_case(says=says))
            self.assertEqual(self.database.read_text(), text)
        self.database.unlink()
        self.database.mkdir()
        self.untuned(self.run_case(says="nothing is tuned"))

    def test_a_database_of_somebody_else(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become somebody else")
        self.write(self.records.melt("reference"))
        self.database.chmod(0)
        self.folder.chmod(0o777)
        self.untuned(self.run_case(says="Permission denied", user=65534, environment={"HOME": "/nonexistent"}))

    def test_a_list_shows_what_is_tuned(self):
        self.write(self.records.melt("serial.portable", {"skin_over_cutoff": 0.2}, atoms=32000),
                   self.records.melt("reference", precision="single"))
        shown = self.tessera("list", "--backend", "serial").stdout
        self.assertRegex(shown, r"md/pair_force +double +32000 .*form lj/cut.* serial.portable +skin_over_cutoff=0.2 +"
                                r"tuned for a size of 32000 on")
        self.assertRegex(shown, r"md/pair_force +single +500 ")
        self.assertNotIn("Tuned", self.tessera("list", "--backend", "serial", "--no-tune").stdout)
        listing = json.loads(self.tessera("list", "--backend", "serial", "--json").stdout)
        tuned = next(o for o in listing["operations"] if o["name"] == FORCE)["tuned"]
        self.assertEqual([(t["precision"], t["implementation"]) for t in tuned],
                         [("double", "serial.portable"), ("single", "reference")])

    def test_trials_and_checks_are_not_tuned(self):
        self.database.write_text("damaged")  # whoever reads it says so
        line = json.dumps({"operation": FORCE, "implementation": "serial.portable", "input": "melt", "backend": "serial",
                           "size": 500, "samples": 1})
        for command in (["trial", line], ["verify", "--operation", "sum", "--backend", "serial"],
                        ["bench", "--operation", "sum", "--backend", "serial", "--size", "1000"]):
            done = self.tessera(*command)
            self.assertEqual(done.returncode, 0, command)
            self.assertNotIn("tuning.json", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
