"""Numbers and units as text."""
from __future__ import annotations

import math
import re

SIGNS = {"sigma": "σ", "epsilon": "ε", "tau": "τ", "angstrom": "Å", "^2": "²", "^3": "³", "us": "µs"}
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def pretty(unit):
    """The unit of an output file in typographic form: "angstrom^2" becomes "Å²"."""
    return re.sub(r"[a-z]+|\^[23](?![0-9])", lambda m: SIGNS.get(m[0], m[0]), unit)


def label(name, unit):
    return f"{name} / {('(' + pretty(unit) + ')') if '/' in unit or ' ' in unit else pretty(unit)}" if unit else name


def split_header(header):
    """Name and unit of a column: ("temperature", "K") for "temperature [K]"; the unit is empty where there is none."""
    found = re.fullmatch(r"(.*?) \[(.*)\]", header)
    return (found[1], found[2]) if found else (header, "")


def number(value, digits=5):
    if value is None:
        return "–"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}".replace(",", "\u202f")
    if not math.isfinite(value):
        return str(value)
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        text = f"{value:.{digits}g}"
        if "e" not in text:
            return text.replace("-", "−")
    return power(value, digits - 1)


def power(value, decimals):
    mantissa, exponent = f"{value:.{decimals}e}".split("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    factor = "" if mantissa == "1" else f"{mantissa} × "
    return f"{factor}10{str(int(exponent)).translate(RAISED)}".replace("-", "−")


def with_error(value, error):
    """Text of a value and its error, rounded to two significant digits of the error."""
    if error is None or not math.isfinite(error) or not math.isfinite(value):
        return number(value)
    if error == 0:
        return f"{number(value, 8)} ± 0"
    size = max(abs(value), error)
    exponent = 0 if 1e-3 <= size < 1e6 else math.floor(math.log10(size))
    value, error = value / 10.0**exponent, error / 10.0**exponent
    decimals = max(0, 1 - math.floor(math.log10(error)))
    if decimals > 12:
        return f"{number(value * 10.0**exponent, 8)} ± {number(error * 10.0**exponent, 2)}"
    text = f"{value:.{decimals}f} ± {error:.{decimals}f}".replace("-", "−")
    return text if exponent == 0 else f"({text}) × 10{str(exponent).translate(RAISED)}"


def seconds(value):
    if value < 1e-3:
        return f"{1e6 * value:.4g} µs"
    if value < 1:
        return f"{1e3 * value:.4g} ms"
    if value < 120:
        return f"{value:.4g} s"
    minutes, rest = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"


def rate(value):
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.4g} {sign}"
    return f"{value:.4g}"


def parameters(values):
    return " ".join(f"{name}={value_text(value)}" for name, value in values.items())


def value_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)


def file_name(words):
    return re.sub(r"[^A-Za-z0-9.-]+", "_", words).strip("_.") or "figure"
