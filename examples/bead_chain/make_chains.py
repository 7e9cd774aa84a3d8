#!/usr/bin/env python3
"""Writes chains.data: 100 chains of 10 beads that fill a simple cubic lattice.

Backbite moves (R. Oberdorf et al., Phys. Rev. E 74, 051801 (2006)) make a path that visits every site once random.
The path is then cut into chains: no two beads overlap, and the chains are coiled from the beginning.
"""

import pathlib
import random

SIDE, BEADS, DENSITY, MOVES = 10, 10, 0.85, 30_000


def start():
    """Returns a path through all sites: row after row, in alternating directions."""
    path = []
    for z in range(SIDE):
        rows = range(SIDE) if z % 2 == 0 else range(SIDE - 1, -1, -1)
        for y in rows:
            columns = range(SIDE) if (y + z) % 2 == 0 else range(SIDE - 1, -1, -1)
            path += [(x, y, z) for x in columns]
    return path


def backbite(path, generator):
    """Joins one end of the path to a random neighboring site, and removes the bond of the resulting loop that led to
    it. Leaves the path unchanged if the lattice ends there."""
    if generator.random() < 0.5:
        path.reverse()
    site, axis = list(path[0]), generator.randrange(3)
    site[axis] += generator.choice((-1, 1))
    if 0 <= site[axis] < SIDE:
        at = path.index(tuple(site))
        path[:at] = path[:at][::-1]


generator = random.Random(1990)
path = start()
for _ in range(MOVES):
    backbite(path, generator)
edge = (len(path) / DENSITY) ** (1 / 3)
bonds = [(i + 1, i + 2) for i in range(len(path)) if (i + 1) % BEADS]
lines = [f"{len(path) // BEADS} chains of {BEADS} beads, density {DENSITY}. make_chains.py wrote it.", "",
         f"{len(path)} atoms", f"{len(bonds)} bonds", "1 atom types", "1 bond types", "",
         *(f"0 {edge:.6f} {axis}lo {axis}hi" for axis in "xyz"), "", "Masses", "", "1 1.0", "", "Atoms # bond", ""]
for i, site in enumerate(path):
    lines.append(f"{i + 1} {i // BEADS + 1} 1 " + " ".join(f"{(k + 0.5) * edge / SIDE:.3f}" for k in site))
lines += ["", "Bonds", "", *(f"{i + 1} 1 {a} {b}" for i, (a, b) in enumerate(bonds))]
(pathlib.Path(__file__).resolve().parent / "chains.data").write_text("\n".join(lines) + "\n")
