#!/usr/bin/env python3
"""Writes the sources of the documentation site, which Sphinx then makes into HTML.

usage: docs/site/pages.py FOLDER

FOLDER gets the Markdown files of the repository at their paths, with the pictures that they show, and pages that are
made here: the API by folders of public headers, the gallery of examples, and lists. Links in Markdown are relative to
the repository. For a link to another file or to a folder, the site gets a page with its text or a list of its files.
Files whose contents stay the same are not written again; files that no longer belong to the site are removed.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Pages of docs/ with a fixed place. Other pages of docs/ follow the guides.
GUIDES = ["install", "tutorial", "running", "tuning", "report", "kernels", "potentials", "library"]
REFERENCE = ["case_reference", "formats", "performance", "trials", "compilers", "vocabulary"]
PROJECT = ["architecture", "reading_guide"]
GROUPS = {"core": "Core", "physics/md": "Molecular dynamics", "physics/pic": "Beams and fields",
          "physics/reduction": "Reductions", "backends": "Backends"}
LINK = re.compile(r"(\[[^][]*)?\]\(([^()\s#]+)(#[^()\s]*)?\)")  # without its text where this is a picture
PICTURE = re.compile(r"!\[[^]]*\]\(([^)\s]+)\)")
# Pages that are made here, for folders.
OWN_PAGES = {"docs/decisions": "decisions.md", "examples": "gallery.md"}
PICTURES = (".png", ".svg", ".jpg")
COPIED = (*PICTURES, ".json", ".csv")
LANGUAGES = {".hpp": "cpp", ".cpp": "cpp", ".cuh": "cuda", ".cu": "cuda", ".toml": "toml", ".py": "python",
             ".cmake": "cmake", "CMakeLists.txt": "cmake"}
LONGEST = 100_000  # bytes of a file that is shown as a page; a longer one is copied


def files_of_tree():
    """All files of the working tree that git does not ignore, by their paths from the root."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            check=True, capture_output=True, text=True).stdout
    return sorted({path for path in listed.split("\0") if path and (ROOT / path).is_file()})


def public_headers():
    """Page of the API -> its public headers: a page for each folder below core/, physics/ and backends/, and for each
    folder in one of physics/ that has three headers or more."""
    # The headers of the emulated device define what is in the headers of CUDA again.
    headers = [h for h in (ROOT / "cmake/public_headers.txt").read_text().splitlines()
               if h and not h.startswith(("#", "backends/emulated/"))]
    inner = collections.Counter("/".join(h.split("/")[:3]) for h in headers if h.count("/") > 2)
    pages = {}
    for header in headers:
        parts = header.split("/")
        deep = parts[0] == "physics" and inner["/".join(parts[:3])] >= 3
        pages.setdefault("/".join(parts[:3 if deep else 2]), []).append(header)
    return pages


def title_of(text):
    return re.search(r"^# +(.+)$", text, re.M)[1]


def first_paragraph(text):
    paragraphs = re.split(r"\n\s*\n", text)
    return next(p for p in paragraphs[1:] if re.match(r"[^#!\s|>-]", p))


