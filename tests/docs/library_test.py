#!/usr/bin/env python3
"""Builds a program from the CMake and C++ code in docs/library.md against the installed package, and runs it.

    library_test.py WORK CMAKE GENERATOR CXX_COMPILER PREFIX
"""

import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "docs"))
import blocks as code  # noqa: E402

PROJECT = """cmake_minimum_required(VERSION 3.24)
project(Mine LANGUAGES CXX)
add_executable(mine mine.cpp)
{snippet}"""

# Code around that of docs/library.md, with the variables that it uses: two atoms at a distance of 1.5 sigma.
PROGRAM = """{includes}
#include <cmath>
#include <cstdint>
#include <cstdio>

static void compute(double* positions, std::int32_t* types, double* forces, std::int64_t atoms,
                    const tessera::md::Box& box) {{
{statements}}}

int main() {{
  double positions[6] = {{1, 1, 1, 2.5, 1, 1}};
  std::int32_t types[2] = {{0, 0}};
  double forces[6] = {{}};
  tessera::md::Box box;
  for (double& length : box.length) length = 10;
  compute(positions, types, forces, 2, box);
  const double expected = 24 * (2 * std::pow(1.5, -13) - std::pow(1.5, -7));
  std::printf("force %.15g, expected %.15g\\n", forces[3], expected);
  return std::abs(forces[3] - expected) < 1e-12 && std::abs(forces[0] + expected) < 1e-12 ? 0 : 1;
}}
"""


def run(*words):
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


work, cmake, generator, compiler, prefix = sys.argv[1:]
work = pathlib.Path(work)
shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
found = code.blocks("docs/library.md", (ROOT / "docs/library.md").read_text())
[lines], [program] = [[b for b in found if b.language == language] for language in ("cmake", "cpp")]
includes = [line for line in program.text.splitlines() if line.startswith("#include")]
statements = [f"  {line}\n" for line in program.text.splitlines() if not line.startswith("#include")]
(work / "CMakeLists.txt").write_text(PROJECT.format(snippet=lines.text))
(work / "mine.cpp").write_text(PROGRAM.format(includes="\n".join(includes), statements="".join(statements)))
run(cmake, "-S", str(work), "-B", str(work / "build"), "-G", generator, f"-DCMAKE_CXX_COMPILER={compiler}",
    f"-DCMAKE_PREFIX_PATH={prefix}")
run(cmake, "--build", str(work / "build"))
print(f"{lines.where}, {program.where}: {run(str(work / 'build' / 'mine')).strip()}")
