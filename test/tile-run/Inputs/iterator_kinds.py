# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The operands and the results of iterator_kinds.mlir.
#   write N A B: matrices of N by N; row 0 of B is a list of integers. What lies
#     on and above the diagonal of A.tri is NaN.
#   check KIND N A B D: what the kernel should have stored.
import struct
import sys


def write(path, n, words):
    header = ("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }"
              % (n, n)).ljust(117) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little"))
        file.write(header.encode() + struct.pack("<%dI" % (n * n), *words))


def read(path, n, form):
    with open(path, "rb") as file:
        data = file.read()
    begin = 10 + int.from_bytes(data[8:10], "little")
    assert len(data) == begin + 4 * n * n, "expected %d by %d elements" % (n, n)
    values = struct.unpack("<%d%s" % (n * n, form), data[begin:])
    return [values[i * n:(i + 1) * n] for i in range(n)]


def bits(number):
    return struct.unpack("<I", struct.pack("<f", number))[0]


NAN = 0x7fc00000


def make(n, a, b):
    # No two elements are equal, and sums are exact.
    matrix = [[i * n + j + 1 for j in range(n)] for i in range(n)]
    write(a, n, [bits(x) for row in matrix for x in row])
    write(a + ".tri", n, [bits(x) if j < i else NAN
                          for i, row in enumerate(matrix)
                          for j, x in enumerate(row)])
    # Some of the places are none: below 0 and beyond the matrix.
    places = [(5 * i + 2) % (n + 3) - 1 for i in range(n)]
    write(b, n, [place & 0xffffffff for place in places] + [NAN] * (n * n - n))


def expect(kind, n, a, b):
    def row(i):
        return a[i] if 0 <= i < n else (0.0,) * n

    places = [x - 2**32 if x >= 2**31 else x for x in b[0]]
    if kind == "gather":
        return [row(places[i]) for i in range(n)]
    if kind == "gather_blocks":
        return [row((places[i // 4] - 1) * 4 + i % 4) if i < n // 4 * 4
                else (0.0,) * n for i in range(n)]
    if kind == "permute":
        rows = [row(places[i]) for i in range(n)]
        return [rows[2 * (i % (n // 2)) + i // (n // 2)] for i in range(n)]
    if kind == "triangle":
        return [tuple(a[i][j] if j < i else float(i == j) for j in range(n))
                for i in range(n)]
    if kind in ("stages", "matrices"):
        return a
    if kind == "transpose":
        return [tuple(a[j][i] for j in range(n)) for i in range(n)]
    residue = (n - 1) % 16 + 1
    return [tuple(sum(a[i][k] for k in ([j] if j < residue else []) +
                      list(range(residue + j, n, 16)))
                  for j in range(16)) for i in range(n)]


command, *rest = sys.argv[1:]
if command == "write":
    make(int(rest[0]), rest[1], rest[2])
else:
    kind, n = rest[0], int(rest[1])
    b, found = read(rest[3], n, "I"), read(rest[4], n, "f")
    wanted = expect(kind, n, read(rest[2], n, "f"), b)
    for i, row in enumerate(wanted):
        for j, x in enumerate(row):
            if found[i][j] != x:
                sys.exit("expected %r at (%d, %d) of %s, but got %r"
                         % (x, i, j, kind, found[i][j]))
    print("%s: %d by %d elements are right" % (kind, n, len(wanted[0])))
