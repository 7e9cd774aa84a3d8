"""Unit tests of scripts/check_copies: python3 tests/tools/check_copies_test.py"""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "check_copies"

WRONG = [
    "device.copy_to_host(values.data(), nodes.data, values.size() * sizeof(T), stream);",
    "device.copy_to_host(values.data(),\n    nodes.data + first,\n    size, stream);",
    "state.context.opened().copy(tally.data, values_.data(), values_.bytes(), stream);",
    "device.fill(out.virials.data, 0, 6 * atoms * sizeof(double), stream);",
    "space_.fill(args->density.data, 0, bytes);",
    "std::memcpy(host.data(), args.field[1].data, bytes);",
    "std::copy_n(view.data, n, out.begin());",
    "std::vector<T> values(view.data, view.data + view.size());",
    "return std::vector<double>(view.data, view.data + n);",
    "const std::span<const T> all{view.data, n};",
    "file.write(reinterpret_cast<const char*>(view.data), bytes);",
    "group.dataset(name, {n}, view.data);",
    "device.copy_to_host(values.data(), &nodes(0, 0, 0), values.size() * sizeof(T), stream);",
    "std::memcpy(host, &args.field[1](0, 0), bytes);",
]
SOUND = [
    "device.copy_to_host(values.data(), array.data(), array.bytes(), stream);",
    "device.copy_to_host(&value, &view(i), sizeof value, stream);",
    "space_.fill(&args.outside(0), 0, sizeof(std::int64_t));",
    "space.fill(view.data, 0, dense_bytes(view));",
    "std::vector<T> all = to_host(context, view);",
    "kernel(view.data, n);",
    "std::copy_n(&place_[index(thread, 0)], bins, ends);",
    "// device.copy_to_host(values.data(), nodes.data, size, stream);",
    "/* memcpy(a, view.data, n); */",
    'refuse("copy(view.data, n, m)");',
    "std::vector<Wrong> all{{\"null\", [](V& v) { v.data = nullptr; }, true}};",
]


class CheckCopiesTest(unittest.TestCase):
    def run_script(self, text, path="physics/pic/a.cpp"):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True)
            file.write_text(f"// first line\n{text}\n")
            result = subprocess.run([SCRIPT, "--root", folder], capture_output=True, text=True)
        return result.returncode, result.stdout + result.stderr

    def test_a_copy_by_pointer_and_size_is_found(self):
        for text in WRONG:
            with self.subTest(text):
                code, output = self.run_script(text)
                self.assertEqual(code, 1, output)
                self.assertIn("physics/pic/a.cpp:2: ", output)
                self.assertIn("1 files checked, 1 violations", output)

    def test_other_calls_are_not(self):
        for text in SOUND:
            with self.subTest(text):
                code, output = self.run_script(text)
                self.assertEqual(code, 0, output)

    def test_every_folder_is_looked_at_but_for_the_one_place(self):
        for path in ("core/memory/b.hpp", "backends/gpu/k/plan.cuh", "backends/gpu/k/row.cu.in", "apps/tessera/a.cpp",
                     "tests/unit/core/a.cpp", "examples/a/a.cpp", "benchmarks/a.cu"):
            with self.subTest(path):
                self.assertEqual(self.run_script(WRONG[0], path)[0], 1)
        for path in ("core/memory/copy_view.hpp", "core/memory/copy_view.cpp", "docs/a.cpp", "physics/README.md"):
            with self.subTest(path):
                self.assertEqual(self.run_script(WRONG[0], path)[0], 0)

    def test_the_tree_holds_to_it(self):
        result = subprocess.run([SCRIPT, "--root", ROOT], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
