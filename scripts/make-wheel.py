#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Packs the Python package and both libraries of a build tree into a wheel.
"""usage: make-wheel.py SOURCE_DIR BUILD_DIR LLVM_DIR OUT_DIR

Prints the path of the wheel. The same files give the same bytes.
"""
import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

# The oldest glibc that the libraries ask for is that of scripts/bundle.
TAG = "py3-none-manylinux_2_36_x86_64"
MOST_BYTES = 35_000_000


def read_version(source):
    text = (source / "CMakeLists.txt").read_text()
    version = re.search(r"^project\(tile VERSION ([0-9.]+)", text, re.M)[1]
    package = (source / "python/tile/_library.py").read_text()
    if f'version = "{version}"' not in package:
        sys.exit(f"error: expected version {version} in python/tile/_library.py, but it is not there")
    return version


def strip(llvm, library):
    with tempfile.TemporaryDirectory() as folder:
        stripped = pathlib.Path(folder) / "library"
        subprocess.run([llvm / "bin/llvm-strip", "--strip-unneeded", library, "-o", stripped], check=True)
        return stripped.read_bytes()


def collect(source, build, llvm, version):
    """The files of the wheel by name, without the record of them."""
    info = f"tile-{version}.dist-info"
    files = {}
    for path in sorted((source / "python/tile").glob("*")):
        if path.suffix == ".py" or path.name == "py.typed":
            files[f"tile/{path.name}"] = path.read_bytes()
    for name in ("libtile.so", "libtile-rt.so"):
        files[f"tile/lib/{name}"] = strip(llvm, build / "lib" / name)
    files[f"{info}/LICENSE"] = (source / "LICENSE").read_bytes()
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: tile\nVersion: {version}\n"
        "Summary: Compiles and launches GPU matrix kernels\n"
        "License: Apache-2.0 WITH LLVM-exception\nRequires-Python: >=3.9\n"
    ).encode()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: tile\nRoot-Is-Purelib: false\nTag: {TAG}\n"
    ).encode()
    return info, files


def write(path, info, files):
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    source, build, llvm, out = map(pathlib.Path, sys.argv[1:])
    version = read_version(source)
    info, files = collect(source, build, llvm, version)
    path = out / f"tile-{version}-{TAG}.whl"
    write(path, info, files)
    size = path.stat().st_size
    if size > MOST_BYTES:
        sys.exit(f"error: expected at most {MOST_BYTES} bytes, but got {size} in {path}")
    print(path)


if __name__ == "__main__":
    main()
