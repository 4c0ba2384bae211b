// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop whose iterations run on several host threads.
#ifndef TILE_LIB_SUPPORT_PARALLEL_H
#define TILE_LIB_SUPPORT_PARALLEL_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace tile {

/// Number of threads that `parallelFor` uses for `count` iterations.
inline unsigned getThreadCount(int64_t count, unsigned threads = 0) {
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::clamp<int64_t>(count, 1, threads));
}

/// Calls body(i), or body(i, thread) with thread below
/// getThreadCount(count, threads), for each i in [0, count), in any order, on
/// up to `threads` threads (0: one for each core). Iterations are taken one by
/// one, so their cost may differ.
template <class Body>
void parallelFor(int64_t count, Body body, unsigned threads = 0) {
  std::atomic<int64_t> next(0);
  auto work = [&]([[maybe_unused]] unsigned thread) {
    for (int64_t i;
         (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
      if constexpr (std::is_invocable_v<Body &, int64_t, unsigned>)
        body(i, thread);
      else
        body(i);
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned i = 1, end = getThreadCount(count, threads); i < end; ++i)
    helpers.emplace_back(work, i);
  work(0);
  for (std::thread &helper : helpers)
    helper.join();
}

} // namespace tile

#endif // TILE_LIB_SUPPORT_PARALLEL_H
