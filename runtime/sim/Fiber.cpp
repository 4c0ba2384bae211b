// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The context switch in assembly, and the fibers' stacks.
//
// The switch touches neither MXCSR nor the x87 control word: kernel code keeps
// them, as every function must. This file is compiled with
// -fcf-protection=none, so that the linker marks no program that contains it as
// fit for a hardware shadow stack, which several stacks on one thread would
// break.
#include "Fiber.h"

#include <sys/mman.h>
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif

using namespace tile::rt;

#if !defined(__x86_64__)
#error "the simulator runs x86-64 code and needs an x86-64 host"
#endif

__asm__(".text\n"
        ".p2align 4\n"
        ".globl tile_rt_fiber_switch\n"
        ".hidden tile_rt_fiber_switch\n"
        ".type tile_rt_fiber_switch, @function\n"
        "tile_rt_fiber_switch:\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        ".size tile_rt_fiber_switch, . - tile_rt_fiber_switch\n"
        // First entry: prepare() put the function in rbx, its argument in r12.
        ".p2align 4\n"
        ".globl tile_rt_fiber_entry\n"
        ".hidden tile_rt_fiber_entry\n"
        ".type tile_rt_fiber_entry, @function\n"
        "tile_rt_fiber_entry:\n"
        "  movq %r12, %rdi\n"
        "  callq *%rbx\n"
        "  ud2\n"
        ".size tile_rt_fiber_entry, . - tile_rt_fiber_entry\n");

extern "C" void tile_rt_fiber_entry(void);

static constexpr size_t slotBytes =
    FiberStacks::stackBytes + FiberStacks::guardBytes;

/// Tells valgrind, if it runs this, where a stack is: a change of stacks is no
/// huge frame then.
static unsigned registerStack([[maybe_unused]] uint8_t *begin,
                              [[maybe_unused]] uint8_t *end) {
#ifdef VALGRIND_STACK_REGISTER
  return VALGRIND_STACK_REGISTER(begin, end - 1);
#else
  return 0;
#endif
}

FiberStacks::~FiberStacks() { clear(); }

void FiberStacks::clear() {
  if (!memory)
    return;
#ifdef VALGRIND_STACK_DEREGISTER
  for (unsigned id : registered)
    VALGRIND_STACK_DEREGISTER(id);
#endif
  registered.clear();
  munmap(memory, count * slotBytes);
  memory = nullptr;
  count = 0;
}

bool FiberStacks::reserve(size_t wanted) {
  if (wanted <= count)
    return true;
  clear();
  void *fresh = mmap(nullptr, wanted * slotBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (fresh == MAP_FAILED)
    return false;
  for (size_t i = 0; i < wanted; ++i) {
    if (mprotect(static_cast<uint8_t *>(fresh) + i * slotBytes, guardBytes,
                 PROT_NONE)) {
      munmap(fresh, wanted * slotBytes);
      return false;
    }
  }
  memory = static_cast<uint8_t *>(fresh);
  count = wanted;
  for (size_t i = 0; i < count; ++i) {
    uint8_t *slot = memory + i * slotBytes;
    registered.push_back(registerStack(slot + guardBytes, slot + slotBytes));
  }
  return true;
}

void *FiberStacks::prepare(size_t index, void (*entry)(void *),
                           void *argument) {
  // Stack tops a whole number of pages apart would compete for the same few
  // cache sets, so they are staggered.
  size_t stagger = index % 32 * 128;
  uint8_t *top = memory + (index + 1) * slotBytes - stagger;
  // 16-byte aligned once the seven words below are gone, as a call needs it.
  void **frame = reinterpret_cast<void **>(top) - 9;
  frame[0] = nullptr;                         // r15
  frame[1] = nullptr;                         // r14
  frame[2] = nullptr;                         // r13
  frame[3] = argument;                        // r12
  frame[4] = reinterpret_cast<void *>(entry); // rbx
  frame[5] = nullptr;                         // rbp ends a back trace
  frame[6] = reinterpret_cast<void *>(tile_rt_fiber_entry);
  frame[7] = nullptr;
  frame[8] = nullptr;
  return frame;
}
