"""Unit tests of benchmarks/tools/compare: python3 tests/tools/compare_test.py"""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import re
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "tools" / "compare"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("compare", str(SCRIPT))
compare = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare", loader))
loader.exec_module(compare)


def entries(name, times, unit="ns", items=None):
    result = []
    for index, time in enumerate(times):
        entry = {"name": name, "run_name": name, "run_type": "iteration", "repetitions": len(times),
                 "repetition_index": index, "real_time": time, "cpu_time": time, "time_unit": unit}
        if items:
            entry["items_per_second"] = items / time
        result.append(entry)
    return result


class CompareTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, benchmarks, context=None):
        path = self.folder / name
        path.write_text(json.dumps({"context": context or {}, "benchmarks": benchmarks}))
        return str(path)

    def run_main(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = compare.main(list(arguments))
        return code, out.getvalue(), err.getvalue()

    def line(self, text, start):
        return next(line for line in text.splitlines() if line.startswith(start))

    def test_ratio_of_medians_and_marks(self):
        base = self.write("a.json", entries("sum", [100, 101, 99, 100, 500])
                          + entries("force", [10, 12, 8, 11, 9]))
        new = self.write("b.json", entries("sum", [50, 51, 49, 50, 50])
                         + entries("force", [10.5, 9, 12, 11, 8.5]))
        code, out, _ = self.run_main(base, new)
        self.assertEqual(code, 0)
        self.assertRegex(self.line(out, "sum"), r"100 ns .* 50 ns .* 0\.500 +faster$")
        self.assertRegex(self.line(out, "force"), r"1\.050 +same$")

    def test_larger_is_better_for_rates(self):
        base = self.write("a.json", entries("sum", [100, 101, 99], items=1000))
        new = self.write("b.json", entries("sum", [200, 201, 199], items=1000))
        code, out, _ = self.run_main(base, new, "--metric", "items_per_second")
        self.assertEqual(code, 0)
        self.assertRegex(self.line(out, "sum"), r"0\.500 +slower$")

    def test_units_are_converted(self):
        base = self.write("a.json", entries("sum", [2000, 2001, 1999], "us"))
        new = self.write("b.json", entries("sum", [2, 2.001, 1.999], "ms"))
        self.assertRegex(self.line(self.run_main(base, new)[1], "sum"), r"2 ms .* 1\.000 +same$")

    def test_single_samples_cannot_tell(self):
        base = self.write("a.json", entries("sum", [100]))
        new = self.write("b.json", entries("sum", [50]))
        self.assertRegex(self.line(self.run_main(base, new)[1], "sum"), r"0\.500 +\?$")

    def test_threshold_hides_small_differences(self):
        base = self.write("a.json", entries("sum", [100.0] * 5))
        new = self.write("b.json", entries("sum", [103.0] * 5))
        self.assertTrue(self.line(self.run_main(base, new)[1], "sum").endswith("slower"))
        out = self.run_main(base, new, "--threshold", "5")[1]
        self.assertTrue(self.line(out, "sum").endswith("same"))

    def test_aggregates_without_samples(self):
        def aggregates(median, stddev):
            return [{"name": f"sum_{kind}", "run_name": "sum", "run_type": "aggregate",
                     "aggregate_name": kind, "repetitions": 9, "real_time": value,
                     "time_unit": "ns"} for kind, value in (("median", median), ("stddev", stddev))]
        base = self.write("a.json", aggregates(100, 1))
        new = self.write("b.json", aggregates(80, 1))
        self.assertRegex(self.line(self.run_main(base, new)[1], "sum"), r"0\.800 +faster$")

    def test_aggregates_beside_samples_are_not_counted_twice(self):
        mean = [{"name": "sum_median", "run_name": "sum", "run_type": "aggregate",
                 "aggregate_name": "median", "repetitions": 3, "real_time": 7, "time_unit": "ns"}]
        content = {"benchmarks": entries("sum", [1, 2, 3]) + mean}
        series, _ = compare.read_series(content, "real_time", re.compile(""))
        self.assertEqual(series["sum"].median, 2)
        self.assertEqual(series["sum"].count, 3)

    def test_filter_and_what_only_one_file_has(self):
        base = self.write("a.json", entries("sum/double", [1, 1]) + entries("gone/double", [1, 1]))
        new = self.write("b.json", entries("sum/double", [1, 1]) + entries("fresh/double", [1, 1])
                         + entries("other", [1, 1]))
        out = self.run_main(base, new, "--filter", "double$")[1]
        self.assertIn("only in base: gone/double", out)
        self.assertIn("only in new: fresh/double", out)
        self.assertNotIn("other", out)

    def test_three_files_and_geometric_mean(self):
        base = self.write("a.json", entries("x", [100, 100]) + entries("y", [100, 100]))
        one = self.write("b.json", entries("x", [50, 50]) + entries("y", [200, 200]))
        two = self.write("c.json", entries("x", [50, 50]) + entries("y", [50, 50]))
        out = self.run_main(base, one, two)[1]
        self.assertRegex(self.line(out, "geometric mean"), r"1\.000 +0\.500$")

    def test_failed_benchmarks_are_named(self):
        failure = [{"name": "sum", "run_name": "sum", "run_type": "iteration",
                    "error_occurred": True, "error_message": "no device"}]
        base = self.write("a.json", entries("x", [1, 1]))
        new = self.write("b.json", failure + entries("x", [1, 1]))
        self.assertIn("failed in new: sum: no device", self.run_main(base, new)[1])

    def test_bad_files_are_named(self):
        good = self.write("a.json", entries("x", [1, 1]))
        broken = self.folder / "broken.json"
        broken.write_text("{")
        other = self.folder / "other.json"
        other.write_text("[]")
        unit = self.write("unit.json", entries("x", [1], "fortnight"))
        for path, expected in ((self.folder / "absent.json", "No such file"), (broken, "not JSON"),
                               (other, "list 'benchmarks'"), (unit, "'fortnight'")):
            code, out, err = self.run_main(good, str(path))
            self.assertEqual(code, 2)
            self.assertEqual(out, "")
            self.assertIn(str(path), err)
            self.assertIn(expected, err)


if __name__ == "__main__":
    unittest.main()
