// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers: their stacks, and the switch from one to the other.
#ifndef TILE_RT_SIM_FIBER_H
#define TILE_RT_SIM_FIBER_H

#include <cstddef>
#include <cstdint>
#include <vector>

extern "C" {
/// Saves the callee-saved registers on the current stack and its pointer in
/// `*from`, and continues on the stack `to`, which was saved the same way or
/// made by FiberStacks::prepare. Everything else, vector registers included, is
/// caller-saved in the System V ABI, so the compiler has done it already.
void tile_rt_fiber_switch(void **from, void *to);
}

namespace tile::rt {

/// Stacks of equal size, each with a guard page below it, reused for ever.
class FiberStacks {
public:
  /// The 512 KiB of local memory that a GPU thread may have, and what the
  /// simulator itself needs. Pages are committed when they are first written.
  static constexpr size_t stackBytes = (512 + 64) * 1024;
  static constexpr size_t guardBytes = 4096;

  FiberStacks() = default;
  ~FiberStacks();
  FiberStacks(const FiberStacks &) = delete;
  FiberStacks &operator=(const FiberStacks &) = delete;

  /// Makes sure that stacks 0 to count - 1 exist. False when memory is short.
  bool reserve(size_t count);

  /// Lays the frame out from which tile_rt_fiber_switch enters `entry` with
  /// `argument` on stack `index`; returns the stack pointer to switch to.
  /// `entry` must not return.
  void *prepare(size_t index, void (*entry)(void *), void *argument);

private:
  void clear();

  uint8_t *memory = nullptr;
  size_t count = 0;
  std::vector<unsigned> registered; ///< numbers of the stacks in valgrind
};

} // namespace tile::rt

#endif // TILE_RT_SIM_FIBER_H
