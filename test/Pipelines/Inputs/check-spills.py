#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compares what ptxas -v says of spills with what is known.
"""usage: check-spills.py LOG...

Each kernel that spills has to be one of KNOWN, within its bytes; each of KNOWN has to
spill, or it is listed for nothing.
"""
import re
import sys

# (name of the kernel, most bytes of stores, why): none of these draws. Of other draws,
# 5 of 426 kernels spill 4 bytes, those of 8 bits with N = 160 that add C from memory.
KNOWN = []
ENTRY = re.compile(
    r"Function properties for (\w+)\s+(\d+) bytes stack frame, (\d+) bytes spill stores"
)


def main():
    found = [kernel for path in sys.argv[1:] for kernel in ENTRY.findall(open(path).read())]
    errors, met = [], set()
    for name, stack, stores in found:
        if stack == "0" and stores == "0":
            continue
        known = [entry for entry in KNOWN if re.fullmatch(entry[0], name)]
        if not known or int(stores) > known[0][1]:
            errors.append(f"{name}: {stack} bytes of stack, {stores} bytes of spills")
        met.update(known)
    for pattern, _, why in KNOWN:
        if not any(pattern == entry[0] for entry in met):
            errors.append(f"known to spill, but does not: {pattern} ({why})")
    for error in errors:
        print(f"error: {error}")
    print(f"{len(found)} kernels, {len(errors)} errors")
    return 1 if errors or len(found) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
