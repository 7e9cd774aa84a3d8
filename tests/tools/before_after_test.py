"""Unit tests of benchmarks/tools/before_after: python3 tests/tools/before_after_test.py"""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import stat
import sys
import tempfile
import unittest
from unittest import mock

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "tools" / "before_after"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("before_after", str(SCRIPT))
before_after = importlib.util.module_from_spec(importlib.util.spec_from_loader("before_after", loader))
loader.exec_module(before_after)



class Fake:
    """A substitute for tessera; each timed call reports the next of its rates."""

    def __init__(self, name, rates, implementations, log):
        self.name, self.rates, self.implementations, self.log = name, rates, implementations, log
        self.calls = 0

    def __call__(self, words):
        if words[0] == "info":
            return {"commit": self.name, "build_type": "Release"}
        if words[0] == "list":
            return {"operations": [{"implementations": [
                        {"name": n, "backend": n.split(".")[0], "precisions": ["double", "mixed"]}
                        for n in self.implementations]}],
                    "backends": [{"name": "serial", "available": True},
                                 {"name": "openmp", "available": True},
                                 {"name": "cuda", "available": False}]}
        self.log.append([self.name, *words])
        rate = self.rates[(self.calls - 1) % len(self.rates)]  # the first call warms up
        self.calls += 1
        if words[0] == "bench":
            return {"results": [{"implementation": i, "precision": "double", "input": "random",
                                 "items_per_second": rate * f}
                                for i, f in (("x.fast", 2), ("x.portable", 1))]}
        return {"atom_steps_per_second": rate}


class BeforeAfterTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.fakes, self.log = {}, []
        self.addCleanup(mock.patch.stopall)
        # The load of the machine is an input of the tests, independent of the real load.
        mock.patch.object(before_after, "busy_seconds", lambda: None).start()
        self.real_call = before_after.call
        mock.patch.object(before_after, "call", self.call).start()

    def call(self, command, what):
        if command[0] not in self.fakes:
            return self.real_call(command, what)
        return json.dumps(self.fakes[command[0]](command[1:]))

    def program(self, name, text="#!/bin/sh\n"):
        path = self.folder / name / "bin" / "tessera"
        path.parent.mkdir(parents=True)
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def build(self, name, rates, implementations=("serial.portable",)):
        path = self.program(name)
        self.fakes[str(path.resolve())] = Fake(name, list(rates), implementations, self.log)
        return str(self.folder / name)

    def run_main(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        target = self.folder / "result.json"
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = before_after.main([*arguments, "--json", str(target)])
            except SystemExit as error:
                code = error.code
        report = json.loads(target.read_text()) if target.exists() else None
        return code, out.getvalue(), err.getvalue(), report

    def melt(self, before, after, *arguments):
        return self.run_main(before, after, "--suites", "melt", "--implementations",
                             "serial.portable:double", *arguments)

    def test_order_is_a_b_b_a_after_a_warm_up(self):
        code, _, _, report = self.melt(self.build("A", [100]), self.build("B", [100]))
        self.assertEqual(code, 0)
        order = "".join(line[0] for line in self.log)
        self.assertEqual(order, "AB" + "ABBA" * 10 + "AB")
        self.assertEqual(len(report["results"][0]["rows"][0]["samples"]["before"]), 21)

    def test_the_file_names_no_folder_of_the_machine(self):
        _, _, _, report = self.melt(self.build("A", [100]), self.build("B", [100]))
        commands = report["results"][0]["commands"]
        self.assertTrue(commands["before"].startswith("'{before}' run '{root}/examples/") or
                        commands["before"].startswith("{before} run {root}/examples/"), commands["before"])
        self.assertEqual(report["after"]["program"], "{after}")
        for place in (self.folder, before_after.ROOT):
            self.assertNotIn(str(place), json.dumps(report))

    def test_a_slower_program_is_found_and_a_faster_one_is_not(self):
        slow, fast = self.build("slow", [97, 97.5, 96.5]), self.build("fast", [100, 101, 99])
        code, out, _, report = self.melt(fast, slow)
        self.assertEqual(code, 1)
        self.assertIn("SLOWER", out)
        row = report["results"][0]["rows"][0]
        self.assertAlmostEqual(row["ratio"], 0.97, delta=0.005)
        self.assertLess(row["ratio"], row["self_lowest"])
        code, out, _, report = self.melt(slow, fast)
        self.assertEqual(code, 0)
        self.assertGreater(report["results"][0]["rows"][0]["ratio"], 1.02)

    def test_noise_of_before_excuses_what_it_reaches_itself(self):
        noisy = [100, 130, 80, 110, 70, 120, 90, 140, 75]
        before = self.build("A", noisy)
        after = self.build("B", [0.97 * r for r in noisy])
        code, out, _, report = self.melt(before, after)
        row = report["results"][0]["rows"][0]
        self.assertLess(row["ratio"], 0.98)
        self.assertEqual(row["verdict"], "ok, before reaches as low")
        self.assertEqual(code, 0)

    def test_ratios_are_of_pairs_not_of_medians(self):
        # Both builds slow down together, so that every pair has the ratio 1.
        drift = [100 - k for k in range(22)]
        code, _, _, report = self.melt(self.build("A", drift), self.build("B", drift))
        row = report["results"][0]["rows"][0]
        self.assertEqual((code, row["ratio"], row["spread"]), (0, 1.0, 0.0))

    def test_rows_of_one_command_are_kept_apart(self):
        code, _, _, report = self.run_main(
            self.build("A", [100]), self.build("B", [50]), "--suites", "deposit", "--size", "1000")
        self.assertEqual(code, 1)
        rows = report["results"][0]["rows"]
        self.assertEqual([r["row"] for r in rows], ["x.fast double random", "x.portable double random"])
        self.assertEqual([r["before"] for r in rows], [200, 100])
        self.assertEqual([r["ratio"] for r in rows], [0.5, 0.5])
        self.assertIn("bench --operation charge_deposit --backend serial --size 1000 --json",
                      " ".join(self.log[0]))

    def test_what_only_one_side_has_and_what_has_no_device_is_left_out(self):
        before = self.build("A", [100], ("serial.portable", "openmp.cluster", "cuda.list", "reference"))
        after = self.build("B", [100], ("serial.portable", "cuda.list", "openmp.new", "reference"))
        _, _, _, report = self.run_main(before, after, "--suites", "melt", "--cells", "5,6")
        self.assertEqual([r["series"] for r in report["results"]],
                         [f"melt {n} atoms, serial.portable in {p}"
                          for n in (500, 864) for p in ("double", "mixed")])
        code, _, err, _ = self.run_main(before, after, "--suites", "melt", "--backends", "openmp")
        self.assertEqual(code, 2)
        self.assertIn("no implementation is in both builds", err)
        code, _, err, _ = self.run_main(before, after, "--suites", "melt", "--implementations",
                                        "openmp.cluster")
        self.assertEqual(code, 2)
        self.assertIn("'openmp.cluster' is not in both builds", err)

    def test_each_side_may_have_its_own_command(self):
        self.melt(self.build("A", [100]), self.build("B", [100]), "--after-run",
                  "{program} run {case} --choose {implementation} --atoms {atoms}")
        words = {line[0]: line[1:] for line in self.log}
        self.assertIn("pair_force=serial.portable", words["A"])
        self.assertEqual(words["B"][2:], ["--choose", "serial.portable", "--atoms", "32000"])
        code, _, err, _ = self.melt(str(self.folder / "A"), str(self.folder / "B"), "--before-run",
                                    "{program} {nonsense}")
        self.assertEqual(code, 2)
        self.assertIn("unknown placeholder 'nonsense'", err)

    def test_series_from_a_file(self):
        path = self.folder / "series.json"
        path.write_text(json.dumps([{"name": "mine", "before": "{program} one", "after": "{program} two",
                                     "value": "atom_steps_per_second"}]))
        code, _, _, report = self.run_main(self.build("A", [10]), self.build("B", [20]), "--series",
                                           str(path))
        self.assertEqual(code, 0)
        self.assertEqual(report["results"][0]["rows"][0]["ratio"], 2)
        self.assertEqual({tuple(line) for line in self.log}, {("A", "one"), ("B", "two")})
        path.write_text('[{"name": "mine"}]')
        self.assertIn("series 0 has no 'before'",
                      self.run_main(str(self.folder / "A"), str(self.folder / "B"), "--series",
                                    str(path))[2])

    def test_a_disturbed_series_is_repeated_and_reported(self):
        before, after = self.build("A", [100]), self.build("B", [100])
        clock = {"busy": 0.0}

        def others():  # a hundred processor seconds between any two calls
            clock["busy"] += 100
            return clock["busy"]

        with mock.patch.object(before_after, "busy_seconds", others):
            code, out, err, report = self.melt(before, after, "--tries", "2")
        self.assertEqual(code, 3)
        self.assertIn("DISTURBED", out)
        self.assertIn(" processors, again", err)
        self.assertEqual(report["results"][0]["attempt"], 2)
        self.assertEqual(len(self.log), 2 * (2 + 42))

    def test_runs_too_short_for_the_clock_of_the_system_are_judged_together(self):
        clock = {"looks": 0}

        def others():  # increases once in ten calls, by the load of the whole series
            clock["looks"] += 1
            return 100.0 * (clock["looks"] // 10)

        with mock.patch.object(before_after, "busy_seconds", others):
            code, _, _, report = self.melt(self.build("A", [100]), self.build("B", [100]), "--tries", "1")
        self.assertEqual((code, report["results"][0]["disturbed_share"]), (3, 0))

    def test_a_command_that_fails_is_named_with_its_side(self):
        self.program("B", "#!/bin/sh\ncase $1 in run) echo the disk is full >&2; exit 7;; esac\n"
                          "echo '{\"operations\": [], \"backends\": []}'\n")
        path = self.folder / "series.json"
        path.write_text(json.dumps([{"name": "mine", "before": "{program} run",
                                     "after": "{program} run x", "value": "rate"}]))
        code, _, err, report = self.run_main(str(self.folder / "B"), str(self.folder / "B"), "--series",
                                             str(path))
        self.assertEqual((code, report), (2, None))
        self.assertIn("mine, before: exit code 7", err)
        self.assertIn("the disk is full", err)

    def test_bad_input(self):
        code, _, err, _ = self.melt(str(self.folder), str(self.folder))
        self.assertEqual(code, 2)
        self.assertIn("neither a build folder with bin/tessera nor a program", err)
        a, b = self.build("A", [100]), self.build("B", [0])
        self.assertIn("atom_steps_per_second = 0, expected a positive number", self.melt(a, b)[2])
        self.assertIn("fewer than 21 pairs", self.melt(a, b, "--pairs", "20")[2])
        self.assertIn("'melted', expected melt or deposit", self.run_main(a, b, "--suites", "melted")[2])

    def test_lowest_by_chance_grows_towards_one_with_the_number_of_pairs(self):
        generator = before_after.random.Random(1)
        ratios = [generator.gauss(1, 0.03) for _ in range(40)]
        few, many = (before_after.lowest_by_chance(ratios, n, before_after.random.Random(2))
                     for n in (21, 201))
        self.assertLess(few, many)
        self.assertLess(many, 1)
        # 1.96 standard errors of a median, 1.25 sigma / sqrt(n).
        self.assertAlmostEqual(few, 1 - 1.96 * 1.25 * 0.03 / 21**0.5, delta=0.006)


if __name__ == "__main__":
    unittest.main()
