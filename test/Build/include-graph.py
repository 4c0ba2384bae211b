#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Which library includes headers of which, and whether that goes in circles.
"""usage: include-graph.py SOURCE_DIR [--print]

A library is a folder of lib/ (with lib/Target/X a library of its own), runtime/lib,
runtime/sim or runtime/include; headers under dialect/tile/X belong to library X. Fails
for a circle of libraries, and for an include in quotation marks that is no file.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
ROOTS = ["dialect", "lib", "lib/Run", "lib/Bench", "runtime/include", "runtime/lib", "runtime/sim"]


def library_of(path):
    """The library of a path relative to the source tree."""
    parts = path.parts
    if parts[:2] == ("dialect", "tile"):
        return parts[2] if len(parts) > 3 else "Pipelines"
    if parts[0] == "runtime":
        return "/".join(parts[:2])
    if parts[:2] == ("lib", "Target") and parts[2] != "Translate":
        return "Target"
    return "/".join(parts[1:-1])


def find(root, source, name):
    """The file that an include of a source names, relative to the tree, or None. What
    is generated counts as if it lay beside its .td file."""
    for folder in [source.parent, *map(pathlib.Path, ROOTS)]:
        path = pathlib.Path(*(root / folder / name).resolve().parts)
        if path.is_file():
            return path.relative_to(root)
    if name.endswith(".inc") and (root / "dialect" / name).parent.is_dir():
        return pathlib.Path("dialect", name)
    return None


def read_edges(root):
    """{library: {other library: an example of an include}}, and includes of no file."""
    edges, missing = {}, []
    for folder in ("dialect", "lib", "runtime"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".c", ".def"):
                continue
            source = path.relative_to(root)
            own = edges.setdefault(library_of(source), {})
            for name in INCLUDE.findall(path.read_text()):
                if name.startswith(("mlir/", "llvm/", "gtest/", "nlohmann/")):
                    continue
                target = find(root, source, name)
                if target is None:
                    missing.append(f"{source}: no file is \"{name}\"")
                elif library_of(target) != library_of(source):
                    own.setdefault(library_of(target), f"{source} includes {name}")
    return edges, missing


def find_circle(edges):
    """The libraries of one circle in order, or []."""
    done = set()

    def visit(library, path):
        if library in path:
            return path[path.index(library):]
        if library in done:
            return []
        for other in edges.get(library, {}):
            circle = visit(other, path + [library])
            if circle:
                return circle
        done.add(library)
        return []

    for library in edges:
        circle = visit(library, [])
        if circle:
            return circle
    return []


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    edges, missing = read_edges(root)
    if "--print" in sys.argv:
        for library in sorted(edges):
            print(f"{library}: {' '.join(sorted(edges[library]))}")
    for text in missing:
        print(f"error: {text}")
    circle = find_circle(edges)
    for library, other in zip(circle, circle[1:] + circle[:1]):
        print(f"error: {library} depends on {other}: {edges[library][other]}")
    if circle or missing:
        return 1
    print(f"{len(edges)} libraries, no circle")
    return 0


if __name__ == "__main__":
    sys.exit(main())
