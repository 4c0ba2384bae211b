# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks an unpacked wheel: its record, where its libraries come from, its import."""
import base64
import csv
import hashlib
import pathlib
import subprocess
import sys

folder, source = map(pathlib.Path, sys.argv[1:])
(record,) = folder.glob("*.dist-info/RECORD")
count = 0
with open(record, newline="", encoding="utf-8") as lines:
    for name, digest, size in csv.reader(lines):
        data = (folder / name).read_bytes()
        if digest:
            expected = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
            assert digest == "sha256=" + expected.decode(), name
            assert int(size) == len(data), name
        count += 1
found = [p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
assert len(found) == count, found
print(f"{count} files as recorded")

import tile  # pylint: disable=wrong-import-position

assert pathlib.Path(tile.__file__).is_relative_to(folder), tile.__file__
tile.compile("func.func @f(%A: memref<4x4xf32>, %D: memref<4x4xf32>) {\n"
             "  tile.gemm ins(%A, %A : memref<4x4xf32>, memref<4x4xf32>)\n"
             "    outs(%D : memref<4x4xf32>)\n  return\n}").on(tile.Device("sim"))
mapped = pathlib.Path("/proc/self/maps").read_text(encoding="utf-8")
assert f"{folder}/tile/lib/libtile.so" in mapped
assert f"{source}/build/lib" not in mapped
print("no library of the tree is loaded")

# Time of the processor, since the machine may have other work; the best of five.
code = "import time; t = time.process_time(); import tile; print(time.process_time() - t)"
times = [float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(5)]
assert min(times) < 0.05, times
print(f"import takes {min(times) * 1e3:.1f} ms")
