// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wgmma atoms by formula: types from a table, layouts from n and k.
#include "WgmmaAtoms.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tile;
using llvm::StringRef;
using llvm::Twine;

namespace {
/// The types of a family of instructions, and the width of A and B.
struct Types {
  const char *a, *b, *c;
  int64_t bits;
};
} // namespace

static constexpr Types kTypes[] = {
    {"f16", "f16", "f16", 16},
    {"f16", "f16", "f32", 16},
    {"bf16", "bf16", "f32", 16},
    {"tf32", "tf32", "f32", 32},
    {"i8", "i8", "i32", 8},
    {"i8", "u8", "i32", 8},
    {"u8", "i8", "i32", 8},
    {"u8", "u8", "i32", 8},
    {"f8E4M3FN", "f8E4M3FN", "f16", 8},
    {"f8E4M3FN", "f8E4M3FN", "f32", 8},
    {"f8E4M3FN", "f8E5M2", "f16", 8},
    {"f8E4M3FN", "f8E5M2", "f32", 8},
    {"f8E5M2", "f8E4M3FN", "f16", 8},
    {"f8E5M2", "f8E4M3FN", "f32", 8},
    {"f8E5M2", "f8E5M2", "f16", 8},
    {"f8E5M2", "f8E5M2", "f32", 8},
};

static bool isInteger(const Types &types) {
  return StringRef(types.c) == "i32";
}

/// Integers skip the odd multiples of 8 beyond 24.
static bool hasExtent(const Types &types, int64_t n) {
  return n >= 8 && n <= 256 && n % 8 == 0 &&
         (!isInteger(types) || n <= 32 || n % 16 == 0);
}

static const Types *findTypes(const WgmmaShape &shape) {
  for (const Types &types : kTypes)
    if (shape.a == types.a && shape.b == types.b && shape.c == types.c)
      return &types;
  return nullptr;
}

static StringRef getShortName(StringRef type) {
  return llvm::StringSwitch<StringRef>(type)
      .Case("f16", "F16")
      .Case("bf16", "BF16")
      .Case("tf32", "TF32")
      .Case("f32", "F32")
      .Case("i32", "S32")
      .Case("i8", "S8")
      .Case("u8", "U8")
      .Case("f8E4M3FN", "E4M3")
      .Case("f8E5M2", "E5M2")
      .Default(type);
}

static const char *toString(Major major) {
  return major == Major::K ? "K" : "MN";
}

std::string tile::getWgmmaName(const WgmmaShape &shape) {
  const Types *types = findTypes(shape);
  int64_t bits = types ? types->bits : 16;
  std::string name = "SM90_64x" + std::to_string(shape.n) + "x" +
                     std::to_string(256 / bits) + "_";
  for (StringRef type : {shape.c, shape.a, shape.b})
    name += getShortName(type);
  name += shape.aShared ? "_SS" : "_RS";
  if (bits == 16)
    return name + "[A=" + toString(shape.aMajor) +
           ",B=" + toString(shape.bMajor) + "]";
  return name + "_TN" + (shape.saturate ? "_SATURATE" : "");
}

void tile::forEachWgmma(llvm::function_ref<bool(const WgmmaShape &)> visit) {
  for (const Types &types : kTypes)
    for (bool aShared : {true, false})
      for (Major aMajor : {Major::K, Major::MN})
        for (Major bMajor : {Major::K, Major::MN})
          for (bool saturate : {false, true})
            for (int64_t n = 8; n <= 256; n += 8) {
              bool isK = aMajor == Major::K && bMajor == Major::K;
              if (!hasExtent(types, n) || (saturate && !isInteger(types)) ||
                  (types.bits != 16 && !isK) ||
                  (!aShared && aMajor == Major::MN))
                continue;
              if (!visit({n, types.a, types.b, types.c, aShared, aMajor, bMajor,
                          saturate}))
                return;
            }
}

std::optional<Reason> tile::checkWgmmaShape(const WgmmaShape &shape) {
  const Types *types = findTypes(shape);
  if (!types)
    return Reason("expected the element types of a wgmma atom, but got " +
                  shape.a + " x " + shape.b + " -> " + shape.c);
  if (!hasExtent(*types, shape.n))
    return Reason(Twine("expected n from 8 to 256 in steps of ") +
                  (isInteger(*types) ? "16, or 8 or 24," : "8") + " for " +
                  shape.a + ", but got " + Twine(shape.n));
  if (!shape.aShared && shape.aMajor == Major::MN)
    return Reason("expected A in registers to be K-major, but got MN-major");
  if (types->bits != 16)
    for (auto [name, major] :
         {std::pair("A", shape.aMajor), {"B", shape.bMajor}})
      if (major == Major::MN)
        return Reason(Twine("expected ") + name + " of " +
                      (*name == 'A' ? shape.a : shape.b) +
                      " to be K-major, but got MN-major");
  if (shape.saturate && !isInteger(*types))
    return Reason("expected an integer accumulator to saturate, but got " +
                  shape.c);
  return std::nullopt;
}

static Layout read(const Twine &text) {
  Result<Layout> layout = Layout::parse(text.str());
  return layout ? *layout : Layout();
}

/// A of 64 x k in registers: a thread has 32 bits of neighbours along k, the
/// same eight rows below, and both again 16 bytes to the right.
static Layout getRegisterA(int64_t bits) {
  int64_t step = 32 / bits;
  if (step == 1)
    return read("((4, 8, 4), (2, 2)) : ((64, 1, 16), (8, 256))");
  return read("((4, 8, 4), (" + Twine(step) + ", 2, 2)) : ((" +
              Twine(64 * step) + ", 1, 16), (64, 8, " + Twine(64 * 4 * step) +
              "))");
}

/// The whole of an operand for every thread.
static Layout getShared(int64_t rows, int64_t k) {
  return read("(128, (" + Twine(rows) + ", " + Twine(k) + ")) : (0, (1, " +
              Twine(rows) + "))");
}

Result<MmaAtom> tile::getWgmmaAtom(const WgmmaShape &shape) {
  if (std::optional<Reason> reason = checkWgmmaShape(shape))
    return *reason;
  const Types &types = *findTypes(shape);
  MmaAtom atom;
  atom.name = getWgmmaName(shape);
  atom.chip = "sm_90a";
  atom.m = 64;
  atom.n = shape.n;
  atom.k = 256 / types.bits;
  atom.a = shape.a;
  atom.b = shape.b;
  atom.c = shape.c;
  atom.threads = 128;
  atom.variant = shape.saturate ? "SATURATE" : "";
  atom.aShared = shape.aShared;
  atom.bShared = true;
  atom.aMajor = shape.aMajor;
  atom.bMajor = shape.bMajor;
  atom.threadLayout = read("128 : 1");
  atom.aLayout =
      shape.aShared ? getShared(64, atom.k) : getRegisterA(types.bits);
  atom.bLayout = getShared(shape.n, atom.k);
  // Four warps of 16 rows; a thread has pairs of columns, eight rows apart.
  atom.cLayout = read("((4, 8, 4), (2, 2, " + Twine(shape.n / 8) +
                      ")) : ((128, 1, 16), (64, 8, 512))");
  return atom;
}
