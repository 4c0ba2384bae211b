#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times convolutions against cuDNN in one process: rounds of both in turns, random data.

    bench/conv.py --tile-run=build/bin/tile-run [--kinds=fprop,dgrad] [--layers=TEXT]
                  [--rounds=N] [--json=PATH]

Needs PyTorch with CUDA, and the runtime's library (TILE_LIBRARY_DIR or an installed
package). cuDNN chooses among its algorithms by measuring them (torch.backends.cudnn.benchmark).
bf16 throughout, channels last. Prints for each layer microseconds of both and their ratio.
"""
import argparse
import ctypes
import json
import math
import os
import subprocess
import sys
import tempfile

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from tile import _runtime as rt  # noqa: E402
from tile._arrays import get_view  # noqa: E402

#: image side, channels in, filters, filter side, stride, margin: the 20 convolutions of
#: ResNet-50 that differ, and two of 256 channels
RESNET = [
    (224, 3, 64, 7, 2, 3),
    (56, 64, 64, 1, 1, 0), (56, 64, 64, 3, 1, 1), (56, 64, 256, 1, 1, 0), (56, 256, 64, 1, 1, 0),
    (56, 256, 128, 1, 1, 0), (56, 128, 128, 3, 2, 1), (28, 128, 512, 1, 1, 0),
    (56, 256, 512, 1, 2, 0), (28, 512, 128, 1, 1, 0), (28, 128, 128, 3, 1, 1),
    (28, 512, 256, 1, 1, 0), (28, 256, 256, 3, 2, 1), (14, 256, 1024, 1, 1, 0),
    (28, 512, 1024, 1, 2, 0), (14, 1024, 256, 1, 1, 0), (14, 256, 256, 3, 1, 1),
    (14, 1024, 512, 1, 1, 0), (14, 512, 512, 3, 2, 1), (7, 512, 512, 3, 1, 1),
]  # fmt: skip
EXTRA = [(28, 256, 256, 3, 1, 1), (56, 256, 256, 3, 1, 1)]


def module_text(kind, n, layer):
    side, c, k, r, stride, pad = layer
    out = (side + 2 * pad - r) // stride + 1
    image = f"memref<{n}x{side}x{side}x{c}xbf16>"
    filt = f"memref<{k}x{r}x{r}x{c}xbf16>"
    output = f"memref<{n}x{out}x{out}x{k}xbf16>"
    a, b, d = {"fprop": (image, filt, output), "dgrad": (output, filt, image),
               "wgrad": (output, image, filt)}[kind]
    return f"""func.func @conv(%a: {a}, %b: {b}, %d: {d}) {{
  tile.conv {kind} ins(%a, %b : {a}, {b}) outs(%d : {d})
    stride = [{stride}, {stride}] pad_low = [{pad}, {pad}] pad_high = [{pad}, {pad}]
  return
}}
"""


class Ours:
    """A compiled convolution with its arguments and workspace, ready to be launched."""

    def __init__(self, device, options, kind, n, layer, a, b, d):
        folder = tempfile.mkdtemp()
        source, artifact = os.path.join(folder, "conv.mlir"), os.path.join(folder, "conv.tile")
        with open(source, "w") as file:
            file.write(module_text(kind, n, layer))
        command = [options.tile_run, source, f"--save-artifact={artifact}", "--cubin"]
        if options.schedule:
            command.append(f"--schedule={options.schedule}")
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(artifact, "rb") as file:
            self.module = rt.Module(file.read(), device)
        # Views are of channels-last tensors as (N, H, W, C).
        self.tensors = [t.permute(0, 2, 3, 1) for t in (a, b, d)]
        self.packed = (rt.CArgument * 3)()
        for i, tensor in enumerate(self.tensors):
            view = get_view(tensor)
            self.packed[i] = rt._make_tensor(view, view.address)
        self.options = rt.CLaunchOptions()
        size = ctypes.c_int64()
        call = (self.module.handle, b"conv", self.packed, 3, ctypes.byref(self.options))
        rt.check(rt.library().tileRtEntryGetWorkspaceSize(*call, ctypes.byref(size)))
        self.bytes = size.value
        if size.value:
            self.workspace = torch.empty(size.value, dtype=torch.uint8, device="cuda")
            self.options.workspace = self.workspace.data_ptr()
            self.options.workspaceBytes = size.value
        self.call, self.device = call, device

    def __call__(self):
        stream, handle = torch.cuda.current_stream().cuda_stream, ctypes.c_void_p()
        rt.check(rt.library().tileRtStreamWrap(self.device.handle, stream, ctypes.byref(handle)))
        try:
            rt.check(rt.library().tileRtLaunchEntry(*self.call, handle, None))
        finally:
            rt.library().tileRtStreamDestroy(handle)


def theirs(kind, layer, x, w, y):
    side, c, k, r, stride, pad = layer
    if kind == "fprop":
        return lambda: torch.ops.aten.convolution(
            x, w, None, [stride] * 2, [pad] * 2, [1, 1], False, [0, 0], 1)
    mask = [kind == "dgrad", kind == "wgrad", False]
    return lambda: torch.ops.aten.convolution_backward(
        y, x, w, None, [stride] * 2, [pad] * 2, [1, 1], False, [0, 0], 1, mask)


def capture(function, count):
    """A graph of launches, so that the host's time is not measured."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(count):
            function()
    return graph.replay


