// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words the simulator's reports.
#include "Report.h"

#include "../lib/Error.h"
#include "AddressMap.h"

#include <algorithm>

using namespace tile::rt;

using Long = long long;

static unsigned blockThreads(const SimPlace &place) {
  return place.blockExtents[0] * place.blockExtents[1] * place.blockExtents[2];
}

/// The number in its cluster of the block of a thread.
static unsigned rankOf(unsigned thread, const SimPlace &place) {
  return std::min(thread / blockThreads(place), place.clusterSize - 1);
}

static std::string blockName(unsigned rank, const SimPlace &place) {
  return format("block (%u,%d,%d)", place.block[0] + rank, place.block[1],
                place.block[2]);
}

/// "thread (37,0,0)", which is in the block that the report names already.
static std::string ownThreadName(unsigned thread, const SimPlace &place) {
  unsigned x = place.blockExtents[0], y = place.blockExtents[1];
  thread %= blockThreads(place);
  return format("thread (%u,%u,%u)", thread % x, thread / x % y,
                thread / (x * y));
}

static std::string threadName(unsigned thread, const SimPlace &place) {
  std::string name = ownThreadName(thread, place);
  if (place.clusterSize > 1)
    name += " of " + blockName(rankOf(thread, place), place);
  return name;
}

static std::string siteName(int32_t site, const SimPlace &place) {
  if (site < 0 || size_t(site) >= place.sites->size())
    return "an unknown location";
  return (*place.sites)[site];
}

/// " in kernel 'k', block (1,0,0), thread (37,0,0) at gemm.mlir:10:3"
static std::string whereText(const SimFault &fault, const SimPlace &place) {
  return format(" in kernel '%s', %s, %s at %s", place.kernel,
                blockName(rankOf(fault.thread, place), place).c_str(),
                ownThreadName(fault.thread, place).c_str(),
                siteName(fault.site, place).c_str());
}

static std::string accessText(const SimFault &fault) {
  if (fault.what)
    return format("%s of %llu bytes", fault.what,
                  static_cast<unsigned long long>(fault.size));
  return format("%s %s of %llu byte%s", fault.isShared ? "shared" : "global",
                fault.isStore ? "store" : "load",
                static_cast<unsigned long long>(fault.size),
                fault.size == 1 ? "" : "s");
}

/// "is 4 bytes past the end of a 4096-byte allocation", for an access that does
/// not lie inside of [begin, begin + bytes).
static std::string relation(uintptr_t address, uint64_t size, uintptr_t begin,
                            uint64_t bytes, const char *what) {
  auto distance = [](uint64_t n) {
    return format("%llu byte%s", static_cast<unsigned long long>(n),
                  n == 1 ? "" : "s");
  };
  std::string range =
      format("a %llu-byte %s", static_cast<unsigned long long>(bytes), what);
  if (address < begin)
    return "is " + distance(begin - address) + " before " + range;
  uint64_t offset = address - begin;
  if (offset >= bytes)
    return "is " + distance(offset - bytes) + " past the end of " + range;
  return "lies in " + range + ", but the access ends " +
         distance(offset + size - bytes) + " past its end";
}

static std::string globalRelation(const SimFault &fault,
                                  const SimPlace &place) {
  const Allocation *below = place.memory->below(fault.address);
  const Allocation *above = place.memory->above(fault.address);
  constexpr uint64_t near = AddressMap::guardBytes;
  bool nearBelow = below && fault.address - below->begin < below->bytes + near;
  bool nearAbove = above && above->begin - fault.address <= near;
  // Of two neighbours, the closer one was meant.
  if (nearBelow && nearAbove && fault.address - below->begin >= below->bytes &&
      fault.address - below->begin - below->bytes >
          above->begin - fault.address)
    nearBelow = false;
  if (nearBelow)
    return relation(fault.address, fault.size, below->begin, below->bytes,
                    "allocation");
  if (nearAbove)
    return relation(fault.address, fault.size, above->begin, above->bytes,
                    "allocation");
  return "is in no allocation";
}

