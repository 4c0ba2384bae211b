// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes of the tensor memory accelerator: derivation and legality.
#include "tile/Atoms/TmaBox.h"
#include "SharedTile.h"
#include "tile/Atoms/TensorMapRules.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace tile;
using llvm::Twine;

/// Elements of a box along a dimension.
static constexpr int64_t kMaxBox = TensorMapLimits::kMaxBox;
/// Alignment of the shared address of a box.
static constexpr int64_t kSharedAlign = 128;

namespace {
/// The tile with its contiguous coordinate x and the other one, y.
struct View {
  const SharedTile &tile;
  bool transposed;

  int64_t extentX() const { return tile.extent(transposed ? 0 : 1); }
  int64_t extentY() const { return tile.extent(transposed ? 1 : 0); }
  int64_t linear(int64_t x, int64_t y) const {
    return transposed ? tile.linear(x, y) : tile.linear(y, x);
  }
  int64_t at(int64_t x, int64_t y) const {
    return swizzleAddress(linear(x, y), tile.swizzleBytes);
  }
  /// Names of x and of y.
  const char *nameX() const { return transposed ? "row" : "column"; }
  const char *nameY() const { return transposed ? "column" : "row"; }
  std::string print(int64_t x, int64_t y) const {
    int64_t row = transposed ? x : y, column = transposed ? y : x;
    return "(" + std::to_string(row) + ", " + std::to_string(column) + ")";
  }
};
} // namespace

/// The elements that follow each other along x from the origin.
static int64_t getRun(const View &view) {
  int64_t run = 1;
  while (run < view.extentX() && view.linear(run, 0) - view.linear(0, 0) ==
                                     run * view.tile.elementBytes)
    ++run;
  return run;
}

/// The largest extent of a box that divides a run and the tile.
static int64_t getLargestBox(int64_t run, int64_t extent) {
  int64_t both = std::gcd(run, extent), box = std::min(both, kMaxBox);
  while (both % box != 0)
    --box;
  return box;
}

/// The extent of a box along x.
static Result<int64_t> getInner(const View &view) {
  int64_t bytes = view.tile.elementBytes, run = getRun(view);
  if (view.extentX() > 1 && run == 1)
    return Reason(Twine("expected ") + view.nameX() +
                  "s that are contiguous in shared memory as in global memory, "
                  "but got a step of " +
                  Twine(view.linear(1, 0) - view.linear(0, 0)) + " bytes");
  // Rows of a box follow each other without a gap; a swizzle fixes their size.
  int64_t span = view.tile.swizzleBytes;
  if (span != 0 && run * bytes < span)
    return Reason("expected a multiple of " + Twine(span / bytes) +
                  " elements along the contiguous dimension (the " +
                  Twine(span) + "-byte swizzle span), but got a run of " +
                  Twine(run));
  int64_t pitch = span;
  if (view.extentY() > 1)
    pitch = view.linear(0, 1) - view.linear(0, 0);
  else if (span == 0)
    pitch = getLargestBox(run, view.extentX()) * bytes;
  if (span != 0 && pitch != span)
    return Reason("expected box rows of " + Twine(span) +
                  " bytes (the swizzle span), but got a pitch of " +
                  Twine(pitch) + " bytes between " + view.nameY() + "s");
  if (pitch > run * bytes)
    return Reason("expected " + Twine(view.nameY()) + "s of " +
                  Twine(run * bytes) +
                  " bytes without padding, but got a pitch of " + Twine(pitch) +
                  " bytes");
  if (pitch <= 0 || pitch % 16 != 0)
    return Reason("expected box rows of a multiple of 16 bytes, but got " +
                  Twine(pitch));
  int64_t inner = pitch / bytes;
  if (inner > kMaxBox)
    return Reason("expected box rows of at most 256 elements, but got " +
                  Twine(inner));
  if (view.extentX() % inner != 0)
    return Reason("expected box rows that divide the tile's " +
                  Twine(view.extentX()) + " " + view.nameX() +
                  "s, but got rows of " + Twine(inner) + " elements");
  return inner;
}

/// The extent of a box along y.
static int64_t getOuter(const View &view, int64_t inner) {
  int64_t pitch = inner * view.tile.elementBytes, run = 1;
  while (run < view.extentY() &&
         view.linear(0, run) - view.linear(0, 0) == run * pitch)
    ++run;
  return getLargestBox(run, view.extentY());
}

