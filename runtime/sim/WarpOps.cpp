// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps: where lanes meet, and what they compute together.
#include "WarpOps.h"

#include "../lib/Error.h"
#include "BlockRunner.h"

#include <algorithm>
#include <cstring>

using namespace tile::rt;

static constexpr unsigned warpThreads = 32;

/// shfl.sync, word for word as PTX has it.
static void shuffle(uint32_t mask, WarpArguments *const *lanes) {
  enum { Butterfly, Up, Down, Index };
  for (int lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    WarpArguments &own = *lanes[lane];
    int segment = own.clamp >> 8 & 31, bound = own.clamp & 31;
    int b = own.offset & 31, maxLane = (lane & segment) | (bound & ~segment);
    int minLane = lane & segment, from = lane;
    bool valid = false;
    switch (own.kind) {
    case Up:
      from = lane - b;
      valid = from >= maxLane;
      break;
    case Down:
      from = lane + b;
      valid = from <= maxLane;
      break;
    case Butterfly:
      from = lane ^ b;
      valid = from <= maxLane;
      break;
    case Index:
      from = minLane | (b & ~segment);
      valid = from <= maxLane;
      break;
    }
    if (!valid)
      from = lane;
    own.valid = valid;
    // A lane that does not take part gives an undefined value.
    own.result = mask >> from & 1 ? lanes[from]->value : -1;
  }
}

static void vote(uint32_t mask, WarpArguments *const *lanes) {
  enum { Any, All, Ballot, Uniform };
  uint32_t ballot = 0;
  for (int lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1 && lanes[lane]->value)
      ballot |= 1u << lane;
  for (int lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    WarpArguments &own = *lanes[lane];
    own.result = own.kind == Any      ? ballot != 0
                 : own.kind == All    ? ballot == mask
                 : own.kind == Ballot ? static_cast<int32_t>(ballot)
                                      : ballot == 0 || ballot == mask;
  }
}

static void redux(uint32_t mask, WarpArguments *const *lanes) {
  enum { Add, And, Max, Min, Or, UMax, UMin, Xor };
  bool started = false;
  int32_t sum = 0;
  auto unsignedOf = [](int32_t value) { return static_cast<uint32_t>(value); };
  for (int lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    int32_t value = lanes[lane]->value;
    if (!started) {
      sum = value;
      started = true;
      continue;
    }
    switch (lanes[lane]->kind) {
    case Add:
      sum = static_cast<int32_t>(unsignedOf(sum) + unsignedOf(value));
      break;
    case And:
      sum &= value;
      break;
    case Max:
      sum = std::max(sum, value);
      break;
    case Min:
      sum = std::min(sum, value);
      break;
    case Or:
      sum |= value;
      break;
    case UMax:
      sum = unsignedOf(value) > unsignedOf(sum) ? value : sum;
      break;
    case UMin:
      sum = unsignedOf(value) < unsignedOf(sum) ? value : sum;
      break;
    case Xor:
      sum ^= value;
      break;
    }
  }
  for (int lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1)
      lanes[lane]->result = sum;
}

void tile::rt::runWarpOperation(WarpOperation operation, uint32_t mask,
                                WarpArguments *const *lanes) {
  switch (operation) {
  case WarpElect:
    for (int lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1)
        lanes[lane]->result = lane == __builtin_ctz(mask);
    return;
  case WarpShuffle:
    return shuffle(mask, lanes);
  case WarpVote:
    return vote(mask, lanes);
  case WarpRedux:
    return redux(mask, lanes);
  case WarpMultiply:
    return multiplyMatrices(lanes);
  default:
    return;
  }
}

uint32_t BlockRunner::liveLanes(unsigned warp) const {
  unsigned first =
      warp / warpsPerBlock * threadsPerBlock + warp % warpsPerBlock * 32;
  unsigned end = (warp / warpsPerBlock + 1) * threadsPerBlock;
  uint32_t mask = 0;
  for (unsigned lane = 0; lane < 32 && first + lane < end; ++lane)
    if (fibers[first + lane].state != Fiber::Exited)
      mask |= 1u << lane;
  return mask;
}

