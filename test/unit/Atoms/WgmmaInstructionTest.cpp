// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of wgmma.mma_async: what is printed is read, and nothing else.
#include "tile/Atoms/WgmmaInstruction.h"
#include "tile/Atoms/MmaAtoms.h"
#include "gtest/gtest.h"

using namespace tile;

namespace {

/// PTX's name of a type of the table.
std::string getName(const std::string &type) {
  return type == "i8"         ? "s8"
         : type == "i32"      ? "s32"
         : type == "f8E4M3FN" ? "e4m3"
         : type == "f8E5M2"   ? "e5m2"
                              : type;
}

TEST(WgmmaInstruction, EveryAtomThereAndBack) {
  int count = 0;
  for (const MmaAtom &atom : getMmaAtoms()) {
    if (!atom.isWarpGroup())
      continue;
    for (bool accumulate : {false, true}) {
      WgmmaInstruction instruction;
      instruction.n = atom.n;
      instruction.k = atom.k;
      instruction.d = getName(atom.c);
      instruction.a = getName(atom.a);
      instruction.b = getName(atom.b);
      instruction.accumulate = accumulate;
      instruction.registerA = !atom.aShared;
      instruction.transposeA = atom.aMajor == Major::MN;
      instruction.transposeB = atom.bMajor == Major::MN;
      instruction.saturate = atom.variant == "SATURATE";
      std::string text = instruction.print(
          WgmmaInstruction::placeholders(0, instruction.getAccumulators()),
          atom.aShared ? "$5" : "{$5, $6, $7, $8}", "descB");
      auto read = WgmmaInstruction::parse(text);
      ASSERT_TRUE(read.has_value()) << text;
      EXPECT_EQ(read->n, atom.n);
      EXPECT_EQ(read->k, atom.k);
      EXPECT_EQ(read->d, instruction.d);
      EXPECT_EQ(read->a, instruction.a);
      EXPECT_EQ(read->b, instruction.b);
      EXPECT_EQ(read->accumulate, accumulate);
      EXPECT_EQ(read->registerA, instruction.registerA);
      EXPECT_EQ(read->transposeA, instruction.transposeA) << text;
      EXPECT_EQ(read->transposeB, instruction.transposeB) << text;
      EXPECT_EQ(read->saturate, instruction.saturate);
      ++count;
    }
  }
  EXPECT_GT(count, 2000);
}

TEST(WgmmaInstruction, Text) {
  WgmmaInstruction instruction;
  instruction.d = "f32";
  instruction.a = instruction.b = "bf16";
  instruction.registerA = instruction.transposeB = true;
  EXPECT_EQ(instruction.print("{$0, $1, $2, $3}", "{$4, $5, $6, $7}", "$8"),
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, "
            "$3}, {$4, $5, $6, $7}, $8, 1, 1, 1, 1;");
  EXPECT_EQ(instruction.getConstraints(), "=f,=f,=f,=f,r,r,r,r,l,0,1,2,3");
  instruction = WgmmaInstruction();
  instruction.k = 32;
  instruction.d = "s32";
  instruction.a = "u8";
  instruction.b = "s8";
  instruction.saturate = true;
  instruction.accumulate = false;
  EXPECT_EQ(instruction.print("{$0, $1, $2, $3}", "$4", "$5"),
            "wgmma.mma_async.sync.aligned.m64n8k32.satfinite.s32.u8.s8 {$0, "
            "$1, $2, $3}, $4, $5, 0;");
}

TEST(WgmmaInstruction, OtherTexts) {
  for (const char *text : {
           "",
           "wgmma.mma_async.sync.aligned.m64n8k16",
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 ",
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {",
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0}, $1",
           // One immediate operand too few, too many, and another one.
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0}, $1, $2, "
           "1, 1, 1, 0;",
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0}, $1, $2, "
           "1, 1, 1, 0, 0, 0;",
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0}, $1, $2, "
           "1, -1, 1, 0, 0;",
           // No atom: an extent, a depth, types.
           "wgmma.mma_async.sync.aligned.m64n12k16.f32.bf16.bf16 {$0}, $1, $2, "
           "1, 1, 1, 0, 0;",
           "wgmma.mma_async.sync.aligned.m64n99999999999999999999k16.f32.bf16."
           "bf16 {$0}, $1, $2, 1, 1, 1, 0, 0;",
           "wgmma.mma_async.sync.aligned.m64n8k8.f32.bf16.bf16 {$0}, $1, $2, "
           "1, 1, 1, 0, 0;",
           "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.f16 {$0}, $1, $2, "
           "1, 1, 1, 0, 0;",
           "wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 {$0}, $1, $2, 1;",
           "wgmma.fence.sync.aligned;",
       })
    EXPECT_FALSE(WgmmaInstruction::parse(text).has_value()) << text;
}

} // namespace
