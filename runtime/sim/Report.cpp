// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words the simulator's reports.
#include "Report.h"

#include "../lib/Error.h"
#include "AddressMap.h"

using namespace tile::rt;

using Long = long long;

static std::string threadName(unsigned thread, const SimPlace &place) {
  unsigned x = place.blockExtents[0], y = place.blockExtents[1];
  return format("thread (%u,%u,%u)", thread % x, thread / x % y,
                thread / (x * y));
}

static std::string siteName(int32_t site, const SimPlace &place) {
  if (site < 0 || size_t(site) >= place.sites->size())
    return "an unknown location";
  return (*place.sites)[site];
}

/// " in kernel 'k', block (1,0,0), thread (37,0,0) at gemm.mlir:10:3"
static std::string whereText(const SimFault &fault, const SimPlace &place) {
  return format(" in kernel '%s', block (%d,%d,%d), %s at %s", place.kernel,
                place.block[0], place.block[1], place.block[2],
                threadName(fault.thread, place).c_str(),
                siteName(fault.site, place).c_str());
}

static std::string accessText(const SimFault &fault) {
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

static std::string sharedText(const SimFault &fault, const SimPlace &place) {
  const SharedConflict &conflict = fault.conflict;
  unsigned long long offset = fault.address - place.sharedBegin;
  if (conflict.kind == SharedConflict::Uninitialised)
    return "uninitialised " + accessText(fault) + whereText(fault, place) +
           format(": byte %llu of the block's %llu bytes of shared memory was "
                  "never stored",
                  static_cast<unsigned long long>(conflict.offset),
                  static_cast<unsigned long long>(place.sharedBytes));
  return "race on shared memory: " + accessText(fault) + " at offset " +
         format("%llu", offset) + whereText(fault, place) + ", and a " +
         (conflict.otherStores ? "store" : "load") + " of byte " +
         format("%llu", static_cast<unsigned long long>(conflict.offset)) +
         " by " + threadName(conflict.other.thread, place) + " at " +
         siteName(conflict.other.site, place) +
         ", with no barrier between them";
}

static std::string countText(int32_t count) {
  return count ? format("%d", count) : std::string("all");
}

static std::string deadlockText(const SimFault &fault, const SimPlace &place) {
  std::string text =
      format("deadlock in kernel '%s', block (%d,%d,%d): ", place.kernel,
             place.block[0], place.block[1], place.block[2]);
  for (size_t i = 0; i < fault.waiting.size(); ++i) {
    const SimFault::Waiting &group = fault.waiting[i];
    text += format("%s%u thread%s, the first of them %s, wait%s at barrier %d "
                   "for %s at %s",
                   i ? ", " : "", group.threads, group.threads == 1 ? "" : "s",
                   threadName(group.first, place).c_str(),
                   group.threads == 1 ? "s" : "", group.barrier,
                   group.count ? format("%d threads", group.count).c_str()
                               : "all threads",
                   siteName(group.site, place).c_str());
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
                ? relation(fault.address, fault.size, place.sharedBegin,
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
  case SimFault::None:
    break;
  }
  return "";
}

std::string tile::rt::describeFault(const SimFault &fault,
                                    const SimPlace &place) {
  return "simulator: " + faultText(fault, place);
}
