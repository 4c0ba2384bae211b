# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runtime: tile-rt.h by ctypes, devices, and launches."""
from __future__ import annotations

import ctypes
import functools
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_float, c_int32, c_int64
from ctypes import c_size_t, c_void_p
from typing import Any, Optional, Sequence

from ._arrays import View, get_view
from ._library import Error, load

MAX_RANK = 5
TENSOR, SCALAR = 0, 1
CUDA, SIM = 0, 1


class CTensor(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("type", c_int32),
        ("rank", c_int32),
        ("sizes", c_int64 * MAX_RANK),
        ("strides", c_int64 * MAX_RANK),
    ]


class CValue(ctypes.Union):
    _fields_ = [("f32", c_float), ("f64", c_double), ("i32", c_int32), ("i64", c_int64)]


class CScalar(ctypes.Structure):
    _fields_ = [("type", c_int32), ("value", CValue)]


class CEither(ctypes.Union):
    _fields_ = [("tensor", CTensor), ("scalar", CScalar)]


class CArgument(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("as_", CEither)]


class CLaunchOptions(ctypes.Structure):
    _fields_ = [
        ("kernel", c_char_p),
        ("dryRun", c_int32),
        ("infoCapacity", c_int32),
        ("workspace", c_void_p),
        ("workspaceBytes", c_int64),
        ("programmaticLaunch", c_int32),
    ]


class CDeviceInfo(ctypes.Structure):
    _fields_ = [
        ("kind", c_int32),
        ("ordinal", c_int32),
        ("name", c_char * 128),
        ("chip", c_char * 32),
        ("multiprocessors", c_int32),
        ("sharedMemoryLimit", c_int64),
        ("memoryBytes", c_int64),
        ("driverVersion", c_int32),
    ]


class CArgumentInfo(ctypes.Structure):
    _fields_ = [
        ("kind", c_int32),
        ("type", c_int32),
        ("rank", c_int32),
        ("sizes", c_int64 * MAX_RANK),
        ("strides", c_int64 * MAX_RANK),
    ]


class CStepInfo(ctypes.Structure):
    _fields_ = [
        ("op", c_char_p),
        ("reason", c_char_p),
        ("operandCount", c_int32),
        ("epilogue", c_char_p),
    ]


class COperandInfo(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int32),
        ("argument", c_int32),
        ("value", c_double),
        ("isWritten", c_int32),
        ("indexCount", c_int32),
        ("indices", c_int32 * 3),
        ("matrixRank", c_int32),
        ("matrixSizes", c_int64 * 3),
        ("matrixStrides", c_int64 * 3),
        ("map", c_char_p),
    ]


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    lib = load("libtile-rt.so")
    arguments = [c_void_p, c_char_p, POINTER(CArgument), c_int32, POINTER(CLaunchOptions)]
    signatures = {
        "tileRtDeviceOpen": [c_char_p, POINTER(c_void_p)],
        "tileRtDeviceGetInfo": [c_void_p, POINTER(CDeviceInfo)],
        "tileRtDeviceSynchronize": [c_void_p],
        "tileRtModuleLoad": [c_void_p, c_char_p, c_size_t, POINTER(c_void_p)],
        "tileRtModuleGetEntryCount": [c_void_p],
        "tileRtModuleGetArgumentCount": [c_void_p, c_char_p],
        "tileRtModuleGetArgumentInfo": [c_void_p, c_char_p, c_int32, POINTER(CArgumentInfo)],
        "tileRtModuleGetStepCount": [c_void_p, c_char_p],
        "tileRtModuleGetStepInfo": [c_void_p, c_char_p, c_int32, POINTER(CStepInfo)],
        "tileRtModuleGetOperandInfo": [
            c_void_p, c_char_p, c_int32, c_int32, POINTER(COperandInfo)
        ],
        "tileRtBufferCreate": [c_void_p, c_int64, POINTER(c_void_p)],
        "tileRtBufferWrite": [c_void_p, c_int64, c_void_p, c_int64, c_void_p],
        "tileRtBufferRead": [c_void_p, c_int64, c_void_p, c_int64, c_void_p],
        "tileRtStreamWrap": [c_void_p, c_void_p, POINTER(c_void_p)],
        "tileRtEntryGetWorkspaceSize": [*arguments, POINTER(c_int64)],
        "tileRtLaunchEntry": [*arguments, c_void_p, c_void_p],
    }
    for name, types in signatures.items():
        function = getattr(lib, name)
        function.argtypes, function.restype = types, c_int32
    for name in ("DeviceClose", "ModuleUnload", "BufferDestroy", "StreamDestroy"):
        function = getattr(lib, "tileRt" + name)
        function.argtypes, function.restype = [c_void_p], None
    lib.tileRtBufferGetAddress.argtypes = [c_void_p]
    lib.tileRtBufferGetAddress.restype = c_void_p
    lib.tileRtModuleGetEntryName.argtypes = [c_void_p, c_int32]
    lib.tileRtModuleGetEntryName.restype = c_char_p
    lib.tileRtStatusName.argtypes = [c_int32]
    for name in ("tileRtGetLastError", "tileRtStatusName", "tileRtGetVersion"):
        getattr(lib, name).restype = c_char_p
    return lib


