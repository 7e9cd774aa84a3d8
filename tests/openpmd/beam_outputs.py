"""Compares the files that a run of a beam writes, read by other programs (openPMD-api, openPMD-viewer, h5py, NumPy,
pandas), with arrays of the library's operations (beam_arrays.cpp). Comparisons of whole arrays (agree()) are repeated
with the array shifted by one element, for which they have to fail. Also reads bunches that other programs wrote. Runs
in the environment of scripts/bootstrap --developer:

    .venv/bin/python tests/openpmd/beam_outputs.py build/cpu/bin/tessera build/cpu/bin/beam_arrays
"""

import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np
import openpmd_api
import pandas
from openpmd_viewer import OpenPMDTimeSeries

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/cli"))
import restart_file  # noqa: E402

TESSERA = ARRAYS = None
C = 299792458.0
E = 1.602176634e-19
REST_ENERGY = 938.27208816e6
KINETIC = 2.5e6 / REST_ENERGY
GAMMA = 1 + KINETIC
BETA_GAMMA = (KINETIC * (2 + KINETIC)) ** 0.5
BETA = BETA_GAMMA / GAMMA
P_REF = BETA_GAMMA * REST_ENERGY * E / C
SCALAR = openpmd_api.Record_Component.SCALAR
PARTICLES = 400
CHARGE = 3e-12  # charge of the bunch in C
NAMES = ["x", "xp", "y", "yp", "cdt", "dpop"]

CASE = """
precision = "{precision}"
[beam]
species = "proton"
kinetic_energy = 2.5
bunch_charge = {charge}
[bunch]
file = "bunch.csv"
[lattice]
kicks = 2
[[lattice.element]]
type = "quadrupole"
length = 0.02
k1 = 16.0
[[lattice.element]]
type = "aperture"
name = "scraper"
half_x = 0.004
half_y = 0.005
[[lattice.element]]
type = "drift"
length = 0.03
[space_charge]
nodes = [8, 10, 12]
reorder_every = 2
{domain}
[run]
turns = 2
determinism = "run_to_run"
[statistics]
every = 1
[snapshot]
[openpmd]
every = 1
[restart]
every = 100
"""


def write_bunch(path, weighted):
    """Writes a bunch that is off the axes, tilted, and has a long tail: it has no mirror or permutation symmetry."""
    random = np.random.default_rng(3)
    x, xp, y, yp, dpop = random.normal(0, 1, (5, PARTICLES)) * np.array([[2e-3], [1e-3], [1e-3], [2e-3], [1e-3]])
    late = random.exponential(0.03, PARTICLES) + 0.02
    columns = {"x [m]": x + 5e-4, "px [1]": xp - 0.2 * x, "y [m]": y - 3e-4 + 5e-3 * late, "py [1]": yp,
               "cdt [m]": late, "dpop [1]": dpop, "id": random.permutation(PARTICLES) + 1000}
    if weighted:
        columns["weight"] = random.uniform(0.5, 2, PARTICLES)
    pandas.DataFrame(columns).to_csv(path, index=False, float_format="%.17g")


class Step:
    """Arrays of beam_arrays.cpp after a step."""

    def __init__(self, folder, place):
        number = place["step"]

        def array(name, kind=np.float64):
            path = folder / f"{number}.{name}"
            return np.fromfile(path, dtype=kind) if path.exists() else None

        self.number = number
        self.coordinates = array("coordinates").reshape(-1, 6)
        self.alive = array("alive", np.uint8) != 0
        self.ids = array("ids", np.int64)
        self.weights = array("weights")
        if self.weights is None:
            self.weights = np.ones(len(self.ids))
        self.kicked = "nodes" in place
        if self.kicked:
            shape = place["nodes"][::-1]
            self.density, self.potential, *self.field = (
                array(name).reshape(shape) for name in ("density", "potential", "field0", "field1", "field2"))
            self.lower, self.spacing = np.array(place["lower"]), np.array(place["spacing"])

    def living(self):
        return self.coordinates[self.alive]


