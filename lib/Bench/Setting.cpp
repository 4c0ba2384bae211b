// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the device and the libraries that all points share.
#include "Setting.h"

#include "tile/Target/Chip.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>

using namespace tile;
using namespace tile::bench;

/// Workspace that cuBLASLt may use.
static constexpr int64_t workspaceBytes = int64_t(128) << 20;
/// Writing this keeps the card busy for some 100 microseconds: as long as the
/// host takes to submit a batch.
static constexpr int64_t scratchBytes = int64_t(512) << 20;

static std::string runtimeError() {
  // The runtime's advice does not hold here.
  llvm::StringRef text = tileRtGetLastError();
  text.consume_back("; use --device=sim");
  return text.str();
}

std::optional<std::string> Setting::open() {
  // Settings of the user's that would turn float32 products into TF32 (or, with
  // 0, those that ask for TF32 into float32), or have cuBLAS emulate a type by
  // narrower ones.
  unsetenv("NVIDIA_TF32_OVERRIDE");
  unsetenv("CUBLAS_EMULATE_SINGLE_PRECISION");
  unsetenv("CUBLAS_EMULATE_DOUBLE_PRECISION");
  TileRtDevice handle = nullptr;
  if (tileRtDeviceOpen(options.device.c_str(), &handle) != TILE_RT_SUCCESS)
    return runtimeError();
  device.reset(handle);
  if (tileRtDeviceGetInfo(handle, &info) != TILE_RT_SUCCESS)
    return runtimeError();
  if (auto reason = cuda.open(info.ordinal))
    return reason;
  nvml = std::make_unique<Nvml>(cuda.pciBusId);
  TileRtStream wrapped = nullptr;
  if (tileRtStreamWrap(handle, cuda.stream, &wrapped) != TILE_RT_SUCCESS)
    return runtimeError();
  stream.reset(wrapped);
  if (options.cublas) {
    Result<std::unique_ptr<CublasLt>> library =
        CublasLt::load(options.cublasPath);
    if (!library)
      return library.getReason();
    cublas = std::move(*library);
  }
  for (auto [buffer, bytes] : {std::make_pair(&workspace, workspaceBytes),
                               std::make_pair(&scratch, scratchBytes)}) {
    Result<UniqueBuffer> memory = allocate(handle, bytes);
    if (!memory)
      return memory.getReason();
    *buffer = std::move(*memory);
  }
  stopwatch = std::make_unique<Stopwatch>(
      cuda, options.regime, options.submission,
      reinterpret_cast<uintptr_t>(tileRtBufferGetAddress(scratch.get())),
      scratchBytes);
  if (options.context != Context::Chain) {
    front = std::make_unique<FrontKernel>(cuda);
    if (auto reason = front->load())
      return reason;
  }
  compile.chip =
      options.chip.empty() ? getDeviceChip(info.chip, info.name) : options.chip;
  compile.cubin = options.cubin;
  compile.dynamic = options.dynamic;
  compile.tuningTable = options.tuningTable;
  return stopwatch->open();
}

Result<const Noise *> Setting::noise(const ElementTypeInfo &type, bool tf32) {
  std::unique_ptr<Noise> &slot = noises[{type.type, tf32}];
  if (!slot) {
    Result<std::unique_ptr<Noise>> made =
        Noise::create(device.get(), type, tf32);
    if (!made)
      return made.takeReason();
    slot = std::move(*made);
  }
  return static_cast<const Noise *>(slot.get());
}

Result<Noises> Setting::noisesOf(const Point &point) {
  Noises noises;
  Result<const Noise *> a = noise(*point.type, point.tf32),
                        b = noise(*point.typeB, point.tf32);
  for (Result<const Noise *> *made : {&a, &b})
    if (!*made)
      return made->takeReason();
  noises.a = *a;
  noises.b = *b;
  if (point.beta == 0)
    return noises;
  Result<const Noise *> c = noise(*point.typeD, /*tf32=*/false);
  if (!c)
    return c.takeReason();
  noises.c = *c;
  return noises;
}

std::optional<std::string> Setting::deviceFault() const {
  return cuda.check(cuda.StreamSynchronize(cuda.stream), "cuStreamSynchronize");
}
