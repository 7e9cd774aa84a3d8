"""Unit tests of scripts/case_reference: python3 tests/tools/case_reference_test.py"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "case_reference"
ROWS = "| key | meaning |\n|---|---|\n| `steps` | of the run |\n"
TABLES = f"<!-- table md: run -->\n{ROWS}<!-- end of table -->\n"
MORE = "<!-- table md: walls -->\n| key |\n|---|\n| `x` |\n<!-- end of table -->\n"
PAGE = f"# Cases\n\n## run\n\nBefore.\n\n{TABLES}\nBehind.\n\n## selection\n\nNames.\n"


class CaseReferenceTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_on(self, page, tables, *options):
        program = self.folder / "program"
        program.write_text(f"#!{sys.executable}\nimport sys\n"
                           f"assert sys.argv[1:] == ['help', 'case']\nprint({tables!r}, end='')\n")
        program.chmod(0o755)
        path = self.folder / "page.md"
        path.write_text(page)
        result = subprocess.run([SCRIPT, *options, "--page", path, program], capture_output=True,
                                text=True)
        return result.returncode, result.stdout + result.stderr, path.read_text()

    def test_a_page_that_is_up_to_date_passes(self):
        code, output, page = self.run_on(PAGE, TABLES, "--check")
        self.assertEqual((code, page), (0, PAGE), output)

    def test_planted_mistakes_are_found_and_mended(self):
        for mistake in (PAGE.replace("of the run", "of the ruin"),
                        PAGE.replace("| `steps` | of the run |\n", ""),
                        PAGE.replace("|---|---|\n", "|---|---|\n| `more` | nothing |\n")):
            code, output, page = self.run_on(mistake, TABLES, "--check")
            self.assertEqual(code, 1)
            self.assertIn("run scripts/case_reference", output)
            self.assertEqual(page, mistake)
            code, output, page = self.run_on(mistake, TABLES)
            self.assertEqual((code, page), (0, PAGE), output)

    def test_a_new_table_gets_a_place_behind_the_one_before_it(self):
        code, output, _ = self.run_on(PAGE, TABLES + MORE, "--check")
        self.assertEqual(code, 1)
        self.assertIn("+## walls", output)
        _, _, page = self.run_on(PAGE, TABLES + MORE)
        self.assertEqual(page, PAGE.replace("\n## selection", f"\n## walls\n\n{MORE}\n## selection"))
        self.assertEqual(self.run_on(page, TABLES + MORE, "--check")[0], 0)

    def test_a_table_that_is_gone_is_named(self):
        code, output, _ = self.run_on(PAGE, MORE, "--check")
        self.assertEqual(code, 1)
        self.assertIn("no table 'md: run' any more", output)

    def test_a_program_without_tables_is_no_success(self):
        self.assertNotEqual(self.run_on(PAGE, "", "--check")[0], 0)


if __name__ == "__main__":
    unittest.main()
