// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of an entry in host memory: shapes, layouts, contents.
#ifndef TILE_LIB_RUN_ARGUMENTS_H
#define TILE_LIB_RUN_ARGUMENTS_H

#include "Npy.h"
#include "Options.h"
#include "Support/Reference.h"
#include "tile-rt/tile-rt.h"
#include "tile/Target/Artifact.h"

namespace tile {

/// An element of a tensor of up to as many dimensions; those that it does not
/// have come first, and are 0.
using TensorIndex = std::array<int64_t, TILE_RT_MAX_RANK>;

/// Tensors on the host: an element is at the sum of its indices times `strides`
/// in `data`.
struct HostTensor {
  const void *data = nullptr;
  TensorIndex strides = {};
  ElementType type = ElementType::F32;
  /// Where set, gives the elements instead of memory. Called from several
  /// threads.
  std::function<double(const TensorIndex &)> at = {};
};

/// The number that a tensor holds.
double loadElement(const HostTensor &tensor, const TensorIndex &at);

/// One argument of an entry and what the user gave for it.
struct BoundArgument {
  ArtifactArgument::Kind kind = ArtifactArgument::Kind::Tensor;
  /// A, B, C or D, or C/D for both; "argument 4" in an entry of several steps.
  std::string name;
  ElementType type = ElementType::F32;

  /// The value of a scalar.
  double value = 0;

  /// A tensor: its extents, its strides in elements, and the index of its first
  /// element in its allocation.
  std::vector<int64_t> sizes, strides;
  int64_t first = 0;
  /// Size of the whole allocation. What is no element of the tensor has all
  /// bits set, which is a NaN; so has a result before the launch.
  int64_t imageBytes = 0;
  /// What the user gave, in the tensor's own coordinates: a file, one number,
  /// or random ones. A check computes with it, and not with the memory that it
  /// was copied to. Not set of a null pointer, and of what is only written.
  HostTensor contents;
  /// Where the contents come from, null for numbers.
  const NpyFile *file = nullptr;
  /// The one number of `contents`.
  std::unique_ptr<char[]> fillBits;
  /// A pointer that is null; there is no allocation.
  bool null = false;
  /// Whether several elements share an address, as those of a broadcast do.
  bool overlaps = false;
  /// Whether a step reads what is there before the launch, or writes it.
  bool read = false, written = false;
  /// Whether columns are contiguous.
  bool columnMajor = false;
  /// Where the contents come from: a path, "random", "filled with 0".
  std::string origin;
  /// Something the user should know of the way here, such as a conversion.
  std::string note;

  bool hasContents() const { return contents.data || contents.at; }
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

/// Writes the whole allocation as it is before the launch: `image` has
/// `imageBytes` bytes.
void fillImage(const BoundArgument &argument, char *image);

/// Calls visit(image index, element) for every element of a tensor, rows on
/// several threads.
void forEachElement(
    const BoundArgument &argument,
    llvm::function_ref<void(int64_t, const TensorIndex &)> visit);

/// An element of an argument as `D[3, 17]`.
std::string formatElement(const BoundArgument &argument,
                          const TensorIndex &index);

/// A view of a tensor's elements in its allocation.
HostTensor viewOf(const BoundArgument &argument, const char *image);

/// The element of an argument that is an element of a step's matrices.
TensorIndex findElement(const BoundArgument &argument,
                        const std::optional<ArtifactMatrix> &matrix,
                        const ElementIndex &at);

/// A tensor's elements as the matrices of a step; `contents` has the argument's
/// elements.
HostMatrix makeMatrix(const BoundArgument &argument,
                      const std::optional<ArtifactMatrix> &matrix,
                      const HostTensor &contents);

/// The memory that the arguments take: the sum of their allocations as a
/// sentence's subject, such as "25.8 GB of memory (A 25.8 GB, B 16 bytes)".
std::string describeMemory(const BoundEntry &bound);

/// A number for the report, without needless digits.
std::string formatNumber(double value, const char *format = "%.6g");

/// The value of alpha or beta in a bound entry.
double getScalar(const ArtifactScalar &scalar, const BoundEntry &bound);

} // namespace tile

#endif // TILE_LIB_RUN_ARGUMENTS_H
