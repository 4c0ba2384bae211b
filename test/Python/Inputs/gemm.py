# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tile.gemm, tile.compile and artifacts, without NumPy, on the simulator."""
import ctypes
import itertools
import os
import sys
import tempfile
import threading
import unittest
import unittest.mock

import tile
from arrays import Array, reference
from tile import _arrays

TEXT = """
!mat = memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @scaled(%A: !mat, %B: !mat, %D: !mat, %alpha: f32) {
  tile.gemm ins(%A, %B : !mat, !mat) outs(%D : !mat) alpha(%alpha : f32)
  return
}
"""


class Gemm(unittest.TestCase):
    def setUp(self):
        # The simulator, or what test/Python/gpu.test names.
        self.sim = tile.Device(os.environ.get("TILE_TEST_DEVICE", "sim"))

    def check(self, a, b, d, c=None, alpha=1, beta=1):
        before = {index: d[index] for index in d.indices()} if c is d else None
        result = tile.gemm(a, b, c, out=d, alpha=alpha, beta=beta, device=self.sim)
        self.assertIs(result, d)
        for index in d.indices():
            batch = index[0] if len(index) == 3 else 0
            expected = alpha * reference(a, b, batch, *index[-2:])
            if c is not None:
                expected += beta * (before[index] if before else c[index])
            self.assertEqual(d[index], expected, index)

    def test_each_layout(self):
        orders = [(0, 1), (1, 0)]
        for order_a, order_b, order_d in itertools.product(orders, repeat=3):
            a = Array((9, 7), order=order_a, pad=3).fill(1)
            b = Array((7, 5), order=order_b, pad=1).fill(2)
            self.check(a, b, Array((9, 5), order=order_d, pad=2))

    def test_each_type(self):
        for kind, result in [
            ("float32", "float32"),
            ("float64", "float64"),
            ("float16", "float16"),
            ("float16", "float32"),
        ]:
            a, b = Array((6, 4), kind).fill(3), Array((4, 8), kind).fill(4)
            self.check(a, b, Array((6, 8), result))

    def test_scalars_and_addend(self):
        a, b = Array((6, 4)).fill(5), Array((4, 8)).fill(6)
        c = Array((6, 8), order=(1, 0)).fill(7)
        self.check(a, b, Array((6, 8)), c)
        self.check(a, b, Array((6, 8)), c, alpha=2, beta=-0.5)
        self.check(a, b, Array((6, 8)), alpha=-3)
        self.check(a, b, c, c, beta=2)

    def test_batches(self):
        a, shared = Array((3, 6, 4)).fill(8), Array((4, 8)).fill(9)
        self.check(a, shared, Array((3, 6, 8)))
        self.check(a, Array((3, 4, 8), order=(1, 2, 0)).fill(10), Array((3, 6, 8)))

    def test_strides_of_any_sign(self):
        a = Array((6, 4), reverse=True).fill(11)
        self.check(a, Array((4, 8)).fill(12), Array((6, 8)))

    def test_empty_problems(self):
        self.check(Array((6, 0)), Array((0, 8)), Array((6, 8)))
        self.check(Array((0, 4)), Array((4, 8)).fill(1), Array((0, 8)))

    def test_results_between_operands(self):
        # Columns of one memory by turns: what is copied back must not undo another.
        whole = Array((4, 8)).fill(13)
        a = Array((4, 4))
        d = Array((4, 4))
        for part, start in ((a, 0), (d, 1)):
            part._memory, part.offset, part.strides = whole._memory, start, [8, 2]
        b = Array((4, 4)).fill(14)
        kept = [a[index] for index in a.indices()]
        self.check(a, b, d)
        self.assertEqual(kept, [a[index] for index in a.indices()])

    def test_overlap_is_refused(self):
        a, b = Array((4, 4)).fill(15), Array((4, 4)).fill(16)
        with self.assertRaisesRegex(tile.Error, "D to be apart from A and B"):
            tile.gemm(a, b, out=a, device=self.sim)

    def test_buffers(self):
        def make(rows, columns):
            return memoryview(bytearray(4 * rows * columns)).cast("B").cast("f", (rows, columns))

        a, b = make(5, 3), make(3, 2)
        for memory in (a, b):
            for i, j in itertools.product(*map(range, memory.shape)):
                memory[i, j] = i - 2 * j
        d = tile.gemm(a, b, device=self.sim)
        self.assertEqual(d.shape, (5, 2))
        for i, j in itertools.product(range(5), range(2)):
            self.assertEqual(d[i, j], sum(a[i, k] * b[k, j] for k in range(3)))
        with self.assertRaisesRegex(tile.Error, "read-only"):
            tile.gemm(a, b, out=d.toreadonly(), device=self.sim)

    def test_dlpack(self):
        a, b = Array((6, 4), order=(1, 0)).fill(17), Array((4, 8)).fill(18)
        d = Array((6, 8))
        tile.gemm(DLPack(a), DLPack(b), out=d, device=self.sim)
        for i, j in d.indices():
            self.assertEqual(d[i, j], reference(a, b, 0, i, j))

    def test_mistakes(self):
        a, b = Array((6, 4)).fill(1), Array((4, 8)).fill(1)
        for call, reason in [
            (lambda: tile.gemm(a, a), "agree on K, but got 4 columns of a and 6 rows of b"),
            (lambda: tile.gemm(Array((4,)), b), "a with 2 or 3 dimensions, but got 1"),
            (lambda: tile.gemm(a, b, out=Array((6, 7)), device=self.sim), "7 columns|8 columns"),
            (lambda: tile.gemm(a, b, Array((8,)), out=Array((6, 8))), "c with 2 or 3"),
            (lambda: tile.gemm("text", b), "expected an array"),
            (lambda: tile.gemm(a, Array((4, 8), "float64"), out=Array((6, 8))), "element type"),
            (lambda: tile.gemm(a, b, out=Array((6, 8)), schedule="fast"), "expected a schedule"),
            (lambda: tile.Device("toaster"), "toaster"),
        ]:
            with self.assertRaisesRegex(tile.Error, reason):
                call()


