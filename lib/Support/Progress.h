// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line on the terminal that says what a tool is doing, for how long.
#ifndef TILE_LIB_SUPPORT_PROGRESS_H
#define TILE_LIB_SUPPORT_PROGRESS_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tile {

/// Shows a line such as "checking D: 40 %, 3 s" on stderr when a stage takes
/// longer than a second, and takes it away when the stage ends. Shows nothing
/// where stderr is no terminal.
class Progress {
public:
  /// `enabled`: whether stderr is a terminal; tests set it.
  explicit Progress(llvm::raw_ostream &stream, bool enabled,
                    std::chrono::milliseconds patience =
                        std::chrono::milliseconds(1000));
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Begins another stage; "" for none.
  void begin(const llvm::Twine &stage);
  void end() { begin(""); }
  /// Says which part of the stage is done, from 0 to 1. Any thread may.
  void set(double part) { done = part; }

private:
  void run();
  void show();
  void clear();

  llvm::raw_ostream &stream;
  const bool enabled;
  const std::chrono::milliseconds patience;
  std::mutex mutex;
  std::condition_variable changed;
  std::string stage;
  std::chrono::steady_clock::time_point start;
  std::atomic<double> done = -1;
  bool shown = false, stopping = false;
  std::thread thread;
};

/// Whether stderr is a terminal.
bool isTerminal();

} // namespace tile

#endif // TILE_LIB_SUPPORT_PROGRESS_H
