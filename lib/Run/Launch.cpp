// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs an entry through the runtime's C API.
#include "Launch.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace tile;

static TileRtType getRuntimeType(ElementType type) {
  switch (type) {
  case ElementType::F32:
    return TILE_RT_F32;
  case ElementType::F64:
    return TILE_RT_F64;
  case ElementType::F16:
    return TILE_RT_F16;
  case ElementType::BF16:
    return TILE_RT_BF16;
  case ElementType::F8E4M3FN:
    return TILE_RT_F8E4M3FN;
  case ElementType::F8E5M2:
    return TILE_RT_F8E5M2;
  case ElementType::I8:
    return TILE_RT_I8;
  case ElementType::I32:
    return TILE_RT_I32;
  }
  return TILE_RT_TYPE_MAX;
}

static TileRtArgument makeScalar(const BoundArgument &bound) {
  TileRtArgument argument = {};
  argument.kind = TILE_RT_SCALAR;
  argument.as.scalar.type = getRuntimeType(bound.type);
  if (bound.type == ElementType::F32)
    argument.as.scalar.value.f32 = static_cast<float>(bound.value);
  else
    argument.as.scalar.value.f64 = bound.value;
  return argument;
}

static TileRtArgument makeTensor(const BoundArgument &bound,
                                 TileRtBuffer buffer) {
  TileRtArgument argument = {};
  argument.kind = TILE_RT_TENSOR;
  TileRtTensor &tensor = argument.as.tensor;
  tensor.type = getRuntimeType(bound.type);
  tensor.rank = static_cast<int32_t>(bound.sizes.size());
  llvm::copy(bound.sizes, tensor.sizes);
  llvm::copy(bound.strides, tensor.strides);
  if (buffer)
    tensor.data = static_cast<char *>(tileRtBufferGetAddress(buffer)) +
                  bound.first * getElementBytes(bound.type);
  return argument;
}

/// Options with the entry's kernel and workspace.
static TileRtLaunchOptions makeOptions(const DeviceEntry &entry) {
  TileRtLaunchOptions options = {};
  options.kernel = entry.kernel.empty() ? nullptr : entry.kernel.c_str();
  if (entry.workspace) {
    options.workspace = tileRtBufferGetAddress(entry.workspace.get());
    options.workspaceBytes = tileRtBufferGetSize(entry.workspace.get());
  }
  return options;
}

Result<DeviceEntry> tile::uploadEntry(TileRtDevice device, TileRtModule module,
                                      const BoundEntry &bound,
                                      llvm::StringRef kernel, bool mayCopy) {
  DeviceEntry entry;
  entry.device = device;
  entry.module = module;
  entry.name = bound.entry->name;
  entry.kernel = kernel.str();
  entry.info.resize(bound.entry->steps.size());
  for (const BoundArgument &argument : bound.arguments) {
    BufferHandle &buffer = entry.buffers.emplace_back();
    if (!argument.isTensor()) {
      entry.arguments.push_back(makeScalar(argument));
      continue;
    }
    if (!argument.null) {
      TileRtBuffer created = nullptr;
      if (tileRtBufferCreate(device, argument.imageBytes, &created))
        return Reason(argument.name + ": " + tileRtGetLastError());
      buffer.reset(created);
      if (tileRtBufferWrite(created, 0, argument.image.get(),
                            argument.imageBytes, nullptr))
        return Reason(argument.name + ": " + tileRtGetLastError());
    }
    entry.arguments.push_back(makeTensor(argument, buffer.get()));
  }
  if (!mayCopy)
    return entry;
  // When the arguments are wrong, the launch says why.
  int64_t bytes = 0;
  TileRtLaunchOptions options = makeOptions(entry);
  if (tileRtEntryGetWorkspaceSize(
          module, entry.name.c_str(), entry.arguments.data(),
          static_cast<int32_t>(entry.arguments.size()), &options, &bytes) ||
      bytes == 0)
    return entry;
  TileRtBuffer workspace = nullptr;
  if (tileRtBufferCreate(device, bytes, &workspace))
    return Reason(std::string("workspace: ") + tileRtGetLastError());
  entry.workspace.reset(workspace);
  return entry;
}

