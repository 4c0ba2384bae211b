// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma.sync: the fragments of a warp, and what it computes of them.
//
// Which element of A, (m, k), or of B, (n, k), a lane has in a register depends
// on e, the elements of a register, alone: lane l has the e neighbours along K
// from (l / 4, l % 4 * e) on. The next register of A is eight rows below where
// the shape has them; then they go on 4 e further along K. Of the sums, a lane
// has (l / 4, l % 4 * 2) and the column beside it, then the same eight rows
// below.
//
// Sums of floats of 16 bits and less and of tf32 are those of exact products,
// in the order of K, starting with the sum before, in f64; they are rounded to
// the type of the sum once for each instruction, which the hardware does with
// fewer bits. f64 is one fused multiply-add a product, in the order of K.
// Integers are exact, and wrap around.
#include "Conversions.h"
#include "WarpOps.h"
#include "Wgmma.h"
#include "tile-sim-abi.h"

#include <cmath>
#include <cstring>

using namespace tile::rt;

static constexpr int kLanes = 32, kMostRows = 16, kMostColumns = 8,
                     kMostDepth = 64;

namespace {
/// What the arguments of an instruction say.
struct Shape {
  explicit Shape(const WarpArguments &arguments)
      : m(arguments.kind & 1023), n(arguments.kind >> TILE_SIM_MMA_N & 1023),
        k(arguments.kind >> TILE_SIM_MMA_K & 1023), typeA(arguments.value & 15),
        typeB(arguments.value >> TILE_SIM_WGMMA_B & 15),
        typeD(arguments.value >> TILE_SIM_WGMMA_D & 15) {}
  int m, n, k, typeA, typeB, typeD;
};
} // namespace

/// Bits of an element.
static int getBits(int type) {
  if (type == TILE_SIM_F64)
    return 64;
  if (type == TILE_SIM_S4 || type == TILE_SIM_U4)
    return 4;
  return 8 * static_cast<int>(wgmmaElementBytes(type));
}

/// Element `i` of a register of 32 bits.
static double readElement(uint32_t word, int i, int type) {
  int bits = getBits(type);
  uint32_t value = bits == 32 ? word : word >> (bits * i) & ((1u << bits) - 1);
  switch (type) {
  case TILE_SIM_F16:
    return halfToFloat(static_cast<uint16_t>(value));
  case TILE_SIM_BF16:
    return bitsToFloat(value << 16);
  case TILE_SIM_TF32:
    // The hardware ignores the low 13 bits.
    return bitsToFloat(value & ~0x1fffu);
  case TILE_SIM_E4M3:
  case TILE_SIM_E5M2:
    return smallFloatToFloat(static_cast<uint8_t>(value), type);
  case TILE_SIM_S8:
    return static_cast<int8_t>(value);
  case TILE_SIM_S4:
    return static_cast<int8_t>(value << 4) >> 4;
  default:
    return value;
  }
}

/// A lane's part of A or B, `rows` by `depth`, row by row.
static void readOperand(const void *registers, int lane, int rows, int depth,
                        int type, double *values) {
  int bits = getBits(type), each = bits == 64 ? 1 : 32 / bits;
  int halves = rows / 8;
  for (int i = 0, e = rows * depth / kLanes / each; i < e; ++i) {
    int row = lane / 4 + i % halves * 8;
    double *to = values + row * depth + lane % 4 * each + i / halves * 4 * each;
    if (bits == 64) {
      std::memcpy(to, static_cast<const double *>(registers) + i, 8);
      continue;
    }
    uint32_t word;
    std::memcpy(&word, static_cast<const uint32_t *>(registers) + i, 4);
    for (int j = 0; j < each; ++j)
      to[j] = readElement(word, j, type);
  }
}

/// Sum `i` of a lane.
static double readSum(const void *registers, int i, int type) {
  const auto *bytes = static_cast<const uint8_t *>(registers);
  if (type == TILE_SIM_F64) {
    double value;
    std::memcpy(&value, bytes + 8 * i, 8);
    return value;
  }
  if (type == TILE_SIM_F16) {
    uint16_t value;
    std::memcpy(&value, bytes + 2 * i, 2);
    return halfToFloat(value);
  }
  if (type == TILE_SIM_S32) {
    int32_t value;
    std::memcpy(&value, bytes + 4 * i, 4);
    return value;
  }
  float value;
  std::memcpy(&value, bytes + 4 * i, 4);
  return value;
}

static void writeSum(void *registers, int i, int type, double sum) {
  auto *bytes = static_cast<uint8_t *>(registers);
  if (type == TILE_SIM_F64) {
    std::memcpy(bytes + 8 * i, &sum, 8);
  } else if (type == TILE_SIM_F16) {
    uint16_t value = doubleToHalf(sum);
    std::memcpy(bytes + 2 * i, &value, 2);
  } else if (type == TILE_SIM_S32) {
    auto value = static_cast<int32_t>(static_cast<int64_t>(sum));
    std::memcpy(bytes + 4 * i, &value, 4);
  } else {
    auto value = static_cast<float>(sum);
    std::memcpy(bytes + 4 * i, &value, 4);
  }
}

void tile::rt::multiplyMatrices(WarpArguments *const *lanes) {
  Shape shape(*lanes[0]);
  double a[kMostRows * kMostDepth], b[kMostColumns * kMostDepth];
  for (int lane = 0; lane < kLanes; ++lane) {
    readOperand(lanes[lane]->a, lane, shape.m, shape.k, shape.typeA, a);
    readOperand(lanes[lane]->b, lane, shape.n, shape.k, shape.typeB, b);
  }
  bool isDouble = shape.typeD == TILE_SIM_F64;
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int i = 0, e = shape.m * shape.n / kLanes; i < e; ++i) {
      const double *row = a + (lane / 4 + i / 2 * 8) * shape.k;
      const double *column = b + (lane % 4 * 2 + i % 2) * shape.k;
      double sum = readSum(lanes[lane]->sums, i, shape.typeD);
      // Products of narrower types are exact.
      for (int k = 0; k < shape.k; ++k)
        sum = isDouble ? std::fma(row[k], column[k], sum)
                       : sum + row[k] * column[k];
      writeSum(lanes[lane]->sums, i, shape.typeD, sum);
    }
  }
}
