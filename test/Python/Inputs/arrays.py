# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An array of numbers for tests, without NumPy: any strides, NaN between the rows."""
import ctypes
import itertools
import random
import struct

FORMATS = {"float32": "f", "float64": "d", "float16": "e", "int8": "b", "int32": "i"}


class Array:
    """Strides count elements; `order` are the dimensions, the outermost first."""

    def __init__(self, shape, dtype="float32", order=None, pad=0, reverse=False):
        self.shape, self.dtype = tuple(shape), dtype
        self._format = FORMATS[dtype]
        self._size = struct.calcsize(self._format)
        order = order or range(len(shape))
        self.strides, step = [0] * len(shape), 1
        for place, dim in enumerate(reversed(list(order))):
            self.strides[dim] = step
            step *= self.shape[dim] + (pad if place == 0 else 0)
        self._memory = (ctypes.c_char * max(step * self._size, 1))()
        self.offset = 0
        if dtype.startswith("float"):
            for i in range(step):
                struct.pack_into(self._format, self._memory, i * self._size, float("nan"))
        if reverse:
            self.offset = (self.shape[0] - 1) * self.strides[0]
            self.strides[0] *= -1

    @property
    def __array_interface__(self):
        kind = "i" if self.dtype.startswith("int") else "f"
        return {
            "version": 3,
            "typestr": f"<{kind}{self._size}",
            "shape": self.shape,
            "strides": tuple(s * self._size for s in self.strides),
            "data": (ctypes.addressof(self._memory) + self.offset * self._size, False),
        }

    def _at(self, index):
        return (self.offset + sum(i * s for i, s in zip(index, self.strides))) * self._size

    def __getitem__(self, index):
        return struct.unpack_from(self._format, self._memory, self._at(index))[0]

    def __setitem__(self, index, value):
        struct.pack_into(self._format, self._memory, self._at(index), value)

    def indices(self):
        return itertools.product(*map(range, self.shape))

    def fill(self, seed):
        """Small whole numbers, whose sums are exact in every type."""
        numbers = random.Random(seed)
        for index in self.indices():
            self[index] = numbers.randint(-3, 3)
        return self


def reference(a, b, batch, i, j):
    """An element of the product; arrays of two dimensions have no batch."""
    at = lambda x, row, column: x[(batch, row, column) if len(x.shape) == 3 else (row, column)]
    return sum(at(a, i, k) * at(b, k, j) for k in range(a.shape[-1]))
