// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop whose iterations run on several host threads.
#ifndef TILE_LIB_BENCH_PARALLEL_H
#define TILE_LIB_BENCH_PARALLEL_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace tile::bench {

/// Calls `body(i)` for i in [0, count), in any order, on up to `threads`
/// threads (0: one for each core).
inline void parallelFor(int64_t count, unsigned threads,
                        llvm::function_ref<void(int64_t)> body) {
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  threads = static_cast<unsigned>(std::min<int64_t>(threads, count));
  std::atomic<int64_t> next = 0;
  auto work = [&] {
    for (int64_t i; (i = next++) < count;)
      body(i);
  };
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < threads; ++i)
    helpers.emplace_back(work);
  work();
  for (std::thread &helper : helpers)
    helper.join();
}

} // namespace tile::bench

#endif // TILE_LIB_BENCH_PARALLEL_H
