// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch facts of warp-specialised kernels: malformed ones, and launches.
#include "HopperManifest.h"

#include <random>

using namespace tiletest;

namespace {
class LaunchFacts : public DeviceTest {
protected:
  /// The error of loading a manifest in which `from` has become `to`.
  std::string edited(const std::string &from, const std::string &to,
                     HopperManifest manifest = {}) {
    if (!device)
      open();
    std::string text = manifest.text();
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    std::string bytes = makeArtifact(text, {{"sim", kernelObject()}});
    TileRtModule loaded = nullptr;
    TileRtStatus status =
        tileRtModuleLoad(device, bytes.data(), bytes.size(), &loaded);
    tileRtModuleUnload(loaded);
    return status == TILE_RT_SUCCESS ? "" : tileRtGetLastError();
  }

  std::string withGrid(const std::string &grid,
                       const std::string &cluster = "null") {
    HopperManifest manifest;
    manifest.grid = grid;
    manifest.cluster = cluster;
    return edited("version", "version", manifest);
  }

  std::string withCost(const std::string &cost) {
    HopperManifest manifest;
    manifest.cost = cost;
    return edited("version", "version", manifest);
  }

  std::string withPrepare(const std::string &prepare) {
    HopperManifest manifest;
    manifest.prepare = prepare;
    return edited("version", "version", manifest);
  }

  /// Random operands of n x n and the product with beta = 0, on the host.
  void fill(int64_t n, int64_t pitch) {
    a = allocate(n * pitch + 4);
    b = allocate(n * pitch + 4);
    d = allocate(n * n);
    for (int64_t i = 0; i < n * pitch + 4; ++i) {
      a[i] = static_cast<float>(i * 7 % 11 - 5);
      b[i] = static_cast<float>(i * 5 % 13 - 6);
    }
  }

  void expectProduct(const TileRtArgument &left, const TileRtArgument &right,
                     int64_t n) {
    auto at = [](const TileRtArgument &matrix, int64_t row, int64_t column) {
      const TileRtTensor &t = matrix.as.tensor;
      return static_cast<float *>(
          t.data)[row * t.strides[0] + column * t.strides[1]];
    };
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (int64_t k = 0; k < n; ++k)
          sum += at(left, i, k) * at(right, k, j);
        ASSERT_EQ(d[i * n + j], sum) << i << ", " << j;
      }
  }

  float *a = nullptr, *b = nullptr, *d = nullptr;
};
} // namespace

TEST_F(LaunchFacts, AGoodOneLoads) {
  EXPECT_EQ(edited("version", "version"), "");
  EXPECT_EQ(withGrid("{\"tile\": [128, 256], \"persistent\": true, "
                     "\"cluster_tile\": [2, 1]}",
                     "[2, 1, 1]"),
            "");
  EXPECT_EQ(withGrid("{\"tile\": [128, 256], \"split\": 4}", "[4, 1, 1]"), "");
}

TEST_F(LaunchFacts, Clusters) {
  std::string good = "{\"tile\": [16, 16]}";
  EXPECT_HAS(withGrid(good, "[2, 1]"),
             "expected 3 extents at manifest path '/kernels/0/cluster'");
  EXPECT_HAS(withGrid(good, "[1, 2, 1]"), "expected 1 in y and z");
  EXPECT_HAS(withGrid(good, "[0, 1, 1]"),
             "expected an integer in [1, 16] at manifest path "
             "'/kernels/0/cluster/0', but got number 0");
  EXPECT_HAS(withGrid(good, "2"), "expected an array");
  EXPECT_HAS(withGrid(good, "[2, 1, 1]"),
             "expected tiles that fill clusters of 2 at manifest path "
             "'/kernels/0/grid/cluster_tile', but got nothing");
}

