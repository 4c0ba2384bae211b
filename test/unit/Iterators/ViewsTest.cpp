// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random views and parts of views: the lowered IR accesses what the layout
// says, also where it computes in 32 bits.
#include "Interpreter.h"

#include "tile/IR/ThreadMap.h"
#include "tile/IR/Tile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace tile;
using namespace tile::test;

namespace {

class Views : public ::testing::Test {
protected:
  Views() { loadDialects(context); }

  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }
  bool chance(int percent) { return pick(1, 100) <= percent; }

  /// Extents of one mode, a number or a tuple of two.
  IntTuple makeMode() {
    if (chance(60))
      return pick(1, 9);
    return IntTuple::tuple({IntTuple(pick(1, 4)), IntTuple(pick(1, 5))});
  }

  /// A layout of one to three modes. Large strides leave 32 bits.
  Layout makeLayout(bool isLarge) {
    SmallVector<IntTuple> shape;
    for (int64_t i = 0, e = pick(1, 3); i < e; ++i)
      shape.push_back(makeMode());
    int64_t largest = isLarge ? int64_t(1) << 33 : 40;
    auto stride = [&](const IntTuple &) -> IntTuple {
      return pick(0, largest);
    };
    IntTuple all = IntTuple::tuple(shape);
    return *Layout::get(all, all.mapLeaves(stride));
  }

  /// The text of a tuple with some of its leaves `?`, whose values are appended
  /// to the arguments.
  std::string hide(const IntTuple &tuple, int percent) {
    if (tuple.isTuple()) {
      std::string text = "(";
      for (unsigned i = 0; i < tuple.rank(); ++i)
        text += (i ? ", " : "") + hide(tuple[i], percent);
      return text + ")";
    }
    int64_t value = tuple.getInt().getValue();
    if (!chance(percent))
      return std::to_string(value);
    arguments.push_back({value});
    // A divisor that is true, or none.
    return chance(50) && value > 0 ? "?{div = " + std::to_string(value) + "}"
                                   : "?";
  }

  /// A coordinate inside a shape, as deep as the shape or less deep.
  IntTuple makeCoordinate(const IntTuple &shape) {
    if (shape.isTuple() && chance(70)) {
      SmallVector<IntTuple> modes;
      for (const IntTuple &mode : shape)
        modes.push_back(makeCoordinate(mode));
      return IntTuple::tuple(modes);
    }
    return pick(0, product(shape)->getValue() - 1);
  }

  /// The text of a coordinate with some leaves as arguments.
  std::string writeCoordinate(const IntTuple &coordinate) {
    if (coordinate.isTuple()) {
      std::string text = "(";
      for (unsigned i = 0; i < coordinate.rank(); ++i)
        text += (i ? ", " : "") + writeCoordinate(coordinate[i]);
      return text + ")";
    }
    if (coordinate.isWildcard())
      return "_";
    if (chance(30))
      return std::to_string(coordinate.getInt().getValue());
    return argument(coordinate.getInt().getValue());
  }

  std::string argument(int64_t value) {
    std::string name = "%i" + std::to_string(names.size());
    names.push_back(name + ": index");
    values.push_back({value});
    return name;
  }

  /// Lowers and runs `body` in a function of the view %v and the arguments;
  /// returns the address of its only access in bytes.
  std::optional<int64_t> access(const std::string &view,
                                const std::string &body) {
    std::string text = "func.func @f(%v: " + view;
    for (const std::string &name : names)
      text += ", " + name;
    text += ") {\n" + body + "  return\n}\n";
    std::string error;
    OwningOpRef<ModuleOp> module = lower(context, text, false, error);
    EXPECT_TRUE(module) << text << error;
    if (!module)
      return std::nullopt;
    std::vector<RuntimeValue> all{{0}};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.insert(all.end(), values.begin(), values.end());
    Recording recording =
        run(*module->getOps<func::FuncOp>().begin(), std::move(all));
    EXPECT_EQ(recording.error, "") << text;
    EXPECT_EQ(recording.accesses.size(), 1u) << text;
    shown = text;
    module->walk([&](Operation *op) {
      narrow += op->getNumResults() == 1 &&
                op->getResult(0).getType().isInteger(32) &&
                op->getNumOperands() == 2;
    });
    return recording.accesses.empty()
               ? std::nullopt
               : std::optional(recording.accesses.front().address);
  }

  void reset() {
    arguments.clear();
    values.clear();
    names.clear();
  }

  static int64_t at(const Layout &layout, const IntTuple &coordinate) {
    return layout(coordinate)->getInt().getValue();
  }

