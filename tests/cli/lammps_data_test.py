#!/usr/bin/env python3
"""Tests runs with LAMMPS data files of the kinds that other programs write: lammps_data_test.py TESSERA

Reference energies were computed independently of Tessera, by LAMMPS or from the formulas."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TESSERA = os.path.abspath(sys.argv[1])

# Four beads, bonded in a row; the file does not state the atom style.
BEADS = """ten bead chain

4 atoms
3 bonds
1 atom types
1 bond types

0 30 xlo xhi
0 30 ylo yhi
0 30 zlo zhi

Masses

1 1.0

Bond Coeffs

1 2.0 0.5

Atoms

1	1	1	22.0 15 15
2	1	1	21.1 15 15
3	1	1	20.2 15 15
4	1	1	19.3 15 15

Bonds

1 1 1 2
2 1 2 3
3 1 3 4
"""
BEAD_PAIRS = """
[pair]
cutoff = 2.5
[[pair.coefficients]]
types = ["1", "1"]
epsilon = 2.5
sigma = 1.0
[bond]
[exclusions]
factors = [0.0, 1.0, 1.0]
"""

# A molecule whose types have labels.
WATER = """water like

3 atoms
2 atom types
2 bonds
1 bond types

0 20 xlo xhi
0 20 ylo yhi
0 20 zlo zhi

Atom Type Labels

1 OW
2 HW

Bond Type Labels

1 OH

Masses

OW 15.9994
HW 1.008

Bond Coeffs # harmonic

OH 450.0 0.9572

Atoms # full

1 1 OW -0.8 0.2 10 10
2 1 HW 0.4 19.3 10 10
3 1 HW 0.4 0.5 10.9 10

Bonds

1 OH 1 2
2 OH 1 3"""  # no newline

# A file that LAMMPS writes after a run with "suffix omp".
SUFFIX = """LAMMPS data file via write_data, version 22 Jul 2025, timestep = 0, units = lj

4 atoms
1 atom types
3 bonds
1 bond types

0 12 xlo xhi
0 12 ylo yhi
0 12 zlo zhi

Masses

1 1

Pair Coeffs # lj/cut/omp

1 1 1

Bond Coeffs # harmonic/omp

1 10 1

Atoms # full

3 1 1 0 1.1 6 6 2 -1 0
1 1 1 0 11.3 6 6 2 -1 0
4 1 1 0 1.2 7.2 6 2 -1 0
2 1 1 0 0.2 6 6 2 -1 0

Bonds

1 1 3 4
2 1 1 2
3 1 2 3
"""

# A file that ASE writes without masses.
NO_MASSES = """(written by ASE)

2 atoms
1 atom types

0.0      21.600000000000001  xlo xhi
0.0      21.600000000000001  ylo yhi
0.0      21.600000000000001  zlo zhi

Atoms # atomic

     1   1      5.0      5.0      5.0
     2   1      5.0      5.0      8.8

Velocities

     1      1.0      2.0      2.0
     2      0.0      0.0      0.0
