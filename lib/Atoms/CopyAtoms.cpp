// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of copy atoms, and looking atoms up.
#include "tile/Atoms/CopyAtoms.h"

using namespace tile;
using llvm::StringRef;
using llvm::Twine;

namespace {
struct WarpRow {
  const char *name;
  int64_t chip;
  const char *source, *destination, *reference;
};
struct ThreadRow {
  const char *name;
  int64_t chip, bits;
};
struct SizedRow {
  const char *name;
  int64_t chip;
};
} // namespace

static constexpr WarpRow kWarpRows[] = {
#define WARP_COPY(name, chip, source, destination, reference)                  \
  {name, chip, source, destination, reference},
#include "CopyAtoms.def"
};
static constexpr ThreadRow kThreadRows[] = {
#define THREAD_COPY(name, chip, bits) {name, chip, bits},
#include "CopyAtoms.def"
};
static constexpr SizedRow kSizedRows[] = {
#define SIZED_COPY(name, chip) {name, chip},
#include "CopyAtoms.def"
};

static std::string getChip(int64_t number) {
  return number ? "sm_" + std::to_string(number) : "";
}

/// One thread moves `bits` bits from one place to another.
static Result<CopyAtom> getThreadCopy(StringRef name, int64_t chip,
                                      int64_t bits) {
  Result<Layout> layout = Layout::get(IntTuple::constants({1, bits}),
                                      IntTuple::constants({0, bits > 1}));
  if (!layout)
    return layout.takeReason();
  return CopyAtom{name.str(), getChip(chip), Layout(),
                  *layout,    *layout,       *layout};
}

/// The number of bits in the brackets of `SM90_TMA_LOAD_OP<1024 bits>`.
static Result<int64_t> getBits(StringRef name, StringRef brackets) {
  int64_t bits = 0;
  if (!brackets.consume_front("<") || !brackets.consume_back(" bits>") ||
      brackets.getAsInteger(10, bits) || bits < 1)
    return Reason("expected a number of bits behind the name, as in "
                  "SM90_TMA_LOAD_OP<1024 bits>, but got '" +
                  name + "'");
  return bits;
}

Result<CopyAtom> tile::getCopyAtom(StringRef name) {
  for (const WarpRow &row : kWarpRows)
    if (name == row.name)
      // The table has no others than valid layouts (a test reads every row).
      return CopyAtom{row.name,
                      getChip(row.chip),
                      *Layout::parse("32 : 1"),
                      *Layout::parse(row.source),
                      *Layout::parse(row.destination),
                      *Layout::parse(row.reference)};
  for (const ThreadRow &row : kThreadRows)
    if (name == row.name)
      return getThreadCopy(name, row.chip, row.bits);
  for (const SizedRow &row : kSizedRows) {
    StringRef brackets = name;
    if (!brackets.consume_front(row.name) ||
        (!brackets.empty() && brackets.front() != '<'))
      continue;
    Result<int64_t> bits = getBits(name, brackets);
    if (!bits)
      return bits.takeReason();
    return getThreadCopy(name, row.chip, *bits);
  }
  return Reason("expected the name of a copy atom, but got '" + name + "'");
}

Result<CopyAtom> tile::getCopyAtom(StringRef name, int64_t valueBits) {
  if (valueBits < 1)
    return Reason("expected values of at least 1 bit, but got " +
                  Twine(valueBits));
  Result<CopyAtom> atom = getCopyAtom(name);
  if (!atom)
    return atom;
  for (Layout *layout : {&atom->source, &atom->destination, &atom->reference}) {
    Result<Layout> values = upcast(*layout, valueBits);
    if (!values)
      return values.takeReason();
    *layout = *values;
  }
  return atom;
}
