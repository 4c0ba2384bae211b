// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks of mapped iterators: as text of the IR, and what the lowered IR does.
#include "MappedWalk.h"

#include <numeric>

using namespace mlir;
using namespace tile::test;

/// Where the list of indices lies; far from everything else.
static constexpr int64_t kIndicesBase = int64_t(1) << 40;

namespace {

/// Writes numbers as operands of an operation and as leaves of a type.
class Numbers {
public:
  Numbers(const MappedWalk &walk) : walk(walk) {}

  /// `%a3 {div = 4}`, or a constant.
  std::string operand(int64_t number, bool isConstant = false) {
    if (isConstant || isKnown(number))
      return std::to_string(number);
    arguments.push_back(number);
    return "%a" + std::to_string(arguments.size() - 1) + divisor(number);
  }
  std::string leaf(int64_t number, bool isConstant = false) const {
    if (isConstant || isKnown(number))
      return std::to_string(number);
    return "?" + divisor(number);
  }

  std::vector<int64_t> arguments;

private:
  /// Strides of one are constants everywhere, or nothing were contiguous.
  bool isKnown(int64_t number) const { return walk.constants || number == 1; }
  std::string divisor(int64_t number) const {
    int64_t known = number == 0 ? 16 : std::min<int64_t>(16, number & -number);
    if (!walk.divisors || known == 1)
      return "";
    return "{div = " + std::to_string(known) + "}";
  }
  const MappedWalk &walk;
};

template <typename T>
std::string list(const std::vector<T> &entries,
                 const std::function<std::string(const T &)> &write) {
  std::string text = "(";
  for (size_t i = 0; i < entries.size(); ++i)
    text += (i ? ", " : "") + write(entries[i]);
  return text + ")";
}

} // namespace

void MappedWalk::writeBody(int64_t count, bool stores,
                           const std::vector<int64_t> &jumps) {
  body.clear();
  for (int64_t k = 0; k < count; ++k) {
    std::string it = "%it" + std::to_string(k), number = std::to_string(k);
    if (stores)
      body += "  tile.iterator_store %frag, " + it + " : !frag, !iter\n";
    else
      body +=
          "  %f" + number + " = tile.iterator_load " + it + " : !iter -> !frag\n";
    if (k + 1 == count)
      break;
    std::string by;
    if (!jumps.empty()) {
      body += "  %j" + number + " = arith.constant " +
              std::to_string(jumps[k]) + " : index\n";
      by = " by %j" + number;
    }
    body += "  %it" + std::to_string(k + 1) + " = tile.iterator_advance " + it +
            by + " : !iter\n";
  }
}

std::string MappedWalk::write(std::vector<int64_t> *arguments) const {
  Numbers numbers(*this);
  auto operands = [&](const std::vector<int64_t> &entries) {
    return list<int64_t>(entries,
                         [&](const int64_t &n) { return numbers.operand(n); });
  };
  auto leaves = [&](const std::vector<int64_t> &entries) {
    return list<int64_t>(entries,
                         [&](const int64_t &n) { return numbers.leaf(n); });
  };
  auto basis = [](const MappedLeaf &leaf) {
    return "@e" + std::to_string(leaf.mode);
  };
  std::string pointer = space == "shared" ? "!llvm.ptr<3>" : "!llvm.ptr<1>";
  std::string view = "!tile.view<" + elementType + ", " + space + ", " +
                     leaves(shape) + " : " + leaves(stride) + ", align = 16>";
  std::string iter = "!tile.iterator<!view, " + map;
  std::string make = "  %v = tile.make_view %p, " + operands(shape) + " : " +
                     operands(stride) + " : " + pointer + " -> !view\n";
  if (indices)
    make += "  %i = tile.make_view %ip, (" + numbers.operand(indices->size()) +
            ") : (1) : !llvm.ptr<1> -> "
            "!indices\n";
  // Where leaves hold whole tiles it must be known that tiles start there.
  bool knowsStart = false;
  for (const auto *leaves : {&rows, &columns})
    for (const MappedLeaf &leaf : *leaves)
      knowsStart |= leaf.isConstant;
  auto coordinate = [&](const int64_t &number) {
    return numbers.operand(number, knowsStart);
  };
  make += "  %it0 = tile.make_iterator %v" +
          list<int64_t>({start[0], start[1]}, coordinate) + ", %t";
  if (!rows.empty()) {
    auto both = [&](const std::function<std::string(const MappedLeaf &)> &f) {
      return "(" + list<MappedLeaf>(rows, f) + ", " +
             list<MappedLeaf>(columns, f) + ")";
    };
    iter += ", coords " + both([&](const MappedLeaf &leaf) {
              return numbers.leaf(leaf.extent, leaf.isConstant);
            }) +
            " : " + both([&](const MappedLeaf &leaf) {
              return numbers.leaf(leaf.stride) + basis(leaf);
            });
    make += " coords " + both([&](const MappedLeaf &leaf) {
              return numbers.operand(leaf.extent, leaf.isConstant);
            });
    make += " : " + both([&](const MappedLeaf &leaf) {
              return numbers.operand(leaf.stride) + basis(leaf);
            });
  }
  if (!origin.empty())
    make += " origin " + operands(origin);
  if (!divide.empty()) {
    iter += ", divide " + leaves(divide);
    make += " divide " + operands(divide);
  }
  iter += ", steps = " + std::to_string(steps);
  if (advance >= 0)
    iter += ", advance = " + std::to_string(advance);
  if (fill != "full")
    iter += ", triangle = #tile.triangle<" + fill + ">";
  if (indices) {
    iter += ", gather = #tile.gather<dim = 0, indices = !indices>";
    make += " indices %i";
  }
  if (!xorBits.empty()) {
    iter += ", xor = [";
    for (size_t i = 0; i < xorBits.size(); ++i)
      iter += (i ? ", " : "") + std::to_string(xorBits[i]);
    iter += "]";
  }
  if (!whole)
    iter += ", masked";
  std::string text = "!view = " + view + "\n";
  if (indices)
    text += "!indices = !tile.view<i32, global, (" +
            numbers.leaf(indices->size()) + ") : (1)>\n";
  text += "!iter = " + iter + ">\n!frag = " + "vector<" +
          std::to_string(fragment) + "x" + elementType + ">\n";
  text += "func.func @walk(%p: " + pointer +
          ", %ip: !llvm.ptr<1>, %t: index, "
          "%frag: !frag";
  for (size_t i = 0; i < numbers.arguments.size(); ++i)
    text += ", %a" + std::to_string(i) + ": index";
  text += ") {\n" + make + " : !iter\n" + body + "  return\n}\n";
  if (arguments)
    *arguments = numbers.arguments;
  return text;
}

