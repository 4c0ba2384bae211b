// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix descriptors of wgmma: derivation, and the check against the hardware.
#include "tile/Atoms/GmmaDescriptor.h"
#include "SharedTile.h"

using namespace tile;
using llvm::Twine;

/// Start address, LBO and SBO are counted in 16 bytes.
static constexpr int64_t kUnit = 16;
/// LBO and SBO have 14 bits.
static constexpr int64_t kMaxField = 0x3FFF * kUnit;
/// The bytes of an instruction along k.
static constexpr int64_t kDepthBytes = 32;

uint64_t GmmaOperand::getBits() const {
  // Layout type: 1 is 128 bytes, 2 is 64, 3 is 32.
  uint64_t type = swizzleBytes == 128  ? 1
                  : swizzleBytes == 64 ? 2
                  : swizzleBytes == 32 ? 3
                                       : 0;
  return uint64_t(leadingBytes / kUnit & 0x3FFF) << 16 |
         uint64_t(strideBytes / kUnit & 0x3FFF) << 32 | type << 62;
}

/// The byte offset of element (mn, k) before the start and the xor.
static int64_t getCanonicalOffset(const GmmaOperand &operand,
                                  int64_t elementBytes, int64_t mn, int64_t k) {
  int64_t rowBytes = std::max<int64_t>(operand.swizzleBytes, kUnit);
  int64_t leading = operand.leadingBytes, stride = operand.strideBytes;
  if (operand.major == Major::K) {
    if (operand.swizzleBytes != 0)
      leading = kUnit;
    int64_t inUnit = kUnit / elementBytes;
    return mn / 8 * stride + mn % 8 * rowBytes + k / inUnit * leading +
           k % inUnit * elementBytes;
  }
  if (operand.swizzleBytes == 0)
    std::swap(leading, stride);
  int64_t inRow = rowBytes / elementBytes;
  return k / 8 * stride + k % 8 * rowBytes + mn / inRow * leading +
         mn % inRow * elementBytes;
}

int64_t GmmaOperand::getAddress(int64_t startBytes, int64_t elementBits,
                                int64_t mn, int64_t k) const {
  return swizzleAddress(startBytes +
                            getCanonicalOffset(*this, elementBits / 8, mn, k),
                        swizzleBytes);
}

static std::string at(int64_t row, int64_t column) {
  return "(" + std::to_string(row) + ", " + std::to_string(column) + ")";
}

/// What an instruction can cover.
static std::optional<Reason> checkShape(const SharedTile &tile, int64_t mn,
                                        int64_t k) {
  int64_t bits = 8 * tile.elementBytes, depth = kDepthBytes / tile.elementBytes;
  if (k != depth)
    return Reason("expected an instruction of " + Twine(depth) +
                  " elements along k (32 bytes of " + Twine(bits) +
                  "-bit elements), but got " + Twine(k));
  if (mn < 8 || mn > 256 || mn % 8 != 0)
    return Reason("expected an instruction of a multiple of 8 elements from 8 "
                  "to 256 along mn, but got " +
                  Twine(mn));
  if (tile.extent(0) < mn || tile.extent(1) < k)
    return Reason("expected a tile of at least " + Twine(mn) + " x " +
                  Twine(k) + " elements, but got " + Twine(tile.extent(0)) +
                  " x " + Twine(tile.extent(1)));
  return std::nullopt;
}

/// The start of the sub-tile at an origin, if all its elements are where the
/// hardware reads them.
static Result<int64_t> checkSubTile(const SharedTile &tile,
                                    const GmmaOperand &operand, int64_t mn,
                                    int64_t k, int64_t row, int64_t column) {
  // The swizzle is its own inverse: this start lets the hardware read the first
  // element from where the layout has it.
  int64_t start = swizzleAddress(tile.at(row, column), operand.swizzleBytes);
  if (start < 0 || start % kUnit != 0 || start > 0x3FFF * kUnit)
    return Reason("expected the sub-tile at " + at(row, column) +
                  " to start at a multiple of 16 from 0 to " +
                  Twine(0x3FFF * kUnit) + " bytes, but got " + Twine(start));
  // Rows are counted from the start of the pattern (base offset 0).
  int64_t pattern = getPatternBytes(operand.swizzleBytes);
  int64_t rowBytes = std::max<int64_t>(operand.swizzleBytes, kUnit);
  if (int64_t phase = start % pattern / rowBytes)
    return Reason("expected the sub-tile at " + at(row, column) +
                  " to start in row 0 of the " + Twine(pattern) +
                  "-byte swizzle pattern, but got row " + Twine(phase) +
                  " (byte " + Twine(start) + ")");

  // The address is a sum of a part per direction before the xor.
  llvm::SmallVector<int64_t, 32> along;
  for (int64_t c = 0; c < k; ++c)
    along.push_back(getCanonicalOffset(operand, tile.elementBytes, 0, c));
  for (int64_t r = 0; r < mn; ++r) {
    int64_t across =
        start + getCanonicalOffset(operand, tile.elementBytes, r, 0);
    for (int64_t c = 0; c < k; ++c) {
      int64_t read = swizzleAddress(across + along[c], operand.swizzleBytes);
      int64_t has = tile.at(row + r, column + c);
      if (read != has)
        return Reason("expected element " + at(row + r, column + c) +
                      " at byte " + Twine(read) +
                      ", where wgmma reads it, but got byte " + Twine(has));
    }
  }
  return start;
}

