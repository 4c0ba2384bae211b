// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What went wrong in a simulated launch: raw facts and their wording.
#ifndef TILE_RT_SIM_REPORT_H
#define TILE_RT_SIM_REPORT_H

#include "SharedShadow.h"

#include <string>

namespace tile::rt {

class AddressMap;

/// What a thread waits for.
enum class WaitKind : uint8_t {
  Barrier,
  MBarrier,
  Poll, ///< an mbarrier's phase, which it tests again and again
  Cluster,
  Warp,
  Warpgroup
};

/// What the accesses of a pseudo-thread are.
enum class AsyncKind : uint8_t { MBarrier, TensorLoad, TensorStore, Wgmma };

/// Facts taken down on a fiber's small stack; worded later on the host's.
struct SimFault {
  enum Kind {
    None,
    NullPointer,
    OutOfBounds,
    Misaligned,
    SharedConflictFound,
    BadBarrier,
    BarrierCounts,
    BarrierDivergence,
    Deadlock,
    Division,
    Trap,
    Misuse
  };
  Kind kind = None;
  unsigned thread = 0;
  int32_t site = -1;
  /// Accesses.
  uintptr_t address = 0;
  uint64_t size = 0;
  int32_t alignment = 0;
  bool isStore = false, isShared = false;
  SharedConflict conflict;
  /// Barriers: identifier and count, and a second thread with its count.
  int32_t barrier = 0, count = 0, otherCount = 0;
  unsigned otherThread = 0;
  int32_t otherSite = -1;
  /// Accesses by an asynchronous operation: which, in words.
  const char *what = nullptr;
  /// Misuse: what is wrong, in a few words and in a sentence.
  const char *heading = nullptr;
  std::string sentence;
  /// Deadlock: who waits where, as text without names of places.
  struct Waiting {
    WaitKind kind;
    int32_t barrier, count, site;
    unsigned threads, first;
    /// Of an mbarrier: where it is, and its state.
    uint64_t offset = 0, phase = 0;
    unsigned rank = 0;
    int32_t pending = 0, expected = 0;
    int64_t bytes = 0;
  };
  std::vector<Waiting> waiting;
  unsigned exited = 0;
};

/// Where the fault happened.
struct SimPlace {
  const char *kernel;
  const std::vector<std::string> *sites;
  /// The cluster's first block; the others follow along x.
  int32_t block[3];
  int32_t blockExtents[3];
  unsigned clusterSize;
  /// Of the first block, and from one block to the next: as addresses, and as
  /// the shadow counts them.
  uintptr_t sharedBegin;
  uint64_t windowBytes, shadowStride;
  uint64_t sharedBytes;
  /// Kinds of the pseudo-threads, which follow the threads.
  const std::vector<AsyncKind> *columns;
  const AddressMap *memory;
};

/// Words a fault, for example "simulator: out-of-bounds global load of 16 bytes
/// in kernel 'k', block (1,0,0), thread (37,0,0) at gemm.mlir:10:3: address
/// 0x7f0000001004 is 4 bytes past the end of a 4096-byte allocation".
std::string describeFault(const SimFault &fault, const SimPlace &place);

} // namespace tile::rt

#endif // TILE_RT_SIM_REPORT_H
