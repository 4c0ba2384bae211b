# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a kernel for each kind of wgmma: types, where A is, narrow and wide."""

# Element type in memory, its bits, A and B of the atom, sums.
TYPES = [
    ("f16", 16, "f16", "f16", "f32"),
    ("bf16", 16, "bf16", "bf16", "f32"),
    ("f32", 32, "tf32", "tf32", "f32"),
    ("f8E4M3FN", 8, "f8E4M3FN", "f8E4M3FN", "f32"),
    ("f8E5M2", 8, "f8E5M2", "f8E5M2", "f32"),
    ("i8", 8, "i8", "i8", "i32"),
    ("i8", 8, "ui8", "i8", "i32"),
    ("i8", 8, "i8", "ui8", "i32"),
    ("i8", 8, "ui8", "ui8", "i32"),
]


def kernel(name, stored, bits, a, b, acc, in_register, n):
    # A row of 128 bytes: four instructions along K.
    k = 1024 // bits
    swizzle = {32: "S<3, 2, 3>", 16: "S<3, 3, 3>", 8: "S<3, 4, 3>"}[bits]
    view = lambda rows: (
        f"!tile.view<{stored}, shared, {swizzle} o 0 o ({rows}, {k}) : ({k}, 1), align = 1024>"
    )
    out = f"""
    gpu.func @{name}(%a: !llvm.ptr<1>, %lda: index, %d: !llvm.ptr<1>, %ldd: index, %steps: index) kernel
        attributes {{known_block_size = array<i32: 128, 1, 1>, tile.launch_facts = #tile.launch_facts<
          grid = {{tile = [64, {n}]}}, parameters = [A.data, A.stride[0], D.data, D.stride[0], K]>}} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %thread = gpu.thread_id x
      %b = tile.alloc_shared : {view(n)}
"""
    acc_type = f"!tile.accumulator<#tile.wgmma<n = {n}, a = {a}, b = {b}, acc = {acc}{', a_in = register' if in_register else ''}>, count = [1, 1]>"
    vector = f"vector<{32 * k // 64}x{stored}>"
    if in_register:
        step = 32 // bits
        pair = f"{step}@e1" if step > 1 else "1@e1"
        values = f"({step}, 2, 2, 4)" if step > 1 else "(1, 2, 2, 4)"
        strides = f"(1@e1, 8@e0, {4 * step}@e1, {8 * step}@e1)"
        map = f"#tile.tv_map<tile = [64, {k}], layout = ((4, 8, 4), {values}) : (({pair}, 1@e0, 16@e0), {strides})>"
        # Floats of 8 bits are loaded as the bytes that they are.
        loaded = "i8" if bits == 8 else stored
        iterator = f"!tile.iterator<!tile.view<{loaded}, global, (64, {k}) : (?, 1)>, {map}, steady>"
        out += f"""      %A = tile.make_view %a, (64, {k}) : (%lda, 1) : !llvm.ptr<1> -> !tile.view<{loaded}, global, (64, {k}) : (?, 1)>
      %i = tile.make_iterator %A(0, 0), %thread : {iterator}
      %loaded = tile.iterator_load %i : {iterator} -> vector<{32 * k // 64}x{loaded}>
      %operand = arith.bitcast %loaded : vector<{32 * k // 64}x{loaded}> to {vector}
"""
        operand = vector
    else:
        out += f"      %operand = tile.alloc_shared : {view(64)}\n"
        operand = view(64)
    size = n // 2
    result = f"!tile.iterator<!tile.view<{acc}, global, (64, {n}) : (?, 1)>, #tile.tv_map<tile = [64, {n}], layout = ((4, 8, 4), (2, 2, {n // 8})) : ((2@e1, 1@e0, 16@e0), (1@e1, 8@e0, 8@e1))>, steady>"
    out += f"""      %first = tile.warpgroup_mma %operand, %b : {operand}, {view(n)} -> {acc_type}
      %sums = scf.for %step = %c1 to %steps step %c1 iter_args(%acc = %first) -> ({acc_type}) {{
        %next = tile.warpgroup_mma %operand, %b acc(%acc : {acc_type}) : {operand}, {view(n)} -> {acc_type}
        %running = tile.warpgroup_wait %next pending(1) : {acc_type}
        scf.yield %running : {acc_type}
      }}
      %done = tile.warpgroup_wait %sums pending(0) : {acc_type}
      %elements = tile.accumulator_fragment %done : {acc_type} -> vector<{size}x{acc}>
      %D = tile.make_view %d, (64, {n}) : (%ldd, 1) : !llvm.ptr<1> -> !tile.view<{acc}, global, (64, {n}) : (?, 1)>
      %store = tile.make_iterator %D(0, 0), %thread : {result}
      tile.iterator_store %elements, %store : vector<{size}x{acc}>, {result}
      gpu.return
    }}
"""
    return out


print("module attributes {gpu.container_module} {\n  gpu.module @kernels {")
for stored, bits, a, b, acc in TYPES:
    for in_register in (False, True):
        for n in (8, 128):
            place = "register" if in_register else "shared"
            print(kernel(f"{a}_{b}_{place}_{n}", stored, bits, a, b, acc, in_register, n))
print("  }\n}")
