#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a module of linalg twice and compares all memory: by upstream's own lowering to
# loops, and with its contractions as kernels on the simulator.
"""usage: check-linalg.py LLVM_DIR BUILD_DIR SCRATCH_DIR MODULE.mlir

Every public function is called on random whole numbers, small enough that all sums are
exact. Extents that the types leave open are given in the module, for each argument:

    // shapes: @f 5x16 16x32 5x32      (`-` for a rank of 0)

Where functions such as exp are in it, whose last bits may differ, the results of
`// near: @f` agree to a few units in the last place.

The program around the kernels, as `tile-opt --linalg-to-tile` leaves it, is lowered by
upstream as well; its calls of entries come back here and are launched.
"""
import ctypes
import os
import pathlib
import random
import re
import struct
import subprocess
import sys

import tile
from tile._arrays import TYPES, View

LOWER = [
    "--convert-linalg-to-loops",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--arith-expand=include-bf16",
    "--math-expand-ops=ops=rsqrt",
    "--llvm-request-c-wrappers",
    "--expand-strided-metadata",
    "--convert-math-to-libm",
    "--convert-cf-to-llvm",
    "--convert-arith-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--convert-index-to-llvm",
    "--reconcile-unrealized-casts",
]
BUFFERIZE = [
    "--one-shot-bufferize=bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map",
    "--buffer-results-to-out-params=modify-public-functions hoist-static-allocs "
    "hoist-dynamic-allocs",
    "--canonicalize",
]
NAMES = {
    "f32": "float32",
    "f64": "float64",
    "f16": "float16",
    "bf16": "bfloat16",
    "i8": "int8",
    "i32": "int32",
}
FUNCTION = re.compile(r"^  func\.func (private )?@(\w+)\((.*?)\)( attributes .*?)? \{\n.*?^  \}\n", re.M | re.S)


