#!/usr/bin/env python3
"""write_npy.py PATH DESCRIPTOR SHAPE NUMBER...: writes a .npy file without NumPy.

SHAPE is such as 3x4. The numbers are in C order; fewer than there are elements
are repeated."""
import struct
import sys

path, descriptor, shape, *numbers = sys.argv[1:]
extents = [int(extent) for extent in shape.split("x")]
count = 1
for extent in extents:
    count *= extent
form = {"<f2": "e", "<f4": "f", "<f8": "d", "|i1": "b", "<i4": "i", "<u2": "H"}[
    descriptor
]
kind = float if form in "efd" else int
values = [kind(numbers[i % len(numbers)]) for i in range(count)]
header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (
    descriptor,
    tuple(extents),
)
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack("<%d%s" % (count, form), *values))