TEST_F(LaunchFacts, Grids) {
  EXPECT_HAS(withGrid("{\"tile\": [16, 16], \"persistent\": 1}"),
             "expected true or false at manifest path "
             "'/kernels/0/grid/persistent', but got number 1");
  EXPECT_HAS(withGrid("{\"tile\": [16, 16], \"split\": 0}"),
             "'/kernels/0/grid/split'");
  EXPECT_HAS(withGrid("{\"tile\": [16]}"), "expected 2 extents");
  EXPECT_HAS(withGrid("{\"tile\": [16, 16], \"cluster_tile\": [2, 17]}"),
             "expected an integer in [1, 16]");
  EXPECT_HAS(withGrid("{\"tile\": [16, 16], \"cluster_tile\": [2, 1]}"),
             "expected tiles that fill clusters of 1");
  EXPECT_HAS(withGrid("{\"tile\": [16, 16], \"split\": 3}", "[2, 1, 1]"),
             "expected tiles that fill clusters of 2");
  EXPECT_HAS(withGrid("{\"pack_tile\": [16, 16]}"),
             "expected a parameter of X, or batch at manifest path "
             "'/kernels/0/parameters/0', but got string \"A.data\"");
  EXPECT_HAS(withGrid("{\"pack_tile\": [0, 16]}"),
             "'/kernels/0/grid/pack_tile/0'");
  EXPECT_HAS(withGrid("{\"pack_tile\": [16, 16]}", "[2, 1, 1]"),
             "expected no cluster of a kernel with a pack_tile");
}

TEST_F(LaunchFacts, TensorMaps) {
  EXPECT_HAS(edited("\"box\": [8, 16]", "\"box\": [8]"), "expected 2 extents");
  EXPECT_HAS(edited("\"box\": [8, 16]", "\"box\": [8, 257]"),
             "expected an integer in [1, 256] at manifest path "
             "'/kernels/0/tensor_maps/0/box/1', but got number 257");
  EXPECT_HAS(edited("\"swizzle\": 32", "\"swizzle\": 16"),
             "expected 0, 32, 64 or 128");
  EXPECT_HAS(edited("\"contiguous\": 1", "\"contiguous\": 2"),
             "expected an integer in [0, 1]");
  EXPECT_HAS(edited("\"batched\": false", "\"batched\": \"no\""),
             "expected true or false");
  EXPECT_HAS(edited("\"operand\": \"A\"", "\"operand\": \"X\""),
             "expected A, B, C or D");
  EXPECT_HAS(edited("\"operand\": \"A\"", "\"operand\": \"B\""),
             "expected an operand without another tensor map");
  EXPECT_HAS(edited("\"operand\": \"A\"", "\"operand\": \"C\""),
             "expected an operand that tensor_maps describes at manifest path "
             "'/kernels/0/parameters/22', but got string \"A.tensor_map\"");
  EXPECT_HAS(edited("\"tensor_map\", \"tensor_map\"", "\"ptr\", \"ptr\""),
             "expected a type that fits parameter 'A.tensor_map'");
  EXPECT_HAS(edited("\"parameter_types\": [\"ptr\"",
                    "\"parameter_types\": [\"tensor_map\""),
             "expected a type that fits parameter 'A.data'");
}

TEST_F(LaunchFacts, Costs) {
  EXPECT_EQ(withCost("{\"fixed_ns\": 1, \"tile_ns\": 2.5, \"k_ns\": 0, "
                     "\"bytes_ns\": 1e-3, \"slots\": 0.5}"),
            "");
  EXPECT_HAS(withCost("3"), "expected an object");
  EXPECT_HAS(withCost("{\"fixed_ns\": -1}"),
             "expected a number of at least 0 at manifest path "
             "'/kernels/0/cost/fixed_ns', but got number -1");
  EXPECT_HAS(withCost("{\"k_ns\": \"1\"}"), "expected a number of at least 0");
  EXPECT_HAS(withCost("{\"slots\": 0}"), "expected a number above 0");
}

TEST_F(LaunchFacts, PackParameters) {
  EXPECT_HAS(edited("\"X.packed_stride\"", "\"X.packed_strid\""),
             "expected a parameter such as 'X.packed_stride' at manifest path");
  EXPECT_HAS(edited("\"A.data\"", "\"X.data\""),
             "expected a parameter of A, B, C or D");
  EXPECT_HAS(edited("\"X.extent[1]\"", "\"X.extent[2]\""),
             "expected a parameter such as 'X.extent[0]'");
  EXPECT_HAS(edited("\"A.data\"", "\"A.packed\""),
             "expected a copy of X, the operand that is packed");
}

