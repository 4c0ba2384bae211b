#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs tile-opt on every fenced mlir block of the documentation.
"""usage: run-mlir-blocks.py SOURCE_DIR [--PASS...] [FILE...]

Takes the blocks between ```mlir and ``` of README.md, docs/*.md and the .td
files under dialect/ (or of the files named), and gives each to tile-opt, which
has to parse and verify it, and to run the passes named on it. An error names the
line of the documentation.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import textwrap

FENCE = re.compile(r"^\s*```\s*(\w*)\s*$")


def find_blocks(path):
    """Yields (line of the first line inside, text) of each mlir block."""
    inside, language, start, lines = False, "", 0, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if not fence:
            lines.append(line)
            continue
        if inside and language == "mlir":
            yield start, textwrap.dedent("\n".join(lines)) + "\n"
        inside, language, start, lines = not inside, fence.group(1), number + 1, []
    if inside:
        sys.exit(f"{path}:{start - 1}: error: expected ``` after this block, but got the end of the file")


def run(block, passes):
    """Returns what is wrong with a block, with the lines of its file; '' if nothing."""
    path, start, text = block
    done = subprocess.run(
        ["tile-opt", "-o", os.devnull, *passes], input=text, capture_output=True, text=True
    )
    if done.returncode == 0:
        return ""
    message = re.sub(
        r"<stdin>:(\d+)", lambda m: f"{path}:{start + int(m.group(1)) - 1}", done.stderr
    )
    return message or f"{path}:{start}: error: tile-opt ended with code {done.returncode}\n"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    passes = [name for name in sys.argv[2:] if name.startswith("--")]
    names = [name for name in sys.argv[2:] if not name.startswith("--")]
    files = [pathlib.Path(name) for name in names] or [
        root / "README.md",
        *sorted((root / "docs").glob("*.md")),
        *sorted((root / "dialect").rglob("*.td")),
    ]
    blocks = [(path, start, text) for path in files for start, text in find_blocks(path)]
    if not blocks:
        sys.exit("error: expected at least one mlir block, but got none")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda block: run(block, passes), blocks)
        problems = [problem for problem in results if problem]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(blocks) - len(problems)} of {len(blocks)} blocks are accepted")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
