// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the opaque handles of the C API point to.
#ifndef TILE_RT_LIB_HANDLES_H
#define TILE_RT_LIB_HANDLES_H

#include "Artifact.h"
#include "Device.h"

// The names are the C API's, hence no namespace. Everything that is made from a
// device shares its ownership, which makes the order of destruction free.

struct TileRtDeviceImpl {
  std::shared_ptr<tile::rt::Device> device;
};

struct TileRtKernelImpl {
  TileRtModuleImpl *module;
  int index;
};

struct TileRtModuleImpl {
  std::shared_ptr<tile::rt::Device> device;
  tile::rt::Artifact artifact;
  // After the artifact, which it refers to, so that it goes first.
  std::unique_ptr<tile::rt::DeviceModule> code;
  std::vector<TileRtKernelImpl> kernels;
};

struct TileRtBufferImpl {
  std::shared_ptr<tile::rt::Device> device;
  void *address;
  int64_t bytes;
};

struct TileRtStreamImpl {
  std::shared_ptr<tile::rt::Device> device;
  void *native;
  bool owned;
};

struct TileRtEventImpl {
  std::shared_ptr<tile::rt::Device> device;
  void *native;
  bool recorded;
};

namespace tile::rt {

/// Gives the native stream of a handle that may be NULL, after checking that it
/// belongs to `device`.
TileRtStatus nativeStream(const Device *device, TileRtStream stream,
                          void *&native);

} // namespace tile::rt

#endif // TILE_RT_LIB_HANDLES_H
