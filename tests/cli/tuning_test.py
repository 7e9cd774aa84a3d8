#!/usr/bin/env python3
"""Tests the use of tuning records by runs and listings: tuning_test.py TESSERA CASE.toml INCLUDE [COMPILER]"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import restart_file
import tuning_records

TESSERA, CASE, INCLUDE = map(os.path.abspath, sys.argv[1:4])
COMPILER = sys.argv[4] if len(sys.argv) > 4 else ""
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
        """Runs the case, and returns its choice of implementation and parameters for md/pair_force."""
        done = self.tessera("run", "melt.toml", "--backend", "serial", "--json", *more, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        if says:
            self.assertIn(says, done.stderr)
            self.assertEqual(done.stderr.count("warning"), 1)
        else:
            self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)["choices"][FORCE]

    def untuned(self, choice):
        self.assertEqual((choice["implementation"], choice["source"], choice["parameters"]),
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
        parameters = {"skin_over_cutoff": 0.2}
        self.write(self.records.melt("serial.portable", parameters))
        self.assertEqual(self.run_case()["parameters"], parameters)
        self.assertEqual(self.run_case("--select", "pair_force=auto")["source"], "tuned")
        choice = self.run_case("--select", "pair_force=serial.portable")
        self.assertEqual((choice["source"], choice["parameters"]), ("user", parameters))
        self.assertEqual(choice["tuning"]["match"], "exact")
        choice = self.run_case("--select", "pair_force=serial.portable", "--parameter",
                               "pair_force.skin_over_cutoff=0.3")
        self.assertEqual((choice["source"], choice["parameters"]), ("user", {"skin_over_cutoff": 0.3}))
        self.assertNotIn("tuning", choice)
        choice = self.run_case("--parameter", "pair_force.skin_over_cutoff=0.3")
        self.assertEqual((choice["source"], choice["parameters"]), ("default", {"skin_over_cutoff": 0.3}))
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

    def test_what_the_noise_does_not_support_is_not_used(self):
        says = "the same candidate differ by 62.0 %"
        before = self.records.melt("reference", gain=7.33)  # without an interval, as in old records
        before["noise"] = 0.62
        for gains in (None, [6.5, 8.0]):
            if gains:
                before["best"][0]["gains"] = gains
            self.write(before)
            self.untuned(self.run_case(says=says))
            self.assertRegex(self.tune("--show").stdout, r"reference +1000 +7.33 .*62.0 % .*" + says)
            (shown,) = self.shown()["records"]
            self.assertIn(says, shown["ignored"])
        self.tune("--pin", "pin.json", "--backend", "serial")
        pin = json.loads((self.folder / "pin.json").read_text())
        self.assertEqual(pin["operations"][FORCE]["implementation"], "serial.portable")
        within = self.records.melt("reference", gain=1.06)
        within["noise"] = 0.05
        self.write(within)
        self.untuned(self.run_case(says="the gain is between 1.007 and 1.113, at a noise of 5.0 %"))
        within["noise"] = 0.01
        self.write(within)
        self.assertEqual(self.run_case()["source"], "tuned")

    def test_an_operation_that_this_build_lacks(self):
        gone = self.records.melt("reference")
        gone["operation"] = "md/gone"
        self.write(self.records.melt("reference"), gone)
        self.assertEqual(self.run_case()["source"], "tuned")
        self.assertIn("this build has no reference", self.tune("--show").stdout)
        self.tune("--export", "policy.hpp", "--export", "select.cmake", "--pin", "pin.json")
        self.assertIn("1 record removed", self.tune("--forget", "md/gone").stdout)

    def test_a_winner_that_cannot_run_gives_way(self):
        record = self.records.melt("serial.portable", {"skin_over_cutoff": "wide"})
        self.write(record)
        self.untuned(self.run_case())
        record["best"][0]["parameters"] = {"tile": 8}
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

    def test_a_folder_of_somebody_else(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become somebody else")
        self.write(self.records.melt("reference"))
        tuning_records.write(self.folder / "other.json", self.records.melt(atoms=64))
        before = self.database.read_text()
        done = self.tune("--import", "other.json", code=2, user=65534)
        self.assertIn("tuning.json.lock: opening for writing failed: Permission denied", done.stderr)
        self.assertEqual(self.database.read_text(), before)
        shown = json.loads(self.tune("--show", "--json", user=65534).stdout)
        self.assertEqual(len(shown["records"]), 1)

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
        self.database.write_text("damaged")  # reading it would be an error
        line = json.dumps({"operation": FORCE, "implementation": "serial.portable", "input": "melt",
                           "backend": "serial",
                           "size": 500, "samples": 1})
        for command in (["trial", line], ["verify", "--operation", "sum", "--backend", "serial"],
                        ["bench", "--operation", "sum", "--backend", "serial", "--size", "1000"]):
            done = self.tessera(*command)
            self.assertEqual(done.returncode, 0, command)
            self.assertNotIn("tuning.json", done.stderr)

    def tune(self, *command, code=0, **options):
        done = self.tessera("tune", *command, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def refused(self, *command, says, **options):
        done = self.tessera(*command, **options)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        for part in [says] if isinstance(says, str) else says:
            self.assertIn(part, done.stderr)

    def shown(self, *more):
        return json.loads(self.tune("--show", "--json", *more).stdout)

    def test_what_is_there_is_shown(self):
        foreign = self.records.melt("reference", precision="single")
        foreign["device"]["name"] = "Other Processor"
        stale = self.records.melt("reference", atoms=64)
        stale["build"]["version"] = "0.0.0"
        self.write(self.records.melt("serial.portable", {"skin_over_cutoff": 0.2}), foreign, stale, {"strange": 1})
        text = self.tune("--show").stdout
        self.assertRegex(text, r"md/pair_force +double +500 .* serial.portable +skin_over_cutoff=0.2 +1000 +1.25 ")
        self.assertRegex(text, r"md/pair_force +single +500 .*it was measured on Other Processor, "
                               r"which this machine lacks")
        self.assertRegex(text, r"md/pair_force +double +64 .*the library was 0.0.0")
        self.assertIn("records[3].operation: is missing", text)
        records = self.shown()["records"]
        self.assertEqual([bool(r["ignored"]) for r in records], [False, True, True])
        self.assertEqual(records[0]["best"][0]["parameters"], {"skin_over_cutoff": 0.2})
        self.database.unlink()
        self.assertIn("has no records", self.tune("--show").stdout)
        self.refused("tune", "--show", environment={"TESSERA_TUNING": "off"}, says="TESSERA_TUNING is off")
        self.database.write_text("[]")
        self.refused("tune", "--show", says="damaged")

    def test_records_are_forgotten(self):
        wrap = self.records.record("md/wrap", {"size": 500, "kinds": {}, "magnitudes": {}}, "serial.portable")
        self.write(self.records.melt(), self.records.melt(atoms=64), wrap)
        self.refused("tune", "--forget", "pair_farce", says="did you mean")
        self.assertIn("2 records removed", self.tune("--forget", "pair_force").stdout)
        self.assertEqual([r["operation"] for r in self.shown()["records"]], ["md/wrap"])
        self.assertIn("1 record removed", self.tune("--forget", "all").stdout)
        self.assertEqual(self.shown()["records"], [])

    def test_records_are_taken_over(self):
        self.write(self.records.melt("reference"), self.records.melt(atoms=64))
        other = tuning_records.write(self.folder / "other.json", self.records.melt("serial.portable"),
                                     self.records.melt(atoms=4096))
        self.assertIn("2 records imported", self.tune("--import", "other.json").stdout)
        self.assertEqual(sorted(r["problem"]["size"] for r in self.shown()["records"]), [64, 500, 4096])
        before = self.database.read_text()
        self.refused("tune", "--import", "nowhere.json", says="nowhere.json")
        tuning_records.write(other, self.records.melt(atoms=9), {"operation": 7})
        self.refused("tune", "--import", "other.json", says="other.json: records[1].operation = 7")
        other.write_text("{\"schema\": 2, \"records\": []}")
        self.refused("tune", "--import", "other.json", says="later program")
        self.database.write_text("{\"schema\": 2, \"records\": []}")
        tuning_records.write(other, self.records.melt())
        self.refused("tune", "--import", "other.json", says="later program")
        self.database.write_text(before)

    def test_a_full_disk_loses_nothing(self):
        small = self.folder / "small"
        small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)],
                          capture_output=True).returncode:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", str(small)])
        self.database = small / "tuning.json"
        self.write(self.records.melt(), self.records.melt(atoms=64))
        before = self.database.read_text()
        many = tuning_records.write(self.folder / "many.json", *[self.records.melt(atoms=n) for n in range(1, 100)])
        done = self.tune("--import", str(many), code=2)
        self.assertIn("No space left on device", done.stderr)
        self.assertEqual(self.database.read_text(), before)
        self.assertFalse([p for p in small.iterdir() if p.suffix == ".part"])
        self.run_case()

    def test_winners_become_compiled_defaults(self):
        parameters = {"skin_over_cutoff": 0.2, "text": "a\"b", "flag": True, "count": -3, "whole": 1.0}
        stale = self.records.melt(atoms=9, parameters=parameters)
        stale["build"]["compiler"] = "Other 1"
        other = self.records.melt(atoms=32, parameters=parameters)
        other["device"].update(name="Other Processor", architecture="arm")
        self.write(self.records.melt(parameters=parameters), self.records.melt(atoms=64, parameters=parameters), stale,
                   other)
        self.tune("--export", "policy.hpp")
        text = (self.folder / "policy.hpp").read_text()
        self.assertIn("of size 500, 1000 us a step, 1.25 x untuned, noise 1.0 %", text)
        self.assertIn("// Left out: serial.portable of md/pair_force double 9: the compiler was Other 1", text)
        self.assertIn("{\"arm\",", text)
        if COMPILER:
            (self.folder / "use.cpp").write_text("""\