// A key that is no field may be a requirement that was mistyped.
TEST_F(LaunchFacts, KeysThatAreNoFields) {
  EXPECT_EQ(withGrid("{\"tile\": [16, 16], \"presistent\": true}"),
            "malformed artifact: expected a field of grid, such as "
            "'persistent' at manifest path '/kernels/0/grid', but got object "
            "with the key \"presistent\"");
  EXPECT_HAS(withCost("{\"fixed\": 1}"),
             "expected a field of cost, such as 'fixed_ns'");
  EXPECT_HAS(edited("\"shared_bytes\"", "\"shared\""),
             "expected a field of a kernel's facts, such as 'shared_bytes'");
  EXPECT_HAS(edited("\"swizzle\"", "\"swizle\""),
             "expected a field of tensor_maps, such as 'swizzle'");
  EXPECT_HAS(edited("\"pitch_multiple\"", "\"pitch\""),
             "expected a field of prepare, such as 'pitch_multiple'");
  EXPECT_HAS(edited("\"choices\"", "\"choice\""),
             "expected an array at manifest path '/entries/0/steps/0/kernels'");
  EXPECT_HAS(edited("\"version\": 1", "\"version\": 1, \"abc\": 2"),
             "expected a field of the manifest, version, producer, target, "
             "kernels, entries, blobs or sim");
}

// A requirement on an operand that the kernel does not get is one of nothing.
TEST_F(LaunchFacts, RequirementsOnOperands) {
  HopperManifest manifest;
  manifest.fields = ", \"requires\": [{\"operand\": \"E\"}]";
  EXPECT_HAS(edited("version", "version", manifest),
             "expected A, B, C or D at manifest path "
             "'/kernels/0/requires/0/operand', but got string \"E\"");
  manifest.fields = ", \"requires\": [{\"operand\": \"A\", \"alignment\": 12}]";
  EXPECT_HAS(edited("version", "version", manifest),
             "expected a power of 2 at manifest path "
             "'/kernels/0/requires/0/alignment', but got number 12");
  manifest.fields = ", \"factors\": \"f32\"";
  EXPECT_HAS(edited("version", "version", manifest), "expected 'tf32'");
}

TEST_F(LaunchFacts, Choices) {
  EXPECT_HAS(withPrepare("3"), "expected an array");
  EXPECT_HAS(withPrepare("[{\"operand\": \"D\"}]"), "expected A, B or C");
  EXPECT_HAS(withPrepare("[{\"operand\": \"A\", \"kernel\": \"gemm_v1\"}]"),
             "expected the name of a kernel with a pack_tile at manifest path "
             "'/entries/0/steps/0/choices/1/prepare/0/kernel'");
  EXPECT_HAS(withPrepare("[{\"operand\": \"A\", \"kernel\": \"pack_r\"}]"),
             "'/entries/0/steps/0/choices/1/prepare/0/contiguous'");
  EXPECT_HAS(withPrepare("[{\"operand\": \"A\", \"kernel\": \"pack_r\", "
                         "\"contiguous\": 1, \"pitch_multiple\": 0}]"),
             "expected an integer in [1, 1048576]");
  std::string copy = "{\"operand\": \"A\", \"kernel\": \"pack_r\", "
                     "\"contiguous\": 1}";
  EXPECT_EQ(withPrepare("[" + copy + "]"), "");
  EXPECT_HAS(withPrepare("[" + copy + ", " + copy + "]"),
             "an operand of the step that nothing else prepares");
  EXPECT_HAS(edited("{\"kernel\": \"gemm_map\"}", "{\"kernel\": \"pack_r\"}"),
             "expected the name of a kernel with a grid");
  EXPECT_HAS(edited("{\"kernel\": \"gemm_map\"}", "\"gemm_map\""),
             "expected a string at manifest path "
             "'/entries/0/steps/0/choices/0/kernel', but got nothing");
}