class Outputs:
    """Tests for each precision; a base class, so that it is not run itself."""

    precision = "double"
    domain = ""
    cell_is_short = True  # cells are short compared with the bunch
    weighted = True
    storage = np.float64

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="beam_outputs")
        cls.addClassCleanup(temporary.cleanup)
        folder = pathlib.Path(temporary.name)
        write_bunch(folder / "bunch.csv", cls.weighted)
        case = folder / "case.toml"
        case.write_text(CASE.format(precision=cls.precision, charge=CHARGE, domain=cls.domain))
        cls.files = folder / "run"
        arrays = folder / "arrays"
        arrays.mkdir()
        for command in ([TESSERA, "run", case, "--backend", "serial", "--quiet", "--out", cls.files],
                        [ARRAYS, case, arrays]):
            process = subprocess.run(command, capture_output=True, text=True)
            assert process.returncode == 0, process.stderr
        cls.steps = [Step(arrays, place) for place in json.loads((arrays / "places.json").read_text())]
        assert 0 < cls.steps[-1].alive.sum() < PARTICLES, "nobody is lost, or all"
        cls.summary = json.loads((cls.files / "summary.json").read_text())
        cls.macro_charge = CHARGE / cls.steps[0].weights.sum()

    def agree(self, found, expected, rtol=0.0, atol=0.0):
        """Checks that arrays agree, and that they do not agree with the array shifted by one element."""
        found, expected = np.asarray(found), np.asarray(expected)
        self.assertEqual(found.shape, expected.shape)
        np.testing.assert_allclose(found, expected, rtol=rtol, atol=atol)
        for by in (1, -1):
            shifted = np.roll(expected.ravel(), by).reshape(expected.shape)
            self.assertFalse(np.allclose(found, shifted, rtol=rtol, atol=atol), "an array shifted by one passes")

    def eps(self, factor):
        return factor * float(np.finfo(self.storage).eps)

    # Tests of tables.

    def statistics_of(self, step, coordinates):
        weights, values = step.weights[step.alive], coordinates[step.alive]
        mean = np.average(values, axis=0, weights=weights)
        second = np.cov(values.T, aweights=weights, bias=True)
        row = {f"mean_{name}": mean[a] for a, name in enumerate(NAMES)}
        row |= {f"deviation_{name}": second[a, a] ** 0.5 for a, name in enumerate(NAMES)}
        row |= {f"least_{NAMES[a]}": values[:, a].min() for a in (0, 2, 4)}
        row |= {f"greatest_{NAMES[a]}": values[:, a].max() for a in (0, 2, 4)}
        for plane, a in (("x", 0), ("y", 2), ("z", 4)):
            emittance = np.linalg.det(second[a:a + 2, a:a + 2]) ** 0.5
            row |= {f"emittance_{plane}": emittance, f"normalised_emittance_{plane}": BETA_GAMMA * emittance,
                    f"alpha_{plane}": -second[a, a + 1] / emittance, f"beta_{plane}": second[a, a] / emittance,
                    f"gamma_{plane}": second[a + 1, a + 1] / emittance}
        for size in (4, 6):
            emittance = np.linalg.det(second[:size, :size]) ** 0.5
            row |= {f"emittance_{size}d": emittance,
                    f"normalised_emittance_{size}d": BETA_GAMMA ** (size // 2) * emittance}
        return row

    def test_statistics(self):
        table = pandas.read_csv(self.files / "statistics.csv")
        table.columns = [name.split(" ")[0] for name in table.columns]
        self.assertEqual(table["step"].tolist(), [step.number for step in self.steps])
        for step, (_, row) in zip(self.steps, table.iterrows()):
            charge = self.macro_charge * step.weights[step.alive].sum()
            self.assertEqual((row["alive"], row["lost"]), (step.alive.sum(), (~step.alive).sum()))
            np.testing.assert_allclose(row["charge"], charge, rtol=1e-13)
            expected = self.statistics_of(step, step.coordinates)
            self.assertEqual(set(table.columns) - set(expected),
                             {"step", "turn", "element", "name", "path", "alive", "lost", "outside", "charge",
                              "charge_on_grid", "green_hit_rate"})
            shifted = self.statistics_of(step, np.roll(step.coordinates, 1))
            for name, value in expected.items():
                np.testing.assert_allclose(row[name], value, rtol=1e-9, err_msg=name)
                self.assertFalse(np.isclose(row[name], shifted[name], rtol=1e-9, atol=0), name)

    def test_losses(self):
        table = pandas.read_csv(self.files / "losses.csv")
        table.columns = [name.split(" ")[0] for name in table.columns]
        expected = []
        for before, after in zip(self.steps, self.steps[1:]):
            alive = dict(zip(before.ids, before.alive))
            gone = [(after.number, i, *row) for i, row, lives in zip(after.ids, after.coordinates, after.alive)
                    if alive[i] and not lives]
            expected += sorted(gone)
        self.assertGreater(len(expected), 5)
        self.assertEqual(set(table["cause"]), {"element"})
        self.assertEqual(set(table["name"]), {"scraper"})
        for column, name in enumerate(["step", "id", *NAMES]):
            if name != "step":
                self.agree(table[name], [row[column] for row in expected])
        self.assertEqual(table["step"].tolist(), [row[0] for row in expected])

    # Tests of NumPy arrays, and of the restart file.

    def test_snapshot(self):
        last = self.steps[-1]
        order = np.argsort(last.ids[last.alive])
        bunch = np.load(self.files / "bunch.npy")
        self.agree(bunch[:, :6], last.living()[order])
        self.agree(bunch[:, 6], last.ids[last.alive][order])
        self.agree(np.load(self.files / "potential.npy"), last.potential)
        grid = self.summary["space_charge"]
        self.assertEqual(grid["nodes"], list(last.potential.shape[::-1]))
        np.testing.assert_array_equal(grid["lower"], last.lower)
        np.testing.assert_array_equal(grid["spacing"], last.spacing)

    def test_restart(self):
        last, fields = self.steps[-1], restart_file.fields(self.files / "restart.tessera")
        kinds = {1: np.float32, 2: np.float64, 3: np.int32, 4: np.int64, 6: np.uint8}

        def field(name):
            kind, rows, components, data = fields[name]
            return np.frombuffer(data, kinds[kind]).reshape(rows, components)

        self.agree(field("coordinates"), last.coordinates)
        self.agree(field("alive")[:, 0], last.alive)
        self.agree(field("ids")[:, 0], last.ids)
        self.assertEqual("weights" in fields, self.weighted)
        if self.weighted:
            self.agree(field("weights")[:, 0], last.weights)
        self.assertEqual(field("step")[0, 0], last.number)

    # Tests of openPMD files.

    def at_fixed_time(self, step):
        x, px, y, py, cdt, dpop = step.living().T
        return x, px, y, py, -BETA * cdt, np.sqrt((1 + dpop) ** 2 - px**2 - py**2)

    def test_openpmd_viewer_has_the_bunch(self):
        with contextlib.redirect_stdout(io.StringIO()):
            series = OpenPMDTimeSeries(str(self.files))
        self.assertEqual(list(series.iterations), [step.number for step in self.steps])
        for step in self.steps:
            found = series.get_particle(["x", "y", "z", "ux", "uy", "uz", "w", "id", "cdt", "dpop"], species="beam",
                                        iteration=step.number)
            x, px, y, py, z, pz = self.at_fixed_time(step)
            weights = step.weights[step.alive] * (self.macro_charge / E)
            expected = [x, y, z, px * BETA_GAMMA, py * BETA_GAMMA, pz * BETA_GAMMA, weights, step.ids[step.alive],
                        *step.living()[:, 4:].T]
            for name, a, b in zip(["x", "y", "z", "ux", "uy", "uz", "w", "id", "cdt", "dpop"], found, expected):
                with self.subTest(name, step=step.number):
                    if name == "w" and not self.weighted:
                        np.testing.assert_allclose(a, b, rtol=1e-13)
                    else:
                        self.agree(a, b, rtol=max(self.eps(4), 1e-13))

    def test_openpmd_api_has_the_bunch_with_the_same_bits(self):
        series = openpmd_api.Series(str(self.files / "bunch_%06T.h5"), openpmd_api.Access.read_only)
        self.assertEqual(sorted(series.iterations), [step.number for step in self.steps])
        for step in self.steps:
            beam = series.iterations[step.number].particles["beam"]
            columns = [("position", "x"), ("momentum", "x"), ("position", "y"), ("momentum", "y"), ("cdt", SCALAR),
                       ("dpop", SCALAR), ("id", SCALAR)]
            stored = [beam[record][component].load_chunk() for record, component in columns]
            series.flush()
            for values, expected in zip(stored, [*step.living().T, step.ids[step.alive]]):
                self.agree(values, expected)
            self.assertEqual([values.dtype for values in stored[:6]], [self.storage] * 6)
            self.assertAlmostEqual(beam["momentum"]["x"].unit_SI / P_REF, 1, places=9)
            self.assertEqual(beam.get_attribute("particles_lost"), (~step.alive).sum())
            for record, flag, power in [("position", 0, 0), ("momentum", 0, 1), ("weighting", 1, 1), ("mass", 0, 1),
                                        ("charge", 0, 1)]:
                self.assertEqual(beam[record].get_attribute("macroWeighted"), flag)
                self.assertEqual(beam[record].get_attribute("weightingPower"), power)
        series.close()

    def fields_of(self, step):
        """Returns {(mesh, component): array by z, y, x} of the fields in the laboratory frame. z points forward in the
        file, and backward in the arrays of the library."""
        forward = slice(None, None, -1)
        return {("rho", None): GAMMA * step.density[forward], ("phi", None): GAMMA * step.potential[forward],
                ("E", "x"): GAMMA * step.field[0][forward], ("E", "y"): GAMMA * step.field[1][forward],
                ("E", "z"): -step.field[2][forward]}

    def test_openpmd_viewer_has_the_fields(self):
        kicked = [step for step in self.steps if step.kicked]
        self.assertGreater(len(kicked), 3)
        # openPMD-viewer reads the names of fields from the first file, which was written before any kick.
        temporary = tempfile.TemporaryDirectory(prefix="beam_outputs")
        self.addCleanup(temporary.cleanup)
        for step in kicked:
            name = f"bunch_{step.number:06}.h5"
            (pathlib.Path(temporary.name) / name).symlink_to(self.files / name)
        with contextlib.redirect_stdout(io.StringIO()):
            series = OpenPMDTimeSeries(temporary.name)
        for step in kicked:
            for (name, component), expected in self.fields_of(step).items():
                with self.subTest(name, component=component, step=step.number):
                    found, grid = series.get_field(name, component, iteration=step.number)
                    self.agree(found, expected, rtol=self.eps(4), atol=self.eps(1) * np.abs(expected).max())
                    self.assertEqual(grid.axes, {0: "z", 1: "y", 2: "x"})
                    for axis, places in enumerate([grid.x, grid.y, grid.z]):
                        nodes = step.lower[axis] + step.spacing[axis] * (np.arange(len(places)) + 0.5)
                        self.agree(places, nodes if axis < 2 else -nodes[::-1] / GAMMA, rtol=1e-12, atol=1e-15)

    def test_h5py_has_a_field_that_is_minus_the_gradient_of_the_potential(self):
        for step in self.steps:
            with h5py.File(self.files / f"bunch_{step.number:06}.h5") as file:
                group = file[f"data/{step.number}"]
                self.assertEqual("meshes" in group, step.kicked)
                if not step.kicked:
                    continue
                phi = group["meshes/phi"]
                dz, dy, dx = phi.attrs["beam_frame_gridSpacing"]
                gradient = np.gradient(phi[()].astype(float), dz, dy, dx)
                inner = (slice(1, -1),) * 3
                for axis, along in zip("zyx", gradient):
                    field = group[f"meshes/E/{axis}"][()].astype(float)[inner]
                    largest = np.abs(field).max()
                    # Central difference between the neighbors of a node.
                    self.agree(field, -along[inner], rtol=self.eps(100), atol=self.eps(100) * largest)

    def test_charge_lies_where_the_particles_are(self):
        for step in self.steps:
            if not step.kicked:
                continue
            with h5py.File(self.files / f"bunch_{step.number:06}.h5") as file:
                group = file[f"data/{step.number}"]
                rho = group["meshes/rho"]
                z = group["particles/beam/position/z"][()]
                weights = step.weights[step.alive]
                spacing, lower = rho.attrs["gridSpacing"], rho.attrs["gridGlobalOffset"]
                places = lower[0] + spacing[0] * (np.arange(rho.shape[0]) + 0.5)
                line = rho[()].astype(float).sum(axis=(1, 2))
                mean, of_particles = np.average(places, weights=line), np.average(z, weights=weights)
                third = np.average((places - mean) ** 3, weights=line)
                expected = np.average((z - of_particles) ** 3, weights=weights)
                # The tolerance allows for the motion since the kick, half a step before, and for the size of a cell, a
                # tenth of the bunch.
                self.assertLess(abs(mean - of_particles), 0.2 * z.std())
                self.assertLess(mean, -0.5 * z.std(), "the bunch is behind the reference particle")
                if self.cell_is_short:
                    self.assertLess(third, 0.3 * expected, "its tail is behind")
                # The total charge is that of the particles alive at the kick, except the few off its grid.
                total = line.sum() * np.prod(spacing) * GAMMA
                self.assertLess(total, CHARGE * (1 + 1e-6))
                self.assertGreater(total, 0.97 * self.macro_charge * weights.sum())


class DoubleOutputs(Outputs, unittest.TestCase):
    pass


class SingleOutputs(Outputs, unittest.TestCase):
    precision = "single"
    weighted = False
    storage = np.float32


class PipeOutputs(Outputs, unittest.TestCase):
    """A periodic beam in a conducting pipe."""

    domain = 'domain = "fixed"\nsize = [0.03, 0.04, 1]\nperiod = 0.05\nwalls = true'
    cell_is_short = False


class BunchesOfOthers(unittest.TestCase):
    """Runs of zero turns with bunches that other programs wrote."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="beam_outputs")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        random = np.random.default_rng(5)
        self.weights = random.uniform(5e3, 2e4, PARTICLES)
        self.x, self.y, self.z = random.normal(0, 1, (3, PARTICLES)) * np.array([[1e-3], [1e-3], [0.1]])
        # Slopes of 1 mrad, in units of m c.
        self.u = random.normal(0, 1e-3 * BETA_GAMMA, (3, PARTICLES))
        self.u[2] += BETA_GAMMA

    def write(self, macro_weighted, power=1.0):
        kinds = {"position": [1, 0, 0, 0, 0, 0, 0], "momentum": [1, 1, -1, 0, 0, 0, 0], "mass": [0, 1, 0, 0, 0, 0, 0],
                 "charge": [0, 0, 1, 1, 0, 0, 0], "weighting": [0] * 7}
        with h5py.File(self.folder / "bunch.h5", "w") as file:
            file.attrs["openPMD"], file.attrs["basePath"] = np.bytes_("1.1.0"), np.bytes_("/data/%T/")
            file.attrs["particlesPath"] = np.bytes_("particles/")
            step = file.create_group("data/0")
            step.attrs["time"], step.attrs["timeUnitSI"] = 0.0, 1.0
            species = step.create_group("particles/protons")

            def store(path, values, unit=1.0):
                species[path] = values
                species[path].attrs["unitSI"] = unit

            for axis, places in zip("xyz", (self.x, self.y, self.z)):
                store(f"position/{axis}", places)
            for axis, u in zip("xyz", self.u):
                store(f"momentum/{axis}", u * self.weights**power if macro_weighted else u, P_REF / BETA_GAMMA)
            store("mass", np.full(PARTICLES, REST_ENERGY * E / C**2))
            store("charge", np.full(PARTICLES, E))
            store("weighting", self.weights)
            for record, dimension in kinds.items():
                species[record].attrs["unitDimension"] = np.array(dimension, float)
            if macro_weighted is not None:
                species["momentum"].attrs["macroWeighted"] = np.uint32(macro_weighted)
                species["momentum"].attrs["weightingPower"] = power

    def bunch(self, more="", after=""):
        case = self.folder / "case.toml"
        case.write_text('[beam]\nspecies = "proton"\nkinetic_energy = 2.5\n[bunch]\nfile = "bunch.h5"\n' + more +
                        '\n[[lattice.element]]\ntype = "drift"\nlength = 0\n[run]\nturns = 0\n[snapshot]\n' + after)
        process = subprocess.run([TESSERA, "run", case, "--backend", "serial", "--quiet", "--overwrite",
                                  "--out", self.folder / "run"], capture_output=True, text=True)
        self.assertEqual(process.returncode, 0, process.stderr)
        return np.load(self.folder / "run/bunch.npy")[:, :6].T, process.stderr

    def check_drifted(self, bunch):
        x, xp, y, yp, cdt, dpop = bunch
        energy = np.sqrt(1 + (self.u**2).sum(axis=0))
        np.testing.assert_allclose(xp, self.u[0] / BETA_GAMMA, rtol=1e-12, atol=1e-18)
        np.testing.assert_allclose(x, self.x - self.z * self.u[0] / self.u[2], rtol=1e-12, atol=1e-18)
        np.testing.assert_allclose(y, self.y - self.z * self.u[1] / self.u[2], rtol=1e-12, atol=1e-18)
        np.testing.assert_allclose(cdt, -self.z * energy / self.u[2], rtol=1e-12)
        np.testing.assert_allclose(dpop, np.sqrt((self.u**2).sum(axis=0)) / BETA_GAMMA - 1, atol=1e-12)
        # The drift is not negligible: 0.1 m at slopes of 1 mrad.
        self.assertGreater(np.abs(x - self.x).max(), 0.1 * np.std(self.x))

    def test_a_snapshot_drifts_to_the_plane_of_the_reference_particle(self):
        self.write(0)
        bunch, told = self.bunch()
        self.check_drifted(bunch)
        self.assertIn("particles drift from where the file has them to the plane of the reference particle", told)
        self.assertNotIn("macroWeighted", told)

    def test_and_is_written_again_where_it_was(self):
        self.write(0)
        self.bunch(after='[openpmd]\nfile = "again.h5"\nsnapshot = "drift"\n')
        with h5py.File(self.folder / "run/again.h5") as file:
            position = file["data/0/particles/beam/position"]
            for axis, places in zip("xyz", (self.x, self.y, self.z)):
                np.testing.assert_allclose(position[axis][()], places, rtol=1e-12, atol=1e-17)

    def test_or_is_taken_as_it_is(self):
        self.write(0)
        bunch, told = self.bunch('snapshot = "as it is"')
        np.testing.assert_array_equal(bunch[0], self.x)
        np.testing.assert_allclose(bunch[4], -self.z / BETA, rtol=1e-12)
        self.assertIn("x and y are those of the file, as if all particles were at the plane", told)

    def test_at_a_plane_of_its_own(self):
        self.z += 3
        self.write(0)
        _, told = self.bunch()
        self.assertIn("m / c earlier than it, more than ten times the length of the bunch", told)
        self.z -= 3
        bunch, told = self.bunch("place = 3")
        np.testing.assert_allclose(bunch[0], self.x - self.z * self.u[0] / self.u[2], rtol=0, atol=1e-15)
        self.assertNotIn("ten times", told)

    def test_momenta_of_macro_particles_are_divided_by_their_weights(self):
        for power in (1.0, 0.5, 0.0):
            self.write(1, power)
            self.check_drifted(self.bunch()[0])

    def test_momenta_that_do_not_say_whose_they_are_are_told(self):
        self.write(None)
        bunch, told = self.bunch()
        self.check_drifted(bunch)
        self.assertIn("does not say whether it is that of one particle or of a macro-particle", told)


if __name__ == "__main__":
    TESSERA, ARRAYS = (str(pathlib.Path(sys.argv.pop(1)).resolve()) for _ in range(2))
    unittest.main()
