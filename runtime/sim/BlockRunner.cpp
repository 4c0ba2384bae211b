// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the fibers of a block from barrier to barrier.
#include "BlockRunner.h"

#include <cstring>
#include <sys/mman.h>

using namespace tile::rt;

static constexpr unsigned warpThreads = 32;
static constexpr uint64_t pageBytes = 4096;
// Below it no allocation can lie; every system keeps these pages unmapped.
static constexpr uintptr_t nullBytes = 4096;

BlockRunner::~BlockRunner() {
  if (shared)
    munmap(shared, sharedCapacity);
}

bool BlockRunner::beginLaunch(const SimLaunch &next) {
  launch = &next;
  unsigned threads = next.threads();
  if (!stacks.reserve(threads))
    return false;
  fibers.resize(threads);
  ready.resize(threads);
  for (unsigned i = 0; i < threads; ++i) {
    Fiber &fiber = fibers[i];
    TileSimContext &context = fiber.context;
    unsigned x = next.block[0], y = next.block[1];
    context.tid[0] = static_cast<int32_t>(i % x);
    context.tid[1] = static_cast<int32_t>(i / x % y);
    context.tid[2] = static_cast<int32_t>(i / (x * y));
    for (int axis = 0; axis < 3; ++axis) {
      context.ntid[axis] = next.block[axis];
      context.nctaid[axis] = next.grid[axis];
    }
    fiber.runner = this;
    fiber.index = static_cast<uint16_t>(i);
    context.fiber = &fiber;
  }
  if (sharedCapacity < next.sharedBytes || !shared) {
    if (shared)
      munmap(shared, sharedCapacity);
    sharedCapacity = (next.sharedBytes / pageBytes + 1) * pageBytes;
    void *fresh = mmap(nullptr, sharedCapacity, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    shared = fresh == MAP_FAILED ? nullptr : static_cast<uint8_t *>(fresh);
  }
  if (!shared)
    return false;
  for (Fiber &fiber : fibers) {
    fiber.context.shared = shared;
    fiber.context.sharedBytes = static_cast<int64_t>(next.sharedBytes);
  }
  // What was allocated then may be freed now.
  for (Allocation &allocation : recent)
    allocation = Allocation();
  return true;
}

bool BlockRunner::runBlock(int64_t number) {
  blockIndex[0] = static_cast<int32_t>(number % launch->grid[0]);
  blockIndex[1] =
      static_cast<int32_t>(number / launch->grid[0] % launch->grid[1]);
  blockIndex[2] =
      static_cast<int32_t>(number / launch->grid[0] / launch->grid[1]);
  unsigned threads = static_cast<unsigned>(fibers.size());
  for (unsigned i = 0; i < threads; ++i) {
    Fiber &fiber = fibers[i];
    for (int axis = 0; axis < 3; ++axis)
      fiber.context.ctaid[axis] = blockIndex[axis];
    fiber.state = Fiber::Ready;
    fiber.stack = stacks.prepare(i, fiberMain, &fiber);
    ready[i] = static_cast<uint16_t>(i);
  }
  for (Barrier &barrier : barriers)
    barrier = Barrier();
  live = threads;
  fault.kind = SimFault::None;
  shadow.beginBlock(threads, launch->sharedBytes);
  // NaN in every format, should unchecked code read it.
  std::memset(shared, 0xff, launch->sharedBytes);

  readyHead = threads == 1 ? 0 : 1;
  readyCount = threads - 1;
  tile_rt_fiber_switch(&hostStack, fibers[0].stack);
  return fault.kind == SimFault::None;
}

std::string BlockRunner::report() const {
  SimPlace place;
  place.kernel = launch->kernel;
  place.sites = launch->sites;
  for (int axis = 0; axis < 3; ++axis) {
    place.block[axis] = blockIndex[axis];
    place.blockExtents[axis] = launch->block[axis];
  }
  place.sharedBegin = reinterpret_cast<uintptr_t>(shared);
  place.sharedBytes = launch->sharedBytes;
  place.memory = launch->memory;
  return describeFault(fault, place);
}

void BlockRunner::fiberMain(void *argument) {
  Fiber &fiber = *static_cast<Fiber *>(argument);
  BlockRunner &runner = *fiber.runner;
  runner.launch->function(&fiber.context, runner.launch->args);
  fiber.state = Fiber::Exited;
  --runner.live;
  // Those who wait for all threads no longer wait for this one.
  for (int id = 0; id < barrierCount; ++id)
    if (runner.barriers[id].arrived &&
        runner.complete(id, runner.fibers[runner.barriers[id].last].count))
      runner.releaseBarrier(fiber, id);
  runner.switchToNext(fiber);
  __builtin_unreachable();
}

bool BlockRunner::complete(int id, int32_t count) const {
  return barriers[id].arrived == (count ? static_cast<unsigned>(count) : live);
}

void BlockRunner::barrier(Fiber &fiber, int32_t id, int32_t count,
                          int32_t site) {
  SimFault wrong;
  wrong.thread = fiber.index;
  wrong.site = site;
  wrong.barrier = id;
  wrong.count = count;
  if (id < 0 || id >= barrierCount || count < 0 || count % warpThreads ||
      static_cast<unsigned>(count) > fibers.size()) {
    wrong.kind = SimFault::BadBarrier;
    abandon(fiber, wrong);
  }
  Barrier &barrier = barriers[id];
  if (barrier.arrived && fibers[barrier.last].count != count) {
    wrong.kind = SimFault::BarrierCounts;
    wrong.otherThread = barrier.last;
    wrong.otherCount = fibers[barrier.last].count;
    wrong.otherSite = fibers[barrier.last].site;
    abandon(fiber, wrong);
  }
  fiber.barrier = id;
  fiber.count = count;
  fiber.site = site;
  fiber.state = Fiber::Waiting;
  barrier.last = fiber.index;
  ++barrier.arrived;
  if (complete(id, count))
    releaseBarrier(fiber, id);
  switchToNext(fiber);
}

void BlockRunner::releaseBarrier(Fiber &current, int id) {
  bool whole = barriers[id].arrived == live;
  barriers[id].arrived = 0;
  participants.clear();
  const Fiber *warpFirst = nullptr;
  for (Fiber &fiber : fibers) {
    if (fiber.state != Fiber::Waiting || fiber.barrier != id)
      continue;
    // Barriers are aligned: the threads of a warp come to the same one.
    if (!warpFirst ||
        warpFirst->index / warpThreads != fiber.index / warpThreads) {
      warpFirst = &fiber;
    } else if (warpFirst->site != fiber.site) {
      SimFault wrong;
      wrong.kind = SimFault::BarrierDivergence;
      wrong.thread = fiber.index;
      wrong.site = fiber.site;
      wrong.barrier = id;
      wrong.otherThread = warpFirst->index;
      wrong.otherSite = warpFirst->site;
      abandon(current, wrong);
    }
    participants.push_back(fiber.index);
  }
  shadow.passBarrier(participants, whole);
  unsigned tail = readyHead + readyCount;
  for (uint16_t index : participants) {
    fibers[index].state = Fiber::Ready;
    if (tail >= ready.size())
      tail -= static_cast<unsigned>(ready.size());
    ready[tail++] = index;
  }
  readyCount += static_cast<unsigned>(participants.size());
}

void BlockRunner::switchToNext(Fiber &from) {
  if (readyCount == 0) {
    if (live)
      fillDeadlock();
    tile_rt_fiber_switch(&from.stack, hostStack);
    return;
  }
  Fiber &next = fibers[ready[readyHead]];
  if (++readyHead == ready.size())
    readyHead = 0;
  --readyCount;
  if (&next != &from)
    tile_rt_fiber_switch(&from.stack, next.stack);
}

void BlockRunner::fillDeadlock() {
  fault = SimFault();
  fault.kind = SimFault::Deadlock;
  for (const Fiber &fiber : fibers) {
    if (fiber.state != Fiber::Waiting) {
      ++fault.exited;
      continue;
    }
    bool known = false;
    for (SimFault::Waiting &group : fault.waiting) {
      if (group.barrier != fiber.barrier || group.count != fiber.count ||
          group.site != fiber.site)
        continue;
      ++group.threads;
      known = true;
      break;
    }
    if (!known)
      fault.waiting.push_back(
          {fiber.barrier, fiber.count, fiber.site, 1, fiber.index});
  }
}

void BlockRunner::abandon(Fiber &fiber, const SimFault &wrong) {
  fault = wrong;
  // The other fibers are simply left where they are: kernel code owns nothing.
  tile_rt_fiber_switch(&fiber.stack, hostStack);
  __builtin_unreachable();
}

void BlockRunner::failAccess(Fiber &fiber, SimFault::Kind kind,
                             uintptr_t address, uint64_t size,
                             int32_t alignment, int32_t access, int32_t site) {
  SimFault wrong;
  wrong.kind = kind;
  wrong.thread = fiber.index;
  wrong.site = site;
  wrong.address = address;
  wrong.size = size;
  wrong.alignment = alignment;
  wrong.isStore = access & TILE_SIM_STORE;
  uint64_t offset = address - reinterpret_cast<uintptr_t>(shared);
  wrong.isShared = access & TILE_SIM_SHARED ||
                   (!(access & TILE_SIM_GLOBAL) && offset < sharedCapacity);
  if (kind == SimFault::SharedConflictFound)
    wrong.conflict = shadow.conflict();
  abandon(fiber, wrong);
}

void BlockRunner::checkGlobal(Fiber &fiber, uintptr_t address, uint64_t size,
                              int32_t alignment, int32_t kind, int32_t site) {
  const Allocation *allocation = launch->memory->below(address);
  if (!allocation || !allocation->contains(address, size))
    failAccess(fiber,
               address < nullBytes ? SimFault::NullPointer
                                   : SimFault::OutOfBounds,
               address, size, alignment, kind, site);
  recent[nextRecent] = *allocation;
  nextRecent = (nextRecent + 1) % 4;
}