class Site:
    def __init__(self, folder):
        self.folder = folder
        self.tree = files_of_tree()
        self.known = set(self.tree)
        self.folders = {str(parent) for path in self.tree for parent in pathlib.PurePath(path).parents}
        self.written = set()
        self.waiting = [p for p in self.tree if p in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
                        or p.startswith("docs/") and p.endswith(".md") or p.endswith("/README.md")]
        self.pages = set(self.waiting)

    def write(self, name, text):
        path = self.folder / name
        self.written.add(name)
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def copy(self, name):
        source, target = ROOT / name, self.folder / name
        self.written.add(name)
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)

    def remove_the_rest(self):
        for path in sorted(self.folder.rglob("*"), reverse=True):
            if path.is_dir():
                if not any(path.iterdir()):
                    path.rmdir()
            elif str(path.relative_to(self.folder)) not in self.written:
                path.unlink()

    def page_for(self, path):
        """The source file of the site for a file or folder of the tree; None where a copy serves."""
        if path in OWN_PAGES and f"{path}/README.md" not in self.known:
            return OWN_PAGES[path]
        if path in self.folders:
            page = f"{path}/README.md" if f"{path}/README.md" in self.known else f"{path}/index.md"
            self.want(page)
            return page
        if path.endswith(".md"):
            self.want(path)
            return path
        if path.endswith(COPIED) or (ROOT / path).stat().st_size > LONGEST:
            self.copy(path)
            return None
        self.want(f"{path}.md")
        return f"{path}.md"

    def want(self, page):
        if page not in self.pages:
            self.pages.add(page)
            self.waiting.append(page)

    def rewrite(self, page, text):
        """The text with links to pages of the site in place of links to files and folders of the tree. A link whose
        text is the path of a document shows the title of the page."""
        def link(match):
            words, target, anchor = match[1] or "", match[2], match[3] or ""
            path = os.path.normpath(os.path.join(os.path.dirname(page), target))
            if path == "." or path not in self.known and path not in self.folders:
                return match[0]
            other = self.page_for(path) or path
            other = "index.md" if other == "README.md" else other
            if path.endswith(".md") and words and path.endswith(words[1:]) and not anchor:
                words = "[" + title_of((ROOT / path).read_text())
            return f"{words}]({os.path.relpath(other, os.path.dirname(page) or '.')}{anchor})"
        return LINK.sub(link, text)

    def add_page(self, page):
        if page in self.known:
            text = self.rewrite(page, (ROOT / page).read_text())
            if page == "README.md":
                self.write("index.md", text + self.contents())
            else:
                self.write(page, text)
        elif page.endswith("/index.md"):
            self.write(page, self.rewrite(page, self.listing(os.path.dirname(page))))
        else:
            self.write(page, self.shown(page.removesuffix(".md")))

    def listing(self, folder):
        inside = [p for p in self.tree if p.startswith(f"{folder}/")]
        names = sorted({p.removeprefix(f"{folder}/").partition("/")[0] for p in inside})
        rows = [f"- [{name}]({name})" if f"{folder}/{name}" in self.known else f"- {name}/" for name in names]
        return f"---\norphan: true\n---\n\n# {folder}\n\n" + "\n".join(rows) + "\n"

    def shown(self, path):
        text = (ROOT / path).read_text()
        name = os.path.basename(path)
        language = LANGUAGES.get(name, LANGUAGES.get(os.path.splitext(name)[1], "text"))
        fence = "`" * max(3, 1 + max((len(m) for m in re.findall("`+", text)), default=0))
        return f"---\norphan: true\n---\n\n# {path}\n\n{fence}{{code-block}} {language}\n{text.rstrip()}\n{fence}\n"

    def contents(self):
        """The contents of the site, which the theme shows beside each page."""
        docs = [p[5:-3] for p in self.tree if re.fullmatch(r"docs/\w+\.md", p)]
        placed = GUIDES + REFERENCE + PROJECT
        guides = [d for d in GUIDES if d in docs] + [d for d in docs if d not in placed]
        reference = [d for d in REFERENCE if d in docs]
        project = [d for d in PROJECT if d in docs]
        trees = [("Guides", [f"docs/{d}" for d in guides] + ["gallery"]),
                 ("Reference", [f"docs/{d}" for d in reference] + ["api/index"]),
                 ("Project", [f"docs/{d}" for d in project] + ["decisions", "notes", "CONTRIBUTING", "CHANGELOG"])]
        return "".join("\n```{toctree}\n:hidden:\n:caption: " + caption + "\n\n" + "\n".join(names) + "\n```\n"
                       for caption, names in trees)

    def add_list(self, name, title, words, pages):
        names = "\n".join(p.removesuffix(".md") for p in pages)
        self.write(f"{name}.md", f"# {title}\n\n{words}\n\n```{{toctree}}\n:maxdepth: 1\n\n{names}\n```\n")

    def add_gallery(self):
        """A card for each example that has a picture: in its folder, or shown in its README.md."""
        text = "# Gallery\n\nEach picture leads to its example: the case, the commands and the physics.\n"
        pages = [p for p in self.tree if re.fullmatch(r"examples/\w+/README\.md", p)]
        for page in pages:
            readme, folder = (ROOT / page).read_text(), os.path.dirname(page)
            pictures = [os.path.normpath(os.path.join(folder, p)) for p in PICTURE.findall(readme)]
            pictures += [p for p in self.tree if os.path.dirname(p) == folder and p.endswith(PICTURES)]
            if pictures:
                self.copy(pictures[0])
                title = title_of(readme)
                text += f"\n## [{title}]({page})\n\n[![{title}]({pictures[0]})]({page})\n\n"
                text += self.moved(page, first_paragraph(self.rewrite(page, readme))) + "\n"
        overview = [p for p in ("examples/README.md",) if p in self.known]
        names = "\n".join(p.removesuffix(".md") for p in overview + pages)
        self.write("gallery.md", f"{text}\n```{{toctree}}\n:hidden:\n\n{names}\n```\n")

    def moved(self, page, text):
        """A text of a page with its links as seen from the top of the site."""
        folder = os.path.dirname(page)
        return LINK.sub(lambda m: m[0] if re.match(r"\w+:", m[2]) else
                        f"{m[1] or ''}]({os.path.normpath(os.path.join(folder, m[2]))}{m[3] or ''})", text)

    def add_api(self):
        folders = public_headers()
        text = ("API\n===\n\nThe public headers by folders. Programs, plugins and pair potentials outside the tree "
                "include them; :doc:`/docs/library` has a program. :ref:`genindex` lists every name.\n")
        for start, title in GROUPS.items():
            names = sorted(f for f in folders if f"{f}/".startswith(f"{start}/"))
            text += f"\n.. toctree::\n   :caption: {title}\n   :maxdepth: 2\n\n" + "".join(f"   {n}\n" for n in names)
        self.write("api/index.rst", text)
        for folder, headers in folders.items():
            text = f"{folder}\n{'=' * len(folder)}\n"
            for header in headers:
                name = header.removeprefix(f"{folder}/")
                namespace = re.search(r"^namespace (tessera[\w:]*) {", (ROOT / header).read_text(), re.M)
                text += f"\n{name}\n{'-' * len(name)}\n\n.. code-block:: cpp\n\n   #include <tessera/"
                text += header.removeprefix("physics/") + ">" + (f"  // namespace {namespace[1]}" if namespace else "")
                text += f"\n\n.. doxygenfile:: {header}\n"
            self.write(f"api/{folder}.rst", text)

    def make(self):
        self.add_api()
        self.add_gallery()
        self.add_list("decisions", "Decisions", "Each page records a decision about the design, and its reasons.",
                      [p for p in self.tree if re.fullmatch(r"docs/decisions/[^/]+\.md", p)])
        self.add_list("notes", "Notes beside the sources",
                      "A `README.md` in a folder of the tree explains the sources beside it: the design of a kernel, "
                      "the variants that were tried, and their measurements.",
                      [p for p in self.tree if p.endswith("/README.md") and not p.startswith("examples/")])
        while self.waiting:
            self.add_page(self.waiting.pop())
        self.remove_the_rest()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    Site(pathlib.Path(sys.argv[1])).make()


if __name__ == "__main__":
    main()
