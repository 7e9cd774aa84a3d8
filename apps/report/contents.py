"""The contents of a page: sections with paragraphs, tables and figures, and the data of each figure."""
from __future__ import annotations

import math
from dataclasses import dataclass, field


class InputError(Exception):
    """A path or a file that is not as expected. Its text is one line for the error stream."""


@dataclass
class Axis:
    label: str
    scale: float = 1  # drawn numbers are those of the data times this
    logarithmic: bool = False
    whole: bool = False  # has marks at whole numbers alone


@dataclass
class Curve:
    """A column of a figure's data over another one."""
    column: str
    label: str = ""
    x: str = ""  # the column of the figure's x, where empty
    style: str = "line"  # "line", "dashed", "steps", "dots"
    colour: int = 0  # in the order of the palette


@dataclass
class Level:
    """A straight line over a part of the x axis, with an error band around it; in the units of the data."""
    from_x: float
    to_x: float
    from_y: float
    to_y: float
    label: str
    error: float = 0


@dataclass
class Figure:
    """Drawn by drawing.py from `columns` alone, which are also written as NAME.csv."""
    name: str
    title: str
    columns: list  # of (name with unit, values)
    x: Axis
    y: Axis
    kind: str = "curves"  # "curves", "bars", "strips", "intervals"
    x_column: str = ""
    curves: list = field(default_factory=list)
    levels: list = field(default_factory=list)
    caption: str = ""

    def values(self, column):
        return next(values for name, values in self.columns if name == column)


@dataclass
class Table:
    titles: list
    rows: list  # of texts
    title: str = ""
    numeric: tuple = ()  # places of columns that are aligned to the right
    leads: bool = False  # stands in front of the figures


@dataclass
class Section:
    title: str
    paragraphs: list = field(default_factory=list)
    facts: list = field(default_factory=list)  # of (name, text)
    tables: list = field(default_factory=list)
    figures: list = field(default_factory=list)
    data: list = field(default_factory=list)  # of (name, columns), written beside those of the figures
    text: str = ""  # set as it is, in a block that opens on a click
    text_title: str = ""
    numbers: dict = field(default_factory=dict)  # for report.json

    def empty(self):
        return not (self.paragraphs or self.facts or self.tables or self.figures or self.text)


@dataclass
class Report:
    title: str
    subtitle: str = ""
    state: str = ""  # "completed", "stopped", "running", "ended", or empty
    state_text: str = ""
    highlights: list = field(default_factory=list)  # of (name, value, remark)
    notices: list = field(default_factory=list)
    sections: list = field(default_factory=list)


LARGEST = 1e150  # squares of larger numbers are none


def usable(value):
    """Whether a number can be averaged and drawn."""
    return -LARGEST < value < LARGEST


def value_of(data, path, kind=str, default=None):
    """A value of parsed JSON by its path of keys, as in ("device", "name"); the default where it is absent or of
    another kind. Numbers are finite."""
    for key in path if isinstance(path, tuple) else (path,):
        if not isinstance(data, dict) or key not in data:
            return default
        data = data[key]
    if kind is float:
        good = isinstance(data, (int, float)) and not isinstance(data, bool) and math.isfinite(data)
        return data if good else default
    if kind is int:
        return data if isinstance(data, int) and not isinstance(data, bool) else default
    return data if isinstance(data, kind) else default


def parameters_of(data):
    """The values of an implementation's parameters, by name."""
    for name in ("parameters", "knobs"):
        found = value_of(data, name, dict)
        if found is not None:
            return found
    return {}
