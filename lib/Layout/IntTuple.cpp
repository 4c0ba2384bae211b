// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nested integer tuples: structure, printing and parsing.
#include "tile/Layout/IntTuple.h"
#include "TextReader.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;

/// The heap part of a tuple (its modes) or of a basis leaf (its path).
struct IntTuple::Storage {
  llvm::SmallVector<IntTuple, 4> modes;
  llvm::SmallVector<int64_t, 2> path;
};

IntTuple IntTuple::tuple(llvm::ArrayRef<IntTuple> elements) {
  auto storage = std::make_shared<Storage>();
  storage->modes.assign(elements.begin(), elements.end());
  IntTuple result;
  result.kind = Kind::Tuple;
  result.storage = std::move(storage);
  return result;
}

IntTuple IntTuple::constants(llvm::ArrayRef<int64_t> values) {
  return tuple(llvm::SmallVector<IntTuple>(values.begin(), values.end()));
}

IntTuple IntTuple::wildcard() {
  IntTuple result;
  result.kind = Kind::Wildcard;
  return result;
}

IntTuple IntTuple::basis(Int scale, llvm::ArrayRef<int64_t> path) {
  IntTuple result(std::move(scale));
  if (path.empty())
    return result;
  auto storage = std::make_shared<Storage>();
  storage->path.assign(path.begin(), path.end());
  result.kind = Kind::Basis;
  result.storage = std::move(storage);
  return result;
}

llvm::ArrayRef<int64_t> IntTuple::getPath() const {
  return isBasis() ? llvm::ArrayRef<int64_t>(storage->path)
                   : llvm::ArrayRef<int64_t>();
}

unsigned IntTuple::rank() const {
  return isTuple() ? storage->modes.size() : 1;
}

unsigned IntTuple::depth() const {
  if (isLeaf())
    return 0;
  unsigned deepest = 0;
  for (const IntTuple &mode : *this)
    deepest = std::max(deepest, mode.depth());
  return deepest + 1;
}

const IntTuple &IntTuple::operator[](unsigned index) const {
  assert(index < rank() && "mode out of range");
  return begin()[index];
}

const IntTuple *IntTuple::begin() const {
  return isTuple() ? storage->modes.data() : this;
}

bool IntTuple::isStatic() const {
  switch (kind) {
  case Kind::Int:
  case Kind::Basis:
    return value.isStatic();
  case Kind::Wildcard:
    return false;
  case Kind::Tuple:
    return llvm::all_of(storage->modes,
                        [](const IntTuple &mode) { return mode.isStatic(); });
  }
  return false;
}

bool IntTuple::hasWildcard() const {
  if (isTuple())
    return llvm::any_of(storage->modes, [](const IntTuple &mode) {
      return mode.hasWildcard();
    });
  return isWildcard();
}

bool IntTuple::hasBasis() const {
  if (isTuple())
    return llvm::any_of(storage->modes,
                        [](const IntTuple &mode) { return mode.hasBasis(); });
  return isBasis();
}

std::optional<std::string> IntTuple::findInvalid() const {
  if (isLeaf()) {
    if (value.isInvalid())
      return value.getInvalidReason();
    return std::nullopt;
  }
  for (const IntTuple &mode : *this)
    if (std::optional<std::string> reason = mode.findInvalid())
      return reason;
  return std::nullopt;
}

static void collectLeaves(const IntTuple &tuple,
                          llvm::SmallVectorImpl<IntTuple> &leaves) {
  if (tuple.isLeaf()) {
    leaves.push_back(tuple);
    return;
  }
  for (const IntTuple &mode : tuple)
    collectLeaves(mode, leaves);
}

llvm::SmallVector<IntTuple, 4> IntTuple::getLeaves() const {
  llvm::SmallVector<IntTuple, 4> leaves;
  collectLeaves(*this, leaves);
  return leaves;
}

IntTuple IntTuple::flatten() const {
  return isLeaf() ? *this : tuple(getLeaves());
}

