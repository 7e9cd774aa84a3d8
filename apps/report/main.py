"""The command line of tessera-report."""
from __future__ import annotations

import argparse
import importlib.util
import pathlib
import sys

from . import bench, selection, tuning
from .beam import Beam
from .contents import InputError, Report, Section, value_of
from .output import write_data, write_whole
from .run_folder import is_run_folder, read_json, read_run, refuse
from .structure_section import structure_section
from .thermo import Thermo

# Module, Debian package, name on PyPI.
NEEDED = (("matplotlib", "python3-matplotlib", "matplotlib"), ("jinja2", "python3-jinja2", "Jinja2"))
BAD_INPUT = 2
DATA_SCHEMAS = (tuning.SCHEMA, bench.SCHEMA, "tessera.tuning/1")


def options_of(arguments):
    parser = argparse.ArgumentParser(
        prog="tessera-report",
        description="Writes one HTML page, which needs nothing but a browser, of a run, of searches of 'tessera tune' "
                    "or of timings of 'tessera bench'. The data of all figures go beside it as CSV, and all numbers as "
                    "JSON.",
        epilog="Needs matplotlib and Jinja2 for the page; without them it writes the data and says what to install.")
    parser.add_argument("path", nargs="+", metavar="PATH", type=pathlib.Path,
                        help="folder of a run; or landscape (tessera tune --landscape), tuning database, result of "
                             "'tessera tune --json' or 'tessera bench --json', several of them, or a folder of them")
    parser.add_argument("--out", metavar="PAGE", type=pathlib.Path,
                        help="page to write, or a folder for report.html (default: report.html in the folder; beside a "
                             "file the file's name + .html). The data go to the page's name + _data")
    parser.add_argument("--from", dest="from_step", metavar="STEP", type=float,
                        help="first step that averages and frames are taken from (default: the second half of the run)")
    parser.add_argument("--frames", metavar="N", type=int, default=10,
                        help="last frames of the trajectory that g(r) and density are taken from (default 10)")
    options = parser.parse_args(arguments)
    if options.frames < 1:
        raise InputError(f"--frames {options.frames}: expected a whole number greater than zero")
    return options


def missing_modules():
    return [entry for entry in NEEDED if importlib.util.find_spec(entry[0]) is None]


def run_report(folder, options):
    run = read_run(folder)
    report = Report(run.title(), state=run.state, state_text=run.state_text, notices=list(run.notes))
    report.subtitle = f"Run in {folder}"
    report.sections.append(Section("Run", facts=selection.facts_of_run(run)))
    if run.thermo is not None:
        thermo = Thermo(run.thermo, value_of(run.summary, "atoms", int, 0), options.from_step)
        report.notices += thermo.notes()
        report.highlights += thermo.highlights()
        report.sections.append(thermo.section())
    if run.statistics is not None:
        beam = Beam(run.statistics, run.losses)
        report.notices += beam.notes()
        report.highlights += beam.highlights()
        report.sections.append(beam.section())
    if run.trajectory is not None:
        section, notes = structure_section(run.trajectory, value_of(run.summary, ("units", "length"), default=""),
                                           options.frames, from_step_of_frames(run, options))
        report.notices += notes
        report.sections.append(section)
    for name, phrase in (("atom_steps_per_second", "million atom-steps/s"),
                       ("particle_steps_per_second", "million particle-steps/s")):
        if speed := value_of(run.summary, name, float):
            report.highlights.append(("speed", f"{1e-6 * speed:.4g}", phrase))
    report.sections += [selection.selection_section(run.summary), selection.timings_section(run.summary),
                        selection.build_section(run.summary), selection.case_section(run.record)]
    return report


def from_step_of_frames(run, options):
    if options.from_step is not None or run.thermo is None or len(run.thermo) < 3:
        return options.from_step
    return 0.5 * (run.thermo["step"][0] + run.thermo["step"][-1])


