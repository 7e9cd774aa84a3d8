"""Unit tests of tests/docs/blocks.py: python3 tests/tools/blocks_test.py"""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "docs"))
import blocks as code  # noqa: E402

DOCUMENT = """# Title

Text with `a span` and one `that goes
on`.

    tessera run a.toml   # with a comment
    cmake --preset cpu && cmake --build build/cpu

1. A list:

       tessera_plugin(SOURCES
                      a.cpp)

   goes on

```toml
key = "a # b"
```

    core/   not a command
"""


class BlocksTest(unittest.TestCase):
    def test_blocks(self):
        found = code.blocks("D.md", DOCUMENT)
        self.assertEqual([(b.where, b.language) for b in found],
                         [("D.md:6", "shell"), ("D.md:11", "cmake"), ("D.md:16", "toml"), ("D.md:20", "text")])
        self.assertEqual(code.commands(found[0]),
                         ["tessera run a.toml", "cmake --preset cpu", "cmake --build build/cpu"])
        self.assertEqual(found[1].text, "tessera_plugin(SOURCES\n               a.cpp)\n")
        self.assertEqual(found[2].text, 'key = "a # b"\n')

    def test_spans(self):
        self.assertEqual([(s.where, s.text) for s in code.spans("D.md", DOCUMENT)],
                         [("D.md:3", "a span"), ("D.md:3", "that goes on")])


if __name__ == "__main__":
    unittest.main()