// Whatever loads must be safe to choose from and to lay out.
TEST_F(LaunchFacts, NoBitFlipCrashes) {
  HopperManifest manifest;
  manifest.grid = "{\"tile\": [16, 16], \"persistent\": true, \"split\": 2}";
  manifest.cluster = "[2, 1, 1]";
  manifest.cost = manifest.simpleCost = manifest.packCost =
      "{\"fixed_ns\": 5000, \"tile_ns\": 100, \"k_ns\": 1, \"slots\": 1}";
  open();
  std::string good = manifest.text();
  float *p = allocate(4096);
  std::vector<TileRtArgument> args = {
      matrix(p + 1, 21, 20, 23), matrix(p + 512, 20, 20, 20),
      matrix(nullptr, 21, 20, 20), matrix(p + 1024, 21, 20, 20), scalar(0)};
  TileRtLaunchOptions options = {};
  options.dryRun = 1;
  options.workspace = p + 2048;
  options.workspaceBytes = 8192;
  std::mt19937 random(7);
  int loaded = 0, chosen = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bad = good;
    // Digits become other digits, so that more of them load.
    size_t at = random() % bad.size();
    while (bad[at] < '0' || bad[at] > '9')
      at = (at + 1) % bad.size();
    bad[at] = static_cast<char>('0' + random() % 10);
    if (round % 2)
      bad[random() % bad.size()] ^= static_cast<char>(1 << random() % 7);
    std::string bytes = makeArtifact(bad, {{"sim", kernelObject()}});
    TileRtModule code = nullptr;
    if (tileRtModuleLoad(device, bytes.data(), bytes.size(), &code))
      continue;
    ++loaded;
    int64_t size = 0;
    int32_t total = 0;
    TileRtChoice choices[3];
    chosen += !tileRtLaunchEntry(code, "gemm", args.data(), 5, &options,
                                 nullptr, &info);
    tileRtEntryGetWorkspaceSize(code, "gemm", args.data(), 5, nullptr, &size);
    tileRtEntryGetChoices(code, "gemm", args.data(), 5, &options, 0, choices, 3,
                          &total);
    tileRtModuleUnload(code);
  }
  EXPECT_GT(loaded, 500);
  EXPECT_GT(chosen, 300);
}

TEST_F(LaunchFacts, TensorMapsAreArguments) {
  load(HopperManifest().artifact());
  fill(20, 20);
  auto left = matrix(a, 20, 20, 20), right = matrix(b, 20, 20, 20);
  ASSERT_OK(gemm({left, right, matrix(nullptr, 20, 20, 20),
                  matrix(d, 20, 20, 20), scalar(0)}));
  EXPECT_STREQ(info.kernel, "gemm_map");
  EXPECT_STREQ(info.prepare, "");
  EXPECT_EQ(info.cluster, 1);
  expectProduct(left, right, 20);
}

TEST_F(LaunchFacts, CopiesInTheWorkspace) {
  for (const char *pack : {"pack_r", "pack_c"}) {
    HopperManifest manifest;
    // The other order is transposed on the way.
    bool rows = pack == std::string("pack_c");
    if (rows) {
      for (std::string *text : {&manifest.prepare, &manifest.maps})
        for (size_t at;
             (at = text->find("\"contiguous\": 1")) != std::string::npos;)
          text->replace(at + 14, 1, "0");
      for (size_t at;
           (at = manifest.prepare.find("pack_r")) != std::string::npos;)
        manifest.prepare.replace(at, 6, pack);
    }
    tileRtModuleUnload(module);
    load(manifest.artifact());
    fill(21, 23);
    auto left = matrix(a + 1, 21, 21, 23), right = matrix(b + 3, 21, 21, 23);
    std::vector<TileRtArgument> args = {left, right,
                                        matrix(nullptr, 21, 21, 21),
                                        matrix(d, 21, 21, 21), scalar(0)};
    // Without a workspace the last kernel runs.
    ASSERT_OK(gemm(args));
    EXPECT_STREQ(info.kernel, "gemm_v1");
    EXPECT_HAS(info.passedOver, "gemm_map: base of A is 4 bytes past");
    EXPECT_HAS(info.passedOver, std::string("gemm_map after ") + pack +
                                    " of A, " + pack +
                                    " of B: needs 4096 "
                                    "bytes of workspace, the call has 0");
    int64_t bytes = 0;
    ASSERT_OK(tileRtEntryGetWorkspaceSize(module, "gemm", args.data(), 5,
                                          nullptr, &bytes));
    // 21 * 24 * 4 = 2016 bytes, twice 2048.
    EXPECT_EQ(bytes, 4096);
    float *workspace = allocate(bytes / 4);
    TileRtLaunchOptions options = {};
    options.workspace = workspace;
    options.workspaceBytes = bytes;
    std::fill_n(d, 21 * 21, -1.0f);
    ASSERT_OK(gemm(args, &options));
    EXPECT_STREQ(info.kernel, "gemm_map");
    EXPECT_EQ(info.prepare, std::string(pack) + " of A, " + pack + " of B");
    EXPECT_EQ(info.workspaceBytes, bytes);
    expectProduct(left, right, 21);
    EXPECT_EQ(workspace[25], rows ? a[1 + 24] : a[1 + 23 + 1]);
  }
}