#include "policy.hpp"
struct Parameters {
  double skin_over_cutoff = 0.1, whole = 2;
  bool flag = false;
  int count = 0;
  static constexpr auto tuning_parameters() {
    using tessera::TuningParameter;
    return std::tuple{TuningParameter{"skin_over_cutoff", &Parameters::skin_over_cutoff, std::array{0.1}},
                      TuningParameter{"flag", &Parameters::flag, std::array{false, true}}};
  }
};
Parameters defaults(const tessera::DeviceProperties& device) {
  static const auto rows = tessera::tuned::md_pair_force::serial_portable::parameter_rows<Parameters>();
  return tessera::default_row(rows, device.architecture).parameters;
}
""")
            done = subprocess.run([COMPILER, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I",
                                   INCLUDE, "use.cpp"], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_winners_become_a_selection(self):
        self.write(self.records.melt("reference", atoms=64), self.records.melt("serial.portable"))
        self.tune("--export", "select.cmake", "--backend", "serial")
        (self.folder / "show.cmake").write_text("include(select.cmake)\nmessage(STATUS \"=${TESSERA_SELECT}=\")\n")
        text = (self.folder / "select.cmake").read_text()
        self.assertIn('set(TESSERA_SELECT "md/pair_force=serial.portable" CACHE STRING', text)
        self.assertIn("# md/pair_force=reference: ", text)
        self.refused("tune", "--export", "select.txt", says="expected a name that ends in .hpp or .cmake")

    def pin(self, *more):
        self.tune("--pin", "pin.json", "--backend", "serial", *more)
        return json.loads((self.folder / "pin.json").read_text())

    def test_a_pin_names_everything_and_a_run_obeys(self):
        self.write(self.records.melt("serial.portable", {"skin_over_cutoff": 0.2}))
        pin = self.pin()
        self.assertEqual(pin["operations"][FORCE]["parameters"]["skin_over_cutoff"], 0.2)
        self.assertEqual(pin["operations"]["md/wrap"]["implementation"], "serial.portable")
        self.assertEqual(pin["precision"], "double")
        self.write(self.records.melt("reference"))
        choice = self.run_case("--pin", "pin.json")
        self.assertEqual((choice["implementation"], choice["source"]), ("serial.portable", "pin"))
        self.assertEqual(choice["parameters"], pin["operations"][FORCE]["parameters"])
        self.assertNotIn("tuning", choice)
        choice = self.run_case("--pin", "pin.json", "--parameter", "pair_force.skin_over_cutoff=0.3")
        self.assertEqual((choice["source"], choice["parameters"]["skin_over_cutoff"]), ("pin", 0.3))
        self.assertEqual(self.run_case("--pin", "pin.json", "--select", "pair_force=reference")["source"], "user")

    def test_a_pin_that_cannot_be_obeyed_is_refused(self):
        good = self.pin()
        for path, value, says in [
            (("device", "name"), "Other Processor", ["device.name = Other Processor", "for another device"]),
            (("device", "concurrency"), 7, ["for another device", "with 7 threads"]),
            (("device", "memory"), "dram", "device.memory = dram: expected host"),
            (("precision",), "mixed", "precision = mixed: the run is in double"),
            (("schema",), "tessera.pin/2", "expected tessera.pin/1"),
            (("operations", FORCE, "implementation"), "serial.portabel",
             ["operations.md/pair_force.implementation = serial.portabel", "did you mean 'serial.portable'"]),
            (("operations", FORCE, "parameters"), {"skin_over_cutof": 0.1},
             ["parameters.skin_over_cutof", "did you mean"]),
            (("operations", FORCE, "parameters"), {"skin_over_cutoff": "wide"}, "expected a finite number"),
            (("operations", FORCE, "parameters"), {"skin_over_cutoff": []}, "expected a number"),
            (("operations",), {"md/pair_farce": good["operations"][FORCE]},
             ["operations.md/pair_farce", "did you mean"]),
            (("operations",), [], "operations: expected an object"),
        ]:
            with self.subTest(path=path, value=value):
                pin = json.loads(json.dumps(good))
                place = pin
                for key in path[:-1]:
                    place = place[key]
                place[path[-1]] = value
                (self.folder / "bad.json").write_text(json.dumps(pin))
                self.refused("run", "melt.toml", "--backend", "serial", "--pin", "bad.json",
                             says=["bad.json", *([says] if isinstance(says, str) else says)])
        for text in ("", "[" * 100000, "7"):
            (self.folder / "bad.json").write_text(text)
            self.refused("run", "melt.toml", "--pin", "bad.json", says="expected a pin")
        self.refused("run", "melt.toml", "--pin", "nowhere.json", says="nowhere.json")
        good["build"]["version"] = "0.0.0"
        (self.folder / "pin.json").write_text(json.dumps(good))
        self.assertEqual(self.run_case("--pin", "pin.json", says="another build")["source"], "pin")

    def continued(self, *more, says="", folder="b"):
        return self.run_case("--set", "system.restart=a/restart.tessera", "--set", "restart.every=20", "--out", folder,
                             *more, says=says)

    def test_a_run_that_goes_on_keeps_its_choices(self):
        parameters = {"skin_over_cutoff": 0.2}
        self.write(self.records.melt("serial.portable", parameters))
        every = ("--set", "restart.every=20")
        self.run_case(*every, "--set", "run.steps=40", "--out", "whole")
        self.assertEqual(self.run_case(*every, "--out", "a")["parameters"], parameters)
        self.write(self.records.melt("reference"))
        choice = self.continued()
        self.assertEqual((choice["implementation"], choice["source"]), ("serial.portable", "restart"))
        self.assertEqual(choice["parameters"]["skin_over_cutoff"], 0.2)
        whole, parts = (restart_file.state(self.folder / name / "restart.tessera") for name in ("whole", "b"))
        self.assertEqual(whole, parts)
        self.assertEqual(json.loads(whole["choices"][3])[FORCE]["implementation"], "serial.portable")
        # Without the tuned values the bits differ, so the test can fail.
        self.run_case(*every, "--no-tune", "--set", "run.steps=40", "--out", "untuned")
        self.assertNotEqual(restart_file.state(self.folder / "untuned/restart.tessera")["velocities"],
                            whole["velocities"])

    def test_what_a_run_that_goes_on_is_told_comes_first(self):
        self.run_case("--set", "restart.every=20", "--out", "a")
        choice = self.continued("--select", "pair_force=reference",
                                says="a/restart.tessera: md/pair_force was serial.portable, is reference now")
        self.assertEqual(choice["source"], "user")
        choice = self.continued("--parameter", "pair_force.skin_over_cutoff=0.3", folder="c",
                                says="a/restart.tessera: md/pair_force.skin_over_cutoff was 0.")
        self.assertEqual((choice["source"], choice["parameters"]["skin_over_cutoff"]), ("restart", 0.3))
        self.tune("--pin", "pin.json", "--backend", "serial")
        self.assertEqual(self.continued("--pin", "pin.json", folder="d")["source"], "pin")

    def test_choices_that_this_build_lacks_give_way(self):
        self.run_case("--set", "restart.every=20", "--out", "a")
        path = self.folder / "a/restart.tessera"
        whole = path.read_bytes()
        for change, says in [(("serial.portable", "cuda.gone.else_"),
                              "md/pair_force was cuda.gone.else_, is serial.portable"),
                             (("skin_over_cutoff", "skin_of_no_where"), "skin_of_no_where was")]:
            restart_file.replace(path, FORCE, *change)
            choice = self.continued(says=says)
            self.assertEqual((choice["implementation"], choice["source"]), ("serial.portable", "default"))
            shutil.rmtree(self.folder / "b")
            path.write_bytes(whole)
        restart_file.replace(path, "", "choices", "choicez")  # old files lack the field
        self.untuned(self.continued())
        path.write_bytes(whole)
        restart_file.replace(path, FORCE, "{", "[")
        self.refused("run", "melt.toml", "--backend", "serial", "--set", "system.restart=a/restart.tessera",
                     says="a/restart.tessera: choices")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
