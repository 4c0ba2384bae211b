// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels written by hand around mapped iterators, on the device of this run.
#include "Setting.h"

#include <numeric>

using namespace tile::sweep;

namespace {

const char *kFacts = "tile.launch_facts = #tile.launch_facts<>";

/// Launches `name` of a module and returns what `y` holds afterwards. Kernels
/// take x and y, then numbers.
std::vector<float> launch(const std::string &text, const char *name,
                          std::array<int64_t, 3> grid, int64_t threads,
                          const std::vector<float> &x, std::vector<float> y,
                          const std::vector<int64_t> &numbers,
                          const std::vector<int32_t> &indices = {0}) {
  std::string error;
  TileRtModule module = Setting::get().load(text, error);
  EXPECT_TRUE(module) << error;
  TileRtKernel kernel = nullptr;
  if (!module ||
      tileRtModuleGetKernel(module, name, &kernel) != TILE_RT_SUCCESS) {
    ADD_FAILURE() << tileRtGetLastError();
    return y;
  }
  auto upload = [](const auto &values) {
    int64_t bytes = values.size() * sizeof(values[0]);
    Buffer buffer(Setting::get().getDevice(), bytes);
    EXPECT_EQ(tileRtBufferWrite(buffer.get(), 0, values.data(), bytes, nullptr),
              TILE_RT_SUCCESS);
    return buffer;
  };
  Buffer bufferX = upload(x), bufferY = upload(y), bufferI = upload(indices);
  void *px = bufferX.address(), *py = bufferY.address(),
       *pi = bufferI.address();
  std::vector<void *> arguments{&px, &py, &pi};
  std::vector<int64_t> values = numbers;
  for (int64_t &value : values)
    arguments.push_back(&value);
  int64_t block[] = {threads, 1, 1};
  EXPECT_EQ(tileRtKernelLaunch(kernel, grid.data(), block, 0, arguments.data(),
                               nullptr),
            TILE_RT_SUCCESS)
      << tileRtGetLastError();
  EXPECT_EQ(tileRtBufferRead(bufferY.get(), 0, y.data(), y.size() * 4, nullptr),
            TILE_RT_SUCCESS)
      << tileRtGetLastError();
  return y;
}

std::vector<float> count(int64_t size) {
  std::vector<float> values(size);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

/// A program of one kernel, and a problem beside it, without which there is
/// nothing to compile.
std::string program(const std::string &types, const std::string &kernel) {
  return types + R"(
module attributes {gpu.container_module} {
  gpu.module @kernels {)" +
         kernel + R"(
  }
  func.func @gemm(%A: memref<4x4xf32>, %B: memref<4x4xf32>, %D: memref<4x4xf32>) {
    tile.gemm ins(%A, %B : memref<4x4xf32>, memref<4x4xf32>) outs(%D : memref<4x4xf32>)
    return
  }
})";
}

