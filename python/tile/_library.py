# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds and loads libtile.so and libtile-rt.so, each when it is first needed."""
from __future__ import annotations

import ctypes
import os

version = "0.1.0"

_HERE = os.path.dirname(os.path.realpath(__file__))


class Error(RuntimeError):
    """A refused call: the sentence of the library, its status and its diagnostics."""

    def __init__(self, message: str, status: str = "", diagnostics: tuple = ()):
        super().__init__(message)
        self.status = status
        self.diagnostics = diagnostics


def _folders() -> list[str]:
    """Where the libraries may be: as the environment says, in the wheel, in the build
    tree around these sources."""
    named = os.environ.get("TILE_LIBRARY_DIR")
    if named:
        return [named]
    tree = os.path.dirname(os.path.dirname(_HERE))
    return [os.path.join(_HERE, "lib"), os.path.join(tree, "build", "lib")]


def load(name: str) -> ctypes.CDLL:
    for folder in _folders():
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            try:
                return ctypes.CDLL(path)
            except OSError as error:
                raise ImportError(f"{path}: cannot be loaded: {error}") from error
    raise ImportError(
        f"expected {name} in {' or '.join(_folders())}, but it is not there; "
        "TILE_LIBRARY_DIR names another folder"
    )
