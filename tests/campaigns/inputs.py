#!/usr/bin/env python3
"""Mutates files of every format that Tessera reads, and checks how readers and runs handle them.

    tests/campaigns/inputs.py build/cpu/bin/mutated_inputs [--tries N] [--seed S] [--formats F...]
                              [--tessera build/cpu/bin/tessera --runs N] [--keep FOLDER]

Each try is a mutation of a sample, identified by its seed and number. A reader passes if it accepts the file and
all values are finite and in range, or if it refuses the file in one printable line that names the file, within
the limits of time and memory. With --tessera, --runs files of each format also go through `tessera run`: exit
code 0 with a finite summary, or 1 or 2 with one line on the error stream. Failures are listed, their inputs kept,
and the exit code is 1.
"""

import argparse
import json
import math
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

SAMPLES = pathlib.Path(__file__).resolve().parent / "samples"
ENDINGS = {"beam": ".beam", "bunch": ".csv", "case": ".toml", "data": ".data", "extxyz": ".xyz", "openpmd": ".h5",
           "restart": ".restart", "table": ".table", "trial": ".trial"}
SECONDS_A_TRY = 5.0
MEMORY = 4 << 30
# {format: start of a case that reads the file of this format}
CASES = {
    "data": '[system]\nfile = "{file}"\n',
    "extxyz": 'units = "metal"\n[system]\nfile = "{file}"\ntype = [{{name = "Ar", mass = 39.9}}, '
              '{{name = "Xe", mass = 131.3}}]\n',
    "restart": 'units = "metal"\n[system]\nrestart = "{file}"\n',
    "table": 'units = "lj"\n[system]\nlattice = "fcc"\ndensity = 0.8442\ncells = [3, 3, 3]\njitter = 0.02\n',
}
COEFFICIENTS = {
    "data": "",
    "extxyz": '[[pair.coefficients]]\ntypes = ["Xe", "Xe"]\nepsilon = 0.02\nsigma = 1.5\n' + (
        argon := '[[pair.coefficients]]\ntypes = [1, 1]\nepsilon = 0.01\nsigma = 1.25\n'),
    "restart": argon,
    "table": 'style = "table:50"\n[[pair.coefficients]]\ntypes = [1, 1]\nfile = "{file}"\nkeyword = "LJ"\n'
             'forces = "file"\n',
}
REST = """[pair]
cutoff = 2.0
{coefficients}\
[run]
steps = 3
[trajectory]
every = 1
[restart]
every = 3
"""

BEAMS = {"bunch", "openpmd"}
# A case of a beam whose particles are in a file.
BEAM = """[beam]
mass = 938.272
charge = 1
momentum = 1876.544
[bunch]
file = "{file}"
[[lattice.element]]
type = "quadrupole"
length = 0.1
k1 = 1.0
[run]
turns = 3
"""


class Count:
    def __init__(self):
        self.accepted = self.refused = 0
        self.faults = []

    @property
    def tries(self):
        return self.accepted + self.refused + len(self.faults)


def sanitized(program):
    return b"__asan_init" in pathlib.Path(program).read_bytes()


def environment():
    """Returns an environment in which too large allocations throw under sanitizers too, and readers do not warn."""
    options = f"allocator_may_return_null=1:max_allocation_size_mb={MEMORY >> 20}:detect_leaks=0"
    return os.environ | {"ASAN_OPTIONS": options, "UBSAN_OPTIONS": "print_stacktrace=1",
                         "TESSERA_LOG": "error"}


def limit_memory(program):
    # A limit of the address space would stop sanitizers, which map terabytes.
    if not sanitized(program):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def end_of(process):
    if process.returncode < 0:
        return signal.Signals(-process.returncode).name
    return f"exit code {process.returncode}"


def last_words(text):
    lines = [line for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if "ERROR:" in line or "runtime error" in line]
    return (telling or lines or [""])[0][:300]


def read_mutations(program, name, samples, seed, tries, folder):
    """Runs the reader over all tries and counts outcomes; restarts the process after an input that ended it."""
    count = Count()
    first = 0
    while first < tries:
        arguments = [program, "read", name, str(seed), str(first), str(tries), folder, *samples]
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=environment(), preexec_fn=lambda: limit_memory(program), errors="replace")
        try:
            output, errors = process.communicate(timeout=60 + SECONDS_A_TRY * 20 + 0.1 * tries)
            hung = False
        except subprocess.TimeoutExpired:
            process.kill()
            output, errors = process.communicate()
            hung = True
        for line in output.splitlines():
            index, *rest = line.split(" ", 3)
            first = int(index) + 1
            if len(rest) < 2:
                count.faults.append((int(index), "hangs" if hung else f"{end_of(process)}: {last_words(errors)}"))
            elif rest[1] == "FAULT":
                count.faults.append((int(index), rest[2]))
            elif float(rest[0]) > SECONDS_A_TRY:
                count.faults.append((int(index), f"took {rest[0]} s"))
            elif rest[1] == "accepted":
                count.accepted += 1
            else:
                count.refused += 1
        if process.returncode not in (0, None) and not output:
            raise SystemExit(f"{program}: {end_of(process)}: {errors}")
        if process.returncode == 0:
            break
    return count


