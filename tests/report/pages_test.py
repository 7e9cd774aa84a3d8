#!/usr/bin/env python3
"""Tests pages of tessera-report: pages_test.py BIN

BIN is the folder of tessera and tessera-report. The test makes runs, and compares the data of their pages with the
output of the runs; it also tests damaged and incomplete folders. Needs NumPy, matplotlib and Jinja2.
"""

import contextlib
import csv
import html.parser
import io
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import warnings

import numpy as np

sys.dont_write_bytecode = True
BIN = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(BIN.parent / "share/tessera"))
from report import main as program  # noqa: E402

CASES = pathlib.Path(__file__).resolve().parents[1] / "cli/golden"
VOID = {"meta", "br", "img", "hr", "link", "input"}
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("TESSERA_")}
ENVIRONMENT.update(OMP_WAIT_POLICY="passive", TESSERA_TUNING="off")


def run(*words, code=0, **options):
    done = subprocess.run(list(map(str, words)), env=ENVIRONMENT, capture_output=True, text=True, timeout=300,
                          **options)
    assert done.returncode == code, (words, done.returncode, done.stdout[-500:], done.stderr[-2000:])
    return done


def report(*words, code=0, cwd="."):
    """Runs tessera-report in this process, which loads matplotlib only once."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(Errors()) as errors, \
            contextlib.chdir(cwd), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            found = program.main(list(map(str, words)))
        except SystemExit as end:
            found = end.code
    ours = [str(w.message) for w in warned if "deprecated" not in str(w.message)]
    assert found == code and not ours, (words, found, errors.getvalue(), ours)
    return subprocess.CompletedProcess(words, found, out.getvalue(), errors.getvalue())


def report_program(*words, code=0, python=(sys.executable,)):
    """Runs tessera-report as a separate process."""
    return run(*python, BIN / "tessera-report", *words, code=code)


class Errors(io.StringIO):
    """An error stream that accepts bytes too."""

    @property
    def buffer(self):
        return self

    def write(self, text):
        return super().write(text.decode() if isinstance(text, bytes) else text)


class Page(html.parser.HTMLParser):
    """Parses a page, and checks that tags are closed in order and that it loads nothing from elsewhere."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.words, self.tags, self.links = [], set(), [], {}, []
        self.source = path.read_text(encoding="utf-8")
        self.feed(self.source)
        self.close()
        assert self.open == [], self.open
        self.text = " ".join(" ".join(self.words).split())
        missing = set(re.findall(r'(?:xlink:href="#|url\(#)([^")]+)', self.source)) - self.ids
        assert not missing, missing

    def handle_starttag(self, tag, attributes):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            if name == "id":
                assert value not in self.ids, f"id {value} twice"
                self.ids.add(value)
            if tag == "a" and name == "href":
                self.links.append(value)
            elif name in ("src", "href") or (name == "xlink:href" and not value.startswith("#")):
                assert value.startswith(("data:", "#")), (tag, value)
        assert tag not in ("script", "iframe", "object", "link"), tag

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (self.open[-3:], tag)
        self.open.pop()

    def handle_data(self, data):
        if not self.open or self.open[-1] != "style":
            self.words.append(data)


