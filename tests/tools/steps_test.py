"""Unit tests of scripts/steps.sh: python3 tests/tools/steps_test.py"""

import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from terminal import on_a_terminal  # noqa: E402

BUILD = "for i in 1 2 3; do echo \"[$i/4] Building $i\"; sleep 0.6; done; echo '[4/4] Linking'"


def shown(script, width=80):
    """What a script writes to a terminal, and its exit code."""
    return on_a_terminal(["bash", "-c", f"stty cols {width}; set -euo pipefail; source scripts/steps.sh; {script}"],
                         TERM="xterm")


def piped(script):
    return subprocess.run(["bash", "-c", f"set -euo pipefail; source scripts/steps.sh; {script}"],
                          capture_output=True, text=True)


class StepsTest(unittest.TestCase):
    def setUp(self):
        os.chdir(ROOT)

    def test_terminal(self):
        text, code = shown(f"step build bash -c '{BUILD}'")
        self.assertEqual(code, 0)
        counts = re.findall(r"\rbuild \.\.\. +(\[./4\]) \d+ s", text)
        self.assertIn("[1/4]", counts)
        self.assertIn("[3/4]", counts)
        # What stays is the line of a pipe.
        last = text.replace("\x1b[K", "").rstrip().split("\r")[-1]
        self.assertRegex(last, r"^build \.\.\. {38}[12] s$")

    def test_time_left(self):
        text, code = shown("step build bash -c 'echo \"[20/40] x\"; sleep 6.2'")
        self.assertEqual(code, 0)
        self.assertRegex(text, r"\[20/40\] [56] s, some [56] s left")

    def test_narrow_terminal(self):
        text, _ = shown(f"step build bash -c '{BUILD}'", width=40)
        for line in re.findall(r"\r([^\r\n]*)\x1b\[K", text)[:-1]:
            self.assertLess(len(line), 40)

    def test_pipe(self):
        result = piped(f"step build bash -c '{BUILD}'")
        self.assertRegex(result.stdout, r"^build \.\.\. {38}[12] s\n$")
        self.assertEqual((result.stderr, result.returncode), ("", 0))

    def test_failure(self):
        result = piped("step build bash -c 'echo why; exit 3'; echo on")
        self.assertRegex(result.stdout, r"^build \.\.\. +failed after 0 s\n\n$")
        self.assertEqual(result.stderr.splitlines()[0], "why")
        self.assertIn("'build' failed with exit code 3", result.stderr)
        self.assertEqual(result.returncode, 3)
        text, code = shown("step build bash -c 'echo why; exit 3'; echo on")
        self.assertEqual(code, 3)
        self.assertIn("why", text)
        self.assertNotIn("on\r\n", text.split("why")[1])

    def test_nothing_is_left(self):
        """A script that is killed takes what shows its progress with it."""
        with tempfile.TemporaryDirectory() as folder:
            mark = pathlib.Path(folder) / "mark"
            process, terminal = pty.fork()
            if process == 0:
                os.execvp("bash", ["bash", "-c", "source scripts/steps.sh; "
                                   f"step build bash -c 'echo > {mark}; sleep 1'"])
            while not mark.exists():
                time.sleep(0.05)
            children = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(process)],
                                      capture_output=True, text=True).stdout.splitlines()
            watchers = [int(c.split()[0]) for c in children if "sleep 1" in c and "source" in c]
            self.assertEqual(len(watchers), 1, children)
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            time.sleep(1.2)
            os.close(terminal)
            state = subprocess.run(["ps", "-o", "stat=", str(watchers[0])], capture_output=True, text=True)
            self.assertIn(state.stdout[:1], ("", "Z"))


if __name__ == "__main__":
    unittest.main()