class DLPack:
    """Hands an Array out as DLPack does."""

    def __init__(self, array):
        rank = len(array.shape)
        self.shape = (ctypes.c_int64 * rank)(*array.shape)
        self.strides = (ctypes.c_int64 * rank)(*array.strides)
        address = array.__array_interface__["data"][0]
        # A byte offset, as those of sliced tensors.
        self.tensor = _arrays._DLTensor(
            address - 4, 1, 0, rank, 2, 32, 1, self.shape, self.strides, 4
        )
        self.array = array

    def __dlpack__(self):
        new = ctypes.pythonapi.PyCapsule_New
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        new.restype = ctypes.py_object
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


class Compile(unittest.TestCase):
    def test_artifact(self):
        artifact = tile.compile(TEXT, chip="sm_80")
        self.assertGreaterEqual(len(artifact.kernels), 2)
        self.assertEqual(artifact.ptx(artifact.kernels[1]).count(".entry"), 1)
        self.assertEqual(artifact.ptx().count(".entry"), len(artifact.kernels))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.tile")
            artifact.save(path)
            self.assertEqual(os.listdir(folder), ["a.tile"])
            loaded = tile.Artifact.load(path)
        self.assertEqual(loaded.data, artifact.data)
        module = loaded.on(tile.Device("sim"))
        self.assertEqual(module.entries, ["scaled"])
        a, b, d = Array((5, 4)).fill(1), Array((4, 3)).fill(2), Array((5, 3))
        module.launch("scaled", a, b, d, 2)
        for i, j in d.indices():
            self.assertEqual(d[i, j], 2 * reference(a, b, 0, i, j))
        with self.assertRaisesRegex(tile.Error, "expected 4 arguments .* but got 2"):
            module.launch("scaled", a, b)
        with self.assertRaisesRegex(tile.Error, "none"):
            module.launch("none", a)
        with self.assertRaisesRegex(tile.Error, "from a file"):
            loaded.ptx()
        with self.assertRaisesRegex(tile.Error, "artifact"):
            tile.Artifact(b"nothing").on(tile.Device("sim"))

    def test_saving_leaves_nothing_behind(self):
        artifact = tile.Artifact(b"bytes")
        with self.assertRaises(OSError):
            artifact.save("/nowhere/at/all.tile")

    def test_errors_have_places(self):
        with self.assertRaises(tile.Error) as caught:
            tile.compile("func.func @f() {\n  tile.nothing\n}", filename="f.mlir")
        self.assertEqual(caught.exception.status, "parse error")
        (diagnostic,) = caught.exception.diagnostics
        self.assertEqual((diagnostic.severity, diagnostic.file), ("error", "f.mlir"))
        self.assertEqual((diagnostic.line, diagnostic.column), (2, 3))
        twice = "func.func private @f()\nfunc.func private @f()"
        with self.assertRaises(tile.Error) as caught:
            tile.compile(twice)
        self.assertEqual(caught.exception.diagnostics[0].notes[0].line, 1)
        with self.assertRaisesRegex(tile.Error, "sm_1"):
            tile.compile(TEXT, chip="sm_1")

    def test_remarks(self):
        artifact = tile.compile(TEXT, remarks=True, simulator=False)
        self.assertEqual(artifact.diagnostics[0].severity, "remark")

    def test_threads(self):
        results = []
        threads = [
            threading.Thread(target=lambda: results.append(tile.compile(TEXT).data))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 4)
        self.assertEqual(len(set(results)), 1)

    def test_cache(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {"TILE_CACHE_DIR": folder, "TILE_JIT": "forbid"}
            with unittest.mock.patch.dict(os.environ, environment):
                with self.assertRaisesRegex(tile.Error, "compiled already") as caught:
                    tile.compile(TEXT)
                self.assertEqual(caught.exception.status, "not found")
                del os.environ["TILE_JIT"]
                first = tile.compile(TEXT).data
                os.environ["TILE_JIT"] = "forbid"
                self.assertEqual(tile.compile(TEXT).data, first)
            self.assertEqual(len(os.listdir(folder)), 1)

    def test_needs_no_numpy(self):
        self.assertFalse({"numpy", "torch"} & set(sys.modules))


if __name__ == "__main__":
    unittest.main()
