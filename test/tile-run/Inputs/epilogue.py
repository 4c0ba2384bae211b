# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: epilogue.py TILE_RUN FILE EXTENTS [OPTION...]

Solves problems with an epilogue, gelu((alpha A B + bias) scale) + residual (+ C), by each of
SCHEDULES, with and without a C and a batch, at odd extents, and has tile-run check all of
them; FILE is for the problem. Prints what is wrong, and how many were solved.
"""
import subprocess
import sys

WS = "#tile.warp_specialized"
SCHEDULES = [  # text, type of A and B, type of C and D
    ("#tile.simt<tile = [32, 32, 8], warps = [1, 1], thread = [4, 8]>", "f32", "f32"),
    ("#tile.simt<tile = [64, 32, 8], warps = [2, 1], thread = [8, 4], stages = 3>", "f32", "f32"),
    ("#tile.simt<tile = [64, 32, 8], warps = [2, 1], thread = [8, 4], split_k = 2>", "f32", "f32"),
    ("#tile.multistage<tile = [64, 64, 32], warps = [2, 2], stages = 3>", "bf16", "bf16"),
    ("#tile.multistage<tile = [64, 64, 32], warps = [2, 2], stages = 3>", "f16", "f32"),
    (f"{WS}<tile = [128, 64, 0], stages = 2>", "bf16", "bf16"),
    (f"{WS}<tile = [64, 64, 0], stages = 3, mode = pingpong>", "bf16", "bf16"),
    (f"{WS}<tile = [128, 96, 0], stages = 2, swap_ab = true>", "bf16", "bf16"),
    (f"{WS}<tile = [128, 64, 0], stages = 2, overlap_epilogue = true>", "f16", "f32"),
    (f"{WS}<tile = [128, 64, 0], stages = 2, split_k = 2>", "bf16", "f32"),
    (f"{WS}<tile = [128, 64, 0], stages = 2, use_tma_store = true>", "bf16", "bf16"),
    (f"{WS}<tile = [128, 64, 0], stages = 2, cluster = [2, 1], swap_ab = true, use_tma_store = true>", "f16", "f32"),
]  # fmt: skip


def problem(schedule, factor, result, has_c, batched):
    lead, strides = ("?x", "[?, ?, 1]") if batched else ("", "[?, 1]")
    a = f"memref<{lead}?x?x{factor}, strided<{strides}, offset: ?>>"
    d = f"memref<{lead}?x?x{result}, strided<{strides}, offset: ?>>"
    ext = "" if result == "f32" else f" : {result} to f32"
    body = [
        "%half = arith.constant 0.5 : f32",
        "%one = arith.constant 1.0 : f32",
        "%root = arith.constant 0.70710678 : f32",
        "%shifted = arith.addf %sum, %b : f32",
        "%factor = arith.extf %s : bf16 to f32",
        "%x = arith.mulf %shifted, %factor : f32",
        "%scaled = arith.mulf %x, %root : f32",
        "%erf = math.erf %scaled : f32",
        "%above = arith.addf %erf, %one : f32",
        "%halved = arith.mulf %x, %half : f32",
        "%gelu = arith.mulf %halved, %above : f32",
    ]
    last = "%gelu"
    for name in ["%r"] + ["%c"] * has_c:
        wide = name
        if ext:
            wide = f"{name}w"
            body.append(f"{wide} = arith.extf {name}{ext}")
        body.append(f"{name}s = arith.addf {last}, {wide} : f32")
        last = f"{name}s"
    if ext:
        body.append(f"%out = arith.truncf {last} : f32 to {result}")
        last = "%out"
    body.append(f"tile.yield {last} : {result}")
    lines = "\n      ".join(body)
    indices = "batch, m, n" if batched else "m, n"
    c, typed_c = (", %C", f", {d}") if has_c else ("", "")
    return f"""func.func @layer(%A: {a}, %B: {a}{f', %C: {d}' if has_c else ''}, %bias: memref<?xf32>,
                  %scale: memref<?xbf16>, %residual: {d}, %D: {d}, %alpha: f32) {{
  tile.gemm ins(%A, %B{c} : {a}, {a}{typed_c}) outs(%D : {d}) alpha(%alpha : f32)
    epilogue(%bias[n], %scale[m], %residual[{indices}] : memref<?xf32>, memref<?xbf16>, {d}) {{
    ^bb0(%sum: f32{f', %c: {result}' if has_c else ''}, %b: f32, %s: bf16, %r: {result}):
      {lines}
    }} schedule {schedule}
  return
}}
"""


def main(tile_run, path, extents, *options):
    solved = 0
    for schedule, factor, result in SCHEDULES:
        for has_c in (False, True):
            for batched in (False, True):
                with open(path, "w") as file:
                    file.write(problem(schedule, factor, result, has_c, batched))
                command = [tile_run, path, "--chip=sm_90a", "--scalar=alpha=0.75", "--check"]
                command += [f"--random={extents}{',3' if batched else ''}", *options]
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode or "all agree" not in done.stdout:
                    print(" ".join(command), schedule, has_c, done.stdout, done.stderr)
                    return 1
                solved += 1
    print(f"{solved} problems, all agree")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
