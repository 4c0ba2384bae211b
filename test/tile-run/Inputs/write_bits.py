# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes a square .npy file of raw bits: `write_bits.py FILE DESCRIPTOR BYTES N
# ON OFF` has ON on the diagonal and OFF elsewhere.
import sys

path, descriptor, size, n, on, off = sys.argv[1:]
size, n = int(size), int(n)
header = "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }" % (
    descriptor, n, n)
header = header.ljust(117) + "\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little"))
    file.write(header.encode())
    for i in range(n):
        for j in range(n):
            file.write(int(on if i == j else off, 0).to_bytes(size, "little"))
