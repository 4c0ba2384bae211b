// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of the C API: null pointers, places of diagnostics, notes.
#include "Handles.h"

#include <functional>

static bool lastErrorHas(const char *part) {
  return std::strstr(tileGetLastError(), part) != nullptr;
}

TEST(Nulls, AreRefusedEverywhere) {
  Owned owned;
  ASSERT_EQ(owned.parse(kGemmText), TILE_SUCCESS);
  ASSERT_EQ(tileCompile(owned.module, nullptr, &owned.artifact), TILE_SUCCESS);
  TileGemmDescriptor gemm;
  ASSERT_EQ(tileGemmDescriptorInit(&gemm), TILE_SUCCESS);
  TileModule module = nullptr;
  TileArtifact artifact = nullptr;
  TileDiagnostic diagnostic;
  const char *text = nullptr;
  const void *data = nullptr;
  size_t size = 0;
  std::function<TileStatus()> calls[] = {
      [&] { return tileContextCreate(nullptr); },
      [&] { return tileContextGetDiagnostic(nullptr, 0, &diagnostic); },
      [&] { return tileContextGetDiagnostic(owned.context, 0, nullptr); },
      [&] { return tileContextClearDiagnostics(nullptr); },
      [&] { return tileModuleParse(nullptr, "", 0, nullptr, &module); },
      [&] {
        return tileModuleParse(owned.context, nullptr, 0, nullptr, &module);
      },
      [&] { return tileModuleParse(owned.context, "", 0, nullptr, nullptr); },
      [&] { return tileModuleGetText(nullptr, &text, nullptr); },
      [&] { return tileModuleGetText(owned.module, nullptr, nullptr); },
      [&] { return tileGemmDescriptorInit(nullptr); },
      [&] { return tileModuleCreateGemm(nullptr, &gemm, &module); },
      [&] { return tileModuleCreateGemm(owned.context, nullptr, &module); },
      [&] { return tileModuleCreateGemm(owned.context, &gemm, nullptr); },
      [&] { return tileCompile(nullptr, nullptr, &artifact); },
      [&] { return tileCompile(owned.module, nullptr, nullptr); },
      [&] { return tileArtifactGetData(nullptr, &data, &size); },
      [&] { return tileArtifactGetData(owned.artifact, nullptr, &size); },
      [&] { return tileArtifactGetData(owned.artifact, &data, nullptr); },
      [&] { return tileArtifactSave(nullptr, "/dev/null"); },
      [&] { return tileArtifactSave(owned.artifact, nullptr); },
      [&] { return tileArtifactGetPTX(nullptr, nullptr, &text, nullptr); },
      [&] {
        return tileArtifactGetPTX(owned.artifact, nullptr, nullptr, nullptr);
      }};
  for (const std::function<TileStatus()> &call : calls) {
    tileModuleDestroy(nullptr); // and these do nothing
    tileContextDestroy(nullptr);
    tileArtifactDestroy(nullptr);
    EXPECT_EQ(call(), TILE_INVALID_ARGUMENT);
    EXPECT_TRUE(lastErrorHas("expected ") && lastErrorHas(", but got NULL"))
        << tileGetLastError();
  }
  // No output was written.
  EXPECT_EQ(module, nullptr);
  EXPECT_EQ(artifact, nullptr);
  EXPECT_EQ(text, nullptr);
  EXPECT_EQ(data, nullptr);
  EXPECT_EQ(tileContextGetDiagnosticCount(nullptr), 0);
  EXPECT_EQ(tileArtifactGetKernelCount(nullptr), 0);
  EXPECT_EQ(tileArtifactGetKernelName(nullptr, 0), nullptr);
}

