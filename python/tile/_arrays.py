# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of any library as address, element type, shape and strides, without a copy."""
from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

from ._library import Error

#: Element types by the name that NumPy, ml_dtypes and torch give them, with the number
#: of TileRtType and the bytes of an element.
TYPES = {
    "float32": (0, 4),
    "float64": (1, 8),
    "float16": (2, 2),
    "bfloat16": (3, 2),
    "int8": (4, 1),
    "int32": (5, 4),
    "float8_e4m3fn": (7, 1),
    "float8_e5m2": (8, 1),
}
NAMES = {number: name for name, (number, _) in TYPES.items()}

_FORMATS = {"f": "float32", "d": "float64", "e": "float16", "b": "int8", "i": "int32"}
_DLPACK = {
    (2, 16): "float16",
    (2, 32): "float32",
    (2, 64): "float64",
    (4, 16): "bfloat16",
    (0, 8): "int8",
    (0, 32): "int32",
}


class View(NamedTuple):
    """Memory with a shape. Strides count elements."""

    address: int
    type: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    on_gpu: bool = False
    is_writable: bool = True
    #: What keeps the memory alive.
    owner: Any = None

    @property
    def element_bytes(self) -> int:
        return TYPES[NAMES[self.type]][1]

    def span(self) -> tuple[int, int]:
        """The bytes from the first to behind the last element, beside the address."""
        if 0 in self.shape:
            return 0, 0
        reach = [(n - 1) * s for n, s in zip(self.shape, self.strides)]
        low = sum(r for r in reach if r < 0)
        high = sum(r for r in reach if r > 0)
        return low * self.element_bytes, (high + 1) * self.element_bytes


def _packed_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides, step = [], 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def _type_number(name: str) -> int:
    name = name.rsplit(".", 1)[-1]
    if name not in TYPES:
        raise Error(f"expected elements of {', '.join(TYPES)}, but got {name}")
    return TYPES[name][0]


def _from_interface(array: Any, interface: dict, on_gpu: bool) -> View:
    number = _type_number(str(array.dtype))
    size = TYPES[NAMES[number]][1]
    shape = tuple(interface["shape"])
    strides = interface.get("strides")
    if strides is not None:
        if any(stride % size for stride in strides):
            raise Error(f"expected strides of whole elements of {size} bytes, but got {strides}")
        strides = tuple(stride // size for stride in strides)
    address, read_only = interface["data"]
    return View(
        address, number, shape, strides or _packed_strides(shape), on_gpu, not read_only, array
    )


class _PyBuffer(ctypes.Structure):
    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    ]


def _from_buffer(array: Any) -> View:
    memory = memoryview(array)
    name = _FORMATS.get(memory.format.lstrip("@=<"))
    if name is None:
        raise Error(
            f"expected a buffer of f, d, e, b or i, but got one of format '{memory.format}'"
        )
    if memory.suboffsets:
        raise Error("expected a buffer in one piece, but got one of pointers to its rows")
    raw = _PyBuffer()
    full_read_only = 0x011C
    get = ctypes.pythonapi.PyObject_GetBuffer
    get.argtypes = [ctypes.py_object, ctypes.POINTER(_PyBuffer), ctypes.c_int]
    release = ctypes.pythonapi.PyBuffer_Release
    release.argtypes = [ctypes.POINTER(_PyBuffer)]
    get(memory, ctypes.byref(raw), full_read_only)
    address = raw.buf or 0
    # The memoryview keeps the memory where it is.
    release(ctypes.byref(raw))
    strides = tuple(stride // memory.itemsize for stride in memory.strides)
    return View(
        address, TYPES[name][0], tuple(memory.shape), strides, False, not memory.readonly, memory
    )


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


def _from_dlpack(array: Any) -> View:
    capsule = array.__dlpack__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.argtypes, get.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    tensor = _DLTensor.from_address(get(capsule, b"dltensor"))
    name = _DLPACK.get((tensor.code, tensor.bits)) if tensor.lanes == 1 else None
    if name is None:
        raise Error(
            f"expected elements of {', '.join(TYPES)}, but got DLPack's type "
            f"({tensor.code}, {tensor.bits}, {tensor.lanes})"
        )
    if tensor.device_type not in (1, 2, 3, 13):
        raise Error(f"expected memory of the host or of CUDA, but got {tensor.device_type}")
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = (
        tuple(tensor.strides[i] for i in range(tensor.ndim))
        if tensor.strides
        else _packed_strides(shape)
    )
    return View(
        (tensor.data or 0) + tensor.byte_offset,
        TYPES[name][0],
        shape,
        strides,
        tensor.device_type in (2, 13),
        True,
        (array, capsule),
    )


def is_torch(array: Any) -> bool:
    return type(array).__module__.split(".")[0] == "torch" and hasattr(array, "data_ptr")


def get_view(array: Any) -> View:
    """The memory of a torch tensor, of what has NumPy's or CUDA's array interface, of a
    DLPack tensor, or of a buffer."""
    if isinstance(array, View):
        return array
    if is_torch(array):
        return View(
            array.data_ptr(),
            _type_number(str(array.dtype)),
            tuple(array.shape),
            tuple(array.stride()),
            array.device.type == "cuda",
            True,
            array,
        )
    if hasattr(array, "__cuda_array_interface__"):
        return _from_interface(array, array.__cuda_array_interface__, True)
    if hasattr(array, "__array_interface__"):
        return _from_interface(array, array.__array_interface__, False)
    if hasattr(array, "__dlpack__"):
        return _from_dlpack(array)
    try:
        return _from_buffer(array)
    except TypeError as error:
        raise Error(
            f"expected an array, a tensor or a buffer, but got {type(array).__name__}"
        ) from error
