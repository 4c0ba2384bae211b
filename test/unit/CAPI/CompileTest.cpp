// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compilation through the C API leaves: bytes, kernels, PTX, files.
#include "Handles.h"

#include <cstdio>
#include <fstream>
#include <malloc.h>
#include <sstream>

extern "C" int tileHeaderWorksInC(void);

TEST(Header, IsC) { EXPECT_EQ(tileHeaderWorksInC(), 1); }

static size_t countEntries(const std::string &ptx) {
  size_t count = 0;
  for (size_t at = ptx.find(".entry "); at != std::string::npos;
       at = ptx.find(".entry ", at + 1))
    ++count;
  return count;
}

/// The definition of a kernel, from its name to the brace in column 1.
static std::string findBody(const std::string &ptx, const std::string &kernel) {
  size_t begin = ptx.find(".entry " + kernel + "(");
  if (begin == std::string::npos)
    return "";
  return ptx.substr(begin, ptx.find("\n}\n", begin) - begin);
}

TEST(Artifact, HasEachKernelsPTX) {
  for (const char *chip : {"sm_80", "sm_90a"}) {
    Owned owned;
    TileGemmDescriptor gemm;
    tileGemmDescriptorInit(&gemm);
    gemm.a.type = gemm.b.type = gemm.d.type = TILE_BF16;
    ASSERT_EQ(tileModuleCreateGemm(owned.context, &gemm, &owned.module),
              TILE_SUCCESS);
    TileCompileOptions options = {};
    options.chip = chip;
    options.withoutSimulator = 1;
    ASSERT_EQ(tileCompile(owned.module, &options, &owned.artifact),
              TILE_SUCCESS);
    std::string all = owned.getPTX();
    EXPECT_NE(all.find(std::string(".target ") + chip), std::string::npos);
    int32_t count = tileArtifactGetKernelCount(owned.artifact);
    ASSERT_GE(count, 2);
    EXPECT_EQ(countEntries(all), static_cast<size_t>(count));
    EXPECT_EQ(tileArtifactGetKernelName(owned.artifact, count), nullptr);
    EXPECT_EQ(tileArtifactGetKernelName(owned.artifact, -1), nullptr);
    for (int32_t i = 0; i < count; ++i) {
      const char *name = tileArtifactGetKernelName(owned.artifact, i);
      std::string one = owned.getPTX(name);
      EXPECT_EQ(countEntries(one), 1u) << name;
      EXPECT_FALSE(findBody(one, name).empty()) << name;
      EXPECT_EQ(findBody(one, name), findBody(all, name));
      for (int32_t j = 0; j < count; ++j) {
        const char *other = tileArtifactGetKernelName(owned.artifact, j);
        bool announced =
            one.find(std::string("\t") + other + "\n") != std::string::npos;
        EXPECT_EQ(announced, i == j) << other;
      }
    }
    const char *text = nullptr;
    EXPECT_EQ(tileArtifactGetPTX(owned.artifact, "none", &text, nullptr),
              TILE_NOT_FOUND);
    EXPECT_STREQ(tileGetLastError(), "the artifact has no kernel 'none'");
  }
}

TEST(Artifact, HasNoPTXWhereNoneWasAskedFor) {
  Owned owned;
  ASSERT_EQ(owned.parse(kGemmText), TILE_SUCCESS);
  TileCompileOptions options = {};
  options.withoutPTX = 1;
  ASSERT_EQ(tileCompile(owned.module, &options, &owned.artifact), TILE_SUCCESS);
  const char *text = nullptr;
  EXPECT_EQ(tileArtifactGetPTX(owned.artifact, nullptr, &text, nullptr),
            TILE_NOT_FOUND);
  EXPECT_GE(tileArtifactGetKernelCount(owned.artifact), 2);
}

