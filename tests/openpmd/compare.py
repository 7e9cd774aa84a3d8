"""Compares openPMD files of Tessera, read by openPMD-api, openPMD-viewer and the validator, with their data, and files
of openPMD-api, read by Tessera, with theirs. Runs in the environment of scripts/bootstrap --developer:

    .venv/bin/python tests/openpmd/compare.py build/cpu/bin/openpmd_files
"""

import contextlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np
import openpmd_api
from openpmd_validator import check_h5
from openpmd_viewer import OpenPMDTimeSeries

PROGRAM = None
ROOT = pathlib.Path(__file__).resolve().parents[2]
C = 299792458.0
E = 1.602176634e-19
REST_ENERGY = 938.27208943e6
BETA_GAMMA = ((2.5 - 1) * (2.5 + 1)) ** 0.5
MASS = REST_ENERGY * E / C**2
P_REF = BETA_GAMMA * REST_ENERGY * E / C
PER_WEIGHT = 5e6
SCALAR = openpmd_api.Record_Component.SCALAR


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)


def read(path, **question):
    process = run("read", path, json.dumps(question))
    if process.returncode != 0:
        raise AssertionError(process.stderr)
    return json.loads(process.stdout)


class Expected:
    """The data that openpmd_files.cpp wrote to a file, read from the dumps next to it."""

    def __init__(self, path, kind):
        def array(ending, kind=kind):
            return np.fromfile(path.with_suffix(ending), dtype=kind)

        self.x, self.px, self.y, self.py, self.cdt, self.dpop = array(".coordinates").reshape(-1, 6).T
        self.weights = array(".weights")
        self.ids = array(".ids", np.uint64)
        # In the file x is the last and fastest index.
        self.rho, self.phi, *self.field = (array(f".values{k}").reshape(5, 8, 6) for k in range(5))
        q = self.dpop.astype(float) * (2 + self.dpop.astype(float))
        self.pz = np.sqrt(1 + q - self.px.astype(float) ** 2 - self.py.astype(float) ** 2)
        self.z = -BETA_GAMMA / 2.5 * self.cdt.astype(float)


class WrittenFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="openpmd")
        cls.folder = pathlib.Path(cls.temporary.name)
        process = run("write", cls.folder)
        assert process.returncode == 0, process.stderr
        cls.files = sorted(cls.folder.glob("*/*.h5"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def same(self, found, expected):
        """Checks that two arrays are bitwise equal."""
        self.assertEqual(found.dtype, expected.dtype)
        self.assertEqual(found.tobytes(), expected.tobytes())

    def test_the_validator_accepts_them(self):
        self.assertEqual(len(self.files), 5)
        for path in self.files:
            words = io.StringIO()
            with contextlib.redirect_stdout(words):
                errors, warnings = check_h5.check_file(str(path))
            self.assertEqual(errors, 0, words.getvalue())
            # Ignores the warning about missing patches, because a bunch is one patch of particles.
            told = [line for line in words.getvalue().splitlines() if line.startswith("Warning: ")]
            self.assertEqual([line for line in told if "particlePatches" not in line], [])
            self.assertEqual(warnings, 1)

    def check_species(self, iteration, series, expected):
        beam = iteration.particles["beam"]
        records = {name: beam[name] for name in beam}
        stored = {}
        for name, record in records.items():
            for component in record:
                stored[name, component] = record[component].load_chunk() if record[component].shape[0] else None
        series.flush()
        kinds = [("position", "x", expected.x), ("position", "y", expected.y), ("momentum", "x", expected.px),
                 ("momentum", "y", expected.py), ("cdt", SCALAR, expected.cdt), ("dpop", SCALAR, expected.dpop),
                 ("weighting", SCALAR, expected.weights), ("id", SCALAR, expected.ids)]
        for name, component, values in kinds:
            if len(values):
                self.same(stored[name, component], values)
            else:
                self.assertEqual(records[name][component].shape, [0])
        accuracy = np.finfo(expected.x.dtype).eps
        if len(expected.x):
            np.testing.assert_allclose(stored["momentum", "z"], expected.pz, rtol=2 * accuracy)
            np.testing.assert_allclose(stored["position", "z"], expected.z, rtol=2 * accuracy)
            np.testing.assert_allclose(stored["mass", SCALAR], MASS, rtol=1e-15)
            np.testing.assert_allclose(stored["charge", SCALAR], E, rtol=1e-15)
            self.assertEqual(set(stored["positionOffset", "z"]), {0})
        self.assertEqual(records["momentum"]["x"].unit_SI, P_REF)
        self.assertEqual(records["weighting"][SCALAR].unit_SI, PER_WEIGHT)
        self.assertEqual(records["momentum"].unit_dimension, [1, 1, -1, 0, 0, 0, 0])
        self.assertEqual(records["charge"].unit_dimension, [0, 0, 1, 1, 0, 0, 0])
        self.assertEqual(records["weighting"].get_attribute("macroWeighted"), 1)
        self.assertEqual(beam.get_attribute("beta_gamma_ref"), BETA_GAMMA)
        self.assertEqual(beam.get_attribute("gamma_ref"), 2.5)
        self.assertEqual(beam.get_attribute("s_ref"), 4.75)

    def check_meshes(self, iteration, series, expected):
        for name, component, values, unit in [("rho", SCALAR, expected.rho, 2.5), ("phi", SCALAR, expected.phi, 2.5),
                                              ("E", "x", expected.field[0], 2.5), ("E", "y", expected.field[1], 2.5),
                                              ("E", "z", expected.field[2], 1)]:
            mesh = iteration.meshes[name]
            stored = mesh[component].load_chunk()
            series.flush()
            self.same(stored, values)
            self.assertAlmostEqual(mesh[component].unit_SI, unit, places=15)
            self.assertEqual(mesh.axis_labels, ["z", "y", "x"])
            self.assertEqual(mesh.data_order, "C")
            self.assertEqual(mesh.geometry, openpmd_api.Geometry.cartesian)
            np.testing.assert_allclose(mesh.grid_spacing, [0.04 / 2.5, 0.005, 0.01], rtol=1e-15)
            np.testing.assert_allclose(mesh.grid_global_offset, [-0.1 / 2.5, -0.02, -0.03], rtol=1e-15)
            self.assertEqual(mesh[component].position, [0.5, 0.5, 0.5])

    def check_iteration(self, series, number, path, kind):
        iteration = series.iterations[number]
        self.assertEqual(iteration.time * iteration.time_unit_SI, number * 1e-9)
        expected = Expected(path, kind)
        self.check_species(iteration, series, expected)
        self.check_meshes(iteration, series, expected)

    def test_openpmd_api_reads_a_series_with_the_same_bits(self):
        series = openpmd_api.Series(str(self.folder / "series/bunch_%06T.h5"), openpmd_api.Access.read_only)
        self.assertEqual(sorted(series.iterations), [0, 100])
        self.assertEqual(series.iteration_encoding, openpmd_api.Iteration_Encoding.file_based)
        for number in (0, 100):
            path = self.folder / f"series/bunch_{number:06}.h5"
            self.check_iteration(series, number, path, np.float64)
        series.close()

    def test_openpmd_api_reads_files_alone_with_the_same_bits(self):
        for name, number, kind in [("single", 3, np.float32), ("one", 1, np.float64), ("empty", 0, np.float64)]:
            with self.subTest(name):
                path = self.folder / name / "bunch.h5"
                series = openpmd_api.Series(str(path), openpmd_api.Access.read_only)
                self.assertEqual(list(series.iterations), [number])
                self.check_iteration(series, number, path, kind)
                series.close()

    def test_openpmd_viewer_has_bunch_and_fields_in_si_units(self):
        with contextlib.redirect_stdout(io.StringIO()):
            series = OpenPMDTimeSeries(str(self.folder / "series"))
        self.assertEqual(list(series.iterations), [0, 100])
        np.testing.assert_allclose(series.t, [0, 1e-7])
        for number in (0, 100):
            expected = Expected(self.folder / f"series/bunch_{number:06}.h5", np.float64)
            x, y, z, ux, uy, uz, w, cdt, dpop = series.get_particle(
                ["x", "y", "z", "ux", "uy", "uz", "w", "cdt", "dpop"], species="beam", iteration=number)
            for found, wanted in [(x, expected.x), (y, expected.y), (z, expected.z), (ux, expected.px * BETA_GAMMA),
                                  (uy, expected.py * BETA_GAMMA), (uz, expected.pz * BETA_GAMMA),
                                  (w, expected.weights * PER_WEIGHT), (cdt, expected.cdt), (dpop, expected.dpop)]:
                np.testing.assert_allclose(found, wanted, rtol=1e-14)
            for field, component, wanted in [("rho", None, 2.5 * expected.rho), ("phi", None, 2.5 * expected.phi),
                                             ("E", "x", 2.5 * expected.field[0]), ("E", "z", expected.field[2])]:
                found, grid = series.get_field(field, component, iteration=number)
                self.assertEqual(grid.axes, {0: "z", 1: "y", 2: "x"})
                np.testing.assert_allclose(found, wanted, rtol=1e-14)
                # Nodes are in the middle of cells; z is in the laboratory frame.
                np.testing.assert_allclose(grid.x, -0.03 + 0.01 * (np.arange(6) + 0.5), atol=1e-15)
                np.testing.assert_allclose(grid.z, (-0.1 + 0.04 * (np.arange(5) + 0.5)) / 2.5, atol=1e-15)

    def test_what_the_readme_says(self):
        """The Python code in physics/pic/io/README.md works in the folder above that of the series."""
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / "physics/pic/io/README.md").read_text(), re.S)
        self.assertEqual(len(blocks), 2)
        expected = Expected(self.folder / "series/bunch_000100.h5", np.float64)
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(io.StringIO()):
            viewed, stored = {}, {}
            exec(blocks[0], viewed)
            exec(blocks[1], stored)
        np.testing.assert_allclose(viewed["z"], expected.z, rtol=1e-14)
        np.testing.assert_allclose(viewed["uz"], expected.pz * BETA_GAMMA, rtol=1e-14)
        np.testing.assert_allclose(viewed["w"], expected.weights * PER_WEIGHT, rtol=1e-14)
        np.testing.assert_allclose(viewed["rho"], 2.5 * expected.rho, rtol=1e-14)
        self.same(viewed["dpop"], expected.dpop)
        self.same(stored["x"], expected.x)
        np.testing.assert_allclose(stored["px_in_si"], expected.px * P_REF, rtol=1e-14)
        self.assertEqual(stored["gamma"], 2.5)
        stored["series"].close()


