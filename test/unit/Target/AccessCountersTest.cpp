// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the layouts say of sectors and bank conflicts is what the simulator
// counts when the kernels run.

#include "SimulatorHelpers.h"

#include "AccessCounters.h"
#include "Target/Common/Locations.h"
#include "tile/InitAll.h"
#include "tile/Pipelines/Pipelines.h"
#include "tile/Transforms/AccessFigures.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace tiletest;
using tile::AccessFigures;
using tile::rt::AccessCounts;
using tile::rt::AccessPlace;
using tile::rt::AccessTotals;

namespace {

/// Where an access is, as text, and which side of it.
using Side = std::tuple<std::string, bool, bool>;

class AccessCounters : public HopperTest {
protected:
  /// Compiles a kernel on iterators; `figures` are what the analysis says.
  void compileCounting(const std::string &text) {
    mlir::DialectRegistry registry;
    tile::registerAllDialects(registry);
    mlir::MLIRContext context(registry);
    auto source =
        mlir::parseSourceString<mlir::ModuleOp>(text, &context, "kernel.mlir");
    ASSERT_TRUE(source);
    figures.clear();
    source->walk([&](mlir::Operation *op) {
      tile::forEachAccessFigures(
          op, [&](mlir::Location, const tile::Result<AccessFigures> &found) {
            ASSERT_TRUE(bool(found)) << found.getReason();
            figures[{tile::describeLocation(op), found->isStore,
                     found->isShared}] = *found;
          });
    });
    tile::CompileOptions options;
    ASSERT_TRUE(succeeded(tile::lowerToFloor3(*source, options)));
    tile::SimulatorOptions simulator;
    simulator.count = true;
    auto object = tile::translateToSimulator(*source, simulator);
    ASSERT_TRUE(succeeded(object));
    loadObject(*object);
  }

  /// What the simulator has counted so far.
  std::map<Side, AccessTotals> getCounts() {
    std::map<Side, AccessTotals> counts;
    for (const auto &[place, totals] : module->getAccessCounts())
      counts[{artifacts.back().simSites.at(place.site), place.isStore,
              place.isShared}] = totals;
    return counts;
  }

  /// Expects the counts of `blocks` blocks to be the figures.
  void expectFigures(uint64_t blocks) {
    std::map<Side, AccessTotals> counts = getCounts();
    EXPECT_EQ(counts.size(), figures.size());
    for (const auto &[side, expected] : figures) {
      const AccessTotals &got = counts[side];
      std::string what = std::get<0>(side) + ", " + describeFigures(expected);
      EXPECT_EQ(got.requests, expected.requests * blocks) << what;
      EXPECT_EQ(got.sectors, expected.sectors * blocks) << what;
      EXPECT_EQ(got.bytes, expected.usedBytes * blocks) << what;
      EXPECT_EQ(got.wavefronts, expected.wavefronts * blocks) << what;
      EXPECT_EQ(got.leastWavefronts, expected.leastWavefronts * blocks) << what;
      EXPECT_EQ(got.ways, expected.ways) << what;
    }
  }

  std::map<Side, AccessFigures> figures;
};

/// A tile that goes from global to shared memory by one map and back by
/// another, and the worst that happens on its way.
struct Kernel {
  const char *name, *element, *shared, *in, *out;
  int64_t rows, columns, threads;
  /// Sectors of a load, used bytes of them, ways of the store and of the load
  /// of shared memory.
  int64_t sectors, used, storeWays, loadWays;
};

class Kernels : public AccessCounters,
                public testing::WithParamInterface<Kernel> {};

const Kernel kKernels[] = {
    {"Vectors", "f32", "(64, 64) : (64, 1)",
     "#tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, "
     "elements = 4>",
     "#tile.warp_raked<tile = [64, 64], contiguous = 1, threads = 128, warp = "
     "[16, 2], elements = 4>",
     64, 64, 128, 16, 32, 1, 1},
    {"AcrossWithoutPadding", "f32", "(64, 8) : (1, 64)",
     "#tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, "
     "elements = 1>",
     "#tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 64, elements "
     "= 4>",
     64, 8, 128, 4, 32, 8, 1},
    {"AcrossWithPadding", "f32", "(64, 8) : (1, 68)",
     "#tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, "
     "elements = 1>",
     "#tile.strip_mined<tile = [64, 8], contiguous = 0, threads = 64, elements "
     "= 4>",
     64, 8, 128, 4, 32, 1, 1},
    {"Doubles", "f64", "(16, 32) : (1, 16)",
     "#tile.strip_mined<tile = [16, 32], contiguous = 1, threads = 64, "
     "elements = 2>",
     "#tile.tv_map<tile = [16, 32], layout = ((16, 4), (1, 8)) : ((1@e0, "
     "8@e1), (0, 1@e1))>",
     16, 32, 64, 16, 32, 16, 1},
    {"Halves", "f16", "(32, 64) : (64, 1)",
     "#tile.strip_mined<tile = [32, 64], contiguous = 1, threads = 64, "
     "elements = 8>",
     "#tile.strip_mined<tile = [32, 64], contiguous = 0, threads = 32, "
     "elements = 1>",
     32, 64, 64, 16, 32, 1, 32},
    {"ScatteredLanes", "f32", "(32, 32) : (33, 1)",
     "#tile.tv_map<tile = [32, 32], layout = ((32, 2), (1, 16)) : ((1@e0, "
     "16@e1), (0, 1@e1))>",
     "#tile.tv_map<tile = [32, 32], layout = ((8, 8), (2, 2, 4)) : ((4@e1, "
     "4@e0), (1@e1, 2@e1, 1@e0))>",
     32, 32, 64, 32, 4, 1, 4}};

} // namespace

