"""Makes tuning records that the program of this build accepts, without measurements."""

import json
import subprocess


def answer(tessera, *command):
    return json.loads(subprocess.run([tessera, *command, "--json"], capture_output=True, text=True, check=True).stdout)


class Records:
    """Makes records for the device of the serial backend."""

    def __init__(self, tessera):
        self.info = answer(tessera, "info")
        self.listing = answer(tessera, "list", "--backend", "serial")
        self.device = next(b for b in self.info["backends"] if b["name"] == "serial")["devices"][0]

    def source(self, operation, implementation):
        found = next(o for o in self.listing["operations"] if o["name"] == operation)
        return next(i for i in found["implementations"] if i["name"] == implementation)["source_hash"]

    def candidate(self, operation, implementation, parameters, seconds):
        return {"implementation": implementation, "parameters": parameters, "seconds": seconds, "spread": 0.01,
                "samples": 21, "source": self.source(operation, implementation)}

    def record(self, operation, problem, implementation, parameters=None, precision="double", gain=1.25):
        device = {key: self.device[key] for key in ("name", "architecture", "compute_units", "concurrency", "driver")}
        winner = self.candidate(operation, implementation, parameters or {}, 1e-3)
        return {
            "operation": operation, "precision": precision, "problem": problem,
            "device": {"backend": "serial", "memory": "host", **device},
            "build": {key: self.info[key] for key in ("version", "compiler", "cuda_compiler", "kokkos", "flags")},
            "best": [winner], "untuned": {**winner, "parameters": {}, "seconds": gain * 1e-3}, "noise": 0.01,
            "candidates": 10, "evaluated": 10, "strategy": "exhaustive", "input": "melt",
            "date": "2026-01-31T12:00:00Z", "kept_default": False}

    def melt(self, implementation="serial.portable", parameters=None, atoms=500, neighbors=55.25, **more):
        """Returns a record for a Lennard-Jones melt, by default the one of tests/cli/golden/melt.toml with 500
        atoms."""
        kinds = {"form": "lj/cut", "types": "one", "exclusions": "no", "box": "orthogonal", "outputs": "forces",
                 "skin": "free"}
        problem = {"size": atoms, "kinds": kinds, "magnitudes": {"neighbors": neighbors}}
        return self.record("md/pair_force", problem, implementation, parameters, **more)


def write(path, *records):
    path.write_text(json.dumps({"schema": 1, "records": records}))
    return path