// Steps run one after the other in one workspace, which is as large as the
// largest of them needs, whichever that is: here the first, as the second
// copies nothing.
TEST_F(LaunchFacts, TheWorkspaceOfSeveralSteps) {
  HopperManifest manifest;
  manifest.moreSteps =
      ", {\"op\": \"gemm\", \"A\": 0, \"B\": 1, \"C\": null, \"D\": 2, "
      "\"alpha\": {\"value\": 1}, \"beta\": {\"value\": 0}, \"kernels\": "
      "[\"gemm_v1\"]}";
  tileRtModuleUnload(module);
  load(manifest.artifact());
  ASSERT_EQ(tileRtModuleGetStepCount(module, "gemm"), 2);
  fill(21, 23);
  std::vector<TileRtArgument> args = {
      matrix(a + 1, 21, 21, 23), matrix(b + 3, 21, 21, 23),
      matrix(allocate(21 * 21), 21, 21, 21), matrix(d, 21, 21, 21), scalar(0)};
  int64_t bytes = 0;
  ASSERT_OK(tileRtEntryGetWorkspaceSize(module, "gemm", args.data(), 5, nullptr,
                                        &bytes));
  EXPECT_EQ(bytes, 4096);
}

TEST_F(LaunchFacts, WorkspacesThatCannotBe) {
  load(HopperManifest().artifact());
  fill(16, 16);
  std::vector<TileRtArgument> args = {
      matrix(a, 16, 16, 16), matrix(b, 16, 16, 16), matrix(nullptr, 16, 16, 16),
      matrix(d, 16, 16, 16), scalar(0)};
  TileRtLaunchOptions options = {};
  options.workspaceBytes = 8;
  EXPECT_EQ(gemm(args, &options), TILE_RT_INVALID_ARGUMENT);
  EXPECT_HAS(tileRtGetLastError(), "expected a workspace of at least 0 bytes, "
                                   "and 0 without an address, but got 8 at");
  options.workspace = a + 4;
  EXPECT_EQ(gemm(args, &options), TILE_RT_INVALID_ARGUMENT);
  EXPECT_STREQ(tileRtGetLastError(), "expected a workspace on a 256-byte "
                                     "boundary, but got one 16 past it");
  options.workspace = a;
  options.workspaceBytes = -1;
  EXPECT_EQ(gemm(args, &options), TILE_RT_INVALID_ARGUMENT);
}

TEST_F(LaunchFacts, NothingIsLeftWithoutAWorkspace) {
  HopperManifest manifest;
  load(manifest.artifact());
  fill(16, 16);
  std::vector<TileRtArgument> args = {
      matrix(a + 1, 16, 16, 16), matrix(b, 16, 16, 16),
      matrix(nullptr, 16, 16, 16), matrix(d, 16, 16, 16), scalar(0)};
  TileRtLaunchOptions options = {};
  options.kernel = "gemm_map";
  EXPECT_EQ(gemm(args, &options), TILE_RT_REQUIREMENT);
  EXPECT_STREQ(
      tileRtGetLastError(),
      "kernel gemm_map: base of A is 4 bytes past a 16-byte boundary, and a "
      "tensor map needs one on it; gemm_map after pack_r of A, pack_r of B: "
      "needs 2048 bytes of workspace, the call has 0; it was asked for by "
      "name");
  int64_t bytes = 0;
  ASSERT_OK(tileRtEntryGetWorkspaceSize(module, "gemm", args.data(), 5,
                                        &options, &bytes));
  EXPECT_EQ(bytes, 2048);
}

