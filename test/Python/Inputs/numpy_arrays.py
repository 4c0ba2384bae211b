# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tile.gemm on NumPy's arrays, on the simulator."""
import itertools
import unittest

import numpy
import tile


class NumPy(unittest.TestCase):
    def setUp(self):
        self.sim = tile.Device("sim")
        self.random = numpy.random.default_rng(7)

    def make(self, *shape, dtype=numpy.float32):
        return self.random.integers(-3, 4, shape).astype(dtype)

    def test_views_of_each_kind(self):
        """Transposed, sliced, reversed and every second element, in place."""
        kinds = {
            "whole": lambda rows, columns: self.make(rows, columns),
            "transposed": lambda rows, columns: self.make(columns, rows).T,
            "sliced": lambda rows, columns: self.make(rows + 2, columns + 3)[1:-1, 2:-1],
            "reversed": lambda rows, columns: self.make(rows, columns)[::-1, ::-1],
            "strided": lambda rows, columns: self.make(2 * rows, 3 * columns)[::2, ::3],
            "fortran": lambda rows, columns: numpy.asfortranarray(self.make(rows, columns)),
        }
        for (name_a, a), (name_b, b) in itertools.product(kinds.items(), repeat=2):
            with self.subTest(a=name_a, b=name_b):
                left, right = a(9, 7), b(7, 5)
                numpy.testing.assert_array_equal(
                    tile.gemm(left, right, device=self.sim), left @ right
                )

    def test_types(self):
        for dtype in (numpy.float32, numpy.float64, numpy.float16):
            a, b = self.make(6, 4, dtype=dtype), self.make(4, 8, dtype=dtype)
            d = tile.gemm(a, b, device=self.sim)
            self.assertEqual(d.dtype, dtype)
            numpy.testing.assert_array_equal(d, a @ b)
        a, b = self.make(6, 4, dtype=numpy.float16), self.make(4, 8, dtype=numpy.float16)
        d = tile.gemm(a, b, out_dtype="float32", device=self.sim)
        self.assertEqual(d.dtype, numpy.float32)
        numpy.testing.assert_array_equal(d, a.astype(numpy.float32) @ b.astype(numpy.float32))

    def test_batches_and_addends(self):
        a, b, c = self.make(3, 6, 4), self.make(4, 8), self.make(3, 6, 8)
        numpy.testing.assert_array_equal(
            tile.gemm(a, b, c, alpha=2, beta=-1, device=self.sim), 2 * (a @ b) - c
        )
        expected = a @ b + 0.5 * c
        self.assertIs(tile.gemm(a, b, c, out=c, beta=0.5, device=self.sim), c)
        numpy.testing.assert_array_equal(c, expected)

    def test_padding_stays(self):
        whole = self.make(8, 16)
        kept = whole.copy()
        d = whole[1:7, 3:11]
        a, b = self.make(6, 4), self.make(4, 8)
        tile.gemm(a, b, out=d, device=self.sim)
        kept[1:7, 3:11] = a @ b
        numpy.testing.assert_array_equal(whole, kept)

    def test_mistakes(self):
        a, b = self.make(6, 4), self.make(4, 8)
        read_only = numpy.zeros((6, 8), numpy.float32)
        read_only.flags.writeable = False
        with self.assertRaisesRegex(tile.Error, "read-only"):
            tile.gemm(a, b, out=read_only, device=self.sim)
        with self.assertRaisesRegex(tile.Error, "complex64"):
            tile.gemm(a.astype(numpy.complex64), b, device=self.sim)
        with self.assertRaisesRegex(tile.Error, "strides of whole elements"):
            odd = numpy.zeros((6, 17), numpy.uint8)[:, 1:].view(numpy.float32)
            tile.gemm(odd[:, :4], b, device=self.sim)


if __name__ == "__main__":
    unittest.main()
