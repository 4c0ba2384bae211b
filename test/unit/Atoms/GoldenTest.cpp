// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden data of mma atoms and shared-memory atoms: N of N.
#include "tile/Atoms/MmaAtoms.h"
#include "tile/Atoms/SharedLayouts.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <map>

using namespace tile;
using llvm::StringRef;
using llvm::json::Object;

namespace {

/// Differences of one line, one sentence each; none if it agrees.
using Differences = std::vector<std::string>;

std::vector<Object> readLines(StringRef path) {
  std::vector<Object> lines;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    ADD_FAILURE() << "cannot read " << path.str();
    return lines;
  }
  llvm::SmallVector<StringRef> texts;
  (*buffer)->getBuffer().split(texts, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef text : texts) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
    if (!value || !value->getAsObject()) {
      llvm::consumeError(value.takeError());
      ADD_FAILURE() << "not a JSON object: " << text.str();
      continue;
    }
    lines.push_back(std::move(*value->getAsObject()));
  }
  return lines;
}

/// MLIR's name of a type of the golden data.
StringRef getType(StringRef type) {
  return llvm::StringSwitch<StringRef>(type)
      .Case("e4m3", "f8E4M3FN")
      .Case("e5m2", "f8E5M2")
      .Case("s32", "i32")
      .Case("s8", "i8")
      .Case("s4", "i4")
      // The three parts of a complex product (Gauss).
      .Case("other192", "tuple<f64, f64, f64>")
      .Default(type);
}

void compare(Differences &differences, StringRef what, StringRef ours,
             StringRef theirs) {
  if (ours != theirs)
    differences.push_back(
        (what + " is " + ours + " instead of " + theirs).str());
}

void compareLayout(Differences &differences, const Object &line, StringRef key,
                   const Layout &ours) {
  StringRef text = *line.getString(key);
  Result<Layout> theirs = Layout::parse(text);
  // The reference states a stride of other nesting than the shape: no layout,
  // and it does not compile there. Ours holds the same numbers.
  if (!theirs && text == "((_4,_8),(_32,_2)):((_512,_1),((_16,_8)))")
    theirs = Layout::parse("((_4,_8),(_32,_2)):((_512,_1),(_16,_8))");
  if (!theirs)
    differences.push_back((key + ": " + theirs.getReason()).str());
  else
    compare(differences, key, ours.str(), theirs->str());
}

void compareTable(Differences &differences, const Object &line, StringRef key,
                  const Layout &ours) {
  const llvm::json::Array *rows = line.getArray(key);
  if (!rows)
    return;
  int64_t threads = rows->size();
  for (int64_t t = 0; t < threads; ++t) {
    const llvm::json::Array &values = *(*rows)[t].getAsArray();
    for (int64_t v = 0, e = values.size(); v < e; ++v)
      if (ours.at(t + threads * v) != *values[v].getAsInteger())
        differences.push_back((key + " differs at thread " + llvm::Twine(t) +
                               ", value " + llvm::Twine(v))
                                  .str());
    if (ours.size() != Int(threads * int64_t(values.size())))
      differences.push_back((key + " has another size").str());
  }
}

Differences checkMma(const Object &line) {
  Result<MmaAtom> atom = getMmaAtom(*line.getString("name"));
  if (!atom)
    return {atom.getReason()};
  Differences differences;
  IntTuple shape = IntTuple::constants({atom->m, atom->n, atom->k});
  compare(differences, "shape", shape.str(),
          IntTuple::parse(*line.getString("shape_mnk"))->str());
  compareLayout(differences, line, "thr_id", atom->threadLayout);
  compareLayout(differences, line, "a_layout", atom->aLayout);
  compareLayout(differences, line, "b_layout", atom->bLayout);
  compareLayout(differences, line, "c_layout", atom->cLayout);
  compareTable(differences, line, "a_table", atom->aLayout);
  compareTable(differences, line, "b_table", atom->bLayout);
  compareTable(differences, line, "c_table", atom->cLayout);
  const Object &types = *line.getObject("val_type");
  compare(differences, "type of A", atom->a, getType(*types.getString("a")));
  compare(differences, "type of B", atom->b, getType(*types.getString("b")));
  compare(differences, "type of C", atom->c, getType(*types.getString("c")));
  compare(differences, "type of D", atom->c, getType(*types.getString("d")));
  if (*line.getBoolean("a_from_smem_descriptor") != atom->aShared ||
      *line.getBoolean("b_from_smem_descriptor") != atom->bShared)
    differences.push_back("operands come from elsewhere");
  if (atom->threads != atom->threadLayout.size().getValue())
    differences.push_back("the number of threads differs");
  // The chip is that of the name.
  StringRef chip = StringRef(*line.getString("name")).substr(2, 2);
  compare(differences, "chip", StringRef(atom->chip).substr(3, 2), chip);
  return differences;
}

Differences checkSharedAtom(const Object &line) {
  StringRef name = *line.getString("name");
  Major major = name.contains("_MN_") ? Major::MN : Major::K;
  int swizzle = name.contains("SW128")  ? 128
                : name.contains("SW64") ? 64
                : name.contains("SW32") ? 32
                                        : 0;
  Result<ComposedLayout> atom =
      getSharedAtom(major, swizzle, *line.getInteger("element_bits"));
  if (!atom)
    return {atom.getReason()};
  Differences differences;
  Result<ComposedLayout> theirs =
      ComposedLayout::parse(*line.getString("element_layout"));
  compare(differences, "layout", atom->str(),
          theirs ? theirs->str() : theirs.getReason());
  const llvm::json::Array &table = *line.getArray("table");
  if (atom->size() != Int(int64_t(table.size())))
    differences.push_back("the size differs");
  for (int64_t i = 0, e = table.size(); i < e; ++i)
    if (atom->at(i) != *table[i].getAsInteger())
      differences.push_back("value " + std::to_string(i) + " differs");
  // On byte addresses the swizzle is the one stated.
  Result<ComposedLayout> bytes =
      ComposedLayout::parse(*line.getString("layout"));
  int64_t elementBytes = *line.getInteger("element_bits") / 8;
  for (int64_t i = 0, e = table.size(); bytes && i < e; ++i)
    if (atom->at(i) * elementBytes !=
        bytes->getSwizzle().at(bytes->getLayout().at(i) * elementBytes))
      differences.push_back("byte " + std::to_string(i) + " differs");
  return differences;
}

TEST(AtomsGolden, EveryLine) {
  std::vector<Object> lines =
      readLines(std::string(TILE_TEST_DIR) + "/Inputs/golden/mma_atoms.jsonl");
  ASSERT_FALSE(lines.empty());
  std::map<std::string, std::pair<unsigned, unsigned>> counts;
  unsigned passed = 0;
  for (const Object &line : lines) {
    StringRef kind = *line.getString("kind");
    Differences differences =
        kind == "mma" ? checkMma(line) : checkSharedAtom(line);
    auto &[good, total] = counts[kind.str()];
    ++total;
    good += differences.empty();
    passed += differences.empty();
    for (const std::string &difference : differences)
      llvm::outs() << "difference: " << *line.getString("name") << ": "
                   << difference << "\n";
  }
  for (const auto &[kind, count] : counts)
    llvm::outs() << kind << ": " << count.first << " of " << count.second
                 << "\n";
  llvm::outs() << "golden atoms: " << passed << " of " << lines.size() << "\n";
  llvm::outs().flush();
  EXPECT_EQ(passed, lines.size());
}

} // namespace
