"""Averages of correlated values with their statistical errors, and straight lines through values."""
from __future__ import annotations

import math
from dataclasses import dataclass

FEWEST_VALUES = 8
FEWEST_BLOCKS = 4


@dataclass
class Average:
    mean: float
    deviation: float  # standard deviation of the values
    error: float | None  # standard error of the mean; None: too few values
    at_least: bool  # the error is a lower bound, because it still grows with the block length
    count: int
    independent: float | None  # number of uncorrelated values that would have this error


@dataclass
class Line:
    slope: float
    intercept: float
    rms: float  # root mean square of the distances from the line


def block_errors(values):
    """Block averages (Flyvbjerg and Petersen 1989): for blocks of 1, 2, 4, ... values a tuple of the block length, the
    number of blocks, and the standard error of the mean that follows from the variance of the blocks."""
    levels = []
    blocks = list(values)
    length = 1
    while len(blocks) >= 2:
        mean = math.fsum(blocks) / len(blocks)
        variance = math.fsum((b - mean) ** 2 for b in blocks) / (len(blocks) - 1)
        levels.append((length, len(blocks), math.sqrt(variance / len(blocks))))
        blocks = [0.5 * (a + b) for a, b in zip(blocks[::2], blocks[1::2])]
        length *= 2
    return levels


def average(values):
    """The average of finite values, with the error from block averages. The block length B is the smallest one with
    B^3 > 2 n s^2, where n is the number of values, and s is the variance of the mean from blocks divided by that from
    single values (Lee and others 2011). Averages of shorter blocks are still correlated."""
    count = len(values)
    mean = math.fsum(values) / count
    if count < 2:
        return Average(mean, 0.0, None, False, count, None)
    deviation = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (count - 1))
    if count < FEWEST_VALUES:
        return Average(mean, deviation, None, False, count, None)
    levels = [level for level in block_errors(values) if level[1] >= FEWEST_BLOCKS]
    first = levels[0][2]
    if first <= 1e-14 * abs(mean):
        return Average(mean, deviation, first, False, count, float(count))
    for length, _, error in levels:
        if length**3 > 2 * count * (error / first) ** 4:
            error = max(error, first)
            return Average(mean, deviation, error, False, count, count * (first / error) ** 2)
    error = max(level[2] for level in levels)
    return Average(mean, deviation, error, True, count, count * (first / error) ** 2)


def line(x, y):
    """The straight line that fits the points (x, y) by least squares; None where all x are equal."""
    count = len(x)
    if count < 2:
        return None
    middle, mean = math.fsum(x) / count, math.fsum(y) / count
    spread = math.fsum((v - middle) ** 2 for v in x)
    if spread == 0:
        return None
    slope = math.fsum((a - middle) * (b - mean) for a, b in zip(x, y)) / spread
    intercept = mean - slope * middle
    rms = math.sqrt(math.fsum((b - mean - slope * (a - middle)) ** 2 for a, b in zip(x, y)) / count)
    return Line(slope, intercept, rms)


def still_changes(values):
    """Whether the averages of the first and second half of the values differ by more than three times the error of the
    difference."""
    half = len(values) // 2
    if half < FEWEST_VALUES:
        return False
    first, second = average(values[:half]), average(values[half:])
    return abs(first.mean - second.mean) > 3 * math.hypot(first.error, second.error) > 0
