// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host threads that run the blocks of a launch together, kept between launches.
#ifndef TILE_RT_SIM_WORKERPOOL_H
#define TILE_RT_SIM_WORKERPOOL_H

#include "BlockRunner.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <pthread.h>

namespace tile::rt {

/// The calling thread is one of the workers, so a launch of one block touches
/// no other thread. Which worker runs a block has no influence on the result: a
/// failed launch reports its failed block with the smallest number.
class WorkerPool {
public:
  /// `threads` host threads in all, the calling one included. The others start
  /// at the first launch of more than one block.
  explicit WorkerPool(unsigned threads) : wanted(threads) {}
  ~WorkerPool();
  WorkerPool(const WorkerPool &) = delete;
  WorkerPool &operator=(const WorkerPool &) = delete;

  /// Runs all blocks of a launch; not from two threads at once. Returns the
  /// report, "" on success. `outOfMemory` says that no block ran at all.
  std::string run(const SimLaunch &launch, bool &outOfMemory);

private:
  struct Worker {
    WorkerPool *pool;
    pthread_t thread;
    BlockRunner runner;
  };

  static void *workerMain(void *argument);
  void startThreads();
  void runBlocks(BlockRunner &runner);

  const unsigned wanted;
  BlockRunner ownRunner;
  std::vector<std::unique_ptr<Worker>> workers;
  bool started = false;

  // The job, written under the mutex while no worker is active.
  const SimLaunch *launch = nullptr;
  std::atomic<int64_t> nextBlock{0};
  // Blocks from here on need not run: a failed one comes before them.
  std::atomic<int64_t> endBlock{0};

  std::mutex mutex;
  std::condition_variable wake, idle;
  uint64_t generation = 0;
  bool open = false, stopping = false;
  unsigned active = 0;
  int64_t failedBlock = 0;
  std::string failure;
};

} // namespace tile::rt

#endif // TILE_RT_SIM_WORKERPOOL_H