LoweredMappedWalk::LoweredMappedWalk(MLIRContext &context,
                                     const MappedWalk &walk, std::string &error,
                                     bool viaViews)
    : walk(walk), module(lower(context, this->walk.write(&arguments),
                               walk.unroll, error, viaViews)) {
  if (module)
    program.emplace(module->lookupSymbol<func::FuncOp>("walk"));
}

Recording LoweredMappedWalk::record(int64_t t, std::string &error) {
  RuntimeValue labels(walk.fragment);
  std::iota(labels.begin(), labels.end(), 0);
  std::vector<RuntimeValue> values{{0}, {kIndicesBase}, {t}, labels};
  for (int64_t number : arguments)
    values.push_back({number});
  bool outside = false;
  Recording recording = program->run(values, [&](int64_t address) -> int64_t {
    if (address < kIndicesBase)
      return 0;
    int64_t index = (address - kIndicesBase) / 4;
    if (index < int64_t(walk.indices->size()))
      return (*walk.indices)[index];
    outside = true;
    return 0;
  });
  error += recording.error;
  if (outside)
    error += "an index beyond the list is read; ";
  // What is looked up is no access of the walk. (An access that is masked may
  // be anywhere else.)
  llvm::erase_if(recording.accesses, [&](const RecordedAccess &access) {
    return walk.indices && std::abs(access.address - kIndicesBase) < 1 << 20;
  });
  return recording;
}

std::vector<WalkTile> LoweredMappedWalk::run(int64_t t, std::string &error) {
  std::vector<WalkTile> tiles;
  WalkTile tile;
  for (const RecordedAccess &access : record(t, error).accesses) {
    for (size_t lane = 0; lane < access.lanes.size(); ++lane) {
      size_t number = access.isStore ? access.values[lane] : tile.size();
      if (number >= tile.size())
        tile.resize(number + 1);
      tile[number] = {access.address / access.elementBytes + int64_t(lane),
                      access.lanes[lane]};
      if (int64_t(number) + 1 == walk.fragment) {
        tiles.push_back(std::move(tile));
        tile.clear();
      }
    }
  }
  if (!tile.empty())
    error += "a load or store of other than " + std::to_string(walk.fragment) +
             " elements; ";
  return tiles;
}

WalkTile tile::test::getMappedTile(const MappedWalk &walk,
                                   ThreadMapAttrInterface map, int64_t t,
                                   int64_t k, const MappedDefinition &define) {
  AccessPattern pattern = getAccessPattern(map);
  int64_t perStep = pattern.getNumAccesses() / walk.steps;
  auto [row0, column0] = pattern.getThreadOffset(t);
  SmallVector<int64_t, 2> shape = map.getTileShape();
  WalkTile elements;
  for (int64_t i = 0; i < perStep; ++i) {
    auto [rows, columns] =
        pattern.getAccessOffset(k % walk.steps * perStep + i);
    for (int64_t v = 0; v < pattern.vector; ++v) {
      std::array<int64_t, 2> at{row0 + rows, column0 + columns};
      at[pattern.vectorDim] += v;
      // Elements beyond the tile belong to another.
      bool inside = at[0] < shape[0] && at[1] < shape[1];
      for (int64_t dim : {0, 1})
        at[dim] += walk.start[dim] +
                   (walk.advance == dim ? k / walk.steps * shape[dim] : 0);
      std::optional<int64_t> offset =
          inside ? define(at[0], at[1]) : std::nullopt;
      elements.push_back({offset.value_or(0), offset.has_value()});
    }
  }
  return elements;
}
