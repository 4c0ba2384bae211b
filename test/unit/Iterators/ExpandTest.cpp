// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on layouts of run-time leaves, expanded to arithmetic and run,
// against the same operations on constants.
#include "Interpreter.h"

#include "tile/IR/Tile.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace mlir;
using namespace tile;
using namespace tile::test;

namespace {

class Expand : public ::testing::Test {
protected:
  Expand() { loadDialects(context); }

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  bool chance(int percent) { return pick(1, 100) <= percent; }

  /// A layout of two modes, mostly compact.
  Layout makeLayout() {
    auto mode = [&]() -> IntTuple {
      if (chance(60))
        return int64_t(1) << pick(0, 4);
      return IntTuple::tuple({IntTuple(pick(1, 4)), IntTuple(2 * pick(1, 3))});
    };
    IntTuple shape = IntTuple::tuple({mode(), mode()});
    Layout compact =
        chance(50) ? *makeLayoutLeft(shape) : *makeLayoutRight(shape);
    if (chance(60))
      return compact;
    int64_t scale = pick(1, 6);
    return *Layout::get(
        shape, compact.getStride().mapLeaves([&](const IntTuple &leaf) {
          return IntTuple(leaf.getInt().getValue() * scale);
        }));
  }

  /// Texts of a tuple: as an operand and in a type, with some leaves arguments.
  std::pair<std::string, std::string> write(const IntTuple &tuple,
                                            int percent) {
    if (tuple.isTuple()) {
      std::string operand = "(", type = "(";
      for (unsigned i = 0; i < tuple.rank(); ++i) {
        auto [o, t] = write(tuple[i], percent);
        operand += (i ? ", " : "") + o;
        type += (i ? ", " : "") + t;
      }
      return {operand + ")", type + ")"};
    }
    int64_t value = tuple.getInt().getValue();
    std::string text = std::to_string(value);
    if (!chance(percent) || value == 0)
      return {text, text};
    std::string name = "%a" + std::to_string(arguments.size());
    arguments.push_back({value});
    // What is stated is true: a range, a divisor, or nothing.
    std::string range = chance(50)
                            ? " {llvm.range = #llvm.constant_range<i64, 1, " +
                                  std::to_string(value + pick(1, 9)) + ">}"
                            : "";
    parameters += ", " + name + ": index" + range;
    if (chance(70))
      return {name + " {div = " + text + "}",
              value == 1 ? "?" : "?{div = " + text + "}"};
    return {name, "?"};
  }

  /// Parses, silently; null if it is refused.
  OwningOpRef<ModuleOp> parse(const std::string &text) {
    ScopedDiagnosticHandler quiet(&context,
                                  [](Diagnostic &) { return success(); });
    return parseSourceString<ModuleOp>(text, &context);
  }

  /// The type of the last operation's first result.
  static LayoutType getResult(ModuleOp module) {
    LayoutType type;
    module->walk([&](Operation *op) {
      if (op->getNumResults())
        if (auto found = dyn_cast<LayoutType>(op->getResult(0).getType()))
          type = found;
    });
    return type;
  }

  MLIRContext context;
  std::mt19937_64 random{20240608};
  std::vector<RuntimeValue> arguments;
  std::string parameters;
};

} // namespace

