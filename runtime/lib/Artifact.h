// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The artifact file in memory: its blobs and the facts of its manifest.
#ifndef TILE_RT_LIB_ARTIFACT_H
#define TILE_RT_LIB_ARTIFACT_H

#include "tile-rt/tile-rt.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tile::rt {

/// Operands of a gemm step, in this order everywhere; X is the one that a pack
/// kernel copies.
enum Operand : int {
  OperandA,
  OperandB,
  OperandC,
  OperandD,
  NumOperands,
  OperandX = NumOperands
};

/// Returns "A", "B", "C", "D" or "X".
const char *operandName(int operand);

/// One argument of a kernel: which number or address it takes.
struct Parameter {
  enum Source {
    Data,
    M,
    N,
    K,
    Batch,
    Stride,
    BatchStride,
    Alpha,
    Beta,
    TensorMap,
    /// 1 if the operand's optional tensor map is there, otherwise 0.
    TensorMapLegal,
    // Of a pack kernel.
    Extent,
    Packed,
    PackedStride,
    PackedBatchStride
  };
  enum Type { Pointer, I32, I64, F32, F64, Map };
  Source source;
  Type type;
  /// Data, Stride, BatchStride, TensorMap and TensorMapLegal: of which operand.
  int operand = 0;
  /// Stride and Extent: of which matrix dimension, 0 = rows, 1 = columns.
  int dim = 0;
};

/// A tensor map that a kernel takes by value.
struct TensorMapSpec {
  int operand;
  /// Matrix dimension of unit stride, which is the map's innermost one.
  int contiguous;
  /// Elements, innermost dimension first.
  int32_t box[2];
  /// 0, 32, 64 or 128 bytes.
  int swizzle = 0;
  /// Whether the batch is the map's third dimension.
  bool batched = false;
  /// Whether the kernel can do without the map, as its parameter
  /// "X.tensor_map_legal" says.
  bool optional = false;
};

/// What a launch takes, in nanoseconds; see Cost.h.
struct CostFacts {
  double fixed = 0, tile = 0, k = 0, bytes = 0;
  /// Blocks that a multiprocessor runs at a time.
  double slots = 1;
};

/// What a kernel demands of one operand beyond what every kernel does.
struct Requirement {
  int operand;
  /// Matrix dimension that must have stride 1, or -1.
  int unitStride = -1;
  /// Bytes that the base must be a multiple of.
  int64_t alignment = 1;
  /// Elements that the other matrix stride and the batch stride must be
  /// multiples of.
  int64_t strideMultiple = 1;
  /// Elements that the extent of the unit-stride dimension must be a multiple
  /// of.
  int64_t extentMultiple = 1;
};

/// A kernel's launch facts.
struct KernelFacts {
  std::string name;
  std::string schedule;
  int64_t block[3] = {1, 1, 1};
  /// Blocks of a cluster, along x.
  int64_t cluster = 1;
  /// Whether the kernel waits itself, by griddepcontrol, for those in front of
  /// it in the stream, so that it may be launched before they have ended.
  bool programmatic = false;
  /// Rows and columns of D that one block computes; 0 when the kernel can only
  /// be launched by hand.
  int64_t tile[2] = {0, 0};
  /// Tiles of D that a cluster computes side by side.
  int64_t clusterTile[2] = {1, 1};
  /// Blocks that share a tile, each with a part of K.
  int64_t split = 1;
  /// Whether blocks walk over tiles, so that as many suffice as run at a time.
  bool persistent = false;
  /// A pack kernel: rows and columns that one block copies; 0 for others.
  int64_t packTile[2] = {0, 0};
  std::vector<Parameter> parameters;
  std::vector<TensorMapSpec> tensorMaps;
  std::vector<Requirement> requirements;
  std::optional<CostFacts> cost;
  int64_t sharedBytes = 0;
  int64_t dynamicSharedBytes = 0;
  /// Symbol of the simulator code; empty when there is none.
  std::string simSymbol;
  int64_t simSharedBytes = 0;

  bool isGemm() const { return tile[0] != 0; }
  bool isPack() const { return packTile[0] != 0; }
  /// The tensor map of an operand, null if there is none.
  const TensorMapSpec *findTensorMap(int operand) const {
    for (const TensorMapSpec &spec : tensorMaps)
      if (spec.operand == operand)
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

/// One problem of an entry.
struct GemmStep {
  /// Argument numbers; C may be -1 (absent).
  int operands[NumOperands];
  ScalarSource alpha, beta;
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
  std::vector<KernelFacts> kernels;
  std::vector<Entry> entries;
  std::vector<Blob> blobs;
  std::string simCpu;
  std::vector<std::string> simSites;

  const Blob *findBlob(std::string_view name) const;
  const Entry *findEntry(std::string_view name) const;
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