def check(status: int) -> None:
    if status != 0:
        lib = library()
        raise Error(
            lib.tileRtGetLastError().decode(errors="replace"),
            lib.tileRtStatusName(status).decode(),
        )


class Device:
    """A CUDA device, "cuda" or "cuda:1", or a simulator, "sim"; "auto" is the first CUDA
    device if there is one, else a simulator."""

    def __init__(self, spec: str = "auto"):
        self._lib = library()
        self.handle = c_void_p()
        check(self._lib.tileRtDeviceOpen(spec.encode(), byref(self.handle)))
        info = CDeviceInfo()
        check(self._lib.tileRtDeviceGetInfo(self.handle, byref(info)))
        self.is_simulator: bool = info.kind == SIM
        self.ordinal: int = info.ordinal
        self.name: str = info.name.decode()
        self.chip: Optional[str] = None if self.is_simulator else info.chip.decode()

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self._lib.tileRtDeviceClose(self.handle)

    def __repr__(self) -> str:
        return f"<tile.Device {self.name}>"

    def synchronize(self) -> None:
        """Waits for all work on the device."""
        check(self._lib.tileRtDeviceSynchronize(self.handle))


@functools.lru_cache(maxsize=None)
def default_device() -> Device:
    return Device()


class _Buffer:
    """Device memory, freed with the object."""

    def __init__(self, device: Device, size: int):
        self._lib, self.handle = library(), c_void_p()
        check(self._lib.tileRtBufferCreate(device.handle, size, byref(self.handle)))
        self.address: int = self._lib.tileRtBufferGetAddress(self.handle) or 0

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self._lib.tileRtBufferDestroy(self.handle)


class _Staging:
    """Copies on the device of what lies in host memory: one for all views that overlap,
    with what lies between their elements, so that the device sees the overlap that there
    is, and the memory is as it was after being copied back."""

    def __init__(self, device: Device, views: Sequence[View]):
        #: (first byte, byte behind the last, copy), in the host's memory.
        self.ranges: list[tuple[int, int, _Buffer]] = []
        if device.is_simulator and any(view.on_gpu for view in views):
            raise Error("expected arrays in host memory for the simulator, but got one on a GPU")
        spans = sorted(self._range(view) for view in views if not view.on_gpu)
        merged: list[list[int]] = []
        for low, high in spans:
            if merged and low < merged[-1][1]:
                merged[-1][1] = max(high, merged[-1][1])
            elif low < high:
                merged.append([low, high])
        for low, high in merged:
            self.ranges.append((low, high, _Buffer(device, high - low)))

    @staticmethod
    def _range(view: View) -> tuple[int, int]:
        low, high = view.span()
        return view.address + low, view.address + high

    def _find(self, view: View) -> Optional[tuple[int, int, _Buffer]]:
        low, high = self._range(view)
        return next((r for r in self.ranges if r[0] <= low < high <= r[1]), None)

    def address(self, view: View) -> int:
        """Where a view's first element is on the device; 0 for none."""
        if view.on_gpu:
            return view.address
        found = self._find(view)
        return found[2].address + view.address - found[0] if found else 0

    def write(self, stream: c_void_p) -> None:
        for low, high, copy in self.ranges:
            check(library().tileRtBufferWrite(copy.handle, 0, low, high - low, stream))

    def read(self, views: Sequence[View], stream: c_void_p) -> None:
        """Copies back what these views are of."""
        found = {id(r): r for r in (None if v.on_gpu else self._find(v) for v in views) if r}
        for low, high, copy in found.values():
            check(library().tileRtBufferRead(copy.handle, 0, low, high - low, stream))


