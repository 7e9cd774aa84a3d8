"""Reading of the last frames of a trajectory in extended XYZ, from the end of the file, which may have any size."""
from __future__ import annotations

import re
from array import array
from dataclasses import dataclass

from .contents import InputError, usable

MARK = b"Properties="
BLOCK = 1 << 22
MOST_BYTES = 1 << 30  # searched from the end of the file for beginnings of frames
LONGEST_LINE = 1 << 20
MOST_ATOMS = 4_000_000  # in a frame; larger frames are refused
MOST_ATOMS_IN_ALL = 1_000_000  # in all frames that are read; a single frame may have more
PAIR = re.compile(r'([A-Za-z_]\w*)=(?:"([^"]*)"|(\S+))')


@dataclass
class Frame:
    step: float | None
    lattice: tuple  # three box vectors
    origin: tuple
    periodic: tuple
    names: list  # names of the types, by type
    types: array
    x: array
    y: array
    z: array

    def __len__(self):
        return len(self.x)


def frame_starts(file, size, most):
    """Positions in the file, ascending, at which the last `most` frames begin."""
    starts = []
    tail = b""  # beginning of the block after this one: a mark may lie across the boundary
    position = size
    while position > 0 and len(starts) < most and size - position < MOST_BYTES:
        begin = max(0, position - BLOCK)
        file.seek(begin)
        block = file.read(position - begin) + tail
        at = len(block)
        while len(starts) < most and (at := block.rfind(MARK, 0, at)) >= 0:
            if begin + at < position:  # otherwise it was found in the block after this one
                start = line_before(file, begin + at)
                if start is not None and start not in starts:
                    starts.append(start)
        tail = block[:len(MARK) - 1]
        position = begin
    return sorted(starts)


def line_before(file, place):
    """Position of the beginning of the line before the line that contains position `place`; None where not found."""
    length = 1 << 16
    begin = max(0, place - length)
    file.seek(begin)
    text = file.read(place - begin)
    own = text.rfind(b"\n")
    if own < 0:
        return None
    before = text.rfind(b"\n", 0, own)
    return None if before < 0 and begin > 0 else begin + before + 1


def comment_of(line):
    return {m[1]: m[2] if m[2] is not None else m[3] for m in PAIR.finditer(line)}


def numbers(words, count, name, where):
    try:
        values = [float(word) for word in words.split()]
    except ValueError:
        values = []
    if len(values) != count or not all(map(usable, values)):
        raise InputError(f"{where}: {name} = {words[:60]!r}, expected {count} finite numbers")
    return values


def optional_number(text):
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if usable(value) else None


def columns_of(properties, where):
    """(index of the species in a row or None, index of the first coordinate, number of values in a row)"""
    fields = properties.split(":")
    place, found = 0, {}
    try:
        for name, _, width in zip(fields[::3], fields[1::3], fields[2::3]):
            found[name] = place
            place += int(width)
    except ValueError:
        found = {}
    if "pos" not in found:
        raise InputError(f"{where}: Properties = {properties[:60]!r}, expected positions (pos:R:3)")
    return found.get("species"), found["pos"], place


def read_frame(file, start, where):
    """The frame that begins at `start`; None where the file ends before the frame does."""
    file.seek(start)
    count = file.readline(LONGEST_LINE)
    comment = file.readline(LONGEST_LINE)
    if not comment.endswith(b"\n"):
        return None
    if not count.strip().isdigit() or len(count) > 20:
        raise InputError(f"{where}: {count[:40]!r}, expected the number of atoms")
    atoms = int(count)
    if atoms > MOST_ATOMS:
        raise InputError(f"{where}: {atoms:,} atoms, more than the {MOST_ATOMS:,} that are looked at")
    keys = comment_of(comment.decode("utf-8", errors="replace"))
    cell = numbers(keys.get("Lattice", ""), 9, "Lattice", where)
    origin = numbers(keys.get("Origin", "0 0 0"), 3, "Origin", where)
    periodic = tuple(word.upper().startswith("T") for word in keys.get("pbc", "T T T").split())
    if len(periodic) != 3:
        raise InputError(f"{where}: pbc = {keys['pbc'][:60]!r}, expected three of T and F")
    species, at, width = columns_of(keys.get("Properties", ""), where)
    known = dict(pair.partition("=")[::2] for pair in keys.get("type_names", "").split())
    types, types_by_word = array("i"), {}
    x, y, z = array("d"), array("d"), array("d")
    for _ in range(atoms):
        line = file.readline(LONGEST_LINE)
        words = line.split()
        if not line.endswith(b"\n"):
            return None
        try:
            place = [float(word) for word in words[at:at + 3]]
        except ValueError:
            place = []
        if len(words) != width or len(place) != 3:
            raise InputError(f"{where}: {line[:40]!r}, expected {width} values of an atom")
        if not all(map(usable, place)):
            raise InputError(f"{where}: {line[:60]!r}, expected a finite position")
        word = words[species] if species is not None else b""
        types.append(types_by_word.setdefault(word, len(types_by_word)))
        x.append(place[0])
        y.append(place[1])
        z.append(place[2])
    words = [word.decode("utf-8", errors="replace") for word in types_by_word]
    lattice = tuple(tuple(cell[i:i + 3]) for i in (0, 3, 6))
    return Frame(optional_number(keys.get("Step")), lattice, tuple(origin), periodic,
                 [known.get(word, word) for word in words], types, x, y, z)


def last_frames(path, most, from_step=None):
    """(at most the last `most` frames, ascending; notes). Leaves out frames before from_step, and frames that are
    incomplete or cannot be read, with a note for each of the latter."""
    frames, notes = [], []
    try:
        with open(path, "rb") as file:
            size = file.seek(0, 2)
            # One more than needed, because the last one may be incomplete.
            starts = frame_starts(file, size, most + 1)
            budget = MOST_ATOMS_IN_ALL
            for start in reversed(starts):
                if len(frames) == most:
                    break
                try:
                    frame = read_frame(file, start, f"{path.name}, byte {start}")
                except InputError as error:
                    notes.append(f"{error}; the frame is left out.")
                    continue
                if frame is None:
                    notes.append(f"The last frame of {path.name} is not complete and is left out.")
                    continue
                if from_step is not None and frame.step is not None and frame.step < from_step:
                    break
                budget -= len(frame)
                if frames and budget < 0:
                    break
                frames.insert(0, frame)
    except OSError as error:
        notes.append(f"{path.name}: cannot be read: {error.strerror}; it is left out.")
    return frames, notes