TEST(Artifact, IsSavedWhole) {
  Owned owned;
  ASSERT_EQ(owned.parse(kGemmText), TILE_SUCCESS);
  ASSERT_EQ(tileCompile(owned.module, nullptr, &owned.artifact), TILE_SUCCESS);
  const void *data = nullptr;
  size_t size = 0;
  ASSERT_EQ(tileArtifactGetData(owned.artifact, &data, &size), TILE_SUCCESS);
  std::string path = testing::TempDir() + "/tile-capi-test.tile";
  ASSERT_EQ(tileArtifactSave(owned.artifact, path.c_str()), TILE_SUCCESS);
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_EQ(text.str(), std::string(static_cast<const char *>(data), size));
  std::remove(path.c_str());
  EXPECT_EQ(tileArtifactSave(owned.artifact, "/nowhere/at/all.tile"),
            TILE_IO_ERROR);
  EXPECT_TRUE(std::strstr(tileGetLastError(), "/nowhere/at/all.tile"))
      << tileGetLastError();
  EXPECT_EQ(tileArtifactSave(owned.artifact, ""), TILE_INVALID_ARGUMENT);
  EXPECT_EQ(tileArtifactSave(owned.artifact, "-"), TILE_INVALID_ARGUMENT);
}

TEST(Module, IsCompiledForSeveralChips) {
  Owned owned;
  ASSERT_EQ(owned.parse(kGemmText), TILE_SUCCESS);
  std::string before = owned.getText();
  for (const char *chip : {"sm_80", "sm_90a", "sm_80"}) {
    TileCompileOptions options = {};
    options.chip = chip;
    options.withoutSimulator = 1;
    TileArtifact artifact = nullptr;
    ASSERT_EQ(tileCompile(owned.module, &options, &artifact), TILE_SUCCESS);
    tileArtifactDestroy(owned.artifact);
    owned.artifact = artifact;
    EXPECT_NE(owned.getPTX().find(std::string(".target ") + chip),
              std::string::npos);
    EXPECT_EQ(owned.getText(), before);
  }
}

TEST(Module, IsCompiledForTheDeviceAtHand) {
  Owned owned;
  ASSERT_EQ(owned.parse(kGemmText), TILE_SUCCESS);
  TileCompileOptions options = {};
  options.chip = "sm_90";
  options.device = "NVIDIA H200";
  options.withoutSimulator = 1;
  ASSERT_EQ(tileCompile(owned.module, &options, &owned.artifact), TILE_SUCCESS);
  // What this chip alone has is used.
  EXPECT_NE(owned.getPTX().find(".target sm_90a"), std::string::npos);
}

TEST(Handles, DieInAnyOrder) {
  TileContext context = nullptr;
  TileModule module = nullptr;
  TileArtifact artifact = nullptr;
  ASSERT_EQ(tileContextCreate(&context), TILE_SUCCESS);
  ASSERT_EQ(tileModuleParse(context, kGemmText, std::strlen(kGemmText), nullptr,
                            &module),
            TILE_SUCCESS);
  tileContextDestroy(context);
  ASSERT_EQ(tileCompile(module, nullptr, &artifact), TILE_SUCCESS);
  tileModuleDestroy(module);
  EXPECT_GE(tileArtifactGetKernelCount(artifact), 2);
  tileArtifactDestroy(artifact);
}

TEST(Handles, LeaveNoMemoryBehind) {
  auto once = [] {
    Owned owned;
    EXPECT_EQ(owned.parse("tile.nothing"), TILE_PARSE_ERROR);
    EXPECT_EQ(owned.parse(kGemmText), TILE_SUCCESS);
    owned.getText();
    EXPECT_EQ(tileCompile(owned.module, nullptr, &owned.artifact),
              TILE_SUCCESS);
    owned.getPTX(tileArtifactGetKernelName(owned.artifact, 0));
  };
  for (int i = 0; i < 3; ++i)
    once();
  size_t before = mallinfo2().uordblks;
  constexpr int kTimes = 10;
  for (int i = 0; i < kTimes; ++i)
    once();
  size_t after = mallinfo2().uordblks;
  // An artifact alone would be 60 KB a time.
  EXPECT_LT(after, before + kTimes * 2000) << "from " << before;
}