TEST(MappedPrograms, PixelsUnderAFilter) {
  // The activation of a convolution as a matrix, written out (im2col).
  std::string text = program(R"(
!tensor = !tile.view<f32, global, (?, ?, ?, ?{div = 4}) : (?{div = 4}, ?{div = 4}, ?{div = 4}, 1), align = 16>
!matrix = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
#map = #tile.strip_mined<tile = [32, 8], contiguous = 1, threads = 32, elements = 4>
!load = !tile.iterator<!tensor, #map,
  coords ((?, ?, ?), (8, 3, 2, ?)) : ((?@e2, ?@e1, 1@e0), (1@e3, 1@e2, 1@e1, 8@e3)), advance = 1, masked>
!store = !tile.iterator<!matrix, #map, advance = 1, masked>
)",
                             std::string(R"(
    gpu.func @im2col(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %i: !llvm.ptr<1>,
                     %n: index, %h: index, %w: index, %c: index, %p: index, %q: index,
                     %stride: index, %rows: index, %blocks: index) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>,)") +
                                 kFacts + R"(} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %t = gpu.thread_id x
      %bx = gpu.block_id x
      %row = arith.muli %bx, %c32 : index
      %wc = arith.muli %w, %c : index
      %hwc = arith.muli %h, %wc : index
      %steps = arith.muli %blocks, %c6 : index
      %columns = arith.muli %steps, %c8 : index
      %vx = tile.make_view %x, (%n, %h, %w, %c {div = 4}) : (%hwc {div = 4}, %wc {div = 4}, %c {div = 4}, 1) : !llvm.ptr<1> -> !tensor
      %vy = tile.make_view %y, (%rows, %columns {div = 4}) : (%columns {div = 4}, 1) : !llvm.ptr<1> -> !matrix
      %from = tile.make_iterator %vx(%row, 0), %t
        coords ((%q, %p, %n), (8, 3, 2, %blocks)) : ((%stride@e2, %stride@e1, 1@e0), (1@e3, 1@e2, 1@e1, 8@e3))
        origin (0, -1, -1, 0) : !load
      %to = tile.make_iterator %vy(%row, 0), %t : !store
      %end:2 = scf.for %k = %c0 to %steps step %c1 iter_args(%a = %from, %b = %to) -> (!load, !store) {
        %f = tile.iterator_load %a : !load -> vector<8xf32>
        tile.iterator_store %f, %b : vector<8xf32>, !store
        %a1 = tile.iterator_advance %a : !load
        %b1 = tile.iterator_advance %b : !store
        scf.yield %a1, %b1 : !load, !store
      }
      gpu.return
    })");
  int64_t n = 2, h = 7, w = 6, c = 12, r = 2, s = 3, stride = 2;
  int64_t p = (h + 2 - r) / stride + 1, q = (w + 2 - s) / stride + 1;
  int64_t rows = n * p * q, blocks = (c + 7) / 8, columns = blocks * r * s * 8;
  std::vector<float> x = count(n * h * w * c), want(rows * columns + 4, -7);
  std::vector<float> got =
      launch(text, "im2col", {(rows + 31) / 32, 1, 1}, 32, x, want,
             {n, h, w, c, p, q, stride, rows, blocks});
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      int64_t channel = column / (8 * r * s) * 8 + column % 8,
              y = row / q % p * stride - 1 + column / 8 / s % r,
              z = row % q * stride - 1 + column / 8 % s;
      bool inside = channel < c && y >= 0 && y < h && z >= 0 && z < w;
      want[row * columns + column] =
          inside ? x[((row / q / p * h + y) * w + z) * c + channel] : 0.0f;
    }
  EXPECT_EQ(got, want);
}