/// Every element of the box at (x, y) is where the hardware writes it.
static Result<TmaBoxes::Box> getBox(const View &view, const TmaBoxes &shape,
                                    int64_t x, int64_t y) {
  // Swizzling is its own inverse: where the copy has to start.
  int64_t start = swizzleAddress(view.at(x, y), shape.swizzleBytes);
  int64_t align = std::max(kSharedAlign, getPatternBytes(shape.swizzleBytes));
  if (start < 0 || start % align != 0)
    return Reason("expected the box at " + view.print(x, y) +
                  " to start at a multiple of " + Twine(align) +
                  " bytes in shared memory, but got byte " + Twine(start));
  int64_t bytes = view.tile.elementBytes;
  for (int64_t v = 0; v < shape.outer; ++v)
    for (int64_t u = 0; u < shape.inner; ++u) {
      int64_t written = swizzleAddress(start + (v * shape.inner + u) * bytes,
                                       shape.swizzleBytes);
      int64_t has = view.at(x + u, y + v);
      if (written != has)
        return Reason("expected element " + view.print(x + u, y + v) +
                      " at byte " + Twine(written) +
                      ", where TMA writes it, but got byte " + Twine(has));
    }
  TmaBoxes::Box box;
  box.sharedBytes = start;
  box.row = view.transposed ? x : y;
  box.column = view.transposed ? y : x;
  return box;
}

Result<TmaBoxes> tile::getTmaBoxes(const ComposedLayout &layout,
                                   int64_t elementBits, int64_t contiguousDim,
                                   int64_t baseAlign) {
  if (contiguousDim != 0 && contiguousDim != 1)
    return Reason("expected 0 (rows) or 1 (columns) as the contiguous "
                  "dimension, but got " +
                  Twine(contiguousDim));
  Result<SharedTile> tile =
      readSharedTile(layout, elementBits, {8, 16, 32, 64});
  if (!tile)
    return tile.takeReason();
  if (std::optional<Reason> reason =
          checkBaseAlign(baseAlign, tile->swizzleBytes, kSharedAlign))
    return *reason;
  View view{*tile, contiguousDim == 0};
  Result<int64_t> inner = getInner(view);
  if (!inner)
    return inner.takeReason();

  TmaBoxes result;
  result.inner = *inner;
  result.outer = getOuter(view, *inner);
  result.swizzleBytes = tile->swizzleBytes;
  for (int64_t x = 0; x < view.extentX(); x += result.inner)
    for (int64_t y = 0; y < view.extentY(); y += result.outer) {
      Result<TmaBoxes::Box> box = getBox(view, result, x, y);
      if (!box)
        return box.takeReason();
      result.boxes.push_back(*box);
    }
  return result;
}

/// The numbers of the facts that are known.
static TensorMapShape getShape(const TensorMapFacts &facts) {
  auto known = [](const Int &number) {
    return number.isStatic() ? std::optional(number.getValue()) : std::nullopt;
  };
  TensorMapShape shape;
  shape.elementBytes = facts.elementBits % 8 == 0 ? facts.elementBits / 8 : 0;
  shape.swizzleBytes = facts.swizzleBytes;
  shape.rank = static_cast<int>(std::min<size_t>(
      std::max({facts.extents.size(), facts.strideBytes.size() + 1,
                facts.box.size()}),
      std::size(shape.box)));
  shape.base = known(facts.baseBytes);
  // Without a box, one that is right.
  if (facts.box.empty() && shape.elementBytes > 0)
    shape.box[0] = TensorMapLimits::kAlignment / shape.elementBytes;
  for (int dim = 0; dim < shape.rank; ++dim) {
    size_t index = dim;
    if (index < facts.box.size())
      shape.box[dim] = facts.box[index];
    if (index < facts.extents.size())
      shape.extents[dim] = known(facts.extents[index]);
    if (dim > 0 && index <= facts.strideBytes.size())
      shape.strides[dim - 1] = known(facts.strideBytes[index - 1]);
  }
  return shape;
}

std::optional<std::string> tile::checkTensorMap(const TensorMapFacts &facts) {
  TensorMapShape shape = getShape(facts);
  TensorMapBreach breach = findTensorMapBreach(shape);
  std::string value = std::to_string(breach.value);
  std::string pitch = breach.dim == 2            ? "batch stride "
                      : facts.contiguousDim == 0 ? "column pitch "
                                                 : "row pitch ";
  std::string text;
  switch (breach.rule) {
  case TensorMapRule::None:
    return std::nullopt;
  case TensorMapRule::ElementBytes:
    text = "element of " + std::to_string(facts.elementBits) +
           " bits is not 8, 16, 32 or 64";
    break;
  case TensorMapRule::SwizzleBytes:
    text = "swizzle of " + value + " B is not 0, 32, 64 or 128";
    break;
  case TensorMapRule::BoxExtent:
    text = "box extent " + value + " is not between 1 and 256";
    break;
  case TensorMapRule::BoxRowMultiple:
    text = "box row of " + value + " B is not a multiple of 16";
    break;
  case TensorMapRule::BoxRowSwizzle:
    text = "box row of " + value + " B exceeds the " +
           std::to_string(facts.swizzleBytes) + "-byte swizzle";
    break;
  case TensorMapRule::Base:
    text = "base " + value + " is not a multiple of 16";
    break;
  case TensorMapRule::Extent:
    text = "extent " + value + " is not between 1 and 2^32";
    break;
  case TensorMapRule::StrideRange:
    text = pitch + value + " B is not between 16 and 2^40 - 16";
    break;
  case TensorMapRule::StrideMultiple:
    text = pitch + value + " B is not a multiple of 16";
    break;
  }
  return text + ": TMA not possible";
}