TEST_P(Kernels, CountAsTheLayoutsSay) {
  const Kernel &kernel = GetParam();
  std::string text = R"mlir(
!global = !tile.view<$E, global, ($R, $C) : (?{div = 16}, 1), align = 256>
!shared = !tile.view<$E, shared, $S, align = 16>
#in = $I
#out = $O
!load = !tile.iterator<!global, #in, predicated, steady>
!put = !tile.iterator<!shared, #in, steady>
!take = !tile.iterator<!shared, #out, steady>
!store = !tile.iterator<!global, #out, predicated, steady>
gpu.module @m {
  gpu.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %ld: index) kernel
      attributes {known_block_size = array<i32: $T, 1, 1>} {
    %t = gpu.thread_id x
    %a = tile.make_view %x, ($R, $C) : (%ld {div = 16}, 1) : !llvm.ptr<1> -> !global
    %b = tile.make_view %y, ($R, $C) : (%ld {div = 16}, 1) : !llvm.ptr<1> -> !global
    %s = tile.alloc_shared : !shared
    %load = tile.make_iterator %a(0, 0), %t : !load
    %put = tile.make_iterator %s(0, 0), %t : !put
    %f = tile.iterator_load %load : !load -> vector<$Fx$E>
    tile.iterator_store %f, %put : vector<$Fx$E>, !put
    gpu.barrier
    %n = arith.constant $N : index
    %mine = arith.cmpi ult, %t, %n : index
    scf.if %mine {
      %take = tile.make_iterator %s(0, 0), %t : !take
      %store = tile.make_iterator %b(0, 0), %t : !store
      %g = tile.iterator_load %take : !take -> vector<$Gx$E>
      tile.iterator_store %g, %store : vector<$Gx$E>, !store
    }
    gpu.return
  }
}
)mlir";
  mlir::DialectRegistry registry;
  tile::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  auto threadsOf = [&](const char *map) {
    return mlir::cast<tile::ThreadMapAttrInterface>(
               mlir::parseAttribute(map, &context))
        .getThreads();
  };
  int64_t elements = kernel.rows * kernel.columns;
  int64_t outThreads = threadsOf(kernel.out);
  for (auto [name, value] :
       {std::pair("$Fx", std::to_string(elements / threadsOf(kernel.in)) + "x"),
        std::pair("$Gx", std::to_string(elements / outThreads) + "x"),
        std::pair("$E", std::string(kernel.element)),
        std::pair("$R", std::to_string(kernel.rows)),
        std::pair("$C", std::to_string(kernel.columns)),
        std::pair("$S", std::string(kernel.shared)),
        std::pair("$I", std::string(kernel.in)),
        std::pair("$O", std::string(kernel.out)),
        std::pair("$T", std::to_string(kernel.threads)),
        std::pair("$N", std::to_string(outThreads))})
    text = substitute(text, name, value);
  compileCounting(text);
  if (HasFatalFailure())
    return;
  int64_t bytes = kernel.element == std::string("f64")   ? 8
                  : kernel.element == std::string("f16") ? 2
                                                         : 4;
  int64_t pitch = kernel.columns + 48;
  auto *x = allocate<uint8_t>(pitch * kernel.rows * bytes, 1);
  auto *y = allocate<uint8_t>(pitch * kernel.rows * bytes);
  ASSERT_EQ(launch({&x, &y, &pitch}, kernel.threads), "");
  expectFigures(1);
  // And the figures are what they should be.
  for (const auto &[side, got] : figures) {
    if (got.isShared) {
      EXPECT_EQ(got.ways, got.isStore ? kernel.storeWays : kernel.loadWays);
      EXPECT_EQ(got.conflict.has_value(), got.ways > 1);
    } else if (!got.isStore) {
      EXPECT_EQ(got.sectors, kernel.sectors * got.requests);
      EXPECT_EQ(got.usedBytes, kernel.used * got.sectors);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Six, Kernels, testing::ValuesIn(kKernels),
                         [](const testing::TestParamInfo<Kernel> &info) {
                           return info.param.name;
                         });

TEST_F(AccessCounters, ViewsAndAsynchronousCopies) {
  compileCounting(R"mlir(
!global = !tile.view<f32, global, (8, 64) : (64, 1), align = 16>
!shared = !tile.view<f32, shared, (8, 64) : (72, 1), align = 16>
#map = #tile.strip_mined<tile = [8, 64], contiguous = 1, threads = 64, elements = 2>
!from = !tile.iterator<!global, #map, advance = 0, predicated, residue>
!to = !tile.iterator<!shared, #map, steady>
gpu.module @m {
  gpu.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    %a = tile.make_view %x, (8, 64) : (64, 1) : !llvm.ptr<1> -> !global
    %b = tile.make_view %y, (8, 64) : (64, 1) : !llvm.ptr<1> -> !global
    %s = tile.alloc_shared : !shared
    %from = tile.make_iterator %a(0, 0), %t : !from
    %to = tile.make_iterator %s(0, 0), %t : !to
    tile.copy_async %from, %to : !from, !to
    tile.async_commit_group
    tile.async_wait_group 0
    gpu.barrier
    // Down the columns: eight threads in a row, and each column by one of them.
    %row = arith.remui %t, %c8 : index
    %group = arith.divui %t, %c8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %first = arith.muli %group, %c8 : index
      %column = arith.addi %first, %i : index
      %v = tile.view_load %s(%row, %column) : !shared -> f32
      tile.view_store %v, %b(%row, %column) : f32, !global
    }
    gpu.return
  }
}
)mlir");
  if (HasFatalFailure())
    return;
  auto *x = allocate<float>(512, 1.0f);
  auto *y = allocate<float>(512);
  int64_t n = 0;
  ASSERT_EQ(launch({&x, &y, &n}, 64), "");
  for (int i = 0; i < 512; ++i)
    ASSERT_EQ(y[i], x[i]);
  // The loop makes the view's accesses eight times.
  std::map<Side, AccessTotals> counts = getCounts();
  EXPECT_EQ(counts.size(), 4u);
  for (const auto &[side, expected] : figures) {
    const AccessTotals &got = counts[side];
    uint64_t times = expected.accesses == 1 ? 8 : 1;
    std::string what = std::get<0>(side) + ", " + describeFigures(expected);
    EXPECT_EQ(got.requests, expected.requests * times) << what;
    EXPECT_EQ(got.sectors, expected.sectors * times) << what;
    EXPECT_EQ(got.wavefronts, expected.wavefronts * times) << what;
    EXPECT_EQ(got.ways, expected.ways) << what;
  }
}

