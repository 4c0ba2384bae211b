// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Notices a kernel that does not end.
#ifndef TILE_LIB_BENCH_WATCHDOG_H
#define TILE_LIB_BENCH_WATCHDOG_H

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tile::bench {

/// Calls a function from a thread of its own when what it watches takes too
/// long. A kernel that hangs cannot be stopped from within the process, which
/// has to end.
class Watchdog {
public:
  /// `bark` gets the name of what hangs.
  Watchdog(std::chrono::milliseconds patience,
           std::function<void(const std::string &what)> bark);
  ~Watchdog();
  Watchdog(const Watchdog &) = delete;
  Watchdog &operator=(const Watchdog &) = delete;

  /// Watches from construction to destruction. One at a time.
  class Guard {
  public:
    Guard(Watchdog *dog, std::string what) : dog(dog) {
      if (dog)
        dog->watch(std::move(what));
    }
    ~Guard() {
      if (dog)
        dog->release();
    }
    Guard(const Guard &) = delete;
    Guard &operator=(const Guard &) = delete;

  private:
    Watchdog *dog;
  };

private:
  void watch(std::string what);
  void release();
  void run();

  const std::chrono::milliseconds patience;
  const std::function<void(const std::string &)> bark;
  std::mutex mutex;
  std::condition_variable changed;
  std::chrono::steady_clock::time_point deadline;
  std::string what;
  bool watching = false, stopping = false;
  std::thread thread;
};

} // namespace tile::bench

#endif // TILE_LIB_BENCH_WATCHDOG_H