TEST_F(LaunchFacts, CopiesOfBatches) {
  HopperManifest manifest;
  manifest.rank = 3;
  for (size_t at; (at = manifest.maps.find("false")) != std::string::npos;)
    manifest.maps.replace(at, 5, "true");
  load(manifest.artifact());
  float *left = allocate(3 * 25), *right = allocate(25);
  float *product = allocate(75), *workspace = allocate(4096);
  for (int i = 0; i < 75; ++i)
    left[i] = static_cast<float>(i % 7 - 3);
  for (int i = 0; i < 25; ++i)
    right[i] = static_cast<float>(i % 5 - 2);
  TileRtLaunchOptions options = {};
  options.workspace = workspace;
  options.workspaceBytes = 16384;
  ASSERT_OK(gemm({batched(left, 3, 5, 5, 25, 5), batched(right, 3, 5, 5, 0, 5),
                  batched(nullptr, 3, 5, 5, 25, 5),
                  batched(product, 3, 5, 5, 25, 5), scalar(0)},
                 &options));
  EXPECT_STREQ(info.prepare, "pack_r of A, pack_r of B");
  for (int batch = 0; batch < 3; ++batch)
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j) {
        float sum = 0;
        for (int k = 0; k < 5; ++k)
          sum += left[25 * batch + 5 * i + k] * right[5 * k + j];
        EXPECT_EQ(product[25 * batch + 5 * i + j], sum);
      }
}

TEST_F(LaunchFacts, WithoutProductsNothingIsCopied) {
  load(HopperManifest().artifact());
  fill(16, 16);
  float *c = allocate(256);
  std::fill_n(c, 256, 3.0f);
  ASSERT_OK(gemm({matrix(nullptr, 16, 0, 0), matrix(nullptr, 0, 16, 16),
                  matrix(c, 16, 16, 16), matrix(d, 16, 16, 16), scalar(2)}));
  EXPECT_STREQ(info.kernel, "gemm_map");
  EXPECT_EQ(d[255], 6);
  EXPECT_EQ(info.workspaceBytes, 0);
}

TEST_F(LaunchFacts, TheCheapestKernelIsTaken) {
  setenv("TILE_SIM_THREADS", "2", 1);
  open();
  unsetenv("TILE_SIM_THREADS");
  HopperManifest manifest;
  manifest.cost = "{\"fixed_ns\": 5000, \"tile_ns\": 100, \"k_ns\": 1}";
  manifest.simpleCost = "{\"fixed_ns\": 1000, \"tile_ns\": 100, \"k_ns\": 10}";
  manifest.packCost = "{\"fixed_ns\": 700}";
  load(manifest.artifact());
  auto choose = [&](int64_t n, int shift) {
    auto address = [](int number) {
      return reinterpret_cast<char *>(uintptr_t(number + 1) << 40);
    };
    std::vector<TileRtArgument> args = {
        matrix(address(0) + shift, n, n, n), matrix(address(1), n, n, n),
        matrix(nullptr, n, n, n), matrix(address(2), n, n, n), scalar(0)};
    TileRtLaunchOptions options = {};
    options.dryRun = 1;
    options.workspace = address(3);
    options.workspaceBytes = 1 << 20;
    EXPECT_OK(gemm(args, &options));
    TileRtChoice choices[4];
    int32_t total = 0;
    EXPECT_OK(tileRtEntryGetChoices(module, "gemm", args.data(), 5, &options, 0,
                                    choices, 4, &total));
    EXPECT_EQ(total, 3);
    std::string text;
    for (const TileRtChoice &choice : {choices[0], choices[1], choices[2]})
      text += std::to_string(static_cast<int>(choice.expectedNanoseconds)) +
              (choice.reason[0] ? "- "
               : choice.chosen  ? "* "
                                : " ");
    return text + info.kernel;
  };
  // One tile is one wave, 64 tiles on 2 multiprocessors are 32.
  EXPECT_EQ(choose(16, 0), "5116 6516 1260* gemm_v1");
  EXPECT_HAS(info.passedOver, "gemm_map: 5.1 us are expected, and 1.3 us of "
                              "the chosen one");
  EXPECT_EQ(choose(128, 0), "12296* 13696 45160 gemm_map");
  EXPECT_STREQ(info.prepare, "");
  EXPECT_EQ(info.expectedNanoseconds, 5000 + 32 * 228);
  EXPECT_EQ(choose(128, 4), "12296- 13696* 45160 gemm_map");
  EXPECT_STREQ(info.prepare, "pack_r of A, pack_r of B");
  EXPECT_EQ(info.workspaceBytes, 2 * 65536);
}