  MLIRContext context;
  std::mt19937_64 random{20240607};
  /// Values of the view's run-time leaves, then of the other arguments.
  std::vector<RuntimeValue> arguments, values;
  std::vector<std::string> names;
  std::string shown;
  /// Operations of 32 bits, over all runs.
  int64_t narrow = 0;
};

} // namespace

TEST_F(Views, Elements) {
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    reset();
    Layout layout = makeLayout(chance(20));
    int percent = chance(50) ? 0 : 40;
    std::string shape = hide(layout.getShape(), percent);
    std::string view = "!tile.view<i32, global, " + shape + " : " +
                       hide(layout.getStride(), percent) + ">";
    IntTuple coordinate = makeCoordinate(layout.getShape());
    std::optional<int64_t> address =
        access(view, "  %0 = tile.view_load %v " + writeCoordinate(coordinate) +
                         " : " + view + " -> i32\n");
    ASSERT_EQ(address, 4 * at(layout, coordinate)) << shown;
  }
  EXPECT_GT(narrow, 500);
}

TEST_F(Views, SwizzledElements) {
  for (int i = 0; i < 600 && !HasFailure(); ++i) {
    reset();
    int64_t m = pick(0, 3), b = pick(1, 3), s = b + pick(0, 1);
    Swizzle swizzle = *Swizzle::get(b, m, chance(80) ? s : -s);
    Layout layout = makeLayout(false);
    std::string view =
        "!tile.view<i16, shared, " + swizzle.str() + " o 0 o " + layout.str() +
        ", align = " + std::to_string(2 * swizzle.getPeriod()) + ">";
    IntTuple coordinate = makeCoordinate(layout.getShape());
    std::optional<int64_t> address =
        access(view, "  %0 = tile.view_load %v " + writeCoordinate(coordinate) +
                         " : " + view + " -> i16\n");
    ASSERT_EQ(address, 2 * swizzle.at(at(layout, coordinate))) << shown;
  }
}

TEST_F(Views, Slices) {
  for (int i = 0; i < 800 && !HasFailure(); ++i) {
    reset();
    Layout layout = makeLayout(chance(20));
    IntTuple coordinate = makeCoordinate(layout.getShape());
    if (!coordinate.isTuple())
      continue;
    // Some leaves are left for the second access.
    SmallVector<IntTuple> kept;
    IntTuple first = coordinate.mapLeaves([&](const IntTuple &leaf) {
      return chance(50) ? leaf : IntTuple::wildcard();
    });
    Result<IntTuple> second = slice(first, coordinate);
    Result<Layout> rest = slice(first, layout);
    ASSERT_TRUE(second && rest);
    if (rest->getShape().isTuple() && rest->rank() == 0)
      continue;
    int percent = chance(50) ? 0 : 40;
    std::string shape = hide(layout.getShape(), percent);
    std::string view = "!tile.view<i32, global, " + shape + " : " +
                       hide(layout.getStride(), percent) + ">";
    Type whole = parseType(view, &context);
    ASSERT_TRUE(whole);
    ComposedLayout known = cast<ViewType>(whole).getComposed();
    Result<Layout> part = slice(first, known.getLayout());
    ASSERT_TRUE(part);
    std::string one = writeCoordinate(first), two = writeCoordinate(*second);
    // The type of the slice is inferred; the access needs it in text.
    std::string error;
    std::string probe = "func.func @f(%v: " + view;
    for (const std::string &name : names)
      probe += ", " + name;
    probe +=
        ") {\n  %0 = tile.slice %v " + one + " : " + view + "\n  return\n}\n";
    auto module = parseSourceString<ModuleOp>(probe, &context);
    ASSERT_TRUE(module) << probe;
    std::string sliced;
    module->walk([&](SliceOp op) {
      llvm::raw_string_ostream(sliced) << op.getResult().getType();
    });
    std::optional<int64_t> address =
        access(view, "  %0 = tile.slice %v " + one + " : " + view +
                         "\n  %1 = tile.view_load %0 " + two + " : " + sliced +
                         " -> i32\n");
    ASSERT_EQ(address, 4 * at(layout, coordinate)) << shown;
  }
}

