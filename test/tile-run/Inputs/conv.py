# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: conv.py TILE_RUN FOLDER SEED COUNT PROFILE [OPTION...]

Makes COUNT random convolutions (kind, extents, strides, margins, dilations, groups, types,
orders in memory, C and epilogues; with PROFILE `tensors` those that tensor copies can read,
with `any` all), runs them, and compares with a direct convolution, which
shares no code with the compiler's: numbers are small integers, so that all sums are exact.
Prints the problem that is wrong, and how many were solved.
"""
import itertools
import os
import random
import struct
import subprocess
import sys

TYPES = {  # element type: that of the result, and what a file calls the two
    "f32": ("f32", "<f4", "<f4"),
    "f16": ("f32", "<f2", "<f4"),
    "bf16": ("f32", "<u2", "<f4"),
    "f8E4M3FN": ("f32", "|u1", "<f4"),
    "i8": ("i32", "|i1", "<i4"),
}
FORMS = {"<f4": "f", "<f2": "e", "<u2": "H", "|u1": "B", "|i1": "b", "<i4": "i"}
E4M3 = {0: 0, 1: 0x38, 2: 0x40, 3: 0x44}


def count_of(shape):
    total = 1
    for extent in shape:
        total *= extent
    return total


def encode(values, kind):
    if kind == "bf16":
        return [struct.unpack("<I", struct.pack("<f", v))[0] >> 16 for v in values]
    if kind == "f8E4M3FN":
        return [E4M3[abs(v)] | (0x80 if v < 0 else 0) for v in values]
    return values


def write(path, shape, values, descriptor):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descriptor, tuple(shape))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack("<%d%s" % (len(values), FORMS[descriptor]), *values))


def read(path, count, descriptor):
    with open(path, "rb") as file:
        data = file.read()
    begin = 10 + int.from_bytes(data[8:10], "little")
    return struct.unpack("<%d%s" % (count, FORMS[descriptor]), data[begin:])


def flat(index, shape):
    place = 0
    for i, extent in zip(index, shape):
        place = place * extent + i
    return place


class Problem:
    def __init__(self, rng, profile):
        self.kind = rng.choice(["fprop", "fprop", "dgrad", "wgrad"])
        self.type = rng.choice(["f32", "bf16", "bf16", "f16", "f8E4M3FN", "i8"])
        rank = self.rank = rng.choice([1, 2, 2, 2, 3])
        self.stride = [rng.choice([1, 1, 2, 3]) for _ in range(rank)]
        self.dilation = [rng.choice([1, 1, 2]) for _ in range(rank)]
        self.low = [rng.randint(0, 3) for _ in range(rank)]
        self.high = [rng.randint(0, 3) for _ in range(rank)]
        self.groups = rng.choice([1, 1, 1, 2, 3])
        self.flipped = rng.random() < 0.2
        n = rng.randint(1, 3)
        filters = [rng.randint(1, 3) for _ in range(rank)]
        least = [d * (f - 1) + 1 for d, f in zip(self.dilation, filters)]
        most = {1: 40, 2: 11, 3: 6}[rank]
        image = [max(1, rng.randint(1, most), l - a - b)
                 for l, a, b in zip(least, self.low, self.high)]
        # Channels around what vectors and tensor copies take.
        width = rng.choice([1, 2, 3, 5, 8, 16, 24])
        per, out = width, rng.choice([1, 4, 7, 16, 20])
        if rng.random() < 0.2:  # depthwise
            self.groups, per, out = rng.choice([4, 8]), 1, rng.choice([1, 2])
        self.c, self.k = per * self.groups, out * self.groups
        output = [(i + a + b - l) // s + 1
                  for i, a, b, l, s in zip(image, self.low, self.high, least, self.stride)]
        self.image = [n] + image + [self.c]
        self.filter = [self.k] + filters + [per]
        self.output = [n] + output + [self.k]
        self.orders = [rng.random() < 0.25 for _ in range(3)]
        if profile == "tensors":
            self.suit_tensors(rng, n, filters)
        self.has_c = self.type != "i8" and rng.random() < 0.2
        self.epilogue = self.type != "i8" and self.kind != "wgrad" and rng.random() < 0.3
        # Channels of groups that lie apart have no operand [channel].
        d_first = self.orders[0 if self.kind == "dgrad" else 2]
        self.epilogue &= self.groups == 1 or not d_first

    def suit_tensors(self, rng, n, filters):
        """Channels of whole 16 bytes, neighbours in memory, no division of pixels."""
        self.kind = rng.choice(["fprop", "fprop", "dgrad", "wgrad"])
        self.type = rng.choice(["bf16", "f16", "f8E4M3FN"] if self.kind == "fprop" else ["f16"])
        if self.kind == "dgrad":
            self.stride = [1] * self.rank
        unit = 16 if self.type == "f8E4M3FN" else 8
        self.groups, per = rng.choice([(1, unit), (1, 3 * unit), (1, 9 * unit), (2, 8 * unit)])
        if self.kind == "wgrad":
            per = 64 * rng.choice([1, 2])
        self.c = per * self.groups
        self.k = self.c if self.kind == "dgrad" else rng.choice([8, 24, 72]) * self.groups
        self.orders = [False] * 3
        image = self.image[1:-1]
        output = [(i + a + b - e * (f - 1) - 1) // s + 1 for i, a, b, e, f, s in
                  zip(image, self.low, self.high, self.dilation, filters, self.stride)]
        self.image = [n] + image + [self.c]
        self.filter = [self.k] + filters + [per]
        self.output = [n] + output + [self.k]

    def memref(self, shape, element, first):
        """Channels last, or before the spatial dimensions."""
        if not first:
            return "memref<%sx%s>" % ("x".join(map(str, shape)), element)
        strides, step = [0] * len(shape), 1
        for dim in [*range(len(shape) - 2, 0, -1), len(shape) - 1, 0]:
            strides[dim] = step
            step *= shape[dim]
        return "memref<%sx%s, strided<%s>>" % ("x".join(map(str, shape)), element, strides)

    def operands(self):
        """A, B and D with their extents and orders."""
        image, filt, output = zip((self.image, self.filter, self.output), self.orders)
        return {"fprop": (image, filt, output), "dgrad": (output, filt, image),
                "wgrad": (output, image, filt)}[self.kind]

    def text(self):
        result = TYPES[self.type][0]
        a, b, d = self.operands()
        types = [self.memref(*a[:1], self.type, a[1]), self.memref(*b[:1], self.type, b[1])]
        d_type = self.memref(d[0], result, d[1])
        ins = "%a, %b" + ", %c" * self.has_c
        typed = types + [d_type] * self.has_c
        arguments = [f"%a: {typed[0]}", f"%b: {typed[1]}"]
        arguments += [f"%c: {d_type}"] * self.has_c
        bias = f"memref<{d[0][-1]}xf32>"
        arguments += [f"%bias: {bias}"] * self.epilogue + [f"%d: {d_type}"]
        epilogue = ""
        if self.epilogue:
            block = "%sum: f32, " + "%old: f32, " * self.has_c + "%x: f32"
            last = "arith.addf %y, %old : f32" if self.has_c else "arith.addf %y, %x : f32"
            epilogue = f"""epilogue(%bias[channel] : {bias}) {{
    ^bb0({block}):
      %y = arith.addf %sum, %x : f32
      %z = {last}
      tile.yield %z : f32
    }}"""
        options = " ".join(
            f"{name} = {value}" for name, value in
            [("stride", self.stride), ("dilation", self.dilation), ("pad_low", self.low),
             ("pad_high", self.high)])
        if self.groups > 1:
            options += f" groups = {self.groups}"
        options += " flipped" * self.flipped
        return f"""func.func @conv({", ".join(arguments)}) {{
  tile.conv {self.kind} ins({ins} : {", ".join(typed)})
    outs(%d : {d_type}) {options} {epilogue}
  return
}}
"""

    def expect(self, a, b, c, bias):
        """A direct convolution: every image element under every filter element."""
        shapes = [shape for shape, _ in self.operands()]
        d = [0] * count_of(shapes[2])
        per, out = self.filter[-1], self.k // self.groups
        for n in range(self.image[0]):
            for p in itertools.product(*map(range, self.output[1:-1])):
                for r in itertools.product(*map(range, self.filter[1:-1])):
                    h = [x * s + y * e - m for x, s, y, e, m in
                         zip(p, self.stride, r, self.dilation, self.low)]
                    if any(i < 0 or i >= e for i, e in zip(h, self.image[1:-1])):
                        continue
                    f = [e - 1 - i for i, e in zip(r, self.filter[1:-1])] if self.flipped else r
                    for k in range(self.k):
                        for ch in range(per):
                            image = flat((n, *h, k // out * per + ch), self.image)
                            filt = flat((k, *f, ch), self.filter)
                            output = flat((n, *p, k), self.output)
                            if self.kind == "fprop":
                                d[output] += a[image] * b[filt]
                            elif self.kind == "dgrad":
                                d[image] += a[output] * b[filt]
                            else:
                                d[filt] += a[output] * b[image]
        channels = shapes[2][-1]
        for i in range(len(d)):
            if self.epilogue:
                d[i] += bias[i % channels] * (1 if self.has_c else 2)
            if self.has_c:
                d[i] += c[i]
        return d


def solve(problem, rng, tile_run, folder, options):
    """What is wrong, or nothing, and whether tensor copies read the tensors in place."""
    result, given, taken = TYPES[problem.type]
    (a_shape, _), (b_shape, _), (d_shape, _) = problem.operands()
    path = lambda name: os.path.join(folder, name)
    with open(path("conv.mlir"), "w") as file:
        file.write(problem.text())
    numbers = lambda shape, most: [rng.randint(-most, most) for _ in range(count_of(shape))]
    a, b = numbers(a_shape, 3), numbers(b_shape, 3)
    write(path("a.npy"), a_shape, encode(a, problem.type), given)
    write(path("b.npy"), b_shape, encode(b, problem.type), given)
    arguments = ["--arg", path("a.npy"), "--arg", path("b.npy")]
    c = bias = None
    if problem.has_c:
        c = numbers(d_shape, 9)
        write(path("c.npy"), d_shape, c, taken)
        arguments += ["--arg", path("c.npy")]
    if problem.epilogue:
        bias = numbers(d_shape[-1:], 9)
        write(path("bias.npy"), d_shape[-1:], bias, "<f4")
        arguments += ["--arg", path("bias.npy")]
    run = subprocess.run(
        [tile_run, path("conv.mlir"), *arguments, "--out", path("d.npy"), "--check", *options],
        capture_output=True, text=True)
    if run.returncode != 0:
        return run.stdout + run.stderr, False
    got = read(path("d.npy"), count_of(d_shape), taken)
    for i, (x, y) in enumerate(zip(got, problem.expect(a, b, c, bias))):
        if x != y:
            return f"{run.stdout}element {i} of D is {x} instead of {y}\n", False
    return "", "_tensors" in run.stdout


def main(tile_run, folder, seed, count, profile, *options):
    os.makedirs(folder, exist_ok=True)
    rng = random.Random(int(seed))
    in_place = 0
    for number in range(int(count)):
        problem = Problem(rng, profile)
        wrong, tensors = solve(problem, rng, tile_run, folder, options)
        in_place += tensors
        if wrong:
            print(f"problem {number} is wrong:\n{problem.text()}{wrong}")
            sys.exit(1)
    print(f"{count} convolutions, all as a direct convolution, {in_place} of them in place")


main(*sys.argv[1:])
