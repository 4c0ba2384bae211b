// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tilers: construction and text.
#include "tile/Layout/Tiler.h"
#include "TextReader.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;

Tiler Tiler::byMode(std::vector<Tiler> modes) {
  Tiler tiler{Layout()};
  tiler.kind = Kind::ByMode;
  tiler.modes = std::move(modes);
  return tiler;
}

Tiler Tiler::wildcard() {
  Tiler tiler{Layout()};
  tiler.kind = Kind::Wildcard;
  return tiler;
}

Result<Tiler> Tiler::fromShape(const IntTuple &shape) {
  if (shape.isWildcard())
    return wildcard();
  if (shape.isLeaf()) {
    Result<Layout> layout = Layout::get(shape, 1);
    if (!layout)
      return layout.takeReason();
    return Tiler(*layout);
  }
  if (shape.rank() == 0)
    return Reason("expected at least one mode in a tiler, but got ()");
  std::vector<Tiler> modes;
  for (const IntTuple &mode : shape) {
    Result<Tiler> tiler = fromShape(mode);
    if (!tiler)
      return tiler;
    modes.push_back(*tiler);
  }
  return byMode(std::move(modes));
}

Tiler Tiler::substitute(llvm::ArrayRef<Int> values) const {
  if (isLayout())
    return Tiler(layout.substitute(values));
  Tiler result = *this;
  for (Tiler &mode : result.modes)
    mode = mode.substitute(values);
  return result;
}

Result<Tiler> Tiler::mapLeaves(
    llvm::function_ref<IntTuple(const IntTuple &, bool)> function) const {
  Tiler result = *this;
  if (isLayout()) {
    IntTuple shape = layout.getShape().mapLeaves(
        [&](const IntTuple &leaf) { return function(leaf, true); });
    IntTuple stride = layout.getStride().mapLeaves(
        [&](const IntTuple &leaf) { return function(leaf, false); });
    Result<Layout> mapped = Layout::get(shape, stride);
    if (!mapped)
      return mapped.takeReason();
    return Tiler(*mapped);
  }
  for (Tiler &mode : result.modes) {
    Result<Tiler> mapped = mode.mapLeaves(function);
    if (!mapped)
      return mapped;
    mode = *mapped;
  }
  return result;
}

bool Tiler::operator==(const Tiler &other) const {
  return kind == other.kind && layout == other.layout && modes == other.modes;
}

void Tiler::print(llvm::raw_ostream &os) const {
  switch (kind) {
  case Kind::Wildcard:
    os << '_';
    return;
  case Kind::Layout:
    layout.print(os);
    return;
  case Kind::ByMode:
    os << '<';
    for (unsigned i = 0; i < modes.size(); ++i) {
      if (i)
        os << ", ";
      const Tiler &mode = modes[i];
      if (mode.isLayout() && mode.layout.isLeaf() &&
          mode.layout.getStride().isStatic(1))
        os << mode.layout.getShape();
      else
        mode.print(os);
    }
    os << '>';
    return;
  }
}

std::string Tiler::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

/// Tilers nested deeper than this are refused.
static constexpr unsigned kMaxTilerDepth = 16;

static Result<Tiler> readTiler(detail::TextReader &reader, unsigned depth) {
  if (depth > kMaxTilerDepth)
    return Reason("expected at most 16 levels of nesting, but got more");
  if (reader.consume("<")) {
    std::vector<Tiler> modes;
    do {
      Result<Tiler> mode = readTiler(reader, depth + 1);
      if (!mode)
        return mode;
      modes.push_back(*mode);
    } while (reader.consume(","));
    if (!reader.consume(">"))
      return reader.unexpected("',' or '>'");
    return Tiler::byMode(std::move(modes));
  }
  Result<IntTuple> shape = reader.readTuple();
  if (!shape)
    return shape.takeReason();
  if (!reader.consume(":")) {
    if (depth + shape->depth() > kMaxTilerDepth)
      return Reason("expected at most 16 levels of nesting, but got more");
    return Tiler::fromShape(*shape);
  }
  Result<IntTuple> stride = reader.readTuple();
  if (!stride)
    return stride.takeReason();
  Result<Layout> layout = Layout::get(*shape, *stride);
  if (!layout)
    return layout.takeReason();
  return Tiler(*layout);
}

Result<Tiler> Tiler::parse(llvm::StringRef text,
                           llvm::function_ref<Int(int64_t)> runTime) {
  detail::TextReader reader(text, runTime);
  Result<Tiler> tiler = readTiler(reader, 0);
  if (tiler && !reader.atEnd())
    return reader.unexpected("the end of the tiler");
  return tiler;
}
