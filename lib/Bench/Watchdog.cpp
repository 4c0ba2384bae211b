// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Notices a kernel that does not end.
#include "Watchdog.h"

using namespace tile::bench;

Watchdog::Watchdog(std::chrono::milliseconds patience,
                   std::function<void(const std::string &)> bark)
    : patience(patience), bark(std::move(bark)), thread([this] { run(); }) {}

Watchdog::~Watchdog() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  thread.join();
}

void Watchdog::watch(std::string name) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    what = std::move(name);
    deadline = std::chrono::steady_clock::now() + patience;
    watching = true;
  }
  changed.notify_all();
}

void Watchdog::release() {
  std::lock_guard<std::mutex> lock(mutex);
  watching = false;
}

void Watchdog::run() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!stopping) {
    if (!watching) {
      changed.wait(lock);
      continue;
    }
    changed.wait_until(lock, deadline);
    if (stopping || !watching || std::chrono::steady_clock::now() < deadline)
      continue;
    watching = false;
    bark(what);
  }
}
