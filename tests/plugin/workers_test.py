#!/usr/bin/env python3
"""Tests trials in worker processes: workers_test.py PROGRAM FAULTY_PLUGIN

200 trials must have the same verdicts in worker processes as in one process. A trial that crashes, hangs or writes out
of bounds must be reported, and the others must continue.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM, PLUGIN = map(os.path.abspath, sys.argv[1:3])
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("TESSERA_")}
ENVIRONMENT["TESSERA_TUNING"] = "off"  # not the records of the user


def tessera(*arguments, text=None):
    return subprocess.run(
        [PROGRAM, "--plugin", PLUGIN, *arguments],
        input=text,
        text=True,
        capture_output=True,
        env=ENVIRONMENT,
        timeout=500,
    )


def in_one_process(lines):
    result = tessera("trial", "-", text="".join(json.dumps(line) + "\n" for line in lines))
    return [json.loads(answer) for answer in result.stdout.splitlines()], result.returncode


def in_workers(lines, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("".join(json.dumps(line) + "\n" for line in lines))
        file.flush()
        result = tessera("trial", "--workers", "2", *options, file.name)
    return [json.loads(answer) for answer in result.stdout.splitlines()], result.returncode


def planted(name, size=33, **more):
    return {"operation": "sum", "implementation": name, "input": "moments", "size": size, **more}


class Workers(unittest.TestCase):
    def test_200_lines_have_the_same_verdicts_as_in_one_process(self):
        lines = []
        for operation in json.loads(tessera("list", "--json").stdout)["operations"]:
            for implementation in operation["implementations"]:
                if implementation["name"].startswith("test.") or implementation["memory"] != "host":
                    continue
                for precision in implementation["precisions"]:
                    for trial in operation["inputs"]:
                        for size in trial["checked"]:
                            if size <= 1000:
                                lines.append(
                                    {
                                        "operation": operation["name"],
                                        "implementation": implementation["name"],
                                        "precision": precision,
                                        "input": trial["name"],
                                        "size": size,
                                    }
                                )
        self.assertGreaterEqual(len(lines), 180)
        step = max(1, len(lines) // 180)
        lines = lines[::step][:180]
        lines += [planted(name, size) for name in ("test.tile", "test.unwritten") for size in range(1, 11)]
        self.assertEqual(len(lines), 200)
        together, code_together = in_one_process(lines)
        apart, code_apart = in_workers(lines, "--timeout", "100")
        self.assertEqual(len(together), 200)
        self.assertEqual(together, apart)
        self.assertEqual((code_together, code_apart), (1, 1))
        outcomes = [answer["outcome"] for answer in apart]
        self.assertEqual(set(outcomes[:180]) - {"passed", "refused"}, set())
        self.assertEqual(set(outcomes[180:]), {"failed"})

    def test_a_crash_is_reported_with_its_line_and_the_rest_go_on(self):
        lines = [planted("test.sound"), planted("test.aborts"), planted("test.sound", 31)]
        for options in ([], ["--lines-per-worker", "3"]):
            answers, code = in_workers(lines, "--timeout", "100", *options)
            self.assertEqual([a["outcome"] for a in answers], ["passed", "crashed", "passed"])
            self.assertEqual(answers[1]["trial"]["implementation"], "test.aborts")
            self.assertIn("signal 6", answers[1]["detail"])
            self.assertEqual(code, 1)

    def test_a_line_that_hangs_is_ended(self):
        lines = [planted("test.hangs"), planted("test.sound")]
        answers, code = in_workers(lines, "--timeout", "10")
        self.assertEqual([a["outcome"] for a in answers], ["timed out", "passed"])
        self.assertIn("10 s", answers[0]["detail"])
        self.assertEqual(code, 1)

    def test_each_fault_is_named(self):
        lines = [
            planted("test.out_of_bounds"),
            planted("test.unwritten"),
            planted("test.tile"),
            planted("test.tile", 64),
            planted("test.sound", samples=3),
        ]
        answers, code = in_workers(lines, "--timeout", "100")
        self.assertEqual(code, 1)
        self.assertIn("wrote 1 past the end of result", answers[0]["detail"])
        self.assertIn("of result was not written", answers[1]["detail"])
        self.assertEqual(answers[2]["outcome"], "failed")
        self.assertEqual(answers[3]["outcome"], "passed")
        timed = answers[4]
        self.assertLessEqual(timed["seconds_shortest"], timed["seconds"])
        self.assertLessEqual(timed["seconds"], timed["seconds_longest"])
        self.assertIsNone(timed["steps_per_prepare"])
        self.assertNotIn("seconds", answers[3])

    def test_a_bad_line_of_a_file_stops_before_anything_runs(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write(json.dumps(planted("test.sound")) + "\n" + json.dumps(planted("test.soud")) + "\n")
            file.flush()
            result = tessera("trial", "--workers", "1", file.name)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(file.name + ":2: implementation:", result.stderr)
        self.assertIn("did you mean 'test.sound'?", result.stderr)

    def test_a_bad_line_of_standard_input_is_answered(self):
        result = tessera("trial", "-", text="nonsense\n" + json.dumps(planted("test.sound")) + "\n")
        outcomes = [json.loads(line)["outcome"] for line in result.stdout.splitlines()]
        self.assertEqual((outcomes, result.returncode), (["invalid", "passed"], 2))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
