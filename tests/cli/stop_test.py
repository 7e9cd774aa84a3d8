#!/usr/bin/env python3
"""Tests runs that end before their last step: stop_test.py TESSERA CASE.toml"""

import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import restart_file

TESSERA, CASE = map(os.path.abspath, sys.argv[1:3])


class StopTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def command(self, out, *more, steps=100_000_000):
        return [TESSERA, "run", CASE, "--backend", "serial", "--quiet", "--out", str(self.folder / out),
                "--set", f"run.steps={steps}", "--set", "thermo.every=10", *more]

    def start(self, out, *more, **options):
        """Starts a run, and returns its process when it has written rows."""
        process = subprocess.Popen(self.command(out, *more), stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        end = time.monotonic() + 60
        while not self.rows(out):
            self.assertIsNone(process.poll(), "the run ended by itself")
            self.assertLess(time.monotonic(), end, "no rows after a minute")
            time.sleep(0.01)
        return process

    def rows(self, out):
        try:
            return (self.folder / out / "thermo.csv").read_text().splitlines()[1:]
        except FileNotFoundError:
            return []

    def summary(self, out):
        return json.loads((self.folder / out / "summary.json").read_text())

    def finish(self, process):
        _, errors = process.communicate(timeout=60)
        return errors

    def test_a_signal_ends_the_run_in_order(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                out = number.name
                process = self.start(out)
                process.send_signal(number)
                errors = self.finish(process)
                self.assertEqual(process.returncode, 128 + number)
                summary = self.summary(out)
                restart = self.folder / out / "restart.tessera"
                self.assertEqual(errors, f"tessera: stopped by {number.name} after step {summary['steps']}; "
                                         f"--set system.restart={restart} continues from there\n")
                self.assertEqual(summary["status"], "stopped")
                self.assertEqual(summary["final"]["step"], summary["steps"])
                # Only rows that an uninterrupted run has too.
                self.assertTrue(all(int(row.split(",")[0]) % 10 == 0 for row in self.rows(out)))

    def test_what_was_stopped_goes_on_with_the_same_bits(self):
        process = self.start("stopped")
        process.terminate()
        self.finish(process)
        at = self.summary("stopped")["steps"]
        more = 37
        restart = "restart.tessera"
        subprocess.run(self.command("on", "--set", f"system.restart={self.folder / 'stopped' / restart}",
                                    "--set", f"restart.every={at + more}", steps=more), check=True)
        # The uninterrupted run writes a restart file at the same step, because writing one rebuilds the lists.
        subprocess.run(self.command("through", "--set", f"restart.every={at}", steps=at), check=True)
        self.assertEqual(restart_file.state(self.folder / "through" / restart),
                         restart_file.state(self.folder / "stopped" / restart))
        subprocess.run(self.command("through_on", "--set",
                                    f"system.restart={self.folder / 'through' / restart}",
                                    "--set", f"restart.every={at + more}", steps=more), check=True)
        self.assertEqual(restart_file.state(self.folder / "through_on" / restart),
                         restart_file.state(self.folder / "on" / restart))

    def test_a_signal_that_is_ignored_stays_ignored(self):
        process = self.start("nohup", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        before = len(self.rows("nohup"))
        end = time.monotonic() + 60
        while len(self.rows("nohup")) < before + 5:
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        process.terminate()
        self.finish(process)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)

    def test_a_second_signal_ends_at_once(self):
        # A step of the plain loops over 4,000 atoms takes longer than sending two signals.
        process = self.start("twice", "--set", "system.cells=[10, 10, 10]", "--select", "pair_force=reference",
                             "--set", "thermo.every=1")
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGINT)
        self.finish(process)
        self.assertIn(process.returncode, (-signal.SIGTERM, -signal.SIGINT))
        self.assertFalse((self.folder / "twice" / "summary.json").exists())

    def test_a_time_limit_ends_the_run_in_order(self):
        begin = time.monotonic()
        process = self.start("limit", "--time-limit", "0:01.5")
        errors = self.finish(process)
        self.assertGreater(time.monotonic() - begin, 1.4)
        self.assertEqual(process.returncode, 0)
        summary = self.summary("limit")
        self.assertEqual(summary["status"], "stopped")
        self.assertIn(f"stopped by its time limit of 1.5 s after step {summary['steps']};", errors)
        self.assertTrue((self.folder / "limit" / "restart.tessera").exists())

    def test_a_blow_up_is_told_even_if_its_restart_file_cannot_be_written(self):
        def small_files_only():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

        done = subprocess.run(self.command("blown", "--set", "run.time_step=0.5"), capture_output=True, text=True,
                              preexec_fn=small_files_only)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr,
                         r"^tessera: step \d+: atom \d+ moved .*; there is no restart file, .*File too large\n$")
        self.assertEqual(self.summary("blown")["status"], "stopped")

    def test_a_time_limit_is_a_time(self):
        for text in ("", "0", "-1", "soon", "1:60", "1:2:3:4", "1.5:00", "1e3", "nan", "inf", "1:", ":1", "1 "):
            with self.subTest(text):
                done = subprocess.run(self.command("bad", f"--time-limit={text}"), capture_output=True, text=True)
                self.assertEqual(done.returncode, 2)
                self.assertIn("--time-limit", done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)
                self.assertFalse((self.folder / "bad").exists())


if __name__ == "__main__":
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    unittest.main(argv=sys.argv[:1])
