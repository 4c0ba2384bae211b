// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden rows of wgmma, read as attributes: every thread and value of A, B
// and the accumulator, N of N.
#include "GoldenLines.h"

#include "tile/IR/Tile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringSwitch.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tile;
using namespace tile::test;
using llvm::json::Object;

namespace {

/// A type of the golden data as the attribute spells it.
StringRef getType(StringRef type) {
  return llvm::StringSwitch<StringRef>(type)
      .Case("e4m3", "f8E4M3FN")
      .Case("e5m2", "f8E5M2")
      .Case("s32", "i32")
      .Case("s8", "i8")
      .Case("u8", "ui8")
      .Default(type);
}

/// The number of the element, counted down dimension `rowDim` of `rows`, at
/// which a coordinate-valued layout has value `index`.
int64_t getElement(const Layout &layout, int64_t index, int64_t rows,
                   int64_t rowDim) {
  Result<IntTuple> value = layout(IntTuple(index));
  if (!value)
    return -1;
  int64_t coordinate[2] = {0, 0};
  if (value->isTuple())
    for (unsigned i = 0; i < value->rank() && i < 2; ++i)
      coordinate[i] = (*value)[i].getInt().getValue();
  return coordinate[rowDim] + coordinate[1 - rowDim] * rows;
}

void compareLayout(Differences &differences, const Object &line, StringRef key,
                   const Layout &ours, int64_t rows, int64_t rowDim) {
  Result<Layout> theirs = Layout::parse(*line.getString(key));
  if (!theirs) {
    differences.push_back(theirs.getReason());
    return;
  }
  if (ours.size() != theirs->size()) {
    differences.push_back((key + " has another size: " + ours.str()).str());
    return;
  }
  // What is in shared memory, all threads see alike: a sample is enough.
  bool isShared = ours[0].getStride().isStatic(0);
  for (int64_t i = 0; i < ours.size().getValue(); i += isShared ? 77 : 1)
    if (int64_t got = getElement(ours, i, rows, rowDim); got != theirs->at(i)) {
      differences.push_back((key + " at " + Twine(i) + " is " + Twine(got) +
                             " instead of " + Twine(theirs->at(i)))
                                .str());
      return;
    }
}

void check(MLIRContext &context, const Object &line, StringRef n,
           Differences &differences) {
  const Object &types = *line.getObject("val_type");
  std::string text =
      ("#tile.wgmma<n = " + n + ", a = " + getType(*types.getString("a")) +
       ", b = " + getType(*types.getString("b")) +
       ", acc = " + getType(*types.getString("c")) +
       (*line.getBoolean("a_from_smem_descriptor") ? "" : ", a_in = register") +
       ">")
          .str();
  auto atom = dyn_cast_or_null<WgmmaAttr>(parseAttribute(text, &context));
  if (!atom) {
    differences.push_back(text + " is no attribute");
    return;
  }
  std::string shape =
      "(_64,_" + n.str() + ",_" + std::to_string(atom.getK()) + ")";
  if (*line.getString("shape_mnk") != shape)
    differences.push_back("the shape is " + shape);
  compareLayout(differences, line, "a_layout", atom.getALayout(), 64, 0);
  compareLayout(differences, line, "b_layout", atom.getBLayout(), atom.getN(),
                1);
  compareLayout(differences, line, "c_layout", atom.getCLayout(), 64, 0);
}

TEST(GoldenWgmma, EveryRow) {
  bool isOther = false;
  std::vector<Object> lines =
      readGolden("mma_atoms.jsonl", "TILE_GOLDEN_MMA_ATOMS", &isOther);
  MLIRContext context;
  context.loadDialect<TileDialect>();
  int64_t passed = 0, total = 0;
  for (const Object &line : lines) {
    StringRef name = line.getString("name").value_or(""), n = name;
    const Object *types = line.getObject("val_type");
    // The attribute has sums of 32 bits, which wrap around.
    if (!n.consume_front("SM90_64x") || !types || !line.get("c_layout") ||
        types->getString("c") == StringRef("f16") ||
        name.ends_with("_SATURATE"))
      continue;
    Differences differences;
    check(context, line, n.split('x').first, differences);
    ++total;
    passed += differences.empty();
    EXPECT_TRUE(differences.empty()) << name.str() << ": " << join(differences);
  }
  llvm::outs() << "golden wgmma rows: " << passed << " of " << total << "\n";
  EXPECT_TRUE(isOther || total >= 100) << total;
}

// A fragment has what one instruction has for each step along K, and that for
// each atom along M.
TEST(Wgmma, FragmentsOfA) {
  MLIRContext context;
  context.loadDialect<TileDialect>();
  for (auto [types, step, k] :
       {std::tuple("a = bf16, b = bf16, acc = f32", 2, 16),
        {"a = tf32, b = tf32, acc = f32", 1, 8},
        {"a = i8, b = ui8, acc = i32", 4, 32}}) {
    auto atom = dyn_cast_or_null<WgmmaAttr>(parseAttribute(
        std::string("#tile.wgmma<n = 8, ") + types + ", a_in = register>",
        &context));
    ASSERT_TRUE(atom) << types;
    EXPECT_EQ(atom.getK(), k);
    EXPECT_EQ(atom.getFragmentTypeA(2, 3).getNumElements(), 6 * 4 * step);
    TVMapAttr map = atom.getFragmentMapA(2, 3);
    // Its own parser and verifier take it.
    std::string text;
    llvm::raw_string_ostream(text) << map;
    EXPECT_EQ(parseAttribute(text, &context), map) << text;
    EXPECT_EQ(map.getTile()[0], 128);
    EXPECT_EQ(map.getTile()[1], 3 * k);
    Layout layout = map.getTVLayout(), one = atom.getALayout();
    int64_t rows = 128, values = 4 * step;
    for (int64_t thread : {0, 5, 127})
      for (int64_t i = 0; i < 6 * values; ++i) {
        int64_t element = getElement(one, thread + 128 * (i % values), 64, 0);
        int64_t row = element % 64 + i / (3 * values) * 64;
        int64_t column = element / 64 + i / values % 3 * k;
        EXPECT_EQ(getElement(layout, thread + 128 * i, rows, 0),
                  row + column * rows);
      }
  }
}

} // namespace
