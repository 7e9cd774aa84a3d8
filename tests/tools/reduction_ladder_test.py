"""Unit tests of benchmarks/reduction_ladder: python3 tests/tools/reduction_ladder_test.py"""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest
import xml.dom.minidom

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "reduction_ladder"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("reduction_ladder", str(SCRIPT))
reduction_ladder = importlib.util.module_from_spec(importlib.util.spec_from_loader("reduction_ladder", loader))
loader.exec_module(reduction_ladder)

# A substitute for tessera. Step k takes 8/k ms for 2^22 numbers; {left_out} is not timed, {log} records the commands.
PROGRAM = """#!{python}
import json, sys
words = sys.argv[1:]
open({log!r}, "a").write(json.dumps(words) + "\\n")
if "info" in words:
    print(json.dumps({{"version": "0", "commit": "abc", "build_type": "Release", "backends": [
        {{"name": "cuda", "available": {gpu}, "reason": "no device", "device": {{
            "name": "A <GPU>", "architecture": "sm_0", "driver": "1"}}}}]}}))
    sys.exit()
precision = words[words.index("--precision") + 1]
sizes = [int(words[k + 1]) for k, word in enumerate(words) if word == "--size"]
speeds = {{f"cuda.ladder_{{k}}": k for k in range(1, 8)}}
speeds["cuda.portable"] = 16
speeds.pop({left_out!r}, None)
print(json.dumps({{"limits": {{"cuda": {{"copy_bytes_per_second": 4e12}}}}, "results": [
    {{"implementation": name, "precision": precision, "size": size, "seconds": 8e-3 / speed * size / 2**22,
      "seconds_shortest": 1e-4, "seconds_longest": 2e-4, "samples": 3, "in_cache": speed == 16,
      "bytes_per_second": 1e9 * speed, "items_per_second": 0}}
    for name, speed in speeds.items() for size in sizes]}}))
"""


class ReductionLadderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_script(self, *words, gpu=True, left_out=""):
        """Runs the script; returns its exit code and output."""
        program = self.folder / "tessera"
        program.write_text(PROGRAM.format(python=sys.executable, log=str(self.folder / "log"), gpu=gpu,
                                          left_out=left_out))
        program.chmod(0o755)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = reduction_ladder.main([str(program), "lib.so", *words] if "--table" not in words
                                             and "--plot" not in words else list(words))
            except SystemExit as end:
                code = end.code
        return code, out.getvalue(), err.getvalue()

    def commands(self):
        return [json.loads(line) for line in (self.folder / "log").read_text().splitlines()]

    def test_table_and_files(self):
        stem = self.folder / "study"
        code, text, _ = self.run_script("--out", str(stem))
        self.assertEqual(code, 0)
        self.assertEqual((self.folder / "study.txt").read_text(), text)
        self.assertEqual(text.count("cuda.ladder_3"), 6)
        row = next(line for line in text.splitlines() if line.startswith("cuda.ladder_3"))
        # Columns: measured ms, spread, GB/s, gain over the previous step and over the first; then the values of 2007.
        self.assertEqual(row.split()[-9:], ["2.6667", "1.9", "3.0", "1.50", "3.00", "1.722", "9.7", "2.01", "4.68"])
        other = next(line for line in text.splitlines() if line.startswith("cuda.portable"))
        self.assertEqual(other.split(), ["cuda.portable", "0.5000", "10.0", "16.0", "-", "16.00", "in", "cache"])
        self.assertIn("int32, 2^22", text)
        self.assertIn("float, 2^25", text)
        self.assertEqual(self.run_script("--table", str(stem) + ".json")[1], text)

    def test_commands(self):
        self.run_script("--block-size", "128", "--repeat", "3")
        info, *benches = self.commands()
        self.assertEqual(info, ["--plugin", "lib.so", "info", "--json"])
        self.assertEqual([b[b.index("--precision") + 1] for b in benches], ["int32", "single", "double"])
        for bench in benches:
            self.assertIn("sum.cuda.ladder_7.block_size=128", bench)
            self.assertEqual([bench[k + 1] for k, word in enumerate(bench) if word == "--size"],
                             ["4194304", "33554432"])

    def test_plot_is_xml_with_every_point(self):
        stem = self.folder / "study"
        self.run_script("--out", str(stem))
        drawn = self.folder / "again.svg"
        self.assertEqual(self.run_script("--plot", str(stem) + ".json", str(drawn))[0], 0)
        self.assertEqual(drawn.read_text(), (self.folder / "study.svg").read_text())
        picture = xml.dom.minidom.parse(str(drawn))
        # Each panel has the line of the paper and six more lines; the left one also has dots for the other kernels, and
        # one for the value of the paper for 2^25 ints.
        self.assertEqual(len(picture.getElementsByTagName("polyline")), 14)
        self.assertEqual(len(picture.getElementsByTagName("circle")), 14 * 7 + 6 + 1)

    def test_a_missing_step_is_told(self):
        code, _, error = self.run_script("--out", str(self.folder / "study"), left_out="cuda.ladder_4")
        self.assertEqual(code, 2)
        self.assertIn("cuda.ladder_4 not timed in int32 at 4194304", error)
        self.assertTrue((self.folder / "study.json").exists())

    def test_no_gpu_and_other_files_are_told(self):
        code, _, error = self.run_script(gpu=False)
        self.assertEqual(code, 2)
        self.assertIn("no backend cuda: no device", error)
        other = self.folder / "other.json"
        other.write_text("[]")
        self.assertIn("no result of this script", self.run_script("--table", str(other))[2])


if __name__ == "__main__":
    unittest.main()
