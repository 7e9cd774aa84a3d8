"""Code in the documents of the repository: blocks with their language, and spans within a line."""

import re
from dataclasses import dataclass


@dataclass
class Block:
    where: str  # "README.md:24"
    language: str  # the one that the document states, else guessed from the first word
    text: str


PROGRAMS = r"(?:cmake|ctest|tessera|tessera-report|scripts/\S+|tests/\S+\.py|examples/\S+\.py|\.ci/run|build/\S+)"


def language_of(text):
    if re.match(PROGRAMS + r"(?: |$)", text):
        return "shell"
    if re.match(r"\w+\([^;]*\)", text):
        return "cmake"
    if text.startswith("{"):
        return "json"
    return "text"


def blocks(name, document):
    """Returns the blocks of a document: fenced ones, and those indented by four blanks more than the text around
    them."""
    lines = document.splitlines()
    found, at = [], 0
    while at < len(lines):
        start = at
        if fence := re.match(r"```(\w*)$", lines[at]):
            at += 1
            while lines[at] != "```":
                at += 1
            text = "\n".join(lines[start + 1:at]) + "\n"
            found.append(Block(f"{name}:{start + 1}", fence[1] or language_of(text), text))
        elif (indent := re.match(r" {4,}(?=\S)", lines[at])) and (at == 0 or not lines[at - 1].strip()):
            while at < len(lines) and (lines[at].startswith(indent[0]) or not lines[at].strip()):
                at += 1
            text = "\n".join(line[indent.end():] for line in lines[start:at]).rstrip("\n") + "\n"
            found.append(Block(f"{name}:{start + 1}", language_of(text), text))
            continue
        at += 1
    return found


def prose(document):
    """Returns the lines of a document, with empty lines in place of its blocks."""
    fenced, lines = False, []
    for line in document.splitlines():
        if line.startswith("```"):
            fenced = not fenced
            line = ""
        lines.append("" if fenced or line.startswith("    ") else line)
    return lines


def spans(name, document):
    """Returns the `code` spans of a document, also those that continue in the next line."""
    text = "\n".join(prose(document))
    return [Block(f"{name}:{text.count(chr(10), 0, m.start()) + 1}", "span", re.sub(r"\s+", " ", m[1]))
            for m in re.finditer(r"`([^`]+)`", text)]


def commands(block):
    """Returns the commands of a shell block without comments; && separates commands."""
    found = []
    for line in block.text.splitlines():
        line = re.sub(r"(?:^|\s+)# .*$", "", line).strip()
        found += [part.strip() for part in line.split("&&") if part.strip()]
    return found
