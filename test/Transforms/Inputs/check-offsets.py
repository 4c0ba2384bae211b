#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compares the arithmetic that layouts are expanded to with their definition.
"""usage: check-offsets.py SEED COUNT

Writes COUNT functions with a random layout each, half of them swizzled, some
leaves and coordinates known at run time only; expands them with tile-opt; runs
the arithmetic on numbers; and compares the offset with the sum of coordinate
times stride, passed through the swizzle bit by bit.
"""
import random
import re
import subprocess
import sys

OPERATIONS = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "xori": lambda a, b: a ^ b,
    "shrui": lambda a, b: a >> b,
    "shli": lambda a, b: a << b,
    "divui": lambda a, b: a // b,
    "remui": lambda a, b: a % b,
}


def write(tree):
    if not isinstance(tree, tuple):
        return str(tree)
    return "(" + ", ".join(map(write, tree)) + ")"


def transform(tree, function):
    if not isinstance(tree, tuple):
        return function(tree)
    return tuple(transform(mode, function) for mode in tree)


def size(shape):
    if not isinstance(shape, tuple):
        return shape
    product = 1
    for mode in shape:
        product *= size(mode)
    return product


def offset(coord, shape, stride):
    """The definition: a number is split over the modes, the first one fastest."""
    if not isinstance(shape, tuple):
        return coord * stride
    if isinstance(coord, tuple):
        return sum(map(offset, coord, shape, stride))
    total = 0
    for number, (mode, step) in enumerate(zip(shape, stride)):
        last = number == len(shape) - 1
        total += offset(coord if last else coord % size(mode), mode, step)
        coord //= size(mode)
    return total


def swizzle(value, bits, base, shift):
    for bit in range(bits):
        source = base + bit + max(shift, 0)
        target = base + bit + max(-shift, 0)
        if value >> source & 1:
            value ^= 1 << target
    return value


def random_shape(depth):
    if depth == 0 or random.random() < 0.4:
        return random.choice([1, 2, 3, 4, 5, 8, 16])
    return tuple(random_shape(depth - 1) for _ in range(random.randint(1, 3)))


def random_function(number):
    """Returns (text, numbers of the arguments, expected offset)."""
    arguments = []

    def argument(value):
        arguments.append(value)
        return f"%a{len(arguments) - 1}"

    def coordinate(extent):
        value = random.randrange(size(extent))
        divisor = random.choice([1, 1, 1, 2, 4, 8])
        if random.random() < 0.2:
            return value, str(value)
        value -= value % divisor
        return value, argument(value) + (f" {{div = {divisor}}}" if divisor > 1 else "")

    def leaf(value):
        return argument(value) if random.random() < 0.3 else value

    shape = random_shape(2)
    stride = transform(shape, lambda _: random.choice([0, 1, 2, 3, 4, 8, 16, 64, 100, 512]))
    if not isinstance(shape, tuple) or random.random() < 0.4:
        coord, coord_text = coordinate(shape)
    else:
        modes = [coordinate(mode) for mode in shape]
        coord, coord_text = tuple(m[0] for m in modes), write(tuple(m[1] for m in modes))
    expected = offset(coord, shape, stride)
    layout = f"{write(transform(shape, leaf))} : {write(transform(stride, leaf))}"
    name, kind = "%l", re.sub(r"%a\d+", "?", layout)
    body = f"  %l = tile.make_layout {layout}\n"
    if random.random() < 0.5:
        bits, base = random.randint(1, 3), random.randint(0, 3)
        shift, start = random.choice([bits, bits + 1, -bits]), random.choice([0, 8, 64, 17])
        prefix = f"S<{bits}, {base}, {shift}> o {start} o "
        body += f"  %s = tile.make_swizzle {prefix}%l : !tile.layout<{kind}>\n"
        name, kind = "%s", prefix + kind
        expected = swizzle(start + expected, bits, base, shift)
    body += f"  %r = tile.crd2idx {coord_text}, {name} : !tile.layout<{kind}>\n"
    parameters = ", ".join(f"%a{i}: index" for i in range(len(arguments)))
    text = f"func.func @f{number}({parameters}) -> index {{\n{body}  return %r : index\n}}\n"
    return text, arguments, expected


def run(text, arguments):
    """Interprets the body of an expanded function."""
    values = {f"%arg{i}": value for i, value in enumerate(arguments)}
    for line in text.splitlines():
        if constant := re.match(r"\s*(%\S+) = arith\.constant (-?\d+)", line):
            values[constant[1]] = int(constant[2])
        elif binary := re.match(r"\s*(%\S+) = arith\.(\w+) (%\S+), (%\S+) :", line):
            values[binary[1]] = OPERATIONS[binary[2]](values[binary[3]], values[binary[4]])
        elif reached := re.match(r"\s*(%\S+) = arith\.cmpi uge, (%\S+), (%\S+) :", line):
            values[reached[1]] = values[reached[2]] >= values[reached[3]]
        elif select := re.match(r"\s*(%\S+) = arith\.select (%\S+), (%\S+), (%\S+) :", line):
            values[select[1]] = values[select[3] if values[select[2]] else select[4]]
        elif result := re.match(r"\s*return (%\S+)", line):
            return values[result[1]]
    return None


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    random.seed(int(sys.argv[1]))
    functions = [random_function(number) for number in range(int(sys.argv[2]))]
    done = subprocess.run(
        ["tile-opt", "--tile-expand-layouts", "--canonicalize", "--cse"],
        input="".join(text for text, _, _ in functions), capture_output=True, text=True,
    )
    if done.returncode:
        sys.exit(done.stderr)
    expanded = re.split(r"(?=func\.func)", done.stdout)[1:]
    wrong = len(functions) - len(expanded)
    for (text, arguments, expected), body in zip(functions, expanded):
        actual = run(body, arguments)
        if actual != expected:
            wrong += 1
            print(f"{text}{body}expected {expected} for {arguments}, but got {actual}\n")
    print(f"seed {sys.argv[1]}: {len(functions) - wrong} of {len(functions)} offsets are right")
    sys.exit(wrong != 0)


main()
