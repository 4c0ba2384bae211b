// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The artifact file in memory: its blobs and the facts of its manifest.
#ifndef TILE_RT_LIB_ARTIFACT_H
#define TILE_RT_LIB_ARTIFACT_H

#include "tile-rt/tile-rt.h"
#include "tile/Facts/Expression.h"
#include "tile/Facts/LaunchFacts.h"
#include "tile/Facts/MatrixMap.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tile::rt {

/// Operands of a gemm step, in this order everywhere; X is the one that a pack
/// kernel copies, E0 the first one of the epilogue.
enum Operand : int {
  OperandA,
  OperandB,
  OperandC,
  OperandD,
  NumOperands,
  OperandX = NumOperands,
  OperandE0,
  NumAllOperands = OperandE0 + tile::kMostEpilogueOperands
};

/// Returns "A", "B", "C", "D", "X", or "E0" and so on.
const char *operandName(int operand);

// The manifest's launch facts, in the compiler's own words. The numbers of the
// names in them are Operand, Size and Scalar.
using tile::CostFacts;
using tile::GridFacts;
using tile::OperandRequirement;
using tile::TensorMapSpec;
using Parameter = tile::KernelParameter;
using tile::ParameterType;

/// Sizes of a gemm step, and its scalars.
enum Size : int { SizeM, SizeN, SizeK, SizeBatch };
enum Scalar : int { ScalarAlpha, ScalarBeta };

/// A kernel's launch facts, and its code on the simulator.
struct KernelFacts : tile::LaunchFacts {
  /// Symbol of the simulator code; empty when there is none.
  std::string simSymbol;
  int64_t simSharedBytes = 0;

  /// The tensor map of an operand, null if there is none.
  const TensorMapSpec *findTensorMap(int operand) const {
    for (const TensorMapSpec &spec : tensorMaps)
      if (spec.operand.number == operand)
        return &spec;
    return nullptr;
  }
};

/// What an entry declares of one of its arguments.
struct ArgumentFacts {
  TileRtArgumentKind kind;
  TileRtType type;
  /// Extents and strides in elements; nullopt = dynamic. `strides` may be empty
  /// (all dynamic).
  std::vector<std::optional<int64_t>> shape, strides;
};

/// alpha or beta: a constant or a scalar argument.
struct ScalarSource {
  double value = 0;
  /// Argument number, or -1 for the constant.
  int argument = -1;
};

/// A copy of an operand in the workspace that a kernel reads instead.
struct PrepareFacts {
  int operand;
  /// The pack kernel's index in Artifact::kernels.
  int kernel;
  /// Matrix dimension of unit stride in the copy.
  int contiguous;
  /// Elements that the copy's other stride is a multiple of.
  int64_t pitchMultiple = 1;
};

/// One way to run a step.
struct Choice {
  /// Index into Artifact::kernels.
  int kernel;
  /// What is copied first, each operand at most once.
  std::vector<PrepareFacts> prepare;
};

/// An argument of any rank as matrices of a step, (batch, rows, columns): by
/// strides, or by a map.
struct MatrixFacts {
  int64_t extents[3] = {1, 1, 1};
  int64_t strides[3] = {0, 0, 0};
  /// Whether there is a batch dimension.
  bool batched = false;
  /// Nothing where the strides do; and its text.
  std::optional<tile::MatrixMap> map;
  std::string mapText;
};

/// An operand of a step's epilogue.
struct EpilogueOperand {
  int argument = 0;
  /// Its dimensions, where they are not those of the argument.
  std::vector<int64_t> extents, strides;
  /// Of each dimension: 0 the batch, 1 M, 2 N.
  std::vector<int> indices;
};

/// One problem of an entry.
struct GemmStep {
  /// Argument numbers; C may be -1 (absent).
  int operands[NumOperands];
  /// What they are where they are not the arguments themselves.
  std::optional<MatrixFacts> matrices[NumOperands];
  ScalarSource alpha, beta;
  /// What becomes of the sums, as text; empty where D = alpha A B + beta C.
  std::string epilogue;
  std::vector<EpilogueOperand> epilogueOperands;
  /// Why the kernels have their schedule; empty when nobody said.
  std::string reason;
  /// In order of preference.
  std::vector<Choice> choices;
};

/// A host function.
struct Entry {
  std::string name;
  std::vector<ArgumentFacts> arguments;
  std::vector<GemmStep> steps;
};

/// A named byte range of the file.
struct Blob {
  std::string name;
  /// cubin: the chip that it was assembled for.
  std::string chip;
  std::string_view bytes;
};

/// A parsed artifact. Views point into `bytes`, so it does not move.
struct Artifact {
  Artifact() = default;
  Artifact(const Artifact &) = delete;
  Artifact &operator=(const Artifact &) = delete;

  /// The whole file and, inside of it, nothing of which is NUL-terminated.
  std::string bytes;
  /// The manifest's text.
  std::string manifest;
  std::string chip;
  /// Who made it, and the version of PTX; may be empty.
  std::string producer, ptxVersion;
  std::vector<KernelFacts> kernels;
  std::vector<Entry> entries;
  std::vector<Blob> blobs;
  std::string simCpu;
  std::vector<std::string> simSites;

  const Blob *findBlob(std::string_view name) const;
  const Entry *findEntry(std::string_view name) const;
  /// Why a kernel has its schedule; "" when nobody said.
  const char *findReason(int kernel) const;
  /// Index of a kernel, or -1.
  int findKernel(std::string_view name) const;
};

/// Parses `bytes` into `artifact`. Returns the error as a sentence, "" when the
/// artifact is well-formed. Every offset, index and name in the result is
/// valid.
std::string parseArtifact(std::string bytes, Artifact &artifact);

/// Parses `artifact.manifest` (the JSON part); `payload` holds the blobs.
std::string parseManifest(Artifact &artifact, std::string_view payload);

/// Looks a type up by its manifest name; nullopt if there is none.
std::optional<TileRtType> typeFromName(std::string_view name);

} // namespace tile::rt

#endif // TILE_RT_LIB_ARTIFACT_H