def sections_of_file(path, data, number):
    """The sections for the parsed JSON of a file from `tessera tune` or `tessera bench`."""
    schema = value_of(data, "schema")
    if schema == tuning.SCHEMA:
        return [tuning.landscape_section(tuning.read_landscape(path, data), f"landscape_{number}")]
    if schema == bench.SCHEMA:
        return bench.bench_sections(path, data)
    if value_of(data, "records", list) is not None:
        return [tuning.database_section(path, data)]
    if isinstance(data, list) and data and all(value_of(one, "gain_interval", list) is not None for one in data):
        return [tuning.results_section(path, data)]
    raise InputError(f"{path}: expected a landscape, a tuning database, or what 'tessera tune --json' or "
                     "'tessera bench --json' prints")


def files_in(folder):
    """(path, parsed JSON) of the files from `tessera tune` and `tessera bench` in a folder."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            data = read_json(path)
        except InputError:
            continue
        if value_of(data, "schema") in DATA_SCHEMAS:
            found.append((path, data))
    return found


def names_of(paths):
    """Text with the names of files. A folder that all of them share is named once."""
    folders = {path.parent for path in paths}
    names = ", ".join(path.name if len(folders) == 1 else str(path) for path in paths[:8])
    names += f" and {len(paths) - 8} more" if len(paths) > 8 else ""
    return names if len(folders) > 1 or folders == {pathlib.Path(".")} else f"{names} in {folders.pop()}"


def files_report(paths):
    files = []
    for path in paths:
        if path.is_dir():
            found = files_in(path)
            if not found:
                refuse(path)
            files += found
        else:
            files.append((path, read_json(path)))
    title = "Tuning and timings"
    kinds = {value_of(data, "schema") for _, data in files}
    if kinds == {bench.SCHEMA}:
        title = "Timings"
    elif bench.SCHEMA not in kinds:
        title = "Tuning"
    report = Report(title, subtitle=names_of([path for path, _ in files]))
    for number, (path, data) in enumerate(files, 1):
        report.sections += sections_of_file(path, data, number)
    return report


def distinct_names(report):
    """Makes the names of figures and data unique, because they become names of files."""
    used = set()
    for section in report.sections:
        for figure in section.figures:
            figure.name = free_name(figure.name, used)
        section.data = [(free_name(name, used), columns) for name, columns in section.data]


def free_name(name, used):
    name = name[:120]
    free, number = name, 1
    while free.lower() in used:
        number += 1
        free = f"{name}_{number}"
    used.add(free.lower())
    return free


def page_path(options):
    first = options.path[0]
    if options.out is not None:
        return options.out / "report.html" if options.out.is_dir() else options.out
    if len(options.path) > 1:
        return pathlib.Path("report.html")
    return first / "report.html" if first.is_dir() else first.with_suffix(".html")


def make_report(options):
    for path in options.path:
        if not path.exists():
            raise InputError(f"{path}: there is no such file or folder")
    if len(options.path) == 1 and options.path[0].is_dir() and not (
            not is_run_folder(options.path[0]) and files_in(options.path[0])):
        report = run_report(options.path[0], options)
    else:
        if runs := [path for path in options.path if path.is_dir() and is_run_folder(path)]:
            raise InputError(f"{runs[0]}: a page has one run, expected no other path beside it")
        report = files_report(options.path)
    report.sections = [section for section in report.sections if not section.empty()]
    distinct_names(report)
    return report


def write_report(options):
    report = make_report(options)
    page = page_path(options)
    data_folder = page.with_name(f"{page.stem}_data")
    write_data(report, data_folder)
    if missing := missing_modules():
        modules, debian, pypi = ([entry[k] for entry in missing] for k in range(3))
        raise InputError(f"{sys.executable} has no {' and no '.join(modules)}, which the page is made with: apt-get "
                         f"install {' '.join(debian)}, or pip install {' '.join(pypi)}; the data are in {data_folder}")
    from .page import html_of  # not at the top, because it needs the modules that may be missing

    write_whole(page, html_of(report, data_folder.name))
    print(f"written to {page}, data in {data_folder}")


def main(arguments=None):
    try:
        write_report(options_of(arguments))
    except InputError as error:
        line = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in str(error))
        sys.stderr.buffer.write(f"tessera-report: {line}\n".encode("utf-8", errors="backslashreplace"))
        return BAD_INPUT
    return 0
