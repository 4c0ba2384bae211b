#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Problems at random, for what selection makes of them.
"""usage: draw-problems.py SEED COUNT

Prints COUNT functions with a tile.gemm each and no schedule: every type that tensor
cores take, all orders of the operands, with and without C and a batch, extents of run
time or constants of all sizes. The same seed gives the same problems.
"""
import random
import sys

# A and B, C and D.
TYPES = [
    ("bf16", "bf16"), ("bf16", "f32"), ("f16", "f16"), ("f16", "f32"),
    ("f8E4M3FN", "bf16"), ("f8E5M2", "f16"), ("f8E4M3FN", "f32"), ("f32", "f32"),
]  # fmt: skip
EXTENTS = [16, 96, 128, 256, 640, 1024, 2048, 4096, 6144, 8192]


def write_type(element, rows, columns, is_column_major, batch):
    """A memref; extents that are None are of run time, and so are all strides then."""
    extents = ([batch] if batch is not None else []) + [rows, columns]
    text = "x".join("?" if e == "?" else str(e) for e in extents)
    if "?" in extents:
        strides = ["?", "1"] if not is_column_major else ["1", "?"]
        if batch is not None:
            strides = ["?"] + strides
        return f"memref<{text}x{element}, strided<[{', '.join(strides)}], offset: ?>>"
    strides = [1, rows] if is_column_major else [columns, 1]
    if batch is not None:
        strides = [rows * columns] + strides
    return f"memref<{text}x{element}, strided<{strides}>>"


def draw(rng, number):
    factor, result = rng.choice(TYPES)
    is_dynamic = rng.random() < 0.4
    m, n, k = ("?", "?", "?") if is_dynamic else (rng.choice(EXTENTS) for _ in range(3))
    batch = rng.choice([None, "?" if is_dynamic else 3])
    has_c = rng.random() < 0.6
    # 8-bit operands are K-major: A by rows, B by columns.
    is_narrow = factor.startswith("f8")
    order = [False, True] if is_narrow else [rng.random() < 0.5, rng.random() < 0.5]
    a = write_type(factor, m, k, order[0], batch)
    b = write_type(factor, k, n, order[1], batch)
    d = write_type(result, m, n, rng.random() < 0.3, batch)
    c, c_type = (", %c", f", {d}") if has_c else ("", "")
    arguments = f"%a: {a}, %b: {b}" + (f", %c: {d}" if has_c else "") + f", %d: {d}, %s: f32"
    beta = " beta(%s : f32)" if has_c else ""
    return f"""func.func @p{number}({arguments}) {{
  tile.gemm ins(%a, %b{c} : {a}, {b}{c_type}) outs(%d : {d}) alpha(%s : f32){beta}
  return
}}
"""


def main():
    rng, count = random.Random(int(sys.argv[1])), int(sys.argv[2])
    print("\n".join(draw(rng, number) for number in range(count)))


if __name__ == "__main__":
    main()
