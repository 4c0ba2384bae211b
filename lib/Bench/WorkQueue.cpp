// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host threads that prepare work ahead of the one that measures.
#include "WorkQueue.h"

#include <algorithm>

using namespace tile::bench;

WorkQueue::WorkQueue(std::vector<int> groupSizes, unsigned count, int ahead,
                     std::function<void(int, int)> work)
    : sizes(std::move(groupSizes)), ahead(ahead), work(std::move(work)),
      left(sizes), opened(ahead - 1) {
  if (count == 0)
    count = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned i = 0; i < count; ++i)
    threads.emplace_back([this] { run(); });
}

WorkQueue::~WorkQueue() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

bool WorkQueue::skipEmptyGroups() {
  while (group < static_cast<int>(sizes.size()) && item >= sizes[group]) {
    ++group;
    item = 0;
  }
  return group < static_cast<int>(sizes.size());
}

void WorkQueue::run() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    while (!stopping && skipEmptyGroups() && group > opened)
      changed.wait(lock);
    if (stopping || !skipEmptyGroups())
      return;
    int thisGroup = group, thisItem = item++;
    lock.unlock();
    work(thisGroup, thisItem);
    lock.lock();
    if (--left[thisGroup] == 0)
      changed.notify_all();
  }
}

void WorkQueue::wait(int awaited) {
  std::unique_lock<std::mutex> lock(mutex);
  opened = std::max(opened, awaited + ahead);
  changed.notify_all();
  changed.wait(lock, [&] { return left[awaited] == 0; });
}
