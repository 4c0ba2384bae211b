# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The lit suite: which files are tests, what they may call, what may be missing.
import ctypes
import os
import shutil
import subprocess

import lit.formats

config.name = "Tile"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "unit"]
config.test_source_root = os.path.dirname(__file__)

# build/test/lit.site.cfg.py says where the build is; a plain `lit test/IR` from
# the source tree takes the build that the scripts make.
if not hasattr(config, "tile_build_dir"):
    config.tile_source_dir = os.path.dirname(config.test_source_root)
    config.tile_build_dir = os.path.join(config.tile_source_dir, "build")
    config.tile_llvm_dir = os.environ.get("TILE_LLVM_DIR", "/usr/lib/llvm-22")
    config.tile_python = shutil.which("python3")
config.test_exec_root = os.path.join(config.tile_build_dir, "test")

# tile-opt and its siblings come before anything of that name elsewhere.
path = [
    os.path.join(config.tile_build_dir, "bin"),
    os.path.join(config.tile_llvm_dir, "bin"),
    config.environment.get("PATH", os.defpath),
]
config.environment["PATH"] = os.pathsep.join(path)

config.substitutions += [
    ("%tile-opt", "tile-opt"),
    ("%tile-translate", "tile-translate"),
    ("%tile-run", "tile-run"),
    ("%tile-bench", "tile-bench"),
    ("%tile-tune", "tile-tune"),
    ("%tile-compile", "tile-compile"),
    ("%tile_source_dir", config.tile_source_dir),
    ("%tile_build_dir", config.tile_build_dir),
    ("%llvm_dir", config.tile_llvm_dir),
    ("%examples", os.path.join(config.tile_source_dir, "examples")),
    ("%python", config.tile_python),
]
config.substitutions.insert(
    0,
    (
        "%check-linalg",
        "env PYTHONPATH=%s/python PYTHONDONTWRITEBYTECODE=1 %s %s/test/Conversion/LinalgToTile/"
        "Inputs/check-linalg.py %s %s %%t.dir"
        % (
            config.tile_source_dir,
            config.tile_python,
            config.tile_source_dir,
            config.tile_llvm_dir,
            config.tile_build_dir,
        ),
    ),
)

# The variables by which the tools find a CUDA toolkit, as the tools read them.
for name in ("TILE_PTXAS", "CUDA_HOME", "CUDA_PATH", "TILE_SIM_THREADS"):
    if os.environ.get(name):
        config.environment[name] = os.environ[name]


def cuda_toolkits():
    named = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH")]
    return [directory for directory in named if directory] + ["/usr/local/cuda"]


def find_ptxas():
    """The ptxas that the tools would use, or None."""
    chosen = os.environ.get("TILE_PTXAS")
    if chosen:
        return chosen if os.access(chosen, os.X_OK) else None
    candidates = [os.path.join(d, "bin", "ptxas") for d in cuda_toolkits()]
    return shutil.which("ptxas") or next(
        (c for c in candidates if os.access(c, os.X_OK)), None
    )


def has_libdevice():
    return any(
        os.path.exists(os.path.join(d, "nvvm", "libdevice", "libdevice.10.bc"))
        for d in cuda_toolkits()
    )


def find_cuda_major():
    """The major compute capability of the first CUDA device, None if there is
    none."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
    device, major, attribute = ctypes.c_int(0), ctypes.c_int(0), 75
    found = (
        driver.cuInit(0) == 0
        and driver.cuDeviceGet(ctypes.byref(device), 0) == 0
        and driver.cuDeviceGetAttribute(ctypes.byref(major), attribute, device) == 0
    )
    return major.value if found else None


def has_numpy():
    """Whether the Python that tests run with has NumPy."""
    command = [config.tile_python, "-c", "import numpy"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


if has_numpy():
    config.available_features.add("numpy")
ptxas = find_ptxas()
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append((r"\bptxas -", ptxas + " -"))
if shutil.which("nvdisasm") or os.access("/usr/local/cuda/bin/nvdisasm", os.X_OK):
    config.available_features.add("nvdisasm")
    if not shutil.which("nvdisasm"):
        config.substitutions.append((r"\bnvdisasm -", "/usr/local/cuda/bin/nvdisasm -"))
if has_libdevice():
    config.available_features.add("libdevice")

# What runs on a GPU runs only when asked for (scripts/test --gpu).
if os.environ.get("TILE_TEST_GPU") == "1":
    major = find_cuda_major()
    if major is not None:
        config.available_features.add("cuda")
        config.available_features.add("cuda-%d" % major)
    else:
        lit_config.fatal("--gpu was given, but the CUDA driver finds no device")
