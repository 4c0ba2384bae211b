# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler: tile-c.h by ctypes, and what it makes."""
from __future__ import annotations

import ctypes
import functools
import os
import threading
from ctypes import POINTER, byref, c_char_p, c_double, c_int32, c_int64, c_size_t, c_void_p
from typing import TYPE_CHECKING, NamedTuple, Optional, Union

from ._library import Error, load

if TYPE_CHECKING:
    from ._runtime import Device, Module

DYNAMIC = -(2**63)


class COptions(ctypes.Structure):
    _fields_ = [
        ("chip", c_char_p),
        ("device", c_char_p),
        ("schedule", c_char_p),
        ("tuningTable", c_char_p),
        ("cubin", c_int32),
        ("withoutPTX", c_int32),
        ("withoutSimulator", c_int32),
        ("countAccesses", c_int32),
        ("remarks", c_int32),
        ("cache", c_char_p),
        ("cacheBytes", c_int64),
        ("cacheOnly", c_int32),
    ]


class COperand(ctypes.Structure):
    _fields_ = [
        ("type", c_int32),
        ("rowStride", c_int64),
        ("columnStride", c_int64),
        ("batchStride", c_int64),
        ("shared", c_int32),
    ]


class CScalar(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("value", c_double)]


class CGemm(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("m", c_int64),
        ("n", c_int64),
        ("k", c_int64),
        ("batched", c_int32),
        ("batch", c_int64),
        ("a", COperand),
        ("b", COperand),
        ("c", COperand),
        ("d", COperand),
        ("hasC", c_int32),
        ("alpha", CScalar),
        ("beta", CScalar),
        ("schedule", c_char_p),
        ("promotedSums", c_int32),
    ]


class CDiagnostic(ctypes.Structure):
    _fields_ = [
        ("severity", c_int32),
        ("file", c_char_p),
        ("line", c_int32),
        ("column", c_int32),
        ("message", c_char_p),
        ("parent", c_int32),
    ]


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    lib = load("libtile.so")
    signatures = {
        "tileContextCreate": [POINTER(c_void_p)],
        "tileContextGetDiagnostic": [c_void_p, c_int32, POINTER(CDiagnostic)],
        "tileModuleParse": [c_void_p, c_char_p, c_size_t, c_char_p, POINTER(c_void_p)],
        "tileGemmDescriptorInit": [POINTER(CGemm)],
        "tileModuleCreateGemm": [c_void_p, POINTER(CGemm), POINTER(c_void_p)],
        "tileCompile": [c_void_p, POINTER(COptions), POINTER(c_void_p)],
        "tileArtifactGetData": [c_void_p, POINTER(c_void_p), POINTER(c_size_t)],
        "tileArtifactGetPTX": [c_void_p, c_char_p, POINTER(c_char_p), POINTER(c_size_t)],
    }
    for name, arguments in signatures.items():
        function = getattr(lib, name)
        function.argtypes, function.restype = arguments, c_int32
    for name in ("tileContextDestroy", "tileModuleDestroy", "tileArtifactDestroy"):
        function = getattr(lib, name)
        function.argtypes, function.restype = [c_void_p], None
    lib.tileContextGetDiagnosticCount.argtypes = [c_void_p]
    lib.tileContextGetDiagnosticCount.restype = c_int32
    lib.tileArtifactGetKernelCount.argtypes = [c_void_p]
    lib.tileArtifactGetKernelCount.restype = c_int32
    lib.tileArtifactGetKernelName.argtypes = [c_void_p, c_int32]
    lib.tileArtifactGetKernelName.restype = c_char_p
    lib.tileStatusName.argtypes = [c_int32]
    for name in ("tileGetLastError", "tileStatusName", "tileGetVersion", "tileGetLLVMVersion"):
        getattr(lib, name).restype = c_char_p
    return lib


class Diagnostic(NamedTuple):
    """A message of the compiler; lines and columns count from 1, 0 is no place."""

    severity: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    notes: tuple["Diagnostic", ...] = ()

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        text = f"{place}{self.severity}: {self.message}"
        return "\n".join([text, *map(str, self.notes)])


