"""Reading of the tables of comma-separated values that runs write, also while a run still writes them."""
from __future__ import annotations

import math
from array import array

from .contents import InputError, usable
from .text import split_header

MOST_ROWS = 200_000  # of a longer table only every second, fourth, ... row is kept
MOST_NOTES = 3
LONGEST_LINE = 1 << 20


class Table:
    def __init__(self, path, headers, text_columns):
        self.path = path
        self.headers = headers
        self.names = [split_header(header)[0] for header in headers]
        self.units = {name: split_header(header)[1] for name, header in zip(self.names, headers)}
        self.columns = {name: [] if name in text_columns else array("d") for name in self.names}
        self.rows_in_file = 0
        self.stride = 1
        self.notes = []

    def __contains__(self, name):
        return name in self.columns

    def __getitem__(self, name):
        return self.columns[name]

    def __len__(self):
        return len(self.columns[self.names[0]])

    def header(self, name):
        return self.headers[self.names.index(name)]

    def unusable(self, name):
        return sum(not usable(value) for value in self.columns[name])

    def halve(self):
        for name, values in self.columns.items():
            self.columns[name] = values[::2]
        self.stride *= 2

    def append(self, fields):
        for name, value in zip(self.names, fields):
            self.columns[name].append(value)


def parsed(fields, table, text_places):
    """(values, None) for a valid row, (None, reason) for another one."""
    count = len(table.headers)
    if len(fields) != count:
        return None, f"{len(fields)} values, expected {count}"
    values = []
    for place, text in enumerate(fields):
        if place in text_places:
            values.append(text)
            continue
        try:
            values.append(float(text))
        except ValueError:
            return None, f"{table.names[place]} = {text[:40]!r}, expected a number"
        if table.names[place] == "step" and not math.isfinite(values[-1]):
            return None, f"step = {text[:40]!r}, expected a finite number"
    return values, None


def read_table(path, text_columns=()):
    """The table of a file. Leaves out a last row without a line ending and rows that cannot be read, each with an entry
    in the notes of the table."""
    try:
        file = open(path, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    with file:
        header = file.readline(LONGEST_LINE)
        if not header.endswith("\n"):
            table = Table(path, ["step"], ())
            table.notes.append(f"{path.name} has no complete first line and is left out.")
            return table
        table = Table(path, header.rstrip("\r\n").split(","), text_columns)
        text_places = [place for place, name in enumerate(table.names) if name in text_columns]
        bad = 0
        last = None
        for line_number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), ""), 2):
            if not line.endswith("\n"):
                table.notes.append(f"{path.name}, line {line_number}: the row is not complete and is left out.")
                break
            values, reason = parsed(line.rstrip("\r\n").split(","), table, text_places)
            if reason:
                bad += 1
                if bad <= MOST_NOTES:
                    table.notes.append(f"{path.name}, line {line_number}: {reason}; the row is left out.")
                continue
            last = None
            if table.rows_in_file % table.stride == 0:
                table.append(values)
                if len(table) > MOST_ROWS:
                    table.halve()
            else:
                last = values
            table.rows_in_file += 1
        if last is not None:
            table.append(last)
        if bad > MOST_NOTES:
            table.notes.append(f"{path.name}: {bad - MOST_NOTES} more rows cannot be read and are left out.")
    if table.stride > 1:
        table.notes.append(f"{path.name} has {table.rows_in_file:,} rows; one in {table.stride} of them is used.")
    return table
