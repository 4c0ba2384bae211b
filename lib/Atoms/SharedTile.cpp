// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading layouts as byte offsets; the hardware's swizzle.
#include "SharedTile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tile;
using llvm::Twine;

/// More coordinates a mode are no tile in shared memory.
static constexpr int64_t kMaxExtent = int64_t(1) << 18;
/// Larger offsets are no shared memory either; the bound keeps all sums of
/// this file within 64 bits.
static constexpr int64_t kMaxBytes = int64_t(1) << 40;

int64_t tile::swizzleAddress(int64_t address, int swizzleBytes) {
  // 32, 64, 128 bytes: 1, 2, 3 bits from bit 7 on.
  int64_t mask = swizzleBytes / 16 - 1;
  return swizzleBytes == 0 ? address : address ^ ((address >> 7 & mask) << 4);
}

int64_t tile::getPatternBytes(int swizzleBytes) {
  return swizzleBytes == 0 ? 16 : 8 * int64_t(swizzleBytes);
}

/// The byte offset of every coordinate of a mode.
static std::optional<Reason>
evaluateMode(const Layout &mode, int64_t elementBytes,
             llvm::SmallVectorImpl<int64_t> &values) {
  Int size = mode.size();
  if (!size.isStatic() || size.getValue() > kMaxExtent)
    return Reason("expected at most " + Twine(kMaxExtent) +
                  " coordinates a mode, but got " + size.str());
  values.assign(1, 0);
  values.reserve(size.getValue());
  for (const LeafMode &leaf : mode.getLeafModes()) {
    int64_t extent = leaf.extent.getValue(), stride = 0, last = 0;
    if (llvm::MulOverflow(leaf.stride.getInt().getValue(), elementBytes,
                          stride) ||
        llvm::MulOverflow(stride, extent - 1, last) || last > kMaxBytes ||
        last < -kMaxBytes)
      return Reason("expected offsets within " + Twine(kMaxBytes) +
                    " bytes, but got extent " + Twine(extent) + " at stride " +
                    leaf.stride.str());
    // The mode's first leaf runs fastest.
    size_t inner = values.size();
    for (int64_t i = 1; i < extent; ++i)
      for (size_t k = 0; k < inner; ++k)
        values.push_back(values[k] + i * stride);
  }
  return std::nullopt;
}

/// The span of the hardware's swizzle that `swizzle` is, in units of elements.
static Result<int> getSwizzleBytes(const Swizzle &swizzle,
                                   int64_t elementBytes) {
  if (swizzle.isIdentity())
    return 0;
  int64_t base = 4 - llvm::Log2_64(elementBytes);
  if (swizzle.getBits() > 3 || swizzle.getBase() != base ||
      swizzle.getShift() != 3)
    return Reason("expected a swizzle S<b, " + Twine(base) +
                  ", 3> with b from 1 to 3 for " + Twine(8 * elementBytes) +
                  "-bit elements, but got " + swizzle.str());
  return 16 << swizzle.getBits();
}

Result<SharedTile> tile::readSharedTile(const ComposedLayout &tile,
                                        int64_t elementBits,
                                        llvm::ArrayRef<int64_t> widths) {
  if (!llvm::is_contained(widths, elementBits)) {
    std::string list;
    for (size_t i = 0; i < widths.size(); ++i)
      list += (i == 0                   ? ""
               : i + 1 == widths.size() ? " or "
                                        : ", ") +
              std::to_string(widths[i]);
    return Reason("expected elements of " + list + " bits, but got " +
                  Twine(elementBits));
  }
  if (!tile.isStatic() || tile.getLayout().hasBasis() || tile.rank() != 2)
    return Reason("expected a static layout of rank 2, but got " + tile.str());

  SharedTile result;
  result.elementBytes = elementBits / 8;
  Result<int> swizzleBytes =
      getSwizzleBytes(tile.getSwizzle(), result.elementBytes);
  if (!swizzleBytes)
    return swizzleBytes.takeReason();
  result.swizzleBytes = *swizzleBytes;
  int64_t offset = tile.getOffset().getValue();
  if (offset < -kMaxBytes || offset > kMaxBytes)
    return Reason("expected an offset within " + Twine(kMaxBytes) +
                  " elements, but got " + Twine(offset));
  result.offset = offset * result.elementBytes;
  for (int mode : {0, 1})
    if (std::optional<Reason> reason = evaluateMode(
            tile.getLayout()[mode], result.elementBytes, result.parts[mode]))
      return *reason;
  return result;
}

std::optional<Reason> tile::checkBaseAlign(int64_t baseAlign, int swizzleBytes,
                                           int64_t minimum) {
  int64_t pattern = getPatternBytes(swizzleBytes);
  if (swizzleBytes != 0 && baseAlign % pattern != 0)
    return Reason("expected a base aligned to " + Twine(pattern) +
                  " bytes for the " + Twine(swizzleBytes) +
                  "-byte swizzle, but got " + Twine(baseAlign));
  if (baseAlign <= 0 || baseAlign % minimum != 0)
    return Reason("expected a base aligned to " + Twine(minimum) +
                  " bytes, but got " + Twine(baseAlign));
  return std::nullopt;
}
