"""Unit tests of benchmarks/energy_conservation: python3 tests/tools/energy_conservation_test.py"""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "energy_conservation"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("energy_conservation", str(SCRIPT))
energy_conservation = importlib.util.module_from_spec(importlib.util.spec_from_loader("energy_conservation", loader))
loader.exec_module(energy_conservation)

# A substitute for tessera. Energies fluctuate by the time step to the power {power}; in long runs they also rise by
# {drift} in total.
PROGRAM = """#!{python}
import json, pathlib, sys
words = sys.argv[1:]
settings = dict(w.split("=", 1) for w in words if "=" in w)
if "{fails}" and settings.get("run.time_step") == "{fails}":
    sys.exit("tessera: no such thing")
folder = pathlib.Path(words[words.index("--out") + 1])
folder.mkdir()
steps, every = int(settings.get("run.steps", 4000)), int(settings.get("thermo.every", 4000))
step = float(settings.get("run.time_step", 0.005))
with open(folder / "thermo.csv", "w") as file:
    file.write("step,total_energy [epsilon],pressure\\n")
    for k in range(0, steps + 1, every):
        energy = -5 + step**{power} * (-1)**(k // every) + (k / steps * {drift} if steps > 9999 else 0)
        file.write(f"{{k}},{{4000 * energy!r}},0\\n")
(folder / "summary.json").write_text(json.dumps(
    {{"selected": {{"md/pair_force": "some.kernel"}}, "device": {{"name": "a device"}}}}))
"""


class EnergyConservationTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_script(self, power=2, drift=0.0, fails=""):
        program = self.folder / "program"
        program.write_text(PROGRAM.format(python=sys.executable, power=power, drift=drift, fails=fails))
        program.chmod(0o755)
        arguments = sys.argv
        sys.argv = ["energy_conservation", str(program), "--steps", "20000", "--json", str(self.folder / "out.json")]
        try:
            with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
                code = energy_conservation.main()
        finally:
            sys.argv = arguments
        return code, out.getvalue() + err.getvalue(), json.loads((self.folder / "out.json").read_text())

    def test_slope(self):
        self.assertAlmostEqual(energy_conservation.slope([3 + 0.5 * k for k in range(20)]), 0.5)
        self.assertAlmostEqual(energy_conservation.slope([1, 0, 0, 1]), 0)

    def test_second_order_without_drift(self):
        code, out, written = self.run_script()
        self.assertEqual(code, 0, out)
        double, mixed = written["results"]
        self.assertAlmostEqual(double["ratio"], 4, places=5)
        self.assertNotIn("drift", double)
        self.assertLess(abs(mixed["drift"]), 1e-9)
        self.assertEqual(written["device"], {"name": "a device"})

    def test_first_order_and_drift_are_told(self):
        code, out, written = self.run_script(power=1)
        self.assertEqual(code, 1)
        self.assertAlmostEqual(written["results"][0]["ratio"], 2, places=5)
        code, out, written = self.run_script(drift=1e-3)
        self.assertEqual(code, 1)
        self.assertAlmostEqual(written["results"][1]["drift"], 1e-3, places=6)

    def test_a_program_that_fails(self):
        with self.assertRaises(SystemExit) as raised:
            self.run_script(fails="0.0025")
        self.assertEqual(raised.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
