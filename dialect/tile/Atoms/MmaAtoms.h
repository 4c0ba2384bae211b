// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix instructions of NVIDIA GPUs as data: shapes, types, layouts.
#ifndef TILE_ATOMS_MMAATOMS_H
#define TILE_ATOMS_MMAATOMS_H

#include "tile/Atoms/GmmaDescriptor.h"

namespace tile {

// Which element a thread holds
// ============================
//
// A thread-value layout maps (thread, value) to the number of an element of
// the (M, K), (N, K) or (M, N) tile, counted down the first mode. Example: A of
// m16n8k16 with 16-bit elements is
//
//   ((4, 8), (2, 2, 2)) : ((32, 1), (16, 8, 128))
//
// Thread 5 is (1, 1), value 3 is (1, 1, 0): 32 + 1 + 16 + 8 = 57, that is row
// 9, column 3. An operand in shared memory is seen whole by every thread
// (stride 0 over the threads).

/// One instruction.
struct MmaAtom {
  /// CuTe's name, with the majors of a wgmma's 16-bit operands in brackets:
  /// `SM90_64x128x16_F32BF16BF16_SS[A=K,B=MN]`.
  std::string name;
  /// The first chip that has it: `sm_80`, `sm_90a`.
  std::string chip;
  int64_t m = 0, n = 0, k = 0;
  /// Element types as MLIR spells them, `u8` and the like for unsigned
  /// integers. C is the type of the accumulator before and after.
  std::string a, b, c;
  /// Number of threads that take part: 1 (a dot product), 8 (a quad pair), 32
  /// or 128.
  int64_t threads = 0;
  /// A modifier of the operation: `SATURATE`, `XORPOPC`, `ANDPOPC`, or none.
  std::string variant;
  /// The operand is read from shared memory through a descriptor, where it is
  /// contiguous along this direction.
  bool aShared = false, bShared = false;
  Major aMajor = Major::K, bMajor = Major::K;
  /// The lanes of the warp (warp group) that take part.
  Layout threadLayout;
  /// (thread, value) to element.
  Layout aLayout, bLayout, cLayout;

  bool isWarpGroup() const { return threads == 128; }
};

/// Every atom: the mma.sync ones by chip, then the wgmma ones.
llvm::SmallVector<MmaAtom, 0> getMmaAtoms();

/// The atom with a name.
Result<MmaAtom> getMmaAtom(llvm::StringRef name);

/// The mma.sync atom of most multiplications that `chip` has for these types,
/// without modifier. A reason names the chip that it would take.
Result<MmaAtom> findMmaAtom(llvm::StringRef chip, llvm::StringRef a,
                            llvm::StringRef b, llvm::StringRef c);

/// What distinguishes an mma.sync atom of a whole warp, without modifier.
struct MmaSyncShape {
  int64_t m = 16, n = 8, k = 16;
  std::string a, b, c;
};

/// The mma.sync atom of a shape. A reason names those that are nearest: of the
/// same types, or of the same shape.
Result<MmaAtom> getMmaSyncAtom(const MmaSyncShape &shape);

/// The mma.sync atoms of these types that a chip of compute capability `sm`
/// (times ten) has, by growing shape.
llvm::SmallVector<MmaAtom, 4> listMmaSyncAtoms(int sm, llvm::StringRef a,
                                               llvm::StringRef b,
                                               llvm::StringRef c);

/// What distinguishes a wgmma atom; m is 64 and k is 32 bytes.
struct WgmmaShape {
  int64_t n = 8;
  std::string a, b, c;
  bool aShared = true;
  Major aMajor = Major::K, bMajor = Major::K;
  bool saturate = false;
};

/// Why there is no wgmma atom of a shape; nothing if there is one.
std::optional<Reason> checkWgmmaShape(const WgmmaShape &shape);

/// The wgmma atom of a shape. n goes from 8 to 256 in steps of 8 (8-bit
/// integers: 8, 24, and steps of 16); only 16-bit operands in shared memory may
/// be MN-major.
Result<MmaAtom> getWgmmaAtom(const WgmmaShape &shape);

} // namespace tile

#endif // TILE_ATOMS_MMAATOMS_H