class _Compilation:
    """One context with what is made in it, given up at the end of a `with`."""

    def __enter__(self) -> "_Compilation":
        self.lib = library()
        self.context, self.module, self.artifact = c_void_p(), c_void_p(), c_void_p()
        self.check(self.lib.tileContextCreate(byref(self.context)))
        return self

    def __exit__(self, *_: object) -> None:
        self.lib.tileArtifactDestroy(self.artifact)
        self.lib.tileModuleDestroy(self.module)
        self.lib.tileContextDestroy(self.context)

    def check(self, status: int) -> None:
        if status != 0:
            raise Error(
                self.lib.tileGetLastError().decode(errors="replace"),
                self.lib.tileStatusName(status).decode(),
                self.diagnostics(),
            )

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        if not self.context:
            return ()
        raw: list[CDiagnostic] = []
        for i in range(self.lib.tileContextGetDiagnosticCount(self.context)):
            raw.append(CDiagnostic())
            self.lib.tileContextGetDiagnostic(self.context, i, byref(raw[-1]))

        def read(number: int) -> Diagnostic:
            one = raw[number]
            return Diagnostic(
                ("note", "remark", "warning", "error")[one.severity],
                one.message.decode(errors="replace"),
                one.file.decode(errors="replace"),
                one.line,
                one.column,
                tuple(read(i) for i, other in enumerate(raw) if other.parent == number),
            )

        return tuple(read(i) for i, one in enumerate(raw) if one.parent < 0)

    def finish(self, options: COptions) -> "Artifact":
        self.check(self.lib.tileCompile(self.module, byref(options), byref(self.artifact)))
        data, size = c_void_p(), c_size_t()
        self.check(self.lib.tileArtifactGetData(self.artifact, byref(data), byref(size)))
        return Artifact(ctypes.string_at(data, size.value), self.ptx(), self.diagnostics())

    def ptx(self) -> dict:
        """The PTX of each kernel by its name, of all of them by None; empty if none."""
        count = self.lib.tileArtifactGetKernelCount(self.artifact)
        names = [self.lib.tileArtifactGetKernelName(self.artifact, i) for i in range(count)]
        texts = {}
        for name in [None, *names]:
            text, length = c_char_p(), c_size_t()
            if self.lib.tileArtifactGetPTX(self.artifact, name, byref(text), byref(length)) == 0:
                texts[name and name.decode()] = text.value.decode()
        return texts


class Artifact:
    """Kernels, and every fact that a launch of them needs: the bytes of one file."""

    def __init__(self, data: bytes, ptx: Optional[dict] = None, diagnostics: tuple = ()):
        self.data = data
        #: Remarks and warnings of the compilation; empty when loaded from a file.
        self.diagnostics: tuple[Diagnostic, ...] = diagnostics
        self._ptx = ptx
        self._modules: dict = {}
        self._lock = threading.Lock()

    @property
    def kernels(self) -> list[str]:
        """The names of the kernels that there is PTX of, in a compiled artifact."""
        return [name for name in self._ptx or {} if name]

    def ptx(self, kernel: Optional[str] = None) -> str:
        """The PTX of one kernel, or of all."""
        if self._ptx is None:
            raise Error("expected an artifact that was compiled here, but got one from a file")
        if kernel not in self._ptx:
            raise Error(f"expected PTX of {kernel or 'the kernels'}, but there is none")
        return self._ptx[kernel]

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the file aside and renames it."""
        aside = f"{os.fspath(path)}.{os.getpid()}.{threading.get_ident()}.part"
        try:
            with open(aside, "wb") as file:
                file.write(self.data)
            os.replace(aside, path)
        except BaseException:
            if os.path.exists(aside):
                os.unlink(aside)
            raise

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Artifact":
        """Reads a file. It holds machine code: load only what you trust."""
        with open(path, "rb") as file:
            return cls(file.read())

    def on(self, device: Optional["Device"] = None) -> "Module":
        """The artifact loaded on a device, once for each."""
        from ._runtime import Module, default_device

        device = device or default_device()
        with self._lock:
            if device not in self._modules:
                self._modules[device] = Module(self.data, device)
            return self._modules[device]


def _encode(text: Optional[str]) -> Optional[bytes]:
    return None if text is None else os.fspath(text).encode()


def make_options(
    chip: Optional[str] = None,
    schedule: Optional[str] = None,
    tuning_table: Optional[str] = None,
    cubin: bool = False,
    ptx: bool = True,
    simulator: bool = True,
    remarks: bool = False,
    device_name: Optional[str] = None,
) -> COptions:
    """The options of a compilation. The environment has a say in all of them:
    TILE_CACHE_DIR is a folder of artifacts that need not be compiled again, and with
    TILE_JIT=forbid what is not there is an error."""
    return COptions(
        chip=_encode(chip),
        device=_encode(device_name),
        schedule=_encode(schedule),
        tuningTable=_encode(tuning_table),
        cubin=cubin,
        withoutPTX=not ptx,
        withoutSimulator=not simulator,
        remarks=remarks,
        cache=_encode(os.environ.get("TILE_CACHE_DIR") or None),
        cacheOnly=os.environ.get("TILE_JIT") == "forbid",
    )


def compile(  # pylint: disable=redefined-builtin
    text: Union[str, bytes],
    *,
    chip: Optional[str] = None,
    schedule: Optional[str] = None,
    tuning_table: Optional[str] = None,
    cubin: bool = False,
    ptx: bool = True,
    simulator: bool = True,
    remarks: bool = False,
    filename: str = "<text>",
) -> Artifact:
    """Compiles MLIR text, of `tile.gemm`, of `linalg` or of kernels, to an artifact."""
    data = text.encode() if isinstance(text, str) else bytes(text)
    options = make_options(chip, schedule, tuning_table, cubin, ptx, simulator, remarks)
    with _Compilation() as work:
        work.check(
            work.lib.tileModuleParse(
                work.context, data, len(data), filename.encode(), byref(work.module)
            )
        )
        return work.finish(options)


def compile_gemm(descriptor: CGemm, options: COptions) -> Artifact:
    """Compiles the GEMM that a descriptor says."""
    with _Compilation() as work:
        work.check(
            work.lib.tileModuleCreateGemm(work.context, byref(descriptor), byref(work.module))
        )
        return work.finish(options)
