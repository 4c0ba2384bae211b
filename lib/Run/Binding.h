// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages of bindArguments: roles, then shapes, then layouts and contents.
#ifndef TILE_LIB_RUN_BINDING_H
#define TILE_LIB_RUN_BINDING_H

#include "Arguments.h"

namespace tile {

/// Why a stage failed, one sentence; nothing after success.
using BindFailure = std::optional<std::string>;

/// What every stage reads.
struct BindRequest {
  const ArtifactEntry &entry;
  const RunOptions &options;
  /// The array of each argument that takes an --arg; null for the others.
  std::vector<const NpyFile *> files;
  int64_t guardBytes = 0;
};

/// Names the arguments, and finds out which are read and which are written.
BindFailure bindRoles(const BindRequest &request, BoundEntry &bound);

/// Gives every tensor its extents: from its file, from --random, or from the
/// other operands.
BindFailure bindShapes(const BindRequest &request, BoundEntry &bound);

/// Gives a tensor its strides, the size of its allocation, and its contents.
BindFailure bindContents(const BindRequest &request, unsigned number,
                         BoundArgument &argument);

/// Rounds `value` to what `type` stores of it, or says that it has no such
/// number: an integer beyond its range, a number that would become infinite.
BindFailure checkStored(const llvm::Twine &option, llvm::StringRef name,
                        ElementType type, double &value);

/// "0.1 rounded to float16" where the two look different in a report, else "".
std::string describeRounding(ElementType type, double given, double stored);

/// The number of the argument that `name` means, if any.
std::optional<unsigned> findArgument(const ArtifactEntry &entry,
                                     llvm::StringRef name);

/// The last setting for argument `number`; one that names it wins over one that
/// is for all.
template <class T>
const T *findSetting(const ArtifactEntry &entry,
                     llvm::ArrayRef<Setting<T>> settings, unsigned number) {
  const T *general = nullptr, *specific = nullptr;
  for (const Setting<T> &setting : settings) {
    if (setting.name.empty())
      general = &setting.value;
    else if (findArgument(entry, setting.name) == number)
      specific = &setting.value;
  }
  return specific ? specific : general;
}

} // namespace tile

#endif // TILE_LIB_RUN_BINDING_H
