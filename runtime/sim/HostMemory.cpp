// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the system whether an address can be read.
#include "HostMemory.h"

#include <cerrno>
#include <cstdint>
#include <sys/syscall.h>
#include <unistd.h>

bool tile::rt::isReadable(const void *address) {
  // The system reads the new signal mask before it looks at what to do with it,
  // of which there is none with this number.
  auto aligned = reinterpret_cast<uintptr_t>(address) & ~uintptr_t(7);
  constexpr int nothing = ~0;
  return syscall(SYS_rt_sigprocmask, nothing, aligned, nullptr, 8) == 0 ||
         errno != EFAULT;
}
