// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma.sync as PTX writes it: printing and reading.
#include "tile/Atoms/MmaInstruction.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tile;
using llvm::StringRef;

static constexpr llvm::StringLiteral kMnemonic = "mma.sync.aligned.m";
static constexpr int64_t kLanes = 32;

/// A type as the table of atoms spells it, in the words of PTX, and back.
static std::string toPTX(StringRef type) {
  return llvm::StringSwitch<StringRef>(type)
      .Case("i8", "s8")
      .Case("i4", "s4")
      .Case("i32", "s32")
      .Case("f8E4M3FN", "e4m3")
      .Case("f8E5M2", "e5m2")
      .Default(type)
      .str();
}

static std::string fromPTX(StringRef type) {
  return llvm::StringSwitch<StringRef>(type)
      .Case("s8", "i8")
      .Case("s4", "i4")
      .Case("s32", "i32")
      .Case("e4m3", "f8E4M3FN")
      .Case("e5m2", "f8E5M2")
      .Default(type)
      .str();
}

MmaInstruction MmaInstruction::get(const MmaAtom &atom) {
  return {atom.m, atom.n, atom.k, toPTX(atom.c), toPTX(atom.a), toPTX(atom.b)};
}

MmaSyncShape MmaInstruction::getAtomShape() const {
  return {m, n, k, fromPTX(a), fromPTX(b), fromPTX(d)};
}

int64_t MmaInstruction::getBits() const {
  return llvm::StringSwitch<int64_t>(a)
      .Cases({"s4", "u4"}, 4)
      .Cases({"s8", "u8", "e4m3", "e5m2"}, 8)
      .Cases({"f16", "bf16"}, 16)
      .Case("f64", 64)
      .Default(32);
}

/// Registers for the elements of a warp.
static int64_t countRegisters(int64_t elements, int64_t bits) {
  return elements * bits / kLanes / (bits == 64 ? 64 : 32);
}

int64_t MmaInstruction::getRegistersA() const {
  return countRegisters(m * k, getBits());
}
int64_t MmaInstruction::getRegistersB() const {
  return countRegisters(n * k, getBits());
}
int64_t MmaInstruction::getRegistersD() const {
  return countRegisters(m * n, d == "f16" ? 16 : d == "f64" ? 64 : 32);
}

std::string MmaInstruction::getShape() const {
  return "m" + std::to_string(m) + "n" + std::to_string(n) + "k" +
         std::to_string(k);
}

std::string MmaInstruction::print() const {
  std::string text = "mma.sync.aligned." + getShape() + ".row.col." + d + "." +
                     a + "." + b + "." + d;
  int64_t next = 0;
  const char *separator = " ";
  for (int64_t count :
       {getRegistersD(), getRegistersA(), getRegistersB(), getRegistersD()}) {
    text += separator;
    for (int64_t i = 0; i < count; ++i)
      text += (i ? ", $" : "{$") + std::to_string(next++);
    text += "}";
    separator = ", ";
  }
  return text + ";";
}

std::string MmaInstruction::getConstraints() const {
  std::string sum = d == "f32" ? "f" : d == "f64" ? "d" : "r";
  std::string operand = a == "f64" ? "d" : "r", text;
  for (int64_t i = 0; i < getRegistersD(); ++i)
    text += "=" + sum + ",";
  for (int64_t i = 0; i < getRegistersA() + getRegistersB(); ++i)
    text += operand + ",";
  // The sums before need not be where the sums after are.
  for (int64_t i = 0; i < getRegistersD(); ++i)
    text += sum + (i + 1 < getRegistersD() ? "," : "");
  return text;
}

std::optional<MmaInstruction> MmaInstruction::parse(StringRef text) {
  MmaInstruction result;
  StringRef rest = text;
  if (!rest.consume_front(kMnemonic) || rest.consumeInteger(10, result.m) ||
      !rest.consume_front("n") || rest.consumeInteger(10, result.n) ||
      !rest.consume_front("k") || rest.consumeInteger(10, result.k) ||
      !rest.consume_front(".row.col."))
    return std::nullopt;
  llvm::SmallVector<StringRef, 4> types;
  rest.split(' ').first.split(types, '.');
  if (types.size() != 4)
    return std::nullopt;
  result.d = types[0].str();
  result.a = types[1].str();
  result.b = types[2].str();
  // Whatever else it says would print differently.
  if (!getMmaSyncAtom(result.getAtomShape()) || result.print() != text)
    return std::nullopt;
  return result;
}

unsigned MmaInstruction::getMinSM() const {
  Result<MmaAtom> atom = getMmaSyncAtom(getAtomShape());
  unsigned sm = 0;
  if (atom)
    StringRef(atom->chip).substr(3).getAsInteger(10, sm);
  return sm;
}

unsigned MmaInstruction::getMinPTX() const {
  // From the PTX ISA's notes on mma.
  if (a == "e4m3" || a == "e5m2")
    return d == "f16" ? 87 : 84;
  if (a == "f64" && m == 16)
    return 78;
  return getMinSM() < 80 ? 65 : 70;
}
