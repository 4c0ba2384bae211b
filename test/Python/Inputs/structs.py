# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the package's structures with what structs.c prints of the headers."""
import ctypes
import sys

from tile import _compiler, _runtime

modules = {"_compiler": _compiler, "_runtime": _runtime}
seen = wrong = 0
for line in sys.stdin:
    path, number = line.split()
    module, name, *member = path.split(".")
    structure = getattr(modules[module], name)
    got = getattr(structure, member[0]).offset if member else ctypes.sizeof(structure)
    seen += 1
    if got != int(number):
        wrong += 1
        print(f"{path}: expected {number}, but got {got}")
print(f"{seen} compared, {wrong} wrong")
sys.exit(wrong > 0)