def run(*command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def split_arguments(text):
    """The types of `%arg0: T, %arg1: U`."""
    return re.split(r", %\w+: ", re.sub(r"^%\w+: ", "", text)) if text else []


class Memory:
    """An argument: a memref's memory, packed or with its rows 3 elements apart."""

    def __init__(self, text, shape):
        found = re.fullmatch(r"memref<((?:[0-9?]+x)*)(\w+)(?:, strided<\[(.*?)\].*>)?>", text)
        if not found:
            sys.exit(f"expected a memref, but got {text}")
        extents, element, strides = found.groups()
        extents = extents.rstrip("x").split("x") if extents else []
        self.shape = [int(e) if e != "?" else s for e, s in zip(extents, shape or extents)]
        number, self.size = TYPES[NAMES[element]]
        self.strides, step = [], 1
        for extent in reversed(self.shape):
            self.strides.insert(0, step)
            step *= extent
            if strides and len(self.strides) == 1:
                step += 3
        self.number, self.bytes = number, step * self.size
        self.pack = {"f32": "<f", "f64": "<d", "f16": "<e", "i8": "<b", "i32": "<i"}.get(element)

    def make(self, seed):
        numbers = random.Random(seed)
        data = bytearray()
        while len(data) < self.bytes:
            value = numbers.randint(-2, 2)
            if self.pack:
                data += struct.pack(self.pack, value)
            else:  # bf16 is the upper half of f32
                data += struct.pack("<f", value)[2:]
        return (ctypes.c_char * len(data)).from_buffer(data), data

    def is_near(self, ours, upstream):
        """Whether floats agree to 8 units in the last place, of 1 at least."""
        bits = {"<f": 23, "<d": 52, "<e": 10, None: 7}.get(self.pack)
        if bits is None:
            return ours == upstream
        if not self.pack:  # bf16 is the upper half of f32
            ours, upstream = (
                b"".join(b"\0\0" + data[i : i + 2] for i in range(0, len(data), 2))
                for data in (ours, upstream)
            )
        pairs = zip(struct.iter_unpack(self.pack or "<f", ours),
                    struct.iter_unpack(self.pack or "<f", upstream), strict=True)
        return all(x == y or abs(x - y) <= 8 * 2.0**-bits * max(1, abs(y)) for (x,), (y,) in pairs)

    def describe(self, memory):
        """MLIR's descriptor: two pointers, the offset, the extents, the strides."""
        address = ctypes.addressof(memory)
        words = [address, address, 0, *self.shape, *self.strides]
        return (ctypes.c_int64 * len(words))(*words)


def read_view(descriptor, rank, number):
    words = ctypes.cast(descriptor, ctypes.POINTER(ctypes.c_int64))
    sizes = tuple(words[3 + i] for i in range(rank))
    strides = tuple(words[3 + rank + i] for i in range(rank))
    size = next(size for n, size in TYPES.values() if n == number)
    return View(words[1] + words[2] * size, number, sizes, strides)


class Checker:
    def __init__(self, llvm, build, scratch, path):
        self.bin, self.build, self.scratch = pathlib.Path(llvm) / "bin", build, scratch
        self.text = pathlib.Path(path).read_text()
        self.failures = []

    def lower(self, name, text, passes, hooks=""):
        """A library with the functions of a module as _mlir_ciface_*."""
        llvm = run(self.bin / "mlir-opt", *passes, *LOWER, text=text)
        code = run(self.bin / "mlir-translate", "--mlir-to-llvmir", text=llvm)
        source, library = self.scratch / f"{name}.c", self.scratch / f"{name}.so"
        (self.scratch / f"{name}.ll").write_text(code)
        source.write_text(hooks)
        run(
            self.bin / "clang", "-shared", "-fPIC", "-O1", "-Wno-override-module",
            source, self.scratch / f"{name}.ll", "-lm", "-o", library, text="",
        )
        return ctypes.CDLL(str(library))

    def convert(self):
        """The host program with its entries declared, and the names of these."""
        tool = os.path.join(self.build, "bin", "tile-opt")
        self.converted = run(tool, "--linalg-to-tile", text=self.text)
        entries = {}

        def declare(match):
            if "tile.gemm" not in match[0]:
                return match[0]
            entries[match[2]] = split_arguments(match[3])
            types = ", ".join(entries[match[2]])
            return f"  func.func private @{match[2]}({types})\n"

        return FUNCTION.sub(declare, self.converted), entries

    def make_hooks(self, entries):
        """C functions that give the calls of entries to Python."""
        code = "typedef void (*Hook)(const char *, void **);\nHook hook;\n"
        for name, types in entries.items():
            names = [f"a{i}" for i in range(len(types))]
            code += f"void _mlir_ciface_{name}({', '.join('void *' + n for n in names)}) {{\n"
            code += f"  void *all[] = {{{', '.join(names)}}};\n  hook(\"{name}\", all);\n}}\n"
        return code

    def launch(self, name, descriptors):
        try:
            entry = name.decode()
            infos = self.module.arguments(entry)
            views = [read_view(descriptors[i], f.rank, f.type) for i, f in enumerate(infos)]
            self.module.launch(entry, *views)
            self.launched.append(entry)
        except BaseException as error:  # pylint: disable=broad-except
            self.failures.append(f"{name.decode()}: {error}")

    def check(self):
        upstream = self.lower("upstream", self.text, BUFFERIZE)
        bufferized = run(self.bin / "mlir-opt", *BUFFERIZE, text=self.text)
        host, entries = self.convert()
        self.module = tile.compile(self.text).on(tile.Device("sim"))
        ours = self.lower("ours", host, [], self.make_hooks(entries))
        hook = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p))
        keep = hook(self.launch)
        ctypes.c_void_p.in_dll(ours, "hook").value = ctypes.cast(keep, ctypes.c_void_p).value
        for match in FUNCTION.finditer(bufferized):
            if not match[1]:
                self.check_function(match[2], split_arguments(match[3]), upstream, ours)
        if "linalg.transpose" in host:
            self.failures.append("a transpose is left in the program around the kernels")
        for failure in self.failures:
            print(f"error: {failure}")
        return 1 if self.failures else 0

    def check_function(self, name, types, upstream, ours):
        given = re.search(rf"// shapes: @{name} (.*)", self.text)
        shapes = given[1].split() if given else [""] * len(types)
        arguments = [
            Memory(kind, [int(n) for n in shape.split("x") if n.isdigit()])
            for kind, shape in zip(types, shapes, strict=True)
        ]
        self.launched, results = [], []
        for library in (upstream, ours):
            memories = [argument.make(i) for i, argument in enumerate(arguments)]
            getattr(library, "_mlir_ciface_" + name)(
                *(a.describe(memory) for a, (memory, _) in zip(arguments, memories))
            )
            results.append([bytes(data) for _, data in memories])
        before = [bytes(argument.make(i)[1]) for i, argument in enumerate(arguments)]
        if results[0] == before:
            self.failures.append(f"@{name}: upstream's function changes nothing")
        is_near = re.search(rf"// near: @{name}$", self.text, re.M)
        wrong = [
            i for i, (a, b) in enumerate(zip(*results))
            if a != b and not (is_near and arguments[i].is_near(b, a))
        ]
        if wrong:
            self.failures.append(f"@{name}: arguments {wrong} differ from upstream's")
        print(f"@{name}: {len(self.launched)} launched, {'differs' if wrong else 'as upstream'}")


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    scratch = pathlib.Path(sys.argv[3])
    scratch.mkdir(parents=True, exist_ok=True)
    return Checker(sys.argv[1], sys.argv[2], scratch, sys.argv[4]).check()


if __name__ == "__main__":
    sys.exit(main())
