// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma's descriptors, element types and product.
#include "Wgmma.h"

#include "../lib/Error.h"
#include "Conversions.h"
#include "TensorMap.h"
#include "tile-sim-abi.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tile::rt;

std::string WgmmaMatrix::decode(uint64_t descriptor, bool isTransposed) {
  auto field = [&](unsigned shift) {
    return static_cast<uint32_t>(descriptor >> shift & 0x3fff) << 4;
  };
  static constexpr uint32_t swizzles[] = {0, 128, 64, 32};
  start = field(0);
  leading = field(16);
  stride = field(32);
  swizzleBytes = swizzles[descriptor >> 62];
  transposed = isTransposed;
  unsigned base = descriptor >> 49 & 7;
  if (base)
    return format("expected base offset 0, but got %u", base);
  // A pattern is eight rows long; inside of it only the chunk of a row moves.
  uint32_t pattern = 8 * swizzleBytes;
  if (swizzleBytes && start & (pattern - 1) & ~(swizzleBytes - 1))
    return format("expected a start that is a multiple of the swizzle's %u "
                  "bytes apart from an offset of less than %u, but got 0x%x",
                  pattern, swizzleBytes, start);
  return "";
}

void WgmmaMatrix::chunks(unsigned rows, std::vector<uint32_t> &offsets) const {
  offsets.resize(2 * rows);
  uint32_t pitch = swizzleBytes ? swizzleBytes : 16;
  auto put = [&](unsigned i, uint32_t offset) {
    offsets[i] = static_cast<uint32_t>(swizzleOffset(offset, swizzleBytes));
  };
  if (!transposed) {
    uint32_t next = swizzleBytes ? 16 : leading;
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned k = 0; k < 2; ++k)
        put(2 * row + k, start + row % 8 * pitch + row / 8 * stride + k * next);
    return;
  }
  unsigned across = pitch / 16;
  uint32_t nextAcross = swizzleBytes ? leading : stride;
  uint32_t nextK = swizzleBytes ? stride : leading;
  for (unsigned group = 0; group < rows / 8; ++group)
    for (unsigned k = 0; k < 16; ++k)
      put(16 * group + k, start + group % across * 16 +
                              group / across * nextAcross + k % 8 * pitch +
                              k / 8 * nextK);
}

unsigned tile::rt::wgmmaElementBytes(int type) {
  switch (type) {
  case TILE_SIM_TF32:
    return 4;
  case TILE_SIM_F16:
  case TILE_SIM_BF16:
    return 2;
  default:
    return 1;
  }
}

float tile::rt::smallFloatToFloat(uint8_t bits, int type) {
  if (type == TILE_SIM_E5M2)
    return halfToFloat(static_cast<uint16_t>(bits << 8));
  int exponent = bits >> 3 & 15, mantissa = bits & 7;
  float magnitude =
      exponent == 15 && mantissa == 7 ? std::nanf("")
      : exponent == 0
          ? std::ldexp(static_cast<float>(mantissa), -9)
          : std::ldexp(static_cast<float>(8 + mantissa), exponent - 10);
  return bits & 0x80 ? -magnitude : magnitude;
}

namespace {
/// The values of all 8-bit floats.
struct SmallFloats {
  double values[2][256];
  SmallFloats() {
    for (int i = 0; i < 256; ++i) {
      values[0][i] = smallFloatToFloat(static_cast<uint8_t>(i), TILE_SIM_E4M3);
      values[1][i] = smallFloatToFloat(static_cast<uint8_t>(i), TILE_SIM_E5M2);
    }
  }
};
} // namespace

/// The elements of one 16-byte chunk.
static void readChunk(const uint8_t *chunk, int type, double *values) {
  static const SmallFloats small;
  uint16_t halves[8];
  uint32_t words[4];
  switch (type) {
  case TILE_SIM_F16:
    std::memcpy(halves, chunk, 16);
    for (int i = 0; i < 8; ++i)
      values[i] = halfToFloat(halves[i]);
    return;
  case TILE_SIM_BF16:
    std::memcpy(halves, chunk, 16);
    for (int i = 0; i < 8; ++i)
      values[i] = bitsToFloat(uint32_t(halves[i]) << 16);
    return;
  case TILE_SIM_TF32:
    std::memcpy(words, chunk, 16);
    // The hardware ignores the low 13 bits.
    for (int i = 0; i < 4; ++i)
      values[i] = bitsToFloat(words[i] & ~0x1fffu);
    return;
  case TILE_SIM_E4M3:
  case TILE_SIM_E5M2:
    for (int i = 0; i < 16; ++i)
      values[i] = small.values[type == TILE_SIM_E5M2][chunk[i]];
    return;
  case TILE_SIM_S8:
    for (int i = 0; i < 16; ++i)
      values[i] = static_cast<int8_t>(chunk[i]);
    return;
  default:
    for (int i = 0; i < 16; ++i)
      values[i] = chunk[i];
  }
}

