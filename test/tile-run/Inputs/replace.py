# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Copies an artifact with one string replaced by another one of the same length,
# and seals the copy.
import sys

source, target, old, new = sys.argv[1:]
with open(source, "rb") as file:
    data = file.read()
assert len(old) == len(new), "the lengths differ"
assert old.encode() in data, "expected " + old + " in " + source
data = bytearray(data.replace(old.encode(), new.encode()))
# FNV-1a of all bytes but the checksum's own, at 24.
checksum = 0xCBF29CE484222325
for byte in data[:24] + data[32:]:
    checksum = (checksum ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
data[24:32] = checksum.to_bytes(8, "little")
with open(target, "wb") as file:
    file.write(data)
