// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device must do; the CUDA driver and the simulator both do it.
#ifndef TILE_RT_LIB_DEVICE_H
#define TILE_RT_LIB_DEVICE_H

#include "AccessCounts.h"
#include "tile-rt/tile-rt.h"

#include <memory>
#include <string>

namespace tile::rt {

struct Artifact;
struct TensorMapFacts;

/// When a kernel is launched programmatically.
enum class ProgrammaticLaunch {
  Never,
  /// On a stream always; in a graph only behind kernels that let it start
  /// early. Behind any other node the programmatic edge costs more than an
  /// ordinary one, and nothing is gained: 0.65 us of a 512^3 GEMM on an H200.
  WhereItGains,
  Always
};

/// Extents of one launch, already in range for any device (checkLaunch).
struct LaunchShape {
  int64_t grid[3];
  int64_t block[3];
  int64_t dynamicSharedBytes;
  /// Blocks of a cluster; the grid is a multiple of it.
  int64_t cluster[3] = {1, 1, 1};
  /// Whether the launch may start before those in front of it have ended: the
  /// kernel waits itself for their results.
  ProgrammaticLaunch programmatic = ProgrammaticLaunch::Never;
};

/// What of a device the choice of a kernel depends on.
struct DeviceLimits {
  /// Most shared memory of a block, in bytes.
  int64_t sharedMemory = 0;
  int64_t multiprocessors = 1;
  /// Why the device launches no clusters, or has no tensor maps; "" if it does.
  std::string noClusters, noTensorMaps;
};

/// An artifact's code on a device. Kernels are numbered as in the artifact,
/// which outlives it.
// Inheritance here because the two devices are chosen at run time.
class DeviceModule {
public:
  virtual ~DeviceModule() = default;

  /// Clusters of kernel `index` that the device runs at a time; 0 if it does
  /// not say.
  virtual int64_t countActiveClusters(int index) const { return 0; }

  /// Adds what the device knows of kernel `index` to `info`.
  virtual void describeKernel(int index, TileRtKernelInfo &info) const = 0;

  /// Launches kernel `index`. `stream` is a native stream or null.
  virtual TileRtStatus launch(int index, const LaunchShape &shape, void **args,
                              void *stream) = 0;

  /// What the launches so far accessed, by the number of the site in the
  /// artifact. Only of code that was compiled for the simulator to count.
  virtual AccessCounts getAccessCounts() { return {}; }
};

/// A device. Streams and events are the device's own handles, as void pointers;
/// a null stream is the default one. All functions bind what they need to the
/// calling thread, and report failures through fail().
class Device {
public:
  virtual ~Device() = default;

  virtual const TileRtDeviceInfo &info() const = 0;
  virtual const DeviceLimits &limits() const = 0;
  /// Writes the 128 bytes of a tensor map, 64-byte aligned. Returns the reason,
  /// "" when it could. Makes no call that is illegal during stream capture.
  virtual std::string encodeTensorMap(void *map,
                                      const TensorMapFacts &facts) const = 0;
  virtual TileRtStatus synchronize() = 0;
  virtual TileRtStatus loadModule(const Artifact &artifact,
                                  std::unique_ptr<DeviceModule> &module) = 0;

  virtual TileRtStatus allocate(int64_t bytes, void *&address) = 0;
  virtual void release(void *address) = 0;
  virtual TileRtStatus write(void *address, const void *host, int64_t bytes,
                             void *stream) = 0;
  virtual TileRtStatus read(void *host, const void *address, int64_t bytes,
                            void *stream) = 0;
  virtual TileRtStatus copy(void *target, const void *source, int64_t bytes,
                            void *stream) = 0;
  virtual TileRtStatus fill(void *address, uint8_t value, int64_t bytes,
                            void *stream) = 0;

  virtual TileRtStatus createStream(void *&stream) = 0;
  virtual void destroyStream(void *stream) = 0;
  virtual TileRtStatus synchronizeStream(void *stream) = 0;

  virtual TileRtStatus createEvent(void *&event) = 0;
  virtual void destroyEvent(void *event) = 0;
  virtual TileRtStatus recordEvent(void *event, void *stream) = 0;
  virtual TileRtStatus elapsed(void *start, void *stop,
                               double &milliseconds) = 0;
};

/// Opens CUDA device `ordinal`.
TileRtStatus openCudaDevice(int ordinal, std::shared_ptr<Device> &device);

/// Opens a simulator.
TileRtStatus openSimDevice(std::shared_ptr<Device> &device);

/// Returns why `shape` can be launched on no device, "" if it can.
std::string checkLaunch(const LaunchShape &shape);

} // namespace tile::rt

#endif // TILE_RT_LIB_DEVICE_H
