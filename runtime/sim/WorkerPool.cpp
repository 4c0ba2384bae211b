// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hands the clusters of a launch out to the host threads, in rising order.
#include "WorkerPool.h"

using namespace tile::rt;

WorkerPool::~WorkerPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  wake.notify_all();
  for (const std::unique_ptr<Worker> &worker : workers)
    pthread_join(worker->thread, nullptr);
}

void WorkerPool::startThreads() {
  started = true;
  for (unsigned i = 1; i < wanted; ++i) {
    auto worker = std::make_unique<Worker>();
    worker->pool = this;
    // With fewer threads than wanted the launch is slower, not wrong.
    if (pthread_create(&worker->thread, nullptr, workerMain, worker.get()))
      return;
    workers.push_back(std::move(worker));
  }
}

void *WorkerPool::workerMain(void *argument) {
  Worker &self = *static_cast<Worker *>(argument);
  WorkerPool &pool = *self.pool;
  uint64_t seen = 0;
  std::unique_lock<std::mutex> lock(pool.mutex);
  while (true) {
    pool.wake.wait(lock, [&] {
      return pool.stopping || (pool.open && pool.generation != seen);
    });
    if (pool.stopping)
      return nullptr;
    seen = pool.generation;
    ++pool.active;
    lock.unlock();
    // Without the memory for its stacks this worker leaves it to the others.
    if (self.runner.beginLaunch(*pool.launch))
      pool.runBlocks(self.runner);
    lock.lock();
    if (--pool.active == 0)
      pool.idle.notify_all();
  }
}

void WorkerPool::runBlocks(BlockRunner &runner) {
  while (true) {
    int64_t block = nextBlock.fetch_add(1, std::memory_order_relaxed);
    if (block >= endBlock.load(std::memory_order_relaxed))
      return;
    if (runner.runCluster(block))
      continue;
    std::lock_guard<std::mutex> lock(mutex);
    // Blocks before this one have been handed out and run to their end, so the
    // smallest failed one is found whatever the timing.
    if (!failure.empty() && failedBlock < block)
      return;
    failedBlock = block;
    failure = runner.report();
    endBlock.store(block, std::memory_order_relaxed);
    return;
  }
}

std::string WorkerPool::run(const SimLaunch &next, bool &outOfMemory) {
  outOfMemory = !ownRunner.beginLaunch(next);
  if (outOfMemory)
    return "";
  int64_t blocks = next.clusters();
  if (blocks == 1)
    return ownRunner.runCluster(0) ? "" : ownRunner.report();
  if (!started && wanted > 1)
    startThreads();
  {
    std::lock_guard<std::mutex> lock(mutex);
    launch = &next;
    nextBlock.store(0, std::memory_order_relaxed);
    endBlock.store(blocks, std::memory_order_relaxed);
    failure.clear();
    ++generation;
    open = true;
  }
  if (blocks > 2)
    wake.notify_all();
  else
    wake.notify_one();
  runBlocks(ownRunner);
  // Workers that did not wake up in time find the job closed.
  std::unique_lock<std::mutex> lock(mutex);
  open = false;
  idle.wait(lock, [&] { return active == 0; });
  return failure;
}