def table_of(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return {name: [row[k] for row in rows[1:]] for k, name in enumerate(rows[0])}


def number(text):
    return float(text)


class Pages(unittest.TestCase):
    """Each test has a folder of its own, with copies of runs that were made once."""

    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory(prefix="report pages ")
        cls.made = pathlib.Path(cls.home.name)
        run(BIN / "tessera", "run", CASES / "melt.toml", "--backend", "serial", "--quiet", "--out", cls.made / "melt",
            "--set", "run.steps=400", "--set", "thermo.every=5", "--set", "trajectory.every=100")
        run(BIN / "tessera", "run", CASES / "channel.toml", "--backend", "serial", "--quiet", "--out",
            cls.made / "channel", "--set", "run.turns=4", "--set", "bunch.particles=2000")

    @classmethod
    def tearDownClass(cls):
        cls.home.cleanup()

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pages ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def copied(self, name):
        return pathlib.Path(shutil.copytree(self.made / name, self.folder / name))

    def reported(self, folder, *words):
        report(folder, *words)
        return self.page_of(folder)

    def page_of(self, folder):
        page = Page(folder / "report.html")
        index = json.loads((folder / "report_data/report.json").read_text())
        self.assertEqual(page.tags.get("figure", 0), len(index["figures"]))
        self.assertEqual(page.tags.get("svg", 0), len(index["figures"]))
        for figure in index["figures"]:
            self.assertIn(f"report_data/{figure['file']}", page.links)
            self.assertTrue((folder / "report_data" / figure["file"]).is_file())
            for axis in ("x", "y"):
                self.assertIn(figure[axis], page.text)
        self.assertEqual(sorted(p.name for p in (folder / "report_data").iterdir()),
                         sorted([*index["files"], "report.json"]))
        return page, index

    def same_columns(self, made, written, expected_names):
        """Checks that the columns in the data of a figure have every digit of those of the run."""
        made, written = table_of(made), table_of(written)
        self.assertEqual(set(made), set(expected_names))
        for name, column in made.items():
            self.assertEqual(len(column), len(written[name]), name)
            for a, b in zip(column, written[name]):
                if name != "name":
                    a, b = number(a), number(b)
                self.assertTrue(a == b or (a != a and b != b), (name, a, b))

    def refused(self, *words, message, cwd=None):
        done = report(*words, code=2, cwd=cwd or self.folder)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("tessera-report: "), done.stderr)
        self.assertRegex(done.stderr, message)
        self.assertEqual(done.stdout, "")

    # Molecular dynamics.

    def test_melt(self):
        folder = self.copied("melt")
        page, index = self.reported(folder)
        data = folder / "report_data"
        energy = [f"{name}_energy [epsilon]" for name in ("potential", "kinetic", "total")]
        self.same_columns(data / "energies.csv", folder / "thermo.csv", ["step", "time [tau]", *energy])
        self.same_columns(data / "conservation.csv", folder / "thermo.csv", ["step", "time [tau]", energy[2]])
        self.same_columns(data / "temperature.csv", folder / "thermo.csv",
                          ["step", "time [tau]", "temperature [epsilon/kB]"])
        self.same_columns(data / "pressure.csv", folder / "thermo.csv",
                          ["step", "time [tau]", "pressure [epsilon/sigma^3]"])
        numbers = next(s for s in index["sections"] if s["title"] == "Thermodynamics")["numbers"]
        thermo = {name: np.array(column, float) for name, column in table_of(folder / "thermo.csv").items()}
        late = thermo["step"] >= 200
        self.assertEqual((numbers["rows"], numbers["averaged_rows"]), (81, 41))
        for name, column in (("temperature", "temperature [epsilon/kB]"), ("pressure", "pressure [epsilon/sigma^3]"),
                             ("total_energy", "total_energy [epsilon]")):
            values, found = thermo[column][late], numbers["averages"][name]
            self.assertAlmostEqual(found["mean"] / values.mean(), 1, delta=1e-12)
            self.assertAlmostEqual(found["deviation"] / values.std(ddof=1), 1, delta=1e-9)
            self.assertGreaterEqual(found["error"] * 1.0000001, values.std(ddof=1) / math.sqrt(len(values)))
        for drift, rows in zip(numbers["drifts"], (late, late | True)):
            slope, _ = np.polyfit(thermo["step"][rows], thermo["total_energy [epsilon]"][rows], 1)
            self.assertAlmostEqual(drift["per_step"] / slope, 1, delta=1e-7)
            change = slope * (thermo["step"][rows][-1] - thermo["step"][rows][0])
            self.assertAlmostEqual(drift["relative"] / (change / abs(thermo["total_energy [epsilon]"][rows].mean())), 1,
                                   delta=1e-7)
        summary = json.loads((folder / "summary.json").read_text())
        for words in ("Lennard-Jones melt", "completed", "500", "Averages", "Drift of the total energy",
                      "Pair distribution", "md/pair_force", summary["selected"]["md/pair_force"],
                      summary["fingerprint"]["compiler"],
                      "ε/σ³", "first in the default order", "output and the rest", "[pair]", "cutoff = 2.5"):
            self.assertIn(words, page.text)

    def test_structure_of_the_last_frames(self):
        """Compares g(r) of the last frames with pairs that are counted one by one."""
        folder = self.copied("melt")
        _, index = self.reported(folder, "--frames", "2")
        numbers = next(s for s in index["sections"] if s["title"] == "Structure")["numbers"]
        self.assertEqual((numbers["steps"], numbers["atoms"], numbers["centres"]), ([300, 400], 500, 1000))
        made = {name: np.array(column, float) for name, column in
                table_of(folder / "report_data/pair_distribution.csv").items()}
        lines = (folder / "trajectory.xyz").read_text().splitlines()
        frames = [np.array([row.split()[1:4] for row in lines[k:k + 500]], float) for k in (3 * 502 + 2, 4 * 502 + 2)]
        box = float(lines[1].split('"')[1].split()[0])
        r, bins = made["r [sigma]"], len(made["g"])
        self.assertAlmostEqual(r[1] - r[0], numbers["r_max"] / bins)
        counts = 0
        for p in frames:
            d = p[None] - p[:, None]
            d = np.sqrt(((d - box * np.rint(d / box))**2).sum(2))[~np.eye(500, dtype=bool)]
            counts = counts + np.histogram(d, bins, (0, numbers["r_max"]))[0]
        edges = np.linspace(0, numbers["r_max"], bins + 1)
        expected = counts / (4 / 3 * np.pi * np.diff(edges**3)) / 1000 / (500 / box**3)
        self.assertGreater(expected.max(), 2)
        np.testing.assert_allclose(made["g"], expected, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(made["neighbors within r"], np.cumsum(counts) / 1000, rtol=1e-12)
        profile = {name: np.array(column, float) for name, column in
                   table_of(folder / "report_data/density.csv").items()}
        for k, axis in enumerate("xyz"):
            places, density = profile[f"{axis} [sigma]"], profile[f"density along {axis} [1/sigma^3]"]
            expected = sum(np.histogram(p[:, k] % box, len(places), (0, box))[0] for p in frames)
            np.testing.assert_allclose(density, expected / 2 / (box**3 / len(places)), rtol=1e-9)
            np.testing.assert_allclose(places, (np.arange(len(places)) + 0.5) * box / len(places), rtol=1e-12)

    def test_averages_from_a_step_on(self):
        folder = self.copied("melt")
        _, index = self.reported(folder, "--from", "300")
        numbers = next(s for s in index["sections"] if s["title"] == "Thermodynamics")["numbers"]
        self.assertEqual(numbers["averaged_rows"], 21)
        numbers = next(s for s in index["sections"] if s["title"] == "Structure")["numbers"]
        self.assertEqual(numbers["steps"], [300, 400])
        page, _ = self.reported(folder, "--from", "1000")
        self.assertIn("No row lies in the steps", page.text)

    def test_timings(self):
        folder = self.copied("melt")
        self.reported(folder)
        made = table_of(folder / "report_data/timings.csv")
        summary = json.loads((folder / "summary.json").read_text())
        self.assertEqual(made["operation"][:-1], [t["operation"] for t in summary["timings"]])
        self.assertEqual([number(v) for v in made["seconds"][:-1]], [t["seconds"] for t in summary["timings"]])
        self.assertAlmostEqual(sum(map(number, made["seconds"])), summary["seconds"])

    # Beams.

    def test_channel(self):
        folder = self.copied("channel")
        page, index = self.reported(folder)
        data = folder / "report_data"
        place = ["step", "turn", "element", "name", "path [m]"]
        for figure, names in (("envelope", ["deviation_x [m]", "deviation_y [m]"]),
                              ("emittance", ["normalised_emittance_x [m]", "normalised_emittance_y [m]"]),
                              ("particles", ["alive", "outside", "lost"]), ("momentum", ["deviation_dpop"]),
                              ("extent", [f"{end}_{p} [m]" for p in "xy" for end in ("least", "greatest")])):
            self.same_columns(data / f"{figure}.csv", folder / "statistics.csv", [*place, *names])
        losses = table_of(folder / "losses.csv")["name"]
        self.assertGreater(len(losses), 10)
        made = table_of(data / "losses_by_element.csv")
        self.assertEqual(dict(zip(made["element"], map(int, made["lost"]))),
                         {name: losses.count(name) for name in set(losses)})
        statistics = table_of(folder / "statistics.csv")
        emittance = list(map(number, statistics["normalised_emittance_x [m]"]))
        growth = emittance[-1] / emittance[0]
        for words in ("FODO channel", "Envelope", "Normalised emittances", "Where particles were lost",
                      f"{100 * (growth - 1):+.2f} %".replace("-", "−"), "pic/transport"):
            self.assertIn(words, page.text)
        self.assertEqual(next(s for s in index["sections"] if s["title"] == "Beam")["numbers"]["lost"]["last"],
                         len(losses))

    # Tuning and timings.

    def landscape(self):
        rows = [[[4, 0.1], ["measured", 2e-3, 0.02, 1e-4, 10.0, 5]],
                [[8, 0.1], ["measured", 1e-3, 0.01, 1e-4, None, 5]], [[4, 0.2], ["wrong", "off by <1>"]],
                [[8, 0.2], ["unmeasured", ""]], [[16, 0.2], ["measured", 4e-3, 0, 0, 9.0, 5]]]
        return {"schema": "tessera.landscape/1", "operation": "md/pair_force", "precision": "double",
                "input": "melt 500", "items": 500.0, "device": "a device & more", "architecture": "x",
                "backend": "serial", "build": "0.1.0", "date": "2026-01-01T00:00:00Z", "strategy": "random", "key": {},
                "refused": [["cuda.list", "no GPU", 3, 4]], "order": [0, 4, 2, 1],
                "compared": [[1, [0.4, 0.5, 0.7]], [0, [1.0, 1.1, 0.9]]],
                "candidates": [{"implementation": "openmp.cluster", "parameters": ["lanes", "skin"], "rows": rows}]}

    def test_landscape(self):
        path = self.folder / "all.json"
        path.write_text(json.dumps(self.landscape()))
        report(path)
        page = Page(self.folder / "all.html")
        data = self.folder / "all_data"
        made = table_of(data / "landscape_1_best_so_far.csv")
        self.assertEqual(made["candidate"], ["0", "4", "2", "1"])
        self.assertEqual([number(v) for v in made["best"]], [0.5, 0.5, 0.5, 1.0])
        self.assertEqual([made["speed"][k] for k in (0, 1, 2)], ["0.5", "0.25", "nan"])
        made = table_of(data / "landscape_1_lanes.csv")
        self.assertEqual((made["lanes"], list(map(number, made["seconds"]))), (["4", "8", "16"], [2e-3, 1e-3, 4e-3]))
        made = table_of(data / "landscape_1_comparison.csv")
        self.assertEqual([number(made[c][0]) for c in ("median", "lower quartile", "upper quartile")], [0.5, 0.45, 0.6])
        made = table_of(data / "landscape_1_candidates.csv")
        self.assertEqual(made["outcome"], ["measured", "measured", "wrong", "measured"])
        self.assertEqual(made["evaluation"], ["1", "4", "3", "2"])
        for words in ("a device & more", "Best so far", "off by <1>", "no GPU", "3 of 4",
                      "4 of 5 measured, 1 rejected"):
            self.assertIn(words, page.text)
        # Landscapes may call parameters by either name, and a folder may hold several.
        other = self.landscape()
        table = other["candidates"][0]
        table["knobs"] = table.pop("parameters")  # as earlier versions wrote it
        table["rows"][3][1][0] = "unknown"
        (self.folder / "more.json").write_text(json.dumps(other))
        report(self.folder)
        self.assertTrue((self.folder / "report_data/landscape_2_lanes.csv").is_file())

    def test_landscapes_that_are_wrong(self):
        def changed(**fields):
            (self.folder / "l.json").write_text(json.dumps({**self.landscape(), **fields}))
        for fields, words in (({"order": [7]}, "order = '7', expected the number of a candidate"),
                              ({"operation": 3}, "operation = '3', expected a text"),
                              ({"candidates": 3}, "candidates"),
                              ({"candidates": [{"implementation": "a"}]}, "candidates"),
                              ({"candidates": [{"implementation": "a", "knobs": [],
                                                "rows": [[[], ["measured", "fast"]]]}]}, "candidates"),
                              ({"compared": [[0, ["x"]]]}, "compared"),
                              ({"schema": "tessera.landscape/9"}, "landscape")):
            with self.subTest(fields=fields):
                changed(**{k: v for k, v in fields.items()})
                self.refused("l.json", message=f"l.json: .*{words}|{words}.*l.json")
        changed(candidates=[], order=[], compared=[])
        report(self.folder / "l.json")
        self.assertIn("No candidate was measured", Page(self.folder / "l.html").text)

    def test_search_and_bench_of_the_program(self):
        done = run(BIN / "tessera", "tune", "--operation", "sum", "--size", "1000", "--size", "2000", "--backend",
                   "serial", "--budget", "12",
                   "--landscape", "found here/", cwd=self.folder)
        self.assertIn("report: tessera-report 'found here/'\n", done.stdout)
        self.assertEqual(len(list((self.folder / "found here").glob("*.json"))), 2)
        report(self.folder / "found here")
        page = Page(self.folder / "found here/report.html")
        self.assertIn("reduction/sum in double", page.text)
        for option in ("--report", "--read"):
            refusal = run(BIN / "tessera", "tune", option, "x.html", code=2)
            self.assertIn("tessera-report", refusal.stderr)
        done = run(BIN / "tessera", "bench", "--operation", "extrema", "--implementation", "serial.portable",
                   "--precision", "double", "--size", "1000", "--size", "4000", "--repeat", "2", "--json")
        path = self.folder / "bench.json"
        path.write_text(done.stdout)
        report(path)
        page = Page(self.folder / "bench.html")
        results = json.loads(done.stdout)["results"]
        speeds = []
        for file in (self.folder / "bench_data").glob("*.csv"):
            for name, column in table_of(file).items():
                if name.startswith("items/s"):
                    speeds += map(number, column)
        self.assertEqual(sorted(speeds), sorted(r["items_per_second"] for r in results))
        self.assertIn("reduction/extrema", page.text)

    def test_bench_of_one_size(self):
        row = {"operation": "md/wrap", "implementation": "serial.portable", "precision": "double", "input": "gas",
               "size": 10, "item": "atoms", "seconds": 1e-6, "seconds_shortest": 0.9e-6, "seconds_longest": 2e-6,
               "items_per_second": 1e7}
        slow = {**row, "implementation": "reference", "items_per_second": 1e6}
        data = {"schema": "tessera.bench/1", "results": [row, slow]}
        path = self.folder / "b.json"
        path.write_text(json.dumps(data))
        report(path)
        made = table_of(self.folder / "b_data/md_wrap_double_gas.csv")
        self.assertEqual(made["implementation"], ["serial.portable", "reference"])
        self.assertEqual(made["items per second"], ["10000000", "1000000"])
        self.assertAlmostEqual(number(made["slowest sample"][0]), 5e6)
        data["results"][0]["seconds"] = 0
        path.write_text(json.dumps(data))
        self.refused(path, message=r"b\.json: results\[0\]\.seconds: expected a number greater than 0")

    def test_database_and_results(self):
        record = {"operation": "md/pair_force", "precision": "mixed", "input": "melt 4000",
                  "best": [{"implementation": "openmp.cluster", "knobs": {"lanes": 8}, "seconds": 1e-3,
                            "gains": [1.8, 2.2]}],
                  "untuned": {"seconds": 2e-3}, "kept_default": False}
        path = self.folder / "tuning.json"
        path.write_text(json.dumps({"schema": 1, "records": [record, {"operation": "x"}]}))
        report(path)
        made = table_of(self.folder / "tuning_data/gains.csv")
        self.assertEqual([number(made[c][0]) for c in ("gain", "lower end", "upper end")], [2, 1.8, 2.2])
        self.assertIn("1 records without times", Page(self.folder / "tuning.html").text)
        path.write_text(json.dumps([{"operation": "md/wrap", "gain": 1.5, "gain_interval": [1.4, None],
                                     "implementation": "a", "knobs": {}}]))
        report(path)
        self.assertEqual(number(table_of(self.folder / "tuning_data/gains.csv")["gain"][0]), 1.5)

    # Errors.

    def test_paths_that_are_none_of_a_run(self):
        self.copied("melt")
        (self.folder / "empty").mkdir()
        self.refused("nowhere", message="nowhere: there is no such file or folder")
        self.refused("empty", message="empty: expected the folder of a run, with run.json or summary.json")
        self.refused(".", message="those of melt in it are")
        (self.folder / "words.json").write_text("half {")
        self.refused("words.json", message=r"words\.json:1: .*expected JSON")
        self.refused("melt/summary.json", message="expected a landscape, a tuning database")
        self.refused("melt", "melt", message="a page has one run")
        self.refused("melt", "--frames", "0", message="--frames 0: expected a whole number greater than zero")
        self.refused("melt", "--out", "words.json/page.html", message="cannot be made: .*--out names another place")
        (self.folder / "bad\nname").mkdir()
        self.refused("bad\nname", message=r"bad\\x0aname")

    def test_out(self):
        self.copied("melt")
        report("melt", "--out", "page of it.html", cwd=self.folder)
        page = Page(self.folder / "page of it.html")
        self.assertIn("page%20of%20it_data/energies.csv", page.links)
        self.assertTrue((self.folder / "page of it_data/energies.csv").is_file())
        self.assertFalse((self.folder / "melt/report.html").exists())
        (self.folder / "pages").mkdir()
        report("melt", "--out", "pages", cwd=self.folder)
        self.assertTrue((self.folder / "pages/report.html").is_file())

    def test_a_report_is_written_anew(self):
        folder = self.copied("melt")
        self.reported(folder)
        self.assertTrue((folder / "report_data/density.csv").is_file())
        (folder / "report_data/mine.csv").write_text("kept")
        (folder / "trajectory.xyz").unlink()
        (folder / "report.html").write_text("old")
        report(folder)
        self.assertNotIn("density.csv", Page(folder / "report.html").source)
        self.assertFalse((folder / "report_data/density.csv").exists())
        self.assertEqual((folder / "report_data/mine.csv").read_text(), "kept")
        self.assertEqual([p.name for p in folder.iterdir() if p.suffix == ".part"], [])

    def test_names_that_are_html(self):
        title = "<script>alert(1)</script> & \"it's\" $x_1$ \\frac"
        name = "a <b> & 'c' $d$"
        done = run(BIN / "tessera", "run", CASES / "channel.toml", "--backend", "serial", "--out", name, "--set",
                   "run.turns=1", "--set", "bunch.particles=1000", "--set", f"title={json.dumps(title)}", "--set",
                   "lattice.element.0.name=\"<i>$q$\"", cwd=self.folder)
        # The last line of the run can be pasted into a shell.
        command = re.search(r"^report: (tessera-report .*)\Z", done.stdout.rstrip(), re.M)[1]
        path = f"{pathlib.Path(sys.executable).parent}:{BIN}:{ENVIRONMENT['PATH']}"
        subprocess.run(["bash", "-c", command], cwd=self.folder, env={**ENVIRONMENT, "PATH": path}, check=True,
                       capture_output=True)
        page, _ = self.page_of(self.folder / name)
        self.assertIn(title, page.text)
        self.assertIn(name, page.text)
        self.assertNotIn("<script", page.source)
        self.assertNotIn("<i>", page.source)
        self.assertIn("<i>$q$", (self.folder / name / "report_data/envelope.csv").read_text())

    def wait_for(self, path, size):
        until = time.monotonic() + 120
        while not path.is_file() or path.stat().st_size < size:
            self.assertLess(time.monotonic(), until, f"{path} does not grow")
            time.sleep(0.05)

    def test_a_run_that_was_ended(self):
        for how in ("running", "ended"):
            process = subprocess.Popen([BIN / "tessera", "run", CASES / "melt.toml", "--backend", "serial", "--quiet",
                                        "--out", "killed", "--overwrite", "--set", "run.steps=100000000", "--set",
                                        "thermo.every=2", "--set", "trajectory.every=20"], cwd=self.folder,
                                       env=ENVIRONMENT)
            folder = self.folder / "killed"
            try:
                self.wait_for(folder / "trajectory.xyz", 300_000)
                if how == "ended":
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                page, index = self.reported(folder)
            finally:
                process.kill()
                process.wait()
            self.assertEqual(index["state"], how)
            self.assertIn("not at its end yet" if how == "running" else "was ended before", page.text)
            self.assertIn("Pair distribution", page.text)
            self.assertIn("cells = [5, 5, 5]", page.text)
            self.assertNotIn("Time by operation", page.text)

    def test_a_run_that_stopped(self):
        run(BIN / "tessera", "run", CASES / "melt.toml", "--backend", "serial", "--quiet", "--out", "blown", "--set",
            "run.time_step=0.5", "--set", "thermo.every=1", code=1, cwd=self.folder)
        page, index = self.reported(self.folder / "blown")
        self.assertEqual(index["state"], "stopped")
        self.assertIn("the time step 0.500000 is too long", page.text)

    def test_thermo_that_is_not_whole(self):
        folder = self.copied("melt")
        lines = (folder / "thermo.csv").read_text().splitlines(keepends=True)
        for text, words in (("", "thermo.csv is empty"), (lines[0][:-1], "no complete first line"),
                            (lines[0], "no complete row"), ("".join(lines[:2]), "Errors need"),
                            ("".join(lines[:5]), "Errors need"),
                            ("".join(lines)[:-9], "the row is not complete and is left out"),
                            ("".join([*lines[:3], "garbage\n", *lines[3:]]), "line 4: 1 values, expected 16")):
            with self.subTest(words=words):
                (folder / "thermo.csv").write_text(text)
                page, _ = self.reported(folder)
                self.assertIn(words, page.text)

    def test_values_that_are_no_numbers(self):
        folder = self.copied("melt")
        rows = [line.split(",") for line in (folder / "thermo.csv").read_text().splitlines()]
        place = rows[0].index("temperature [epsilon/kB]")
        for k, value in ((50, "nan"), (60, "-inf"), (70, "1e308")):
            rows[k][place] = value
        good = [float(row[place]) for k, row in enumerate(rows) if k > 0 and float(row[0]) >= 200
                and k not in (50, 60, 70)]
        (folder / "thermo.csv").write_text("\n".join(map(",".join, rows)) + "\n")
        page, index = self.reported(folder)
        self.assertIn("temperature is not finite, or too large, in 3 of 81 rows", page.text)
        numbers = next(s for s in index["sections"] if s["title"] == "Thermodynamics")["numbers"]
        self.assertAlmostEqual(numbers["averages"]["temperature"]["mean"], np.mean(good))
        self.same_columns(folder / "report_data/temperature.csv", folder / "thermo.csv",
                          ["step", "time [tau]", "temperature [epsilon/kB]"])
        for row in rows[1:]:
            row[2:] = ["nan"] * len(row[2:])
        (folder / "thermo.csv").write_text("\n".join(map(",".join, rows)) + "\n")
        self.reported(folder)
        # A beam of which every particle was lost.
        folder = self.copied("channel")
        rows = [line.split(",") for line in (folder / "statistics.csv").read_text().splitlines()]
        for row in rows[-5:]:
            row[11:] = ["nan"] * len(row[11:])
        (folder / "statistics.csv").write_text("\n".join(map(",".join, rows)) + "\n")
        page, _ = self.reported(folder)
        self.assertIn("curves have gaps there", page.text)

    def test_summary_that_is_not_whole(self):
        folder = self.copied("melt")
        whole = (folder / "summary.json").read_text()
        for text, words in ((whole[:500], "summary.json:"), ("[]", "expected 'tessera.summary/1'"),
                            ("\0" * 100, "summary.json:"), ("[" * 100000, "summary.json:"),
                            ("{}", "expected 'tessera")):
            with self.subTest(words=words):
                (folder / "summary.json").write_text(text)
                page, index = self.reported(folder)
                self.assertIn(words, page.text)
                self.assertEqual(index["state"], "ended")
                self.assertIn("Temperature", page.text)
        # Each value of the summary may be of any kind.
        data = json.loads(whole)
        (folder / "trajectory.xyz").unlink()
        for key in data:
            for value in (None, 3, "text", [], {}, [3], {"a": 3}, True, 1e308, ["x", None]):
                if key != "schema":
                    (folder / "summary.json").write_text(json.dumps({**data, key: value}))
                    self.assertEqual(self.quick(folder), 0, (key, value))
        (folder / "summary.json").unlink()
        files = ["../out.csv", 3, "", "/etc/passwd", "thermo.csv", "a\0b"]
        for text in ("{}", json.dumps({"schema": "tessera.run/1", "files": files, "case": 3})):
            (folder / "run.json").write_text(text)
            self.assertEqual(self.quick(folder), 0)
        # A record names no file outside of the folder.
        shutil.move(folder / "thermo.csv", self.folder / "out.csv")
        self.assertEqual(self.quick(folder), 0)
        index = json.loads((folder / "report_data/report.json").read_text())
        self.assertNotIn("Thermodynamics", [section["title"] for section in index["sections"]])

    def quick(self, folder):
        """Writes the data of a report without drawing."""
        program.write_data(program.make_report(program.options_of([str(folder)])), folder / "report_data")
        return 0

    def test_modules_that_are_missing(self):
        folder = self.copied("melt")
        self.reported(folder)
        whole = {p.name: p.read_text() for p in (folder / "report_data").iterdir()}
        (folder / "report.html").unlink()
        # Without the modules that were installed.
        done = report_program(folder, code=2, python=(sys.executable, "-S", "-E"))
        self.assertEqual(done.stderr.count("\n"), 1)
        for words in ("has no matplotlib and no jinja2", "apt-get install python3-matplotlib python3-jinja2",
                      "pip install matplotlib Jinja2", f"the data are in {folder}"):
            self.assertIn(words, done.stderr)
        self.assertFalse((folder / "report.html").exists())
        for name, before in whole.items():
            if name == "pair_distribution.csv":  # around fewer atoms
                highest = max(number(row.split(",")[1]) for row in before.splitlines()[1:])
                found = max(map(number, table_of(folder / "report_data" / name)["g"]))
                self.assertLess(abs(found - highest), 0.3)
            elif name != "report.json":
                self.assertEqual((folder / "report_data" / name).read_text(), before, name)

    def test_a_program_that_was_moved(self):
        """The package may be in any folder, and the program may be called through a link."""
        there = self.folder / "some where"
        (there / "bin").mkdir(parents=True)
        shutil.copy(BIN / "tessera-report", there / "bin")
        shutil.copytree(BIN.parent / "share/tessera/report", there / "share/tessera/report")
        (self.folder / "link").symlink_to(there / "bin/tessera-report")
        folder = self.copied("melt")
        run(sys.executable, self.folder / "link", folder)
        Page(folder / "report.html")
        shutil.rmtree(there / "share")
        self.assertIn("expected the modules of this program", run(sys.executable, self.folder / "link", code=1).stderr)

    def test_help(self):
        text = report_program("--help").stdout
        for words in ("PATH", "--out", "--from", "--frames", "matplotlib"):
            self.assertIn(words, text)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
