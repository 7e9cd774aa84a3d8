#!/usr/bin/env python3
"""Tests the messages of the program for hostile or absurd input: hostile_test.py TESSERA CASE.toml"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TESSERA, CASE = map(os.path.abspath, sys.argv[1:3])
ENOUGH = 4000  # limit of the length of a message in bytes


class ErrorsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_tessera(self, *arguments, code, **environment):
        process = subprocess.run([TESSERA, *arguments], capture_output=True, timeout=120, cwd=self.folder,
                                 env=os.environ | {"OMP_WAIT_POLICY": "passive"} | environment)
        self.assertEqual(process.returncode, code, process.stderr[-500:])
        return process.stdout.decode(), process.stderr.decode()

    def refused(self, *arguments, says, code=2, **environment):
        """Checks that the program refuses its arguments with one printable line that contains `says`."""
        _, message = self.run_tessera(*arguments, code=code, **environment)
        self.assertTrue(message.startswith("tessera: "), message[:200])
        self.assertEqual(message.count("\n"), 1)
        self.assertTrue(message[:-1].isprintable(), ascii(message[:500]))
        self.assertLess(len(message), ENOUGH)
        self.assertIn(says, message)
        return message

    def write(self, name, contents):
        (self.folder / name).write_bytes(contents)
        return name

    def test_nesting_is_bounded_before_it_uses_up_the_stack(self):
        says = "expected at most 32 parts in a key"
        for deep in ("a." * 60000 + "a=1", "a=" + "[" * 60000, "a=" + "{a=" * 40000,
                     "a=" + "{a.a.a=" * 15000):
            with self.subTest(deep[:12]):
                self.refused("run", CASE, "--set", deep, says=says)
        many = pathlib.Path(CASE).read_bytes() + b"[" + b"a." * 100000 + b"a]\n"
        self.refused("run", self.write("deep.toml", many), says=f"deep.toml:{many.count(10)}: {says}")
        # Dots and brackets in texts and comments do not count as nesting.
        title = b'title = """' + b"[." * 1000 + b'"""\n# ' + b"[a." * 1000 + b"\n"
        case = pathlib.Path(CASE).read_bytes().split(b"\n", 1)[1]
        self.run_tessera("run", self.write("title.toml", title + case), "--quiet",
                         "--set", "run.steps=0", code=0)

    def test_messages_are_one_line_whatever_was_given(self):
        self.refused("run", CASE, "--set", 'title="a"\n\x1b[31m', says="\\x1b")
        self.refused("run", CASE, "--set", f"run.steps={'9' * 5000}", says="... (")
        self.refused("run", CASE, "--set", f"{'k' * 90000}=1", says="unknown key")
        self.refused("run", "no\nsuch\x1bfile" + "e" * 200, says="no\\nsuch\\x1bfile")
        self.refused("list", "--operation", "x" * 100000, says="unknown operation")
        self.refused("trial", '{"operation": "a\\u001b[31m\\n"}', says="unknown operation 'a\\x1b[31m\\n'")
        self.refused(b"l\xff\xfeist", says="unknown command 'l\\xff\\xfeist'")

    def test_numbers_out_of_range_name_the_option_and_what_was_expected(self):
        self.refused("bench", "--repeat", "0", says="--repeat: '0': expected a whole number greater than zero")
        self.refused("bench", "--size", "1e3", says="--size: '1e3': expected a whole number")
        self.refused("bench", "--repeat", "9" * 30, says="expected a whole number up to 2.147484e+09")
        self.refused("verify", "--size", "-1", says="--size: '-1': expected a whole number of zero or more")
        self.refused("trial", "--timeout", "nan", "--workers", "1", "x", says="--timeout: 'nan': expected a number")
        self.refused("run", CASE, "--set", "pair.cutoff=1e308", says="the cutoff 1e+308 is larger than half")

    def test_a_reason_is_told_once(self):
        message = self.refused("run", CASE, "--set", "pair.cutoff=6", says="cannot run: ")
        self.assertEqual(message.count("the cutoff 6"), 1, message)

    def test_sizes_beyond_memory_name_their_key(self):
        self.refused("verify", "--operation", "sum", "--size", str(2**63 - 1), says="size = 9223372036854775807: ")
        self.refused("trial", json.dumps({"operation": "sum", "implementation": "reference", "input": "moments",
                                          "size": 10**15}), says="size = 1000000000000000: expected at most")
        self.refused("run", CASE, "--set", "system.cells=[800,800,800]",
                     says="the cells hold 2048000000 atoms, expected at most")
        data = b"\n1 atoms\n2000000000 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nMasses\n\n1 1\n"
        self.write("many.data", data)
        self.write("case.toml", pathlib.Path(CASE).read_bytes().split(b"[system]")[0]
                   + b'[system]\nfile = "many.data"\n[pair]\ncutoff=0.4\n[[pair.coefficients]]\ntypes=[1,1]\n'
                     b"epsilon=1\nsigma=1\n[run]\nsteps=1\n")
        self.refused("run", "case.toml", says="many.data:3: atom types = 2000000000: expected no more")

    def test_any_number_of_threads_is_asked_for_without_a_crash(self):
        for threads in ("1000", "100000"):
            for backend in self.backends():
                with self.subTest(threads=threads, backend=backend):
                    self.run_tessera("run", CASE, "--backend", backend, "--quiet", "--set", "run.steps=0",
                                     "--out", f"{backend}{threads}", code=0, OMP_NUM_THREADS=threads)

    def test_threads_that_are_no_number_are_refused_with_their_variable(self):
        backends = self.backends()
        if "openmp" in backends:
            for threads in ("many", "-1", "0", "2,", "1e3", ""):
                with self.subTest(threads):
                    # The OpenMP runtime may print a message before that of the program.
                    _, message = self.run_tessera("run", CASE, "--backend", "openmp", "--quiet", "--set",
                                                  "run.steps=0", code=2, OMP_NUM_THREADS=threads)
                    self.assertEqual(message.splitlines()[-1],
                                     f"tessera: environment variable OMP_NUM_THREADS = {threads or repr('')}: expected "
                                     "whole numbers with commas between them, each 1 to 2147483647")
        if "kokkos" in backends:
            for command in (("run", CASE, "--backend", "kokkos", "--quiet"), ("info",), ("list",)):
                with self.subTest(command[0]):
                    self.refused(*command, KOKKOS_NUM_THREADS="100000",
                                 says="environment variable KOKKOS_NUM_THREADS = 100000: expected a whole number, 1 to")

    def backends(self):
        info = json.loads(self.run_tessera("info", "--json", code=0)[0])
        return [backend["name"] for backend in info["backends"] if backend["available"]]

    def test_json_is_told_errors_as_json(self):
        for arguments in (("run", "nowhere.toml"), ("run",), ("list", "--operation", "smu"), ("info", "extra"),
                          ("verify", "--input", "a\nb\x1b"), ("bench", "--repeat", "0"), ("verify", "--nothing"),
                          ("run", CASE, "--set", "pair.cutoff=-1"), ("--plugin", "nowhere.so", "list")):
            with self.subTest(" ".join(arguments)):
                output, message = self.run_tessera(*arguments, "--json", code=2)
                answer = json.loads(output)
                self.assertEqual(answer["schema"], "tessera.error/1")
                self.assertEqual(answer["exit_code"], 2)
                self.assertEqual(f"tessera: {answer['error']}\n", message)

    def test_a_run_that_continues_under_other_physics_names_both_values(self):
        self.run_tessera("run", CASE, "--quiet", "--out", "first", "--set", "restart.every=10", code=0)
        again = ("run", CASE, "--quiet", "--set", 'system.restart="%s"' % (self.folder / "first/restart.tessera"))
        _, same = self.run_tessera(*again, "--out", "same", "--set", "thermo.every=5", code=0)
        self.assertEqual(same, "")
        _, other = self.run_tessera(*again, "--out", "other", "--precision", "single", "--set", "pair.cutoff=2.25",
                                    "--set", "pair.coefficients.0.epsilon=1.5", "--set", "run.time_step=0.001", code=0)
        for difference in ('precision was "double", is "single" now', "pair.cutoff was 2.5, is 2.25 now",
                           "pair.coefficients.0.epsilon was 1.0, is 1.5 now", "run.time_step was 0.005, is 0.001 now"):
            self.assertIn("restart.tessera: " + difference, other)
        self.assertEqual(other.count("\n"), 4)
        self.run_tessera(*again, "--out", "bath", "--set", "restart.every=10", "--set", 'integrator={style="langevin",'
                         "temperature=1,friction=1,seed=7}", code=0)
        left = ("run", CASE, "--quiet", "--out", "left", "--set",
                'system.restart="%s"' % (self.folder / "bath/restart.tessera"))
        _, message = self.run_tessera(*left, code=0)
        self.assertIn("integrator.style was", message)

    def test_an_error_comes_behind_the_warnings_that_may_explain_it(self):
        header = b'2\nLattice="9 0 0 0 9 0 0 0 9" Properties=species:S:1:pos:R:3:spin:R:1\nA 1 1 1 0\n'
        case = pathlib.Path(CASE).read_bytes().split(b"[system]")[0] + b"""[system]
file = "two.xyz"
[pair]
cutoff = 2.5
[[pair.coefficients]]
types = ["A", "A"]
epsilon = 1
sigma = 1
[run]
steps = 0
"""
        self.write("case.toml", case)
        for row, error in ((b"A 3 1 1\n", "two.xyz:4: "), (b"B 3 1 1 0\n", "pair.coefficients")):
            self.write("two.xyz", header + row)
            for command in ("run", "verify"):
                _, message = self.run_tessera(command, "case.toml", code=2)
                *warnings, last = message.splitlines()
                self.assertTrue(last.startswith("tessera: ") and error in last, last)
                self.assertEqual(len(warnings), 1, message)
                self.assertRegex(warnings[0], "tessera: warning: two.xyz:2: .*spin")
        # Without an error the warnings are printed once.
        self.write("two.xyz", header + b"A 3 1 1 0\n")
        _, message = self.run_tessera("run", "case.toml", "--quiet", code=0)
        self.assertEqual(message.count("spin"), 1)

    def test_devices_are_no_input_files(self):
        self.refused("run", "/dev/zero", says="/dev/zero: cannot be read: Is a device")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
