"""Unit tests of benchmarks/patch_study: python3 tests/tools/patch_study_test.py"""

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

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "patch_study"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("patch_study", str(SCRIPT))
patch_study = importlib.util.module_from_spec(importlib.util.spec_from_loader("patch_study", loader))
loader.exec_module(patch_study)

# A substitute for tessera. A kernel with n atoms of patch 1 per thread takes 8 ms / n; {log} records the commands.
PROGRAM = """#!{python}
import json, sys
words = sys.argv[1:]
open({log!r}, "a").write(json.dumps(words) + "\\n")
if "info" in words:
    print(json.dumps({{"version": "0", "commit": "abc", "build_type": "Release", "backends": [
        {{"name": "cuda", "available": {gpu}, "reason": "no device", "device": {{
            "name": "A <GPU>", "architecture": "sm_0", "driver": "1"}}}}]}}))
    sys.exit()
speed = next((int(w[-1]) for w in words if ".patch1_per_thread=" in w), 8)
print(json.dumps({{"results": [
    {{"precision": words[words.index("--precision") + 1], "size": int(words[k + 1]), "seconds": 8e-3 / speed,
      "seconds_shortest": 8e-3 / speed, "seconds_longest": 8.8e-3 / speed, "samples": 3, "prepare_seconds": 0.01,
      "steps_per_prepare": 5 if speed < 8 else None, "memory_bytes": 3000000}}
    for k, word in enumerate(words) if word == "--size"]}}))
"""


class PatchStudyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_script(self, *words, gpu=True):
        """Runs the script; returns its exit code and output."""
        program = self.folder / "tessera"
        program.write_text(PROGRAM.format(python=sys.executable, log=str(self.folder / "log"), gpu=gpu))
        program.chmod(0o755)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = patch_study.main([*([] if words[0] in ("--table", "--plot") else [str(program)]), *words])
            except SystemExit as end:
                code = end.code
        return code, out.getvalue(), err.getvalue()

    def test_table_plot_and_files(self):
        stem = self.folder / "study"
        code, text, _ = self.run_script("--out", str(stem), "--size", "500")
        self.assertEqual(code, 0)
        self.assertEqual((self.folder / "study.txt").read_text(), text)
        row = next(line for line in text.splitlines() if line.startswith("patch 1 tiling, 4 atoms"))
        # Columns: time of forces, spread, gain; time of a list, steps that it lasts; time of a step with a list for ten
        # steps, gain; time of a step with lists as needed, gain; memory.
        self.assertEqual(row.split()[5:],
                         ["2.0000", "5.0", "4.00", "10.000", "5.0", "3.0000", "3.00", "4.0000", "2.50", "3"])
        beside = next(line for line in text.splitlines() if line.startswith("cuda.list"))
        self.assertEqual(beside.split()[5], "-")
        self.assertEqual(self.run_script("--table", str(stem) + ".json")[1], text)
        xml.dom.minidom.parse(str(stem) + ".svg")

    def test_every_remedy_is_a_parameter_of_its_own(self):
        self.run_script("--size", "500", "--repeat", "3")
        commands = [json.loads(line) for line in (self.folder / "log").read_text().splitlines()]
        of_kernel = [words for words in commands if patch_study.KERNEL in words]
        self.assertEqual(len(of_kernel), 2 * len(patch_study.VARIANTS))
        for words in of_kernel:
            of_patch = sum(word.startswith("pair_force.cuda.patch.") for word in words)
            self.assertEqual(of_patch, len(patch_study.AS_IT_WAS))
        for _, parameters in patch_study.VARIANTS:
            self.assertLessEqual(set(parameters), set(patch_study.AS_IT_WAS))

    def test_refusals(self):
        code, _, errors = self.run_script("--size", "500", gpu=False)
        self.assertEqual(code, 2)
        self.assertIn("no device", errors)
        (self.folder / "other.json").write_text("{}")
        self.assertEqual(self.run_script("--table", str(self.folder / "other.json"))[0], 2)


if __name__ == "__main__":
    unittest.main()