"""
ARGON_PAIRS = """
[pair]
cutoff = 8.0
[[pair.coefficients]]
types = [1, 1]
epsilon = 0.0104
sigma = 3.4
"""
METAL_KINETIC = 1.0364269e-4  # eV, twice the kinetic energy of an atom of 1 g/mol at 1 angstrom/ps


class LammpsDataTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_again(self, *arguments, out="out"):
        return subprocess.run([TESSERA, "run", "case.toml", "--backend", "serial", "--json", "--overwrite",
                               "--out", out, *arguments], cwd=self.folder, capture_output=True, text=True)

    def run_case(self, data, system="", rest="", units="lj"):
        (self.folder / "x.data").write_text(data)
        (self.folder / "case.toml").write_text(
            f'units = "{units}"\n[system]\nfile = "x.data"\n{system}\n{rest}\n[run]\nsteps = 0')
        return self.run_again()

    def energies(self, *arguments, says=(), **keywords):
        done = self.run_case(*arguments, **keywords)
        self.assertEqual(done.returncode, 0, done.stderr)
        for text in says:
            self.assertIn(text, done.stderr)
        if not says:
            self.assertEqual(done.stderr, "")
        energies = {}
        for name, value in json.loads(done.stdout)["initial"]["energy"].items():
            name = name.split(" ")[0]
            energies[name] = energies.get(name, 0) + value
        return energies

    def refused(self, *arguments, says, **keywords):
        done = self.run_case(*arguments, **keywords)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(says, done.stderr.splitlines()[-1])
        return done.stderr

    def test_bonds_rule_out_styles_without_them(self):
        message = self.refused(BEADS, rest=BEAD_PAIRS, says="its 6 columns fit bond or angle or molecular (id")
        self.assertNotIn("charge (", message)
        self.refused(BEADS, 'atom_style = "charge"', BEAD_PAIRS,
                     says="the header announces 3 bonds, which atoms of this style cannot have, "
                          "expected one of bond, angle, molecular, full")
        for style in ("bond", "angle", "molecular"):
            energy = self.energies(BEADS, f'atom_style = "{style}"', BEAD_PAIRS)
            self.assertAlmostEqual(energy["potential"], 0.389264722, delta=1e-9)
            self.assertAlmostEqual(energy["bond"], 0.96, delta=1e-12)

    def test_words_behind_atoms_name_columns(self):
        data = BEADS.replace("Atoms\n", "Atoms # id mol type q x y z\n").replace("\t1\t1\t", " 1 1 0 ")
        energy = self.energies(data, 'atom_style = "full"', BEAD_PAIRS, says=["begins with no atom style"])
        self.assertAlmostEqual(energy["potential"], 0.389264722, delta=1e-9)
        data = data.replace("# id mol type q x y z", "# bond")
        energy = self.energies(data, 'atom_style = "full"', BEAD_PAIRS,
                               says=["'bond' behind Atoms is another atom style than the full that was asked for"])
        self.assertAlmostEqual(energy["potential"], 0.389264722, delta=1e-9)

    def test_masses_come_from_the_case(self):
        self.refused(NO_MASSES, rest=ARGON_PAIRS, units="metal",
                     says='expected the mass in the case: [[system.type]] with name = "1" and its mass')
        mass = 39.95
        energy = self.energies(NO_MASSES, f'type = [{{name = "1", mass = {mass}}}]', ARGON_PAIRS, units="metal")
        sixth = (3.4 / 3.8)**6
        self.assertAlmostEqual(energy["potential"], 4 * 0.0104 * (sixth**2 - sixth), delta=1e-14)
        self.assertAlmostEqual(energy["kinetic"], 0.5 * METAL_KINETIC * mass * 9, delta=1e-9)
        with_mass = NO_MASSES.replace("Atoms", "Masses\n\n1 40\n\nAtoms")
        energy = self.energies(with_mass, f'type = [{{name = "1", mass = {mass}}}]', ARGON_PAIRS, units="metal",
                               says=["type 1 has the mass 40 there, the case has 39.95, which is used"])
        self.assertAlmostEqual(energy["kinetic"], 0.5 * METAL_KINETIC * mass * 9, delta=1e-9)
        self.refused(NO_MASSES, 'type = [{name = "1"}]', ARGON_PAIRS, units="metal",
                     says="system.type.mass: missing key, expected the mass of an atom")

    def test_types_of_bonds_have_labels(self):
        pairs = """[pair]
style = "lj/cut+coul/cut"
cutoff = 9.0
coefficients = [{types = ["OW", "OW"], epsilon = 0.1553, sigma = 3.166},
                {types = ["HW", "HW"], epsilon = 0.0, sigma = 1.0}]