TEST(MappedPrograms, RowsThatAreLookedUp) {
  // A matrix whose rows go elsewhere; a row -1 goes nowhere.
  std::string text = program(R"(
!matrix = !tile.view<f32, global, (?, ?) : (?, 1)>
!indices = !tile.view<i32, global, (?) : (1)>
#map = #tile.output_tile<shape = [32, 4, 2, 1, 1], count = [1, 2, 1, 1, 2], threads = 64, elements = 1, bits = 32>
!load = !tile.iterator<!matrix, #map, steps = 2, advance = 0, masked>
!store = !tile.iterator<!matrix, #map, steps = 2, advance = 0, gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>>, masked>
)",
                             std::string(R"(
    gpu.func @scatter(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %i: !llvm.ptr<1>,
                      %m: index, %n: index, %out: index, %ld: index) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>,)") +
                                 kFacts + R"(} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c32 = arith.constant 32 : index
      %t = gpu.thread_id x
      %bx = gpu.block_id x
      %c31 = arith.constant 31 : index
      %padded = arith.addi %n, %c31 : index
      %tiles = arith.divui %padded, %c32 : index
      %vx = tile.make_view %x, (%m, %n) : (%n, 1) : !llvm.ptr<1> -> !matrix
      %vy = tile.make_view %y, (%out, %n) : (%ld, 1) : !llvm.ptr<1> -> !matrix
      %vi = tile.make_view %i, (%m) : (1) : !llvm.ptr<1> -> !indices
      scf.for %j = %c0 to %tiles step %c1 {
        %column = arith.muli %j, %c32 : index
        %from = tile.make_iterator %vx(0, %column), %t : !load
        %to = tile.make_iterator %vy(0, %column), %t indices %vi : !store
        %blocks = arith.muli %bx, %c2 : index
        %from0 = tile.iterator_advance %from by %blocks : !load
        %to0 = tile.iterator_advance %to by %blocks : !store
        %end:2 = scf.for %k = %c0 to %c2 step %c1 iter_args(%a = %from0, %b = %to0) -> (!load, !store) {
          %f = tile.iterator_load %a : !load -> vector<4xf32>
          tile.iterator_store %f, %b : vector<4xf32>, !store
          %a1 = tile.iterator_advance %a : !load
          %b1 = tile.iterator_advance %b : !store
          scf.yield %a1, %b1 : !load, !store
        }
      }
      gpu.return
    })");
  int64_t m = 37, n = 45, out = 50, ld = 47;
  std::vector<float> x = count(m * n), want(out * ld, -7);
  std::vector<int32_t> indices;
  for (int64_t i = 0; i < m; ++i)
    indices.push_back(i % 9 == 4 ? -1 : int32_t((i * 7 + 3) % out));
  std::vector<float> got = launch(text, "scatter", {(m + 15) / 16, 1, 1}, 64, x,
                                  want, {m, n, out, ld}, indices);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      if (indices[i] >= 0)
        want[indices[i] * ld + j] = x[i * n + j];
  EXPECT_EQ(got, want);
}

TEST(MappedPrograms, TriangleOfAPermutedTensor) {
  // The lower triangle of a matrix whose rows (4, M/4) and columns (N/2, 2) are
  // stored in the order of CUTLASS's 0213.
  std::string text = program(R"(
!matrix = !tile.view<f32, global, (?, ?) : (?, 1)>
!tensor = !tile.view<f32, global, (?, 2, 4, ?) : (?, ?, ?, 1)>
#map = #tile.strip_mined<tile = [16, 16], contiguous = 1, threads = 32, elements = 1>
!load = !tile.iterator<!matrix, #map, triangle = #tile.triangle<lower>, masked>
!store = !tile.iterator<!tensor, #map,
  coords ((4, ?), (?, 2)) : ((1@e2, 1@e0), (1@e3, 1@e1)), triangle = #tile.triangle<lower>, masked>
)",
                             std::string(R"(
    gpu.func @permute(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %i: !llvm.ptr<1>,
                      %m: index, %n: index, %mt: index, %nt: index) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>,)") +
                                 kFacts + R"(} {
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %t = gpu.thread_id x
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %bz = gpu.block_id z
      %ti, %tj, %tk = tile.block_tile #tile.block_order<kind = grouped, width = 4> (%mt, %nt, 1) at %bx, %by, %bz
      %row = arith.muli %ti, %c16 : index
      %column = arith.muli %tj, %c16 : index
      %m4 = arith.divui %m, %c4 : index
      %q = arith.divui %n, %c2 : index
      %s1 = arith.muli %q, %c4 : index
      %s0 = arith.muli %s1, %c2 : index
      %vx = tile.make_view %x, (%m, %n) : (%n, 1) : !llvm.ptr<1> -> !matrix
      %vy = tile.make_view %y, (%m4, 2, 4, %q) : (%s0, %s1, %q, 1) : !llvm.ptr<1> -> !tensor
      %from = tile.make_iterator %vx(%row, %column), %t : !load
      %to = tile.make_iterator %vy(%row, %column), %t
        coords ((4, %m4), (%q, 2)) : ((1@e2, 1@e0), (1@e3, 1@e1)) : !store
      %f = tile.iterator_load %from : !load -> vector<8xf32>
      tile.iterator_store %f, %to : vector<8xf32>, !store
      gpu.return
    })");
  // Of 3 columns of tiles 4 are launched; the last ones store nothing.
  int64_t m = 36, n = 38, tilesM = 3, tilesN = 3;
  std::vector<float> x = count(m * n), want(m * n, -7);
  std::vector<float> got = launch(text, "permute", {tilesM * 4, 1, 1}, 32, x,
                                  want, {m, n, tilesM, tilesN});
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j <= i && j < n; ++j) {
      int64_t q = n / 2;
      want[((i / 4 * 2 + j / q) * 4 + i % 4) * q + j % q] = x[i * n + j];
    }
  EXPECT_EQ(got, want);
}

