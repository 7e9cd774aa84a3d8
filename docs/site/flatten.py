#!/usr/bin/env python3
"""Rewrites the XML of Doxygen so that Breathe documents each header on its own.

usage: docs/site/flatten.py FROM TO

Doxygen keeps functions, types and constants of a namespace in one file for the whole namespace. Breathe would declare
the namespace again for every header and search this file each time. Here a header gets its own members, under their
qualified names, and its path as its name; the namespaces and private members are removed. A file of TO whose contents
stay the same is not written again, because Breathe compares times.
"""
import io
import pathlib
import sys
import xml.etree.ElementTree as ET


def flatten(source, target):
    index = ET.parse(source / "index.xml")
    trees = {"index.xml": index}
    headers = {}
    for entry in index.findall("compound"):
        name = f"{entry.get('refid')}.xml"
        if entry.get("kind") != "namespace":
            trees[name] = ET.parse(source / name)
            remove_private(trees[name].find("compounddef"))
        if entry.get("kind") == "file":
            header = trees[name].find("compounddef")
            for part in header.findall("innernamespace") + header.findall("sectiondef"):
                if part.get("kind") != "define":
                    header.remove(part)
            location = header.find("location").get("file")
            entry.find("name").text = location
            headers[location] = header
    for entry in index.findall("compound[@kind='namespace']"):
        namespace = ET.parse(source / f"{entry.get('refid')}.xml").find("compounddef")
        for section in namespace.findall("sectiondef"):
            for member in section.findall("memberdef"):
                add(headers[member.find("location").get("file")], section.get("kind"), member, entry.find("name").text)
        index.getroot().remove(entry)
    target.mkdir(exist_ok=True)
    for path in target.iterdir():
        if path.name not in trees:
            path.unlink()
    for tree in trees.values():
        remove_initializers(tree)
    for name, tree in trees.items():
        text = io.BytesIO()
        tree.write(text, encoding="utf-8", xml_declaration=True)
        if not (target / name).exists() or (target / name).read_bytes() != text.getvalue():
            (target / name).write_bytes(text.getvalue())


def remove_initializers(tree):
    """Removes initial values that name members, which Sphinx does not read."""
    for member in tree.iter("memberdef"):
        value = member.find("initializer")
        if value is not None and "{." in "".join(value.itertext()).replace(" ", ""):
            member.remove(value)


def remove_private(compound):
    for part in compound.findall("sectiondef") + compound.findall("innerclass"):
        if part.get("kind", "").startswith("private") or part.get("prot") == "private":
            compound.remove(part)


def add(header, kind, member, namespace):
    arguments = member.find("argsstring")
    if member.get("kind") == "function":
        result, _, guided = (arguments.text or "").partition(" -> ")
        if guided and not "".join(member.find("type").itertext()):
            return  # a deduction guide, which Sphinx takes for a second declaration of the class
        if guided:
            arguments.text = result  # Sphinx does not read every decltype; "auto" stays in front
    member.find("name").text = f"{namespace}::{member.find('name').text}"
    section = header.find(f"sectiondef[@kind='{kind}']")
    if section is None:
        section = ET.SubElement(header, "sectiondef", kind=kind)
    section.append(member)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    flatten(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
