"""Unit tests of scripts/steps.sh: python3 tests/tools/steps_test.py"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from terminal import on_a_terminal, start  # noqa: E402

BUILD = "for i in 1 2 3; do echo \"[$i/4] Building $i\"; sleep 1.2; done; echo '[4/4] Linking'"


def shown(script, width=80):
    """Runs a script that uses scripts/steps.sh; returns its output on a terminal and its exit code."""
    return on_a_terminal(["bash", "-c", f"stty cols {width}; set -euo pipefail; source scripts/steps.sh; {script}"],
                         TERM="xterm")


def piped(script):
    return subprocess.run(["bash", "-c", f"set -euo pipefail; source scripts/steps.sh; {script}"],
                          capture_output=True, text=True)


def children(process):
    return [int(p) for p in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def command_line(process):
    """Command line of a process; empty if it has ended."""
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes().decode().replace("\0", " ")
    except OSError:
        return ""


class StepsTest(unittest.TestCase):
    def setUp(self):
        os.chdir(ROOT)

    def test_terminal(self):
        text, code = shown(f"step build bash -c '{BUILD}'")
        self.assertEqual(code, 0)
        counts = re.findall(r"\rbuild \.\.\. +(\[./4\]) \d+ s", text)
        self.assertIn("[1/4]", counts)
        self.assertIn("[3/4]", counts)
        # The line that remains is the same as for a pipe.
        last = text.replace("\x1b[K", "").rstrip().split("\r")[-1]
        self.assertRegex(last, r"^build \.\.\. {38}\d+ s$")

    def test_time_left(self):
        text, code = shown("step build bash -c 'echo \"[20/40] x\"; sleep 6.2'")
        self.assertEqual(code, 0)
        self.assertRegex(text, r"\[20/40\] [5-9] s, some [5-9] s left")

    def test_narrow_terminal(self):
        text, _ = shown(f"step build bash -c '{BUILD}'", width=40)
        for line in re.findall(r"\r([^\r\n]*)\x1b\[K", text)[:-1]:
            self.assertLess(len(line), 40)

    def test_pipe(self):
        result = piped(f"step build bash -c '{BUILD}'")
        self.assertRegex(result.stdout, r"^build \.\.\. {38}\d+ s\n$")
        self.assertEqual((result.stderr, result.returncode), ("", 0))

    def test_failure(self):
        result = piped("step build bash -c 'echo why; exit 3'; echo on")
        self.assertRegex(result.stdout, r"^build \.\.\. +failed after \d+ s\n\n$")
        self.assertEqual(result.stderr.splitlines()[0], "why")
        self.assertIn("'build' failed with exit code 3", result.stderr)
        self.assertEqual(result.returncode, 3)
        text, code = shown("step build bash -c 'echo why; exit 3'; echo on")
        self.assertEqual(code, 3)
        self.assertIn("why", text)
        self.assertNotIn("on\r\n", text.split("why")[1])

    def test_nothing_is_left(self):
        """The process that shows the progress of a script ends when the script is killed."""
        with tempfile.TemporaryDirectory() as folder:
            mark = pathlib.Path(folder) / "mark"
            script = f"source scripts/steps.sh; step build bash -c 'echo $PPID > {mark}; sleep 1'"
            # Another process holds the terminal: closing it would end all processes on it.
            holder, terminal = start(["bash", "-c", 'bash -c "$0" & wait; sleep 60', script])
            while not mark.exists() or not mark.read_text().endswith("\n"):
                time.sleep(0.05)
            killed = int(mark.read_text())
            watchers = [p for p in children(killed) if "source scripts/steps.sh" in command_line(p)]
            self.assertEqual(len(watchers), 1)
            os.kill(killed, signal.SIGKILL)
            end = time.monotonic() + 30
            while command_line(watchers[0]) and time.monotonic() < end:
                time.sleep(0.05)
            self.assertEqual(command_line(watchers[0]), "")
            self.assertIn("sleep 60", command_line(holder))
            os.kill(holder, signal.SIGKILL)
            os.waitpid(holder, 0)
            os.close(terminal)


if __name__ == "__main__":
    unittest.main()
