#!/usr/bin/env python3
"""Tests a search among candidates that are fast and wrong: tune_faults_test.py PROGRAM PLUGIN [BACKEND]

The search must report each wrong candidate with its fault, select none of them, and end in time. The exit code is 77 if
the backend has no device.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, PLUGIN = map(os.path.abspath, sys.argv[1:3])
BACKEND = sys.argv[3] if len(sys.argv) > 3 else "auto"
ON_GPU = BACKEND != "auto"

EXPECTED = {
    "wrong_element": ("wrong", "against"),
    "unwritten": ("wrong", "was not written"),
    "out_of_bounds": ("wrong", "wrote 1 past the end of"),
    "endless": ("timed out", "no answer within"),
    "aborts": ("wrong", "illegal") if ON_GPU else ("crashed", "signal 6"),
    "remainder": ("wrong", ""),
}


def tessera(*arguments, folder, timeout=500):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TESSERA_")}
    environment["TESSERA_TUNING"] = os.path.join(folder, "tuning.json")
    return subprocess.run(
        [PROGRAM, "--plugin", PLUGIN, *arguments],
        text=True,
        capture_output=True,
        env=environment,
        timeout=timeout,
    )


class Faults(unittest.TestCase):
    def test_each_fault_is_named_and_none_wins(self):
        # A multiple of every tile; the search must also check sizes for which candidates are wrong.
        for strategy in ("exhaustive", "adaptive"):
            with self.subTest(strategy), tempfile.TemporaryDirectory() as folder:
                start = time.monotonic()
                result = tessera(
                    *("tune", "--operation", "sum", "--input", "moments", "--size", "65536"),
                    *("--implementation", "test.planted", "--strategy", strategy),
                    *("--backend", BACKEND, "--timeout", "4", "--json"),
                    folder=folder,
                )
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertLess(time.monotonic() - start, 120)
                (tuned,) = json.loads(result.stdout)
                self.assertNotEqual(tuned["implementation"], "test.planted", result.stdout)
                self.assertTrue(tuned["kept_default"])
                found = {
                    rejected["parameters"]["way"]: (rejected["outcome"], rejected["reason"])
                    for rejected in tuned["rejections"]
                }
                self.assertEqual(set(found), set(EXPECTED), found)
                for way, (outcome, words) in EXPECTED.items():
                    self.assertEqual(found[way][0], outcome, (way, found[way]))
                    if words and way != "wrong_element":
                        self.assertIn(words, found[way][1])
                # Under load there may be no record.
                self.assertEqual(os.path.exists(os.path.join(folder, "tuning.json")), tuned["remembered"])
                if not tuned["remembered"]:
                    continue
                with open(os.path.join(folder, "tuning.json")) as file:
                    (record,) = json.load(file)["records"]
                for best in record["best"]:
                    self.assertIn(best["parameters"].get("way", "sound"), ("sound",))

    def test_a_fault_beside_a_sound_one_costs_the_sound_one_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            result = tessera(
                *("tune", "--operation", "sum", "--input", "moments", "--size", "65536"),
                *("--implementation", "test.planted", "--strategy", "exhaustive"),
                *("--values", "way=out_of_bounds,sound,aborts", "--backend", BACKEND),
                *("--timeout", "20", "--landscape", os.path.join(folder, "all.json")),
                folder=folder,
            )
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(os.path.join(folder, "all.json")) as file:
                tables = json.load(file)["candidates"]
            (planted,) = [t for t in tables if t["implementation"] == "test.planted"]
            outcomes = {row[0][0]: row[1][0] for row in planted["rows"]}
            self.assertEqual(outcomes["sound"], "measured")
            self.assertIn("past the end", result.stdout)
            self.assertIn("aborts", result.stdout)


if __name__ == "__main__":
    if ON_GPU:
        with tempfile.TemporaryDirectory() as folder:
            devices = tessera("list", "--backend", BACKEND, folder=folder)
        if devices.returncode != 0:
            print(devices.stderr)
            sys.exit(77)
    unittest.main(argv=sys.argv[:1])
