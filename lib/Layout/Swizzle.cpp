// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Swizzles and composed layouts: construction, evaluation, text.
#include "tile/Layout/Swizzle.h"
#include "TextReader.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace tile;

/// The span of larger swizzled layouts is bounded instead of enumerated.
static constexpr int64_t kMaxEnumeration = int64_t(1) << 20;

Result<Swizzle> Swizzle::get(int64_t b, int64_t m, int64_t s) {
  if (b < 0)
    return Reason("expected a non-negative number of swizzle bits, but got " +
                  llvm::Twine(b));
  if (m < 0)
    return Reason("expected a non-negative swizzle base, but got " +
                  llvm::Twine(m));
  if (s < -62 || s > 62 || m > 62 || b > 62 || m + b + (s < 0 ? -s : s) > 62)
    return Reason("expected swizzled bits within 0 to 61, but got S<" +
                  llvm::Twine(b) + ", " + llvm::Twine(m) + ", " +
                  llvm::Twine(s) + ">");
  if ((s < 0 ? -s : s) < b)
    return Reason("expected a swizzle shift of at least the " + llvm::Twine(b) +
                  " swizzle bits, but got " + llvm::Twine(s));
  Swizzle swizzle;
  swizzle.b = b;
  swizzle.m = m;
  swizzle.s = s;
  return swizzle;
}

static int64_t bitMask(int64_t bits) { return (int64_t(1) << bits) - 1; }

int64_t Swizzle::getSourceMask() const {
  return bitMask(b) << (m + std::max<int64_t>(s, 0));
}

int64_t Swizzle::getTargetMask() const {
  return bitMask(b) << (m + std::max<int64_t>(-s, 0));
}

int64_t Swizzle::getPeriod() const {
  return isIdentity() ? 1 : int64_t(1) << (m + b + (s < 0 ? -s : s));
}

int64_t Swizzle::at(int64_t index) const {
  int64_t source = index & getSourceMask();
  return index ^ (s >= 0 ? source >> s : source << -s);
}

Int Swizzle::operator()(const Int &index) const {
  if (isIdentity() || index.isInvalid())
    return index;
  if (index.isStatic())
    return at(index.getValue());
  // What is a multiple of the period passes by unchanged.
  Int period = getPeriod();
  Int inside = mod(index, period);
  Int outside = index - inside;
  if (index.isMultipleOf(period))
    return index;
  if (!inside.hasExpr() || !outside.hasExpr())
    inside = index, outside = 0;
  int64_t from = m + std::max<int64_t>(s, 0);
  int64_t to = m + std::max<int64_t>(-s, 0);
  Int bits =
      mod(floorDiv(inside, Int(int64_t(1) << from)), Int(int64_t(1) << b)) *
      Int(int64_t(1) << to);
  return bitXor(index, bits);
}

void Swizzle::print(llvm::raw_ostream &os) const {
  os << "S<" << b << ", " << m << ", " << s << '>';
}

std::string Swizzle::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

Result<ComposedLayout> ComposedLayout::get(Swizzle swizzle, Int offset,
                                           Layout layout) {
  if (offset.isInvalid())
    return Reason(offset.getInvalidReason());
  if (layout.hasBasis() && (!swizzle.isIdentity() || !offset.isStatic(0)))
    return Reason("expected integer strides under a swizzle, but got " +
                  layout.getStride().str());
  ComposedLayout composed(std::move(layout));
  composed.swizzle = swizzle.isIdentity() ? Swizzle() : swizzle;
  composed.offset = std::move(offset);
  return composed;
}

Result<IntTuple> ComposedLayout::operator()(const IntTuple &coordinate) const {
  Result<IntTuple> value = layout(coordinate);
  if (!value || isPlain())
    return value;
  Int index = swizzle(offset + value->getInt());
  if (index.isInvalid())
    return Reason(index.getInvalidReason());
  return IntTuple(index);
}

Result<Int> ComposedLayout::cosize() const {
  Int span = layout.cosize();
  if (span.isInvalid())
    return Reason(span.getInvalidReason());
  if (swizzle.isIdentity())
    return span;
  if (isStatic() && size().getValue() <= kMaxEnumeration) {
    int64_t lowest = at(0), highest = lowest;
    for (int64_t i = 1, e = size().getValue(); i < e; ++i) {
      lowest = std::min(lowest, at(i));
      highest = std::max(highest, at(i));
    }
    return Int(highest) - Int(lowest) + Int(1);
  }
  // The swizzle permutes blocks of its period; one more covers the start.
  Int period = swizzle.getPeriod();
  Int blocks = ceilDiv(span, period);
  if (!offset.isMultipleOf(period))
    blocks = blocks + Int(1);
  return blocks * period;
}

ComposedLayout ComposedLayout::substitute(llvm::ArrayRef<Int> values) const {
  ComposedLayout result = *this;
  result.offset = offset.substitute(values);
  result.layout = layout.substitute(values);
  return result;
}

void ComposedLayout::print(llvm::raw_ostream &os, bool symbols) const {
  if (!isPlain()) {
    swizzle.print(os);
    os << " o ";
    offset.print(os, symbols);
    os << " o ";
  }
  layout.print(os, symbols);
}

std::string ComposedLayout::str(bool symbols) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, symbols);
  return text;
}

static Result<Swizzle> readSwizzle(detail::TextReader &reader) {
  int64_t numbers[3];
  for (unsigned i = 0; i < 3; ++i) {
    if (!reader.consume(i ? "," : "<"))
      return reader.unexpected(i ? "','" : "'<'");
    Result<int64_t> number = reader.readNumber();
    if (!number)
      return number.takeReason();
    numbers[i] = *number;
  }
  if (!reader.consume(">"))
    return reader.unexpected("'>'");
  return Swizzle::get(numbers[0], numbers[1], numbers[2]);
}

Result<ComposedLayout>
ComposedLayout::parse(llvm::StringRef text,
                      llvm::function_ref<Int(int64_t)> runTime) {
  detail::TextReader reader(text, runTime);
  Swizzle swizzle;
  Int offset = 0;
  if (reader.consume("Sw") || reader.consume("S")) {
    Result<Swizzle> read = readSwizzle(reader);
    if (!read)
      return read.takeReason();
    swizzle = *read;
    if (!reader.consume("o"))
      return reader.unexpected("'o'");
    Result<IntTuple> read2 = reader.readTuple();
    if (!read2)
      return read2.takeReason();
    if (!read2->isInt())
      return Reason("expected an integer offset, but got " + read2->str());
    offset = read2->getInt();
    if (!reader.consume("o"))
      return reader.unexpected("'o'");
  }
  Result<Layout> layout = reader.readLayout();
  if (!layout)
    return layout.takeReason();
  if (!reader.atEnd())
    return reader.unexpected("the end of the layout");
  return get(swizzle, offset, *layout);
}

llvm::hash_code tile::hash_value(const Swizzle &swizzle) {
  return llvm::hash_combine(swizzle.getBits(), swizzle.getBase(),
                            swizzle.getShift());
}

llvm::hash_code tile::hash_value(const ComposedLayout &layout) {
  return llvm::hash_combine(hash_value(layout.getSwizzle()),
                            hash_value(layout.getOffset()),
                            hash_value(layout.getLayout()));
}

llvm::raw_ostream &tile::operator<<(llvm::raw_ostream &os,
                                    const Swizzle &swizzle) {
  swizzle.print(os);
  return os;
}

llvm::raw_ostream &tile::operator<<(llvm::raw_ostream &os,
                                    const ComposedLayout &layout) {
  layout.print(os);
  return os;
}
