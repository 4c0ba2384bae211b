# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a file, saves what comes of it, and launches that; without NumPy.

    PYTHONPATH=python python3 examples/python/launch.py
"""
import pathlib
import tempfile

import tile


def matrix(rows, columns, element):
    """A float32 matrix in a buffer of Python's own."""
    memory = memoryview(bytearray(4 * rows * columns)).cast("B").cast("f", (rows, columns))
    for i in range(rows):
        for j in range(columns):
            memory[i, j] = element(i * columns + j)
    return memory


text = (pathlib.Path(__file__).parent.parent / "gemm.mlir").read_text()
artifact = tile.compile(text)
with tempfile.TemporaryDirectory() as folder:
    artifact.save(f"{folder}/gemm.tile")
    module = tile.Artifact.load(f"{folder}/gemm.tile").on(tile.Device("sim"))
print(module.entries, "on", module.device.name)

a, b = matrix(40, 16, lambda i: i % 7), matrix(16, 24, lambda i: i % 5)
c, d = matrix(40, 24, lambda i: 1), matrix(40, 24, lambda i: 0)
module.launch("gemm", a, b, c, d, 1.0, 0.0)  # alpha and beta
print(d[1, 2])

try:
    tile.compile("func.func @f() { tile.nothing }", filename="x.mlir")
except tile.Error as error:
    print(*error.diagnostics, sep="\n")
