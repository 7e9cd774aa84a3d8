#!/usr/bin/env python3
"""Writes salt.data, 512 ions of rock salt at the density of the melt, and tosi_fumi.table, the interaction of two ions
without that of their charges."""

import math
import pathlib

HOME = pathlib.Path(__file__).resolve().parent
CELLS = 4  # unit cells along each axis; a cell has 4 Na and 4 Cl
TEMPERATURE = 1200.0
# g/cm^3, G. J. Janz et al., Molten Salts 1, NSRDS-NBS 15 (1968)
DENSITY = 2.1389 - 0.5426e-3 * TEMPERATURE
MASSES = {"Na": 22.98977, "Cl": 35.453}
CHARGES = {"Na": 1, "Cl": -1}
AVOGADRO = 0.602214076  # 1e24/mol, so that g/cm^3 are converted to g/mol per angstrom^3

# Parameters of E(r) = beta B exp((radii - r)/RHO) - C/r^6 - D/r^8, of M. P. Tosi and F. G. Fumi, J. Phys. Chem. Solids
# 25, 45 (1964): Pauling's factor beta, the sum of the radii in angstrom, C in 1e-79 J m^6 and D in 1e-99 J m^8.
PAIRS = {("Na", "Na"): (1.25, 2.340, 1.68, 0.8),
         ("Na", "Cl"): (1.00, 2.755, 11.2, 13.9),
         ("Cl", "Cl"): (0.75, 3.170, 116.0, 233.0)}
ELECTRONVOLT = 1.602176634e-19
B, RHO = 0.338e-19 / ELECTRONVOLT, 0.317
FIRST, LAST, POINTS = 1.6, 12.0, 261


def energy_and_force(beta, radii, c, d, r):
    c, d = c * 1e-19 / ELECTRONVOLT, d * 1e-19 / ELECTRONVOLT  # eV angstrom^6 and eV angstrom^8
    repulsion = beta * B * math.exp((radii - r) / RHO)
    return repulsion - c / r**6 - d / r**8, repulsion / RHO - 6 * c / r**7 - 8 * d / r**9


def write_table():
    lines = ["# Tosi-Fumi potential of NaCl without its charges; angstrom, eV, eV/angstrom. make_salt.py wrote it."]
    for pair, parameters in PAIRS.items():
        lines += ["", "-".join(pair), f"N {POINTS}", ""]
        for i in range(POINTS):
            r = FIRST + (LAST - FIRST) * i / (POINTS - 1)
            energy, force = energy_and_force(*parameters, r)
            lines.append(f"{i + 1} {r:.2f} {energy:.9g} {force:.9g}")
    (HOME / "tosi_fumi.table").write_text("\n".join(lines) + "\n")


def write_ions():
    sites = 2 * CELLS
    edge = (sites**3 / 2 * sum(MASSES.values()) / AVOGADRO / DENSITY) ** (1 / 3)
    lines = [f"NaCl, {sites**3} ions on the sites of rock salt at the density of the melt. make_salt.py wrote it.", "",
             f"{sites**3} atoms", "2 atom types", "",
             *(f"0 {edge:.5f} {axis}lo {axis}hi" for axis in "xyz"), "",
             "Masses", "", *(f"{i + 1} {mass} # {name}" for i, (name, mass) in enumerate(MASSES.items())), "",
             "Atoms # charge", ""]
    for i in range(sites**3):
        place = (i % sites, i // sites % sites, i // sites**2)
        kind = sum(place) % 2
        charge = list(CHARGES.values())[kind]
        lines.append(f"{i + 1} {kind + 1} {charge} " + " ".join(f"{(k + 0.5) * edge / sites:.3f}" for k in place))
    (HOME / "salt.data").write_text("\n".join(lines) + "\n")


write_table()
write_ions()
