#!/usr/bin/env python3
"""Writes line.csv: 60 particles at equal distances in cdt, up to nearly half a wavelength, the edge of the bucket."""

import pathlib

PARTICLES, LATEST = 60, 28.3  # number, and the largest cdt in m; half of the wavelength c/f is 28.57 m
lines = ["x [m], px [1], y [m], py [1], cdt [m], dpop [1]"]
lines += [f"0, 0, 0, 0, {LATEST * (i + 1) / PARTICLES:.6f}, 0" for i in range(PARTICLES)]
(pathlib.Path(__file__).resolve().parent / "line.csv").write_text("\n".join(lines) + "\n")