void BlockRunner::collective(Fiber &fiber, uint32_t mask, int operation,
                             void *arguments, int32_t site) {
  unsigned own = fiber.index % threadsPerBlock, lane = own % warpThreads;
  unsigned warp = fiber.rank * warpsPerBlock + own / warpThreads;
  if (!(mask >> lane & 1))
    misuse(fiber, site, "wrong lane mask",
           format("expected a mask with the lane %u itself, but got 0x%x", lane,
                  mask));
  fiber.arguments = arguments;
  std::vector<Collective> &pending = warps[warp];
  size_t at = 0;
  while (at < pending.size() && !(pending[at].mask & mask))
    ++at;
  if (at == pending.size())
    pending.push_back({mask, 0, operation, site});
  Collective &meeting = pending[at];
  if (meeting.mask != mask || meeting.operation != operation ||
      meeting.site != site)
    misuse(fiber, site, "warp divergence",
           format("expected all lanes of 0x%x at one operation, but lanes 0x%x "
                  "wait at another",
                  mask, meeting.arrived));
  meeting.arrived |= 1u << lane;
  if (meeting.arrived == (mask & liveLanes(warp))) {
    Collective whole = meeting;
    pending.erase(pending.begin() + at);
    whole.arrived &= ~(1u << lane);
    runCollective(warp, whole);
    return;
  }
  fiber.barrier = operation;
  fiber.count = static_cast<int32_t>(mask);
  suspend(fiber, WaitKind::Warp, site);
}

/// Runs the operation whose last lane has come, and wakes the waiting ones;
/// `collective.arrived` are those.
void BlockRunner::runCollective(unsigned warp, const Collective &collective) {
  unsigned first =
      warp / warpsPerBlock * threadsPerBlock + warp % warpsPerBlock * 32;
  uint32_t mask = collective.mask & liveLanes(warp);
  if (collective.operation == WarpLoadMatrix ||
      collective.operation == WarpStoreMatrix) {
    moveMatrices(warp, collective);
  } else {
    WarpArguments *lanes[32] = {};
    for (unsigned lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1)
        lanes[lane] =
            static_cast<WarpArguments *>(fibers[first + lane].arguments);
    if (collective.operation == WarpMultiply && mask != ~uint32_t(0))
      misuse(fibers[first], collective.site, "wrong matrix operation",
             "expected all 32 lanes of the warp, but some have exited");
    runWarpOperation(static_cast<WarpOperation>(collective.operation), mask,
                     lanes);
  }
  if (collective.operation == WarpSync) {
    participants.clear();
    for (unsigned lane = 0; lane < 32; ++lane)
      if (mask >> lane & 1)
        participants.push_back(static_cast<uint16_t>(first + lane));
    shadow.passBarrier(participants, participants.size() == live);
  }
  for (unsigned lane = 0; lane < 32; ++lane)
    if (collective.arrived >> lane & 1)
      makeReady(fibers[first + lane]);
}

/// A lane of `warp` has exited: whoever waited for it only goes on.
void BlockRunner::finishCollectives(Fiber &, unsigned warp) {
  std::vector<Collective> &pending = warps[warp];
  uint32_t lanes = liveLanes(warp);
  for (size_t i = 0; i < pending.size();) {
    if (pending[i].arrived != (pending[i].mask & lanes)) {
      ++i;
      continue;
    }
    Collective whole = pending[i];
    pending.erase(pending.begin() + i);
    runCollective(warp, whole);
  }
}

/// ldmatrix and stmatrix of b16: lane l of matrix i holds row l / 4, columns
/// 2 (l % 4) and the next; lane 8 i + r gives the address of row r.
void BlockRunner::moveMatrices(unsigned warp, const Collective &collective) {
  unsigned first =
      warp / warpsPerBlock * threadsPerBlock + warp % warpsPerBlock * 32;
  bool isStore = collective.operation == WarpStoreMatrix;
  if (liveLanes(warp) != ~uint32_t(0))
    misuse(fibers[first], collective.site, "wrong matrix operation",
           "expected all 32 lanes of the warp, but some have exited");
  auto lane = [&](unsigned i) -> WarpArguments & {
    return *static_cast<WarpArguments *>(fibers[first + i].arguments);
  };
  bool transpose = lane(0).transpose;
  for (int i = 0; i < lane(0).count; ++i) {
    for (unsigned row = 0; row < 8; ++row) {
      uint8_t *address = lane(8 * i + row).address;
      check(fibers[first + 8 * i + row], reinterpret_cast<uintptr_t>(address),
            16, 16, TILE_SIM_SHARED | (isStore ? TILE_SIM_STORE : 0),
            collective.site);
      for (unsigned column = 0; column < 8; ++column) {
        unsigned r = transpose ? column : row, c = transpose ? row : column;
        WarpArguments &holder = lane(4 * r + c / 2);
        auto *element =
            reinterpret_cast<uint8_t *>(&holder.registers[i]) + 2 * (c % 2);
        isStore ? std::memcpy(address + 2 * column, element, 2)
                : std::memcpy(element, address + 2 * column, 2);
      }
    }
  }
}
