"""The contents of a page: sections with paragraphs, tables and figures, and the data of each figure."""
from __future__ import annotations

import math
from dataclasses import dataclass, field


class InputError(Exception):
    """A wrong path, or a file with unexpected contents. The text of the exception is one line for the error stream."""


@dataclass
class Axis:
    label: str
    scale: float = 1  # factor from the data to the numbers at the axis
    logarithmic: bool = False
    whole: bool = False  # tick marks only at whole numbers


@dataclass
class Curve:
    """A curve of a figure: the column with its y values, and the column with its x values."""
    column: str
    label: str = ""
    x: str = ""  # column with the x values; empty: x_column of the figure
    style: str = "line"  # "line", "dashed", "steps", "dots"
    colour: int = 0  # index in the palette


@dataclass
class Level:
    """A straight line over a part of the x axis, with an error band around it. The numbers have the units of the data,
    before the scale of the axis."""
    from_x: float
    to_x: float
    from_y: float
    to_y: float
    label: str
    error: float = 0


@dataclass
class Figure:
    """A figure. drawing.py draws it from `columns` alone, which are also written to the data file NAME.csv."""
    name: str
    title: str
    columns: list  # tuples (name with unit, values)
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
    rows: list  # lists of texts, one for each column
    title: str = ""
    numeric: tuple = ()  # indices of the columns that are aligned to the right
    leads: bool = False  # placed before the figures of its section


@dataclass
class Section:
    title: str
    paragraphs: list = field(default_factory=list)
    facts: list = field(default_factory=list)  # tuples (name, text)
    tables: list = field(default_factory=list)
    figures: list = field(default_factory=list)
    data: list = field(default_factory=list)  # tuples (name, columns), written as NAME.csv like figures
    text: str = ""  # preformatted text in a block that a click opens
    text_title: str = ""
    numbers: dict = field(default_factory=dict)  # values by name, for report.json

    def empty(self):
        return not (self.paragraphs or self.facts or self.tables or self.figures or self.text)


@dataclass
class Report:
    title: str
    subtitle: str = ""
    state: str = ""  # "completed", "stopped", "running", "ended", or empty
    state_text: str = ""
    highlights: list = field(default_factory=list)  # tuples (name, value, remark)
    notices: list = field(default_factory=list)
    sections: list = field(default_factory=list)


LARGEST = 1e150  # larger numbers have no finite square


def usable(value):
    """Whether a number is finite and small enough to be averaged and drawn."""
    return -LARGEST < value < LARGEST


def value_of(data, path, kind=str, default=None):
    """The value at a key, or at a path of keys such as ("device", "name"), of parsed JSON. The default where the value
    is absent, is of another type, or is a number that is not finite."""
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


def parameters_of(data, kind=dict):
    """The tuning parameters in parsed JSON about an implementation: {name: value}, or a list of names in a landscape.
    "knobs" is the former key."""
    for name in ("parameters", "knobs"):
        found = value_of(data, name, kind)
        if found is not None:
            return found
    return kind()
