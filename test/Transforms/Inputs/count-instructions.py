#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Counts the instructions of layouts' index functions against C by hand.
"""usage: count-instructions.py GOLDEN FUNCTIONS DIRECTORY

FUNCTIONS is C: index functions, each behind a comment with its layout, of one
number or of one number a mode. The same functions are written with
tile.crd2idx, their arguments stated to be in range, and expanded by tile-opt.
clang -O3 compiles both for x86-64. All results below the size of the layout
are compared with the table in GOLDEN, then the instructions in front of the
return are counted. Fails above 1.05 times those of the C in total.
"""
import ctypes
import json
import os
import platform
import re
import subprocess
import sys

LIMIT = 1.05


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command[0]}: {done.stderr}")
    return done.stdout


def read_tuple(text):
    """(2, (3, 4)) of the text of a tuple or an integer."""
    return json.loads(text.replace("(", "[").replace(")", "]"))


def size(shape):
    if isinstance(shape, int):
        return shape
    product = 1
    for mode in shape:
        product *= size(mode)
    return product


class Function:
    """An index function: a layout in the notation of the golden data."""

    def __init__(self, layout, name, parameters):
        self.layout, self.name = layout, name
        self.parameters = re.findall(r"uint64_t (\w+)", parameters)
        text = layout.replace("_", "").replace(" o ", "|").split("|")
        self.swizzle, plain = text[:-1], text[-1]
        shape = read_tuple(plain.split(":")[0])
        self.plain = plain.replace(":", " : ").replace(",", ", ")
        modes = [shape] if len(self.parameters) == 1 else shape
        self.extents = [size(mode) for mode in modes]

    def mlir(self):
        arguments = ", ".join(
            f"%{name}: index {{llvm.range = #llvm.constant_range<i64, 0, {extent}>}}"
            for name, extent in zip(self.parameters, self.extents)
        )
        body = f"  %l = tile.make_layout {self.plain}\n"
        value, layout = "%l", self.plain
        if self.swizzle:
            swizzle, offset = self.swizzle
            layout = f"S{swizzle[2:]} o {offset} o {self.plain}"
            body += f"  %s = tile.make_swizzle S{swizzle[2:]} o {offset} o %l"
            body += f" : !tile.layout<{self.plain}>\n"
            value = "%s"
        coordinate = ", ".join(f"%{name}" for name in self.parameters)
        if len(self.parameters) > 1:
            coordinate = f"({coordinate})"
        body += f"  %r = tile.crd2idx {coordinate}, {value} : !tile.layout<{layout}>\n"
        return f"func.func @{self.name}({arguments}) -> index {{\n{body}  return %r : index\n}}\n"

    def find_mistake(self, compiled, table):
        function = compiled[self.name]
        function.argtypes = [ctypes.c_uint64] * len(self.parameters)
        function.restype = ctypes.c_int64
        if len(table) != size(self.extents):
            return f"has {size(self.extents)} elements, but the golden table {len(table)}"
        for index, expected in enumerate(table):
            coordinate, rest = [], index
            for extent in self.extents:
                coordinate.append(rest % extent)
                rest //= extent
            actual = function(*coordinate)
            if actual != expected:
                return f"expected {expected} at {coordinate}, but got {actual}"
        return None


def read_functions(path):
    with open(path) as file:
        found = re.findall(r"^// (\S.*:.*)\nuint64_t (\w+)\((.*?)\)", file.read(), re.M)
    return [Function(*each) for each in found]


def read_tables(path):
    tables = {}
    with open(path) as file:
        for line in file:
            row = json.loads(line)
            if row.get("ok") and "table" in row and "cosize" in row:
                tables[row["output"]] = row["table"]
    return tables


def count_instructions(assembly):
    """Instructions of each function apart from the return."""
    counts, name = {}, None
    for line in assembly.splitlines():
        if label := re.match(r"(\w+):", line):
            name = label[1]
            counts[name] = 0
        elif name and (instruction := re.match(r"\t([a-z]\w*)", line)):
            counts[name] += not instruction[1].startswith("ret")
    return counts


def compile_to(path, *source):
    """A shared object to call, and the instructions of the same assembly."""
    run("clang", "-O3", "-Wno-override-module", "-fPIC", "-S", *source, "-o", path + ".s")
    run("clang", "-shared", path + ".s", "-o", path + ".so")
    with open(path + ".s") as file:
        return ctypes.CDLL(path + ".so"), count_instructions(file.read())


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    golden, source, directory = sys.argv[1:]
    if platform.machine() != "x86_64":
        sys.exit(f"expected an x86_64 machine, but got {platform.machine()}")
    os.makedirs(directory, exist_ok=True)
    functions, tables = read_functions(source), read_tables(golden)

    text = "".join(function.mlir() for function in functions)
    text = run("tile-opt", "--tile-expand-layouts", "--canonicalize", "--cse", text=text)
    text = run(
        "mlir-opt", "--convert-arith-to-llvm", "--convert-func-to-llvm",
        "--reconcile-unrealized-casts", text=text,
    )
    ours = os.path.join(directory, "ours")
    with open(ours + ".ll", "w") as file:
        file.write(run("mlir-translate", "--mlir-to-llvmir", text=text))
    lowered, lowered_counts = compile_to(ours, ours + ".ll")
    by_hand, by_hand_counts = compile_to(os.path.join(directory, "by-hand"), source)

    totals, wrong = [0, 0], 0
    print("tile    C")
    for function in functions:
        counts = lowered_counts[function.name], by_hand_counts[function.name]
        totals = [total + count for total, count in zip(totals, counts)]
        print(f"{counts[0]:4} {counts[1]:4}  {function.name}  {function.layout}")
        if function.layout not in tables:
            sys.exit(f"error: the golden data has no {function.layout}")
        for which, compiled in (("tile", lowered), ("C", by_hand)):
            if mistake := function.find_mistake(compiled, tables[function.layout]):
                print(f"error: {which}: {function.name}: {mistake}")
                wrong += 1
    ratio = totals[0] / totals[1]
    print(f"{totals[0]:4} {totals[1]:4}  in total: {ratio:.3f} times, at most {LIMIT}")
    print(f"{len(functions)} layouts, {wrong} of {2 * len(functions)} functions wrong")
    sys.exit(wrong != 0 or ratio > LIMIT)


main()