TEST_F(Views, LocalPartitions) {
  for (int i = 0; i < 400 && !HasFailure(); ++i) {
    reset();
    int64_t threads[2] = {pick(1, 6), pick(1, 6)};
    int64_t rest[2] = {pick(1, 4), pick(1, 4)};
    int64_t stride[2] = {pick(1, 300), pick(1, 300)};
    bool rowsFirst = chance(50);
    int64_t step[2] = {rowsFirst ? 1 : threads[1], rowsFirst ? threads[0] : 1};
    // Threads beyond the layout's size, where only one mode is shared out.
    bool onlyRows = chance(30);
    if (onlyRows)
      threads[1] = 1, step[0] = pick(1, 3), step[1] = 0;
    Layout layout = *Layout::get(
        IntTuple::constants({threads[0] * rest[0], threads[1] * rest[1]}),
        IntTuple::constants(stride));
    std::string view = "!tile.view<i32, global, " + layout.getShape().str() +
                       " : " + hide(layout.getStride(), 30) + ">";
    std::string part =
        "!tile.view<i32, global, " + IntTuple::constants(rest).str() + " : ";
    int64_t thread =
        onlyRows ? pick(0, 40) : pick(0, threads[0] * threads[1] - 1);
    int64_t at0 = thread / std::max<int64_t>(step[0], 1) % threads[0];
    int64_t at1 =
        step[1] ? thread / std::max<int64_t>(step[1], 1) % threads[1] : 0;
    int64_t r0 = pick(0, rest[0] - 1), r1 = pick(0, rest[1] - 1);
    std::string op = "  %0 = tile.local_partition %v by <(" +
                     std::to_string(threads[0]) + ", " +
                     std::to_string(threads[1]) + ") : (" +
                     std::to_string(step[0]) + ", " + std::to_string(step[1]) +
                     ")> at " + argument(thread) + " : " + view + "\n";
    auto module = parseSourceString<ModuleOp>("func.func @f(%v: " + view +
                                                  ", " + names[0] + ") {\n" +
                                                  op + "  return\n}\n",
                                              &context);
    ASSERT_TRUE(module) << op;
    part.clear();
    module->walk([&](LocalPartitionOp op) {
      llvm::raw_string_ostream(part) << op.getResult().getType();
    });
    std::optional<int64_t> address =
        access(view, op + "  %1 = tile.view_load %0(" + argument(r0) + ", " +
                         std::to_string(r1) + ") : " + part + " -> i32\n");
    ASSERT_EQ(address, 4 * ((at0 + threads[0] * r0) * stride[0] +
                            (at1 + threads[1] * r1) * stride[1]))
        << shown;
  }
}

TEST_F(Views, ThreadPartitions) {
  const char *maps[] = {
      "strip_mined<tile = [16, 16], contiguous = 1, threads = 32, elements = "
      "4>",
      "strip_mined<tile = [16, 16], contiguous = 0, threads = 8, elements = 2>",
      "warp_raked<tile = [16, 16], contiguous = 1, threads = 64, warp = [8, "
      "4], "
      "elements = 2>",
      "thread_strided<tile = [16, 16], contiguous = 1, threads = 16, "
      "elements = 1>"};
  for (const char *text : maps) {
    auto map = dyn_cast_or_null<ThreadMapAttrInterface>(
        parseAttribute("#tile." + std::string(text), &context));
    ASSERT_TRUE(map) << text;
    Layout tv = map.getTVLayout();
    for (int i = 0; i < 60 && !HasFailure(); ++i) {
      reset();
      int64_t stride[2] = {pick(1, 300), pick(1, 300)};
      Layout layout = *Layout::get(IntTuple::constants({16, 16}),
                                   IntTuple::constants(stride));
      std::string view =
          "!tile.view<i32, global, (16, 16) : " + hide(layout.getStride(), 30) +
          ">";
      int64_t thread = pick(0, tv[0].size().getValue() - 1);
      int64_t value = pick(0, tv[1].size().getValue() - 1);
      Result<IntTuple> place =
          tv(IntTuple::tuple({IntTuple(thread), IntTuple(value)}));
      ASSERT_TRUE(place);
      // Zeros at the end of a coordinate are left out.
      SmallVector<IntTuple> element(place->getModes());
      element.resize(2);
      std::string op = "  %0 = tile.thread_partition %v by #tile." +
                       std::string(text) + " at " + argument(thread) + " : " +
                       view + "\n";
      auto module = parseSourceString<ModuleOp>("func.func @f(%v: " + view +
                                                    ", " + names[0] + ") {\n" +
                                                    op + "  return\n}\n",
                                                &context);
      ASSERT_TRUE(module) << op;
      std::string part;
      module->walk([&](ThreadPartitionOp op) {
        llvm::raw_string_ostream(part) << op.getResult().getType();
      });
      std::optional<int64_t> address =
          access(view, op + "  %1 = tile.view_load %0 " + argument(value) +
                           " : " + part + " -> i32\n");
      ASSERT_EQ(address, 4 * at(layout, IntTuple::tuple(element))) << shown;
    }
  }
}
