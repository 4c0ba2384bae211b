// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An entry on a device: upload, launch, time, read back.
#ifndef TILE_LIB_RUN_LAUNCH_H
#define TILE_LIB_RUN_LAUNCH_H

#include "Arguments.h"
#include "Support/Progress.h"

namespace tile {

/// Gives a handle of the runtime up.
struct HandleDeleter {
  void operator()(TileRtDeviceImpl *device) const { tileRtDeviceClose(device); }
  void operator()(TileRtModuleImpl *module) const {
    tileRtModuleUnload(module);
  }
  void operator()(TileRtBufferImpl *buffer) const {
    tileRtBufferDestroy(buffer);
  }
  void operator()(TileRtEventImpl *event) const { tileRtEventDestroy(event); }
};
using DeviceHandle = std::unique_ptr<TileRtDeviceImpl, HandleDeleter>;
using ModuleHandle = std::unique_ptr<TileRtModuleImpl, HandleDeleter>;
using BufferHandle = std::unique_ptr<TileRtBufferImpl, HandleDeleter>;
using EventHandle = std::unique_ptr<TileRtEventImpl, HandleDeleter>;

/// An entry whose arguments are in device memory.
struct DeviceEntry {
  TileRtDevice device = nullptr;
  TileRtModule module = nullptr;
  std::string name;
  /// Kernel to use; empty for the one that the runtime chooses.
  std::string kernel;
  /// One for each argument; none for scalars and null pointers.
  std::vector<BufferHandle> buffers;
  /// Whether the host can use the addresses of buffers, as the simulator's.
  bool isHostMemory = false;
  /// For copies of operands; none when the entry makes none.
  BufferHandle workspace;
  std::vector<TileRtArgument> arguments;
  std::vector<TileRtLaunchInfo> info;
};

/// Milliseconds of one run of an entry.
struct Timing {
  int64_t launches = 0;
  double least = 0, median = 0;
};

/// Allocates device memory for a bound entry, all of it before any of it is
/// filled, and for its workspace if it may have one, and fills it. The reason is
/// one sentence.
Result<DeviceEntry> uploadEntry(TileRtDevice device, TileRtModule module,
                                const BoundEntry &bound, llvm::StringRef kernel,
                                bool mayCopy, Progress &progress);

/// Names every kernel of which a launch of the entry can choose.
std::string listKernels(const DeviceEntry &entry);

/// Launches and waits. With `dryRun`, only checks the arguments and chooses the
/// kernels. The reason is the runtime's sentence.
std::optional<std::string> launchEntry(DeviceEntry &entry, bool dryRun = false);

/// Times `repetitions` runs of the entry, or as many as take about a second
/// when that is 0. Runs shorter than the resolution of the device's clock are
/// timed several at once.
Result<Timing> timeEntry(DeviceEntry &entry, int64_t repetitions);

/// The contents of a tensor's whole allocation after a launch: where the host
/// can look at it the device's memory itself, elsewhere a copy.
struct Image {
  const char *data = nullptr;
  std::unique_ptr<char[]> copy;

  explicit operator bool() const { return data; }
};
Result<Image> readBack(const DeviceEntry &entry, const BoundArgument &argument,
                       unsigned number);

} // namespace tile

#endif // TILE_LIB_RUN_LAUNCH_H
