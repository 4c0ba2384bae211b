// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mode surgery on nested integer tuples.
#include "tile/Layout/TupleArithmetic.h"

using namespace tile;

static std::optional<Reason> checkRange(const IntTuple &tuple, int64_t begin,
                                        int64_t end) {
  if (begin < 0 || end > int64_t(tuple.rank()) || begin > end)
    return Reason("expected modes within the rank " +
                  llvm::Twine(tuple.rank()) + " of " + tuple.str() +
                  ", but got " + llvm::Twine(begin) + " to " +
                  llvm::Twine(end));
  return std::nullopt;
}

static std::optional<Reason> checkIndex(const IntTuple &tuple, int64_t index) {
  if (index < 0 || index >= int64_t(tuple.rank()))
    return Reason("expected a mode below the rank " +
                  llvm::Twine(tuple.rank()) + " of " + tuple.str() +
                  ", but got " + llvm::Twine(index));
  return std::nullopt;
}

Result<IntTuple> tile::getMode(const IntTuple &tuple,
                               llvm::ArrayRef<int64_t> path) {
  IntTuple current = tuple;
  for (int64_t index : path) {
    if (std::optional<Reason> reason = checkIndex(current, index))
      return *reason;
    IntTuple next = current[index];
    current = std::move(next);
  }
  return current;
}

Result<IntTuple> tile::take(const IntTuple &tuple, int64_t begin, int64_t end) {
  if (std::optional<Reason> reason = checkRange(tuple, begin, end))
    return *reason;
  return IntTuple::tuple(tuple.getModes().slice(begin, end - begin));
}

Result<IntTuple> tile::select(const IntTuple &tuple,
                              llvm::ArrayRef<int64_t> modes) {
  llvm::SmallVector<IntTuple, 4> result;
  for (int64_t index : modes) {
    if (std::optional<Reason> reason = checkIndex(tuple, index))
      return *reason;
    result.push_back(tuple[index]);
  }
  return IntTuple::tuple(result);
}

Result<IntTuple> tile::groupModes(const IntTuple &tuple, int64_t begin,
                                  int64_t end) {
  if (std::optional<Reason> reason = checkRange(tuple, begin, end))
    return *reason;
  llvm::ArrayRef<IntTuple> modes = tuple.getModes();
  llvm::SmallVector<IntTuple, 4> result(modes.take_front(begin));
  result.push_back(IntTuple::tuple(modes.slice(begin, end - begin)));
  llvm::append_range(result, modes.drop_front(end));
  return IntTuple::tuple(result);
}

Result<IntTuple> tile::replaceMode(const IntTuple &tuple, int64_t index,
                                   const IntTuple &mode) {
  if (std::optional<Reason> reason = checkIndex(tuple, index))
    return *reason;
  if (tuple.isLeaf())
    return mode;
  llvm::SmallVector<IntTuple, 4> result(tuple.getModes());
  result[index] = mode;
  return IntTuple::tuple(result);
}

IntTuple tile::append(const IntTuple &tuple, const IntTuple &mode) {
  llvm::SmallVector<IntTuple, 4> result(tuple.getModes());
  result.push_back(mode);
  return IntTuple::tuple(result);
}

IntTuple tile::prepend(const IntTuple &tuple, const IntTuple &mode) {
  llvm::SmallVector<IntTuple, 4> result = {mode};
  llvm::append_range(result, tuple.getModes());
  return IntTuple::tuple(result);
}

IntTuple tile::reverseModes(const IntTuple &tuple) {
  if (tuple.isLeaf())
    return tuple;
  llvm::SmallVector<IntTuple, 4> result(llvm::reverse(tuple.getModes()));
  return IntTuple::tuple(result);
}

Result<IntTuple> tile::zip(const IntTuple &tuple) {
  if (tuple.isLeaf() || tuple.rank() == 0)
    return Reason("expected a tuple of tuples to zip, but got " + tuple.str());
  unsigned inner = tuple[0].rank();
  for (const IntTuple &mode : tuple)
    if (mode.isLeaf() || mode.rank() != inner)
      return Reason("expected modes of the same rank to zip, but got " +
                    tuple.str());
  llvm::SmallVector<IntTuple, 4> result;
  for (unsigned i = 0; i < inner; ++i) {
    llvm::SmallVector<IntTuple, 4> column;
    for (const IntTuple &mode : tuple)
      column.push_back(mode[i]);
    result.push_back(IntTuple::tuple(column));
  }
  return IntTuple::tuple(result);
}

static IntTuple takeProfile(llvm::ArrayRef<IntTuple> &leaves,
                            const IntTuple &profile) {
  if (profile.isLeaf()) {
    IntTuple leaf = leaves.front();
    leaves = leaves.drop_front();
    return leaf;
  }
  llvm::SmallVector<IntTuple, 4> modes;
  for (const IntTuple &mode : profile)
    modes.push_back(takeProfile(leaves, mode));
  return IntTuple::tuple(modes);
}

Result<IntTuple> tile::unflatten(const IntTuple &tuple,
                                 const IntTuple &profile) {
  llvm::ArrayRef<IntTuple> modes = tuple.getModes();
  if (profile.getLeaves().size() != modes.size())
    return Reason("expected " + llvm::Twine(profile.getLeaves().size()) +
                  " modes for the profile " + profile.str() + ", but got " +
                  llvm::Twine(modes.size()));
  return takeProfile(modes, profile);
}

/// Collects the modes under wildcards (or, with `keepNumbers`, under numbers).
static std::optional<Reason>
collectModes(const IntTuple &coordinate, const IntTuple &tuple,
             bool keepNumbers, llvm::SmallVectorImpl<IntTuple> &modes) {
  if (coordinate.isTuple()) {
    if (tuple.isLeaf() || tuple.rank() != coordinate.rank())
      return Reason("expected a coordinate that fits " + tuple.str() +
                    ", but got " + coordinate.str());
    for (unsigned i = 0; i < tuple.rank(); ++i)
      if (std::optional<Reason> reason =
              collectModes(coordinate[i], tuple[i], keepNumbers, modes))
        return reason;
    return std::nullopt;
  }
  if (coordinate.isWildcard() != keepNumbers)
    modes.push_back(tuple);
  return std::nullopt;
}

Result<IntTuple> tile::slice(const IntTuple &coordinate,
                             const IntTuple &tuple) {
  if (coordinate.isWildcard())
    return tuple;
  llvm::SmallVector<IntTuple, 4> modes;
  if (std::optional<Reason> reason =
          collectModes(coordinate, tuple, false, modes))
    return *reason;
  return IntTuple::tuple(modes);
}

Result<IntTuple> tile::dice(const IntTuple &coordinate, const IntTuple &tuple) {
  if (coordinate.isLeaf() && !coordinate.isWildcard())
    return tuple;
  llvm::SmallVector<IntTuple, 4> modes;
  if (std::optional<Reason> reason =
          collectModes(coordinate, tuple, true, modes))
    return *reason;
  return IntTuple::tuple(modes);
}
