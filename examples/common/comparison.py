"""The command line of the analyses of the examples, and their comparison with expected values.

expected.json beside an analysis lists figures: the value of each, its tolerance, unit and source. Its `short` holds
options that tests/examples appends to the commands of README.md to shorten the runs for CI; these runs are compared
with `short_tolerance`.
"""

import argparse
import json
import pathlib
import sys


def read_expected(folder):
    return json.loads((pathlib.Path(folder) / "expected.json").read_text())


def compare(expected, measured, short=False):
    """Returns (name, measured, expected figure, tolerance, whether they agree) of each figure.

    Ends the program if `expected` and `measured` do not have the same figures.
    """
    figures = expected["figures"]
    if set(figures) != set(measured):
        raise SystemExit("expected.json and the analysis name different figures: "
                         + ", ".join(sorted(set(figures) ^ set(measured))))
    rows = []
    for name, figure in figures.items():
        tolerance = figure.get("short_tolerance", figure["tolerance"]) if short else figure["tolerance"]
        # False where the measured value is NaN.
        agrees = abs(measured[name].value - figure["value"]) <= tolerance
        rows.append((name, measured[name], figure, tolerance, agrees))
    return rows


def digits(tolerance):
    """Returns the number of decimals, at most 15, that resolves about a tenth of the tolerance."""
    decimals = 0
    while decimals < 15 and tolerance * 10**decimals < 5:
        decimals += 1
    return decimals


def show(rows):
    width = max(len(name) for name, *_ in rows)
    print(f"{'figure':<{width}}  {'measured':>12} {'+-':>9}  {'expected':>12} {'within':>9}")
    for name, measured, figure, tolerance, agrees in rows:
        d = digits(tolerance)
        error = f"{measured.error:.{d}f}" if measured.error else ""
        print(f"{name:<{width}}  {measured.value:>12.{d}f} {error:>9}  {figure['value']:>12.{d}f} {tolerance:>9.{d}f}  "
              f"{'' if agrees else 'NO  '}{figure['unit']}; {figure['source']}")


def main(script, runs, measure, picture, argv=None):
    """Runs an analysis: draws the picture with --picture, prints the comparison, exits with 1 if a figure is off.

    script   __file__ of the analysis
    runs     the folders that the commands of README.md write, the defaults of the arguments
    measure  function of one folder per run; returns {name of a figure: Measured}
    picture  function of (list of folders, file); draws the picture into the file
    """
    home = pathlib.Path(script).resolve().parent
    parser = argparse.ArgumentParser(description=f"Figures of the example {home.name}, and its picture.")
    parser.add_argument("folders", nargs="*", default=runs, metavar="FOLDER",
                        help=f"output of its runs (default: {' '.join(runs)})")
    parser.add_argument("--picture", metavar="FILE", help="draw it (needs matplotlib)")
    parser.add_argument("--short", action="store_true", help="tolerances of the short runs of tests/examples")
    arguments = parser.parse_args(argv)
    if len(arguments.folders) != len(runs):
        parser.error(f"{len(runs)} folders are needed, in this order: {' '.join(runs)}")
    folders = [pathlib.Path(folder) for folder in arguments.folders]
    for folder in folders:
        if not (folder / "summary.json").exists():
            parser.error(f"{folder}: no summary.json of a run; the commands are in {home / 'README.md'}")
    if arguments.picture:
        picture(folders, arguments.picture)
    rows = compare(read_expected(home), measure(*folders), arguments.short)
    show(rows)
    sys.exit(0 if all(agrees for *_, agrees in rows) else 1)
