"""Compares all output of runs of molecular dynamics with arrays of the library (md_arrays.cpp): thermo.csv read by
pandas, trajectories read by ASE, restart files read by their layout, and summary.json. Also recomputes energies,
pressures and forces. Runs in the environment of scripts/bootstrap --developer:

    .venv/bin/python tests/outputs/md_outputs.py build/cpu/bin/tessera build/cpu/bin/md_arrays
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import ase.io
import ase.units
import numpy as np
import pandas

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/outputs"), str(ROOT / "tests/cli")]

import restart_file  # noqa: E402
from comparison import same  # noqa: E402

TENSOR = ("xx", "yy", "zz", "xy", "xz", "yz")
AXES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
KINDS = {1: np.float32, 2: np.float64, 3: np.int32, 4: np.int64, 5: np.uint8, 6: np.uint8}

OUTPUTS = """
[trajectory]
every = 10
velocities = true
forces = true
energies = true
stresses = true
{columns}
[thermo]
every = 4
term_pressures = true
[restart]
every = 20
"""

# Two types of atoms in a crystal that melts, hot enough to leave the box in a few steps.
MIXTURE = """
[system]
lattice = "bcc"
density = 0.8
cells = [6, 5, 7]
jitter = 0.05
site_types = ["A", "B"]
type = [{name = "A", mass = 1.0}, {name = "B", mass = 2.5}]
[velocities]
temperature = 4.0
seed = 5
[pair]
cutoff = 2.3
coefficients = [{types = ["A", "A"], epsilon = 1.0, sigma = 1.0}, {types = ["B", "B"], epsilon = 0.7, sigma = 0.9}]
[run]
steps = 40
"""

# Charged molecules of three atoms in a tilted box.
MOLECULES = """
units = "real"
precision = "{precision}"
[system]
file = "molecules.data"
[velocities]
temperature = 400.0
seed = 3
[pair]
style = "lj/cut+coul/cut"
cutoff = 6.0
[bond]
style = "harmonic"
[exclusions]
factors = [0.0, 0.0, 1.0]
[integrator]
style = "langevin"
temperature = 400.0
friction = 0.01
seed = 9
[run]
steps = 40
time_step = 0.5
"""


def molecules_data(per_edge, random):
    """Returns a LAMMPS data file of molecules on a lattice; ids decrease, so that they differ from indices."""
    edge = 4.2 * per_edge
    cell = np.array([[edge, 0, 0], [1.5, edge, 0], [-0.7, 2.1, edge]])
    atoms, bonds = [], []
    for m in range(per_edge**3):
        share = (np.array([m % per_edge, m // per_edge % per_edge, m // per_edge**2]) + 0.02) / per_edge
        middle = share @ cell + random.uniform(-0.1, 0.1, 3)
        turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
        first = 3 * m + 1
        for k, place in enumerate([[0, 0, 0], [1, 0, 0], [-0.3, 0.95, 0]]):
            atoms.append((m + 1, 1 if k == 0 else 2, [-0.8, 0.5, 0.3][k], *(middle + place @ turn)))
        bonds += [(1, first, first + 1), (2, first, first + 2)]
    count = len(atoms)
    lines = ["molecules", "", f"{count} atoms", f"{len(bonds)} bonds", "2 atom types", "2 bond types", "",
             f"0 {edge} xlo xhi", f"0 {edge} ylo yhi", f"0 {edge} zlo zhi",
             f"{cell[1][0]} {cell[2][0]} {cell[2][1]} xy xz yz", "", "Masses", "", "1 15.9994 # O", "2 1.008 # H", "",
             "Pair Coeffs # lj/cut", "", "1 0.1553 3.166", "2 0.02 1.0", "", "Bond Coeffs # harmonic", "",
             "1 450.0 1.0", "2 300.0 1.1", "", "Atoms # full", ""]
    lines += [f"{count + 1 - i} " + " ".join(map(repr, map(float, atom))).replace(".0 ", " ", 2)
              for i, atom in enumerate(atoms, 1)]
    lines += ["", "Bonds", ""]
    lines += [f"{i} {kind} {count + 1 - a} {count + 1 - b}" for i, (kind, a, b) in enumerate(bonds, 1)]
    return "\n".join(lines) + "\n"


class Run:
    """A case, the output of `tessera run`, and the arrays of the library."""

    def __init__(self, program, arrays, folder, case):
        self.folder = folder / "out"
        (folder / "case.toml").write_text(case, encoding="utf-8")
        for command in ([program, "run", "case.toml", "--backend", "serial", "--out", "out"], [arrays, "case.toml"]):
            process = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            assert process.returncode == 0, process.stderr
        self.steps = {line["step"]: line for line in map(json.loads, process.stdout.splitlines())}

    def having(self, what):
        """Returns (step, line, line[what]) of the steps whose line has this entry, in order of steps."""
        return [(step, line, line[what]) for step, line in sorted(self.steps.items()) if what in line]


class Outputs:
    """Tests of the outputs of one run."""

    CASE = None
    UNITS = None
    VELOCITY = None  # ASE's unit of velocity in units of the case

    @classmethod
    def files(cls, folder):
        pass

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="outputs")
        folder = pathlib.Path(cls.temporary.name)
        cls.files(folder)
        cls.run_ = Run(PROGRAM, ARRAYS, folder, cls.CASE)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @staticmethod
    def cell(box):
        (x, y, z), (xy, xz, yz) = box["length"], box["tilt"]
        return np.array([[x, 0, 0], [xy, y, 0], [xz, yz, z]])

    @staticmethod
    def masses(frame):
        return np.array([frame["types"][t]["mass"] for t in frame["type"]])

    def test_rows_of_thermo(self):
        table = pandas.read_csv(self.run_.folder / "thermo.csv")
        rows = [(step, line, row) for step, line, row in self.run_.having("row")
                if step % 4 == 0 or step == max(self.run_.steps)]
        same(table["step"], [step for step, _, _ in rows], "step")
        same(table["time [" + self.UNITS["time"] + "]"], [line["time"] for _, line, _ in rows], "time")
        names = [name for name in table if name != "step" and not name.startswith("time [")]
        self.assertEqual(set(names), {name for name in rows[0][2] if not name.startswith("time [")})
        for name in names:
            expected = np.array([row[name] for _, _, row in rows])
            if name.startswith("momentum") and np.abs(expected).max() < 1e-9:
                continue  # zero up to rounding
            same(table[name], expected, name, rtol=1e-12, atol=1e-12 * np.abs(expected).max())

    def frames(self):
        read = ase.io.read(self.run_.folder / "trajectory.xyz", index=":", format="extxyz")
        frames = self.run_.having("frame")
        self.assertEqual(len(read), len(frames))
        self.assertGreater(len(frames), 3)
        return zip(read, frames)

    def test_frames_as_ase_reads_them(self):
        for atoms, (step, line, frame) in self.frames():
            self.assertEqual(atoms.info["Step"], step)
            self.assertEqual(atoms.info["Time"], line["time"])
            box = frame["box"]
            same(atoms.cell.array, self.cell(box), "cell")
            self.assertEqual(atoms.pbc.tolist(), box["periodic"])
            self.assertEqual(list(atoms.info["Origin"]), box["lower"])
            results = atoms.calc.results
            potential = next(value for name, value in line["row"].items() if name.startswith("potential_energy"))
            self.assertAlmostEqual(results["energy"], potential, delta=1e-12 * abs(potential))
            same(atoms.arrays["id"], frame["ids"], "id")
            same(atoms.positions, frame["positions"], "positions")
            same(atoms.arrays["velo"], frame["velocities"], "velocities")
            same(atoms.get_forces(), frame["forces"], "forces")
            same(results["energies"], frame["energies"], "energies")
            same(atoms.arrays["stress_volume"], frame["stresses"], "stresses")
            if step > 0:
                same(atoms.arrays["images"], frame["images"], "images")
            same(atoms.get_velocities() * self.VELOCITY, frame["velocities"], "velocities of ASE", rtol=1e-12)
            same(atoms.get_masses(), self.masses(frame), "masses")
            names = self.names(atoms)
            same(np.array(names), np.array([frame["types"][t]["name"] for t in frame["type"]]), "types")
            self.further_columns(atoms, frame)

    @staticmethod
    def names(atoms):
        """Returns the names of the types of the atoms, of which the file replaces those that are not elements."""
        pairs = dict(pair.split("=") for pair in atoms.info.get("type_names", "").split())
        return [pairs.get(symbol, symbol) for symbol in atoms.get_chemical_symbols()]

    def further_columns(self, atoms, frame):
        pass

    def test_restart_by_its_layout(self):
        step, line, state = self.run_.having("restart")[-1]
        found = {}
        for name, (kind, rows, components, data) in restart_file.fields(self.run_.folder / "restart.tessera").items():
            values = np.frombuffer(data, KINDS[kind])
            found[name] = values.reshape(rows, components) if components > 1 else values
        self.assertEqual(found["step"].item(), step)
        for field in ("lower", "length", "tilt"):
            same(np.append(found["box." + field], step), np.append(state["box"][field], step), field)
        for name in ("ids", "type", "positions", "images", "velocities"):
            same(found[name], state[name], name)
        for name in ("charges", "molecules"):
            if state[name]:
                same(found[name], state[name], name)
        self.assertEqual(found["types.name"].tobytes().decode().split(), [t["name"] for t in state["types"]])
        same(found["types.mass"], [t["mass"] for t in state["types"]], "types.mass")
        if "bonds" in state:
            bonds = np.array(state["bonds"])
            same(found["bonds.atoms"], bonds[:, :2], "bonds.atoms")
            same(found["bonds.type"], bonds[:, 2], "bonds.type")
        self.further_fields(found)

    def further_fields(self, found):
        pass

    def test_summary(self):
        summary = json.loads((self.run_.folder / "summary.json").read_text())
        rows = self.run_.having("row")
        for name, (step, line, row) in (("initial", rows[0]), ("final", rows[-1])):
            told = summary[name]
            self.assertEqual((told["step"], told["time"]), (step, line["time"]))
            numbers = {key.split(" ")[0]: value for key, value in row.items()}
            same([told["temperature"], told["energy"]["potential"], told["energy"]["kinetic"], told["pressure"]],
                 [numbers[n] for n in ("temperature", "potential_energy", "kinetic_energy", "pressure")], name,
                 rtol=1e-12)
            same([told["pressure_tensor"][c] for c in TENSOR], [numbers["pressure_" + c] for c in TENSOR],
                 name + " pressure", rtol=1e-11, atol=1e-13)
        frame = self.run_.having("frame")[-1][2]
        for field in ("lower", "length", "tilt", "periodic"):
            self.assertEqual(summary["box"][field], frame["box"][field])
        counts = np.bincount(frame["type"])
        self.assertEqual([t["atoms"] for t in summary["types"]], counts.tolist())
        self.assertEqual([t["name"] for t in summary["types"]], [t["name"] for t in frame["types"]])

    def test_sums_over_atoms(self):
        """Recomputes energies and pressures of thermo.csv from the columns of the trajectory."""
        table = pandas.read_csv(self.run_.folder / "thermo.csv").set_index("step")
        columns = {name.split(" ")[0]: name for name in table}
        kinetic, expected = [], []
        for atoms, (step, _, _) in self.frames():
            if step not in table.index:
                continue
            row = table.loc[step]
            potential = row[columns["potential_energy"]]
            energies = atoms.calc.results["energies"]
            self.assertAlmostEqual(energies.sum(), potential, delta=3e-7 * np.abs(energies).sum())
            velocities = atoms.arrays["velo"] / self.VELOCITY
            kinetic.append(0.5 * (atoms.get_masses()[:, None] * velocities**2).sum() / self.UNITS["energy"])
            expected.append(row[columns["kinetic_energy"]])
            volume = atoms.get_volume()
            pressures = [row[columns["pressure_" + c]] for c in TENSOR]
            same(-atoms.arrays["stress_volume"].sum(axis=0) / volume, pressures, "pressure",
                 atol=1e-6 * np.abs(pressures).max())
        same(kinetic, expected, "kinetic energy", rtol=self.UNITS["accuracy"])


class Mixture(Outputs, unittest.TestCase):
    CASE = MIXTURE + OUTPUTS.format(columns="")
    UNITS = {"time": "tau", "energy": 1.0, "accuracy": 1e-12}
    VELOCITY = 1.0

    def test_energies_and_forces_anew(self):
        epsilon = np.array([[1, np.sqrt(0.7)], [np.sqrt(0.7), 0.7]])
        sigma = np.array([[1, np.sqrt(0.9)], [np.sqrt(0.9), 0.9]])
        for atoms, _ in self.frames():
            kinds = np.array([name == "B" for name in self.names(atoms)], int)
            e, s = epsilon[kinds][:, kinds], sigma[kinds][:, kinds]
            vectors = atoms.positions[:, None] - atoms.positions[None]
            vectors -= atoms.cell.lengths() * np.round(vectors / atoms.cell.lengths())
            squares = (vectors**2).sum(axis=2)
            np.fill_diagonal(squares, np.inf)
            sixth = np.where(squares < 2.3**2, (s**2 / squares) ** 3, 0)
            energies = (2 * e * sixth * (sixth - 1)).sum(axis=1)
            forces = ((24 * e * sixth * (2 * sixth - 1) / squares)[:, :, None] * vectors).sum(axis=1)
            same(atoms.calc.results["energies"], energies, "energies", atol=1e-9)
            same(atoms.get_forces(), forces, "forces", atol=1e-8)


class Continued(Outputs, unittest.TestCase):
    """A run that continues from the restart file of another run."""

    CASE = '[system]\nrestart = "first/restart.tessera"\n' + MIXTURE[MIXTURE.index("[pair]"):] + Mixture.CASE[
        len(MIXTURE):]
    UNITS, VELOCITY = Mixture.UNITS, Mixture.VELOCITY

    @classmethod
    def files(cls, folder):
        (folder / "first.toml").write_text(Mixture.CASE, encoding="utf-8")
        subprocess.run([PROGRAM, "run", "first.toml", "--backend", "serial", "--out", "first"], cwd=folder, check=True,
                       capture_output=True)


class Molecules(Outputs, unittest.TestCase):
    CASE = MOLECULES.format(precision="double") + OUTPUTS.format(columns='columns = ["charges", "molecules"]')
    # kcal/mol in eV; constants of LAMMPS and ASE differ in the sixth digit.
    UNITS = {"time": "fs", "energy": ase.units.kcal / ase.units.mol, "accuracy": 2e-6}
    VELOCITY = ase.units.fs

    @classmethod
    def files(cls, folder):
        (folder / "molecules.data").write_text(molecules_data(4, np.random.default_rng(7)), encoding="utf-8")

    def further_columns(self, atoms, frame):
        same(atoms.calc.results["charges"], frame["charges"], "charges")
        same(atoms.arrays["molecules"], frame["molecules"], "molecules")

    def further_fields(self, found):
        """Coefficients of molecules.data."""
        same(found["bond_coefficients.type"], [0, 1], "bond_coefficients.type")
        same(found["bond_coefficients.values"], [450.0, 1.0, 300.0, 1.1], "bond_coefficients.values")
        names = found["pair_coefficients.names"].tobytes().decode().split()
        self.assertEqual(names, ["epsilon", "sigma"] * 2)
        same(found["pair_coefficients.types"], [[0, 0], [1, 1]], "pair_coefficients.types")
        same(found["pair_coefficients.values"], [0.1553, 3.166, 0.02, 1.0], "pair_coefficients.values")


class MoleculesInSingle(Molecules):
    CASE = MOLECULES.format(precision="single") + OUTPUTS.format(columns='columns = ["molecules", "charges"]')


if __name__ == "__main__":
    PROGRAM, ARRAYS = (str(pathlib.Path(sys.argv.pop(1)).resolve()) for _ in range(2))
    unittest.main()
