// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recipes whose sizes are known at run time: what their operations compute is
// what the recipe of constants says.
#include "Interpreter.h"

#include "tile/IR/Tile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace tile;
using namespace tile::test;

namespace {

class Recipes : public ::testing::Test {
protected:
  Recipes() { loadDialects(context); }

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  bool chance(int percent) { return pick(1, 100) <= percent; }

  /// A number of both texts; in `dynamic` it may be `?`, with or without a
  /// divisor that is true.
  void write(int64_t number) {
    constant += std::to_string(number);
    if (!chance(60)) {
      dynamic += std::to_string(number);
      return;
    }
    sizes.push_back(number);
    dynamic += chance(50) && number > 0
                   ? "?{div = " + std::to_string(number) + "}"
                   : "?";
  }
  void write(const std::string &text) {
    constant += text;
    dynamic += text;
  }
  void writeTuple(const std::string &name, const std::vector<int64_t> &list) {
    write(", " + name + " = (");
    for (size_t i = 0; i < list.size(); ++i) {
      write(i ? ", " : "");
      write(list[i]);
    }
    write(")");
  }
  std::vector<int64_t> pickEach(size_t count, int64_t low, int64_t high) {
    std::vector<int64_t> list(count);
    for (int64_t &number : list)
      number = pick(low, high);
    return list;
  }

  void begin(const std::string &text) {
    constant = dynamic = text;
    sizes.clear();
  }

  /// A random convolution; `constant` and `dynamic` are its recipes.
  void makeConv() {
    int64_t op = pick(0, 3), tensor = pick(0, 2);
    const char *ops[] = {"fprop", "dgrad", "wgrad", "depthwise"};
    const char *tensors[] = {"activation", "filter", "output"};
    begin("#tile.conv<" + std::string(ops[op]) + " " + tensors[tensor]);
    size_t spatial = pick(1, 3);
    int64_t groups = op == 0 && chance(30) ? pick(2, 3) : 1;
    int64_t c = groups * pick(1, 5), k = op == 3 ? c : groups * pick(1, 4);
    std::vector<int64_t> input = pickEach(spatial + 2, 1, 9);
    input.back() = c;
    std::vector<int64_t> filter = pickEach(spatial + 1, 1, 4);
    filter.front() = k;
    writeTuple("input", input);
    writeTuple("filter", filter);
    if (chance(20))
      writeTuple("output", pickEach(spatial, 1, 5));
    if (chance(80))
      writeTuple("pad", pickEach(spatial, 0, 4));
    std::vector<int64_t> stride(spatial, 1);
    if (chance(80))
      writeTuple("stride", stride = pickEach(spatial, 1, 4));
    bool hasStart = op == 1 && chance(60);
    if (!hasStart && chance(50))
      writeTuple("dilation", pickEach(spatial, 1, 3));
    if (op < 2 && (groups > 1 || chance(70))) {
      write(", block = " + std::to_string(pick(1, 4)));
      if (chance(40)) {
        int64_t slices = pick(1, 3);
        write(", slices = ");
        write(slices);
        write(", slice = ");
        write(pick(0, slices - 1));
      }
      if (groups > 1)
        write(", groups = " + std::to_string(groups));
    }
    if (hasStart) {
      std::vector<int64_t> start;
      for (size_t i = 0; i < spatial; ++i)
        start.push_back(pick(0, std::min(stride[i], filter[i + 1]) - 1));
      writeTuple("start", start);
    }
    if (op == 3 && tensor != 1) {
      write(", tile = (");
      for (size_t i = 0; i < spatial; ++i)
        write((i ? ", " : "") + std::to_string(pick(1, 4)));
      write(")");
    }
    write(chance(30) ? ", mirrored>" : ">");
  }

  /// Constants %s0, %s1, … of the sizes, and the list of their names.
  std::pair<std::string, std::string> writeSizes() const {
    std::string constants, names;
    for (size_t i = 0; i < sizes.size(); ++i) {
      std::string name = "%s" + std::to_string(i);
      constants += "  " + name + " = arith.constant " +
                   std::to_string(sizes[i]) + " : index\n";
      names += (i ? ", " : "") + name;
    }
    return {constants, names};
  }

  OwningOpRef<ModuleOp> canonicalize(const std::string &text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    if (!module)
      return module;
    PassManager manager(&context);
    manager.addPass(createCanonicalizerPass());
    EXPECT_TRUE(succeeded(manager.run(*module))) << text;
    return module;
  }

  /// The numbers of a tuple whose `?` are the constants `operands`.
  static std::vector<int64_t> evaluate(const IntTuple &tuple,
                                       ValueRange operands) {
    std::vector<int64_t> numbers;
    unsigned next = 0;
    for (const IntTuple &leaf : tuple.getLeaves()) {
      APInt constant;
      if (leaf.getInt().isStatic())
        numbers.push_back(leaf.getInt().getValue());
      else if (matchPattern(operands[next++], m_ConstantInt(&constant)))
        numbers.push_back(constant.getSExtValue());
      else
        ADD_FAILURE() << "a leaf of " << tuple.str() << " is no constant";
    }
    return numbers;
  }

  MLIRContext context;
  std::mt19937_64 random{20261130};
  std::string constant, dynamic;
  std::vector<int64_t> sizes;
};

} // namespace