/// The other access of a conflict: " a store of byte 4 by thread (1,0,0) at x".
static std::string otherText(const SharedConflict &conflict, uint64_t offset,
                             const SimPlace &place) {
  std::string site = siteName(conflict.other.site, place);
  auto byte = static_cast<unsigned long long>(offset);
  unsigned threads = blockThreads(place) * place.clusterSize;
  if (conflict.other.thread < threads)
    return format("a %s of byte %llu by %s at %s",
                  conflict.otherStores ? "store" : "load", byte,
                  threadName(conflict.other.thread, place).c_str(),
                  site.c_str());
  if (conflict.other.clock == SharedShadow::pendingClock)
    return format("a store of byte %llu by the cp.async at %s", byte,
                  site.c_str());
  switch ((*place.columns)[conflict.other.thread - threads]) {
  case AsyncKind::MBarrier:
    return format("byte %llu belongs to the mbarrier that was initialised at "
                  "%s",
                  byte, site.c_str());
  case AsyncKind::TensorLoad:
    return format("a store of byte %llu by the tensor load at %s", byte,
                  site.c_str());
  case AsyncKind::TensorStore:
    return format("a load of byte %llu by the tensor store at %s", byte,
                  site.c_str());
  case AsyncKind::Wgmma:
    return format("a load of byte %llu by the wgmma at %s", byte, site.c_str());
  }
  return "";
}

/// What would have put the two accesses of a race in order.
static const char *missingText(const SimFault &fault, const SimPlace &place) {
  const SharedConflict &conflict = fault.conflict;
  unsigned threads = blockThreads(place) * place.clusterSize;
  if (conflict.kind == SharedConflict::NoFence)
    return ", with no fence.proxy.async between them";
  if (conflict.other.thread < threads)
    return rankOf(conflict.other.thread, place) == rankOf(fault.thread, place)
               ? ", with no barrier between them"
               : ", with no barrier of the cluster between them, nor an "
                 "mbarrier at which the arrive there and the wait here have "
                 "the scope of the cluster";
  if (conflict.other.clock == SharedShadow::pendingClock)
    return ", with no wait for its group between them";
  switch ((*place.columns)[conflict.other.thread - threads]) {
  case AsyncKind::MBarrier:
    return "";
  case AsyncKind::TensorLoad:
    return ", with no wait for its mbarrier between them";
  case AsyncKind::TensorStore:
    return ", with no wait for its bulk group between them";
  case AsyncKind::Wgmma:
    return ", with no wait for its wgmma group between them";
  }
  return "";
}

static std::string sharedText(const SimFault &fault, const SimPlace &place) {
  const SharedConflict &conflict = fault.conflict;
  unsigned long long offset =
      (fault.address - place.sharedBegin) % place.windowBytes;
  uint64_t byte = conflict.offset % place.shadowStride;
  if (conflict.kind == SharedConflict::Uninitialised)
    return "uninitialised " + accessText(fault) + whereText(fault, place) +
           format(": byte %llu of the block's %llu bytes of shared memory was "
                  "never stored",
                  static_cast<unsigned long long>(byte),
                  static_cast<unsigned long long>(place.sharedBytes));
  return (conflict.kind == SharedConflict::NoFence
              ? "missing proxy fence for shared memory: "
              : "race on shared memory: ") +
         accessText(fault) + " at offset " + format("%llu", offset) +
         whereText(fault, place) + ", and " + otherText(conflict, byte, place) +
         missingText(fault, place);
}

static std::string countText(int32_t count) {
  return count ? format("%d", count) : std::string("all");
}

