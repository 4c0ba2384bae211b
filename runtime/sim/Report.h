// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What went wrong in a simulated launch: raw facts and their wording.
#ifndef TILE_RT_SIM_REPORT_H
#define TILE_RT_SIM_REPORT_H

#include "SharedShadow.h"

#include <string>

namespace tile::rt {

class AddressMap;

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
    Trap
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
  /// Deadlock: who waits where, as text without names of places.
  struct Waiting {
    int32_t barrier, count, site;
    unsigned threads, first;
  };
  std::vector<Waiting> waiting;
  unsigned exited = 0;
};

/// Where the fault happened.
struct SimPlace {
  const char *kernel;
  const std::vector<std::string> *sites;
  int32_t block[3];
  int32_t blockExtents[3];
  uintptr_t sharedBegin;
  uint64_t sharedBytes;
  const AddressMap *memory;
};

/// Words a fault, for example "simulator: out-of-bounds global load of 16 bytes
/// in kernel 'k', block (1,0,0), thread (37,0,0) at gemm.mlir:10:3: address
/// 0x7f0000001004 is 4 bytes past the end of a 4096-byte allocation".
std::string describeFault(const SimFault &fault, const SimPlace &place);

} // namespace tile::rt

#endif // TILE_RT_SIM_REPORT_H