void tile::rt::readWgmmaMatrix(const uint8_t *memory,
                               const std::vector<uint32_t> &offsets,
                               unsigned rows, int type, bool transposed,
                               bool negate, bool kOuter, double *values) {
  unsigned perChunk = 16 / wgmmaElementBytes(type);
  unsigned depth = 2 * perChunk;
  double chunk[16];
  for (size_t i = 0; i < offsets.size(); ++i) {
    readChunk(memory + offsets[i], type, chunk);
    if (negate)
      for (unsigned e = 0; e < perChunk; ++e)
        chunk[e] = -chunk[e];
    unsigned row, k, rowStep, kStep;
    if (transposed) {
      row = static_cast<unsigned>(i / 16) * 8;
      k = i % 16;
      rowStep = 1;
      kStep = 0;
    } else {
      row = static_cast<unsigned>(i / 2);
      k = i % 2 * perChunk;
      rowStep = 0;
      kStep = 1;
    }
    for (unsigned e = 0; e < perChunk; ++e) {
      unsigned r = row + e * rowStep, c = k + e * kStep;
      values[kOuter ? c * rows + r : r * depth + c] = chunk[e];
    }
  }
}

void tile::rt::storeRowsA(const void *registers, unsigned thread,
                          uint8_t *rows) {
  unsigned lane = thread % 32, row = thread / 32 * 16 + lane / 4;
  for (unsigned i = 0; i < 4; ++i) {
    // Words of a row, then of the row eight below; both again 16 bytes on.
    uint8_t *to = rows + (row + i % 2 * 8) * 32 + i / 2 * 16 + lane % 4 * 4;
    std::memcpy(to, static_cast<const uint8_t *>(registers) + 4 * i, 4);
  }
}

// Four doubles; the compiler splits them where registers are narrower.
typedef double Vector __attribute__((vector_size(32), aligned(8), may_alias));

/// Four rows by eight columns at a time, so that eight sums are under way.
static inline __attribute__((always_inline)) void
multiplyTiles(const double *a, const double *b, double *d, int k, int n) {
  for (int row = 0; row < 64; row += 4) {
    for (int column = 0; column < n; column += 8) {
      double *corner = d + row * n + column;
      Vector sum[4][2];
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j)
          sum[i][j] = *reinterpret_cast<Vector *>(corner + i * n + 4 * j);
      for (int at = 0; at < k; ++at) {
        const double *right = b + at * n + column;
        Vector b0 = *reinterpret_cast<const Vector *>(right);
        Vector b1 = *reinterpret_cast<const Vector *>(right + 4);
        for (int i = 0; i < 4; ++i) {
          double left = a[(row + i) * k + at];
          sum[i][0] += left * b0;
          sum[i][1] += left * b1;
        }
      }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 2; ++j)
          *reinterpret_cast<Vector *>(corner + i * n + 4 * j) = sum[i][j];
    }
  }
}

// The products are exact, so fused or not, the sums are the same.
__attribute__((target("avx2,fma"))) static void
multiplyWide(const double *a, const double *b, double *d, int k, int n) {
  multiplyTiles(a, b, d, k, n);
}

void tile::rt::multiplyWgmma(const double *a, const double *b, double *d, int k,
                             int n) {
  static const bool wide =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  wide ? multiplyWide(a, b, d, k, n) : multiplyTiles(a, b, d, k, n);
}

/// The corner of the two by two elements that a thread holds in columns 8 g.
static unsigned accumulatorCorner(unsigned thread, int n) {
  unsigned lane = thread % 32;
  return (thread / 32 * 16 + lane / 4) * n + lane % 4 * 2;
}

void tile::rt::loadAccumulator(const void *registers, unsigned thread, int type,
                               int n, double *d) {
  double *upper = d + accumulatorCorner(thread, n), *lower = upper + 8 * n;
  const auto *bytes = static_cast<const uint8_t *>(registers);
  for (int column = 0; column < n; column += 8) {
    double *targets[] = {upper + column, upper + column + 1, lower + column,
                         lower + column + 1};
    for (int i = 0; i < 4; ++i) {
      if (type == TILE_SIM_F32) {
        float value;
        std::memcpy(&value, bytes + 4 * (column / 2 + i), 4);
        *targets[i] = value;
      } else if (type == TILE_SIM_S32) {
        int32_t value;
        std::memcpy(&value, bytes + 4 * (column / 2 + i), 4);
        *targets[i] = value;
      } else {
        uint16_t value;
        std::memcpy(&value, bytes + 2 * (column / 2 + i), 2);
        *targets[i] = halfToFloat(value);
      }
    }
  }
}

static int32_t toInteger(double value, bool saturate) {
  auto exact = static_cast<int64_t>(value);
  if (saturate)
    exact = std::clamp<int64_t>(exact, INT32_MIN, INT32_MAX);
  return static_cast<int32_t>(exact);
}

void tile::rt::storeAccumulator(void *registers, unsigned thread, int type,
                                int n, bool saturate, const double *d) {
  const double *upper = d + accumulatorCorner(thread, n);
  const double *lower = upper + 8 * n;
  auto *bytes = static_cast<uint8_t *>(registers);
  for (int column = 0; column < n; column += 8) {
    double values[] = {upper[column], upper[column + 1], lower[column],
                       lower[column + 1]};
    for (int i = 0; i < 4; ++i) {
      if (type == TILE_SIM_F32) {
        auto value = static_cast<float>(values[i]);
        std::memcpy(bytes + 4 * (column / 2 + i), &value, 4);
      } else if (type == TILE_SIM_S32) {
        int32_t value = toInteger(values[i], saturate);
        std::memcpy(bytes + 4 * (column / 2 + i), &value, 4);
      } else {
        uint16_t value = doubleToHalf(values[i]);
        std::memcpy(bytes + 2 * (column / 2 + i), &value, 2);
      }
    }
  }
}
