"""Compares arrays that a program read from a file with arrays of the library. A comparison that would not detect a
shift of the array by one element is an error."""

import numpy as np


def same(found, expected, what, rtol=0.0, atol=0.0):
    """Asserts that two arrays are equal, bitwise where no tolerance is given, and that `found` differs from `expected`
    with its elements, or its rows, shifted by one."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, f"{what}: {found.shape}, expected {expected.shape}"
    assert found.size > 1, f"{what}: nothing to compare"

    def differ(a, b):
        if a.dtype.kind not in "fiu":
            return a != b
        return np.abs(a.astype(float) - b.astype(float)) > atol + rtol * np.abs(b.astype(float))

    wrong = np.argwhere(differ(found, expected))
    assert len(wrong) == 0, (
        f"{what}: {len(wrong)} of {found.size} differ, the first is {tuple(wrong[0].tolist())}: "
        f"{found[tuple(wrong[0])]}, expected {expected[tuple(wrong[0])]}")
    shifts = [(np.roll(expected.ravel(), by).reshape(expected.shape), f"{by} elements") for by in (-1, 1)]
    shifts += [(np.roll(expected, by, axis=0), f"{by} rows") for by in (-1, 1) if expected.ndim > 1]
    for shifted, by in shifts:
        assert differ(found, shifted).any(), f"{what}: a shift by {by} would not be noticed"