def time_of(function, count):
    start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(count):
        function()
    stop.record()
    stop.synchronize()
    return start.elapsed_time(stop) * 1000 / count


def median(values):
    values = sorted(values)
    return values[len(values) // 2]


def measure(device, options, kind, layer):
    side, c, k, r, stride, pad = layer
    n, out = options.batch, (side + 2 * pad - r) // stride + 1
    last = dict(device="cuda", dtype=torch.bfloat16)
    make = lambda *shape: torch.randn(*shape, **last).to(memory_format=torch.channels_last)
    x, w, y = make(n, c, side, side), make(k, c, r, r) / math.sqrt(c * r * r), make(n, k, out, out)
    a, b, d = {"fprop": (x, w, y), "dgrad": (y, w, x), "wgrad": (y, x, w)}[kind]
    result = torch.empty_like(d)
    other = theirs(kind, layer, x, w, y)
    ours = Ours(device, options, kind, n, layer, a, b, result)
    expected = other()
    expected = expected if kind == "fprop" else expected[0 if kind == "dgrad" else 1]
    ours()
    torch.cuda.synchronize()
    error = ((result.float() - expected.float()).abs().max() / expected.float().abs().max()).item()
    time_of(other, 10)
    inside = 10
    graphs = {"cudnn": capture(other, inside), "tile": capture(ours, inside)}
    count = max(1, int(3000 / max(time_of(graphs["cudnn"], 2), 1)))
    times = {"cudnn": [], "tile": []}
    for _ in range(options.rounds):
        for name, replay in graphs.items():
            times[name].append(time_of(replay, count) / inside)
    cudnn, tile = median(times["cudnn"]), median(times["tile"])
    flops = 2.0 * n * out * out * k * c * r * r
    return dict(kind=kind, batch=n, side=side, c=c, k=k, r=r, stride=stride, pad=pad,
                cudnn_us=cudnn, tile_us=tile, ratio=cudnn / tile, tflops=flops / tile / 1e6,
                workspace=ours.bytes, error=error,
                gemm=[n * out * out, k, c * r * r])  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", required=True, dest="tile_run")
    parser.add_argument("--kinds", default="fprop,dgrad,wgrad")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--layers", default="", help="only those whose text contains this")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--schedule", default="")
    parser.add_argument("--json", default="")
    options = parser.parse_args()
    torch.backends.cudnn.benchmark = True
    device, results = rt.Device("cuda"), []
    for kind in options.kinds.split(","):
        logs = []
        for layer in RESNET + EXTRA:
            name = "%d^2 %d->%d %dx%d s%d p%d" % (*layer[:3], layer[3], *layer[3:])
            if options.layers not in name:
                continue
            try:
                point = measure(device, options, kind, layer)
            except (rt.Error, subprocess.CalledProcessError) as error:
                print(f"{kind} {name}: {error}", flush=True)
                continue
            results.append(point)
            logs.append(math.log(point["ratio"]))
            print("%s %-26s cudnn %8.1f us  tile %8.1f us  ratio %.3f  %5.0f TFLOP/s  workspace "
                  "%d  error %.1e" % (kind, name, point["cudnn_us"], point["tile_us"],
                                      point["ratio"], point["tflops"], point["workspace"],
                                      point["error"]), flush=True)
        if logs:
            print("%s: geometric mean of cudnn/tile %.3f over %d layers"
                  % (kind, math.exp(sum(logs) / len(logs)), len(logs)), flush=True)
    if options.json:
        card = torch.cuda.get_device_name()
        with open(options.json, "w") as file:
            json.dump(dict(card=card, cudnn=torch.backends.cudnn.version(), results=results),
                      file, indent=1)


main()
