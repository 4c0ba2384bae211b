// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout operations whose run-time operands turn out to be constants, against
// the same operations on constants: canonicalised, they are of the same type.
#include "../Layout/Random.h"

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir;
using namespace tile;
using namespace tile::test;

namespace {

/// A text twice: with constants, and with some of them as SSA values.
struct Text {
  std::string constants, values;

  Text operator+(const Text &other) const {
    return {constants + other.constants, values + other.values};
  }
};
Text both(const llvm::Twine &text) { return {text.str(), text.str()}; }

struct Tally {
  int64_t cases = 0, refused = 0, others = 0;
};

class Canonicalize : public ::testing::Test {
protected:
  Canonicalize() : random(300), manager(&context) {
    context.loadDialect<TileDialect, arith::ArithDialect, func::FuncDialect>();
    context.allowUnregisteredDialects();
    manager.addPass(createCanonicalizerPass());
  }

  //===-- Texts -----------------------------------------------------------===//

  Text number(int64_t value, int percent) {
    std::string text = std::to_string(value);
    // A run-time stride is not 0.
    if (value == 0 || (value == 1 && unitsKnown) || !random.chance(percent))
      return {text, text};
    std::string divisor;
    if (value > 1 && random.chance(40)) {
      int64_t div = random.chance(50) ? value : value & -value;
      divisor = " {div = " + std::to_string(div) + "}";
    }
    constants.insert(value);
    return {text, "%c" + std::to_string(value) + divisor};
  }

  Text tuple(const IntTuple &tuple, int percent) {
    if (tuple.isWildcard())
      return both("_");
    if (!tuple.isTuple())
      return number(tuple.getInt().getValue(), percent);
    Text text = both("(");
    for (unsigned i = 0; i < tuple.rank(); ++i)
      text = text + both(i ? ", " : "") + this->tuple(tuple[i], percent);
    return text + both(")");
  }

  Text tiler(const Tiler &tiler, int percent) {
    if (tiler.isWildcard())
      return both("_");
    if (tiler.isLayout())
      return tuple(tiler.getLayout().getShape(), percent) + both(" : ") +
             tuple(tiler.getLayout().getStride(), percent);
    Text text = both("<");
    for (auto [i, mode] : llvm::enumerate(tiler.getModes()))
      text = text + both(i ? ", " : "") + this->tiler(mode, percent);
    return text + both(">");
  }

  Text makeLayout(const Layout &layout, int percent) {
    return both("tile.make_layout ") + tuple(layout.getShape(), percent) +
           both(" : ") + tuple(layout.getStride(), percent);
  }

  //===-- Programs --------------------------------------------------------===//

  /// The program with one more operation; null if it is refused.
  OwningOpRef<ModuleOp> parse(const std::string &body) {
    std::string text;
    for (int64_t value : constants)
      text += "%c" + std::to_string(value) + " = arith.constant " +
              std::to_string(value) + " : index\n";
    ScopedDiagnosticHandler silence(&context,
                                    [](Diagnostic &) { return success(); });
    return parseSourceString<ModuleOp>(
        "func.func @f() {\n" + text + body + "return\n}\n", &context);
  }

  static Operation *getLast(ModuleOp module) {
    Block &body = (*module.getOps<func::FuncOp>().begin()).getBody().front();
    return body.getTerminator()->getPrevNode();
  }

  static std::string str(Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  }

  /// Appends an operation; false if constants are refused, or both are.
  bool append(const std::string &name, const Text &text, Tally &tally) {
    Text longer = program + both("%" + name + " = ") + text + both("\n");
    OwningOpRef<ModuleOp> constant = parse(longer.constants);
    OwningOpRef<ModuleOp> value = parse(longer.values);
    EXPECT_TRUE(constant || !value) << "accepted of values only:\n"
                                    << longer.values << longer.constants;
    if (!constant || !value) {
      tally.refused += bool(constant);
      return false;
    }
    program = longer;
    types = {getLast(*constant)->getResult(0).getType(),
             getLast(*value)->getResult(0).getType()};
    return true;
  }

  /// What the last operation of values has become, behind its casts. `module`
  /// keeps it.
  Value canonicalize(OwningOpRef<ModuleOp> &module) {
    module = parse(program.values);
    Operation *last = getLast(*module);
    OpBuilder builder(last->getContext());
    builder.setInsertionPointAfter(last);
    OperationState state(last->getLoc(), "test.use", last->getResults(), {});
    builder.create(state);
    EXPECT_TRUE(succeeded(manager.run(*module)));
    EXPECT_TRUE(succeeded(verify(*module)));
    Value result = getLast(*module)->getOperand(0);
    EXPECT_EQ(result.getType(), types.second);
    while (auto cast = result.getDefiningOp<LayoutCastOp>())
      result = cast.getSource();
    return result;
  }

  std::string describe(Type type) const {
    return program.values + program.constants + "gives " + str(type) +
           ", constants " + str(types.first) + "\n";
  }

