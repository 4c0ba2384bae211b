// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GEMMs from descriptors: the text they stand for, and their results.
#include "Handles.h"

#include "tile-rt/tile-rt.h"

#include <cmath>
#include <cstdlib>

static constexpr const char *kSchedule =
    "#tile.simt<tile = [64, 64, 8], warps = [2, 2], thread = [4, 8]>";

TEST(Descriptor, MakesTheProblemThatItSays) {
  Owned owned;
  TileGemmDescriptor gemm;
  ASSERT_EQ(tileGemmDescriptorInit(&gemm), TILE_SUCCESS);
  gemm.name = "batched";
  gemm.batched = 1;
  gemm.batch = 3;
  gemm.m = 64;
  gemm.a.type = gemm.b.type = TILE_F16;
  gemm.a.rowStride = 1;
  gemm.a.columnStride = 80;
  gemm.b.shared = 1;
  gemm.hasC = 1;
  gemm.alpha.kind = TILE_SCALAR_ARGUMENT;
  gemm.beta = {TILE_SCALAR_CONSTANT, 0.5};
  ASSERT_EQ(tileModuleCreateGemm(owned.context, &gemm, &owned.module),
            TILE_SUCCESS)
      << tileGetLastError();
  std::string made = owned.getText();
  std::string expected = R"(func.func @batched(
    %A: memref<3x64x?xf16, strided<[?, 1, 80], offset: ?>>,
    %B: memref<?x?xf16, strided<[?, 1], offset: ?>>,
    %C: memref<3x64x?xf32, strided<[?, ?, 1], offset: ?>>,
    %D: memref<3x64x?xf32, strided<[?, ?, 1], offset: ?>>, %alpha: f32) {
  %beta = arith.constant 5.0e-01 : f32
  tile.gemm ins(%A, %B, %C : memref<3x64x?xf16, strided<[?, 1, 80], offset: ?>>,
      memref<?x?xf16, strided<[?, 1], offset: ?>>,
      memref<3x64x?xf32, strided<[?, ?, 1], offset: ?>>)
    outs(%D : memref<3x64x?xf32, strided<[?, ?, 1], offset: ?>>)
    alpha(%alpha : f32) beta(%beta : f32)
  return
})";
  Owned other;
  ASSERT_EQ(other.parse(expected), TILE_SUCCESS) << tileGetLastError();
  EXPECT_EQ(made, other.getText());
}

TEST(Descriptor, TakesASchedule) {
  Owned owned;
  TileGemmDescriptor gemm;
  tileGemmDescriptorInit(&gemm);
  gemm.schedule = kSchedule;
  ASSERT_EQ(tileModuleCreateGemm(owned.context, &gemm, &owned.module),
            TILE_SUCCESS)
      << tileGetLastError();
  EXPECT_NE(owned.getText().find(kSchedule), std::string::npos)
      << owned.getText();
  for (const char *wrong : {"", "nonsense", "7 : i32", "#tile.simt<"}) {
    gemm.schedule = wrong;
    TileModule module = nullptr;
    EXPECT_EQ(tileModuleCreateGemm(owned.context, &gemm, &module),
              TILE_INVALID_ARGUMENT);
    EXPECT_TRUE(std::strstr(tileGetLastError(), "expected a schedule"))
        << tileGetLastError();
  }
}

TEST(Descriptor, PromotesSums) {
  Owned owned;
  TileGemmDescriptor gemm;
  tileGemmDescriptorInit(&gemm);
  gemm.a.type = gemm.b.type = TILE_F8E4M3FN;
  gemm.promotedSums = 1;
  ASSERT_EQ(tileModuleCreateGemm(owned.context, &gemm, &owned.module),
            TILE_SUCCESS)
      << tileGetLastError();
  EXPECT_NE(owned.getText().find("promoted_sums"), std::string::npos);
}

TEST(Descriptor, IsRefusedWithNumbers) {
  struct Case {
    void (*change)(TileGemmDescriptor &);
    TileStatus status;
    const char *reason;
  };
  static const Case cases[] = {
      {[](TileGemmDescriptor &gemm) { gemm.m = -3; }, TILE_INVALID_ARGUMENT,
       "expected m of 0 or more or TILE_DYNAMIC, but got -3"},
      {[](TileGemmDescriptor &gemm) { gemm.b.rowStride = -1; },
       TILE_INVALID_ARGUMENT, "expected rowStride of B"},
      {[](TileGemmDescriptor &gemm) {
         gemm.batched = 1;
         gemm.batch = -2;
       },
       TILE_INVALID_ARGUMENT, "expected batch of 0 or more"},
      {[](TileGemmDescriptor &gemm) { gemm.a.type = TILE_TYPE_MAX; },
       TILE_INVALID_ARGUMENT, "expected a TileType for A, but got 2147483647"},
      {[](TileGemmDescriptor &gemm) { gemm.d.type = static_cast<TileType>(6); },
       TILE_INVALID_ARGUMENT, "expected a TileType for D, but got 6"},
      {[](TileGemmDescriptor &gemm) { gemm.beta.kind = TILE_SCALAR_KIND_MAX; },
       TILE_INVALID_ARGUMENT, "expected a TileScalarKind for beta"},
      {[](TileGemmDescriptor &gemm) { gemm.name = nullptr; },
       TILE_INVALID_ARGUMENT, "expected a name"},
      {[](TileGemmDescriptor &gemm) { gemm.name = ""; }, TILE_INVALID_ARGUMENT,
       "expected a name"},
      {[](TileGemmDescriptor &gemm) { gemm.b.type = TILE_F64; },
       TILE_COMPILE_ERROR, "expected B to have the element type of A"},
      {[](TileGemmDescriptor &gemm) { gemm.beta.kind = TILE_SCALAR_ARGUMENT; },
       TILE_COMPILE_ERROR, "expected operand C together with beta"},
      {[](TileGemmDescriptor &gemm) {
         gemm.batched = 1;
         gemm.d.shared = 1;
       },
       TILE_COMPILE_ERROR, "expected D to have a batch dimension"},
  };
  for (const Case &each : cases) {
    Owned owned;
    TileGemmDescriptor gemm;
    tileGemmDescriptorInit(&gemm);
    each.change(gemm);
    EXPECT_EQ(tileModuleCreateGemm(owned.context, &gemm, &owned.module),
              each.status);
    EXPECT_TRUE(std::strstr(tileGetLastError(), each.reason))
        << each.reason << " / " << tileGetLastError();
    EXPECT_EQ(owned.module, nullptr);
  }
}

