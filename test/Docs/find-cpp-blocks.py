#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds every fenced cpp block of a page in the source that a test compiles.
"""usage: find-cpp-blocks.py PAGE SOURCE

Each block between ```cpp and ``` of PAGE must stand in SOURCE, line for line.
An error names the line of the page.
"""
import pathlib
import re
import sys

BLOCK = re.compile(r"^```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    page, source = (pathlib.Path(name).read_text() for name in sys.argv[1:])
    blocks = list(BLOCK.finditer(page))
    if not blocks:
        sys.exit(f"{sys.argv[1]}: error: expected a cpp block, but got none")
    missing = [block for block in blocks if block.group(1) not in source]
    for block in missing:
        line = page.count("\n", 0, block.start()) + 1
        print(
            f"{sys.argv[1]}:{line}: error: expected the block to stand in {sys.argv[2]}",
            file=sys.stderr,
        )
    sys.exit(bool(missing))


if __name__ == "__main__":
    main()