TEST(MappedPrograms, ExchangeThroughSharedMemory) {
  // What tensor-core lanes have is read back in rows, eight at a time, through
  // padded and swizzled memory.
  std::string text = program(R"(
!matrix = !tile.view<f32, global, (16, 64) : (64, 1), align = 16>
!tile = !tile.view<f32, shared, (16, 64) : (72, 1), align = 16>
#lanes = #tile.tv_map<tile = [16, 64], layout = ((4, 8, 2, 2), (2, 4)) : ((2@e1, 1@e0, 8@e0, 32@e1), (1@e1, 8@e1))>
#rows = #tile.output_tile<shape = [64, 8, 2, 1, 1], count = [1, 1, 1, 1, 1], threads = 128, elements = 8, bits = 16>
!load = !tile.iterator<!matrix, #lanes>
!write = !tile.iterator<!tile, #lanes, xor = [1, 2, 1, 5]>
!read = !tile.iterator<!tile, #rows, xor = [1, 2, 1, 5]>
!store = !tile.iterator<!matrix, #rows>
)",
                             std::string(R"(
    gpu.func @exchange(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %i: !llvm.ptr<1>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>,)") +
                                 kFacts + R"(} {
      %t = gpu.thread_id x
      %vx = tile.make_view %x, (16, 64) : (64, 1) : !llvm.ptr<1> -> !matrix
      %vy = tile.make_view %y, (16, 64) : (64, 1) : !llvm.ptr<1> -> !matrix
      %s = tile.alloc_shared : !tile
      %from = tile.make_iterator %vx(0, 0), %t : !load
      %write = tile.make_iterator %s(0, 0), %t : !write
      %read = tile.make_iterator %s(0, 0), %t : !read
      %to = tile.make_iterator %vy(0, 0), %t : !store
      %f = tile.iterator_load %from : !load -> vector<8xf32>
      tile.iterator_store %f, %write : vector<8xf32>, !write
      gpu.barrier
      %g = tile.iterator_load %read : !read -> vector<8xf32>
      tile.iterator_store %g, %to : vector<8xf32>, !store
      gpu.return
    })");
  std::vector<float> x = count(16 * 64);
  EXPECT_EQ(launch(text, "exchange", {1, 1, 1}, 128, x,
                   std::vector<float>(x.size(), -7), {}),
            x);
}

