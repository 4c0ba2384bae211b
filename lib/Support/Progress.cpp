// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The line of progress, drawn from a thread of its own.
#include "Support/Progress.h"

#include "Support/Process.h"

#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace tile;
using Clock = std::chrono::steady_clock;

Progress::Progress(llvm::raw_ostream &stream, bool enabled,
                   std::chrono::milliseconds patience)
    : stream(stream), enabled(enabled), patience(patience) {
  if (enabled)
    thread = std::thread([this] { run(); });
}

Progress::~Progress() {
  end();
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
}

void Progress::begin(const llvm::Twine &next) {
  if (!enabled)
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    clear();
    stage = next.str();
    start = Clock::now();
    done = -1;
  }
  changed.notify_all();
}

void Progress::clear() {
  // To the start of the line, and erase it.
  if (shown)
    stream << "\r\x1b[K";
  stream.flush();
  shown = false;
}

void Progress::show() {
  clear();
  stream << getToolName() << ": " << stage;
  double part = done;
  if (part >= 0)
    stream << ", " << static_cast<int>(part * 100) << " %";
  auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start);
  stream << ", " << seconds.count() << " s";
  stream.flush();
  shown = true;
}

void Progress::run() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!stopping) {
    if (stage.empty()) {
      changed.wait(lock);
      continue;
    }
    Clock::time_point next =
        shown ? Clock::now() + std::chrono::milliseconds(500)
              : start + patience;
    changed.wait_until(lock, next);
    if (!stopping && !stage.empty() && Clock::now() >= start + patience)
      show();
  }
}

bool tile::isTerminal() { return ::isatty(STDERR_FILENO); }
