// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a point with a schedule, and launches what came out.
#ifndef TILE_LIB_BENCH_COMPILE_H
#define TILE_LIB_BENCH_COMPILE_H

#include "Operands.h"

#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <string>

namespace tile::bench {

/// How candidates are compiled.
struct CompileSettings {
  std::string chip;
  /// Assemble with ptxas instead of leaving it to the driver.
  bool cubin = false;
  /// Extents and pitches are dynamic in the text.
  bool dynamic = false;
  /// Path of a table of measured schedules; empty: none.
  std::string tuningTable;
};

/// What the compiler made of a point and a schedule.
struct CompiledCandidate {
  /// The artifact; empty on failure.
  std::string artifact;
  /// The compiler's first error; "" on success.
  std::string failure;
  /// Why the problem has its schedule, in the compiler's words.
  std::string reason;
  double milliseconds = 0;
};

/// Compiles a point. `schedule` is an attribute's text, or "default" for the
/// one that the compiler selects. May be called from several threads at once.
CompiledCandidate compileCandidate(const Point &point, llvm::StringRef schedule,
                                   const CompileSettings &settings);

/// The schedules that are worth measuring for a point on a chip, as text. The
/// reason is the compiler's.
Result<std::vector<std::string>> listSchedules(const Point &point,
                                               llvm::StringRef chip = "");

/// A compiled candidate on the device.
class LoadedCandidate {
public:
  /// Loads the artifact. The reason is the runtime's.
  static Result<std::unique_ptr<LoadedCandidate>>
  create(TileRtDevice device, TileRtStream stream, const Point &point,
         const std::string &artifact);

  ~LoadedCandidate();
  LoadedCandidate(const LoadedCandidate &) = delete;
  LoadedCandidate &operator=(const LoadedCandidate &) = delete;

  /// Bytes of workspace with which every kernel can be chosen.
  int64_t workspaceBytes(const OperandSet &set) const;

  /// Queues D = alpha * A * B + beta * C. `workspace` may be null. Returns why
  /// not.
  std::optional<std::string>
  launch(const OperandSet &set, TileRtBuffer workspace,
         TileRtProgrammaticLaunch programmatic =
             TILE_RT_PROGRAMMATIC_WHERE_IT_GAINS);

  /// Facts of the kernel that the last launch chose; registers are -1 and the
  /// schedule "" before the first.
  const TileRtKernelInfo &kernel() const { return info; }
  /// The copies of operands that the launch made first, for example
  /// "pack_16b_r of A"; "" without any.
  const std::string &preparation() const { return prepared; }
  /// The manifest's "producer" and the PTX version, as in "tile 0.1.0, LLVM
  /// 22.1.8, PTX 8.0".
  std::string toolchain() const;

private:
  explicit LoadedCandidate(const Point &point) : point(point) {}
  llvm::SmallVector<TileRtArgument, 6>
  makeArguments(const OperandSet &set) const;

  const Point point;
  TileRtModule module = nullptr;
  TileRtStream stream = nullptr;
  TileRtKernelInfo info = {};
  std::string prepared;
};

} // namespace tile::bench

#endif // TILE_LIB_BENCH_COMPILE_H
