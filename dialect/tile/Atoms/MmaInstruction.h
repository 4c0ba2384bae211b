// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma.sync as PTX writes it.
#ifndef TILE_ATOMS_MMAINSTRUCTION_H
#define TILE_ATOMS_MMAINSTRUCTION_H

#include "tile/Atoms/MmaAtoms.h"
#include <optional>
#include <string>

namespace tile {

/// One mma.sync: its shape and its types as PTX spells them, bf16, tf32, e4m3,
/// s8, s32. A lies by rows and B by columns, as all shapes have them.
///
/// The text, as an inline assembly for LLVM, whose results are the sums and
/// whose operands are the registers of A, of B, and of the sums before:
///
///   mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {$0, $1, $2, $3},
///   {$4, $5}, {$6}, {$7, $8, $9, $10};
///
/// The nvvm dialect has an op, but not for all rows: neither 8-bit floats nor
/// the shapes of f64 that came with sm_90. One way for all is simpler.
struct MmaInstruction {
  int64_t m = 16, n = 8, k = 16;
  std::string d, a, b;

  /// The instruction of an atom of `getMmaSyncAtom`.
  static MmaInstruction get(const MmaAtom &atom);

  /// The text, for LLVM. Ends with a semicolon.
  std::string print() const;
  /// The constraints of the inline assembly.
  std::string getConstraints() const;
  /// Reads a text of `print`; nothing if it is another one.
  static std::optional<MmaInstruction> parse(llvm::StringRef text);

  /// Registers of a thread: of 64 bits for f64, else of 32, which two or more
  /// elements share.
  int64_t getRegistersA() const;
  int64_t getRegistersB() const;
  int64_t getRegistersD() const;
  /// Bits of an element of A or B.
  int64_t getBits() const;

  /// The first chip and the first version of PTX, times ten, that have it.
  unsigned getMinSM() const;
  unsigned getMinPTX() const;

  /// `m16n8k16`.
  std::string getShape() const;

private:
  MmaSyncShape getAtomShape() const;
};

} // namespace tile

#endif // TILE_ATOMS_MMAINSTRUCTION_H
