"""Reads restart files (core/state/restart_file.hpp documents their layout)."""

import pathlib
import struct
import zlib


def fields(path):
    """Returns {name of a field: (element type, rows, components, values)} of a restart file."""
    data = pathlib.Path(path).read_bytes()
    magic, order, _, length, crc, _ = struct.unpack_from("=8sIIQII", data)
    assert magic == b"TESSRST\n" and order == 0x01020304, f"{path} is no restart file"
    body = data[32:]
    assert len(body) == length and zlib.crc32(body) == crc, f"{path} is damaged"
    found, at = {}, 0
    while at < length:
        (size,) = struct.unpack_from("=Q", body, at)
        name = body[at + 8 : at + 8 + size].decode()
        kind, rows, components = struct.unpack_from("=QQQ", body, at + 8 + size)
        at += 8 + size + 24
        bytes_each = {1: 4, 2: 8, 3: 4, 4: 8, 5: 1, 6: 1}[kind]
        found[name] = (kind, rows, components, body[at : at + bytes_each * rows * components])
        at += bytes_each * rows * components
    return found


def state(path):
    """Returns all fields except those that identify the run."""
    return {name: field for name, field in fields(path).items() if not name.startswith("run.")}


def step(path):
    return struct.unpack("=q", fields(path)["step"][3])[0]


def replace(path, after, old, new):
    """Replaces the first text `old` after the text `after` by `new`, of the same length, and corrects the checksum."""
    assert len(old) == len(new)
    data = bytearray(pathlib.Path(path).read_bytes())
    at = data.index(old.encode(), data.index(after.encode()))
    data[at : at + len(old)] = new.encode()
    struct.pack_into("=I", data, 24, zlib.crc32(bytes(data[32:])))
    pathlib.Path(path).write_bytes(data)