TEST_F(AccessCounters, SwizzledSharedMemory) {
  // Rows go in by vectors and come out by columns, which meet in no bank.
  compileCounting(R"mlir(
!global = !tile.view<f32, global, (32, 32) : (32, 1), align = 16>
!shared = !tile.view<f32, shared, S<3, 2, 3> o 0 o (32, 32) : (32, 1), align = 1024>
#rows = #tile.strip_mined<tile = [32, 32], contiguous = 1, threads = 64, elements = 4>
#columns = #tile.tv_map<tile = [32, 32], layout = ((32, 2), (4, 4)) : ((1@e0, 16@e1), (1@e1, 4@e1))>
!from = !tile.iterator<!global, #rows, advance = 0, predicated, residue>
!to = !tile.iterator<!shared, #rows, steady>
!take = !tile.iterator<!shared, #columns, steady>
!put = !tile.iterator<!global, #columns, steady>
gpu.module @m {
  gpu.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %a = tile.make_view %x, (32, 32) : (32, 1) : !llvm.ptr<1> -> !global
    %b = tile.make_view %y, (32, 32) : (32, 1) : !llvm.ptr<1> -> !global
    %s = tile.alloc_shared : !shared
    %from = tile.make_iterator %a(0, 0), %t : !from
    %to = tile.make_iterator %s(0, 0), %t : !to
    tile.copy_async %from, %to : !from, !to
    tile.async_commit_group
    tile.async_wait_group 0
    gpu.barrier
    %take = tile.make_iterator %s(0, 0), %t : !take
    %put = tile.make_iterator %b(0, 0), %t : !put
    %f = tile.iterator_load %take : !take -> vector<16xf32>
    tile.iterator_store %f, %put : vector<16xf32>, !put
    gpu.return
  }
}
)mlir");
  if (HasFatalFailure())
    return;
  auto *x = allocate<float>(1024), *y = allocate<float>(1024);
  for (int i = 0; i < 1024; ++i)
    x[i] = static_cast<float>(i + 1);
  ASSERT_EQ(launch({&x, &y}, 64), "");
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(y[i], x[i]) << i;
  expectFigures(1);
  for (const auto &[side, got] : figures)
    if (got.isShared) {
      EXPECT_EQ(got.bytes, 16);
      EXPECT_EQ(got.ways, 1) << describeFigures(got);
    }
}

