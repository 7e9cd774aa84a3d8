"""Unit tests of scripts/check_dependencies: python3 tests/tools/check_dependencies_test.py"""

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
        self.root = pathlib.Path(folder.name)
        self.plant("cmake/modules.txt", MODULES)
        self.plant("core/base/error.hpp", "#include <string>\n")
        self.plant("physics/md/box.hpp", "#include <tessera/core/base/error.hpp>\n")
        self.plant("backends/serial/space.hpp", "#include <tessera/md/box.hpp>\n#include <tessera/generated/a.hpp>\n")
        self.plant("apps/tessera/main.cpp", "#include <tessera/backends/serial/space.hpp>\n")

    def plant(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run_script(self):
        result = subprocess.run([SCRIPT, "--root", self.root], capture_output=True, text=True)
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
        self.plant("physics/md/wall.hpp", "#include <tessera/backends/serial/space.hpp>\n")
        self.check_found("physics/md/wall.hpp (physics/md) includes backends/serial/space.hpp")

    def test_core_includes_no_physics_and_no_app(self):
        self.plant("core/base/a.hpp", "#include <tessera/md/box.hpp>\n")
        self.plant("core/base/b.cpp", '#include "apps/tessera/main.cpp"\n')
        self.check_found("core/base/a.hpp (core) includes physics/md/box.hpp",
                         "core/base/b.cpp (core) includes apps/tessera/main.cpp")

    def test_core_names_no_physics(self):
        self.plant("core/base/a.hpp", "// as md::Box\nint size(const md::Box&);\n")
        self.check_found("core/base/a.hpp:2 names 'md::'", "1 violations")

    def test_modules_keep_their_order(self):
        self.plant("physics/cg/a.hpp", "#include <tessera/md/box.hpp>\n")
        self.plant("physics/cg/b.hpp", "#include <tessera/reduction/sum.hpp>\n")
        self.plant("physics/md/a.hpp", "#include <tessera/mesh/grid.hpp>\n")
        self.check_sound()
        self.plant("physics/md/b.hpp", "#include <tessera/cg/a.hpp>\n")
        self.plant("physics/pic/a.hpp", "#include <tessera/md/box.hpp>\n")
        self.plant("physics/mesh/a.hpp", "#include <tessera/md/box.hpp>\n")
        self.check_found("physics/md/b.hpp (physics/md) includes physics/cg/a.hpp",
                         "physics/pic/a.hpp (physics/pic) includes physics/md/box.hpp",
                         "physics/mesh/a.hpp (physics/mesh) includes physics/md/box.hpp",
                         "3 violations")

    def test_a_relative_include_counts(self):
        self.plant("physics/reduction/a.hpp", '#include "../md/box.hpp"\n')
        self.check_found("physics/reduction/a.hpp (physics/reduction) includes physics/md/box.hpp")

    def test_a_module_that_is_not_listed_is_named(self):
        self.plant("physics/plasma/a.hpp", "")
        self.check_found("cmake/modules.txt has no module plasma")

    def test_an_order_that_is_none_is_refused(self):
        self.plant("cmake/modules.txt", "md: mesh\nmesh:\n")
        self.check_found("cmake/modules.txt:1: expected 'module: modules above this line'")

    def test_devices_stay_in_backends(self):
        self.plant("physics/md/a.hpp", "#include <Kokkos_Core.hpp>\n")
        self.plant("core/base/a.hpp", "#  include <cuda_runtime.h>\n")
        self.plant("backends/serial/a.hpp", "#include <Kokkos_Core.hpp>\n")
        self.plant("backends/kokkos/a.hpp", "#include <Kokkos_Core.hpp>\n")
        self.check_found("physics/md/a.hpp (physics/md) includes Kokkos_Core.hpp",
                         "core/base/a.hpp (core) includes cuda_runtime.h",
                         "only backends/kokkos may", "3 violations")


if __name__ == "__main__":
    unittest.main()
