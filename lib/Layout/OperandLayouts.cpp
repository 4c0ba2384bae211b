// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared-memory layouts of operands that CUTLASS 2.x has names for.
#include "tile/Layout/OperandLayouts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace tile;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::Twine;

namespace {

/// One mode of a coordinate: an extent (0: what is left), and a stride in
/// elements, in rows of shared memory, or in lines.
struct Digit {
  enum Unit { Elements, Rows, Lines };
  int64_t extent, stride;
  Unit unit = Elements;
};

/// `bits` bits from bit `from` on are xored into the offset from bit `to` on:
/// bits of the number of the row, or of the offset itself.
struct Spread {
  int64_t bits, to, from;
  bool fromRow = true;
};

/// A layout before its extents and its pitch are known. A row of memory
/// consists of lines, inside which the swizzle acts.
struct Form {
  SmallVector<Digit, 4> contiguous, strided;
  SmallVector<Spread, 2> spreads;
  /// Elements of a line, a power of two.
  int64_t line;
  /// Pitches in a row.
  int64_t pitches = 1;
};

} // namespace

static Digit rows(int64_t extent, int64_t stride) {
  return {extent, stride, Digit::Rows};
}

/// The lines of a row: what is left of an extent.
static Digit lines() { return {0, 1, Digit::Lines}; }

/// The form of TensorOp: vectors of 16 bytes, eight of them in 128 bytes, which
/// hold `shared` rows of a section.
static Result<Form> getTensorOpForm(int64_t bits, int64_t section) {
  if (bits < 1 || bits > 64 || !llvm::isPowerOf2_64(bits))
    return Reason(
        "expected elements of 1 to 64 bits, a power of two, but got " +
        Twine(bits));
  int64_t vector = 128 / bits, line = 8 * vector;
  if (section < vector || section > line || line % section != 0)
    return Reason("expected a section that is a part of the " + Twine(line) +
                  " elements of 128 bytes and has at least " + Twine(vector) +
                  ", but got " + Twine(section));
  int64_t shared = line / section;
  return Form{{{section, 1}, lines()},
              {{shared, section}, rows(0, 1)},
              {{shared == 1 ? 3 : 2, int64_t(llvm::Log2_64(vector)), 0}},
              line,
              shared};
}

static Result<Form> getForm(OperandLayout kind, const OperandShape &shape) {
  switch (kind) {
  case OperandLayout::TensorOp:
    return getTensorOpForm(shape.bits, shape.section);
  case OperandLayout::Congruous32:
    return Form{{{32, 1}, lines()}, {rows(0, 1)}, {{2, 3, 0}}, 32};
  case OperandLayout::Congruous64:
    return Form{{{2, 8}, rows(4, 1), {2, 1}, lines()},
                {{4, 2}, rows(0, 4)},
                {{2, 1, 0}},
                16};
  case OperandLayout::Congruous128:
    return Form{{{2, 4}, rows(4, 1), {2, 8}, lines()},
                {{4, 1}, rows(0, 4)},
                {{2, 0, 0}},
                16};
  case OperandLayout::Crosswise64:
    return Form{{{4, 2}, rows(0, 4)},
                {{2, 8}, rows(4, 1), {2, 1}, lines()},
                {{1, 0, 2}, {1, 3, 3}},
                16};
  case OperandLayout::Crosswise128x4:
    return Form{
        {{4, 1}, rows(0, 4)}, {{2, 4}, rows(4, 1), lines()}, {{1, 2, 2}}, 8};
  case OperandLayout::RowInterleaved:
    return Form{{{32, 1}}, {{4, 32}, rows(0, 1)}, {{1, 4, 0}}, 128};
  case OperandLayout::VoltaCongruous:
    return Form{{{8, 1}, {2, 32}, rows(4, 1), lines()},
                {{4, 8}, rows(0, 4)},
                {{2, 3, 0}},
                64};
  case OperandLayout::VoltaCongruousB:
    return Form{{{8, 1}, rows(4, 1), {2, 32}, lines()},
                {{4, 8}, rows(0, 4)},
                {{2, 3, 0}},
                64};
  case OperandLayout::VoltaCrosswise:
    return Form{{{4, 1}, rows(0, 1)},
                {{4, 16}, {4, 4}, {2, 64}, lines()},
                {{2, 2, 1}, {1, 3, 6, /*fromRow=*/false}},
                128,
                /*pitches=*/4};
  }
  return Reason("expected a known layout");
}

namespace {
/// What strides count in.
struct Units {
  int64_t row, line;
  int64_t get(Digit::Unit unit) const {
    return unit == Digit::Rows ? row : unit == Digit::Lines ? line : 1;
  }
};
} // namespace

/// The extents of a mode's digits; the last one may be open.
static Result<SmallVector<int64_t>>
getExtents(ArrayRef<Digit> digits, int64_t extent, const char *name) {
  int64_t fixed = 1;
  for (const Digit &digit : digits)
    fixed *= std::max<int64_t>(1, digit.extent);
  bool isOpen = digits.back().extent == 0;
  if (extent < 1 || extent % fixed != 0 || (!isOpen && extent != fixed))
    return Reason("expected a " + Twine(name) + " extent that is " +
                  (isOpen ? "a multiple of " : "") + Twine(fixed) +
                  ", but got " + Twine(extent));
  SmallVector<int64_t> extents;
  for (const Digit &digit : digits)
    extents.push_back(digit.extent ? digit.extent : extent / fixed);
  return extents;
}