[bond]
[exclusions]
factors = [0.0, 0.0, 1.0]
"""
        energy = self.energies(WATER, rest=pairs, units="real")
        self.assertAlmostEqual(energy["bond"], 1.5049683954434483, delta=1e-13)
        # The case may use these labels too, also if it continues from a restart file.
        own = pairs.replace("[bond]", "[bond]\ncoefficients = [{type = \"OH\", k = 900.0, r0 = 0.9572}]")
        energy = self.energies(WATER, rest=own, units="real")
        self.assertAlmostEqual(energy["bond"], 2 * 1.5049683954434483, delta=1e-13)
        done = self.run_again("--set", "run.steps=1", "--set", "restart.every=1")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_again("--set", 'system.restart="out/restart.tessera"', out="on")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.refused(WATER, rest=own.replace('"OH"', '"HO"'), units="real",
                     says='bond.coefficients.type = "HO": expected one of the types OH')
        self.refused(WATER, rest=own.replace('"OH"', '2'), units="real",
                     says="bond.coefficients.type = 2: expected a type from 1 to 1")
        self.refused(SUFFIX, rest=own.replace("OW", "1").replace("HW", "1"),
                     says='bond.coefficients.type = "OH": the types have no names, expected a type from 1 to 1')

    def test_names_of_accelerated_styles(self):
        rest = "[pair]\ncutoff = 2.5\n[bond]\n[exclusions]\nfactors = [0.0, 0.0, 0.5]\n"
        energy = self.energies(SUFFIX, rest=rest)
        self.assertAlmostEqual(energy["bond"], 0.61681084, delta=1e-8)

    def test_fene_bonds(self):
        bent = BEADS.replace("20.2 15 15", "20.2 15.3 15").replace("19.3 15 15", "19.3 15 15.9")
        fene = bent.replace("Bond Coeffs\n\n1 2.0 0.5", "Bond Coeffs # fene\n\n1 30 1.5 1 1")
        style = 'atom_style = "bond"'
        for rest in (BEAD_PAIRS, BEAD_PAIRS.replace("[bond]", '[bond]\nstyle = "fene"\ncoefficients = '
                                                    '[{type = 1, k = 30, r0 = 1.5, epsilon = 1, sigma = 1}]')):
            energy = self.energies(fene, style, rest)
            # LAMMPS 22 Jul 2025, bond_style fene, special_bonds fene.
            for name, expected in (("bond", 91.1435877146235), ("potential", 90.7318419235092)):
                self.assertAlmostEqual(energy[name] / expected, 1, delta=1e-13)
        self.refused(fene.replace("1 30 1.5 1 1", "1 30 1.5 1"), style, BEAD_PAIRS,
                     says="Bond Coeffs sigma: the row ends before this column")
        # A bond longer than r0 has no finite energy.
        self.refused(fene.replace("1 30 1.5", "1 30 0.85"), style, BEAD_PAIRS,
                     says="a bond beyond the length where its energy ends")

    def test_coefficients_of_another_style_beside_those_of_the_case(self):
        class2 = BEADS.replace("1 2.0 0.5", "1 1.0 2.0 0.5 0.1").replace(
            "Bond Coeffs", "Pair Coeffs\n\n1 1.0 0.5 1.0 0.5\n\nBond Coeffs")
        style = 'atom_style = "bond"'
        own = BEAD_PAIRS.replace("[bond]", "[bond]\ncoefficients = [{type = 1, k = 2.0, r0 = 0.5}]")
        left_out = "are left out: others are given"
        energy = self.energies(class2, style, own, says=["Pair Coeffs " + left_out, "Bond Coeffs " + left_out])
        self.assertAlmostEqual(energy["potential"], 0.389264722, delta=1e-9)
        self.refused(class2, style, BEAD_PAIRS, says="x.data:22: Bond Coeffs = 0.5: expected no more columns")
        morse = BEADS.replace("Bond Coeffs", "Pair Coeffs # morse\n\n1 1.0 0.5 1.0\n\nBond Coeffs")
        energy = self.energies(morse, style, BEAD_PAIRS,
                               says=["pair coefficients of the atoms' file are left out: they have 'alpha'"])
        self.assertAlmostEqual(energy["potential"], 0.389264722, delta=1e-9)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
