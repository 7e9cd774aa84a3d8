"""Tests pages, links and pictures of the documentation site: python3 tests/tools/site_test.py. Builds the site with
scripts/site, which needs the tools that scripts/bootstrap --developer installs."""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = ROOT / "build/site"
LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("source", "src"), ("iframe", "src"), ("object", "data")}


class Page(html.parser.HTMLParser):
    """Anchors, links and loaded files of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loaded, self.pictures = set(), [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors |= {values[key] for key in ("id", "name") if values.get(key)}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        for key, value in attributes:
            if (tag, key) in LOADED:
                self.loaded.append(value)
        if tag == "img":
            self.pictures.append(values["src"])


def wrong_links(folder):
    """Returns messages for links of the pages in a folder that lead nowhere, and for files that pages load from outside
    of the folder."""
    pages = {path: Page(path.read_text()) for path in sorted(folder.rglob("*.html"))}
    wrong = []
    for path, page in pages.items():
        for link in page.links + page.loaded:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme == "data":
                continue
            where = f"{path.relative_to(folder)}: {link}"
            if parts.scheme or parts.netloc:
                if link in page.loaded:
                    wrong.append(f"{where}: is loaded from the network")
                continue
            target = path
            if parts.path:
                target = pathlib.Path(os.path.normpath(path.parent / urllib.parse.unquote(parts.path)))
            if not target.is_file():
                wrong.append(f"{where}: no such file")
            elif parts.fragment and target.suffix == ".html":
                if urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                    wrong.append(f"{where}: no such anchor")
    return wrong


def from_network(folder):
    """Returns the network addresses in the style sheets of a folder."""
    return [f"{path.relative_to(folder)}: {address}" for path in sorted(folder.rglob("*.css"))
            for address in re.findall(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')\s]+)", path.read_text())]


class CheckerTest(unittest.TestCase):
    """The functions above find the faults that they look for."""

    def test_wrong_links(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "sub").mkdir()
            (folder / "a.html").write_text(
                '<h1 id="top">A</h1><a href="sub/b.html#part">good</a><a href="#top">good</a>'
                '<a href="https://example.org/x#y">good</a><a href="c.html">gone</a>'
                '<img src="data:image/png;base64,AA"><script src="//cdn.example/x.js"></script>')
            (folder / "sub/b.html").write_text('<p id="part"><a href="../a.html#bottom">gone</a><img src="no.png">')
            self.assertEqual(wrong_links(folder), ["a.html: c.html: no such file",
                                                   "a.html: //cdn.example/x.js: is loaded from the network",
                                                   "sub/b.html: ../a.html#bottom: no such anchor",
                                                   "sub/b.html: no.png: no such file"])

    def test_from_network(self):
        with tempfile.TemporaryDirectory() as name:
            (pathlib.Path(name) / "a.css").write_text(
                "@import 'https://fonts.example/f.css'; b{background:url(//x.example/p.png)} "
                "c{background:url('data:image/svg+xml;base64,AA')} d{src:url(f.woff)}")
            self.assertEqual(from_network(pathlib.Path(name)),
                             ["a.css: https://fonts.example/f.css", "a.css: //x.example/p.png"])


class SiteTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        for program in (ROOT / ".venv/bin/sphinx-build", "doxygen"):
            if not shutil.which(program):
                raise unittest.SkipTest(f"{program} is missing: scripts/bootstrap --developer installs it")
        process = subprocess.run([ROOT / "scripts/site"], capture_output=True, text=True, check=False)
        if process.returncode != 0:
            raise AssertionError(process.stdout + process.stderr)
        cls.pages = {str(path.relative_to(SITE)): path.read_text() for path in SITE.rglob("*.html")}

    def markdown(self):
        """Returns {document of the tree: its page}."""
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "README.md", "CONTRIBUTING.md",
                   "CHANGELOG.md", "docs/*.md", "*/README.md"]
        listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
        pages = {name: name.removesuffix(".md") + ".html" for name in listed if (ROOT / name).is_file()}
        return {**pages, "README.md": "index.html"}

    def headers(self):
        lines = (ROOT / "cmake/public_headers.txt").read_text().splitlines()
        # Headers of the emulated device define what is in the headers of CUDA again.
        return [line for line in lines if line and not line.startswith(("#", "backends/emulated/"))]

    def test_every_document_is_a_page(self):
        documents = self.markdown()
        self.assertGreater(len(documents), 50)
        self.assertEqual([page for page in documents.values() if page not in self.pages], [])

    def test_every_public_header_is_documented(self):
        text = "".join(page for name, page in self.pages.items() if name.startswith("api/"))
        included = re.findall(r"#include[^\n]*?tessera/([\w/.]+)", re.sub(r"</?span[^>]*>", "", text))
        self.assertEqual(sorted(included), sorted(h.removeprefix("physics/") for h in self.headers()))
        # A class, a member of it, functions.
        for anchor in ("_CPPv4N7tessera2md3BoxE", "_CPPv4N7tessera2md3Box8periodicE"):
            self.assertTrue(f'id="{anchor}"' in text, anchor)
        for name in ("check_box", "run_once", "find_fault"):
            self.assertTrue(re.search(rf'id="_CPPv4[^"]*\d{name}', text), name)
        self.assertFalse("Private" in text, "private members are documented")

    def test_no_link_is_broken(self):
        self.assertEqual(wrong_links(SITE), [])

    def test_nothing_comes_from_the_network(self):
        self.assertEqual(from_network(SITE), [])

    def test_every_picture_is_there(self):
        found = 0
        for document, page in self.markdown().items():
            shown = [pathlib.PurePath(urllib.parse.unquote(p)).name for p in Page(self.pages[page]).pictures]
            for picture in re.findall(r"!\[[^]]*\]\(([^)\s]+)\)", (ROOT / document).read_text()):
                with self.subTest(document=document, picture=picture):
                    self.assertIn(pathlib.PurePath(picture).name, shown)
                found += 1
        self.assertGreater(found, 5)

    def test_gallery_has_every_example_with_a_picture(self):
        gallery = Page(self.pages["gallery.html"])
        shown = {pathlib.PurePath(p).name for p in gallery.pictures}
        examples = 0
        for folder in sorted((ROOT / "examples").iterdir()):
            pictures = {p.name for p in folder.glob("*.png")} | {p.name for p in folder.glob("*.svg")}
            if (folder / "README.md").exists() and pictures:
                with self.subTest(example=folder.name):
                    self.assertTrue(pictures & shown)
                    self.assertIn(f"examples/{folder.name}/README.html", gallery.links)
                examples += 1
        self.assertGreater(examples, 5)

    def test_contents_lead_to_every_document(self):
        links = {urllib.parse.urlsplit(link).path for link in Page(self.pages["index.html"]).links}
        self.assertEqual([page for page in self.markdown().values() if page not in links | {"index.html"}], [])

    def test_search_finds_pages_of_every_kind(self):
        text = (SITE / "searchindex.js").read_text()
        index = json.loads(text[text.index("(") + 1:text.rindex(")")])

        def pages(term):
            found = index["terms"].get(term, [])
            return {index["docnames"][k] for k in ([found] if isinstance(found, int) else found)}

        # Terms as the stemmer of the search makes them.
        for term, page in (("emitt", "docs/case_reference"), ("emitt", "examples/space_charge/README"),
                           ("budget", "docs/tuning"), ("dens", "api/core/memory"), ("quadrupol", "gallery")):
            self.assertIn(page, pages(term), term)
        names = {entry[-1] for entries in index["objects"].values() for entry in entries}
        self.assertTrue({"tessera::md::Box", "tessera::md::check_box", "tessera::View::extents"} <= names)


if __name__ == "__main__":
    unittest.main()
