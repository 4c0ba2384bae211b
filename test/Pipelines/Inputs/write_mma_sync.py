# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a kernel for each mma.sync that a chip has: write_mma_sync.py 80"""
import itertools
import sys

CHIP = int(sys.argv[1])
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "f64": 64, "i8": 8, "ui8": 8, "i4": 4,
        "ui4": 4, "f8E4M3FN": 8, "f8E5M2": 8, "f32": 32, "i32": 32}
STORED = {"tf32": "f32", "ui8": "i8", "ui4": "i4"}

# First chip, (m, n, k), A, B, sums.
ROWS = [(75, (16, 8, 8), "f16", "f16", acc) for acc in ("f16", "f32")]
ROWS += [(75, (8, 8, 16), "i8", "i8", "i32")]
ROWS += [(80, (16, 8, 16), "f16", "f16", acc) for acc in ("f16", "f32")]
ROWS += [(80, (16, 8, k), "bf16", "bf16", "f32") for k in (8, 16)]
ROWS += [(80, (16, 8, k), "tf32", "tf32", "f32") for k in (4, 8)]
ROWS += [(80, (8, 8, 4), "f64", "f64", "f64")]
ROWS += [(90, (16, 8, k), "f64", "f64", "f64") for k in (4, 8, 16)]
for a, b in itertools.product(("i8", "ui8"), repeat=2):
    ROWS += [(80, shape, a, b, "i32") for shape in ((8, 8, 16), (16, 8, 16), (16, 8, 32))
             if (shape, a, b) != ((8, 8, 16), "i8", "i8")]
for a, b in itertools.product(("i4", "ui4"), repeat=2):
    ROWS += [(80, shape, a, b, "i32") for shape in ((8, 8, 32), (16, 8, 32), (16, 8, 64))]
for a, b in itertools.product(("f8E4M3FN", "f8E5M2"), repeat=2):
    ROWS += [(89, (16, 8, 32), a, b, acc) for acc in ("f16", "f32")]

print("gpu.module @kernels {")
for chip, (m, n, k), a, b, acc in ROWS:
    if chip > CHIP:
        continue
    vector = lambda t, count: f"vector<{count}x{STORED.get(t, t)}>"
    va, vb, vc = vector(a, m * k // 32), vector(b, n * k // 32), vector(acc, m * n // 32)
    words = lambda t, count: f"vector<{count * BITS[t] // 32}xi32>"
    wa, wb = words(a, m * k // 32), words(b, n * k // 32)
    print(f"""
gpu.func @m{m}n{n}k{k}_{a}_{b}_{acc}(%a: {wa}, %b: {wb}, %c: {vc}, %out: !llvm.ptr<1>) kernel {{
  %x = vector.bitcast %a : {wa} to {va}
  %y = vector.bitcast %b : {wb} to {vb}
  %d = tile.mma %x, %y, %c atom(#tile.mma_sync<shape = [{m}, {n}, {k}], a = {a}, b = {b}, acc = {acc}>) : {va}, {vb}, {vc}
  llvm.store %d, %out : {vc}, !llvm.ptr<1>
  gpu.return
}}""")
print("}")