TEST(MappedPrograms, OperandOfTensorCores) {
  // 32 by 16 floats in lines of two rows, swizzled; a warp fetches the rows
  // that its lanes supply to ldmatrix, eight columns at a time.
  std::string text = program(R"(
!matrix = !tile.view<f32, global, (32, 16) : (16, 1), align = 16>
!lines = !tile.view<f32, shared, (16, 1, 32) : (32, 32, 1), align = 16>
#fill = #tile.strip_mined<tile = [32, 16], contiguous = 1, threads = 32, elements = 4>
#lanes = #tile.tv_map<tile = [32, 8], layout = ((16, 2), (4, 2)) : ((1@e0, 4@e1), (1@e1, 16@e0))>
!load = !tile.iterator<!matrix, #fill>
!write = !tile.iterator<!lines, #fill, coords ((2, 16), (16, 1)) : ((16@e2, 1@e0), (1@e2, 1@e1)), xor = [2, 2, 0, 0]>
!fetch = !tile.iterator<!lines, #lanes, coords ((2, 16), (16, 1)) : ((16@e2, 1@e0), (1@e2, 1@e1)), advance = 1, xor = [2, 2, 0, 0]>
!store = !tile.iterator<!matrix, #lanes, advance = 1>
)",
                             std::string(R"(
    gpu.func @fetch(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %i: !llvm.ptr<1>) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>,)") +
                                 kFacts + R"(} {
      %t = gpu.thread_id x
      %vx = tile.make_view %x, (32, 16) : (16, 1) : !llvm.ptr<1> -> !matrix
      %vy = tile.make_view %y, (32, 16) : (16, 1) : !llvm.ptr<1> -> !matrix
      %s = tile.alloc_shared : !lines
      %from = tile.make_iterator %vx(0, 0), %t : !load
      %write = tile.make_iterator %s(0, 0), %t
        coords ((2, 16), (16, 1)) : ((16@e2, 1@e0), (1@e2, 1@e1)) : !write
      %fetch = tile.make_iterator %s(0, 0), %t
        coords ((2, 16), (16, 1)) : ((16@e2, 1@e0), (1@e2, 1@e1)) : !fetch
      %to = tile.make_iterator %vy(0, 0), %t : !store
      %f = tile.iterator_load %from : !load -> vector<16xf32>
      tile.iterator_store %f, %write : vector<16xf32>, !write
      gpu.barrier
      %g = tile.iterator_load %fetch : !fetch -> vector<8xf32>
      tile.iterator_store %g, %to : vector<8xf32>, !store
      %fetch1 = tile.iterator_advance %fetch : !fetch
      %to1 = tile.iterator_advance %to : !store
      %h = tile.iterator_load %fetch1 : !fetch -> vector<8xf32>
      tile.iterator_store %h, %to1 : vector<8xf32>, !store
      gpu.return
    })");
  std::vector<float> x = count(32 * 16);
  EXPECT_EQ(launch(text, "fetch", {1, 1, 1}, 32, x,
                   std::vector<float>(x.size(), -7), {}),
            x);
}

TEST(MappedPrograms, EveryIterationOfAStreamKPlan) {
  // Each block marks the iterations that it has with the number of their tile's
  // owner: 7 tiles of 5 iterations on 4 blocks, 9 or 8 each.
  std::string text = program(R"(
#plan = #tile.stream_k<tiles = [7, 1], iterations = 5, stream = 7, regions = 1, blocks = 4, big = 3>
!out = !tile.view<f32, global, (35) : (1)>
)",
                             std::string(R"(
    gpu.func @stream_k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %i: !llvm.ptr<1>) kernel
        attributes {known_block_size = array<i32: 1, 1, 1>,)") +
                                 kFacts + R"(} {
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %bx = gpu.block_id x
      %vy = tile.make_view %y, (35) : (1) : !llvm.ptr<1> -> !out
      %block = tile.stream_k_block #plan at %bx
      %begin, %end = tile.stream_k_iterations #plan of %block
      scf.for %k = %begin to %end step %c1 {
        %tile = arith.divui %k, %c5 : index
        %owner = tile.stream_k_owner #plan of %tile
        %n = arith.index_cast %owner : index to i32
        %f = arith.sitofp %n : i32 to f32
        tile.view_store %f, %vy(%k) : f32, !out
      }
      gpu.return
    })");
  std::vector<float> got = launch(text, "stream_k", {4, 1, 1}, 1, {0},
                                  std::vector<float>(35, -7), {});
  for (int k = 0; k < 35; ++k) {
    // The first iteration of the tile, 5 * (k / 5), is block first / 9's.
    int first = k / 5 * 5;
    EXPECT_EQ(got[k], float(std::min(first / 9, 3))) << k;
  }
}

} // namespace