TEST_F(AccessCounters, LanesThatAreMaskedTakePart) {
  // Rows 0 to 4 of 8 are there. Both loads are one request a warp; of the
  // second one the lanes behind the first half are off.
  compileCounting(R"mlir(
!global = !tile.view<f32, global, (?, 16) : (16, 1), align = 16>
#map = #tile.strip_mined<tile = [4, 16], contiguous = 1, threads = 32, elements = 1>
!walk = !tile.iterator<!global, #map, predicated, steady>
gpu.module @m {
  gpu.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %rows: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %a = tile.make_view %x, (%rows, 16) : (16, 1) : !llvm.ptr<1> -> !global
    %b = tile.make_view %y, (%rows, 16) : (16, 1) : !llvm.ptr<1> -> !global
    %from = tile.make_iterator %a(0, 0), %t : !walk
    %to = tile.make_iterator %b(0, 0), %t : !walk
    %f = tile.iterator_load %from : !walk -> vector<2xf32>
    tile.iterator_store %f, %to : vector<2xf32>, !walk
    gpu.return
  }
}
)mlir");
  if (HasFatalFailure())
    return;
  auto *x = allocate<float>(64, 1.0f), *y = allocate<float>(64);
  int64_t rows = 3;
  ASSERT_EQ(launch({&x, &y, &rows}, 32), "");
  std::map<Side, AccessTotals> counts = getCounts();
  ASSERT_EQ(counts.size(), 2u);
  for (const auto &[side, got] : counts) {
    EXPECT_EQ(got.requests, 2u);
    EXPECT_EQ(got.sectors, 4u + 2u);
    EXPECT_EQ(got.bytes, 128u + 64u);
  }
  // Each launch adds to it, and each block.
  ASSERT_EQ(launch({&x, &y, &rows}, 32), "");
  ASSERT_EQ(launch({&x, &y, &rows}, 32, 0, 3), "");
  counts = getCounts();
  for (const auto &[side, got] : counts)
    EXPECT_EQ(got.requests, 10u);
}

TEST(AccessRequests, Sectors) {
  AccessFigures figures;
  figures.bytes = 4;
  std::vector<std::optional<int64_t>> lanes;
  for (int64_t lane = 0; lane < 32; ++lane)
    lanes.push_back(lane * 8);
  tile::addRequest(figures, 0, lanes);
  EXPECT_EQ(figures.sectors, 8);
  EXPECT_EQ(figures.usedBytes, 128);
  // One that straddles a boundary takes two.
  figures = AccessFigures();
  figures.bytes = 8;
  tile::addRequest(figures, 0, {std::optional<int64_t>(28)});
  EXPECT_EQ(figures.sectors, 2);
  // Lanes that take no part make no request.
  figures = AccessFigures();
  figures.bytes = 4;
  tile::addRequest(figures, 0, {std::nullopt, std::nullopt});
  EXPECT_EQ(figures.requests, 0);
}

TEST(AccessRequests, Banks) {
  auto ways = [](int64_t bytes, int64_t step) {
    AccessFigures figures;
    figures.isShared = true;
    figures.bytes = bytes;
    std::vector<std::optional<int64_t>> lanes;
    for (int64_t lane = 0; lane < 32; ++lane)
      lanes.push_back(lane * step);
    tile::addRequest(figures, 0, lanes);
    return std::pair(figures.ways, figures.wavefronts);
  };
  EXPECT_EQ(ways(4, 4), std::pair(int64_t(1), int64_t(1)));
  EXPECT_EQ(ways(4, 0), std::pair(int64_t(1), int64_t(1)));
  EXPECT_EQ(ways(4, 8), std::pair(int64_t(2), int64_t(2)));
  EXPECT_EQ(ways(4, 128), std::pair(int64_t(32), int64_t(32)));
  EXPECT_EQ(ways(4, 132), std::pair(int64_t(1), int64_t(1)));
  // Two halves in one word are one access of it.
  EXPECT_EQ(ways(2, 2), std::pair(int64_t(1), int64_t(1)));
  EXPECT_EQ(ways(8, 8), std::pair(int64_t(1), int64_t(2)));
  EXPECT_EQ(ways(16, 16), std::pair(int64_t(1), int64_t(4)));
  EXPECT_EQ(ways(16, 128), std::pair(int64_t(8), int64_t(32)));
}