/// Puts one run of the entry into the default stream.
static TileRtStatus enqueue(DeviceEntry &entry, bool dryRun) {
  TileRtLaunchOptions options = makeOptions(entry);
  options.dryRun = dryRun;
  options.infoCapacity = static_cast<int32_t>(entry.info.size());
  return tileRtLaunchEntry(entry.module, entry.name.c_str(),
                           entry.arguments.data(),
                           static_cast<int32_t>(entry.arguments.size()),
                           &options, nullptr, entry.info.data());
}

std::optional<std::string> tile::launchEntry(DeviceEntry &entry, bool dryRun) {
  if (enqueue(entry, dryRun) ||
      (!dryRun && tileRtDeviceSynchronize(entry.device)))
    return std::string(tileRtGetLastError());
  return std::nullopt;
}

namespace {

/// Two events between which runs are timed.
struct Stopwatch {
  EventHandle start, stop;
};

} // namespace

/// Milliseconds of one run, measured over `count` of them.
static Result<double> measure(DeviceEntry &entry, const Stopwatch &watch,
                              int64_t count) {
  TileRtStatus status = tileRtEventRecord(watch.start.get(), nullptr);
  for (int64_t i = 0; i < count && !status; ++i)
    status = enqueue(entry, /*dryRun=*/false);
  if (!status)
    status = tileRtEventRecord(watch.stop.get(), nullptr);
  double milliseconds = 0;
  if (!status)
    status =
        tileRtEventElapsed(watch.start.get(), watch.stop.get(), &milliseconds);
  if (status)
    return Reason(tileRtGetLastError());
  return milliseconds / static_cast<double>(count);
}

Result<Timing> tile::timeEntry(DeviceEntry &entry, int64_t repetitions) {
  // A run and a group should be long against the clock and the launches.
  constexpr double groupMilliseconds = 2, totalMilliseconds = 1000;
  constexpr int64_t mostGroups = 1000, leastGroups = 3, mostPerGroup = 100;
  Stopwatch watch;
  for (EventHandle *event : {&watch.start, &watch.stop}) {
    TileRtEvent created = nullptr;
    if (tileRtEventCreate(entry.device, &created))
      return Reason(tileRtGetLastError());
    event->reset(created);
  }
  // The launch before has loaded the code; this one tells how long one takes.
  Result<double> first = measure(entry, watch, 1);
  if (!first)
    return first.takeReason();
  double one = std::max(*first, 1e-3);
  int64_t perGroup = std::clamp<int64_t>(
      static_cast<int64_t>(std::ceil(groupMilliseconds / one)), 1,
      mostPerGroup);
  int64_t groups = std::clamp<int64_t>(
      static_cast<int64_t>(totalMilliseconds /
                           (one * static_cast<double>(perGroup))),
      leastGroups, mostGroups);
  if (repetitions) {
    perGroup = std::min(perGroup, repetitions);
    groups = std::max<int64_t>(repetitions / perGroup, 1);
  }
  std::vector<double> times;
  for (int64_t i = 0; i < groups; ++i) {
    Result<double> time = measure(entry, watch, perGroup);
    if (!time)
      return time.takeReason();
    times.push_back(*time);
  }
  llvm::sort(times);
  size_t middle = times.size() / 2;
  Timing timing;
  timing.launches = groups * perGroup;
  timing.least = times.front();
  timing.median = times.size() % 2 ? times[middle]
                                   : (times[middle - 1] + times[middle]) / 2;
  return timing;
}

Result<std::unique_ptr<char[]>> tile::readBack(const DeviceEntry &entry,
                                               const BoundArgument &argument,
                                               unsigned number) {
  std::unique_ptr<char[]> image(new char[argument.imageBytes + 1]);
  if (tileRtBufferRead(entry.buffers[number].get(), 0, image.get(),
                       argument.imageBytes, nullptr))
    return Reason(argument.name + ": " + tileRtGetLastError());
  return image;
}