  /// A layout is that of constants, and an index its constant.
  void compare() {
    OwningOpRef<ModuleOp> module;
    Value result = canonicalize(module);
    if (isa<LayoutType>(types.first)) {
      EXPECT_TRUE((
          isa_and_present<MakeLayoutOp, MakeSwizzleOp>(result.getDefiningOp())))
          << program.values;
      EXPECT_EQ(str(result.getType()), str(types.first))
          << describe(result.getType());
      return;
    }
    APInt folded;
    ASSERT_TRUE(matchPattern(result, m_ConstantInt(&folded))) << program.values;
    OwningOpRef<ModuleOp> constant = parse(program.constants);
    SmallVector<OpFoldResult> results;
    ASSERT_TRUE(succeeded(getLast(*constant)->fold(results)));
    EXPECT_EQ(getConstantIntValue(results.front()), folded.getSExtValue())
        << program.values << program.constants;
  }

  /// What only goes as far as is known is an inverse of the layout as well.
  void compareInverse(const ComposedLayout &layout, Tally &tally) {
    OwningOpRef<ModuleOp> module;
    Value result = canonicalize(module);
    ComposedLayout part = cast<LayoutType>(result.getType()).getComposed();
    ComposedLayout all = cast<LayoutType>(types.first).getComposed();
    ASSERT_TRUE(part.isStatic()) << program.values;
    for (int64_t i = 0, e = part.size().getValue(); i < e; ++i)
      ASSERT_EQ(layout.at(part.at(i)), i) << describe(result.getType());
    tally.others += part.size() != all.size();
  }

