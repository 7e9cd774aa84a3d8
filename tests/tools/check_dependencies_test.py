"""Unit tests of scripts/check_dependencies: python3 tests/tools/check_dependencies_test.py"""

import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_dependencies"
MODULES = "# order\nreduction:\nmesh: reduction\nmd: mesh\ncg: md\npic: mesh\n"


class CheckDependenciesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(os.path.realpath(folder.name))
        self.arguments = []
        self.plant("cmake/modules.txt", MODULES)
        self.plant("core/levels.txt", "# order\ncontract: base memory\nupper: trials\n")
        self.plant("core/base/error.hpp", "#include <string>\n")
        self.plant("physics/md/box.hpp", '#include "core/base/error.hpp"\n')
        self.plant("backends/serial/space.hpp", '#include "physics/md/box.hpp"\n#include "generated/a.hpp"\n')
        self.plant("apps/tessera/main.cpp", '#include "backends/serial/space.hpp"\n')

    def plant(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def plant_objects(self, *objects):
        """Makes a ninja that lists these objects, each a name and its dependencies, for `ninja -t deps`."""
        lines = []
        for name, *files in objects:
            lines.append(f"{name}: #deps {len(files)}, deps mtime 1 (VALID)")
            lines.extend(f"    {self.root / file}" for file in files)
        self.plant("deps", "\n".join(lines) + "\n")
        self.plant("bin/ninja", f"#!/bin/sh\ncat {self.root}/deps\n")
        (self.root / "bin/ninja").chmod(0o755)
        self.arguments = [self.root / "build"]

    def run_script(self):
        environment = dict(os.environ, PATH=f"{self.root}/bin:{os.environ['PATH']}")
        result = subprocess.run([SCRIPT, "--root", self.root, *self.arguments], capture_output=True, text=True,
                                env=environment)
        return result.returncode, result.stdout + result.stderr

    def check_found(self, *words):
        code, output = self.run_script()
        self.assertEqual(code, 1, output)
        for word in words:
            self.assertIn(word, output)

    def check_sound(self):
        code, output = self.run_script()
        self.assertEqual(code, 0, output)

    def test_a_sound_tree_passes(self):
        self.check_sound()

    def test_a_header_is_judged_though_nothing_includes_it(self):
        self.plant("physics/md/wall.hpp", '#include "backends/serial/space.hpp"\n')
        self.check_found("physics/md/wall.hpp (physics/md) includes backends/serial/space.hpp")

    def test_a_plugin_includes_no_header_of_another_one(self):
        for plugin in "pair_force_list", "pair_force_patch":
            self.plant(f"backends/gpu/{plugin}/CMakeLists.txt", "tessera_plugin()\n")
            self.plant(f"backends/gpu/{plugin}/own.cuh", '#include "backends/gpu/pair_common/row.cuh"\n')
        self.plant("backends/gpu/pair_common/row.cuh", '#include "physics/md/box.hpp"\n')
        self.plant("backends/gpu/pair_force_list/plan.cuh", '#include "backends/gpu/pair_force_list/own.cuh"\n')
        self.check_sound()
        self.plant("backends/gpu/pair_force_patch/kernel.cu.in", '#include "backends/gpu/pair_force_list/own.cuh"\n')
        self.check_found("backends/gpu/pair_force_patch/kernel.cu.in (backends) includes "
                         "backends/gpu/pair_force_list/own.cuh (backends), a header of another plugin")

    def test_a_shared_folder_and_another_backend_include_no_header_of_a_plugin(self):
        self.plant("backends/gpu/pair_force_list/CMakeLists.txt", "tessera_plugin()\n")
        self.plant("backends/gpu/pair_force_list/own.cuh", "")
        self.plant("backends/gpu/pair_common/row.cuh", '#include "backends/gpu/pair_force_list/own.cuh"\n')
        self.plant("backends/openmp/pair_force_list/row.hpp", '#include "backends/gpu/pair_force_list/own.cuh"\n')
        self.check_found("backends/gpu/pair_common/row.cuh (backends) includes backends/gpu/pair_force_list/own.cuh",
                         "backends/openmp/pair_force_list/row.hpp (backends) includes")

    def test_objects_are_judged_by_the_headers_of_plugins(self):
        self.plant("backends/gpu/pair_force_list/CMakeLists.txt", "tessera_plugin()\n")
        self.plant_objects(("backends/gpu/a.o", "backends/gpu/pair_force_patch/patch.cu",
                            "backends/gpu/pair_force_list/own.cuh"))
        self.check_found("backends/gpu/pair_force_patch/patch.cu (backends) includes "
                         "backends/gpu/pair_force_list/own.cuh (backends), a header of another plugin")

    def test_core_includes_no_physics_and_no_app(self):
        self.plant("core/base/a.hpp", '#include "physics/md/box.hpp"\n')
        self.plant("core/base/b.cpp", '#include "apps/tessera/main.cpp"\n')
        self.check_found("core/base/a.hpp (core/base) includes physics/md/box.hpp",
                         "core/base/b.cpp (core/base) includes apps/tessera/main.cpp")

    def test_core_names_no_physics(self):
        self.plant("core/base/a.hpp", "// as md::Box\nint size(const md::Box&);\n")
        self.check_found("core/base/a.hpp:2 names 'md::'", "1 violations")

    def test_modules_keep_their_order(self):
        self.plant("physics/cg/a.hpp", '#include "physics/md/box.hpp"\n')
        self.plant("physics/cg/b.hpp", '#include "physics/reduction/sum.hpp"\n')
        self.plant("physics/mesh/grid.hpp", "")
        self.plant("physics/reduction/sum.hpp", "")
        self.plant("physics/md/a.hpp", '#include "physics/mesh/grid.hpp"\n')
        self.check_sound()
        self.plant("physics/md/b.hpp", '#include "physics/cg/a.hpp"\n')
        self.plant("physics/pic/a.hpp", '#include "physics/md/box.hpp"\n')
        self.plant("physics/mesh/a.hpp", '#include "physics/md/box.hpp"\n')
        self.check_found("physics/md/b.hpp (physics/md) includes physics/cg/a.hpp",
                         "physics/pic/a.hpp (physics/pic) includes physics/md/box.hpp",
                         "physics/mesh/a.hpp (physics/mesh) includes physics/md/box.hpp",
                         "3 violations")

    def test_includes_are_paths_from_the_root(self):
        self.plant("physics/md/a.hpp", '#include "../md/box.hpp"\n')
        self.plant("physics/md/b.hpp", '#include "box.hpp"\n')
        self.plant("physics/md/c.hpp", "#include <tessera/md/box.hpp>\n")
        self.plant("physics/md/d.hpp", '#include "physics/md/bax.hpp"\n')
        self.plant("tests/plugin/e.cpp", "#include <tessera/md/box.hpp>\n")
        self.check_found('a.hpp (physics/md) includes "../md/box.hpp", expected a path from the root',
                         'b.hpp (physics/md) includes "box.hpp", expected a path from the root',
                         "c.hpp (physics/md) includes <tessera/md/box.hpp>, the name for users",
                         "d.hpp (physics/md) includes physics/md/bax.hpp, which does not exist", "4 violations")

    def test_a_guard_follows_from_the_path(self):
        self.plant("physics/md/a.hpp", "#ifndef TESSERA_PHYSICS_MD_A_HPP\n#define TESSERA_PHYSICS_MD_A_HPP\n#endif\n")
        self.check_sound()
        self.plant("physics/md/b.hpp", "#ifndef TESSERA_PHYSICS_MD_A_HPP\n#define TESSERA_PHYSICS_MD_A_HPP\n#endif\n")
        self.plant("physics/md/c.hpp", "#pragma once\n")
        self.check_found("b.hpp (physics/md) has the guard TESSERA_PHYSICS_MD_A_HPP, expected TESSERA_PHYSICS_MD_B_HPP",
                         "c.hpp (physics/md) has a #pragma once, expected the guard TESSERA_PHYSICS_MD_C_HPP",
                         "2 violations")

    def test_a_module_that_is_not_listed_is_named(self):
        self.plant("physics/plasma/a.hpp", "")
        self.check_found("cmake/modules.txt does not name plasma")

    def test_levels_of_core_keep_their_order(self):
        self.plant("core/trials/a.hpp", '#include "core/memory/b.hpp"\n')
        self.plant("core/memory/b.hpp", '#include "core/base/error.hpp"\n')
        self.plant("core/base/c.hpp", '#include "core/memory/b.hpp"\n')
        self.check_sound()
        self.plant("core/memory/d.hpp", '#include "core/trials/a.hpp"\n')
        self.check_found("core/memory/d.hpp (core/memory) includes core/trials/a.hpp (core/trials): core/levels.txt "
                         "does not let it", "1 violations")

    def test_a_folder_of_core_names_its_level(self):
        self.plant("core/plots/a.hpp", "")
        self.check_found("core/levels.txt does not name plots")
        self.plant("core/levels.txt", "contract: base\nupper: base\n")
        self.check_found("core/levels.txt:2: expected 'level: folders of core', each folder once")

    def test_an_order_that_is_none_is_refused(self):
        self.plant("cmake/modules.txt", "md: mesh\nmesh:\n")
        self.check_found("cmake/modules.txt:1: expected 'module: modules above this line'")

    def test_devices_stay_in_backends(self):
        self.plant("physics/md/a.hpp", "#include <Kokkos_Core.hpp>\n")
        self.plant("core/base/a.hpp", "#  include <cuda_runtime.h>\n")
        self.plant("backends/serial/a.hpp", "#include <Kokkos_Core.hpp>\n")
        self.plant("backends/kokkos/a.hpp", "#include <Kokkos_Core.hpp>\n")
        self.check_found("physics/md/a.hpp (physics/md) includes Kokkos_Core.hpp",
                         "core/base/a.hpp (core/base) includes cuda_runtime.h",
                         "only backends/kokkos may", "3 violations")

    def test_what_an_object_included_counts(self):
        self.plant_objects(("physics/CMakeFiles/p.dir/md/a.cpp.o", "physics/md/a.cpp", "physics/pic/mesh.hpp",
                            "opt/Kokkos_Core.hpp"))
        self.check_found("physics/md/a.cpp (physics/md) includes physics/pic/mesh.hpp",
                         "includes opt/Kokkos_Core.hpp", "2 violations")

    def test_an_object_of_several_sources_is_judged_by_its_layer(self):
        unit = "physics/CMakeFiles/p.dir/Unity/unity_0_cxx.cxx"
        self.plant_objects((unit + ".o", "build/" + unit, "physics/pic/mesh.hpp", "physics/md/box.hpp"))
        self.check_sound()
        self.plant_objects((unit + ".o", "build/" + unit, "backends/serial/space.hpp", "opt/cuda_runtime.h"))
        self.check_found("(physics) includes backends/serial/space.hpp (backends)", "includes opt/cuda_runtime.h",
                         "2 violations")

    def test_a_generated_source_answers_for_nothing(self):
        self.plant_objects(("x.o", "build/generated/x.cpp", "backends/serial/space.hpp"),
                           ("y.o", "core/base/y.cpp", "core/base/error.hpp"))
        self.check_sound()

    def test_a_build_without_objects_is_no_proof(self):
        self.plant_objects(("x.o", "build/generated/x.cpp", "backends/serial/space.hpp"))
        self.check_found("no object of this project found", "build it first")


if __name__ == "__main__":
    unittest.main()
