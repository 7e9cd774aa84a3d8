#!/usr/bin/env python3
"""Tests runs of beams in lattices: beam_test.py TESSERA CASE.toml"""

import csv
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import restart_file

TESSERA, CASE = map(os.path.abspath, sys.argv[1:3])
STEPS = 9  # steps per turn of the case


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def command(self, out, *more, backend="serial"):
        return [TESSERA, "run", CASE, "--backend", backend, "--quiet", "--out", str(self.folder / out), *more]

    def run_case(self, out, *changes, code=0, options=(), backend="serial"):
        sets = [word for change in changes for word in ("--set", change)]
        done = subprocess.run(self.command(out, *sets, *options, backend=backend), stderr=subprocess.PIPE, text=True,
                              check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def summary(self, out):
        return json.loads((self.folder / out / "summary.json").read_text())

    def rows(self, out, name="statistics.csv"):
        try:
            with open(self.folder / out / name, newline="") as file:
                return list(csv.DictReader(file))
        except FileNotFoundError:
            return []

    def check_same(self, one, other, name):
        """Compares files row by row, and reports the first pair that differs."""
        a, b = ((self.folder / out / name).read_text().splitlines() for out in (one, other))
        self.assertEqual(len(a), len(b), name)
        self.assertIsNone(next(((x, y) for x, y in zip(a, b) if x != y), None), name)

    def test_what_a_run_calls_can_be_verified_and_tuned(self):
        self.run_case("run")
        called = {time["operation"] for time in self.summary("run")["timings"]
                  if time["calls"] > 0 and " " not in time["operation"]}
        self.assertIn("pic/poisson_solve", called)
        for operation in called:
            done = subprocess.run([TESSERA, "verify", CASE, "--operation", operation, "--backend", "serial",
                                   "--implementation", "serial.portable", "--precision", "double", "--json"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, f"{operation}: {done.stderr}")

    def state(self, out):
        return restart_file.state(self.folder / out / "restart.tessera")

    def by_id(self, out):
        """Returns {id: coordinates as bytes} of the particles that are alive."""
        state = self.state(out)
        _, particles, components, rows = state["coordinates"]
        size = len(rows) // particles
        self.assertEqual(components, 6)
        ids = struct.unpack(f"={particles}q", state["ids"][3])
        return {ids[p]: rows[size * p : size * (p + 1)] for p in range(particles) if state["alive"][3][p]}

    def case_of_deviations(self, name, deviations, more=""):
        lines = [line for line in pathlib.Path(CASE).read_text().splitlines()
                 if not line.startswith(("emittance", "deviation", "moments"))]
        at = lines.index("[bunch]") + 1
        lines[at:at] = ['moments = "deviations"', f"deviations = {deviations}", more]
        (self.folder / name).write_text("\n".join(lines))
        return self.folder / name

    def start_case(self, case, out, *more):
        return subprocess.run([TESSERA, "run", str(case), "--backend", "serial", "--quiet", "--out",
                               str(self.folder / out), *more], stderr=subprocess.PIPE, text=True, check=False)

    def check_refused(self, change, *parts, warnings=0):
        errors = self.run_case("refused", *([change] if isinstance(change, str) else change), code=2)
        lines = errors.splitlines()
        self.assertEqual([line.startswith("tessera: warning: ") for line in lines], [True] * warnings + [False], errors)
        for part in parts:
            self.assertIn(part, errors)
        self.assertFalse((self.folder / "refused").exists())


class BeamTest(Runs):
    def test_a_row_for_each_step_and_a_summary_of_all(self):
        self.run_case("run")
        rows, summary = self.rows("run"), self.summary("run")
        self.assertEqual([int(row["step"]) for row in rows], list(range(6 * STEPS + 1)))
        self.assertEqual((summary["status"], summary["steps"], summary["particles"]), ("completed", 6 * STEPS, 3000))
        self.assertEqual(summary["lattice"], {"elements": 5, "steps": STEPS, "length": 0.5})
        self.assertAlmostEqual(float(rows[-1]["path [m]"]), 3.0, 12)
        self.assertEqual([row["name"] for row in rows[:6]], ["start", "qf", "qf", "drift", "drift", "scraper"])
        self.assertEqual([int(row["turn"]) for row in rows[:: STEPS]], [0, 1, 2, 3, 4, 5, 6])
        last = rows[-1]
        self.assertEqual(int(last["alive"]) + int(last["lost"]), 3000)
        self.assertEqual(summary["final"]["normalised_emittance_x"], float(last["normalised_emittance_x [m]"]))
        # Half of the steps have a kick: two in each of four elements.
        self.assertEqual(summary["space_charge"]["kicks"], 6 * 8)
        charge = 4e8 * 1.602176634e-19
        for row in rows:
            self.assertAlmostEqual(float(row["charge [C]"]) / charge, int(row["alive"]) / 3000, 12)
        self.assertGreater(float(last["green_hit_rate"]), 0.5)

    def test_every_loss_has_its_row(self):
        self.run_case("run", "statistics.every=0")
        losses, last = self.rows("run", "losses.csv"), self.rows("run")[-1]
        self.assertEqual(len(losses), int(last["lost"]))
        self.assertGreater(len(losses), 20)
        self.assertEqual(len({row["id"] for row in losses}), len(losses))
        for row in losses:
            self.assertEqual((row["element"], row["name"], row["cause"]), ("3", "scraper", "element"))
            x, y = float(row["x [m]"]), float(row["y [m]"])
            self.assertGreater((x / 0.004) ** 2 + (y / 0.01) ** 2, 1)
            self.assertEqual(int(row["step"]), STEPS * (int(row["turn"]) - 1) + 5)
        # Exactly the particles that are lost according to the restart file.
        state = self.state("run")
        ids = struct.unpack("=3000q", state["ids"][3])
        lost = {i for i, alive in zip(ids, state["alive"][3]) if not alive}
        self.assertEqual(lost, {int(row["id"]) for row in losses})

    def test_losses_do_not_depend_on_the_order_of_particles(self):
        for out, every in (("never", 0), ("often", 1)):
            self.run_case(out, f"space_charge.reorder_every={every}", "run.determinism=any_order")
        for name in ("statistics.csv", "losses.csv"):
            self.check_same("never", "often", name)

    def test_in_any_order_every_backend_of_the_host_has_the_same_bits(self):
        info = subprocess.run([TESSERA, "info", "--json"], stdout=subprocess.PIPE, text=True, check=True)
        backends = [b["name"] for b in json.loads(info.stdout)["backends"]
                    if b["available"] and b["device"]["memory"] == "host"]
        for backend in backends:
            self.run_case(backend, "run.determinism=any_order", backend=backend)
        for backend in backends[1:]:
            for name in ("statistics.csv", "losses.csv"):
                self.check_same(backends[0], backend, name)
            one, other = self.by_id(backends[0]), self.by_id(backend)
            self.assertEqual(one, other, backend)
        if "openmp" in backends:
            errors = self.run_case("fused", "run.determinism=any_order", code=2,
                                   options=["--select", "poisson_solve=openmp.fused"])
            self.assertIn("openmp.fused: the required determinism is any_order, it provides at most run_to_run", errors)

    def check_goes_on(self, *changes):
        """Checks that a run that ends early and continues from a restart file in its folder equals an uninterrupted
        run."""
        self.run_case("whole", *changes)
        self.run_case("cut", *changes, "run.turns=3", "restart.every=20")  # the last at step 27
        restart = self.folder / "cut" / "restart.tessera"
        self.assertEqual(restart_file.step(restart), 3 * STEPS)
        self.run_case("cut", *changes, "run.turns=3", f"bunch.restart='{restart}'")
        cut, whole = self.state("cut"), self.state("whole")
        self.assertEqual({name for name in cut | whole if cut.get(name) != whole.get(name)}, set())
        for name in ("statistics.csv", "losses.csv"):
            self.check_same("cut", "whole", name)

    def test_a_restart_goes_on_with_the_same_bits(self):
        self.check_goes_on()

    def test_in_any_order_too(self):
        self.check_goes_on("run.determinism=any_order", "space_charge.reorder_every=5")

    def test_in_single_precision_too(self):
        self.check_goes_on("precision=single")

    def test_a_signal_ends_the_run_in_order_and_what_is_left_of_the_turn_comes_first(self):
        process = subprocess.Popen(self.command("stopped", "--set", "run.turns=1000000"), stderr=subprocess.PIPE,
                                   text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        end = time.monotonic() + 60
        while len(self.rows("stopped")) < 2 * STEPS:
            self.assertIsNone(process.poll(), "the run ended by itself")
            self.assertLess(time.monotonic(), end, "no rows after a minute")
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGINT)
        restart, steps = self.folder / "stopped" / "restart.tessera", self.summary("stopped")["steps"]
        self.assertEqual(errors, f"tessera: stopped by SIGINT after step {steps}; --set bunch.restart={restart} "
                                 "continues from there\n")
        self.run_case("on", "run.turns=1", f"bunch.restart='{restart}'")
        self.assertEqual(self.summary("on")["steps"], STEPS - steps % STEPS)
        self.assertEqual(self.summary("on")["final"]["step"] % STEPS, 0)

    def test_without_space_charge_emittances_stay(self):
        self.run_case("run", "space_charge.enabled=false", "lattice.element.2.half_x=1", "lattice.element.2.half_y=1")
        summary = self.summary("run")
        self.assertNotIn("space_charge", summary)
        for plane in "xy":
            key = f"emittance_{plane}"
            self.assertAlmostEqual(summary["final"][key] / summary["initial"][key], 1, 4)

    def test_particles_that_cannot_be_kicked_are_named_or_lost(self):
        # The transverse momentum of half of the particles exceeds the momentum of the reference particle.
        case = self.case_of_deviations("sideways.toml", [1e-3, 5e-3, 1e-3, 1e-3, 0.1, 1e-3],
                                       "mean = [0, 1, 0, 0, 0, 0]")
        case.write_text(case.read_text().replace("16.0", "0.0").replace("0.004", "1e9").replace("0.01", "1e9"))
        done = self.start_case(case, "named")
        self.assertEqual(done.returncode, 1)
        for part in ("element 1 'qf'", "no momentum forward", "; ids "):
            self.assertIn(part, done.stderr)
        self.assertEqual(self.rows("named", "losses.csv"), [])
        done = self.start_case(case, "lost", "--set", "space_charge.lose_impossible=true", "--set", "run.turns=1")
        self.assertEqual(done.returncode, 0, done.stderr)
        losses = self.rows("lost", "losses.csv")
        self.assertEqual(len(losses), self.summary("lost")["final"]["lost"])
        first = [row for row in losses if row["step"] == "1"]
        self.assertEqual({(row["name"], row["cause"]) for row in first}, {("qf", "kick")})
        self.assertGreater(len(first), 1000)
        for row in first:
            self.assertLess((1 + float(row["dpop"])) ** 2 - float(row["xp"]) ** 2 - float(row["yp"]) ** 2, 1e-3)


class ErrorTest(Runs):
    def test_bad_input_names_the_key(self):
        for change, *parts in (
                ("beam.kinetic_energy=0", "beam.kinetic_energy = 0", "greater than zero"),
                ("beam.mass=938", "beam.mass = 938", "either a species or mass and charge"),
                ("beam.gamma=2", "beam.", "not several"),
                ("beam.current=1", "beam.", "expected one of particles, bunch_charge and current"),
                ("bunch.kind=gausian", "bunch.kind", "did you mean 'gaussian'?"),
                ("bunch.particles=0", "bunch.particles = 0", "from 1 up"),
                ("bunch.particles=1_000_000_000_000", "bunch.particles", "expected at most"),
                ("bunch.beta_x=1", "bunch.beta_x", 'expected only with moments = "twiss"'),
                ("lattice.kick_length=0.1", "lattice.kick_length", "either kicks or kick_length"),
                ("lattice.kicks=-1", "lattice.kicks = -1", "from 0 up"),
                ("lattice.element.0.type=quadrupol", "lattice.element", "did you mean 'quadrupole'?"),
                ("lattice.element.0.lenght=1", "lattice.element", "lenght", "did you mean 'length'?"),
                ("lattice.element.2.half_x=0", "lattice.element.half_x = 0", "greater than zero"),
                ("lattice.sequence=['qf','drif']", "lattice.sequence", "did you mean 'drift'?"),
                ("lattice.element.0.k1=1000.0", "bunch.moments = matched", "trace"),
                ("space_charge.nodes=[16,16,3]", "space_charge.nodes = 3", "from 4 up"),
                ("space_charge.shape_order=4", "space_charge.shape_order = 4", "from 1 to 3"),
                ("space_charge.walls=true", "space_charge.walls", 'domain = "fixed"'),
                ("space_charge.margin=2", "space_charge.margin", 'expected only with domain = "all"'),
                ("precision=mixed", 'precision = "mixed"', "expected one of double, single"),
                ("run.turns=-1", "run.turns = -1", "from 0 up"),
                ("spacecharge.nodes=[8,8,8]", "spacecharge", "did you mean 'space_charge'?"),
        ):
            with self.subTest(change):
                self.check_refused(change, *parts)

    def test_an_operation_of_the_kicks_that_cannot_be_had_is_told_before_the_run(self):
        wrong = ("--select", "pic/charge_deposit=openmp.planes")
        errors = self.run_case("refused", "run.determinism=any_order", code=2, backend="openmp", options=wrong)
        self.assertIn("openmp.planes: the required determinism is any_order", errors)
        self.assertFalse((self.folder / "refused").exists())
        # Without kicks no plan of a kick is created.
        self.run_case("none", "run.determinism=any_order", "lattice.kicks=0", backend="openmp", options=wrong)

    def test_the_function_of_a_point_needs_short_cells(self):
        point = "space_charge.green='point'"
        self.check_refused((point, "space_charge.domain='fixed'", "space_charge.size=[0.01, 0.01, 0.1]"),
                           "space_charge.green = point", 'or the function "integrated"')
        # The bunch of the case is far longer than wide.
        errors = self.run_case("long", point, code=1)
        self.assertIn("in turn 1, element 1 'qf': space-charge kick: green: sides of its cells are as 1 to", errors)
        self.run_case("short", point, "space_charge.domain='fixed'", "space_charge.size=[0.02, 0.02, 0.02]",
                      "run.turns=0")

    def test_energies(self):
        text = pathlib.Path(CASE).read_text()
        case = self.folder / "energy.toml"
        for key, part in (("beta = 1.0", "below that of light"), ("gamma = 1.0", "greater than 1"),
                          ("total_energy = 900.0", "more than the rest energy"), ("", "missing key"),
                          ("momentum = 1e-300", "expected a positive number with a positive finite square")):
            with self.subTest(key):
                case.write_text(text.replace("kinetic_energy = 2.5", key))
                done = subprocess.run([TESSERA, "run", str(case), "--quiet"], stderr=subprocess.PIPE, text=True,
                                      check=False)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("energy.toml:", done.stderr)
                self.assertIn(part, done.stderr)

    def test_a_restart_of_another_lattice_or_of_atoms_is_refused(self):
        self.run_case("first", "run.turns=1", "restart.every=9")
        restart = self.folder / "first" / "restart.tessera"
        # The difference explains the error.
        self.check_refused((f"bunch.restart='{restart}'", "lattice.kicks=3"), "line.steps",
                           "lattice.kicks was 2, is 3 now", warnings=1)
        damaged = self.folder / "damaged.tessera"
        damaged.write_bytes(restart.read_bytes()[:-9])
        self.check_refused(f"bunch.restart='{damaged}'", "damaged.tessera")

    def test_particles_apart_by_less_than_vanishes_have_no_grid(self):
        done = self.start_case(self.case_of_deviations("point.toml", [1e-12, 0, 0, 0, 0, 0]), "point")
        self.assertEqual(done.returncode, 1)
        self.assertIn("element 1 'qf'", done.stderr)
        self.assertIn("the bunch has no extent", done.stderr)
        self.assertEqual(self.summary("point")["status"], "stopped")


class FewParticlesTest(Runs):
    """Runs that lose all particles, or all but one: they make no kicks, and continue to their end."""

    HEADER = "x [m], px [1], y [m], py [1], cdt [m], dpop [1]"
    APERTURE = """
[[lattice.element]]
type = "aperture"
name = "ap"
half_x = 1e-7
half_y = 1.0
center_x = {x}
"""

    def run_few(self, out, rows, aperture="", turns=3, header=HEADER, space="nodes = [16, 16, 16]"):
        lines = [header, *(", ".join(map(repr, row)) for row in rows)]
        (self.folder / f"{out}.csv").write_text("\n".join(lines) + "\n")
        case = self.folder / f"{out}.toml"
        case.write_text(f"""
[beam]
species = "proton"
kinetic_energy = 10.0
particles = 1e9
[bunch]
file = "{out}.csv"
[lattice]
{aperture}
[[lattice.element]]
type = "drift"
name = "d"
length = 1.0
kicks = 1
[space_charge]
{space}
[run]
turns = {turns}
[snapshot]
[openpmd]
every = 1
[restart]
every = 2
[statistics]
every = 0
""")
        done = self.start_case(case, out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.summary(out)["status"], "completed")
        return done.stderr

    @staticmethod
    def bunch():
        return [[1e-3 * (p % 7 - 3.25), 1e-4 * (p % 5 - 2), 1e-3 * (p % 11 - 5), 0, 1e-3 * (p % 13 - 6), 0]
                for p in range(60)]

    def alive(self, out):
        """Returns the shape of the snapshot at the end, as bytes of its header."""
        return (self.folder / out / "bunch.npy").read_bytes()[:128].split(b"'shape': (")[1].split(b")")[0]

    def test_all_are_lost(self):
        errors = self.run_few("run", self.bunch(), self.APERTURE.format(x=0.5))
        self.assertEqual(errors.count("\n"), 1, errors)
        self.assertIn("every particle was lost at ap (element 1) in turn 1, step 1", errors)
        losses, rows, summary = self.rows("run", "losses.csv"), self.rows("run"), self.summary("run")
        self.assertEqual([(row["name"], int(row["id"])) for row in losses], [("ap", p) for p in range(60)])
        self.assertEqual([float(row["x [m]"]) for row in losses], [row[0] for row in self.bunch()])
        self.assertEqual([int(row["turn"]) for row in rows], [0, 1, 2, 3])
        self.assertEqual([int(row["alive"]) for row in rows], [60, 0, 0, 0])
        for name in ("charge [C]", "charge_on_grid [C]"):
            self.assertEqual(float(rows[-1][name]), 0)
        for name in ("mean_x [m]", "deviation_x [m]", "emittance_y [m]", "beta_x [m]", "emittance_6d [m^3]"):
            self.assertEqual(rows[-1][name], "nan")
        self.assertEqual((summary["final"]["alive"], summary["final"]["lost"], summary["steps"]), (0, 60, 6))
        self.assertEqual(self.alive("run"), b"0, 7, ")
        self.assertEqual(len(list((self.folder / "run").glob("*.h5"))), 7)
        # From the restart file on there is still no particle.
        restart = self.folder / "run" / "restart.tessera"
        self.assertEqual(restart_file.step(restart), 6)
        case = self.folder / "more.toml"
        case.write_text((self.folder / "run.toml").read_text().replace('file = "run.csv"', f"restart = '{restart}'"))
        done = self.start_case(case, "more")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("every particle was lost before step 7", done.stderr)
        self.assertEqual([int(row["step"]) for row in self.rows("more")], [6, 8, 10, 12])
        self.assertEqual((self.rows("more", "losses.csv"), restart_file.step(self.folder / "more" / "restart.tessera")),
                         ([], 12))

    def test_one_is_left(self):
        bunch = self.bunch()
        bunch[17][0] = 0.7e-3
        self.run_few("run", bunch, self.APERTURE.format(x=0.7e-3))
        # Neither a drift nor its own charge changes its momentum.
        last = self.rows("run")[-1]
        self.assertEqual((int(last["alive"]), float(last["mean_xp"])), (1, bunch[17][1]))
        self.assertEqual((float(last["deviation_x [m]"]), self.alive("run")), (0, b"1, 7, "))

    def test_one_particle_in_every_domain(self):
        for number, space in enumerate(("", 'domain = "all"', 'domain = "fixed"\nsize = [0.1, 0.1, 0.1]',
                                        "period = 1.0", 'domain = "all"\nperiod = 1.0')):
            for weights in ([], [2.0]):
                header = self.HEADER + (", weight" if weights else "")
                out = f"run{number}{weights}"
                self.run_few(out, [[0.001, 0.0001, 0, 0, 0, 0] + weights], header=header,
                             space="nodes = [16, 16, 16]\n" + space, turns=1)
                last = self.rows(out)[-1]
                self.assertEqual((int(last["alive"]), last["deviation_x [m]"]), (1, "0"))
                # A drift without a kick.
                self.assertAlmostEqual(float(last["greatest_x [m]"]), 0.0011000000005, 15)
                self.assertNotIn("space_charge", self.summary(out))

    def test_particles_at_one_place(self):
        self.run_few("run", [[0.001, 1e-4, 0, 2e-4, 0.01, 1e-3]] * 4, turns=2)
        self.assertEqual(self.summary("run")["final"]["alive"], 4)
        self.assertNotIn("space_charge", self.summary("run"))
        self.assertEqual({self.rows("run")[-1][f"deviation_{c}"] for c in ("x [m]", "xp", "cdt [m]", "dpop")}, {"0"})

    def test_one_charge_and_a_probe(self):
        rows = [[0.001, 0, 0.0005, 0, 0.002, 0, 1], [0.0022, 0, 0.0005, 0, 0.002, 0, 0]]
        for number, space in enumerate(('domain = "fixed"\nsize = [0.02, 0.016, 0.03]', "", 'domain = "all"')):
            out = f"run{number}"
            self.run_few(out, rows, header=self.HEADER + ", weight", space="nodes = [16, 20, 24]\n" + space, turns=1)
            last = self.rows(out)[-1]
            self.assertEqual(float(last["deviation_x [m]"]), 0)
            self.assertGreater(float(last["greatest_x [m]"]), 0.0022)


class OpenPmdTest(Runs):
    """openPMD files of runs, and runs from such files. tests/tools/openpmd_test.py tests their contents."""

    NO_CHARGE = "space_charge.enabled=false"

    def files(self, out):
        return sorted(path.name for path in (self.folder / out).glob("*.h5"))

    def test_a_file_for_every_so_many_steps(self):
        self.run_case("run", f"openpmd.every={2 * STEPS}")
        self.assertEqual(self.files("run"), [f"bunch_{step:06}.h5" for step in range(0, 6 * STEPS + 1, 2 * STEPS)])
        self.run_case("last", "openpmd.file='last.h5'", "openpmd.fields=false")
        self.assertEqual(self.files("last"), ["last.h5"])
        self.assertEqual(list((self.folder / "run").glob("*.part")), [])
        # Another run in the folder removes them.
        self.run_case("run", "openpmd.every=54", options=["--overwrite"])
        self.assertEqual(self.files("run"), ["bunch_000000.h5", "bunch_000054.h5"])

    def test_a_run_from_a_file_goes_on_with_the_same_bits(self):
        end = f"restart.every={6 * STEPS}"
        self.run_case("whole", self.NO_CHARGE, f"openpmd.every={3 * STEPS}", end)
        series = self.folder / "whole" / "bunch_%06T.h5"
        self.run_case("half", self.NO_CHARGE, f"bunch.file='{series}'", f"bunch.iteration={3 * STEPS}",
                      "run.turns=3", f"restart.every={3 * STEPS}")
        whole, half = self.by_id("whole"), self.by_id("half")
        self.assertEqual(whole, half)
        self.assertGreater(len(half), 1000)
        # In single precision too.
        self.run_case("single", self.NO_CHARGE, "precision='single'", f"openpmd.every={6 * STEPS}", end)
        first = self.folder / "single" / "bunch_000000.h5"
        self.run_case("again", self.NO_CHARGE, "precision='single'", f"bunch.file='{first}'", end)
        self.assertEqual(self.by_id("single"), self.by_id("again"))

    def test_charge_of_a_file_where_the_case_gives_none(self):
        self.run_case("first", "openpmd.file='bunch.h5'", "run.turns=0")
        case = self.folder / "other.toml"
        case.write_text(pathlib.Path(CASE).read_text().replace("particles = 4e8", ""))
        done = self.start_case(case, "second", "--set", f"bunch.file='{self.folder / 'first' / 'bunch.h5'}'")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.run_case("same")
        self.assertAlmostEqual(float(self.rows("second")[0]["charge [C]"]) / float(self.rows("same")[0]["charge [C]"]),
                               1, 14)

    def test_a_table(self):
        (self.folder / "bunch.csv").write_text("x [mm], px [1], y [mm], py [1], cdt [m], dpop [1], weight, id\n"
                                               "1, 0, 0, 0, 0, 0, 1, 5\n0, 0, 1, 0, 0.1, 0, 3, 6\n")
        self.run_case("run", self.NO_CHARGE, f"bunch.file='{self.folder / 'bunch.csv'}'", "run.turns=1")
        self.assertEqual(self.summary("run")["particles"], 2)

    def test_refusals(self):
        self.run_case("first", "openpmd.every=27")
        series = self.folder / "first" / "bunch_%06T.h5"
        one = self.folder / "first" / "bunch_000027.h5"
        self.check_refused([f"bunch.file='{series}'"], "bunch.iteration", "expected the one of the series")
        self.check_refused([f"bunch.file='{series}'", "bunch.iteration=28"], "bunch_000028.h5",
                           "no such file, did you mean")
        self.check_refused([f"bunch.file='{one}'", "bunch.iteration=28"], "/data = 28", "iterations 27")
        self.check_refused([f"bunch.file='{one}'", "bunch.species='baem'"], "did you mean beam?")
        self.check_refused([f"bunch.file='{one}'", "beam.kinetic_energy=3.0"], "bunch_000027.h5: beta_gamma",
                           "expected that of [beam]")
        self.check_refused([f"bunch.file='{one}'", "beam.species='positron'"], "expected that of [beam]")
        self.check_refused([f"bunch.file='{self.folder / 'none.csv'}'"], "none.csv")
        for name, words in [("bunch.bp", "ADIOS2"), ("bunch_%06T.bp5", "ADIOS2"), ("bunch.json", "JSON")]:
            self.check_refused([f"bunch.file='{self.folder / name}'"], name, f"an openPMD series in {words}",
                               "openpmd-pipe --infile ")
        (self.folder / "bunch.hdf5").write_bytes(one.read_bytes())
        self.check_refused([f"bunch.file='{self.folder / 'bunch.hdf5'}'"], "this is HDF5, expected a name that ends in")
        self.check_refused([f"bunch.file='{self.folder / 'bunch.csv'}'", "bunch.place=1.0"], "bunch.place",
                           "only with a file that ends in .h5")
        self.check_refused([f"bunch.file='{one}'", "bunch.snapshot='drifted'"], "bunch.snapshot", "drift, as it is")
        self.check_refused(["bunch.iteration=1"], "bunch.iteration")
        self.check_refused(["openpmd.file='bunch.bp'"], "openpmd.file", "ends in .h5")
        self.check_refused(["openpmd.file='../bunch.h5'"], "openpmd.file", "in the folder")
        self.check_refused(["openpmd.every=1", "run.turns=1000"], "openpmd.every", "at most 1000 files")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
