// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of mma atoms: every row is sound; look-ups and their refusals.
#include "tile/Atoms/MmaAtoms.h"
#include "gtest/gtest.h"
#include <set>

using namespace tile;

namespace {

/// Every element of the tile is held by exactly one thread and value.
void expectPartition(const MmaAtom &atom, const Layout &layout,
                     int64_t elements) {
  ASSERT_EQ(layout.size(), Int(elements)) << atom.name;
  std::vector<bool> seen(elements);
  for (int64_t i = 0; i < elements; ++i) {
    int64_t element = layout.at(i);
    ASSERT_TRUE(element >= 0 && element < elements && !seen[element])
        << atom.name << ": " << layout.str() << " at " << i;
    seen[element] = true;
  }
}

/// Every thread sees the tile, in the order of its elements.
void expectWhole(const MmaAtom &atom, const Layout &layout, int64_t elements) {
  EXPECT_EQ(layout[0].str(), std::to_string(atom.threads) + " : 0");
  Layout values = layout[1];
  ASSERT_EQ(values.size(), Int(elements)) << atom.name;
  for (int64_t i = 0; i < elements; ++i)
    ASSERT_EQ(values.at(i), i) << atom.name;
}

TEST(MmaAtoms, EveryRowIsSound) {
  llvm::SmallVector<MmaAtom, 0> atoms = getMmaAtoms();
  std::set<std::string> names;
  for (const MmaAtom &atom : atoms) {
    EXPECT_TRUE(names.insert(atom.name).second) << atom.name;
    bool isDot = atom.threads == 1; // DP4A, DP2A: the name has no extents.
    EXPECT_NE(isDot ? atom.name.find("DP" + std::to_string(atom.k))
                    : atom.name.find(std::to_string(atom.m) + "x" +
                                     std::to_string(atom.n) + "x" +
                                     std::to_string(atom.k) + "_"),
              std::string::npos)
        << atom.name;
    EXPECT_EQ(atom.threads, atom.threadLayout.size().getValue());
    EXPECT_EQ(atom.isWarpGroup(), atom.chip == "sm_90a");
    for (const Layout *layout : {&atom.aLayout, &atom.bLayout, &atom.cLayout})
      EXPECT_EQ((*layout)[0].size(), Int(atom.threads)) << atom.name;
    atom.aShared ? expectWhole(atom, atom.aLayout, atom.m * atom.k)
                 : expectPartition(atom, atom.aLayout, atom.m * atom.k);
    atom.bShared ? expectWhole(atom, atom.bLayout, atom.n * atom.k)
                 : expectPartition(atom, atom.bLayout, atom.n * atom.k);
    expectPartition(atom, atom.cLayout, atom.m * atom.n);
  }
  // 2 dot products, 90 mma.sync rows; wgmma: 3 types of 16 bits in 6 forms,
  // tf32 and 8 of float8 in 2, all with 32 extents, and 4 of int8 in 4 with 18.
  EXPECT_EQ(atoms.size(), 2 + 90u + 3 * 6 * 32 + 9 * 2 * 32 + 4 * 4 * 18);
}

// What the PTX manual says of the accumulator of wgmma: register 4 g + {0, 1}
// is row lane / 4 and column 8 g + 2 (lane % 4) + {0, 1}; {2, 3} are row + 8.
TEST(MmaAtoms, AccumulatorOfWgmma) {
  WgmmaShape shape;
  shape.n = 96;
  shape.a = shape.b = "bf16";
  shape.c = "f32";
  Result<MmaAtom> atom = getWgmmaAtom(shape);
  ASSERT_TRUE(bool(atom)) << atom.getReason();
  for (int64_t t = 0; t < 128; ++t)
    for (int64_t v = 0; v < 48; ++v) {
      int64_t lane = t % 32;
      int64_t row = t / 32 * 16 + lane / 4 + v % 4 / 2 * 8;
      int64_t column = v / 4 * 8 + lane % 4 * 2 + v % 2;
      EXPECT_EQ(atom->cLayout.at(t + 128 * v), row + 64 * column);
    }
}

// The fragments of m16n8k16 in the PTX manual.
TEST(MmaAtoms, FragmentsOfM16N8K16) {
  Result<MmaAtom> atom = getMmaAtom("SM80_16x8x16_F32BF16BF16F32_TN");
  ASSERT_TRUE(bool(atom)) << atom.getReason();
  for (int64_t t = 0; t < 32; ++t) {
    int64_t group = t / 4, inGroup = t % 4;
    for (int64_t v = 0; v < 8; ++v) {
      int64_t row = group + (v % 4 < 2 ? 0 : 8);
      int64_t column = inGroup * 2 + v % 2 + (v < 4 ? 0 : 8);
      EXPECT_EQ(atom->aLayout.at(t + 32 * v), row + 16 * column);
    }
    for (int64_t v = 0; v < 4; ++v) {
      EXPECT_EQ(atom->bLayout.at(t + 32 * v),
                group + 8 * (inGroup * 2 + v % 2 + (v < 2 ? 0 : 8)));
      EXPECT_EQ(atom->cLayout.at(t + 32 * v),
                group + v / 2 * 8 + 16 * (inGroup * 2 + v % 2));
    }
  }
}

std::string find(llvm::StringRef chip, llvm::StringRef a, llvm::StringRef b,
                 llvm::StringRef c) {
  Result<MmaAtom> atom = findMmaAtom(chip, a, b, c);
  return atom ? atom->name : atom.getReason();
}

TEST(MmaAtoms, FindsTheLargest) {
  EXPECT_EQ(find("sm_90a", "bf16", "bf16", "f32"),
            "SM80_16x8x16_F32BF16BF16F32_TN");
  EXPECT_EQ(find("sm_75", "f16", "f16", "f32"), "SM75_16x8x8_F32F16F16F32_TN");
  EXPECT_EQ(find("sm_75", "f16", "f16", "f16"), "SM75_16x8x8_F16F16F16F16_TN");
  EXPECT_EQ(find("sm_61", "i8", "i8", "i32"), "SM61_DP4A");
  EXPECT_EQ(find("sm_90a", "i16", "i16", "i32"), "SM61_DP2A");
  EXPECT_EQ(find("sm_70", "f16", "f16", "f16"), "SM70_8x8x4_F16F16F16F16_TN");
  EXPECT_EQ(find("sm_80", "f64", "f64", "f64"), "SM80_8x8x4_F64F64F64F64_TN");
  EXPECT_EQ(find("sm_90", "f64", "f64", "f64"), "SM90_16x8x16_F64F64F64F64_TN");
  EXPECT_EQ(find("sm_80", "i8", "u8", "i32"), "SM80_16x8x32_S32S8U8S32_TN");
  EXPECT_EQ(find("sm_80", "f8E5M2", "f8E4M3FN", "f32"),
            "expected sm_89 or later for f8E5M2 x f8E4M3FN -> f32, but got "
            "sm_80");
  EXPECT_EQ(find("sm_70", "bf16", "bf16", "f32"),
            "expected sm_80 or later for bf16 x bf16 -> f32, but got sm_70");
  EXPECT_EQ(find("sm_90a", "bf16", "f16", "f32"),
            "expected the element types of an mma atom, but got bf16 x f16 -> "
            "f32");
  EXPECT_EQ(find("gfx942", "f16", "f16", "f32"),
            "expected a chip like sm_80 or sm_90a, but got 'gfx942'");
  EXPECT_EQ(getMmaAtom("SM80_7x8x9").getReason(),
            "expected the name of an mma atom, but got 'SM80_7x8x9'");
}

std::string get(const WgmmaShape &shape) {
  Result<MmaAtom> atom = getWgmmaAtom(shape);
  return atom ? atom->name : atom.getReason();
}

TEST(MmaAtoms, Wgmma) {
  EXPECT_EQ(get({128, "bf16", "bf16", "f32", true, Major::K, Major::MN}),
            "SM90_64x128x16_F32BF16BF16_SS[A=K,B=MN]");
  EXPECT_EQ(get({24, "u8", "i8", "i32", false, Major::K, Major::K, true}),
            "SM90_64x24x32_S32U8S8_RS_TN_SATURATE");
  EXPECT_EQ(get({12, "f16", "f16", "f32"}),
            "expected n from 8 to 256 in steps of 8 for f16, but got 12");
  EXPECT_EQ(get({264, "tf32", "tf32", "f32"}),
            "expected n from 8 to 256 in steps of 8 for tf32, but got 264");
  EXPECT_EQ(get({40, "i8", "i8", "i32"}),
            "expected n from 8 to 256 in steps of 16, or 8 or 24, for i8, but "
            "got 40");
  EXPECT_EQ(get({64, "bf16", "bf16", "f16"}),
            "expected the element types of a wgmma atom, but got bf16 x bf16 "
            "-> f16");
  EXPECT_EQ(get({64, "f16", "f16", "f32", false, Major::MN, Major::K}),
            "expected A in registers to be K-major, but got MN-major");
  EXPECT_EQ(get({64, "f8E4M3FN", "f8E5M2", "f32", true, Major::K, Major::MN}),
            "expected B of f8E5M2 to be K-major, but got MN-major");
  EXPECT_EQ(get({64, "tf32", "tf32", "f32", true, Major::MN, Major::K}),
            "expected A of tf32 to be K-major, but got MN-major");
  EXPECT_EQ(get({64, "f16", "f16", "f32", true, Major::K, Major::K, true}),
            "expected an integer accumulator to saturate, but got f32");
}

} // namespace