/// One coordinate's mode.
static std::pair<IntTuple, IntTuple> makeMode(ArrayRef<Digit> digits,
                                              ArrayRef<int64_t> extents,
                                              const Units &units) {
  SmallVector<IntTuple> shape, stride;
  for (auto [digit, extent] : llvm::zip_equal(digits, extents)) {
    shape.push_back(extent);
    stride.push_back(Int(digit.stride) * Int(units.get(digit.unit)));
  }
  return {IntTuple::tuple(shape), IntTuple::tuple(stride)};
}

static Result<ComposedLayout> makeLine(const Swizzle &swizzle,
                                       const Int &size) {
  Result<Layout> layout =
      Layout::get(IntTuple::tuple({size}), IntTuple::tuple({Int(1)}));
  if (!layout)
    return layout.takeReason();
  return ComposedLayout::get(swizzle, 0, *layout);
}

Result<LayoutChain> tile::getOperandLayout(OperandLayout kind,
                                           const OperandShape &shape) {
  Result<Form> form = getForm(kind, shape);
  if (!form)
    return form.takeReason();
  Result<SmallVector<int64_t>> contiguous =
      getExtents(form->contiguous, shape.contiguous, "contiguous");
  if (!contiguous)
    return contiguous.takeReason();
  Result<SmallVector<int64_t>> strided =
      getExtents(form->strided, shape.strided, "strided");
  if (!strided)
    return strided.takeReason();
  // An interleaved layout has no pitch but its lines.
  constexpr int64_t kMaxPitch = int64_t(1) << 32;
  int64_t row = kind == OperandLayout::RowInterleaved
                    ? form->line
                    : shape.pitch * form->pitches;
  int64_t numRows = 1, numLines = 1;
  for (auto [digits, extents] :
       {std::pair(ArrayRef(form->contiguous), ArrayRef<int64_t>(*contiguous)),
        std::pair(ArrayRef(form->strided), ArrayRef<int64_t>(*strided))})
    for (auto [digit, extent] : llvm::zip_equal(digits, extents)) {
      numRows *= digit.unit == Digit::Rows ? extent : 1;
      numLines *= digit.unit == Digit::Lines ? extent : 1;
    }
  if (shape.pitch < 1 || shape.pitch > kMaxPitch || row % form->line != 0 ||
      row / form->line < numLines)
    return Reason(
        "expected a pitch that is a multiple of " +
        Twine(form->line / std::gcd(form->line, form->pitches)) +
        " elements, at least " +
        Twine((numLines * form->line + form->pitches - 1) / form->pitches) +
        ", but got " + Twine(shape.pitch));
  // Where the number of the row is no bits of the offset, lines of all rows
  // come before the next line, until a last layout puts them in place.
  bool isDirect = llvm::isPowerOf2_64(row);
  Units units = isDirect ? Units{row, form->line}
                         : Units{form->line, form->line * numRows};
  auto [shape0, stride0] = makeMode(form->contiguous, *contiguous, units);
  auto [shape1, stride1] = makeMode(form->strided, *strided, units);
  Result<Layout> layout = Layout::get(IntTuple::tuple({shape0, shape1}),
                                      IntTuple::tuple({stride0, stride1}));
  if (!layout)
    return layout.takeReason();
  Int span = layout->cosize();
  LayoutChain chain;
  for (const Spread &spread : form->spreads) {
    int64_t from =
        spread.from + (spread.fromRow ? llvm::Log2_64(units.row) : 0);
    Result<Swizzle> swizzle =
        Swizzle::get(spread.bits, spread.to, from - spread.to);
    if (!swizzle)
      return swizzle.takeReason();
    Result<ComposedLayout> composed =
        chain.empty() ? ComposedLayout::get(*swizzle, 0, *layout)
                      : makeLine(*swizzle, span);
    if (!composed)
      return composed.takeReason();
    chain.push_back(*composed);
    Result<Int> next = chain.back().cosize();
    if (!next)
      return next.takeReason();
    span = *next;
  }
  if (isDirect)
    return chain;
  Result<Layout> outer = Layout::get(
      IntTuple::tuple({Int(form->line), Int(numRows), Int(numLines)}),
      IntTuple::tuple({Int(1), Int(row), Int(form->line)}));
  if (!outer)
    return outer.takeReason();
  chain.push_back(*outer);
  return chain;
}

int64_t tile::evaluate(ArrayRef<ComposedLayout> chain, int64_t contiguous,
                       int64_t strided) {
  int64_t value = 0;
  bool isFirst = true;
  for (const ComposedLayout &layout : chain) {
    const Layout &inner = layout.getLayout();
    value = isFirst ? inner[0].at(contiguous) + inner[1].at(strided)
                    : inner.at(value);
    value = layout.getSwizzle().at(layout.getOffset().getValue() + value);
    isFirst = false;
  }
  return value;
}
