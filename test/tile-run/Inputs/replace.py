# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Copies a file with one string replaced by another one of the same length.
import sys

source, target, old, new = sys.argv[1:]
with open(source, "rb") as file:
    data = file.read()
assert len(old) == len(new), "the lengths differ"
assert old.encode() in data, "expected " + old + " in " + source
with open(target, "wb") as file:
    file.write(data.replace(old.encode(), new.encode()))