def all_finite(value):
    if isinstance(value, dict):
        return all(all_finite(v) for v in value.values())
    if isinstance(value, list):
        return all(all_finite(v) for v in value)
    # null stands for NaN, which JSON does not have.
    return value is not None and (not isinstance(value, float) or math.isfinite(value))


def fault_of_run(tessera, name, path, folder):
    """Returns (fault of a run of the file, or None; whether the run accepted the file)."""
    case = path
    if name in BEAMS:
        case = folder / "case.toml"
        case.write_text(BEAM.format(file=path))
    elif name == "beam":
        case = folder / "case.toml"
        channel = (SAMPLES / "channel.toml").read_text()
        case.write_text(channel.replace("[bunch]\n", f'[bunch]\nrestart = "{path}"\n'))
    elif name in CASES:
        case = folder / "case.toml"
        case.write_text(CASES[name].format(file=path) + REST.format(coefficients=COEFFICIENTS[name].format(file=path)))
    out = folder / "out"
    # The time limit ends mutations that request a billion steps.
    command = [tessera, "trial", path.read_bytes().decode(errors="replace").replace("\0", "")] if name == "trial" else [
        tessera, "run", case, "--out", out, "--overwrite", "--quiet", "--backend", "serial", "--time-limit", "2"]
    try:
        process = subprocess.run(command, capture_output=True, timeout=60, cwd=folder, env=environment(),
                                 preexec_fn=lambda: limit_memory(tessera))
    except subprocess.TimeoutExpired:
        return "takes more than a minute", False
    errors = process.stderr.decode(errors="replace")
    lines = [line for line in errors.splitlines() if not line.startswith("tessera: warning: ")]
    if process.returncode not in (0, 1, 2):
        return f"{end_of(process)}: {last_words(errors)}", False
    if not all(line.isprintable() for line in lines):
        return f"not printable: {ascii(errors[:300])}", False
    if process.returncode == 0:
        if name == "trial":
            return None, True
        summary = json.loads((out / "summary.json").read_text())
        # Beams may have values that are not finite: optical functions without emittance, means without particles.
        beam = name in BEAMS
        return (None if beam or all_finite(summary["final"]) else "the end is not finite"), True
    if len(lines) != 1 and not (name == "trial" and process.returncode == 1):
        return f"{len(lines)} lines: {errors[:300]}", False
    if name != "trial" and path.name not in errors and "case.toml" not in errors and process.returncode == 2:
        return f"no file is named: {errors[:300]}", False
    return None, False


def run_mutations(tessera, program, name, samples, seed, tries, folder):
    count = Count()
    subprocess.run([program, "write", name, str(seed), "0", str(tries), folder, *samples], check=True)
    for index in range(tries):
        path = folder / f"mutated{index}{ENDINGS[name]}"
        fault, accepted = fault_of_run(tessera, name, path, folder)
        if fault:
            count.faults.append((index, fault))
        elif accepted:
            count.accepted += 1
        else:
            count.refused += 1
    return count


def samples_of(program, name, folder):
    made = {"restart": ("restarts", (".data", ".xyz")), "openpmd": ("openpmds", (".csv",)),
            "beam": ("beams", ("channel.toml",))}
    if name in made:
        command, suffixes = made[name]
        sources = [str(path) for path in sorted(SAMPLES.iterdir()) if path.name.endswith(suffixes)]
        subprocess.run([program, command, folder, *sources], check=True)
        return [str(path) for path in sorted(folder.glob("*" + ENDINGS[name]))]
    return [str(path) for path in sorted(SAMPLES.glob("*" + ENDINGS[name]))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="mutated_inputs, plain or with sanitizers")
    parser.add_argument("--tries", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--formats", nargs="+", choices=ENDINGS, default=list(ENDINGS))
    parser.add_argument("--tessera", help="the command line, for --runs")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--keep", type=pathlib.Path, help="where the inputs of failures go")
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    tessera = arguments.tessera and str(pathlib.Path(arguments.tessera).resolve())

    print(f"{'class':<16} {'tries':>7} {'accepted':>9} {'refused':>9} {'failures':>9}")
    failed = False
    with tempfile.TemporaryDirectory(prefix="inputs") as top:
        for name in arguments.formats:
            folder = pathlib.Path(top) / name
            folder.mkdir()
            samples = samples_of(program, name, folder)
            rows = [(name, read_mutations(program, name, samples, arguments.seed, arguments.tries, folder))]
            if tessera:
                rows.append((f"{name}, run", run_mutations(tessera, program, name, samples, arguments.seed,
                                                           arguments.runs, folder)))
            for row, count in rows:
                print(f"{row:<16} {count.tries:>7} {count.accepted:>9} {count.refused:>9} {len(count.faults):>9}",
                      flush=True)
                failed |= bool(count.faults)
                for index, fault in count.faults[:20]:
                    print(f"    seed {arguments.seed}, number {index}: {fault}")
                    if arguments.keep:
                        arguments.keep.mkdir(parents=True, exist_ok=True)
                        subprocess.run([program, "write", name, str(arguments.seed), str(index), str(index + 1),
                                        arguments.keep, *samples], check=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
