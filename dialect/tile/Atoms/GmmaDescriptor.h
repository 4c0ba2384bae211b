// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared-memory matrix descriptors of wgmma, derived from layouts.
#ifndef TILE_ATOMS_GMMADESCRIPTOR_H
#define TILE_ATOMS_GMMADESCRIPTOR_H

#include "tile/Layout/Swizzle.h"

namespace tile {

// How wgmma finds an operand
// ==========================
//
// A descriptor holds a start address, two strides (LBO, leading, and SBO,
// stride byte offset) and a swizzle of W = 0, 32, 64 or 128 bytes. With
// u = max(W, 16), element (r, c) of the operand, r along m or n, c along k, T
// elements in 16 bytes and e bytes an element, is read from the address
//
//   K-major:   S(start + (r / 8) SBO + (r % 8) u + (c % T) e
//                      + (c / T) (W == 0 ? LBO : 16))
//   MN-major:  S(start + (c / 8) SBO + (c % 8) u + (r / (u / e)) LBO
//                      + (r % (u / e)) e)
//                 with LBO and SBO exchanged for W == 0
//
// where S xors the address bits 7.. into the bits 4.. (1, 2 or 3 of them for
// 32, 64 and 128 bytes; S<b, 4, 3> on byte addresses). The start is added
// before the xor, so that a step of 32 bytes along k stays inside the pattern
// of a K-major tile. k is 32 bytes; MN-major exists for 16-bit elements only.
//
// Example: bf16, S<3, 3, 3> o (128, 64) : (64, 1), instructions of 64 x 16:
// K-major, 128-byte swizzle, SBO 1024. Instruction (i, j) of the tile starts
// 8192 i + 32 j bytes after the first one.

/// The direction along which an operand is contiguous.
enum class Major { K, MN };

/// How one operand of a wgmma instruction lies in shared memory.
struct GmmaOperand {
  Major major = Major::K;
  /// 0 (none), 32, 64 or 128.
  int swizzleBytes = 0;
  /// The LBO field in bytes; 16 where the hardware ignores it.
  int64_t leadingBytes = 16;
  /// The SBO field in bytes.
  int64_t strideBytes = 128;

  /// Descriptor bits other than the start address.
  uint64_t getBits() const;
  /// Where the instruction reads element (mn, k), relative to a base aligned to
  /// the swizzle's pattern, for a start address of `startBytes`.
  int64_t getAddress(int64_t startBytes, int64_t elementBits, int64_t mn,
                     int64_t k) const;
};

/// `tile` maps (mn, k) coordinates of the whole tile, both modes possibly
/// nested, to element offsets relative to a base that is aligned to `baseAlign`
/// bytes; swizzle included (unit: elements). The instruction covers mn x k
/// elements at the origin of the tile; every element is checked against the
/// address from which the hardware reads it.
Result<GmmaOperand> getGmmaOperand(const ComposedLayout &tile,
                                   int64_t elementBits, int64_t mn, int64_t k,
                                   int64_t baseAlign);

/// Start address, in bytes from the base, of the instruction's sub-tile at
/// (i * mn, j * k): 0 for a tile without offset at (0, 0). A reason if the
/// sub-tile does not lie as `operand` says (every element is checked).
Result<int64_t> getGmmaOffset(const ComposedLayout &tile,
                              const GmmaOperand &operand, int64_t elementBits,
                              int64_t mn, int64_t k, int64_t i, int64_t j);

} // namespace tile

#endif // TILE_ATOMS_GMMADESCRIPTOR_H
