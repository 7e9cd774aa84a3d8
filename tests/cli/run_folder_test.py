#!/usr/bin/env python3
"""Tests output folders of runs, and continued runs: run_folder_test.py TESSERA CASE.toml"""

import fcntl
import json
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

import restart_file

TESSERA, CASE = map(os.path.abspath, sys.argv[1:3])


class RunFolderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        shutil.copy(CASE, self.folder / "melt.toml")

    def command(self, *more, steps=20, case="melt.toml"):
        return [TESSERA, "run", case, "--backend", "serial", "--set", f"run.steps={steps}",
                "--set", "thermo.every=10", "--set", "trajectory.every=10", "--set", "restart.every=20", *more]

    def run_case(self, *more, **options):
        command = self.command("--quiet", *more, **options)
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True)

    def refused(self, *more, says, **options):
        done = self.run_case(*more, **options)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn(says, done.stderr)

    def fine(self, *more, **options):
        done = self.run_case(*more, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def steps(self, folder):
        rows = (self.folder / folder / "thermo.csv").read_text().splitlines()[1:]
        frames = (self.folder / folder / "trajectory.xyz").read_text().split("Step=")[1:]
        return [int(row.split(",")[0]) for row in rows], [int(frame.split()[0]) for frame in frames]

    def restart(self, folder="melt.out"):
        return "--set", f"system.restart={folder}/restart.tessera"

    def test_default_folders_count_up(self):
        for folder in ("melt.out", "melt-2.out", "melt-3.out"):
            self.fine()
            self.assertTrue((self.folder / folder / "summary.json").exists())
        self.fine("--overwrite")
        self.assertFalse((self.folder / "melt-4.out").exists())

    def test_a_run_without_fused_steps_says_why(self):
        done = subprocess.run(self.command(), cwd=self.folder, capture_output=True, text=True)
        told = re.search("^no fused steps: ('pair' makes none .*)$", done.stdout, re.MULTILINE)
        self.assertTrue(told, done.stdout)
        summary = json.loads((self.folder / "melt.out/summary.json").read_text())
        self.assertEqual(told[1], summary["no_fused_steps"])
        self.fine("--select", "pair_force=openmp.cluster", "--set", "thermo.every=100")
        self.assertNotIn("no_fused_steps", (self.folder / "melt-2.out/summary.json").read_text())

    def test_a_run_that_goes_on_has_each_row_and_frame_once(self):
        self.fine()
        self.fine(*self.restart())
        self.assertEqual(self.steps("melt.out"), ([0, 10, 20, 30, 40], [0, 10, 20, 30, 40]))
        # Continuing from an earlier restart file truncates thermo.csv and trajectory.xyz, also after an incomplete
        # frame.
        shutil.copy(self.folder / "melt.out/restart.tessera", self.folder / "melt.out/at_40")
        self.fine(*self.restart())
        whole = [(self.folder / "melt.out" / name).read_bytes() for name in ("thermo.csv", "trajectory.xyz")]
        state = restart_file.state(self.folder / "melt.out/restart.tessera")
        for name in ("thermo.csv", "trajectory.xyz"):
            path = self.folder / "melt.out" / name
            path.write_bytes(path.read_bytes()[:-30])
        self.fine("--set", "system.restart=melt.out/at_40")
        self.assertEqual(whole, [(self.folder / "melt.out" / name).read_bytes()
                                 for name in ("thermo.csv", "trajectory.xyz")])
        self.assertEqual(state, restart_file.state(self.folder / "melt.out/restart.tessera"))

    def test_a_run_that_goes_on_elsewhere_begins_with_where_it_is(self):
        self.fine()
        self.fine(*self.restart(), "--out", "on")
        self.assertEqual(self.steps("on"), ([20, 30, 40], [20, 30, 40]))
        # The run in `on` is a run of its own, so that the restart file of melt.out does not continue it.
        self.refused(*self.restart(), "--out", "on", says="contains files of another run")

    def test_streams_that_come_and_go(self):
        self.fine()
        self.fine(*self.restart(), "--set", "trajectory.every=0")
        self.assertEqual(self.steps("melt.out"), ([0, 10, 20, 30, 40], [0, 10, 20]))
        self.fine(*self.restart())
        self.assertEqual(self.steps("melt.out"), ([0, 10, 20, 30, 40, 50, 60], [0, 10, 20, 40, 50, 60]))
        (self.folder / "melt.out/trajectory.xyz").rename(self.folder / "kept.xyz")
        self.fine(*self.restart())
        self.assertEqual(self.steps("melt.out")[1], [70, 80])

    def test_streams_that_somebody_cut_are_refused(self):
        self.fine()
        for name in ("thermo.csv", "trajectory.xyz"):
            path = self.folder / "melt.out" / name
            text = path.read_bytes()
            path.write_bytes(text[:-1])
            self.refused(*self.restart(), says=f"{name}: it has")
            path.write_bytes(text)
        self.fine(*self.restart())

    def test_other_columns_are_refused_before_anything_is_cut(self):
        self.fine()
        path = self.folder / "melt.out/thermo.csv"
        path.write_text(path.read_text().replace("temperature", "temperatura") + "50,more\n")
        before = path.read_bytes()
        self.refused(*self.restart(), says="thermo.csv:1: columns")
        self.assertEqual(path.read_bytes(), before)

    def test_a_folder_with_another_run_is_refused(self):
        self.fine("--out", "a")
        (self.folder / "a/mine.txt").write_text("notes")
        self.refused("--out", "a", says="--overwrite to remove them")
        (self.folder / "b").mkdir()
        (self.folder / "b/thermo.csv").write_text("mine")
        self.refused("--out", "b", says="(thermo.csv)")
        self.fine("--out", "a", "--overwrite", "--set", "trajectory.every=0")
        # Files that the other run wrote are removed, other files stay.
        self.assertEqual(sorted(p.name for p in (self.folder / "a").iterdir()),
                         ["mine.txt", "restart.tessera", "run.json", "summary.json", "thermo.csv"])

    def test_the_record_has_the_case_as_run(self):
        self.fine("--out", "a", "--set", "thermo.every=7")
        case = json.loads((self.folder / "a/run.json").read_text())["case"]
        for line in ("every = 7", "cutoff = 2.5", "seed = 87287"):
            self.assertIn(f"\n{line}\n", case)
        # It runs, as the same case.
        (self.folder / "again.toml").write_text(case)
        done = subprocess.run([TESSERA, "run", "again.toml", "--quiet", "--out", "b"], cwd=self.folder,
                              capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads((self.folder / "b/run.json").read_text())["case"], case)

    def test_a_changed_record_names_no_file_outside(self):
        self.fine("--out", "a")
        (self.folder / "precious").write_text("1")
        record = json.loads((self.folder / "a/run.json").read_text())
        for files in (["../precious", str(self.folder / "precious"), "", ".", 7], "x", None):
            record["files"] = files
            (self.folder / "a/run.json").write_text(json.dumps(record))
            self.fine("--out", "a", "--overwrite")
            self.assertTrue((self.folder / "precious").exists())
        for text in ("", "{", "[]", '{"files": 3, "run": []}', "\0" * 100):
            (self.folder / "a/run.json").write_text(text)
            self.refused("--out", "a", says="contains files of another run")
            self.fine("--out", "a", "--overwrite")

    def test_outputs_that_collide_are_refused(self):
        for more, says in (
            (["thermo.file=restart.tessera"], "restart.file is written there"),
            (["thermo.file=x", "trajectory.file=./x"], "is written there"),
            (["thermo.file=x", "trajectory.file=x/y"], "is written there"),
            (["thermo.file=summary.json"], "the summary of the run is written there"),
            (["restart.file=run.json"], "expected another name"),
            (["thermo.file=../x"], "in the folder"), (["thermo.file=/tmp/x"], "in the folder"),
            (["thermo.file=a/../../x"], "in the folder"),
            (["restart.file=."], "in the folder"), (["restart.file=x/"], "in the folder"),
        ):
            with self.subTest(more):
                self.refused(*[word for m in more for word in ("--set", m)], says=says)
        self.refused("--out", ".", "--set", "thermo.file=melt.toml", "--overwrite", says="which it reads as the case")
        os.link(self.folder / "melt.toml", self.folder / "linked")
        self.refused("--out", ".", "--set", "thermo.file=linked", "--overwrite", says="which it reads as the case")
        self.fine("--out", "a")
        (self.folder / "b").mkdir()
        shutil.copy(self.folder / "a/restart.tessera", self.folder / "b/restart.tessera")
        self.refused(*self.restart("b"), "--out", "b", "--overwrite", says="which it reads as system.restart")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["a", "b", "linked", "melt.toml"])

    def test_outputs_may_have_folders_of_their_own(self):
        self.fine("--out", "a", "--set", "thermo.file=t/thermo.csv", "--set", "restart.file=r/restart.tessera")
        self.fine("--set", "system.restart=a/r/restart.tessera", "--out", "a", "--set", "thermo.file=t/thermo.csv",
                  "--set", "restart.file=r/restart.tessera")
        self.assertEqual(len((self.folder / "a/t/thermo.csv").read_text().splitlines()), 6)

    def test_what_cannot_be_written_is_told_before_the_run(self):
        for name in ("summary.json", "restart.tessera", "thermo.csv"):
            (self.folder / name.split(".")[0] / name).mkdir(parents=True)
            done = self.run_case("--out", name.split(".")[0], "--overwrite")
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
            self.assertIn(f"{name}: removing failed: it is a folder", done.stderr)
        os.mkfifo(self.folder / "pipe")
        self.refused("--out", "pipe", says="expected a folder")
        (self.folder / "nowhere").symlink_to(self.folder / "not/there")
        self.refused("--out", "nowhere", says="a link to a missing file")

    def test_links_are_not_followed(self):
        (self.folder / "precious").write_text("1")
        (self.folder / "a").mkdir()
        for name in ("thermo.csv", "summary.json", "restart.tessera", "trajectory.xyz"):
            (self.folder / "a" / name).symlink_to(self.folder / "precious")
        self.refused("--out", "a", says="contains files of another run")
        self.fine("--out", "a", "--overwrite")
        (self.folder / "a/thermo.csv").unlink()
        (self.folder / "a/thermo.csv").symlink_to(self.folder / "precious")
        done = self.run_case(*self.restart("a"))
        self.assertEqual(done.returncode, 2)
        self.assertEqual((self.folder / "precious").read_text(), "1")

    def test_two_runs_in_one_folder_are_refused(self):
        process = subprocess.Popen(self.command("--quiet", "--out", "a", steps=10**8), cwd=self.folder)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        end = time.monotonic() + 60
        while not (self.folder / "a/trajectory.xyz").exists():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        for more in ((), ("--overwrite",)):
            self.refused("--out", "a", *more, says=f"process {process.pid} on ")
        process.kill()
        process.wait()
        self.refused("--out", "a", says="contains files of another run")
        self.fine("--out", "a", "--overwrite")
        # Part files that a killed run left are removed; a user's file with a similar name stays.
        (self.folder / "a/restart.tessera.abcdefghij.part").write_text("half")
        (self.folder / "a/restart.tessera.mine.part").write_text("mine")
        self.fine("--out", "a", "--overwrite")
        self.assertFalse((self.folder / "a/restart.tessera.abcdefghij.part").exists())
        self.assertTrue((self.folder / "a/restart.tessera.mine.part").exists())

    def test_another_holder_of_the_lock_is_waited_for_a_moment(self):
        self.fine("--out", "a")
        with open(self.folder / "a/run.json") as record:
            fcntl.flock(record, fcntl.LOCK_EX)
            self.refused("--out", "a", "--overwrite", says="is writing a run there")

    def test_names_that_are_no_utf8(self):
        (self.folder / "atoms.xyz").write_bytes(b'1\nLattice="9 0 0 0 9 0 0 0 9"\n\xff 1 2 3\n')
        case = (self.folder / "melt.toml").read_text().replace('lattice = "fcc"\n', 'file = "atoms.xyz"\n')
        case = "\n".join(line for line in case.splitlines() if not line.startswith(("density", "cells")))
        (self.folder / "one.toml").write_text(case.replace("1.44", "0"))
        self.refused(says="UTF-8", case="one.toml")
        bad = os.fsdecode(b"a\xff.toml")
        shutil.copy(self.folder / "melt.toml", self.folder / bad)
        self.fine("--out", "a", case=bad)
        json.loads((self.folder / "a/summary.json").read_text())

    def test_a_stop_leaves_no_row_that_another_run_lacks(self):
        self.fine("--set", "restart.every=15", "--set", "run.steps=15", "--out", "a")
        self.assertEqual(self.steps("a")[0], [0, 10, 15])
        self.fine(*self.restart("a"), "--out", "a", steps=15)
        self.assertEqual(self.steps("a"), ([0, 10, 15, 20, 30], [0, 10, 20, 30]))

    def printed(self, redirect, *more, steps=20):
        """Returns exit code and error output of a run in a shell, with a redirection of its output."""
        words = " ".join(f"'{word}'" for word in self.command("--out", "a", "--overwrite", *more, steps=steps))
        done = subprocess.run(["bash", "-c", f"{words} {redirect}; exit ${{PIPESTATUS[0]}}"], cwd=self.folder,
                              capture_output=True, text=True)
        return done.returncode, done.stderr

    def test_a_standard_output_that_fails(self):
        code, errors = self.printed(">/dev/full")
        self.assertEqual((code, errors), (1, "tessera: standard output: writing failed: No space left on device\n"))
        self.assertEqual(self.steps("a")[0], [0, 10, 20])
        for streams in (">&-", ">&- <&-", "<&- >&-"):
            code, errors = self.printed(streams)
            self.assertEqual((code, errors), (1, "tessera: standard output: writing failed: Bad file descriptor\n"))
            self.assertEqual(self.steps("a")[0], [0, 10, 20])
            self.assertNotIn("atoms of", (self.folder / "a/thermo.csv").read_text())
        self.assertEqual(self.printed(">&- 2>&-")[0], 1)
        self.assertEqual(self.printed(">&- 2>&- <&-", "--quiet"), (0, ""))
        self.assertEqual(self.printed(">/dev/full", "--json")[0], 1)
        for command in ("list", "info", "--version", "--help"):
            done = subprocess.run(["bash", "-c", f"'{TESSERA}' {command} > /dev/full"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1, command)
            self.assertEqual(done.stderr, "tessera: standard output: writing failed: No space left on device\n")

    def test_a_reader_that_goes_away_ends_the_run_quietly_and_in_order(self):
        code, errors = self.printed("| head -n 1", steps=10**8)
        self.assertEqual((code, errors), (128 + signal.SIGPIPE, ""))
        summary = json.loads((self.folder / "a/summary.json").read_text())
        self.assertEqual(summary["status"], "stopped")
        self.assertTrue((self.folder / "a/restart.tessera").exists())

    def test_a_full_disk(self):
        small = self.folder / "small"
        small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)],
                          capture_output=True).returncode:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", str(small)])
        done = self.run_case("--out", "small/a", "--set", "trajectory.every=1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left on device", done.stderr)
        # The trajectory has only complete frames.
        text = (small / "a/trajectory.xyz").read_text()
        self.assertEqual(len(text.splitlines()) % 502, 0)
        self.assertFalse([p for p in (small / "a").iterdir() if p.suffix == ".part"])


if __name__ == "__main__":
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    unittest.main(argv=sys.argv[:1])
