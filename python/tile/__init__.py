# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tile from Python: compile MLIR to GPU kernels, and multiply matrices.

    import numpy, tile
    d = tile.gemm(a, b)                       # NumPy arrays, DLPack, torch tensors
    artifact = tile.compile(text, chip="h200")
    artifact.save("gemm.tile")
    module = tile.Artifact.load("gemm.tile").on(tile.Device())
    module.launch("gemm", a, b, out)

Kernels run on the first CUDA device, or on the simulator where there is none. Neither
NumPy nor torch is needed; whatever exports a buffer will do.
"""
from ._compiler import Artifact, Diagnostic, compile
from ._gemm import gemm
from ._library import Error, version as _version
from ._runtime import Device, Module

__all__ = ["Artifact", "Device", "Diagnostic", "Error", "Module", "compile", "gemm"]
__version__ = _version
