// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden data of mma, copy, shared-memory and tiled atoms: every line.
#include "../IR/GoldenLines.h"

#include "tile/Atoms/MmaAtoms.h"
#include "tile/Atoms/SharedLayouts.h"
#include "tile/Atoms/TiledAtoms.h"
#include "llvm/ADT/StringSwitch.h"
#include "gtest/gtest.h"

using namespace tile;
using llvm::StringRef;
using llvm::json::Object;
using tile::test::Differences;

namespace {

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

/// `copy` lines count bits, `copy_atom` lines values.
Differences checkCopy(const Object &line) {
  StringRef name = *line.getString("name");
  std::optional<int64_t> valueBits = line.getInteger("value_bits");
  Result<CopyAtom> atom =
      valueBits ? getCopyAtom(name, *valueBits) : getCopyAtom(name);
  if (!atom)
    return {atom.getReason()};
  Differences differences;
  compareLayout(differences, line, "thr_id", atom->threadLayout);
  compareLayout(differences, line, "src_layout", atom->source);
  compareLayout(differences, line, "dst_layout", atom->destination);
  compareLayout(differences, line, "ref_layout", atom->reference);
  compareTable(differences, line, "src_table", atom->source);
  compareTable(differences, line, "dst_table", atom->destination);
  auto compareCount = [&](StringRef key, const Layout &layout) {
    std::optional<int64_t> count = line.getInteger(key);
    if (count && layout[1].size() != Int(*count))
      differences.push_back((key + " differs").str());
  };
  compareCount("num_val_src", atom->source);
  compareCount("num_val_dst", atom->destination);
  return differences;
}

/// What the name of a tiled_mma line stands for.
struct TiledMmaCase {
  StringRef name, atom, atoms, permutation;
};

// clang-format off
constexpr TiledMmaCase kTiledMmas[] = {
    {"SM80_16x8x16_F32F16F16F32_TN, atoms (2,2,1)", "SM80_16x8x16_F32F16F16F32_TN", "(2, 2, 1) : (1, 2, 0)", "<_, _, _>"},
    {"SM80_16x8x16_F32F16F16F32_TN, atoms (2,2,1), tile (32,32,16)", "SM80_16x8x16_F32F16F16F32_TN", "(2, 2, 1) : (1, 2, 0)", "<32, 32, 16>"},
    {"SM70_8x8x4_F32F16F16F32_NT, atoms (2,2)", "SM70_8x8x4_F32F16F16F32_NT", "(2, 2, 1) : (2, 1, 0)", "<_, _, _>"},
    {"SM70_8x8x4_F32F16F16F32_NT, atoms (2,2), permuted M", "SM70_8x8x4_F32F16F16F32_NT", "(2, 2, 1) : (2, 1, 0)", "<(4, 4, 2) : (1, 8, 4), 32, 4>"},
    {"UniversalFMA<float>, (16,16,1)", "", "(16, 16, 1) : (1, 16, 0)", "<_, _, _>"},
    {"UniversalFMA<float>, (16,16,1) row", "", "(16, 16, 1) : (16, 1, 0)", "<_, _, _>"},
    {"SM80_8x8x4_F64F64F64F64_TN, atoms (4,2,1)", "SM80_8x8x4_F64F64F64F64_TN", "(4, 2, 1) : (1, 4, 0)", "<_, _, _>"},
    {"SM89_16x8x32_F32E4M3E4M3F32_TN, atoms (2,2,1)", "SM89_16x8x32_F32E4M3E4M3F32_TN", "(2, 2, 1) : (1, 2, 0)", "<_, _, _>"},
    {"SM90_64x64x16_F32F16F16_SS<K,K>, atoms (2,1,1)", "SM90_64x64x16_F32F16F16_SS[A=K,B=K]", "(2, 1, 1) : (1, 0, 0)", "<_, _, _>"},
    {"SM90_64x128x16_F32F16F16_SS<K,K>", "SM90_64x128x16_F32F16F16_SS[A=K,B=K]", "(1, 1, 1) : (0, 0, 0)", "<_, _, _>"},
};
// clang-format on

Result<TiledMma> getTiledMmaOf(const TiledMmaCase &entry) {
  Result<MmaAtom> atom = entry.atom.empty() ? Result<MmaAtom>(getFmaAtom("f32"))
                                            : getMmaAtom(entry.atom);
  if (!atom)
    return atom.takeReason();
  return getTiledMma(*atom, *Layout::parse(entry.atoms),
                     *Tiler::parse(entry.permutation));
}

Differences checkTiledMma(const Object &line) {
  StringRef name = *line.getString("name");
  const auto *entry = llvm::find_if(kTiledMmas, [&](const TiledMmaCase &entry) {
    return entry.name == name;
  });
  if (entry == std::end(kTiledMmas))
    return {"expected a name of the table above"};
  Result<TiledMma> mma = getTiledMmaOf(*entry);
  if (!mma)
    return {mma.getReason()};
  Differences differences;
  compare(differences, "tile",
          IntTuple::constants({mma->m, mma->n, mma->k}).str(),
          IntTuple::parse(*line.getString("tile_mnk"))->str());
  compareLayout(differences, line, "thr_layout_vmnk", mma->threadLayout);
  compareLayout(differences, line, "a_tv", mma->aLayout);
  compareLayout(differences, line, "b_tv", mma->bLayout);
  compareLayout(differences, line, "c_tv", mma->cLayout);
  if (mma->threadLayout.size() != Int(*line.getInteger("threads")))
    differences.push_back("the number of threads differs");
  return differences;
}

/// What the name of a tiled_copy line stands for: threads and values, or an
/// operand of a tiled mma.
struct TiledCopyCase {
  StringRef name, atom;
  int64_t bits;
  StringRef threads, values;
  StringRef mma;
  char operand;
};

// clang-format off
constexpr StringRef kMma = "SM80_16x8x16_F32F16F16F32_TN, atoms (2,2,1)";
constexpr StringRef kWideMma = "SM80_16x8x16_F32F16F16F32_TN, atoms (2,2,1), tile (32,32,16)";
constexpr TiledCopyCase kTiledCopies[] = {
    {"SM80_CP_ASYNC_CACHEALWAYS<uint128_t> f16, thr (16,8):(8,1), val (1,8)", "SM80_CP_ASYNC_CACHEALWAYS<uint128_t>", 16, "(16, 8) : (8, 1)", "(1, 8) : (0, 1)", "", 0},
    {"UniversalCopy<float>, thr (32,8), val (1,1)", "UniversalCopy<float>", 32, "(32, 8) : (1, 32)", "(1, 1) : (0, 0)", "", 0},
    {"SM75_U32x4_LDSM_N f16 for A of SM80_16x8x16 atoms (2,2,1) tile (32,32,16)", "SM75_U32x4_LDSM_N", 16, "", "", kWideMma, 'A'},
    {"SM75_U32x4_LDSM_N f16 for B of SM80_16x8x16 atoms (2,2,1) tile (32,32,16)", "SM75_U32x4_LDSM_N", 16, "", "", kWideMma, 'B'},
    {"SM75_U16x8_LDSM_T f16 for A of SM80_16x8x16 atoms (2,2,1) tile (32,32,16)", "SM75_U16x8_LDSM_T", 16, "", "", kWideMma, 'A'},
    {"UniversalCopy<uint64_t> f32 for C of SM80_16x8x16 atoms (2,2,1)", "UniversalCopy<uint64_t>", 32, "", "", kMma, 'C'},
};
// clang-format on

Result<TiledCopy> getTiledCopyOf(const TiledCopyCase &entry) {
  Result<CopyAtom> atom = getCopyAtom(entry.atom, entry.bits);
  if (!atom)
    return atom.takeReason();
  if (!entry.operand)
    return getTiledCopy(*atom, *Layout::parse(entry.threads),
                        *Layout::parse(entry.values));
  const auto *mmaCase = llvm::find_if(kTiledMmas, [&](const TiledMmaCase &mma) {
    return mma.name == entry.mma;
  });
  Result<TiledMma> mma = getTiledMmaOf(*mmaCase);
  if (!mma)
    return mma.takeReason();
  if (entry.operand == 'A')
    return getTiledCopy(*atom, mma->aLayout,
                        IntTuple::constants({mma->m, mma->k}));
  if (entry.operand == 'B')
    return getTiledCopy(*atom, mma->bLayout,
                        IntTuple::constants({mma->n, mma->k}));
  return getTiledCopy(*atom, mma->cLayout,
                      IntTuple::constants({mma->m, mma->n}));
}

Differences checkTiledCopy(const Object &line) {
  StringRef name = *line.getString("name");
  const auto *entry =
      llvm::find_if(kTiledCopies, [&](const TiledCopyCase &entry) {
        return entry.name == name;
      });
  if (entry == std::end(kTiledCopies))
    return {"expected a name of the table above"};
  Result<TiledCopy> copy = getTiledCopyOf(*entry);
  if (!copy)
    return {copy.getReason()};
  Differences differences;
  compare(differences, "tile", copy->tile.str(),
          IntTuple::parse(*line.getString("tiler_mn"))->str());
  compareLayout(differences, line, "layout_tv", copy->layout);
  compareLayout(differences, line, "src_tv", copy->source);
  compareLayout(differences, line, "dst_tv", copy->destination);
  if (copy->threads != *line.getInteger("threads"))
    differences.push_back("the number of threads differs");
  return differences;
}

Differences check(StringRef kind, const Object &line) {
  if (kind == "mma")
    return checkMma(line);
  if (kind == "gmma_smem_atom")
    return checkSharedAtom(line);
  if (kind == "copy" || kind == "copy_atom")
    return checkCopy(line);
  if (kind == "tiled_mma")
    return checkTiledMma(line);
  if (kind == "tiled_copy")
    return checkTiledCopy(line);
  return {"expected a kind that this test compares, but got " + kind.str()};
}

TEST(AtomsGolden, EveryLine) {
  bool other = false;
  std::vector<Object> lines =
      tile::test::readGolden("mma_atoms.jsonl", "TILE_GOLDEN_ATOMS", &other);
  tile::test::checkClasses("mma_atoms", lines, other);
  for (const Object &line : lines)
    for (const std::string &difference : check(*line.getString("kind"), line))
      ADD_FAILURE() << line.getString("name")->str() << ": " << difference;
}

} // namespace
