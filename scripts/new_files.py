"""Common part of scripts/new_operation, new_kernel and new_potential: the checkout, names, and files from templates."""

import pathlib
import re
import sys

TEMPLATES = pathlib.Path(__file__).resolve().parent / "templates"
PRECISIONS = ["double", "mixed", "single", "int32", "int64"]


def refuse(text):
    """Ends the script with a message and exit code 2."""
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {text}")


def checkout():
    """Returns the root of the checkout that contains the current folder."""
    here = pathlib.Path.cwd()
    for folder in [here, *here.parents]:
        if (folder / "cmake" / "operations.cmake").is_file() and (folder / "physics").is_dir():
            return folder
    refuse(f"{here} is in no checkout of Tessera: change to one first")


def require_name(what, name, pattern, example):
    """Refuses a name that does not match `pattern`."""
    if not re.fullmatch(pattern, name):
        refuse(f"'{name}' is no name of {what}: expected lower-case letters, digits and underscores, as in {example}")


def camel(name):
    """Returns the name of a type: bunch_statistics -> BunchStatistics, lj/cut -> LjCut."""
    return "".join(part.capitalize() for part in re.split(r"[_/]", name))


def write(root, template, files, words):
    """Writes `files`, a template for each new path. Refuses before the first write if one of them exists."""
    for path in files:
        if (root / path).exists():
            refuse(f"{path} exists already")
    for path, source in files.items():
        text = (TEMPLATES / template / source).read_text()
        for word, value in words.items():
            text = text.replace(f"@{word}@", value)
        left = re.search(r"@[A-Z_]+@", text)
        assert left is None, f"{source}: {left}"
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
        print(f"wrote {path}")


def operations(root):
    """Returns the tag and precisions of each operation, by its name module/operation."""
    found = {}
    for declaration in sorted(root.glob("physics/*/*/operation.cmake")):
        text = declaration.read_text()
        groups = re.search(r"PRECISIONS ([a-z0-9, ]+)", text)[1].replace(",", " ").split()
        name = f"{declaration.parents[1].name}/{declaration.parent.name}"
        found[name] = (re.search(r"TAG (\w+)", text)[1], groups)
    return found
