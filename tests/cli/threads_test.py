#!/usr/bin/env python3
"""Tests numbers of threads, their waiting, and devices by number: threads_test.py TESSERA CASE.toml"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

TESSERA, CASE = map(os.path.abspath, sys.argv[1:3])
POLICIES = ("OMP_NUM_THREADS", "OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY")


def environment(**variables):
    """Returns the environment with `variables`, without other variables that determine how threads wait."""
    return {k: v for k, v in os.environ.items() if k not in POLICIES} | variables


class ThreadsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        backends = subprocess.run([TESSERA, "info", "--json"], capture_output=True, text=True, check=True).stdout
        self.openmp = any(b["name"] == "openmp" and b.get("available", True) for b in json.loads(backends)["backends"])

    def run_case(self, *more, **variables):
        return subprocess.run([TESSERA, "run", CASE, "--json", "--overwrite", "--out", str(self.folder / "out"),
                               "--set", "run.steps=2", *more], capture_output=True, text=True,
                              env=environment(**variables))

    def summary(self, *more, **variables):
        done = self.run_case(*more, **variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_serial_runs_on_one_thread_unless_told_otherwise(self):
        selected = self.summary("--backend", "serial")["selected"]
        self.assertEqual({name.split(".")[0] for name in selected.values()}, {"serial"})
        if self.openmp:
            selected = self.summary("--backend", "serial", "--select", "sum=openmp.portable")["selected"]
            self.assertEqual(selected["reduction/sum"], "openmp.portable")

    def test_threads(self):
        if not self.openmp:
            self.skipTest("no OpenMP in this build")
        for number in (1, 3):
            for words in (("--threads", str(number)), (f"--threads={number}",)):
                device = self.summary("--backend", "openmp", *words, OMP_NUM_THREADS="2")["device"]
                self.assertEqual(device["concurrency"], number)
        self.assertEqual(self.summary("--backend", "openmp", OMP_NUM_THREADS="2")["device"]["concurrency"], 2)
        for wrong in ("0", "-1", "4097", "two", "1e1", "99999999999999999999"):
            done = self.run_case("--threads", wrong)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn("--threads", done.stderr)

    def test_threads_that_are_bound(self):
        """The OpenMP runtime of GCC binds the first thread before main(); a program that restarts itself must still use
        all processors."""
        processors = len(os.sched_getaffinity(0))
        if not self.openmp or processors < 2:
            self.skipTest("no OpenMP in this build, or one processor")
        first_two = {"OMP_PLACES": "{0}:2"} if {0, 1} <= os.sched_getaffinity(0) else {}
        for places in ({}, {"OMP_PLACES": "threads"}, first_two):
            device = self.summary("--backend", "openmp", OMP_PROC_BIND="spread", **places)["device"]
            expected = 2 if places.get("OMP_PLACES") == "{0}:2" else processors
            self.assertEqual(device["concurrency"], expected, places)

    def test_workers_of_a_bound_program(self):
        if not self.openmp or len(os.sched_getaffinity(0)) < 2:
            self.skipTest("no OpenMP in this build, or one processor")
        lines = self.folder / "lines"
        lines.write_text(json.dumps({"operation": "sum", "implementation": "openmp.portable", "input": "moments",
                                     "size": 1000000, "samples": 100000}) + "\n")
        process = subprocess.Popen([TESSERA, "trial", "--workers", "1", "--timeout", "60", lines],
                                   env=environment(OMP_PROC_BIND="spread"), stdout=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        end = time.monotonic() + 30
        threads = 0
        while threads < 2 and time.monotonic() < end:
            self.assertIsNone(process.poll())
            time.sleep(0.05)
            try:
                children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
                threads = max((len(os.listdir(f"/proc/{child}/task")) for child in children), default=0)
            except OSError:
                pass  # the program is restarting itself
        self.assertGreaterEqual(threads, 2)

    def test_threads_spin_shortly_unless_told_otherwise(self):
        if not self.openmp:
            self.skipTest("no OpenMP in this build")
        libraries = subprocess.run(["ldd", TESSERA], capture_output=True, text=True, check=True).stdout
        llvm = "libomp.so" in libraries or "libiomp5.so" in libraries
        unless_told, told = (({"KMP_BLOCKTIME": "0"}, ({"KMP_BLOCKTIME": "7"}, {"KMP_LIBRARY": "turnaround"})) if llvm
                             else ({"GOMP_SPINCOUNT": "1000"}, ({"GOMP_SPINCOUNT": "7"},)))
        for variables, expected in (({}, unless_told), *((t, t) for t in ({"OMP_WAIT_POLICY": "active"}, *told))):
            process = subprocess.Popen([TESSERA, "run", CASE, "--quiet", "--overwrite", "--out",
                                        str(self.folder / "out"), "--set", "run.steps=100000000"],
                                       env=environment(**variables))
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            end = time.monotonic() + 60
            while not (self.folder / "out/thermo.csv").exists():
                self.assertLess(time.monotonic(), end)
                time.sleep(0.01)
            words = pathlib.Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0")
            seen = dict(word.decode().split("=", 1) for word in words if b"=" in word)
            self.assertEqual({k: v for k, v in seen.items() if k in POLICIES}, expected)
            process.kill()
            process.wait()
            (self.folder / "out/thermo.csv").unlink()

    def test_nothing_is_said_of_waiting(self):
        """The library warns of spinning threads, but not in the command line, which prevents spinning."""
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in os.sched_getaffinity(0)]
        try:
            for words in (["list", "--operation", "sum"], ["info"]):
                done = subprocess.run([TESSERA, *words], capture_output=True, text=True, env=environment())
                self.assertEqual((done.returncode, done.stderr), (0, ""))
        finally:
            for process in busy:
                process.kill()
                process.wait()

    def test_devices_by_number(self):
        self.assertEqual(self.summary("--backend", "serial", "--device", "0")["backend"], "serial")
        done = self.run_case("--backend", "serial", "--device", "1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("backend serial has no device 1: there is one, number 0", done.stderr)
        for command in ("verify", "bench"):
            words = [TESSERA, command, "--operation", "sum", "--backend", "serial", "--device"]
            done = subprocess.run([*words, "7"], capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("has no device 7", done.stderr)
        # The oracle has no device.
        for choice in (["--backend", "serial"], ["--implementation", "reference"]):
            done = subprocess.run([TESSERA, "verify", "--operation", "sum", *choice, "--device", "0"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