TEST_F(LaunchFacts, ChoicesOfAnEntry) {
  load(HopperManifest().artifact());
  TileRtChoice choice;
  int32_t total = -1;
  auto query = [&](std::vector<TileRtArgument> args, int32_t step) {
    return tileRtEntryGetChoices(module, "gemm", args.data(), 5, nullptr, step,
                                 &choice, 1, &total);
  };
  fill(16, 16);
  std::vector<TileRtArgument> args = {
      matrix(a + 1, 16, 16, 16), matrix(b, 16, 16, 16),
      matrix(nullptr, 16, 16, 16), matrix(d, 16, 16, 16), scalar(0)};
  ASSERT_OK(query(args, 0));
  EXPECT_EQ(total, 3);
  EXPECT_STREQ(choice.kernel, "gemm_map");
  EXPECT_EQ(choice.expectedNanoseconds, -1);
  EXPECT_EQ(choice.chosen, 0);
  EXPECT_STREQ(choice.reason, "base of A is 4 bytes past a 16-byte boundary, "
                              "and a tensor map needs one on it");
  EXPECT_EQ(query(args, 1), TILE_RT_INVALID_ARGUMENT);
  EXPECT_STREQ(tileRtGetLastError(), "expected a step from 0 to 0, but got 1");
  args[0] = matrix(nullptr, 0, 16, 16);
  args[2] = args[3] = matrix(nullptr, 0, 16, 16);
  ASSERT_OK(query(args, 0));
  EXPECT_EQ(total, 0);
}

TEST_F(LaunchFacts, AClusterNeedsAGridOfWholeOnes) {
  HopperManifest manifest;
  manifest.grid = "{\"tile\": [16, 16], \"cluster_tile\": [1, 2]}";
  manifest.cluster = "[2, 1, 1]";
  manifest.fields = ", \"dynamic_shared_bytes\": 65536";
  load(manifest.artifact());
  TileRtKernel kernel;
  TileRtKernelInfo facts;
  ASSERT_OK(tileRtModuleGetKernel(module, "gemm_map", &kernel));
  ASSERT_OK(tileRtKernelGetInfo(kernel, &facts));
  EXPECT_EQ(facts.cluster, 2);
  EXPECT_EQ(facts.dynamicSharedBytes, 65536);
  int64_t grid[3] = {3, 1, 1}, block[3] = {256, 1, 1};
  EXPECT_EQ(tileRtKernelLaunch(kernel, grid, block, 0, nullptr, nullptr),
            TILE_RT_INVALID_ARGUMENT);
  EXPECT_STREQ(tileRtGetLastError(),
               "expected a grid of whole clusters of 2 in x, but got 3");
}

TEST_F(LaunchFacts, CopyBetweenBuffers) {
  open();
  TileRtBuffer source, target;
  ASSERT_OK(tileRtBufferCreate(device, 8, &source));
  ASSERT_OK(tileRtBufferCreate(device, 4, &target));
  buffers = {source, target};
  ASSERT_OK(tileRtBufferWrite(source, 0, "abcdefg", 8, nullptr));
  ASSERT_OK(tileRtBufferCopy(target, 1, source, 4, 3, nullptr));
  EXPECT_EQ(std::memcmp(tileRtBufferGetAddress(target), "\0efg", 4), 0);
  EXPECT_EQ(tileRtBufferCopy(target, 2, source, 4, 3, nullptr),
            TILE_RT_INVALID_ARGUMENT);
  EXPECT_EQ(tileRtBufferCopy(target, 0, source, 6, 3, nullptr),
            TILE_RT_INVALID_ARGUMENT);
}
