#!/usr/bin/env python3
"""Ends runs at random times, continues them, and compares all their output with uninterrupted runs.

A killed run (SIGKILL) continues from the last restart file that it wrote, or starts again if it wrote none. Its thermo
rows, trajectory frames and last state must equal those of an uninterrupted run, bit for bit. On SIGTERM a run writes a
restart file at the present step; the uninterrupted run for comparison writes one at this step too, because writing one
rebuilds the lists. Prints a table; the exit code is 1 if any output differs.
"""

import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import restart_file  # noqa: E402

CASE = """
title = "ended at random"
[system]
lattice = "fcc"
density = 0.8442
cells = [3, 3, 3]
[velocities]
temperature = 1.44
seed = 87287
[pair]
cutoff = 1.6
[[pair.coefficients]]
types = [1, 1]
epsilon = 1.0
sigma = 1.0
[thermo]
every = 7
[trajectory]
every = 20
velocities = true
"""
STREAMS = ("thermo.csv", "trajectory.xyz")


class Campaign:
    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder
        self.random = random.Random(arguments.seed)
        self.case = folder / "case.toml"
        self.case.write_text(CASE)

    def command(self, out, steps, every, *more):
        return [self.arguments.tessera, "run", str(self.case), "--quiet", "--backend", self.arguments.backend,
                "--out", str(out), "--set", f"run.steps={steps}", "--set", f"restart.every={every}",
                "--set", "run.time_step=0.005", *more]

    def whole(self, out, steps, every):
        begin = time.monotonic()
        subprocess.run(self.command(out, steps, every), check=True)
        return time.monotonic() - begin

    def go_on(self, out, steps, every):
        """Returns the command that continues a run from its restart file, or starts it again if it has none."""
        restart = out / "restart.tessera"
        if not restart.exists():
            return self.command(out, steps, every, "--overwrite")
        return self.command(out, steps - restart_file.step(restart), every, "--set", f"system.restart={restart}")

    def ended(self, command, number, after):
        """Starts a run and sends it a signal; returns whether the signal ended the run before its last step."""
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        time.sleep(after)
        process.send_signal(number)
        _, errors = process.communicate(timeout=300)
        wanted = -number if number == signal.SIGKILL else 128 + number
        if process.returncode not in (wanted, 0):
            # Until a run has a state to save, a signal has its default action.
            if number != signal.SIGKILL and process.returncode == -number:
                return True
            raise RuntimeError(f"exit code {process.returncode}: {errors}")
        return process.returncode != 0

    def differences(self, a, b):
        found = [name for name in STREAMS if (a / name).read_bytes() != (b / name).read_bytes()]
        if restart_file.state(a / "restart.tessera") != restart_file.state(b / "restart.tessera"):
            found.append("restart.tessera")
        if (a / "summary.json").exists() != (b / "summary.json").exists():
            found.append("summary.json")
        return found + [p.name for p in a.iterdir() if p.name.endswith(".part")]

    def kills(self, count):
        """Kills runs, and with some probability their continuations, and compares the output of complete runs."""
        steps, every = self.arguments.steps, 30
        whole = self.folder / "whole"
        seconds = self.whole(whole, steps, every)
        tries = runs = failures = 0
        while tries < count:
            runs += 1
            out = self.folder / f"killed_{runs}"
            command = self.command(out, steps, every)
            while tries < count and self.ended(command, signal.SIGKILL, self.random.uniform(0, 1.1 * seconds)):
                tries += 1
                command = self.go_on(out, steps, every)
                if self.random.random() < 0.4:
                    break
            left = restart_file.step(out / "restart.tessera") if (out / "restart.tessera").exists() else 0
            if left < steps or not (out / "summary.json").exists():
                done = subprocess.run(self.go_on(out, steps, every), capture_output=True, text=True)
                if done.returncode != 0:
                    print(f"killed run {runs}: {done.stderr.strip()}", flush=True)
                    failures += 1
                    continue
            different = self.differences(out, whole)
            if different:
                print(f"killed run {runs}: {', '.join(different)} differ", flush=True)
                failures += 1
            self.progress("SIGKILL", tries, count)
        return tries, runs, failures

    def stops(self, count):
        steps = self.arguments.steps
        seconds = self.whole(self.folder / "timed", steps, 0)
        tries = runs = failures = 0
        while tries < count:
            runs += 1
            out = self.folder / f"stopped_{runs}"
            if not self.ended(self.command(out, steps, 0), signal.SIGTERM, self.random.uniform(0, seconds)):
                continue
            restart = out / "restart.tessera"
            if not restart.exists() or restart_file.step(restart) < 2:
                continue
            tries += 1
            at = restart_file.step(restart)
            # The uninterrupted run writes a restart file there and no other before its last step.
            until = min(steps, 2 * at - 1)
            whole = self.folder / f"undisturbed_{tries}"
            self.whole(whole, until, at)
            done = subprocess.run(self.go_on(out, until, at), capture_output=True, text=True)
            different = self.differences(out, whole) if done.returncode == 0 else [done.stderr.strip()]
            if different:
                print(f"stopped run {tries} at step {at}: {', '.join(different)}", flush=True)
                failures += 1
            self.progress("SIGTERM", tries, count)
        return tries, runs, failures

    def progress(self, name, done, count):
        if sys.stderr.isatty():
            print(f"\r  {name} {done} of {count}\x1b[K", end="", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tessera")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--stops", type=int, default=200)
    parser.add_argument("--steps", type=int, default=700)
    parser.add_argument("--backend", default="serial")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.tessera = os.path.abspath(arguments.tessera)
    os.environ["OMP_NUM_THREADS"] = "1"
    failed = False
    print(f"{'signal':<10} {'tries':>6} {'runs':>6} {'failures':>9}")
    for name, count in (("kills", arguments.kills), ("stops", arguments.stops)):
        with tempfile.TemporaryDirectory() as folder:
            tries, runs, failures = getattr(Campaign(arguments, pathlib.Path(folder)), name)(count)
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr)
        print(f"{'SIGKILL' if name == 'kills' else 'SIGTERM':<10} {tries:>6} {runs:>6} {failures:>9}", flush=True)
        failed |= failures > 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
