// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma.mma_async as PTX writes it.
#ifndef TILE_ATOMS_WGMMAINSTRUCTION_H
#define TILE_ATOMS_WGMMAINSTRUCTION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tile {

/// One instruction: what its mnemonic and its immediate operands say. Types are
/// as PTX spells them: bf16, tf32, e4m3, s8, s32.
///
/// The text of one with A in registers, as an inline assembly for LLVM, whose
/// results are the accumulators and whose operands are the registers of A, the
/// descriptor of B, and the accumulators before:
///
///   wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3},
///   {$4, $5, $6, $7}, $8, 1, 1, 1, 0;
struct WgmmaInstruction {
  int64_t n = 8, k = 16;
  std::string d, a, b;
  /// Whether the accumulators are added to, rather than overwritten.
  bool accumulate = true;
  bool registerA = false;
  /// Whether an operand of 16 bits is contiguous along M or N.
  bool transposeA = false, transposeB = false;
  bool saturate = false;

  /// Registers of 32 bits that A takes.
  static constexpr unsigned kRegistersA = 4;

  /// The instruction with its operands as text: `{$0, $1}`, `$2`. Ends with a
  /// semicolon.
  std::string print(llvm::StringRef accumulators, llvm::StringRef operandA,
                    llvm::StringRef operandB) const;

  /// Reads a text of `print`, whatever its operands are; nothing if it is
  /// another one.
  static std::optional<WgmmaInstruction> parse(llvm::StringRef text);

  /// Registers of 32 bits for the accumulators of a thread.
  int64_t getAccumulators() const { return d == "f16" ? n / 4 : n / 2; }

  /// The constraints of the inline assembly of an instruction with A in
  /// registers: results, A, B, and the accumulators tied to the results.
  std::string getConstraints() const;

  /// `{$3, $4}`: `count` placeholders from `first` on.
  static std::string placeholders(unsigned first, unsigned count);
};

} // namespace tile

#endif // TILE_ATOMS_WGMMAINSTRUCTION_H