TEST(Diagnostics, AParseErrorHasItsPlace) {
  Owned owned;
  EXPECT_EQ(owned.parse("func.func @f() {\n  tile.nothing\n}\n", "bad.mlir"),
            TILE_PARSE_ERROR);
  EXPECT_EQ(owned.module, nullptr);
  std::vector<TileDiagnostic> all = owned.getDiagnostics();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].severity, TILE_ERROR);
  EXPECT_STREQ(all[0].file, "bad.mlir");
  EXPECT_EQ(all[0].line, 2);
  EXPECT_EQ(all[0].column, 3);
  EXPECT_EQ(all[0].parent, -1);
  EXPECT_TRUE(std::strstr(all[0].message, "tile.nothing"));
  EXPECT_EQ(std::string("bad.mlir:2:3: ") + all[0].message, tileGetLastError());
  EXPECT_EQ(tileContextClearDiagnostics(owned.context), TILE_SUCCESS);
  EXPECT_EQ(tileContextGetDiagnosticCount(owned.context), 0);
  TileDiagnostic none;
  EXPECT_EQ(tileContextGetDiagnostic(owned.context, 0, &none), TILE_NOT_FOUND);
  EXPECT_EQ(tileContextGetDiagnostic(owned.context, -1, &none), TILE_NOT_FOUND);
}

TEST(Diagnostics, NotesNameTheirError) {
  Owned owned;
  // The second definition is an error, the first one its note.
  EXPECT_EQ(owned.parse("func.func private @f()\nfunc.func private @f()\n"),
            TILE_PARSE_ERROR);
  std::vector<TileDiagnostic> all = owned.getDiagnostics();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].severity, TILE_ERROR);
  EXPECT_EQ(all[0].line, 2);
  EXPECT_EQ(all[1].severity, TILE_NOTE);
  EXPECT_EQ(all[1].line, 1);
  EXPECT_EQ(all[1].parent, 0);
  EXPECT_STREQ(all[1].file, "<text>");
}

TEST(Diagnostics, WhatCannotBeCompiledSaysWhy) {
  Owned owned;
  ASSERT_EQ(owned.parse(kGemmText, "gemm.mlir"), TILE_SUCCESS);
  TileCompileOptions options = {};
  options.chip = "sm_1";
  EXPECT_EQ(tileCompile(owned.module, &options, &owned.artifact),
            TILE_COMPILE_ERROR);
  EXPECT_TRUE(lastErrorHas("sm_1")) << tileGetLastError();
  EXPECT_EQ(owned.artifact, nullptr);
  options.chip = "sm_80";
  options.schedule =
      "#tile.warp_specialized<tile = [128, 128, 64], stages = 4>";
  EXPECT_EQ(tileCompile(owned.module, &options, &owned.artifact),
            TILE_COMPILE_ERROR);
  EXPECT_GE(owned.getDiagnostics().size(), 2u);
  EXPECT_TRUE(lastErrorHas("gemm.mlir:4:3: ")) << tileGetLastError();
  // The module is as it was, and good for another try.
  options.schedule = nullptr;
  options.remarks = 1;
  EXPECT_EQ(tileContextClearDiagnostics(owned.context), TILE_SUCCESS);
  EXPECT_EQ(tileCompile(owned.module, &options, &owned.artifact), TILE_SUCCESS);
  std::vector<TileDiagnostic> all = owned.getDiagnostics();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].severity, TILE_REMARK);
}

TEST(Diagnostics, NoBytesCrashTheParser) {
  // What is no text, and text that is cut anywhere.
  std::string text = kGemmText;
  std::vector<std::string> inputs = {std::string(3, '\0'), "\xff\xfe\x80",
                                     std::string("ML\xefR") + "garbage", "{"};
  for (size_t length = 1; length < text.size(); length += 7)
    inputs.push_back(text.substr(0, length));
  for (const std::string &input : inputs) {
    Owned owned;
    TileStatus status = owned.parse(input);
    EXPECT_TRUE(status == TILE_SUCCESS || status == TILE_PARSE_ERROR);
    EXPECT_EQ(status == TILE_PARSE_ERROR,
              tileContextGetDiagnosticCount(owned.context) > 0)
        << input;
  }
}

TEST(Status, HasNames) {
  EXPECT_STREQ(tileStatusName(TILE_SUCCESS), "success");
  EXPECT_STREQ(tileStatusName(TILE_IO_ERROR), "i/o error");
  EXPECT_STREQ(tileStatusName(static_cast<TileStatus>(99)), "unknown status");
  EXPECT_STREQ(tileGetVersion(), TILE_VERSION_STRING);
  EXPECT_EQ(std::string(tileGetLLVMVersion()).substr(0, 3), "22.");
}
