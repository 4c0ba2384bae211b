// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host threads that prepare work ahead of the one that measures.
#ifndef TILE_LIB_BENCH_WORKQUEUE_H
#define TILE_LIB_BENCH_WORKQUEUE_H

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tile::bench {

/// Works through groups of items, in order, on several threads, up to some
/// groups ahead of the one that is waited for: kernels of the next points are
/// compiled while those of this one are timed, and never all of them at once.
class WorkQueue {
public:
  /// Calls `work(group, item)` for each item of each group; group i has
  /// `sizes[i]` items. Uses `threads` threads (0: one for each core), and goes
  /// at most `ahead` groups beyond the last one waited for, -1 at first.
  WorkQueue(std::vector<int> sizes, unsigned threads, int ahead,
            std::function<void(int group, int item)> work);
  /// Begins no more items, and waits for those begun.
  ~WorkQueue();
  WorkQueue(const WorkQueue &) = delete;
  WorkQueue &operator=(const WorkQueue &) = delete;

  /// Returns when all items of the group are done.
  void wait(int group);

private:
  void run();
  /// Moves `group` and `item` to the next item; false when there is none.
  bool skipEmptyGroups();

  const std::vector<int> sizes;
  const int ahead;
  const std::function<void(int, int)> work;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<int> left;
  int group = 0, item = 0, opened = 0;
  bool stopping = false;
  std::vector<std::thread> threads;
};

} // namespace tile::bench

#endif // TILE_LIB_BENCH_WORKQUEUE_H
