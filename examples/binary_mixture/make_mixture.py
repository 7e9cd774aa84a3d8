#!/usr/bin/env python3
"""Writes mixture.data: 800 atoms A and 200 atoms B, at random sites of a simple cubic lattice."""

import pathlib
import random

EDGE, SITES = 9.4, 10  # edge of the box of Kob and Andersen in sigma of A, and lattice sites along it

types = [1] * 800 + [2] * 200
random.Random(1995).shuffle(types)
lines = ["800 A and 200 B on a lattice. make_mixture.py wrote it.", "", f"{len(types)} atoms", "2 atom types", "",
         *(f"0 {EDGE} {axis}lo {axis}hi" for axis in "xyz"), "",
         "Masses", "", "1 1.0 # A", "2 1.0 # B", "", "Atoms # atomic", ""]
for i, kind in enumerate(types):
    site = (i % SITES, i // SITES % SITES, i // SITES**2)
    lines.append(f"{i + 1} {kind} " + " ".join(f"{(k + 0.5) * EDGE / SITES:.2f}" for k in site))
(pathlib.Path(__file__).resolve().parent / "mixture.data").write_text("\n".join(lines) + "\n")
