#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: random-contractions.py SEED COUNT

Prints a module of contractions: any number of indices of each kind, in any order in each
operand, extents that are known or not, rows that lie apart, with and without a fill.
"""
import random
import sys


def memref(shape, element, is_dynamic, is_strided):
    extents = "".join(f"{'?' if is_dynamic else n}x" for n in shape)
    strides = ", ".join(["?"] * (len(shape) - 1) + ["1"])
    layout = f", strided<[{strides}], offset: ?>" if is_strided and shape else ""
    return f"memref<{extents}{element}{layout}>"


def make_function(number, pick):
    loops, kinds = [], []
    for kind, counts in (("batch", (0, 0, 1, 2)), ("m", (0, 1, 1, 2)), ("n", (0, 1, 1, 2)), ("k", (1, 1, 2))):
        for _ in range(pick.choice(counts)):
            loops.append(f"d{len(loops)}")
            kinds.append(kind)
    order = pick.sample(range(len(loops)), len(loops))
    loops, kinds = [loops[i] for i in order], [kinds[i] for i in order]
    extents = [pick.randint(1, 5) for _ in loops]
    operands = []
    for roles in (("batch", "m", "k"), ("batch", "k", "n"), ("batch", "m", "n")):
        mine = [i for i, kind in enumerate(kinds) if kind in roles]
        operands.append(pick.sample(mine, len(mine)) if pick.random() < 0.7 else mine)
    narrow = pick.random() < 0.3
    types, shapes = [], []
    for i, dims in enumerate(operands):
        shape = [extents[d] for d in dims]
        element = "f16" if narrow and i < 2 else "f32"
        types.append(memref(shape, element, pick.random() < 0.4, pick.random() < 0.4))
        shapes.append("x".join(map(str, shape)) or "-")
    space = ", ".join(f"d{i}" for i in range(len(loops)))
    maps = ", ".join(
        f"affine_map<({space}) -> ({', '.join(f'd{d}' for d in dims)})>" for dims in operands
    )
    iterators = ", ".join('"reduction"' if kind == "k" else '"parallel"' for kind in kinds)
    name = f"f{number}"
    fill = ""
    if pick.random() < 0.5:
        fill = (f"  %zero = arith.constant 0.0 : f32\n"
                f"  linalg.fill ins(%zero : f32) outs(%D : {types[2]})\n")
    widen = "".join(f"    %w{x} = arith.extf %{x} : f16 to f32\n" for x in "ab") if narrow else ""
    a, b = ("%wa", "%wb") if narrow else ("%a", "%b")
    element = "f16" if narrow else "f32"
    return f"""// shapes: @{name} {' '.join(shapes)}
func.func @{name}(%A: {types[0]}, %B: {types[1]}, %D: {types[2]}) {{
{fill}  linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}
    ins(%A, %B : {types[0]}, {types[1]}) outs(%D : {types[2]}) {{
  ^bb0(%a: {element}, %b: {element}, %d: f32):
{widen}    %p = arith.mulf {a}, {b} : f32
    %s = arith.addf %d, %p : f32
    linalg.yield %s : f32
  }}
  return
}}
"""


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pick = random.Random(int(sys.argv[1]))
    for number in range(int(sys.argv[2])):
        print(make_function(number, pick))


if __name__ == "__main__":
    main()
