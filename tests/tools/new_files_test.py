#!/usr/bin/env python3
"""Unit tests of scripts/new_operation, new_kernel and new_potential: python3 tests/tools/new_files_test.py"""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILER = shutil.which("g++") or shutil.which("c++")


class NewFiles(unittest.TestCase):

    def setUp(self):
        """Makes a checkout with the declarations that the scripts read."""
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.root = pathlib.Path(self.holder.name)
        for pattern in ("cmake/operations.cmake", "physics/*/*/operation.cmake", "backends/*/backend.cmake",
                        "backends/*/*/CMakeLists.txt", "physics/md/*potentials/*.hpp"):
            for file in ROOT.glob(pattern):
                copy = self.root / file.relative_to(ROOT)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, copy)

    def run_script(self, name, *arguments, folder=None):
        return subprocess.run([ROOT / "scripts" / name, *arguments], cwd=folder or self.root, capture_output=True,
                              text=True)

    def write(self, name, *arguments):
        """Runs a script and returns the paths of its files."""
        done = self.run_script(name, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        paths = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("wrote ")]
        for path in paths:
            self.assertTrue((self.root / path).is_file(), path)
            self.assertNotRegex((self.root / path).read_text(), "@[A-Z_]+@")
        self.assertIn("Fill in", done.stdout)
        return paths

    def refuse(self, text, name, *arguments, folder=None):
        before = sorted(self.root.rglob("*"))
        done = self.run_script(name, *arguments, folder=folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(text, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertEqual(sorted(self.root.rglob("*")), before)

    def compile_text(self, text):
        """Compiles a source against the files of the checkout and the headers of the tree."""
        if COMPILER is None:
            self.skipTest("no compiler")
        generated = self.root / "generated"
        generated.mkdir(exist_ok=True)
        (generated / "elements.hpp").write_text("""\
#include "core/base/precision.hpp"
namespace tessera {
template <class Operation>
struct ElementsOf;
namespace reduction {
struct Median;
}
template <>
struct ElementsOf<reduction::Median> : ElementList<Double, Single> {};
}  // namespace tessera
""")
        (self.root / "source.cpp").write_text(text)
        done = subprocess.run([COMPILER, "-std=c++20", "-fopenmp", "-Wall", "-Wextra", "-Wconversion", "-Wshadow",
                               "-Werror", "-fsyntax-only", "-I", self.root, "-I", ROOT, self.root / "source.cpp"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_operation(self):
        paths = self.write("new_operation", "reduction/median", "--summary", "middle value of each column")
        self.assertEqual(len(paths), 6)
        self.assertIn('SUMMARY "middle value of each column"',
                      (self.root / "physics/reduction/median/operation.cmake").read_text())
        self.compile_text("""\
#include "core/execution/host_space.hpp"
#include "core/operations/portable.hpp"
#include "core/operations/reference.hpp"
#include "physics/reduction/median/median_portable.hpp"
#include "physics/reduction/median/median_trial.cpp"
using namespace tessera;
auto body() {
  return portable_implementation<reduction::Median, Double, HostSpace,
                                 reduction::MedianPortable<Double, HostSpace>>("serial", 10);
}
auto oracle() {
  return reference_implementation<reduction::Median, Double, &reduction::median_reference<double>>();
}
""")
        for file in ("median_reference.hpp", "median_portable.hpp"):
            self.assertIn('throw Error("fill in', (self.root / "physics/reduction/median" / file).read_text())
        self.assertIn('FAIL("fill in', (self.root / "tests/conformance/reduction_median.cpp").read_text())
        self.refuse("physics/reduction/median exists already", "new_operation", "reduction/median")

    def test_a_kernel(self):
        self.write("new_kernel", "reduction/sum", "openmp", "blocked")
        call = (self.root / "backends/openmp/sum_blocked/CMakeLists.txt").read_text()
        self.assertIn("PRECISIONS double single\n", call)
        self.assertIn("PLAN openmp::sum_blocked::BlockedPlan FROM plan.hpp", call)
        self.compile_text("""\
#include "backends/openmp/sum_blocked/plan.hpp"
#include "core/operations/plugin.hpp"
auto kernel() {
  return tessera::plugin_implementation<tessera::openmp::sum_blocked::BlockedPlan<tessera::Double>>(
      "openmp.blocked", "openmp", tessera::MemorySpace::host);
}
""")
        self.assertIn('throw Error("fill in', (self.root / "backends/openmp/sum_blocked/plan.hpp").read_text())
        paths = self.write("new_kernel", "reduction/sum", "gpu", "blocked", "--precisions", "int64", "double")
        self.assertIn("backends/gpu/sum_blocked/plan.cuh", paths)
        self.assertIn("PRECISIONS double int64\n", (self.root / "backends/gpu/sum_blocked/CMakeLists.txt").read_text())

    def test_potentials(self):
        self.write("new_potential", "born/mayer")
        self.write("new_potential", "gromos", "--bond")
        self.compile_text("""\
#include "core/base/device_code.hpp"
#include <math.h>
#include "physics/md/pair_potential/potential_functions.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"
#include "physics/md/potentials/born_mayer.hpp"
#include "physics/md/listed_force/describe_listed_potential.hpp"
#include "physics/md/bond_potentials/gromos.hpp"
using namespace tessera::md;
auto pair() { return describe_pair_potential<potentials::BornMayer>("born/mayer", 0); }
auto bond() { return describe_listed_potential<potentials::GromosBond>("gromos", 0); }
""")
        for test in ("test_pair_born_mayer.cpp", "test_bond_gromos.cpp"):
            self.assertIn("FILL IN", (self.root / "tests/unit/physics/md/potentials" / test).read_text())

    def test_what_is_refused(self):
        for name in ("reduction/Median", "reduction/me-dian", "median", "reduction/2nd", "reduction/a b", "../md/x"):
            self.refuse(f"'{name}' is no name of an operation", "new_operation", name)
        self.refuse("there is no module 'optics': expected one of", "new_operation", "optics/lens")
        self.refuse("physics/reduction/sum exists already", "new_operation", "reduction/sum")
        self.refuse("another operation has the tag Sum", "new_operation", "md/sum")
        self.refuse("the summary is one line", "new_operation", "md/x", "--summary", 'a "word"')
        self.refuse("there is no operation 'reduction/sums': expected", "new_kernel", "reduction/sums", "cuda", "a")
        self.refuse("there is no backend 'cude': expected one of cuda", "new_kernel", "reduction/sum", "cude", "a")
        self.refuse("is no name of a kernel", "new_kernel", "reduction/sum", "cuda", "A")
        self.refuse("every operation", "new_kernel", "reduction/sum", "cuda", "portable")
        self.refuse("is the kernel openmp.simd", "new_kernel", "reduction/sum", "openmp", "simd")
        self.refuse("is the kernel cuda.window", "new_kernel", "pic/charge_deposit", "cuda", "window")
        self.refuse("has no precision 'half': expected some of double", "new_kernel", "reduction/sum", "cuda", "a",
                    "--precisions", "half")
        self.refuse("lj/cut exists already", "new_potential", "lj/cut")
        self.refuse("harmonic exists already", "new_potential", "harmonic", "--bond")
        for name in ("LJ", "lj-cut", "lj//cut", "/lj", "2lj", "lj+cut"):
            self.refuse("is no name of a potential", "new_potential", name)

    def test_outside_of_a_checkout(self):
        with tempfile.TemporaryDirectory() as folder:
            for arguments in (["new_operation", "reduction/median"], ["new_kernel", "reduction/sum", "cuda", "a"],
                              ["new_potential", "a"]):
                self.refuse("is in no checkout of Tessera", *arguments, folder=folder)
                self.assertEqual(list(pathlib.Path(folder).iterdir()), [])


if __name__ == "__main__":
    unittest.main()
