#!/usr/bin/env python3
"""Draws the picture of the example: picture.py FOLDER FILE.png

FOLDER holds the runs `start`, `without` and `with` that examples/space_charge/run makes.
"""
import csv
import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LogNorm

INK, QUIET, WITH, WITHOUT = "#222222", "#888888", "#c4403a", "#3a6ea5"


def table(folder):
    """Returns the columns of statistics.csv by name; the names have no units."""
    with open(folder / "statistics.csv", newline="") as file:
        rows = list(csv.reader(file))
    columns = {name.split(" ")[0]: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])}
    return {name: values if name == "name" else np.array(values, float) for name, values in columns.items()}


def along(summary, bunch):
    """Returns the positions of particles ahead of the reference particle, in mm."""
    return -1e3 * summary["reference"]["beta"] * bunch[:, 4]


def density(axes, x, y, x_range, y_range, title, labels):
    image = axes.hist2d(x, y, bins=(180, 120), range=(x_range, y_range), cmap="magma_r",
                        norm=LogNorm(vmin=1, vmax=200))[3]
    axes.set(title=title, xlabel=labels[0], ylabel=labels[1], xlim=x_range, ylim=y_range)
    return image


def potential(figure, axes, summary, values, x_range, z_range):
    grid, gamma = summary["space_charge"], summary["reference"]["gamma"]
    places = [np.array(grid["lower"][a]) + grid["spacing"][a] * (np.arange(grid["nodes"][a]) + 0.5) for a in range(3)]
    # The third axis of the grid points from the head of the bunch to its tail.
    middle = values[::-1, values.shape[1] // 2, :].T  # rows by x, columns by z
    x, z = 1e3 * places[0], -1e3 * places[2][::-1] / gamma
    mesh = axes.pcolormesh(z, x, middle, cmap="viridis", shading="nearest", rasterized=True)
    axes.contour(z, x, middle, levels=8, colors="white", linewidths=0.6)
    axes.set(title="potential in the middle plane, at the end", xlabel="ahead of the reference / mm", ylabel="x / mm",
             xlim=(max(z[0], z_range[0]), min(z[-1], z_range[1])), ylim=(max(x[0], x_range[0]), min(x[-1], x_range[1])))
    figure.colorbar(mesh, cax=axes.inset_axes((1.02, 0, 0.035, 1)), label="V, in the frame of the beam")


def growth(axes, runs):
    for statistics, colour, label in runs.values():
        for plane, style in (("x", "-"), ("y", "--")):
            values = statistics[f"normalised_emittance_{plane}"]
            axes.plot(statistics["path"], 100 * (values / values[0] - 1), style, color=colour, lw=1.5,
                      label=f"{plane}, {label}")
    axes.set(title="growth of the rms emittances", xlabel="path / m", ylabel="%")
    axes.legend(frameon=False, fontsize=8)
    axes.margins(x=0)


def envelopes(axes, statistics):
    for plane, colour in (("x", WITH), ("y", WITHOUT)):
        axes.plot(statistics["path"], 1e3 * statistics[f"deviation_{plane}"], color=colour, lw=1.2,
                  label=f"rms {plane}")
    top = axes.get_ylim()[1]
    # Bars near the lower edge mark the quadrupoles: upwards from a common line if they focus in x, else downwards.
    path = np.concatenate(([0], statistics["path"]))
    for i, name in enumerate(statistics["name"]):
        if name in ("qf", "qd"):
            axes.bar(path[i], (0.05 if name == "qf" else -0.05) * top, width=path[i + 1] - path[i], align="edge",
                     bottom=0.06 * top, color=QUIET)
    axes.set(title="sizes along the channel, and its quadrupoles", xlabel="path / m", ylabel="mm", ylim=(0, 1.08 * top))
    axes.legend(frameon=False, fontsize=8, loc="upper right", ncols=2)
    axes.margins(x=0)


def main():
    folder, file = map(pathlib.Path, sys.argv[1:3])
    summary = {name: json.loads((folder / name / "summary.json").read_text()) for name in ("start", "without", "with")}
    bunch = {name: np.load(folder / name / "bunch.npy") for name in ("start", "with")}
    ahead = {name: along(summary["with"], bunch[name]) for name in bunch}
    reach = lambda values: 1.1 * max(np.quantile(np.abs(v), 0.9995) for v in values)
    x = {name: 1e3 * bunch[name][:, 0] for name in bunch}
    slope = {name: 1e3 * bunch[name][:, 1] for name in bunch}
    z_range, x_range = [(-r, r) for r in (reach(ahead.values()), reach(x.values()))]
    slope_range = (-reach(slope.values()), reach(slope.values()))

    plt.rcParams.update({"font.size": 9, "axes.titlesize": 10, "axes.edgecolor": QUIET, "text.color": INK})
    figure = plt.figure(figsize=(17, 7.6), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(0.92, 1), wspace=0.02)
    axes = left.subplots(2, 2)
    labels = ("ahead of the reference / mm", "x / mm")
    density(axes[0, 0], ahead["start"], x["start"], z_range, x_range, "bunch from above, at the start", labels)
    image = density(axes[1, 0], ahead["with"], x["with"], z_range, x_range, "at the end", labels)
    labels = ("x / mm", "px / p / mrad")
    density(axes[0, 1], x["start"], slope["start"], x_range, slope_range, "phase space, at the start", labels)
    density(axes[1, 1], x["with"], slope["with"], x_range, slope_range, "at the end", labels)
    left.colorbar(image, ax=axes, label="macro-particles in a bin", pad=0.01, aspect=45)
    grid = right.add_gridspec(2, 2, width_ratios=(1.15, 1))
    potential(right, right.add_subplot(grid[0, 0]), summary["with"], np.load(folder / "with" / "potential.npy"),
              x_range, z_range)
    statistics = {name: table(folder / name) for name in ("without", "with")}
    growth(right.add_subplot(grid[0, 1]), {"with": (statistics["with"], WITH, "with space charge"),
                                           "without": (statistics["without"], WITHOUT, "without")})
    envelopes(right.add_subplot(grid[1, :]), statistics["with"])
    device = summary["with"]["device"]["name"]
    figure.suptitle(f"{summary['with']['title']}: {summary['with']['particles']:,} macro-particles, "
                    f"{summary['with']['steps']} steps in {summary['with']['seconds']:.1f} s on {device}")
    figure.savefig(file, dpi=110)


if __name__ == "__main__":
    main()