static std::optional<Reason> checkField(llvm::StringRef name, int64_t bytes,
                                        int swizzleBytes) {
  int64_t unit = getPatternBytes(swizzleBytes);
  if (bytes % kUnit != 0)
    return Reason("expected a " + name +
                  " byte offset that is a multiple of 16, but got " +
                  Twine(bytes));
  if (bytes < 0 || bytes > kMaxField)
    return Reason("expected a " + name + " byte offset from 0 to " +
                  Twine(kMaxField) + " (14 bits of 16 bytes), but got " +
                  Twine(bytes));
  if (bytes % unit != 0)
    return Reason("expected a " + name + " byte offset that is a multiple of " +
                  Twine(unit) + " bytes for the " + Twine(swizzleBytes) +
                  "-byte swizzle, but got " + Twine(bytes));
  return std::nullopt;
}

/// The direction along which neighbours are one element apart.
static Result<Major> getMajor(const SharedTile &tile) {
  int64_t alongMN = tile.linear(1, 0) - tile.linear(0, 0);
  int64_t alongK = tile.linear(0, 1) - tile.linear(0, 0);
  if (alongK == tile.elementBytes)
    return Major::K;
  if (alongMN != tile.elementBytes)
    return Reason("expected elements of " + Twine(tile.elementBytes) +
                  " bytes contiguous along mn or k, but got steps of " +
                  Twine(alongMN) + " and " + Twine(alongK) + " bytes");
  if (tile.elementBytes != 2)
    return Reason("expected 16-bit elements in an operand that is contiguous "
                  "along mn, but got " +
                  Twine(8 * tile.elementBytes) + "-bit ones");
  return Major::MN;
}

Result<GmmaOperand> tile::getGmmaOperand(const ComposedLayout &layout,
                                         int64_t elementBits, int64_t mn,
                                         int64_t k, int64_t baseAlign) {
  Result<SharedTile> tile = readSharedTile(layout, elementBits, {8, 16, 32});
  if (!tile)
    return tile.takeReason();
  if (std::optional<Reason> reason = checkShape(*tile, mn, k))
    return *reason;
  if (std::optional<Reason> reason =
          checkBaseAlign(baseAlign, tile->swizzleBytes, kUnit))
    return *reason;
  Result<Major> major = getMajor(*tile);
  if (!major)
    return major.takeReason();

  GmmaOperand operand;
  operand.major = *major;
  operand.swizzleBytes = tile->swizzleBytes;
  // Fields that the instruction does not use keep 16 and eight rows.
  int64_t rowBytes = std::max<int64_t>(operand.swizzleBytes, kUnit);
  int64_t inRow = rowBytes / tile->elementBytes;
  operand.strideBytes = 8 * rowBytes;
  int64_t origin = tile->linear(0, 0);
  bool useLeading = true, useStride = true;
  if (*major == Major::K) {
    useStride = mn > 8;
    useLeading = operand.swizzleBytes == 0;
    if (useStride)
      operand.strideBytes = tile->linear(8, 0) - origin;
    if (useLeading)
      operand.leadingBytes = tile->linear(0, inRow) - origin;
  } else if (operand.swizzleBytes == 0) {
    useStride = mn > inRow;
    if (useStride)
      operand.strideBytes = tile->linear(inRow, 0) - origin;
    operand.leadingBytes = tile->linear(0, 8) - origin;
  } else {
    useLeading = mn > inRow;
    operand.strideBytes = tile->linear(0, 8) - origin;
    if (useLeading)
      operand.leadingBytes = tile->linear(inRow, 0) - origin;
  }
  std::optional<Reason> reason;
  if (useLeading)
    reason = checkField("leading", operand.leadingBytes, operand.swizzleBytes);
  if (!reason && useStride)
    reason = checkField("stride", operand.strideBytes, operand.swizzleBytes);
  if (reason)
    return *reason;
  Result<int64_t> start = checkSubTile(*tile, operand, mn, k, 0, 0);
  if (!start)
    return start.takeReason();
  return operand;
}

Result<int64_t> tile::getGmmaOffset(const ComposedLayout &layout,
                                    const GmmaOperand &operand,
                                    int64_t elementBits, int64_t mn, int64_t k,
                                    int64_t i, int64_t j) {
  Result<SharedTile> tile = readSharedTile(layout, elementBits, {8, 16, 32});
  if (!tile)
    return tile.takeReason();
  if (std::optional<Reason> reason = checkShape(*tile, mn, k))
    return *reason;
  if (i < 0 || j < 0 || i >= tile->extent(0) / mn || j >= tile->extent(1) / k)
    return Reason("expected one of " + Twine(tile->extent(0) / mn) + " x " +
                  Twine(tile->extent(1) / k) + " sub-tiles of " + Twine(mn) +
                  " x " + Twine(k) + " elements, but got " + at(i, j));
  return checkSubTile(*tile, operand, mn, k, i * mn, j * k);
}
