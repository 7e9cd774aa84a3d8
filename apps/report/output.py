"""Writing of the data of a report. Files are complete as soon as they exist."""
from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import os
import tempfile

from .contents import InputError

SCHEMA = "tessera.report/1"
INDEX = "report.json"


def write_whole(path, text):
    """Writes a file and moves it to its path in one step, so that no reader sees a part of it."""
    part = None
    try:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", errors="backslashreplace", newline="", dir=path.parent,
                                         prefix=f"{path.name}.", suffix=".part", delete=False) as file:
            part = file.name
            file.write(text)
        os.chmod(part, 0o666 & ~current_umask())
        os.replace(part, path)
    except OSError as error:
        if part is not None:
            with contextlib.suppress(OSError):
                os.unlink(part)
        raise InputError(f"{path}: cannot be written: {error.strerror}; --out names another place") from error


def current_umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def cell(value):
    """Text of a value in a data file. Numbers keep all their digits; whole numbers have no decimal point."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)


def csv_text(columns):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([name for name, _ in columns])
    for row in zip(*(values for _, values in columns)):
        writer.writerow(map(cell, row))
    return text.getvalue()


def plain(value):
    """The value with None in place of numbers that are not finite, which JSON lacks."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def remove_former(folder):
    """Removes the data files of an earlier report in the folder."""
    try:
        files = json.loads((folder / INDEX).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return
    for name in files if isinstance(files, list) else ():
        if isinstance(name, str) and name.endswith(".csv") and "/" not in name and "\0" not in name:
            with contextlib.suppress(OSError):
                os.unlink(folder / name)


def write_data(report, folder):
    """Writes a CSV file for each figure and each entry of Section.data, and report.json with all numbers."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}; --out names another place") from error
    remove_former(folder)
    files, figures = [], []
    for section in report.sections:
        for figure in section.figures:
            files.append(f"{figure.name}.csv")
            write_whole(folder / files[-1], csv_text(figure.columns))
            figures.append({"name": figure.name, "title": figure.title, "caption": figure.caption, "file": files[-1],
                            "x": figure.x.label, "y": figure.y.label,
                            "lines": [vars(level) for level in figure.levels]})
        for name, columns in section.data:
            files.append(f"{name}.csv")
            write_whole(folder / files[-1], csv_text(columns))
    index = {"schema": SCHEMA, "title": report.title, "state": report.state, "state_text": report.state_text,
             "notices": report.notices, "files": files, "figures": figures,
             "sections": [{"title": s.title, "facts": dict(s.facts), "numbers": s.numbers,
                           "tables": [{"title": t.title, "titles": t.titles, "rows": t.rows} for t in s.tables]}
                          for s in report.sections]}
    write_whole(folder / INDEX, json.dumps(plain(index), indent=1, ensure_ascii=False) + "\n")