/// What a group of threads waits for: "barrier 1 for 64 threads".
static std::string waitText(const SimFault::Waiting &group,
                            const SimPlace &place) {
  switch (group.kind) {
  case WaitKind::Barrier:
    return format("at barrier %d for %s", group.barrier,
                  group.count ? format("%d threads", group.count).c_str()
                              : "all threads");
  case WaitKind::MBarrier:
  case WaitKind::Poll:
    return format(
        "for the phase of parity %d of the mbarrier at shared offset 0x%llx%s "
        "(in phase %llu, %d of %d arrivals and %lld bytes pending)",
        group.count, static_cast<unsigned long long>(group.offset),
        place.clusterSize > 1 ? (" of " + blockName(group.rank, place)).c_str()
                              : "",
        static_cast<unsigned long long>(group.phase), group.pending,
        group.expected, Long(group.bytes));
  case WaitKind::Cluster:
    return "for all threads of the cluster";
  case WaitKind::Warp:
    return format("for the lanes 0x%x of the warp", unsigned(group.count));
  case WaitKind::Warpgroup:
    return "for the other threads of the warpgroup in wgmma";
  }
  return "";
}

static std::string deadlockText(const SimFault &fault, const SimPlace &place) {
  std::string text = format("deadlock in kernel '%s', %s: ", place.kernel,
                            blockName(0, place).c_str());
  for (size_t i = 0; i < fault.waiting.size(); ++i) {
    const SimFault::Waiting &group = fault.waiting[i];
    text += format(
        "%s%u thread%s, the first of them %s, wait%s %s at %s", i ? ", " : "",
        group.threads, group.threads == 1 ? "" : "s",
        threadName(group.first, place).c_str(), group.threads == 1 ? "s" : "",
        waitText(group, place).c_str(), siteName(group.site, place).c_str());
  }
  if (fault.exited)
    text += format(", %u thread%s exited", fault.exited,
                   fault.exited == 1 ? " has" : "s have");
  return text;
}

static std::string faultText(const SimFault &fault, const SimPlace &place) {
  unsigned long long address = fault.address;
  switch (fault.kind) {
  case SimFault::NullPointer:
    return "null pointer in a " + accessText(fault) + whereText(fault, place) +
           format(": address 0x%llx is %llu bytes past the null pointer",
                  address, address);
  case SimFault::OutOfBounds:
    return "out-of-bounds " + accessText(fault) + whereText(fault, place) +
           format(": address 0x%llx ", address) +
           (fault.isShared
                ? relation(fault.address, fault.size,
                           place.sharedBegin +
                               rankOf(fault.thread, place) * place.windowBytes,
                           place.sharedBytes, "shared memory")
                : globalRelation(fault, place));
  case SimFault::Misaligned:
    return "misaligned " + accessText(fault) + whereText(fault, place) +
           format(": address 0x%llx is %llu bytes past a %d-byte boundary",
                  address, address & (fault.alignment - 1), fault.alignment);
  case SimFault::SharedConflictFound:
    return sharedText(fault, place);
  case SimFault::BadBarrier:
    return "wrong barrier" + whereText(fault, place) +
           format(": expected an identifier from 0 to 15 and a count that is a "
                  "multiple of 32 and at most the block's threads, but got "
                  "identifier %d and count %d",
                  fault.barrier, fault.count);
  case SimFault::BarrierCounts:
    return "barrier divergence" + whereText(fault, place) +
           format(": it waits at barrier %d for %s threads, but %s waits there "
                  "for %s at %s",
                  fault.barrier, countText(fault.count).c_str(),
                  threadName(fault.otherThread, place).c_str(),
                  countText(fault.otherCount).c_str(),
                  siteName(fault.otherSite, place).c_str());
  case SimFault::BarrierDivergence:
    return "barrier divergence" + whereText(fault, place) +
           format(
               ": it waits at barrier %d, where %s of the same warp waits at "
               "%s",
               fault.barrier, threadName(fault.otherThread, place).c_str(),
               siteName(fault.otherSite, place).c_str());
  case SimFault::Deadlock:
    return deadlockText(fault, place);
  case SimFault::Division:
    return "integer division by zero or overflow" + whereText(fault, place);
  case SimFault::Trap:
    return "trap" + whereText(fault, place);
  case SimFault::Misuse:
    return fault.heading + whereText(fault, place) + ": " + fault.sentence;
  case SimFault::None:
    break;
  }
  return "";
}

std::string tile::rt::describeFault(const SimFault &fault,
                                    const SimPlace &place) {
  return "simulator: " + faultText(fault, place);
}
