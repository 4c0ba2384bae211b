// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma without threads: descriptors to addresses, and the product.
//
// The product of an instruction is computed in double precision: the double of
// D (or zero), plus the products in rising k, which are all exact, rounded once
// to the type of D at the end. Integers are exact in it, and wrap or saturate
// at the end.
#ifndef TILE_RT_SIM_WGMMA_H
#define TILE_RT_SIM_WGMMA_H

#include <cstdint>
#include <string>
#include <vector>

namespace tile::rt {

/// A matrix in shared memory as a 64-bit matrix descriptor says it, an operand
/// of 32 bytes in k.
struct WgmmaMatrix {
  uint32_t start = 0, leading = 0, stride = 0; ///< bytes
  uint32_t swizzleBytes = 0;
  /// M or N is contiguous instead of K.
  bool transposed = false;

  /// Takes `descriptor` apart. Returns the reason when it is none, "" else.
  std::string decode(uint64_t descriptor, bool isTransposed);

  /// Offsets of the 16-byte chunks, two for each of `rows` rows: of row r those
  /// of k 0 and 1 (in chunks), or if transposed, those of element k of each
  /// group of eight rows.
  void chunks(unsigned rows, std::vector<uint32_t> &offsets) const;
};

/// Bytes of an element of type TILE_SIM_*.
unsigned wgmmaElementBytes(int type);

/// Reads `rows` rows of K elements of `type` into `values`: row * K + k, or
/// k * rows + row if `kOuter`.
void readWgmmaMatrix(const uint8_t *memory,
                     const std::vector<uint32_t> &offsets, unsigned rows,
                     int type, bool transposed, bool negate, bool kOuter,
                     double *values);

/// Puts the four registers of A that thread `thread` (of 128) holds where they
/// belong in 64 rows of 32 bytes.
void storeRowsA(const void *registers, unsigned thread, uint8_t *rows);

/// d (64 x n) += a (64 x k) * b (k x n).
void multiplyWgmma(const double *a, const double *b, double *d, int k, int n);

/// Moves thread `thread` (of 128) of the accumulator between its registers and
/// the matrix of 64 x n. `type` is that of D.
void loadAccumulator(const void *registers, unsigned thread, int type, int n,
                     double *d);
void storeAccumulator(void *registers, unsigned thread, int type, int n,
                      bool saturate, const double *d);

/// The value of an 8-bit float, E4M3FN or E5M2.
float smallFloatToFloat(uint8_t bits, int type);

} // namespace tile::rt

#endif // TILE_RT_SIM_WGMMA_H
