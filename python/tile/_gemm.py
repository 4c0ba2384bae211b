# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products of arrays: one artifact for all extents, made when first needed."""
from __future__ import annotations

import functools
from ctypes import byref
from typing import Any, Optional

from . import _compiler
from ._arrays import NAMES, TYPES, View, get_view, is_torch
from ._compiler import DYNAMIC, Artifact, CGemm, COperand
from ._library import Error
from ._runtime import Device, default_device

_ARGUMENT = 1

#: Type, strides of rows and columns, and whether there is a batch: what a kernel is
#: compiled for. Extents and pitches are the launch's.
_Kind = tuple  # of int, int, int and bool


def _kind(view: View) -> _Kind:
    rows, columns = view.strides[-2:]
    batched = len(view.shape) == 3
    if columns == 1 or view.shape[-1] <= 1 and rows != 1:
        return view.type, DYNAMIC, 1, batched
    if rows == 1:
        return view.type, 1, DYNAMIC, batched
    return view.type, DYNAMIC, DYNAMIC, batched


def _operand(kind: _Kind) -> COperand:
    number, rows, columns, batched = kind
    return COperand(number, rows, columns, DYNAMIC, not batched)


@functools.lru_cache(maxsize=256)
def _artifact(
    a: _Kind,
    b: _Kind,
    c: Optional[_Kind],
    d: _Kind,
    scalars: bool,
    schedule: Optional[str],
    promoted_sums: bool,
    chip: Optional[str],
    device_name: Optional[str],
) -> Artifact:
    descriptor = CGemm()
    _compiler.library().tileGemmDescriptorInit(byref(descriptor))
    descriptor.batched = d[3]
    descriptor.a, descriptor.b, descriptor.d = map(_operand, (a, b, d))
    descriptor.schedule = schedule and schedule.encode()
    descriptor.promotedSums = promoted_sums
    if c:
        descriptor.c, descriptor.hasC = _operand(c), 1
    if scalars:
        descriptor.alpha.kind = _ARGUMENT
        if c:
            descriptor.beta.kind = _ARGUMENT
    return _compiler.compile_gemm(
        descriptor,
        _compiler.make_options(chip=chip, simulator=chip is None, device_name=device_name),
    )


def _default_type(a: View) -> str:
    """The element type of a result: that of A, or what a sum of small ones needs."""
    name = NAMES[a.type]
    return {"int8": "int32", "float8_e4m3fn": "bfloat16", "float8_e5m2": "bfloat16"}.get(name, name)


def _new_array(like: Any, shape: tuple[int, ...], name: str) -> Any:
    """An array of the library that `like` is of."""
    if is_torch(like):
        import torch

        return torch.empty(shape, dtype=getattr(torch, name), device=like.device)
    if hasattr(like, "__cuda_array_interface__") or get_view(like).on_gpu:
        raise Error("expected `out` for arrays on the GPU that are no torch tensors")
    try:
        import numpy
    except ImportError:
        letter = {"float32": "f", "float64": "d", "int32": "i"}.get(name)
        if letter is None:
            raise Error(f"expected NumPy or `out` for a result of {name}, but got neither") from None
        count = TYPES[name][1]
        for extent in shape:
            count *= extent
        # A buffer of no bytes has no shape.
        if count == 0:
            raise Error("expected `out` for an empty result without NumPy") from None
        return memoryview(bytearray(count)).cast("B").cast(letter, shape)
    try:
        return numpy.empty(shape, dtype=name)
    except TypeError:
        try:
            import ml_dtypes
        except ImportError:
            raise Error(f"expected ml_dtypes or `out` for a result of {name}") from None
        return numpy.empty(shape, dtype=getattr(ml_dtypes, name))


def _stream(like: Any) -> Optional[int]:
    """The current stream of torch; the default stream for all others."""
    if is_torch(like) and like.device.type == "cuda":
        import torch

        return torch.cuda.current_stream(like.device).cuda_stream
    return None


@functools.lru_cache(maxsize=None)
def _cuda_device(ordinal: int) -> Device:
    return Device(f"cuda:{ordinal}")


def _find_device(a: Any, view: View) -> Device:
    if is_torch(a) and view.on_gpu:
        return _cuda_device(a.device.index or 0)
    return default_device()


def gemm(
    a: Any,
    b: Any,
    c: Any = None,
    out: Any = None,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    out_dtype: Optional[str] = None,
    schedule: Optional[str] = None,
    promoted_sums: bool = False,
    device: Optional[Device] = None,
) -> Any:
    """Computes alpha · a @ b, or alpha · a @ b + beta · c, into `out` or a new array.

    `a`, `b`, `c` and `out` are matrices in any layout, or batches of them with the batch
    in front; an operand of two dimensions is shared by all of a batch. `out` may be `c`.
    Strides may be anything: a transposed array is not copied. Arrays in host memory are
    copied to the device and back, tensors on the GPU are used in place. `promoted_sums`
    makes the errors of long sums of 8-bit floats about ten times smaller.

        d = tile.gemm(a, w.T, c, beta=0.5)
    """
    views = [get_view(x) for x in (a, b)]
    for name, view in zip("ab", views):
        if len(view.shape) not in (2, 3):
            raise Error(f"expected {name} with 2 or 3 dimensions, but got {len(view.shape)}")
    if views[0].shape[-1] != views[1].shape[-2]:
        raise Error(
            f"expected a and b to agree on K, but got {views[0].shape[-1]} columns of a and "
            f"{views[1].shape[-2]} rows of b"
        )
    if out is None:
        shape = (views[0].shape[-2], views[1].shape[-1])
        batch = [v.shape[0] for v in views if len(v.shape) == 3]
        out = _new_array(a, (*batch[:1], *shape), out_dtype or _default_type(views[0]))
    d = get_view(out)
    if len(d.shape) not in (2, 3):
        raise Error(f"expected out with 2 or 3 dimensions, but got {len(d.shape)}")
    addend = None if c is None else get_view(c)
    if addend is not None and len(addend.shape) not in (2, 3):
        raise Error(f"expected c with 2 or 3 dimensions, but got {len(addend.shape)}")
    scalars = alpha != 1.0 or (addend is not None and beta != 1.0)
    device = device or _find_device(a, views[0])
    artifact = _artifact(
        _kind(views[0]),
        _kind(views[1]),
        addend and _kind(addend),
        _kind(d),
        scalars,
        schedule,
        promoted_sums,
        device.chip,
        None if device.is_simulator else device.name,
    )
    arguments = [*views, *([addend] if addend is not None else []), d]
    if scalars:
        arguments += [alpha, beta] if addend is not None else [alpha]
    artifact.on(device).launch("gemm", *arguments, stream=_stream(a))
    return out
