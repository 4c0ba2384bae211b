// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The artifact file: kernels for each device, and every fact a launch needs.

#ifndef TILE_TARGET_ARTIFACT_H
#define TILE_TARGET_ARTIFACT_H

#include "tile/Facts/LaunchFacts.h"

#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"
#include "tile/Target/Cubin.h"
#include "tile/Target/Simulator.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tile {

/// One argument of an entry: a matrix, or a number.
struct ArtifactArgument {
  enum class Kind { Tensor, Scalar } kind = Kind::Tensor;
  std::string type; ///< element type as MLIR spells it: f32
  /// Extent of each dimension of a tensor; nothing means dynamic.
  std::vector<std::optional<int64_t>> shape;
  /// Stride of each dimension in elements; nothing means dynamic.
  std::vector<std::optional<int64_t>> strides;
};

/// A number that a step takes: given, or one of the entry's arguments.
struct ArtifactScalar {
  double value = 0;                 ///< used when `argument` is not set
  std::optional<unsigned> argument; ///< number of the entry's argument
};

/// A copy of an operand that a kernel reads instead: packed, with unit stride
/// along one dimension.
struct ArtifactPrepare {
  std::string operand;     ///< A, B or C
  std::string kernel;      ///< which makes the copy
  unsigned contiguous = 1; ///< dimension of unit stride: 0 rows, 1 columns
  int64_t pitchMultiple =
      1; ///< elements that the other stride is a multiple of
};

/// One way to run a step: a kernel, and what is copied before.
struct ArtifactChoice {
  std::string kernel;
  std::vector<ArtifactPrepare> prepare;
};

/// An argument of any rank as matrices of a step: by strides, or by a map.
struct ArtifactMatrix {
  std::vector<int64_t> extents; ///< with the batch first, if there is one
  std::vector<int64_t> strides; ///< in elements; empty with a map
  std::string map;              ///< see Facts/MatrixMap.h; or empty
};

/// An operand of a step's epilogue.
struct ArtifactEpilogueOperand {
  unsigned argument = 0;        ///< number of the entry's argument
  std::vector<int64_t> indices; ///< of each dimension: EpilogueIndex
  /// Its dimensions, where they are not those of the argument.
  std::optional<ArtifactMatrix> matrix = {};
};

/// One problem of an entry: `gemm` on four of its arguments with one of
/// `choices`, which are in order of preference.
struct ArtifactStep {
  std::string op = "gemm";
  unsigned a = 0, b = 0, d = 0; ///< numbers of the entry's arguments
  std::optional<unsigned> c;    ///< nothing when there is no C
  /// What A, B, C and D are where they are not the arguments themselves.
  std::array<std::optional<ArtifactMatrix>, 4> matrices;
  ArtifactScalar alpha, beta;
  std::string epilogue; ///< an expression, see Facts/Expression.h; or empty
  std::vector<ArtifactEpilogueOperand> epilogueOperands;
  std::string reason; ///< why the kernels have their schedule
  std::vector<ArtifactChoice> choices;
};

/// A host function: its arguments, and the launches it makes in order.
struct ArtifactEntry {
  std::string name;
  std::vector<ArtifactArgument> arguments;
  std::vector<ArtifactStep> steps;
};

/// Everything that goes into an artifact file.
struct Artifact {
  std::string chip;       ///< sm_80
  std::string ptxVersion; ///< 8.0
  std::vector<ArtifactEntry> entries;
  std::vector<LaunchFacts> kernels; ///< see `describeKernels`
  std::string ptx;                  ///< empty: absent
  std::string cubin;                ///< empty: absent
  std::optional<SimulatorObject> simulator;
};

/// The launch facts of all kernels below `module`, with what the kernels
/// themselves tell and the registers that `ptxas` reported added. Reports a
/// kernel without facts or without a known block size at the kernel.
mlir::FailureOr<std::vector<LaunchFacts>>
describeKernels(mlir::Operation *module,
                llvm::ArrayRef<PtxasKernelInfo> ptxas = {});

/// The manifest of `artifact`, without a byte of code.
llvm::json::Object buildManifest(const Artifact &artifact);

/// The bytes of the artifact file, see ArtifactFormat.
std::string writeArtifact(const Artifact &artifact);

/// A parsed artifact file. The blobs point into the bytes that were parsed.
struct ArtifactView {
  llvm::json::Object manifest;
  llvm::StringRef ptx, cubin, simulator; ///< empty when absent
};

/// Parses the bytes of an artifact file. The error says what is wrong, with
/// the offsets.
llvm::Expected<ArtifactView> parseArtifact(llvm::StringRef bytes);

} // namespace tile

#endif // TILE_TARGET_ARTIFACT_H
