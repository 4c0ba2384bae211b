// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles of the C API that destroy themselves, for tests.
#ifndef TILE_TEST_UNIT_CAPI_HANDLES_H
#define TILE_TEST_UNIT_CAPI_HANDLES_H

#include "tile-c/tile-c.h"
#include "gtest/gtest.h"

#include <cstring>
#include <string>
#include <vector>

struct Owned {
  TileContext context = nullptr;
  TileModule module = nullptr;
  TileArtifact artifact = nullptr;

  Owned() { EXPECT_EQ(tileContextCreate(&context), TILE_SUCCESS); }
  Owned(const Owned &) = delete;
  ~Owned() {
    tileContextDestroy(context);
    tileModuleDestroy(module);
    tileArtifactDestroy(artifact);
  }

  TileStatus parse(const std::string &text, const char *file = nullptr) {
    return tileModuleParse(context, text.data(), text.size(), file, &module);
  }

  std::string getText() {
    const char *text = nullptr;
    EXPECT_EQ(tileModuleGetText(module, &text, nullptr), TILE_SUCCESS);
    return text ? text : "";
  }

  std::string getPTX(const char *kernel = nullptr) {
    const char *text = nullptr;
    size_t length = 0;
    EXPECT_EQ(tileArtifactGetPTX(artifact, kernel, &text, &length),
              TILE_SUCCESS);
    EXPECT_EQ(text ? std::strlen(text) : 0, length);
    return text ? text : "";
  }

  std::vector<TileDiagnostic> getDiagnostics() {
    std::vector<TileDiagnostic> all(tileContextGetDiagnosticCount(context));
    for (size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(tileContextGetDiagnostic(context, i, &all[i]), TILE_SUCCESS);
    return all;
  }
};

inline constexpr const char *kGemmText = R"(
!mat = memref<?x?xf32, strided<[?, 1], offset: ?>>
func.func @gemm(%A: !mat, %B: !mat, %D: !mat) {
  tile.gemm ins(%A, %B : !mat, !mat) outs(%D : !mat)
  return
}
)";

#endif // TILE_TEST_UNIT_CAPI_HANDLES_H
