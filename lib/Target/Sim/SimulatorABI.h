// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulator's context and imports, as emitted code sees them.

#ifndef TILE_LIB_TARGET_SIM_SIMULATORABI_H
#define TILE_LIB_TARGET_SIM_SIMULATORABI_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tile::simabi {

/// Byte offsets into TileSimContext; the runtime's tile-sim-abi.h declares it.
enum ContextOffset : int32_t {
  TID = 0,
  CTAID = 12,
  NTID = 24,
  NCTAID = 36,
  Shared = 48,
  SharedBytes = 56,
  ClusterCtaid = 72,
  ClusterNctaid = 84,
  Clusterid = 96,
  Nclusterid = 108,
  ClusterRank = 120,
  ClusterSize = 124,
};

/// The `kind` of a check: the low bit says store, the next two which memory,
/// the others what is atomic about it.
enum AccessKind : int32_t {
  Load = 0,
  Store = 1,
  Generic = 0 << 1,
  Global = 1 << 1,
  SharedMemory = 2 << 1,
  ClusterMemory = 3 << 1,
  Atomic = 1 << 3,
  Acquire = 1 << 4,
  Release = 1 << 5,
};

/// Bits of the `flags` of a wgmma, above the types of A, B and D in 4 bits
/// each.
enum WgmmaFlag : int32_t {
  WgmmaTypeB = 4,
  WgmmaTypeD = 8,
  WgmmaAdd = 1 << 12,
  WgmmaNegateA = 1 << 13,
  WgmmaNegateB = 1 << 14,
  WgmmaMMajor = 1 << 15,
  WgmmaNMajor = 1 << 16,
  WgmmaSaturate = 1 << 17,
};

/// Types of the operands of mma.sync that wgmma does not have; the others have
/// the numbers of NVVM::WGMMATypes.
enum MmaType : int32_t { MmaS4 = 10, MmaU4 = 11, MmaF64 = 12 };

/// Places of the fields of the `shape` of an mma.sync: m, n and k, 10 bits each.
enum MmaShape : int32_t { MmaN = 10, MmaK = 20 };

/// Bits of the `mode` of an arrival at an mbarrier.
enum ArriveMode : int32_t { ArriveDrops = 1, ArriveCluster = 2 };

/// Bits of the `mode` of a wait for an mbarrier.
enum WaitMode : int32_t { WaitBlocks = 1, WaitState = 2, WaitCluster = 4 };

/// All functions of the simulator begin with this.
inline constexpr llvm::StringLiteral kPrefix = "tile_sim_";
inline constexpr llvm::StringLiteral kCheck = "tile_sim_check";
inline constexpr llvm::StringLiteral kBarrier = "tile_sim_barrier";
inline constexpr llvm::StringLiteral kCount = "tile_sim_count";
inline constexpr llvm::StringLiteral kLocal = "tile_sim_local";
inline constexpr llvm::StringLiteral kDivision = "tile_sim_division";
inline constexpr llvm::StringLiteral kTrap = "tile_sim_trap";
inline constexpr llvm::StringLiteral kKernelPrefix = "tile_sim_kernel_";
/// Where a pass leaves the site texts, on the gpu.module.
inline constexpr llvm::StringLiteral kSitesAttr = "tile.sim_sites";
/// Where a pass leaves the static shared memory in bytes, on the function.
inline constexpr llvm::StringLiteral kSharedBytesAttr = "tile.sim_shared_bytes";

/// Shared memory starts at a multiple of this many bytes.
inline constexpr int64_t kSharedAlignment = 1024;
/// The most local memory of a thread, as on a GPU.
inline constexpr int64_t kLocalBytes = 512 * 1024;
/// Threads per warp.
inline constexpr int32_t kWarpSize = 32;

} // namespace tile::simabi

#endif // TILE_LIB_TARGET_SIM_SIMULATORABI_H
