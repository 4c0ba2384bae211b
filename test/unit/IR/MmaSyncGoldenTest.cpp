// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden rows of mma.sync, read as attributes: every thread and value of A,
// B and the sums, N of N.
#include "GoldenLines.h"

#include "tile/Atoms/MmaAtoms.h"
#include "tile/IR/Tile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tile;
using namespace tile::test;
using llvm::json::Object;

namespace {

/// A type of the table as the attribute spells it.
std::string getType(const std::string &type) {
  return type == "u8" || type == "u4" ? "ui" + type.substr(1) : type;
}

/// The attribute of a row of the table; null if it has none.
MmaSyncAttr getAttribute(const MmaAtom &atom, MLIRContext &context) {
  std::string text = "#tile.mma_sync<shape = [" + std::to_string(atom.m) +
                     ", " + std::to_string(atom.n) + ", " +
                     std::to_string(atom.k) + "], a = " + getType(atom.a) +
                     ", b = " + getType(atom.b) + ", acc = " + getType(atom.c) +
                     ">";
  return dyn_cast_or_null<MmaSyncAttr>(parseAttribute(text, &context));
}

/// Where, counted down dimension `rowDim` of `rows`, the layouts differ.
void compareLayout(Differences &differences, const Object &line, StringRef key,
                   const Layout &ours, int64_t rows, int64_t rowDim) {
  Result<Layout> theirs = Layout::parse(*line.getString(key));
  if (!theirs || ours.size() != theirs->size()) {
    differences.push_back((key + " has another size").str());
    return;
  }
  for (int64_t i = 0; i < ours.size().getValue(); ++i) {
    Result<IntTuple> value = ours(IntTuple(i));
    int64_t coordinate[2] = {0, 0};
    if (value && value->isTuple())
      for (unsigned d = 0; d < value->rank() && d < 2; ++d)
        coordinate[d] = (*value)[d].getInt().getValue();
    int64_t element = coordinate[rowDim] + coordinate[1 - rowDim] * rows;
    if (element != theirs->at(i)) {
      differences.push_back((key + " at " + Twine(i) + " is " + Twine(element) +
                             " instead of " + Twine(theirs->at(i)))
                                .str());
      return;
    }
  }
}

TEST(GoldenMmaSync, EveryRow) {
  bool isOther = false;
  std::vector<Object> lines =
      readGolden("mma_atoms.jsonl", "TILE_GOLDEN_MMA_ATOMS", &isOther);
  MLIRContext context;
  context.loadDialect<TileDialect>();
  int64_t passed = 0, total = 0;
  for (const Object &line : lines) {
    std::string name = line.getString("name").value_or("").str();
    Result<MmaAtom> atom = getMmaAtom(name);
    // The attribute has no modifiers, bits, complex numbers or quad pairs.
    if (!atom || atom->threads != 32 || !atom->variant.empty() ||
        atom->a == "u1" || StringRef(atom->a).starts_with("complex") ||
        !line.get("c_layout"))
      continue;
    ++total;
    Differences differences;
    MmaSyncAttr attr = getAttribute(*atom, context);
    if (attr) {
      compareLayout(differences, line, "a_layout", attr.getALayout(), atom->m,
                    0);
      compareLayout(differences, line, "b_layout", attr.getBLayout(), atom->n,
                    1);
      compareLayout(differences, line, "c_layout", attr.getCLayout(), atom->m,
                    0);
    } else {
      differences.push_back("no attribute");
    }
    passed += differences.empty();
    EXPECT_TRUE(differences.empty()) << name << ": " << join(differences);
  }
  llvm::outs() << "golden mma.sync rows: " << passed << " of " << total << "\n";
  EXPECT_TRUE(isOther || total >= 30) << total;
}

} // namespace