def _make_tensor(view: View, address: int) -> CArgument:
    if len(view.shape) > MAX_RANK:
        raise Error(f"expected at most {MAX_RANK} dimensions, but got {len(view.shape)}")
    rest = [0] * (MAX_RANK - len(view.shape))
    argument = CArgument(kind=TENSOR)
    argument.as_.tensor = CTensor(
        address,
        view.type,
        len(view.shape),
        (c_int64 * MAX_RANK)(*view.shape, *rest),
        (c_int64 * MAX_RANK)(*view.strides, *rest),
    )
    return argument


def _make_scalar(info: CArgumentInfo, value: float) -> CArgument:
    argument = CArgument(kind=SCALAR)
    argument.as_.scalar.type = info.type
    if info.type == 1:
        argument.as_.scalar.value.f64 = value
    else:
        argument.as_.scalar.value.f32 = value
    return argument


class Module:
    """An artifact that is loaded on a device."""

    def __init__(self, data: bytes, device: Device):
        self._lib, self.device, self.handle = library(), device, c_void_p()
        check(self._lib.tileRtModuleLoad(device.handle, data, len(data), byref(self.handle)))

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self._lib.tileRtModuleUnload(self.handle)

    @property
    def entries(self) -> list[str]:
        """The names by which `launch` knows what the artifact can do."""
        count = self._lib.tileRtModuleGetEntryCount(self.handle)
        names = [self._lib.tileRtModuleGetEntryName(self.handle, i) for i in range(count)]
        return [name.decode() for name in names]

    def arguments(self, entry: str) -> list[CArgumentInfo]:
        """What an entry declares of its arguments."""
        count = self._lib.tileRtModuleGetArgumentCount(self.handle, entry.encode())
        infos = [CArgumentInfo() for _ in range(max(count, 0))]
        for i, info in enumerate(infos):
            check(
                self._lib.tileRtModuleGetArgumentInfo(self.handle, entry.encode(), i, byref(info))
            )
        return infos

    def launch(
        self,
        entry: str,
        *arguments: Any,
        kernel: Optional[str] = None,
        stream: Optional[int] = None,
    ) -> None:
        """Runs an entry on arrays and numbers. An array in host memory is copied to the
        device and back; one on the GPU is used where it is, in `stream`, a CUstream."""
        infos = self.arguments(entry)
        if infos and len(infos) != len(arguments):
            raise Error(
                f"expected {len(infos)} arguments for entry '{entry}', but got {len(arguments)}"
            )
        views = {
            i: get_view(argument)
            for i, argument in enumerate(arguments)
            if not infos or infos[i].kind == TENSOR
        }
        written = [views[i] for i in self._written(entry) if i in views]
        if not all(view.is_writable for view in written):
            raise Error("expected results that can be written, but got a read-only array")
        staging = _Staging(self.device, list(views.values()))
        packed = (CArgument * len(arguments))()
        for i, argument in enumerate(arguments):
            if i in views:
                packed[i] = _make_tensor(views[i], staging.address(views[i]))
            else:
                packed[i] = _make_scalar(infos[i], float(argument))
        self._run(entry, packed, staging, written, kernel, stream)

    def _written(self, entry: str) -> set[int]:
        """The numbers of the arguments that an entry writes."""
        name, found = entry.encode(), set()
        for step in range(self._lib.tileRtModuleGetStepCount(self.handle, name)):
            info, operand = CStepInfo(), COperandInfo()
            check(self._lib.tileRtModuleGetStepInfo(self.handle, name, step, byref(info)))
            for i in range(info.operandCount):
                check(
                    self._lib.tileRtModuleGetOperandInfo(
                        self.handle, name, step, i, byref(operand)
                    )
                )
                if operand.isWritten:
                    found.add(operand.argument)
        return found

    def _run(
        self,
        entry: str,
        packed: Any,
        staging: _Staging,
        written: Sequence[View],
        kernel: Optional[str],
        stream: Optional[int],
    ) -> None:
        lib, handle = self._lib, c_void_p()
        options = CLaunchOptions(kernel=kernel and kernel.encode())
        if stream is not None and not self.device.is_simulator:
            check(lib.tileRtStreamWrap(self.device.handle, stream, byref(handle)))
        try:
            size = c_int64()
            call = (self.handle, entry.encode(), packed, len(packed), byref(options))
            check(lib.tileRtEntryGetWorkspaceSize(*call, byref(size)))
            workspace = _Buffer(self.device, size.value) if size.value else None
            if workspace:
                options.workspace, options.workspaceBytes = workspace.address, size.value
            staging.write(handle)
            check(lib.tileRtLaunchEntry(*call, handle, None))
            staging.read(written, handle)
            # Freeing what kernels still use waits for them, as tile-rt.h says.
        finally:
            lib.tileRtStreamDestroy(handle)
