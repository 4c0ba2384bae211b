// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device of this run, its compiled programs, and the run of a problem.
#ifndef TILE_TEST_UNIT_SWEEP_SETTING_H
#define TILE_TEST_UNIT_SWEEP_SETTING_H

#include "Compile.h"
#include "Image.h"

#include "tile-rt/tile-rt.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>

namespace tile::sweep {

/// A buffer that frees itself.
class Buffer {
public:
  Buffer() = default;
  Buffer(TileRtDevice device, int64_t bytes) {
    if (tileRtBufferCreate(device, bytes, &handle) != TILE_RT_SUCCESS)
      handle = nullptr;
  }
  Buffer(Buffer &&other) : handle(std::exchange(other.handle, nullptr)) {}
  Buffer &operator=(Buffer &&other) {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Buffer() { tileRtBufferDestroy(handle); }

  TileRtBuffer get() const { return handle; }
  char *address() const {
    return static_cast<char *>(tileRtBufferGetAddress(handle));
  }
  explicit operator bool() const { return handle; }

private:
  TileRtBuffer handle = nullptr;
};

/// What became of a problem's launch.
struct Outcome {
  TileRtStatus status = TILE_RT_SUCCESS;
  /// The runtime's or the compiler's sentence; "" after success.
  std::string error;
  /// The kernel that ran, "" when none was launched.
  std::string kernel;
  int64_t blocks = 0;
  /// The copies of operands that came first.
  std::string prepare;
  /// D's allocation after the launch.
  std::shared_ptr<Image> d;
};

/// A device with the programs that were compiled for it.
class Setting {
public:
  /// The setting of this process, opened by main.
  static Setting &get();
  /// The same, but a simulator of so many multiprocessors where it is one.
  static Setting &get(int multiprocessors);

  /// Opens `spec`, "sim" or "cuda". Returns "" or why not.
  std::string open(const std::string &spec, bool full);
  ~Setting();

  bool isSimulator() const { return target.simulator; }
  /// Whether the long version of the sweep was asked for.
  bool isFull() const { return full; }
  TileRtDevice getDevice() const { return device; }
  int64_t getProblemCount() const { return problems; }
  int64_t getProgramCount() const {
    return static_cast<int64_t>(modules.size());
  }

  /// The module of a program, for Hopper's tensor cores if `hopper`, or for
  /// `chip` on the simulator; null and `error` when it cannot be had.
  TileRtModule load(const std::string &program, std::string &error,
                    bool hopper = false, const std::string &chip = "");
  /// Loads an artifact that belongs to the caller.
  TileRtModule loadArtifact(const std::string &artifact, std::string &error);

  /// Fills operands, launches, and reads D back. Compares nothing.
  Outcome run(const Problem &problem) { return run(problem, nullptr); }
  Outcome run(const Problem &problem, TileRtModule module);

  /// Success when the problem's result is right to the bit, nothing else was
  /// written, and a kernel ran where one should.
  testing::AssertionResult solve(const Problem &problem,
                                 Outcome *outcome = nullptr,
                                 TileRtModule module = nullptr);

  /// Launches the problem `launches` times more than solve() does, each time
  /// over canaries, and compares all of D's allocation with that of the first
  /// launch, which solve() checks.
  testing::AssertionResult repeat(const Problem &problem, int launches);

private:
  struct Prepared;
  TileRtStatus prepare(const Problem &problem, TileRtModule module,
                       Prepared &prepared);

  TileRtDevice device = nullptr;
  Target target;
  bool full = false;
  int64_t problems = 0;
  std::map<std::string, TileRtModule> modules;
};

/// Runs `problem` on the process's setting.
inline testing::AssertionResult solve(const Problem &problem,
                                      Outcome *outcome = nullptr) {
  return Setting::get().solve(problem, outcome);
}

/// The arguments of a problem's entry, without addresses.
std::vector<TileRtArgument> argumentsOf(const Problem &problem);

/// The data of operand `name` in the arguments of a problem's entry.
void *&dataOf(std::vector<TileRtArgument> &arguments, char name);

} // namespace tile::sweep

#endif // TILE_TEST_UNIT_SWEEP_SETTING_H
