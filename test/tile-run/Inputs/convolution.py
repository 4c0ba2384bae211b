# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The operands and the result of convolution.mlir.
#   write N C K A B: an activation of N images of 14 by 7 pixels with C channels,
#     and a filter for K of them.
#   check N C K A B D: what the kernel should have stored. Numbers are small
#     integers, so that sums are exact.
import struct
import sys

HEIGHT, WIDTH = 14, 7


def write(path, rows, columns, values):
    header = ("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }"
              % (rows, columns)).ljust(117) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little"))
        file.write(header.encode()
                   + struct.pack("<%df" % (rows * columns), *values))


def read(path, rows, columns):
    with open(path, "rb") as file:
        data = file.read()
    begin = 10 + int.from_bytes(data[8:10], "little")
    count = rows * columns
    assert len(data) == begin + 4 * count, "expected %d elements" % count
    values = struct.unpack("<%df" % count, data[begin:])
    return [values[i * columns:(i + 1) * columns] for i in range(rows)]


def main(what, n, c, k, a, b, d=None):
    n, c, k = int(n), int(c), int(k)
    pixels = n * HEIGHT * WIDTH
    if what == "write":
        write(a, pixels, c, [i * 5 % 17 - 8 for i in range(pixels * c)])
        write(b, c, 9 * k, [i * 7 % 13 - 6 for i in range(c * 9 * k)])
        return
    x, f, y = read(a, pixels, c), read(b, c, 9 * k), read(d, pixels, 9 * k)
    # By place and result channel: one number for each input channel.
    filters = [[f[channel][column] for channel in range(c)]
               for column in range(9 * k)]
    for pixel in range(pixels):
        h, w = pixel // WIDTH % HEIGHT, pixel % WIDTH
        places = [(r * 3 + s, pixel + (r - 1) * WIDTH + s - 1)
                  for r in range(3) for s in range(3)
                  if 0 <= h + r - 1 < HEIGHT and 0 <= w + s - 1 < WIDTH]
        for channel in range(k):
            want = sum(u * v for place, other in places
                       for u, v in zip(x[other], filters[place * k + channel]))
            assert y[pixel][channel] == want, (
                "expected %g at pixel %d, channel %d, but got %g"
                % (want, pixel, channel, y[pixel][channel]))


main(*sys.argv[1:])
