#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Looks for the ops of the dialect that no page of the documentation names.
"""usage: ops-in-prose.py SOURCE_DIR BUILD_DIR

The ops are those of the generated reference, BUILD_DIR/docs/reference/ops.md; the pages
are README.md and docs/*.md.
"""
import pathlib
import re
import sys


def main():
    root, build = map(pathlib.Path, sys.argv[1:3])
    reference = (build / "docs" / "reference" / "ops.md").read_text()
    ops = re.findall(r"^### `tile\.(\w+)`", reference, re.M)
    pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    words = set(re.findall(r"\w+", " ".join(page.read_text() for page in pages)))
    unnamed = [op for op in ops if op not in words]
    for op in unnamed:
        print(f"error: tile.{op} is in no page of docs/", file=sys.stderr)
    print(f"{len(ops)} ops, {'some' if unnamed else 'each'} in the documentation")
    return 1 if unnamed or not ops else 0


if __name__ == "__main__":
    sys.exit(main())
