"""The part of a page about the last frames of a trajectory."""
from __future__ import annotations

from . import structure, text
from .contents import Axis, Curve, Figure, Section, Table
from .trajectory import last_frames


def unit_text(unit, power):
    return f"1/{unit}{f'^{power}' if power > 1 else ''}" if unit else ""


def headed(name, unit):
    return f"{name} [{unit}]" if unit else name


def distribution_figure(found, names, unit):
    r = headed("r", unit)
    dimensions = 2 if found.plane else 3
    if found.normalised:
        name, y, title = "g", Axis("g(r)"), "Pair distribution g(r)"
    else:
        density = unit_text(unit, dimensions)
        name, y = headed("neighbor density", density), Axis(text.label("neighbor density", density))
        title = "Density of neighbors at a distance"
    columns = [(r, found.r), (name, found.total)]
    curves = [Curve(name, "all pairs" if found.pairs else "")]
    for number, ((a, b), values) in enumerate(found.pairs.items(), 1):
        columns.append((f"g_{names[a]}-{names[b]}", values))
        curves.append(Curve(columns[-1][0], f"{names[a]}–{names[b]}", colour=number))
    columns.append(("neighbors within r", found.neighbours))
    return Figure("pair_distribution", title, columns, Axis(text.label("r", unit)), y, x_column=r, curves=curves)


def profile_figure(frames, unit):
    cell = structure.Cell(frames[-1])
    dimensions = 2 if structure.is_plane(frames[-1], cell) else 3
    if not any(cell.periodic):
        found = structure.radial_profile(frames)
        if found is None:
            return None
        r, name = headed("r", unit), headed("density", unit_text(unit, dimensions))
        return Figure("density", "Density around the middle of the atoms", [(r, found[0]), (name, found[1])],
                      Axis(text.label("distance from the middle", unit)),
                      Axis(text.label("density", unit_text(unit, dimensions))), x_column=r, curves=[Curve(name)])
    columns, curves = [], []
    lengths = set()
    for axis, letter in enumerate("xyz"[:dimensions]):
        found = structure.slab_profile(frames, axis)
        if found is None:
            continue
        places, density, by_volume = found
        power = dimensions if by_volume else 1
        lengths.add(power)
        # In a tilted box the normals of faces are not along x or y, so the vectors are called a, b, c.
        along = letter if cell.vectors[0][1:] == (0, 0) == cell.vectors[1][::2] == cell.vectors[2][:2] else "abc"[axis]
        x, name = headed(along, unit), headed(f"density along {along}", unit_text(unit, power))
        columns += [(x, places), (name, density)]
        curves.append(Curve(name, f"along {along}", x=x, colour=axis))
    if not curves:
        return None
    # Densities per volume and per length cannot share an axis: keeps those of the highest dimension.
    if len(lengths) > 1:
        keep = max(lengths)
        kept = [c for c in curves if text.split_header(c.column)[1] == unit_text(unit, keep)]
        columns = [(name, values) for name, values in columns if any(name in (c.x, c.column) for c in kept)]
        curves, lengths = kept, {keep}
    y = Axis(text.label("number density", unit_text(unit, lengths.pop())))
    return Figure("density", "Density profile", columns, Axis(text.label("distance from the lower face", unit)), y,
                  x_column=curves[0].x, curves=curves)


def structure_section(path, unit, most_frames, from_step):
    """(section about the structure of the last frames, notes about frames that were left out)"""
    frames, notes = last_frames(path, most_frames, from_step)
    section = Section("Structure")
    if frames:
        frames = structure.same_names(frames)
        if not structure.Cell(frames[-1]).valid:
            notes.append(f"{path.name}: the box of the last frame has no volume; its structure is left out.")
            frames = []
    frames = [frame for frame in frames if len(frame) > 0 and structure.Cell(frame).valid]
    if not frames:
        return section, notes
    last = frames[-1]
    steps = [text.number(int(f.step)) for f in (frames[0], last) if f.step is not None]
    phrase = f"From the last {len(frames)} frames" if len(frames) > 1 else "From the last frame"
    if len(steps) == 2:
        phrase += f" (steps {steps[0]} to {steps[1]})" if len(frames) > 1 else f" (step {steps[1]})"
    phrase += f" of {path.name}, {text.number(len(last))} atoms."
    found = structure.pair_distribution(frames)
    if found is not None:
        if found.centres < len(last) * len(frames):
            positions = text.number(len(last) * len(frames))
            centres = text.number(found.centres)
            phrase += f" g(r) counts pairs around {centres} of the {positions} positions, evenly picked."
        section.figures.append(distribution_figure(found, last.names, unit))
        if found.normalised and max(found.total) > 0:
            r, g = found.peak()
            section.tables.append(Table(["highest peak of g(r)", "height"],
                                        [[f"{text.number(r, 4)} {text.pretty(unit)}", text.number(g, 4)]]))
            section.numbers.update(peak_r=r, peak_g=g)
        section.numbers.update(centres=found.centres, r_max=found.r_max)
    if (figure := profile_figure(frames, unit)) is not None:
        section.figures.append(figure)
    section.paragraphs.append(phrase)
    section.numbers.update(frames=len(frames), steps=[f.step for f in frames], atoms=len(last))
    return section, notes
