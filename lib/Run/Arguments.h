// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of an entry in host memory: shapes, layouts, contents.
#ifndef TILE_LIB_RUN_ARGUMENTS_H
#define TILE_LIB_RUN_ARGUMENTS_H

#include "Npy.h"
#include "Options.h"
#include "tile-rt/tile-rt.h"
#include "tile/Target/Artifact.h"

namespace tile {

/// One argument of an entry and its contents before the launch.
struct BoundArgument {
  ArtifactArgument::Kind kind = ArtifactArgument::Kind::Tensor;
  /// A, B, C or D, or C/D for both; "argument 4" in an entry of several steps.
  std::string name;
  ElementType type = ElementType::F32;

  /// The value of a scalar.
  double value = 0;

  /// A tensor: its extents, its strides in elements, and the index of its first
  /// element in the image.
  std::vector<int64_t> sizes, strides;
  int64_t first = 0;
  /// The whole allocation. What is no element of the tensor has all bits set,
  /// which is a NaN; so has a result before the launch.
  std::unique_ptr<char[]> image;
  int64_t imageBytes = 0;
  /// A pointer that is null; there is no image.
  bool null = false;
  /// Whether a step reads what is there before the launch, or writes it.
  bool read = false, written = false;
  /// Whether columns are contiguous.
  bool columnMajor = false;
  /// Where the contents come from: a path, "random", "filled with 0".
  std::string origin;
  /// Something the user should know of the way here, such as a conversion.
  std::string note;

  bool isTensor() const { return kind == ArtifactArgument::Kind::Tensor; }
  int64_t countElements() const;
};

/// All arguments of an entry.
struct BoundEntry {
  const ArtifactEntry *entry = nullptr;
  std::vector<BoundArgument> arguments;
  /// Numbers of the arguments that take an --arg, and of those that are
  /// written.
  std::vector<unsigned> inputs, outputs;
};

/// Gives every argument of `entry` its shape, layout and contents. `files` are
/// the arrays of --arg in order, null for `null`. Each allocation has
/// `guardBytes` before its first and after its last element. The reason is one
/// sentence that names the file or option.
Result<BoundEntry> bindArguments(const ArtifactEntry &entry,
                                 const RunOptions &options,
                                 llvm::ArrayRef<const NpyFile *> files,
                                 int64_t guardBytes);

/// Calls visit(image index, logical index) for every element of a tensor, rows
/// on several threads. The logical index counts in row-major order whatever the
/// layout is.
void forEachElement(const BoundArgument &argument,
                    llvm::function_ref<void(int64_t, int64_t)> visit);

/// A number for the report, without needless digits.
std::string formatNumber(double value, const char *format = "%.6g");

/// The value of alpha or beta in a bound entry.
double getScalar(const ArtifactScalar &scalar, const BoundEntry &bound);

} // namespace tile

#endif // TILE_LIB_RUN_ARGUMENTS_H