  MLIRContext context;
  Random random;
  PassManager manager;
  /// The operations so far, and the types of the last result.
  Text program;
  std::pair<Type, Type> types;
  std::set<int64_t> constants;
  /// Whether each 1 is a constant: a left inverse gives the stride of every
  /// `?` extent a mode.
  bool unitsKnown = false;
};

/// The layout of a type.
ComposedLayout getLayout(Type type) {
  return cast<LayoutType>(type).getComposed();
}

/// Whether a tiler stays inside the modes of a layout. Behind its last element
/// a layout goes on with its last mode, of which constants may know more.
bool isInside(const Tiler &tiler, const Layout &layout) {
  if (tiler.isWildcard())
    return true;
  if (tiler.isLayout())
    return tiler.getLayout().cosize().getValue() <= layout.size().getValue();
  for (unsigned i = 0; i < tiler.rank(); ++i)
    if (!isInside(tiler.getModes()[i], layout[i]))
      return false;
  return true;
}

TEST_F(Canonicalize, StaticResults) {
  std::map<std::string, Tally> tallies;
  for (int64_t n = 0, e = Random::cases(4000); n < e && !HasFailure(); ++n) {
    program = {};
    constants.clear();
    int percent = random.chance(30) ? 100 : 40;
    unitsKnown = random.chance(50);
    Tally unused;
    Layout a = random.chance(60) ? random.regularLayout(128, 3)
                                 : random.layout(128, 3, false);
    Layout b = random.chance(60) ? random.regularLayout(16, 2)
                                 : random.layout(16, 2, false);
    ASSERT_TRUE(append("b", makeLayout(b, percent), unused));
    std::pair<Type, Type> bType = types;
    ASSERT_TRUE(append("a", makeLayout(a, percent), unused));
    std::string value = "a";
    bool swizzled = random.chance(15);
    if (swizzled) {
      Swizzle swizzle = random.swizzle();
      Text text =
          both("tile.make_swizzle " + swizzle.str() + " o ") +
          number(random.chance(70) ? 0 : random.number(1, 20), percent) +
          both(" o %a : ");
      text = text + Text{str(types.first), str(types.second)};
      ASSERT_TRUE(append("s", text, unused));
      value = "s";
    }
    for (int64_t step = 0, steps = random.number(1, 3); step < steps; ++step) {
      ComposedLayout known = getLayout(types.first);
      IntTuple shape = known.getLayout().getShape();
      unsigned rank = known.rank();
      Text of = both(" %" + value),
           type = {str(types.first), str(types.second)};
      type = both(" : ") + type;
      Text second = both(", ") + Text{str(bType.first), str(bType.second)};
      auto modes = [&](int64_t first) {
        return "[" + std::to_string(first) + " to " +
               std::to_string(random.number(first, rank)) + "]";
      };
      auto by = [&] {
        Tiler by = rank ? random.tiler(known.getLayout()) : Tiler(Layout());
        if (!by.isLayout() && isInside(by, known.getLayout()))
          return of + both(" by ") + tiler(by, percent) + type;
        if (isInside(Tiler(b), known.getLayout()))
          return of + both(", %b") + type + second;
        return of + both(" by <_>") + type;
      };
      auto count = [&] {
        return " by " + std::to_string(int64_t(1) << random.number(0, 3));
      };
      auto at = [&](int wildcards) {
        return both(" at ") +
               tuple(random.coordinate(shape, wildcards), percent) + type;
      };
      int64_t index = rank ? random.number(0, rank - 1) : 0;
      int64_t last = known.size().getValue() - 1;
      // What depends on the values of a layout alone comes first: those also
      // follow where the nesting differs.
      std::vector<std::pair<std::string, Text>> choices = {
          {"coalesce", of + type},
          {"filter", of + type},
          {"complement",
           of + both(" in ") + number(random.number(1, 300), percent) + type},
          {"right_inverse", of + type},
          {"nullspace", of + type},
          {"max_common_layout", of + both(", %b") + type + second},
          {"size", of + type},
          {"cosize", of + type},
          {"crd2idx", both(" ") + number(random.number(0, last), percent) +
                          both(",") + of + type},
      };
      if (isInside(Tiler(b), known.getLayout()))
        choices.push_back({"composition", of + both(", %b") + type + second});
      if (unitsKnown)
        choices.push_back({"left_inverse", of + type});
      bool alike =
          isCongruent(shape, getLayout(types.second).getLayout().getShape());
      if (alike) {
        std::vector<std::pair<std::string, Text>> more = {
            {"coalesce", of + both(" by (1, 1)") + type},
            {"filter_zeros", of + type},
            {"composition", by()},
            {"logical_divide", by()},
            {"zipped_divide", by()},
            {"tiled_divide", by()},
            {"flat_divide", by()},
            {"logical_product", of + both(", %b") + type + second},
            {"zipped_product", of + both(", %b") + type + second},
            {"tiled_product", of + both(", %b") + type + second},
            {"flat_product", of + both(", %b") + type + second},
            {"blocked_product", of + both(", %b") + type + second},
            {"raked_product", of + both(", %b") + type + second},
            {"upcast", of + both(count()) + type},
            {"recast_layout", of + both(" from 16 to 32") + type},
            {"get", of + both("[" + std::to_string(index) + "]") + type},
            {"select", of + both("[" + std::to_string(index) + "]") + type},
            {"take", of + both(modes(0)) + type},
            {"group_modes", of + both(modes(index)) + type},
            {"append", of + both(", %b") + type + second},
            {"prepend", of + both(", %b") + type + second},
            {"replace", of + both("[" + std::to_string(index) + "] with %b") +
                            type + second},
            {"flatten", of + type},
            {"transpose", of + type},
            {"reverse", of + type},
            {"zip", of + type},
            {"append_rank", of + both(" to 4") + type},
            {"prepend_rank", of + both(" to 4") + type},
            {"with_shape", of + both(" as ") +
                               tuple(random.shape(last + 1, 2), percent) +
                               type},
            {"reshape", of + both(" as ") +
                            tuple(random.shape(last + 1, 2), percent) + type},
            {"tile_to_shape",
             of + both(" as ") + tuple(*productEach(shape), 0) + type},
            {"slice_layout", of + at(40)},
            {"dice", of + at(40)},
            {"make_layout_like", of + type},
            {"make_fragment_like", of + type},
            {"max_alignment", of + type},
            {"max_common_vector", of + both(", %b") + type + second},
        };
        choices.insert(choices.end(), more.begin(), more.end());
        // A `?` is taken for another stride than that of elements to split,
        // of which there should be one mode.
        auto countUnits = [](const ComposedLayout &layout) {
          return llvm::count_if(layout.getLayout().getStride().getLeaves(),
                                [](const IntTuple &stride) {
                                  return stride.isStatic(1) ||
                                         stride.isStatic(-1);
                                });
        };
        if (countUnits(known) == 1 &&
            countUnits(getLayout(types.second)) == 1) {
          choices.push_back({"downcast", of + both(count()) + type});
          choices.push_back(
              {"recast_layout", of + both(" from 16 to 8") + type});
        }
      }
      const auto &[name, text] = choices[random.number(0, choices.size() - 1)];
      Tally &tally = tallies[(alike ? "" : "other nesting: ") + name];
      std::string next = "r" + std::to_string(step);
      if (!append(next, both("tile." + name) + text, tally))
        break;
      ++tally.cases;
      if (name == "right_inverse" || name == "max_common_layout") {
        compareInverse(known, tally);
        break;
      }
      // The swizzle of a slice at constants may be linear, and the offset
      // outside; run-time leaves keep it under the swizzle.
      if (name == "slice_layout" && !known.isPlain())
        break;
      compare();
      if (!isa<LayoutType>(types.first))
        break;
      value = next;
    }
  }
  for (const auto &[name, tally] : tallies)
    std::printf(
        "%s: %lld alike, %lld of other sizes, %lld refused of values only\n",
        name.c_str(), (long long)(tally.cases - tally.others),
        (long long)tally.others, (long long)tally.refused);
}

} // namespace
