// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma.mma_async as PTX writes it: printing and reading.
#include "tile/Atoms/WgmmaInstruction.h"
#include "tile/Atoms/MmaAtoms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <tuple>

using namespace tile;
using llvm::StringRef;

static constexpr llvm::StringLiteral kMnemonic =
    "wgmma.mma_async.sync.aligned.m64n";

/// Only operands of 16 bits can be contiguous along M or N, and only these have
/// an operand that says so.
static bool hasTranspose(StringRef type) {
  return type == "f16" || type == "bf16";
}

/// Sums of integers have no factors of 1 or -1.
static bool hasScale(StringRef sums) { return sums != "s32"; }

std::string WgmmaInstruction::placeholders(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", $" : "$") + std::to_string(first + i);
  return text + "}";
}

std::string WgmmaInstruction::getConstraints() const {
  std::string text;
  for (int64_t i = 0; i < getAccumulators(); ++i)
    text += d == "f32" ? "=f," : "=r,";
  for (unsigned i = 0; i < kRegistersA; ++i)
    text += "r,";
  text += "l";
  for (int64_t i = 0; i < getAccumulators(); ++i)
    text += "," + std::to_string(i);
  return text;
}

std::string WgmmaInstruction::print(StringRef accumulators, StringRef operandA,
                                    StringRef operandB) const {
  std::string text = kMnemonic.str() + std::to_string(n) + "k" +
                     std::to_string(k) + (saturate ? ".satfinite" : "") + "." +
                     d + "." + a + "." + b + " ";
  text += accumulators;
  text += ", ";
  text += operandA;
  text += ", ";
  text += operandB;
  text += accumulate ? ", 1" : ", 0";
  if (hasScale(d))
    text += ", 1, 1";
  if (hasTranspose(a)) {
    if (!registerA)
      text += transposeA ? ", 1" : ", 0";
    text += transposeB ? ", 1" : ", 0";
  }
  return text + ";";
}

/// Whether the table of atoms has the instruction.
static bool isAtom(const WgmmaInstruction &instruction) {
  auto type = [](StringRef name) {
    return llvm::StringSwitch<StringRef>(name)
        .Case("s8", "i8")
        .Case("s32", "i32")
        .Case("e4m3", "f8E4M3FN")
        .Case("e5m2", "f8E5M2")
        .Default(name)
        .str();
  };
  WgmmaShape shape;
  shape.n = instruction.n;
  shape.a = type(instruction.a);
  shape.b = type(instruction.b);
  shape.c = type(instruction.d);
  shape.aShared = !instruction.registerA;
  shape.aMajor = instruction.transposeA ? Major::MN : Major::K;
  shape.bMajor = instruction.transposeB ? Major::MN : Major::K;
  shape.saturate = instruction.saturate;
  Result<MmaAtom> atom = getWgmmaAtom(shape);
  return atom && atom->k == instruction.k;
}

std::optional<WgmmaInstruction> WgmmaInstruction::parse(StringRef text) {
  WgmmaInstruction result;
  StringRef rest = text;
  if (!rest.consume_front(kMnemonic) || rest.consumeInteger(10, result.n) ||
      !rest.consume_front("k") || rest.consumeInteger(10, result.k))
    return std::nullopt;
  result.saturate = rest.consume_front(".satfinite");
  StringRef types, operands;
  std::tie(types, operands) = rest.split(' ');
  llvm::SmallVector<StringRef, 4> names;
  types.split(names, '.');
  // The types begin with a point.
  if (names.size() != 4 || !names[0].empty())
    return std::nullopt;
  result.d = names[1].str();
  result.a = names[2].str();
  result.b = names[3].str();

  // Accumulators in braces, A in braces or not, B, then immediate operands.
  auto takeOperand = [&]() -> StringRef {
    operands = operands.ltrim(' ');
    size_t end =
        operands.starts_with("{") ? operands.find('}') + 1 : operands.find(',');
    StringRef operand = operands.take_front(end);
    operands = operands.drop_front(operand.size());
    operands.consume_front(",");
    return operand;
  };
  std::string accumulators = takeOperand().str();
  std::string operandA = takeOperand().str();
  std::string operandB = takeOperand().str();
  result.registerA = StringRef(operandA).starts_with("{");
  llvm::SmallVector<bool, 5> flags;
  for (StringRef flag : llvm::split(operands.rtrim(';'), ',')) {
    flag = flag.trim(' ');
    if (flag != "0" && flag != "1")
      return std::nullopt;
    flags.push_back(flag == "1");
  }
  result.accumulate = flags.front();
  if (hasTranspose(result.a) && flags.size() > 3) {
    result.transposeB = flags.back();
    result.transposeA = !result.registerA && flags[3];
  }
  // Whatever else it says would print differently.
  if (!isAtom(result) || result.print(accumulators, operandA, operandB) != text)
    return std::nullopt;
  return result;
}