TEST_F(Recipes, ConvolutionsOfRunTimeSizes) {
  int64_t compared = 0, computed = 0;
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    makeConv();
    CoordinateMapAttrInterface known, recipe;
    {
      // What is no convolution is refused.
      ScopedDiagnosticHandler quiet(&context,
                                    [](Diagnostic &) { return success(); });
      known = dyn_cast_or_null<CoordinateMapAttrInterface>(
          parseAttribute(constant, &context));
      recipe = dyn_cast_or_null<CoordinateMapAttrInterface>(
          parseAttribute(dynamic, &context));
    }
    if (!known || !recipe)
      continue;
    ASSERT_EQ(recipe.getNumSizes(), sizes.size()) << dynamic;
    Result<CoordinateMap> expected = known.getCoordinateMap(false);
    ASSERT_TRUE(expected) << constant;
    std::string shape, stride;
    for (size_t mode = 0; mode < expected->shape.size(); ++mode) {
      shape += mode ? ", ?" : "?";
      stride += mode ? ", ?" : "?";
    }
    auto [constants, names] = writeSizes();
    std::string text =
        "!v = !tile.view<f32, global, (" + shape + ") : (" + stride +
        ")>\n#r = " + dynamic +
        "\n!it = !tile.iterator<!v, #tile.strip_mined<tile = [8, 8], "
        "contiguous = 1, threads = 64, elements = 1>, coords #r, masked>\n"
        "func.func @f(%v: !v, %t: index) -> !it {\n" +
        constants + "  %0 = tile.make_tensor_iterator %v(0, 0), %t, #r(" +
        names + ") : !it\n  return %0 : !it\n}\n";
    OwningOpRef<ModuleOp> module = canonicalize(text);
    ASSERT_TRUE(module);
    module->walk([&](MakeIteratorOp op) {
      ++compared;
      computed += !sizes.empty();
      auto all = [](const IntTuple &tuple) {
        return evaluate(tuple, ValueRange());
      };
      EXPECT_EQ(evaluate(*op.getShape(), op.getShapeOperands()),
                all(expected->coords.getShape()))
          << constant << "\n"
          << text;
      EXPECT_EQ(evaluate(*op.getStride(), op.getStrideOperands()),
                all(expected->coords.getStride()))
          << constant << "\n"
          << text;
      std::vector<int64_t> origin, divide(expected->shape.size(), 1);
      for (const Int &number : expected->origin)
        origin.push_back(number.getValue());
      if (!expected->divide.empty())
        divide = all(expected->getDivide());
      std::vector<int64_t> zeros(origin.size(), 0), ones(origin.size(), 1);
      EXPECT_EQ(op.getOrigin()
                    ? evaluate(*op.getOrigin(), op.getOriginOperands())
                    : zeros,
                origin)
          << constant << "\n"
          << text;
      EXPECT_EQ(op.getDivide()
                    ? evaluate(*op.getDivide(), op.getDivideOperands())
                    : ones,
                divide)
          << constant << "\n"
          << text;
    });
  }
  EXPECT_GT(computed, 500);
  llvm::outs() << compared << " recipes, " << computed
               << " of them with run-time sizes\n";
}

TEST_F(Recipes, PermutationsOfRunTimeExtents) {
  struct Kind {
    const char *name;
    size_t extents, factors;
  };
  const Kind kinds[] = {{"tensor4d_0213_row_major", 2, 2},
                        {"tensor4d_0213_column_major", 2, 2},
                        {"tensor5d_20314_row_major", 2, 3},
                        {"tensor5d_02413_column_major", 2, 3},
                        {"tensor4d_bmm_0213_row_major", 3, 1},
                        {"tensor4d_bmm_0321_column_major", 3, 1}};
  int64_t compared = 0;
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    const Kind &kind = kinds[i % 6];
    begin("#tile.permuted<" + std::string(kind.name) + ", extents = (");
    std::vector<int64_t> factors = pickEach(kind.factors, 1, 4);
    int64_t all = 1;
    for (int64_t factor : factors)
      all *= factor;
    for (size_t e = 0; e < kind.extents; ++e) {
      write(e ? ", " : "");
      write(all * pick(1, 4));
    }
    write("), factors = [");
    for (size_t f = 0; f < factors.size(); ++f)
      write((f ? ", " : "") + std::to_string(factors[f]));
    write(chance(50) ? "], inverse>" : "]>");
    PermutedAttr known, recipe;
    {
      // A factor that nothing is known to be a multiple of is refused.
      ScopedDiagnosticHandler quiet(&context,
                                    [](Diagnostic &) { return success(); });
      known =
          dyn_cast_or_null<PermutedAttr>(parseAttribute(constant, &context));
      recipe =
          dyn_cast_or_null<PermutedAttr>(parseAttribute(dynamic, &context));
    }
    ASSERT_TRUE(known) << constant;
    if (!recipe)
      continue;
    auto [constants, names] = writeSizes();
    std::string text = "#r = " + dynamic +
                       "\n!v = !tile.view<f32, global, #r>\n"
                       "func.func @f(%p: !llvm.ptr<1>) -> !v {\n" +
                       constants + "  %0 = tile.make_permuted_view %p, #r(" +
                       names + ") : !llvm.ptr<1> -> !v\n  return %0 : !v\n}\n";
    OwningOpRef<ModuleOp> module = canonicalize(text);
    ASSERT_TRUE(module);
    Result<Layout> expected = known.getLayout(false);
    ASSERT_TRUE(expected);
    module->walk([&](MakeViewOp op) {
      ++compared;
      EXPECT_EQ(evaluate(op.getShape(), op.getShapeOperands()),
                evaluate(expected->getShape(), ValueRange()))
          << text;
      EXPECT_EQ(evaluate(op.getStride(), op.getStrideOperands()),
                evaluate(expected->getStride(), ValueRange()))
          << text;
    });
  }
  EXPECT_GT(compared, 150);
}
