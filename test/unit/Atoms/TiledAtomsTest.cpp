// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copy atoms and tiled atoms: what each thread holds, and refusals.
#include "tile/Atoms/TiledAtoms.h"
#include "gtest/gtest.h"

using namespace tile;

namespace {

Layout layout(llvm::StringRef text) { return *Layout::parse(text); }

TEST(CopyAtoms, MovesWhatTheNameSays) {
  Result<CopyAtom> copy =
      getCopyAtom("SM80_CP_ASYNC_CACHEALWAYS<uint32_t>", 16);
  ASSERT_TRUE(bool(copy)) << copy.getReason();
  EXPECT_EQ(copy->chip, "sm_80");
  EXPECT_EQ(copy->source.str(), "(1, 2) : (0, 1)");
  EXPECT_EQ(getCopyAtom("UniversalCopy<uint8_t>")->chip, "");
}

// ldmatrix.x4 of the PTX manual: lane l points at row l % 8 of matrix l / 8 and
// receives elements 2 (l % 4) + {0, 1} of row l / 4 of each matrix.
TEST(CopyAtoms, MatricesOfLdmatrix) {
  Result<CopyAtom> copy = getCopyAtom("SM75_U32x4_LDSM_N", 16);
  ASSERT_TRUE(bool(copy)) << copy.getReason();
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t v = 0; v < 8; ++v) {
      EXPECT_EQ(copy->source.at(lane + 32 * v), 8 * lane + v);
      EXPECT_EQ(copy->destination.at(lane + 32 * v),
                v / 2 * 64 + lane / 4 * 8 + lane % 4 * 2 + v % 2);
    }
}

TEST(CopyAtoms, Refusals) {
  EXPECT_EQ(getCopyAtom("SM75_U32x3_LDSM_N").getReason(),
            "expected the name of a copy atom, but got 'SM75_U32x3_LDSM_N'");
  for (const char *name : {"SM90_TMA_LOAD_OP", "SM90_TMA_LOAD_OP<0 bits>",
                           "SM90_TMA_LOAD_OP<many bits>"})
    EXPECT_EQ(getCopyAtom(name).getReason(),
              std::string("expected a number of bits behind the name, as in "
                          "SM90_TMA_LOAD_OP<1024 bits>, but got '") +
                  name + "'");
  EXPECT_EQ(getCopyAtom("SM75_U32x1_LDSM_N", 0).getReason(),
            "expected values of at least 1 bit, but got 0");
  EXPECT_FALSE(bool(getCopyAtom("SM75_U32x1_LDSM_N", 3)));
}

// Threads of atoms along K hold other elements of A and B, and the same of C.
TEST(TiledMma, AtomsAlongK) {
  MmaAtom fma = getFmaAtom("f32");
  Result<TiledMma> mma = getTiledMma(fma, layout("(2, 3, 2) : (1, 2, 6)"),
                                     *Tiler::parse("<_, _, _>"));
  ASSERT_TRUE(bool(mma)) << mma.getReason();
  EXPECT_EQ(mma->k, 2);
  for (int64_t thread = 0; thread < 12; ++thread) {
    int64_t m = thread % 2, n = thread / 2 % 3, k = thread / 6;
    EXPECT_EQ(mma->aLayout.at(thread), m + 2 * k);
    EXPECT_EQ(mma->bLayout.at(thread), n + 3 * k);
    EXPECT_EQ(mma->cLayout.at(thread), m + 2 * n);
  }
}

TEST(TiledMma, Refusals) {
  MmaAtom atom = *getMmaAtom("SM80_16x8x16_F32BF16BF16F32_TN");
  auto get = [&](llvm::StringRef atoms, llvm::StringRef permutation) {
    return getTiledMma(atom, layout(atoms), *Tiler::parse(permutation))
        .getReason();
  };
  EXPECT_EQ(get("(2, 2) : (1, 2)", "<_, _, _>"),
            "expected a constant layout of atoms along M, N and K, but got "
            "(2, 2) : (1, 2)");
  EXPECT_EQ(
      get("(2, 2, 1) : (1, 2, 0)", "<_, _>"),
      "expected a permutation with a mode for M, N and K, but got <_, _>");
  EXPECT_EQ(get("(2, 2, 1) : (1, 2, 0)", "<48, _, _>"),
            "expected mode 0 of the permutation to be a multiple of the 32 "
            "elements that the atoms cover, but got 48");
  EXPECT_EQ(get("(2, 2, 1) : (1, 2, 0)", "<_, <16, 1>, _>"),
            "expected a constant layout or _ as mode 1 of the permutation, but "
            "got <16, 1>");
}

TEST(TiledCopy, Refusals) {
  CopyAtom atom = *getCopyAtom("SM75_U32x4_LDSM_N", 16);
  EXPECT_EQ(getTiledCopy(atom, layout("(16, 8) : (8, 1)"),
                         IntTuple::constants({16, 8}))
                .getReason(),
            "expected a multiple of the 32 threads of SM75_U32x4_LDSM_N, but "
            "got 16");
  EXPECT_EQ(getTiledCopy(atom, layout("(32, 4) : (4, 1)"),
                         IntTuple::constants({32, 4}))
                .getReason(),
            "expected a multiple of the 8 values of SM75_U32x4_LDSM_N, but got "
            "4");
  EXPECT_EQ(getTiledCopy(atom, layout("(32, 4, 2) : (4, 1, 128)"),
                         IntTuple::constants({32, 8}))
                .getReason(),
            "expected a constant layout of (thread, value), but got (32, 4, 2) "
            ": (4, 1, 128)");
}

} // namespace
