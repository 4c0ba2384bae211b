// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs an entry through the runtime's C API.
#include "Launch.h"

#include "Support/Process.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>
#include <new>

using namespace tile;
using llvm::Twine;

static TileRtArgument makeScalar(const BoundArgument &bound) {
  TileRtArgument argument = {};
  argument.kind = TILE_RT_SCALAR;
  argument.as.scalar.type = getInfo(bound.type).runtimeType;
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
  tensor.type = getInfo(bound.type).runtimeType;
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

static Reason tooLittleMemory(const BoundEntry &bound, const Twine &what) {
  return Reason("expected " + describeMemory(bound) + ", but " + what);
}

/// Creates a buffer for each tensor.
static std::optional<Reason> createBuffers(const BoundEntry &bound,
                                           DeviceEntry &entry) {
  for (const BoundArgument &argument : bound.arguments) {
    BufferHandle &buffer = entry.buffers.emplace_back();
    if (!argument.isTensor()) {
      entry.arguments.push_back(makeScalar(argument));
      continue;
    }
    if (!argument.null) {
      TileRtBuffer created = nullptr;
      if (tileRtBufferCreate(entry.device, argument.imageBytes, &created))
        return tooLittleMemory(bound, argument.name + Twine(": ") +
                                          tileRtGetLastError());
      buffer.reset(created);
    }
    entry.arguments.push_back(makeTensor(argument, buffer.get()));
  }
  return std::nullopt;
}

static std::optional<Reason> fillBuffer(const BoundArgument &argument,
                                        TileRtBuffer buffer,
                                        bool isHostMemory) {
  if (isHostMemory) {
    fillImage(argument, static_cast<char *>(tileRtBufferGetAddress(buffer)));
    return std::nullopt;
  }
  std::unique_ptr<char[]> image(new (std::nothrow)
                                    char[argument.imageBytes + 1]);
  if (!image)
    return Reason("expected " + formatBytes(double(argument.imageBytes)) +
                  " of memory to prepare " + argument.name +
                  ", but there is too little");
  fillImage(argument, image.get());
  if (tileRtBufferWrite(buffer, 0, image.get(), argument.imageBytes, nullptr))
    return Reason(argument.name + ": " + tileRtGetLastError());
  return std::nullopt;
}

/// What the host lacks of the memory that the run takes; nothing if it is
/// enough, or not known.
static std::optional<Reason> checkMemory(const BoundEntry &bound,
                                         bool isHostMemory) {
  std::optional<int64_t> free = findFreeMemory();
  double need = 0;
  for (const BoundArgument &argument : bound.arguments) {
    double bytes = double(argument.imageBytes);
    // A device with memory of its own takes one image at a time.
    need = isHostMemory ? need + bytes : std::max(need, bytes);
  }
  if (!free || need <= double(*free))
    return std::nullopt;
  return tooLittleMemory(bound, formatBytes(double(*free)) + " are free");
}

Result<DeviceEntry> tile::uploadEntry(TileRtDevice device, TileRtModule module,
                                      const BoundEntry &bound,
                                      llvm::StringRef kernel, bool mayCopy,
                                      Progress &progress) {
  DeviceEntry entry;
  entry.device = device;
  entry.module = module;
  entry.name = bound.entry->name;
  entry.kernel = kernel.str();
  entry.info.resize(bound.entry->steps.size());
  TileRtDeviceInfo info = {};
  tileRtDeviceGetInfo(device, &info);
  entry.isHostMemory = info.kind == TILE_RT_DEVICE_SIM;
  if (std::optional<Reason> reason = checkMemory(bound, entry.isHostMemory))
    return std::move(*reason);
  if (std::optional<Reason> reason = createBuffers(bound, entry))
    return std::move(*reason);
  for (auto [argument, buffer] : llvm::zip_equal(bound.arguments, entry.buffers)) {
    if (!buffer)
      continue;
    progress.begin("filling " + argument.name);
    if (std::optional<Reason> reason =
            fillBuffer(argument, buffer.get(), entry.isHostMemory))
      return std::move(*reason);
  }
  progress.end();
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

std::string tile::listKernels(const DeviceEntry &entry) {
  std::vector<std::string> names;
  for (size_t step = 0; step < entry.info.size(); ++step) {
    int32_t total = 0;
    TileRtLaunchOptions options = {};
    auto get = [&](TileRtChoice *choices, int32_t capacity) {
      return tileRtEntryGetChoices(
          entry.module, entry.name.c_str(), entry.arguments.data(),
          static_cast<int32_t>(entry.arguments.size()), &options,
          static_cast<int32_t>(step), choices, capacity, &total);
    };
    if (get(nullptr, 0))
      continue;
    std::vector<TileRtChoice> choices(total);
    if (get(choices.data(), total))
      continue;
    for (const TileRtChoice &choice : choices)
      if (!llvm::is_contained(names, choice.kernel))
        names.push_back(choice.kernel);
  }
  return llvm::join(names, ", ");
}

Result<Image> tile::readBack(const DeviceEntry &entry,
                             const BoundArgument &argument, unsigned number) {
  TileRtBuffer buffer = entry.buffers[number].get();
  Image image;
  if (entry.isHostMemory) {
    image.data = static_cast<const char *>(tileRtBufferGetAddress(buffer));
    return image;
  }
  image.copy.reset(new (std::nothrow) char[argument.imageBytes + 1]);
  if (!image.copy)
    return Reason("expected " + formatBytes(double(argument.imageBytes)) +
                  " of memory to read " + argument.name +
                  " back, but there is too little");
  if (tileRtBufferRead(buffer, 0, image.copy.get(), argument.imageBytes,
                       nullptr))
    return Reason(argument.name + ": " + tileRtGetLastError());
  image.data = image.copy.get();
  return image;
}