class ForeignFiles(unittest.TestCase):
    """Files written by openPMD-api."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="openpmd")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.random = np.random.default_rng(5)

    def series(self, name, options="{}"):
        return openpmd_api.Series(str(self.folder / name), openpmd_api.Access.create, options)

    @staticmethod
    def store(record, component, values, unit=1.0):
        part = record[component]
        part.reset_dataset(openpmd_api.Dataset(values.dtype, values.shape))
        part.unit_SI = unit
        # In two chunks, as two processes would write it.
        half = len(values) // 2
        part.store_chunk(values[:half].copy(), [0], [half])
        part.store_chunk(values[half:].copy(), [half], [len(values) - half])

    @staticmethod
    def constant(record, component, value, particles, unit=1.0):
        part = record[component]
        part.reset_dataset(openpmd_api.Dataset(np.dtype("float64"), [particles]))
        part.unit_SI = unit
        part.make_constant(value)

    def test_a_beam_monitor_as_impactx_has_it(self):
        series = self.series("monitor.h5")
        columns = {}
        for number in (1, 2):
            beam = series.iterations[number].particles["beam"]
            for name, value in [("beta_gamma_ref", 3.25), ("mass_ref", MASS), ("charge_ref", E), ("s_ref", 0.5),
                                ("gamma_ref", 3.4)]:
                beam.set_attribute(name, value)
            columns[number] = self.random.normal(0, 1e-3, (6, 300))
            places = [("position", "x"), ("momentum", "x"), ("position", "y"), ("momentum", "y"), ("position", "t"),
                      ("momentum", "t")]
            for (record, component), values in zip(places, columns[number]):
                self.store(beam[record], component, values)
            for component in "xyt":
                self.constant(beam["positionOffset"], component, 7.0, 300)
            self.store(beam["weighting"], SCALAR, np.full(300, 2e4))
            self.store(beam["qm"], SCALAR, np.full(300, 1.0))
            # Ids as AMReX makes them: the highest bit is set.
            self.store(beam["id"], SCALAR, np.arange(300, dtype=np.uint64) + np.uint64(1 << 63))
            series.flush()
        series.close()
        for number in (1, 2):
            found = read(self.folder / "monitor.h5", iteration=number, accelerator="t_pt")
            self.assertEqual(found["coordinates"], columns[number].T.ravel().tolist())
            self.assertEqual(found["beta_gamma"], 3.25)
            self.assertAlmostEqual(found["rest_energy"], REST_ENERGY, delta=1e-6)
            self.assertEqual(found["ids"][2], 2 - (1 << 63))
            self.assertEqual(found["weights"], [2e4] * 300)
            self.assertEqual(found["ignored"], ["positionOffset", "qm"])
        process = run("read", self.folder / "monitor.h5")
        self.assertEqual(process.returncode, 2)
        self.assertIn("monitor.h5: /data: expected one of the iterations 1, 2", process.stderr)

    def test_positions_and_momenta_at_one_time_in_chunks(self):
        series = self.series("plasma_%T.h5", json.dumps({"hdf5": {"dataset": {"chunks": [64]}}}))
        electrons = series.iterations[40].particles["electrons"]
        x, y, z = self.random.normal(0, 1e-6, (3, 500))
        ux, uy, uz = self.random.normal(0, 0.01, (3, 500)).astype(np.float32)
        uz += np.float32(100)
        mc = 9.1093837139e-31 * C
        length, momentum = openpmd_api.Unit_Dimension, openpmd_api.Unit_Dimension
        electrons["position"].unit_dimension = {length.L: 1}
        electrons["positionOffset"].unit_dimension = {length.L: 1}
        electrons["momentum"].unit_dimension = {momentum.L: 1, momentum.M: 1, momentum.T: -1}
        electrons["mass"].unit_dimension = {length.M: 1}
        electrons["charge"].unit_dimension = {length.T: 1, length.I: 1}
        for component, position, u in [("x", x, ux), ("y", y, uy), ("z", z, uz)]:
            self.store(electrons["position"], component, position)
            self.constant(electrons["positionOffset"], component, 2.0 if component == "z" else 0.0, 500)
            self.store(electrons["momentum"], component, u, mc)
        self.constant(electrons["mass"], SCALAR, 9.1093837139e-31, 500)
        self.constant(electrons["charge"], SCALAR, -E, 500)
        self.constant(electrons["weighting"], SCALAR, 1e5, 500)
        series.close()
        found = read(self.folder / "plasma_%T.h5", iteration=40, beta_gamma=100.0, place=2.0)
        rows = np.array(found["coordinates"]).reshape(-1, 6)
        ux, uy, uz = (u.astype(float) for u in (ux, uy, uz))
        energy = np.sqrt(1 + ux**2 + uy**2 + uz**2)
        # Each particle drifts to the plane of the reference particle.
        np.testing.assert_allclose(rows[:, 0], x - z * ux / uz, rtol=0, atol=1e-18)
        np.testing.assert_allclose(rows[:, 2], y - z * uy / uz, rtol=0, atol=1e-18)
        np.testing.assert_allclose(rows[:, 1], ux / 100, rtol=1e-8)
        np.testing.assert_allclose(rows[:, 4], -z * energy / uz, atol=1e-15)
        total = np.sqrt(ux**2 + uy**2 + uz**2)
        np.testing.assert_allclose(rows[:, 5], total / 100 - 1, atol=1e-8)
        self.assertEqual(found["charge_state"], -1)
        self.assertEqual(found["particles_per_weight"], 1e5)
        self.assertEqual(found["weights"], [])
        drift, momenta = found["warnings"]
        self.assertRegex(drift, "plasma_40.h5: /data/40/particles/electrons/position: particles drift")
        self.assertRegex(momenta, "does not say whether it is that of one particle")
        rows = np.array(read(self.folder / "plasma_%T.h5", iteration=40, beta_gamma=100.0, place=2.0,
                             snapshot="as it is")["coordinates"]).reshape(-1, 6)
        self.assertEqual(rows[:, 0].tolist(), x.tolist())
        np.testing.assert_allclose(rows[:, 4], -z / (100 / np.hypot(1, 100)), atol=1e-15)

    def test_momenta_of_macro_particles_are_what_openpmd_viewer_makes_of_them(self):
        """Tessera divides momenta of macro-particles by powers of their weights, with the result of openPMD-viewer."""
        length = openpmd_api.Unit_Dimension
        for power in (0.0, 0.5, 1.0):
            name = f"macro_{int(2 * power)}"
            series = self.series(f"{name}/bunch_%T.h5")
            series.openPMD_extension = 1  # ED-PIC, without which openPMD-viewer ignores the flags
            protons = series.iterations[0].particles["protons"]
            weights = self.random.uniform(1e3, 1e5, 200)
            x = self.random.normal(0, 1e-3, 200)
            u = self.random.normal(0, 1e-3, (3, 200)) + np.array([[0], [0], [BETA_GAMMA]])
            protons["position"].unit_dimension = protons["positionOffset"].unit_dimension = {length.L: 1}
            protons["momentum"].unit_dimension = {length.L: 1, length.M: 1, length.T: -1}
            protons["mass"].unit_dimension = {length.M: 1}
            protons["charge"].unit_dimension = {length.T: 1, length.I: 1}
            for axis, component in enumerate("xyz"):
                self.store(protons["position"], component, x if component == "x" else np.zeros(200))
                self.constant(protons["positionOffset"], component, 0.0, 200)
                self.store(protons["momentum"], component, u[axis] * weights**power, MASS * C)
            self.constant(protons["mass"], SCALAR, MASS, 200)
            self.constant(protons["charge"], SCALAR, E, 200)
            self.store(protons["weighting"], SCALAR, weights)
            flags = {"momentum": (1, power), "mass": (0, 1.0), "charge": (0, 1.0), "weighting": (1, 1.0),
                     "position": (0, 0.0), "positionOffset": (0, 0.0)}
            for record, (flag, weighting_power) in flags.items():
                protons[record].set_attribute("macroWeighted", np.uint32(flag))
                protons[record].set_attribute("weightingPower", weighting_power)
            series.close()
            found = read(self.folder / name / "bunch_%T.h5", iteration=0, beta_gamma=BETA_GAMMA)
            rows = np.array(found["coordinates"]).reshape(-1, 6)
            with contextlib.redirect_stdout(io.StringIO()):
                viewed = OpenPMDTimeSeries(str(self.folder / name))
            ux, uy = viewed.get_particle(["ux", "uy"], species="protons", iteration=0)
            np.testing.assert_allclose(rows[:, 1] * BETA_GAMMA, u[0], rtol=1e-12)
            np.testing.assert_allclose(rows[:, 1] * BETA_GAMMA, ux, rtol=1e-12)
            np.testing.assert_allclose(rows[:, 3] * BETA_GAMMA, uy, rtol=1e-12)
            np.testing.assert_allclose(rows[:, 5], np.sqrt((u**2).sum(axis=0)) / BETA_GAMMA - 1, atol=1e-12)
            self.assertAlmostEqual(found["rest_energy"], REST_ENERGY, delta=1e-5)
            self.assertEqual(found["warnings"], [])

    def small(self, name):
        """Returns a small series in the format of the suffix of its name."""
        series = self.series(name)
        beam = series.iterations[0].particles["beam"]
        self.store(beam["position"], "x", np.arange(4.0))
        return series

    def refused(self, name, **question):
        process = run("read", self.folder / name, json.dumps(question))
        self.assertEqual(process.returncode, 2, process.stdout)
        return process.stderr

    def test_other_formats_are_refused_by_what_they_are_and_the_command_converts_them(self):
        for name, words in [("a.bp", "a folder of ADIOS2"), ("b.bp4", "a folder of ADIOS2"),
                            ("c.json", "an openPMD series in JSON"), ("d.toml", "an openPMD series in TOML")]:
            self.small(name).close()
            told = self.refused(name)
            self.assertIn(f"{name}: this is {words}, expected HDF5", told)
            command = told[told.index("openpmd-pipe"):].split()
            tool = pathlib.Path(sys.executable).parent / command[0]
            process = subprocess.run([sys.executable, tool, *command[1:]], capture_output=True, text=True)
            self.assertEqual(process.returncode, 0, process.stderr)
            # The file is then read as HDF5, with an incomplete bunch.
            self.assertIn(f"{pathlib.Path(name).stem}.h5: /data/0/particles/beam", self.refused(command[-1]))
        for name in ("s_%T.bp", "s_%T.json"):
            self.small(name).close()
            self.assertRegex(self.refused(name, iteration=0), "this is an openPMD series in (ADIOS2|JSON)")
        steps = self.series("steps.h5")
        steps.iteration_encoding = openpmd_api.Iteration_Encoding.variable_based
        self.store(steps.iterations[0].particles["beam"]["position"], "x", np.arange(4.0))
        steps.close()
        self.assertIn("/iterationEncoding = variableBased: expected iterations in groups or files",
                      self.refused("steps.h5"))

    @staticmethod
    def component(group, name, values, unit, dimension):
        """Writes a component in the way of openpmd-beamphysics: a constant component is a group with attributes."""
        if np.all(values == values[0]):
            part = group.create_group(name)
            part.attrs["value"], part.attrs["shape"] = values[0], values.shape
        else:
            group[name] = values
            part = group[name]
        part.attrs["unitSI"], part.attrs["unitDimension"] = unit, np.array(dimension, float)

    def test_a_bunch_of_the_extension_beam_physics(self):
        count, ev = 100, E / C
        x, y, px, py, pz, t = self.random.normal(0, 1, (6, count)) * np.array([[1e-3], [1e-3], [1e3], [1e3], [1e4],
                                                                               [1e-12]])
        pz += 1e7
        status = np.ones(count, int)
        status[7] = 2
        momentum, length = (1, 1, -1, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0, 0)
        rest = 0.51099895e6
        for kind in ("values", "constant"):
            weights = self.random.uniform(1e-16, 2e-16, count) if kind == "values" else np.full(count, 1e-16)
            with h5py.File(self.folder / f"{kind}.h5", "w") as file:
                for name, value in [("basePath", "/"), ("dataType", "openPMD"), ("openPMD", "2.0.0"),
                                    ("openPMDextension", "BeamPhysics;SpeciesType"), ("particlesPath", "particles")]:
                    # Fortran pads texts with spaces.
                    file.attrs[name] = np.bytes_(value if kind == "values" else value + "   ")
                bunch = file.create_group("particles/electron")
                bunch.attrs["speciesType"] = np.bytes_("electron")
                bunch.attrs["numParticles"], bunch.attrs["chargeUnitSI"] = count, 1.0
                bunch.attrs["totalCharge"] = weights.sum()
                for name, values in [("x", x), ("y", y), ("z", np.zeros(count))]:
                    self.component(bunch, f"position/{name}", values, 1.0, length)
                for name, values in [("x", px), ("y", py), ("z", pz)]:
                    self.component(bunch, f"momentum/{name}", values, ev, momentum)
                self.component(bunch, "time", t, 1.0, (0, 0, 1, 0, 0, 0, 0))
                self.component(bunch, "particleStatus", status, 1.0, (0,) * 7)
                self.component(bunch, "weight", weights, 1.0, (0, 0, 1, 1, 0, 0, 0))
            found = read(self.folder / f"{kind}.h5", beta_gamma=1e7 / rest)
            rows = np.array(found["coordinates"]).reshape(-1, 6)
            alive = status == 1
            self.assertEqual(rows[:, 0].tolist(), x[alive].tolist())
            self.assertEqual(rows[:, 2].tolist(), y[alive].tolist())
            np.testing.assert_allclose(rows[:, 1], px[alive] / 1e7, rtol=1e-9)
            np.testing.assert_allclose(rows[:, 4], C * t[alive], rtol=1e-14)
            np.testing.assert_allclose(rows[:, 5], np.sqrt(px**2 + py**2 + pz**2)[alive] / 1e7 - 1, atol=1e-9)
            total = found["particles_per_weight"] * (sum(found["weights"]) if kind == "values" else alive.sum())
            np.testing.assert_allclose(total * E, weights[alive].sum(), rtol=1e-12)
            self.assertEqual(len(found["warnings"]), 1)
            self.assertIn("particleStatus: 1 particles are lost", found["warnings"][0])


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
