"""Reading of the folder of a run: run.json, summary.json and the tables, as far as they exist."""
from __future__ import annotations

import fcntl
import json
import pathlib
from dataclasses import dataclass, field

from .contents import InputError, value_of
from .csv_table import read_table

LARGEST_JSON = 1 << 28


@dataclass
class Run:
    folder: pathlib.Path
    summary: dict = field(default_factory=dict)  # contents of summary.json; empty: there is none
    record: dict = field(default_factory=dict)
    state: str = "ended"  # "completed", "stopped", "running", "ended"
    state_text: str = ""
    notes: list = field(default_factory=list)
    thermo: object = None
    statistics: object = None
    losses: object = None
    trajectory: pathlib.Path | None = None

    def title(self):
        return value_of(self.summary, "title") or self.folder.resolve().name


def read_json(path):
    try:
        if path.stat().st_size > LARGEST_JSON:
            raise InputError(f"{path}: {path.stat().st_size:,} bytes, expected at most {LARGEST_JSON:,}")
        return json.loads(path.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: {error.msg}, expected JSON") from error
    except RecursionError as error:
        raise InputError(f"{path}: values inside one another too deep, expected JSON of a run") from error


def is_run_folder(folder):
    return (folder / "run.json").is_file() or (folder / "summary.json").is_file()


def refuse(folder):
    """Raises an InputError with the reason why a folder is not that of a run."""
    expected = "expected the folder of a run, with run.json or summary.json"
    try:
        runs = sorted(sub.name for sub in folder.iterdir() if sub.is_dir() and is_run_folder(sub))
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from error
    if runs:
        expected += f"; those of {', '.join(runs[:5])}{', ...' if len(runs) > 5 else ''} in it are"
    raise InputError(f"{folder}: {expected}")


def is_locked(path):
    """Whether a running process has locked the file. `tessera run` keeps run.json locked until it ends."""
    try:
        with open(path, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def optional_json(run, name, schema):
    path = run.folder / name
    if not path.is_file():
        return {}
    try:
        data = read_json(path)
    except InputError as error:
        run.notes.append(f"{str(error).removeprefix(str(run.folder) + '/')}; it is left out.")
        return {}
    if value_of(data, "schema") != schema:
        run.notes.append(f"{name}: schema = {value_of(data, 'schema', default='none')!r}, expected {schema!r}; "
                         "it is left out.")
        return {}
    return data


def find_state(run):
    status = value_of(run.summary, "status")
    if status == "completed":
        run.state = "completed"
    elif status is not None:
        run.state = "stopped"
        run.state_text = value_of(run.summary, "error", default="")
    elif is_locked(run.folder / "run.json"):
        run.state = "running"
        run.state_text = "The run is not at its end yet: the page has what is written by now."
    else:
        run.state = "ended"
        run.state_text = ("The run was ended before it could write summary.json: the page has what was written by "
                          "then, without timings and what was selected.")


def files_of(run):
    """Paths of the existing output files of the run. Leaves out files outside of its folder."""
    names = value_of(run.record, "files", list)
    if names is None:
        paths = sorted(p for p in run.folder.iterdir() if p.suffix in (".csv", ".xyz"))
    else:
        paths = [run.folder / name for name in names if isinstance(name, str) and name and "\0" not in name]
    home = run.folder.resolve()
    return [p for p in paths if p.is_file() and home in p.resolve().parents]


def first_lines(path):
    try:
        with open(path, "rb") as file:
            return file.read(1 << 16).decode("utf-8", errors="replace").split("\n")
    except OSError:
        return [""]


def find_tables(run):
    """Finds the tables and the trajectory of the run by their first lines, because a case may change their names."""
    for path in files_of(run):
        lines = first_lines(path)
        if lines[0].startswith("step,time") and "temperature" in lines[0]:
            run.thermo = read_table(path)
        elif lines[0].startswith("step,turn,element,name,path") and ",alive" in lines[0]:
            run.statistics = read_table(path, ("name",))
        elif lines[0].startswith("step,turn,element,name,path") and ",cause," in lines[0]:
            run.losses = read_table(path, ("name", "cause"))
        elif len(lines) > 1 and lines[0].strip().isdigit() and "Properties=" in lines[1]:
            run.trajectory = path
        elif path.suffix in (".csv", ".xyz") and lines == [""]:
            run.notes.append(f"{path.relative_to(run.folder)} is empty.")
    for table in (run.thermo, run.statistics, run.losses):
        if table is not None:
            run.notes += table.notes


def read_run(folder):
    if not is_run_folder(folder):
        refuse(folder)
    run = Run(folder)
    run.record = optional_json(run, "run.json", "tessera.run/1")
    run.summary = optional_json(run, "summary.json", "tessera.summary/1")
    find_state(run)
    find_tables(run)
    if not (run.summary or run.record or run.thermo or run.statistics):
        raise InputError(f"{folder}: {run.notes[0] if run.notes else 'nothing of a run can be read'}")
    return run
