// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is read out of a log of ptxas -v.

#include "tile/Target/Cubin.h"
#include "gtest/gtest.h"

using namespace tile;

TEST(PtxasLog, ReadsEachKernel) {
  const char *log = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'first' for 'sm_80'
ptxas info    : Function properties for first
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 24 registers, used 0 barriers, 400 bytes cmem[0]
ptxas info    : Compile time = 1.234 ms
ptxas info    : Compiling entry function 'second' for 'sm_90a'
ptxas info    : Function properties for second
    96 bytes stack frame, 144 bytes spill stores, 152 bytes spill loads
ptxas info    : Used 128 registers, used 1 barriers, 96 bytes cumulative stack size, 16384 bytes smem
)";
  std::vector<PtxasKernelInfo> kernels;
  std::vector<std::string> warnings;
  parsePtxasLog(log, kernels, warnings);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "first");
  EXPECT_EQ(kernels[0].chip, "sm_80");
  EXPECT_EQ(kernels[0].registers, 24);
  EXPECT_EQ(kernels[0].sharedBytes, 0);
  EXPECT_EQ(kernels[0].spillStoreBytes, 0);
  EXPECT_EQ(kernels[1].name, "second");
  EXPECT_EQ(kernels[1].chip, "sm_90a");
  EXPECT_EQ(kernels[1].registers, 128);
  EXPECT_EQ(kernels[1].barriers, 1);
  EXPECT_EQ(kernels[1].sharedBytes, 16384);
  EXPECT_EQ(kernels[1].stackBytes, 96);
  EXPECT_EQ(kernels[1].spillStoreBytes, 144);
  EXPECT_EQ(kernels[1].spillLoadBytes, 152);
  EXPECT_TRUE(warnings.empty());
}

TEST(PtxasLog, KeepsWarnings) {
  const char *log =
      "ptxas warning : something odd\n"
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async "
      "instructions are serialized\n";
  std::vector<PtxasKernelInfo> kernels;
  std::vector<std::string> warnings;
  parsePtxasLog(log, kernels, warnings);
  EXPECT_TRUE(kernels.empty());
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0], "ptxas warning : something odd");
}

TEST(PtxasLog, SurvivesAnyText) {
  std::vector<PtxasKernelInfo> kernels;
  std::vector<std::string> warnings;
  for (const char *log :
       {"", "\n\n", "Compiling entry function", "Compiling entry function '",
        "ptxas info : Used registers", "bytes spill stores",
        "Compiling entry function 'k' for 'sm_80'\n: Used registers, bytes "
        "smem"})
    parsePtxasLog(log, kernels, warnings);
  for (const PtxasKernelInfo &kernel : kernels)
    EXPECT_EQ(kernel.registers, 0);
}

TEST(Ptxas, ErrorsArePassedOn) {
  if (!findPtxas())
    GTEST_SKIP() << "ptxas is not installed";
  llvm::Expected<CubinResult> result =
      assemblePTX(".version 8.0\n.target sm_80\nnonsense\n", "sm_80");
  ASSERT_FALSE(static_cast<bool>(result));
  std::string text = llvm::toString(result.takeError());
  EXPECT_NE(text.find("for sm_80"), std::string::npos) << text;
  EXPECT_NE(text.find("line 3"), std::string::npos) << text;
}