IntTuple IntTuple::mapLeaves(
    llvm::function_ref<IntTuple(const IntTuple &)> function) const {
  if (isLeaf())
    return function(*this);
  llvm::SmallVector<IntTuple> modes;
  for (const IntTuple &mode : *this)
    modes.push_back(mode.mapLeaves(function));
  return tuple(modes);
}

IntTuple IntTuple::substitute(llvm::ArrayRef<Int> values) const {
  return mapLeaves([&](const IntTuple &leaf) -> IntTuple {
    if (leaf.isWildcard())
      return leaf;
    return basis(leaf.getInt().substitute(values), leaf.getPath());
  });
}

IntTuple IntTuple::withSymbols(unsigned &next) const {
  return mapLeaves([&](const IntTuple &leaf) -> IntTuple {
    if (leaf.isWildcard() || !leaf.getInt().isDynamic() ||
        leaf.getInt().hasExpr())
      return leaf;
    return basis(Int::symbol(next++, leaf.getInt().getDivisor()),
                 leaf.getPath());
  });
}

IntTuple IntTuple::withoutExprs() const {
  return mapLeaves([](const IntTuple &leaf) -> IntTuple {
    if (leaf.isWildcard())
      return leaf;
    return basis(leaf.getInt().withoutExpr(), leaf.getPath());
  });
}

bool IntTuple::operator==(const IntTuple &other) const {
  if (kind != other.kind)
    return false;
  switch (kind) {
  case Kind::Int:
    return value == other.value;
  case Kind::Wildcard:
    return true;
  case Kind::Basis:
    return value == other.value && getPath() == other.getPath();
  case Kind::Tuple:
    return storage == other.storage || getModes() == other.getModes();
  }
  return false;
}

llvm::hash_code tile::hash_value(const IntTuple &tuple) {
  if (tuple.isWildcard())
    return llvm::hash_combine(7);
  if (tuple.isBasis()) {
    llvm::ArrayRef<int64_t> path = tuple.getPath();
    return llvm::hash_combine(
        hash_value(tuple.getInt()),
        llvm::hash_combine_range(path.begin(), path.end()));
  }
  if (tuple.isLeaf())
    return hash_value(tuple.getInt());
  llvm::hash_code code = llvm::hash_combine(11, tuple.rank());
  for (const IntTuple &mode : tuple)
    code = llvm::hash_combine(code, hash_value(mode));
  return code;
}

void IntTuple::print(llvm::raw_ostream &os, bool symbols) const {
  switch (kind) {
  case Kind::Int:
    value.print(os, symbols);
    return;
  case Kind::Wildcard:
    os << '_';
    return;
  case Kind::Basis:
    value.print(os, symbols);
    for (int64_t index : llvm::reverse(storage->path))
      os << '@' << index;
    return;
  case Kind::Tuple:
    os << '(';
    for (unsigned i = 0; i < rank(); ++i) {
      if (i)
        os << ", ";
      (*this)[i].print(os, symbols);
    }
    os << ')';
    return;
  }
}

std::string IntTuple::str(bool symbols) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, symbols);
  return text;
}

llvm::raw_ostream &tile::operator<<(llvm::raw_ostream &os,
                                    const IntTuple &tuple) {
  tuple.print(os);
  return os;
}

std::string tile::printPath(llvm::ArrayRef<int64_t> path) {
  std::string text = "[";
  for (unsigned i = 0; i < path.size(); ++i)
    text += (i ? ", " : "") + std::to_string(path[i]);
  return text + "]";
}

Result<IntTuple> IntTuple::parse(llvm::StringRef text,
                                 llvm::function_ref<Int(int64_t)> runTime) {
  detail::TextReader reader(text, runTime);
  Result<IntTuple> tuple = reader.readTuple();
  if (!tuple)
    return tuple;
  if (!reader.atEnd())
    return reader.unexpected("the end of the tuple");
  return tuple;
}