TEST_F(Expand, OperationsAgreeWithConstants) {
  // %l is the layout, T its type; the tiler is constant.
  const std::pair<const char *, const char *> operations[] = {
      {"coalesce", "tile.coalesce %l : T"},
      {"coalesce by mode", "tile.coalesce %l by (1, 1) : T"},
      {"filter", "tile.filter %l : T"},
      {"flatten", "tile.flatten %l : T"},
      {"transpose", "tile.transpose %l : T"},
      {"reverse", "tile.reverse %l : T"},
      {"append_rank", "tile.append_rank %l to 3 : T"},
      {"group_modes", "tile.group_modes %l[0 to 2] : T"},
      {"composition", "tile.composition %l, %t : T, !tile.layout<8 : 2>"},
      {"composition by", "tile.composition %l by <2, 4> : T"},
      {"complement", "tile.complement %l in 1536 : T"},
      {"logical_divide", "tile.logical_divide %l by <2, 4> : T"},
      {"zipped_divide", "tile.zipped_divide %l by <_, 2> : T"},
      {"flat_divide", "tile.flat_divide %l by <2, _> : T"},
      {"logical_product", "tile.logical_product %l, %t : T, "
                          "!tile.layout<8 : 2>"},
      {"blocked_product", "tile.blocked_product %l, %g : T, "
                          "!tile.layout<(2, 3) : (3, 1)>"},
      {"tile_to_shape", "tile.tile_to_shape %l as (96, 96) : T"},
      {"with_shape", "tile.with_shape %l as (2, 4) : T"},
      {"upcast", "tile.upcast %l by 2 : T"},
      {"downcast", "tile.downcast %l by 4 : T"},
      {"nullspace", "tile.nullspace %l : T"},
      {"swizzle", "tile.make_swizzle S<2, 1, 3> o 16 o %l : T"},
  };
  std::map<std::string, std::pair<int, int>> tallies;
  for (int n = 0; n < 3000 && !HasFailure(); ++n) {
    const auto &chosen = operations[pick(0, std::size(operations) - 1)];
    const std::string name = chosen.first, operation = chosen.second;
    arguments.clear();
    parameters.clear();
    Layout layout = makeLayout();
    auto [shape, shapeType] = write(layout.getShape(), 40);
    auto [stride, strideType] = write(layout.getStride(), 30);
    auto makeText = [&](const std::string &operands, const std::string &type,
                        const std::string &rest) {
      std::string text = operation;
      text.replace(text.rfind(": T") + 2, 1, "!tile.layout<" + type + ">");
      return "func.func @f(%i: index" + parameters + ") -> index {\n" +
             "  %l = tile.make_layout " + operands +
             "\n  %t = tile.make_layout 8 : 2\n"
             "  %g = tile.make_layout (2, 3) : (3, 1)\n  %r = " +
             text + "\n" + rest + "}\n";
    };
    std::string end = "  return %i : index\n";
    std::string text =
        makeText(shape + " : " + stride, shapeType + " : " + strideType, end);
    OwningOpRef<ModuleOp> module = parse(text);
    auto &[accepted, attempts] = tallies[name];
    ++attempts;
    if (!module)
      continue;
    ++accepted;
    std::string constants =
        layout.getShape().str() + " : " + layout.getStride().str();
    OwningOpRef<ModuleOp> fixed = parse(makeText(constants, constants, end));
    ASSERT_TRUE(fixed) << "constants are refused: " << text;
    ComposedLayout expected = getResult(*fixed).getComposed();
    ASSERT_TRUE(expected.isStatic());
    // Now the offset of some elements of the result.
    std::string type;
    llvm::raw_string_ostream(type) << getResult(*module);
    text = makeText(shape + " : " + stride, shapeType + " : " + strideType,
                    "  %o = tile.crd2idx %i, %r : " + type +
                        "\n  return %o : index\n");
    module = parse(text);
    ASSERT_TRUE(module) << text;
    PassManager manager(&context);
    manager.addPass(createTileExpandLayouts());
    ASSERT_TRUE(succeeded(manager.run(*module))) << text;
    for (int k = 0; k < 4; ++k) {
      int64_t index = pick(0, expected.size().getValue() - 1);
      std::vector<RuntimeValue> all{{index}};
      all.insert(all.end(), arguments.begin(), arguments.end());
      Recording recording =
          run(*module->getOps<func::FuncOp>().begin(), std::move(all));
      ASSERT_EQ(recording.error, "") << text;
      ASSERT_EQ(recording.results[0][0], expected.at(index))
          << text << "constants give " << expected.str() << " at " << index;
    }
  }
  int total = 0;
  for (const auto &[name, tally] : tallies) {
    EXPECT_GT(tally.first, tally.second / 20) << name;
    total += tally.first;
  }
  std::printf("%d operations on run-time leaves agree with constants\n", total);
}
