// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of mma.sync atoms, and looking atoms up.
#include "tile/Atoms/MmaAtoms.h"
#include "WgmmaAtoms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <tuple>

using namespace tile;
using llvm::StringRef;
using llvm::Twine;

namespace {
/// The layouts that a row refers to, as text.
struct Fragments {
  const char *a, *b, *c;
};

/// A row of the table.
struct Row {
  const char *name;
  int64_t chip, m, n, k;
  const char *a, *b, *c, *variant;
  const Fragments *fragments;
};
} // namespace

#define FRAGMENTS(name, a, b, c) static constexpr Fragments name = {a, b, c};
#include "MmaSyncAtoms.def"

static constexpr Row kRows[] = {
#define ATOM(name, chip, m, n, k, a, b, c, variant, fragments)                 \
  {name, chip, m, n, k, a, b, c, variant, &fragments},
#include "MmaSyncAtoms.def"
};

/// A layout of the table, which has no others than valid ones (a test reads
/// every row).
static Layout read(StringRef text) {
  Result<Layout> layout = Layout::parse(text);
  return layout ? *layout : Layout();
}

/// The lanes that execute a row together: Pascal's dot products belong to one
/// thread, Volta's instruction to a quad pair, lanes 0 to 3 and 16 to 19.
static const char *getLanes(int64_t chip) {
  if (chip == 61)
    return "1 : 0";
  return chip == 70 ? "(4, 2) : (1, 16)" : "32 : 1";
}

static MmaAtom getAtom(const Row &row) {
  MmaAtom atom;
  atom.name = row.name;
  atom.chip = "sm_" + std::to_string(row.chip);
  atom.m = row.m;
  atom.n = row.n;
  atom.k = row.k;
  atom.a = row.a;
  atom.b = row.b;
  atom.c = row.c;
  atom.variant = row.variant;
  atom.threadLayout = read(getLanes(row.chip));
  atom.threads = atom.threadLayout.size().getValue();
  atom.aLayout = read(row.fragments->a);
  atom.bLayout = read(row.fragments->b);
  atom.cLayout = read(row.fragments->c);
  return atom;
}

llvm::SmallVector<MmaAtom, 0> tile::getMmaAtoms() {
  llvm::SmallVector<MmaAtom, 0> atoms;
  for (const Row &row : kRows)
    atoms.push_back(getAtom(row));
  forEachWgmma([&](const WgmmaShape &shape) {
    atoms.push_back(*getWgmmaAtom(shape));
    return true;
  });
  return atoms;
}

Result<MmaAtom> tile::getMmaAtom(StringRef name) {
  for (const Row &row : kRows)
    if (name == row.name)
      return getAtom(row);
  Result<MmaAtom> found =
      Reason("expected the name of an mma atom, but got '" + name + "'");
  forEachWgmma([&](const WgmmaShape &shape) {
    if (getWgmmaName(shape) != name)
      return true;
    found = getWgmmaAtom(shape);
    return false;
  });
  return found;
}

Result<MmaAtom> tile::findMmaAtom(StringRef chip, StringRef a, StringRef b,
                                  StringRef c) {
  StringRef digits = chip;
  int64_t number = 0;
  if (!digits.consume_front("sm_") || digits.consumeInteger(10, number) ||
      !(digits.empty() || digits == "a" || digits == "f"))
    return Reason("expected a chip like sm_80 or sm_90a, but got '" + chip +
                  "'");
  const Row *best = nullptr, *later = nullptr;
  for (const Row &row : kRows) {
    if (a != row.a || b != row.b || c != row.c || *row.variant)
      continue;
    const Row *&slot = row.chip <= number ? best : later;
    if (!slot ||
        (slot == best && row.m * row.n * row.k > best->m * best->n * best->k))
      slot = &row;
  }
  if (best)
    return getAtom(*best);
  std::string types = (a + " x " + b + " -> " + c).str();
  if (later)
    return Reason("expected sm_" + Twine(later->chip) + " or later for " +
                  types + ", but got " + chip);
  return Reason("expected the element types of an mma atom, but got " + types);
}

/// Whether a row is an instruction of a whole warp on numbers: no dot product
/// of a thread, no quad pair, no bits, and no complex numbers, of which the
/// hardware has none.
static bool isPlainWarp(const Row &row) {
  auto isNumber = [](StringRef type) {
    return type != "u1" && !type.starts_with("complex");
  };
  return row.chip > 70 && !*row.variant && isNumber(row.a) && isNumber(row.b);
}

static bool hasTypes(const Row &row, StringRef a, StringRef b, StringRef c) {
  return a == row.a && b == row.b && c == row.c;
}

static std::string getShapeName(int64_t m, int64_t n, int64_t k) {
  return "m" + std::to_string(m) + "n" + std::to_string(n) + "k" +
         std::to_string(k);
}

Result<MmaAtom> tile::getMmaSyncAtom(const MmaSyncShape &shape) {
  auto hasShape = [&](const Row &row) {
    return shape.m == row.m && shape.n == row.n && shape.k == row.k;
  };
  llvm::SmallVector<std::string, 8> shapes, types;
  auto add = [](auto &list, const std::string &text) {
    if (!llvm::is_contained(list, text))
      list.push_back(text);
  };
  for (const Row &row : kRows) {
    if (!isPlainWarp(row))
      continue;
    bool sameTypes = hasTypes(row, shape.a, shape.b, shape.c);
    // The first of several is that of the oldest chip.
    if (sameTypes && hasShape(row))
      return getAtom(row);
    if (sameTypes)
      add(shapes, getShapeName(row.m, row.n, row.k));
    if (hasShape(row))
      add(types, std::string(row.a) + " x " + row.b + " -> " + row.c);
  }
  std::string asked = shape.a + " x " + shape.b + " -> " + shape.c;
  std::string name = getShapeName(shape.m, shape.n, shape.k);
  if (!shapes.empty())
    return Reason("expected " + llvm::join(shapes, " or ") + " for " + asked +
                  ", but got " + name);
  if (!types.empty())
    return Reason("expected " + llvm::join(types, " or ") + " for " + name +
                  ", but got " + asked);
  return Reason("expected the types and the shape of an mma.sync, such as "
                "m16n8k16 of f16 x f16 -> f32, but got " +
                name + " of " + asked);
}

llvm::SmallVector<MmaAtom, 4> tile::listMmaSyncAtoms(int sm, StringRef a,
                                                     StringRef b, StringRef c) {
  llvm::SmallVector<MmaAtom, 4> atoms;
  for (const Row &row : kRows)
    if (isPlainWarp(row) && row.chip <= sm && hasTypes(row, a, b, c))
      if (llvm::none_of(atoms, [&](const MmaAtom &other) {
            return other.m == row.m && other.n == row.n && other.k == row.k;
          }))
        atoms.push_back(getAtom(row));
  llvm::sort(atoms, [](const MmaAtom &left, const MmaAtom &right) {
    return std::tuple(left.m * left.n * left.k, left.k) <
           std::tuple(right.m * right.n * right.k, right.k);
  });
  return atoms;
}
