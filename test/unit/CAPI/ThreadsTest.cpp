// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that compile at once, each in a context of its own or all in one.
#include "Handles.h"

#include <thread>

static std::string compileOnce(TileContext context) {
  TileModule module = nullptr;
  TileArtifact artifact = nullptr;
  const void *data = nullptr;
  size_t size = 0;
  TileCompileOptions options = {};
  options.withoutSimulator = 1;
  EXPECT_EQ(tileModuleParse(context, kGemmText, std::strlen(kGemmText), nullptr,
                            &module),
            TILE_SUCCESS);
  EXPECT_EQ(tileCompile(module, &options, &artifact), TILE_SUCCESS);
  EXPECT_EQ(tileArtifactGetData(artifact, &data, &size), TILE_SUCCESS);
  std::string bytes(static_cast<const char *>(data), size);
  tileModuleDestroy(module);
  tileArtifactDestroy(artifact);
  return bytes;
}

/// Runs `body(thread)` in eight threads.
template <typename Body>
static void inThreads(Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back(body, i);
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Threads, CompileInContextsOfTheirOwn) {
  Owned owned;
  std::string expected = compileOnce(owned.context);
  inThreads([&](int) {
    for (int i = 0; i < 4; ++i) {
      Owned own;
      EXPECT_EQ(compileOnce(own.context), expected);
    }
  });
}

TEST(Threads, TakeTurnsInOneContext) {
  Owned owned;
  std::string expected = compileOnce(owned.context);
  inThreads([&](int thread) {
    // Some make errors meanwhile, each of which is counted.
    TileModule module = nullptr;
    for (int i = 0; i < 2; ++i)
      if (thread % 2)
        EXPECT_EQ(tileModuleParse(owned.context, "{", 1, nullptr, &module),
                  TILE_PARSE_ERROR);
      else
        EXPECT_EQ(compileOnce(owned.context), expected);
  });
  int32_t errors = 0;
  for (const TileDiagnostic &diagnostic : owned.getDiagnostics())
    errors += diagnostic.severity == TILE_ERROR;
  EXPECT_EQ(errors, 8);
}

TEST(Threads, HaveTheirOwnLastError) {
  Owned owned;
  EXPECT_EQ(owned.parse("{", "mine"), TILE_PARSE_ERROR);
  std::string mine = tileGetLastError();
  inThreads([](int thread) {
    EXPECT_STREQ(tileGetLastError(), "");
    Owned own;
    std::string name = "file" + std::to_string(thread);
    EXPECT_EQ(own.parse("{", name.c_str()), TILE_PARSE_ERROR);
    EXPECT_EQ(std::string(tileGetLastError()).find(name), 0u);
  });
  EXPECT_EQ(tileGetLastError(), mine);
}
