// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices, memory and launches of `tile::jit`.
#include "State.h"

#include "tile/InitAll.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile;
using namespace tile::jit;

/// The runtime's sentence of the last failure.
static Reason getReason() { return Reason(tileRtGetLastError()); }

static Failure getFailure(TileRtStatus status) {
  if (status == TILE_RT_SUCCESS)
    return std::nullopt;
  return std::string(tileRtGetLastError());
}

//===----------------------------------------------------------------------===//
// Devices and memory
//===----------------------------------------------------------------------===//

Result<Jit> Jit::open(const char *device, Options options) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  Jit jit;
  jit.state = std::make_shared<JitState>(registry);
  JitState &state = *jit.state;
  state.options = std::move(options);
  if (tileRtDeviceOpen(device ? device : "auto", &state.device) !=
          TILE_RT_SUCCESS ||
      tileRtDeviceGetInfo(state.device, &state.info) != TILE_RT_SUCCESS)
    return getReason();
  return jit;
}

Result<Memory> Jit::allocate(int64_t bytes) const {
  TileRtBuffer buffer = nullptr;
  if (tileRtBufferCreate(state->device, bytes, &buffer) != TILE_RT_SUCCESS)
    return getReason();
  Memory memory;
  memory.buffer = std::shared_ptr<void>(buffer, [](void *handle) {
    tileRtBufferDestroy(static_cast<TileRtBuffer>(handle));
  });
  if (Failure failure =
          getFailure(tileRtBufferFill(buffer, 0, bytes, 0, nullptr)))
    return Reason(*failure);
  return memory;
}

Failure Jit::synchronize() const {
  return getFailure(tileRtDeviceSynchronize(state->device));
}

int64_t Jit::getNumKernels() const { return state->kernels.size(); }

std::string Jit::getDeviceName() const { return state->info.name; }

TileRtDevice Jit::getDevice() const { return state->device; }

static TileRtBuffer getBuffer(const std::shared_ptr<void> &buffer) {
  return static_cast<TileRtBuffer>(buffer.get());
}

void *Memory::getAddress() const {
  return tileRtBufferGetAddress(getBuffer(buffer));
}

Failure Memory::write(const void *data, int64_t bytes) const {
  return getFailure(
      tileRtBufferWrite(getBuffer(buffer), 0, data, bytes, nullptr));
}

Failure Memory::read(void *data, int64_t bytes) const {
  return getFailure(
      tileRtBufferRead(getBuffer(buffer), 0, data, bytes, nullptr));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static int64_t getBytes(llvm::StringRef type) {
  if (type == "index" || type == "i64" || type == "f64")
    return 8;
  return type == "i8" ? 1 : type.ends_with("16") ? 2 : 4;
}

/// Why a tensor is not what the kernel was compiled for.
static Failure checkTensor(const Parameter &parameter,
                           const Argument &argument) {
  auto expected = [](const std::string &what, int64_t got) {
    return "expected " + what + ", but got " + std::to_string(got);
  };
  if (argument.extents.size() != static_cast<size_t>(parameter.rank) ||
      argument.strides.size() != static_cast<size_t>(parameter.rank))
    return expected("a tensor of " + std::to_string(parameter.rank) +
                        " dimensions",
                    argument.extents.size());
  bool isEmpty = false;
  for (int64_t extent : argument.extents) {
    if (extent < 0)
      return expected("extents of at least 0", extent);
    isEmpty |= extent == 0;
  }
  if (isEmpty)
    return std::nullopt;
  if (!argument.data)
    return "expected memory for its elements, but got none";
  if (argument.extents.back() > 1 && argument.strides.back() != 1)
    return expected("stride 1 along the last dimension",
                    argument.strides.back());
  int64_t multiple = parameter.multiple;
  for (int64_t stride : argument.strides.drop_back())
    if (stride < 0 || stride % multiple != 0)
      return expected("strides that are multiples of " +
                          std::to_string(multiple) + " elements",
                      stride);
  if (argument.extents.back() % multiple != 0)
    return expected("a last extent that is a multiple of " +
                        std::to_string(multiple),
                    argument.extents.back());
  int64_t alignment = multiple * getBytes(parameter.type);
  if (int64_t past = reinterpret_cast<uintptr_t>(argument.data) % alignment)
    return expected("a base on a boundary of " + std::to_string(alignment) +
                        " bytes",
                    past);
  return std::nullopt;
}

Failure AnyKernel::launch(Launch launch,
                          llvm::ArrayRef<Argument> arguments) const {
  const std::vector<Parameter> &parameters = kernel->parameters;
  if (arguments.size() != parameters.size())
    return "expected " + std::to_string(parameters.size()) +
           " arguments, but got " + std::to_string(arguments.size());
  // Extents and strides are passed by address, and so are pointers.
  std::vector<const void *> pointers;
  for (const Argument &argument : arguments)
    pointers.push_back(argument.data);
  std::vector<void *> values;
  auto pass = [&](const void *value) {
    values.push_back(const_cast<void *>(value));
  };
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].rank == 0) {
      pass(arguments[i].data);
      continue;
    }
    if (Failure failure = checkTensor(parameters[i], arguments[i]))
      return "argument " + std::to_string(i) + ": " + *failure;
    pass(&pointers[i]);
    for (const int64_t &extent : arguments[i].extents)
      pass(&extent);
    for (const int64_t &stride : arguments[i].strides.drop_back())
      pass(&stride);
  }
  // Of an empty grid there is nothing to do.
  if (launch.blocks == 0)
    return std::nullopt;
  const int64_t grid[3] = {launch.blocks, 1, 1};
  const int64_t block[3] = {kernel->threads, 1, 1};
  return getFailure(tileRtKernelLaunch(kernel->kernel, grid, block,
                                       kernel->dynamicSharedBytes,
                                       values.data(), launch.stream));
}

std::string AnyKernel::getPTX() const {
  const void *data = nullptr;
  size_t size = 0;
  if (tileRtModuleGetBlob(kernel->module, "ptx", &data, &size) !=
      TILE_RT_SUCCESS)
    return "";
  llvm::StringRef text(static_cast<const char *>(data), size);
  return text.rtrim('\0').str();
}

std::vector<AccessCount> AnyKernel::getAccessCounts() const {
  int32_t total = 0;
  if (tileRtModuleGetAccessCounts(kernel->module, nullptr, 0, &total) !=
      TILE_RT_SUCCESS)
    return {};
  std::vector<TileRtAccessCount> counts(total);
  if (tileRtModuleGetAccessCounts(kernel->module, counts.data(), total,
                                  &total) != TILE_RT_SUCCESS)
    return {};
  std::vector<AccessCount> result;
  for (const TileRtAccessCount &count : counts)
    result.push_back({count.site, count.isStore != 0, count.isShared != 0,
                      count.requests, count.sectors, count.wavefronts,
                      count.leastWavefronts, count.ways});
  return result;
}
