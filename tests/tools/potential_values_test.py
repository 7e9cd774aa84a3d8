#!/usr/bin/env python3
"""Every potential of the tree has a unit test of its values: python3 tests/tools/potential_values_test.py"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests" / "unit" / "physics" / "md" / "potentials"
# Potentials without a formula.
OTHER = {"table": ROOT / "tests" / "unit" / "physics" / "md" / "pair_potential" / "test_table.cpp"}


def names(folder):
    """Returns the names of the potentials in a folder: lj_cut.hpp is lj/cut."""
    return {file.stem.replace("_", "/") for file in (ROOT / "physics" / "md" / folder).glob("*.hpp")}


class PotentialValuesTest(unittest.TestCase):

    def test_each_potential_has_a_test_of_its_values(self):
        for folder, title, checks in (("potentials", "", "check_values"),
                                      ("bond_potentials", "the bond potential ", "check_bond_values"),
                                      ("angle_potentials", "the angle potential ", "check_angle_values"),
                                      ("dihedral_potentials", "the dihedral potential ", "check_angle_values"),
                                      ("improper_potentials", "the improper potential ", "check_angle_values")):
            tested = set()
            for file in TESTS.glob("*.cpp"):
                for case in re.split(r"(?=^TEST_CASE)", file.read_text(), flags=re.M):
                    found = re.match(rf'TEST_CASE\("{title}(\S+) has its published values"\)', case)
                    if found and checks + "(" in case and f'"{found[1]}"' in case[found.end():]:
                        self.assertNotIn("FILL IN", case, found[1])
                        tested.add(found[1])
            expected = names(folder) - OTHER.keys()
            self.assertGreaterEqual(len(expected), 1)
            self.assertEqual(expected - tested, set(), f"{title}without a test")
            self.assertEqual(tested - expected, set(), "tests of potentials that do not exist")
        for file in OTHER.values():
            self.assertTrue(file.is_file(), file)


if __name__ == "__main__":
    unittest.main()
