# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes GEMMs of a type in all four layouts, with and without C:
write_multistage.py bf16 bf16 ['#tile.multistage<…>']"""
import itertools
import sys

factor, result = sys.argv[1:3]
schedule = f" {{schedule = {sys.argv[3]}}}" if len(sys.argv) > 3 else ""
ORDERS = {"r": "strided<[?, 1], offset: ?>", "c": "strided<[1, ?], offset: ?>"}
matrix = lambda element, order: f"memref<?x?x{element}, {ORDERS[order]}>"

for a, b, has_c in itertools.product("rc", "rc", (False, True)):
    if has_c and result == "i32":
        continue
    ta, tb, td = matrix(factor, a), matrix(factor, b), matrix(result, "r")
    name = f"{a}{b}" + ("_c" if has_c else "")
    argument, operand, extra = (f"%c: {td}, ", ", %c", f", {td}") if has_c else ("", "", "")
    print(f"""
func.func @{name}(%a: {ta}, %b: {tb}, {argument}%d: {td}) {{
  tile.gemm ins(%a, %b{operand} : {ta}, {tb}{extra}) outs(%d : {td}){schedule}
  return
}}""")