namespace {
/// A matrix of floats in memory of a simulator, padded by `kPad` elements in
/// each row (or column) that hold NaN.
struct Matrix {
  static constexpr int64_t kPad = 3;

  Matrix(TileRtDevice device, int64_t rows, int64_t columns, bool columnMajor)
      : rows(rows), columns(columns) {
    int64_t pitch = (columnMajor ? rows : columns) + kPad;
    rowStride = columnMajor ? 1 : pitch;
    columnStride = columnMajor ? pitch : 1;
    int64_t count = (columnMajor ? columns : rows) * pitch;
    EXPECT_EQ(tileRtBufferCreate(device, count * 4, &buffer), TILE_RT_SUCCESS);
    data = static_cast<float *>(tileRtBufferGetAddress(buffer));
    for (int64_t i = 0; i < count; ++i)
      data[i] = NAN;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        at(i, j) = static_cast<float>(std::rand() % 17 - 8) / 4;
  }
  Matrix(const Matrix &) = delete;
  ~Matrix() { tileRtBufferDestroy(buffer); }

  float &at(int64_t i, int64_t j) {
    return data[i * rowStride + j * columnStride];
  }
  TileRtArgument getArgument() const {
    TileRtArgument argument = {};
    argument.kind = TILE_RT_TENSOR;
    argument.as.tensor = {
        data, TILE_RT_F32, 2, {rows, columns}, {rowStride, columnStride}};
    return argument;
  }

  int64_t rows, columns, rowStride, columnStride;
  TileRtBuffer buffer = nullptr;
  float *data = nullptr;
};
} // namespace

static TileRtArgument scalar(float value) {
  TileRtArgument argument = {};
  argument.kind = TILE_RT_SCALAR;
  argument.as.scalar.type = TILE_RT_F32;
  argument.as.scalar.value.f32 = value;
  return argument;
}

/// Compiles D = alpha * A * B + 0.5 * C, runs it, and compares all of D. The
/// numbers are so small that each sum is exact.
static void runGemm(TileRtDevice device, bool columnA, bool columnB,
                    bool columnD) {
  constexpr int64_t m = 37, n = 21, k = 19;
  Owned owned;
  TileGemmDescriptor gemm;
  tileGemmDescriptorInit(&gemm);
  auto setColumn = [](TileOperand &operand) {
    operand.rowStride = 1;
    operand.columnStride = TILE_DYNAMIC;
  };
  if (columnA)
    setColumn(gemm.a);
  if (columnB)
    setColumn(gemm.b);
  if (columnD)
    setColumn(gemm.d);
  gemm.hasC = 1;
  gemm.n = n;
  gemm.alpha.kind = TILE_SCALAR_ARGUMENT;
  gemm.beta = {TILE_SCALAR_CONSTANT, 0.5};
  ASSERT_EQ(tileModuleCreateGemm(owned.context, &gemm, &owned.module),
            TILE_SUCCESS)
      << tileGetLastError();
  ASSERT_EQ(tileCompile(owned.module, nullptr, &owned.artifact), TILE_SUCCESS);
  const void *bytes = nullptr;
  size_t size = 0;
  tileArtifactGetData(owned.artifact, &bytes, &size);
  TileRtModule module = nullptr;
  ASSERT_EQ(tileRtModuleLoad(device, bytes, size, &module), TILE_RT_SUCCESS)
      << tileRtGetLastError();
  Matrix a(device, m, k, columnA), b(device, k, n, columnB),
      c(device, m, n, false), d(device, m, n, columnD);
  TileRtArgument arguments[] = {a.getArgument(), b.getArgument(),
                                c.getArgument(), d.getArgument(), scalar(2)};
  EXPECT_EQ(tileRtLaunchEntry(module, "gemm", arguments, 5, nullptr, nullptr,
                              nullptr),
            TILE_RT_SUCCESS)
      << tileRtGetLastError();
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += static_cast<double>(a.at(i, l)) * b.at(l, j);
      ASSERT_EQ(d.at(i, j), 2 * sum + 0.5 * c.at(i, j)) << i << ", " << j;
    }
  tileRtModuleUnload(module);
}

TEST(Descriptor, ComputesInEachLayout) {
  TileRtDevice device = nullptr;
  ASSERT_EQ(tileRtDeviceOpen("sim", &device), TILE_RT_SUCCESS);
  for (int orders = 0; orders < 8; ++orders)
    runGemm(device, orders & 1, orders & 2, orders & 4);
  tileRtDeviceClose(device);
}
