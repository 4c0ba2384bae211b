// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop whose iterations run on all cores.
#ifndef TILE_LIB_RUN_PARALLEL_H
#define TILE_LIB_RUN_PARALLEL_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace tile {

/// Number of threads that `parallelFor` uses for `count` iterations.
inline unsigned getThreadCount(int64_t count) {
  int64_t cores = std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::clamp<int64_t>(count, 1, cores));
}

/// Calls body(i, thread) for each i in [0, count), with thread in
/// [0, getThreadCount(count)). Iterations are taken one by one, so their cost
/// may differ.
template <class Body>
void parallelFor(int64_t count, Body body) {
  std::atomic<int64_t> next(0);
  auto work = [&](unsigned thread) {
    for (int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;)
      body(i, thread);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1, end = getThreadCount(count); i < end; ++i)
    threads.emplace_back(work, i);
  work(0);
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace tile

#endif // TILE_LIB_RUN_PARALLEL_H
