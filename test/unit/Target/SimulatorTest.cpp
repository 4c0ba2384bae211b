// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels compiled for the simulator run on it, and its checks see them.

#include "Target/Sim/SimulatorABI.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tile-rt/tile-rt.h"
#include "tile-sim-abi.h"
#include "tile/Target/Translations.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstddef>
#include <numeric>

using namespace tile;

static_assert(offsetof(TileSimContext, tid) == simabi::TID);
static_assert(offsetof(TileSimContext, ctaid) == simabi::CTAID);
static_assert(offsetof(TileSimContext, ntid) == simabi::NTID);
static_assert(offsetof(TileSimContext, nctaid) == simabi::NCTAID);
static_assert(offsetof(TileSimContext, shared) == simabi::Shared);
static_assert(offsetof(TileSimContext, sharedBytes) == simabi::SharedBytes);
static_assert(offsetof(TileSimContext, clusterCtaid) == simabi::ClusterCtaid);
static_assert(offsetof(TileSimContext, clusterNctaid) == simabi::ClusterNctaid);
static_assert(offsetof(TileSimContext, clusterid) == simabi::Clusterid);
static_assert(offsetof(TileSimContext, nclusterid) == simabi::Nclusterid);
static_assert(offsetof(TileSimContext, clusterRank) == simabi::ClusterRank);
static_assert(offsetof(TileSimContext, clusterSize) == simabi::ClusterSize);
static_assert(int(TILE_SIM_WGMMA_B) == int(simabi::WgmmaTypeB));
static_assert(int(TILE_SIM_WGMMA_D) == int(simabi::WgmmaTypeD));
static_assert(int(TILE_SIM_WGMMA_ADD) == int(simabi::WgmmaAdd));
static_assert(int(TILE_SIM_WGMMA_NEGATE_A) == int(simabi::WgmmaNegateA));
static_assert(int(TILE_SIM_WGMMA_NEGATE_B) == int(simabi::WgmmaNegateB));
static_assert(int(TILE_SIM_WGMMA_M_MAJOR) == int(simabi::WgmmaMMajor));
static_assert(int(TILE_SIM_WGMMA_N_MAJOR) == int(simabi::WgmmaNMajor));
static_assert(int(TILE_SIM_WGMMA_SATURATE) == int(simabi::WgmmaSaturate));
static_assert(int(TILE_SIM_WAIT_BLOCKS) == int(simabi::WaitBlocks));
static_assert(int(TILE_SIM_WAIT_STATE) == int(simabi::WaitState));
static_assert(int(TILE_SIM_WAIT_CLUSTER) == int(simabi::WaitCluster));
static_assert(int(TILE_SIM_ARRIVE_DROPS) == int(simabi::ArriveDrops));
static_assert(int(TILE_SIM_ARRIVE_CLUSTER) == int(simabi::ArriveCluster));
static_assert(int(TILE_SIM_ATOMIC) == int(simabi::Atomic));
static_assert(int(TILE_SIM_ACQUIRE) == int(simabi::Acquire));
static_assert(int(TILE_SIM_RELEASE) == int(simabi::Release));
static_assert(int(TILE_SIM_CLUSTER) == int(simabi::ClusterMemory));
static_assert(int(TILE_SIM_STORE) == int(simabi::Store));
static_assert(int(TILE_SIM_GLOBAL) == int(simabi::Global));
static_assert(int(TILE_SIM_SHARED) == int(simabi::SharedMemory));

namespace {
/// A module of floor-3 kernels, compiled and loaded on a simulator.
class SimulatorTest : public ::testing::Test {
protected:
  ~SimulatorTest() override { unload(); }

  void unload() {
    for (TileRtBuffer buffer : buffers)
      tileRtBufferDestroy(buffer);
    buffers.clear();
    if (module)
      tileRtModuleUnload(module);
    if (device)
      tileRtDeviceClose(device);
    module = nullptr;
    device = nullptr;
  }

  void compile(const std::string &body, const std::string &cpu = "") {
    unload();
    mlir::DialectRegistry registry;
    registerTargetDialects(registry);
    mlir::MLIRContext context(registry);
    auto source = mlir::parseSourceString<mlir::ModuleOp>(
        "gpu.module @m {" + body + "}", &context, "kernels.mlir");
    ASSERT_TRUE(source);
    ArtifactOptions options;
    options.ptx = false;
    mlir::FailureOr<Artifact> artifact = compileArtifact(*source, {}, options);
    ASSERT_TRUE(succeeded(artifact));
    if (!cpu.empty()) {
      SimulatorOptions simulator;
      simulator.cpu = cpu;
      mlir::FailureOr<SimulatorObject> object =
          translateToSimulator(*source, simulator);
      ASSERT_TRUE(succeeded(object));
      artifact->simulator = std::move(*object);
    }
    std::string bytes = writeArtifact(*artifact);
    ASSERT_EQ(tileRtDeviceOpen("sim", &device), TILE_RT_SUCCESS);
    ASSERT_EQ(tileRtModuleLoad(device, bytes.data(), bytes.size(), &module),
              TILE_RT_SUCCESS)
        << tileRtGetLastError();
  }

  /// Device memory with the contents of `values`.
  template <typename T>
  T *upload(const std::vector<T> &values) {
    TileRtBuffer buffer = nullptr;
    int64_t bytes = values.size() * sizeof(T);
    EXPECT_EQ(tileRtBufferCreate(device, bytes, &buffer), TILE_RT_SUCCESS);
    buffers.push_back(buffer);
    EXPECT_EQ(tileRtBufferWrite(buffer, 0, values.data(), bytes, nullptr),
              TILE_RT_SUCCESS);
    return static_cast<T *>(tileRtBufferGetAddress(buffer));
  }

  TileRtStatus launch(const char *name, int64_t blocks, int64_t threadsX,
                      int64_t threadsY, std::vector<void *> arguments) {
    TileRtKernel kernel = nullptr;
    EXPECT_EQ(tileRtModuleGetKernel(module, name, &kernel), TILE_RT_SUCCESS)
        << tileRtGetLastError();
    if (!kernel)
      return TILE_RT_NOT_FOUND;
    int64_t grid[] = {blocks, 1, 1}, block[] = {threadsX, threadsY, 1};
    return tileRtKernelLaunch(kernel, grid, block, 0, arguments.data(),
                              nullptr);
  }

  TileRtDevice device = nullptr;
  TileRtModule module = nullptr;
  std::vector<TileRtBuffer> buffers;
};
} // namespace

static const char *kFacts = "tile.launch_facts = #tile.launch_facts<>";

/// y = a * x + y on vectors of four behind one predicate.
static std::string saxpy() {
  return R"(
gpu.func @saxpy(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i64, %a: f32) kernel
    attributes {known_block_size = array<i32: 32, 1, 1>,)" +
         std::string(kFacts) + R"(} {
  %tx = gpu.thread_id x
  %bx = gpu.block_id x
  %c32 = arith.constant 32 : index
  %c4 = arith.constant 4 : index
  %b = arith.muli %bx, %c32 : index
  %t = arith.addi %b, %tx : index
  %e = arith.muli %t, %c4 : index
  %i = arith.index_cast %e : index to i64
  %p = arith.cmpi slt, %i, %n : i64
  %m = vector.broadcast %p : i1 to vector<4xi1>
  %z = arith.constant dense<0.0> : vector<4xf32>
  %px = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %py = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %vx = llvm.intr.masked.load %px, %m, %z {alignment = 16 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32> loc("load x")
  %vy = llvm.intr.masked.load %py, %m, %z {alignment = 16 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32> loc("load y")
  %va = vector.broadcast %a : f32 to vector<4xf32>
  %r = llvm.intr.fma(%va, %vx, %vy) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  llvm.intr.masked.store %r, %py, %m {alignment = 16 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr<1> loc("store y")
  gpu.return
})";
}

/// y = transpose(x) of 32 x 32 through shared memory of row pitch 33.
static std::string transpose(bool withBarrier) {
  return R"(
llvm.mlir.global internal @pad() {addr_space = 3 : i32, alignment = 16} : !llvm.array<40 x i8>
llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16} : !llvm.array<4224 x i8>
gpu.func @transpose(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) kernel
    attributes {known_block_size = array<i32: 32, 32, 1>,)" +
         std::string(kFacts) + R"(} {
  %tx = gpu.thread_id x
  %ty = gpu.thread_id y
  %pad = llvm.mlir.addressof @pad : !llvm.ptr<3>
  %s = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %r0 = arith.muli %ty, %c32 : index
  %r = arith.addi %r0, %tx : index
  %s0 = arith.muli %ty, %c33 : index
  %s1 = arith.addi %s0, %tx : index
  %t0 = arith.muli %tx, %c33 : index
  %t1 = arith.addi %t0, %ty : index
  %ri = arith.index_cast %r : index to i64
  %si = arith.index_cast %s1 : index to i64
  %ti = arith.index_cast %t1 : index to i64
  %px = llvm.getelementptr %x[%ri] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %py = llvm.getelementptr %y[%ri] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %ps = llvm.getelementptr %s[%si] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
  %pt = llvm.getelementptr %s[%ti] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
  %v = llvm.load %px : !llvm.ptr<1> -> f32
  llvm.store %v, %ps : f32, !llvm.ptr<3> loc("write tile")
  )" + (withBarrier ? "gpu.barrier" : "") +
         R"(
  %w = llvm.load %pt : !llvm.ptr<3> -> f32 loc("read tile")
  llvm.store %w, %py : f32, !llvm.ptr<1>
  gpu.return
})";
}

TEST_F(SimulatorTest, MaskedVectorsComputeExactFMA) {
  for (const char *cpu : {"", "x86-64"}) {
    compile(saxpy(), cpu);
    std::vector<float> x(300), y(300);
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = 1.0f / float(3 + i);
      y[i] = -0.7f * float(i);
    }
    float *dx = upload(x), *dy = upload(y);
    int64_t n = 300;
    float a = 1.1f;
    // Three blocks of 128 elements; the last 84 are masked off and lie past the
    // end of both allocations.
    ASSERT_EQ(launch("saxpy", 3, 32, 1, {&dx, &dy, &n, &a}), TILE_RT_SUCCESS)
        << tileRtGetLastError();
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(dy[i], std::fma(a, x[i], y[i])) << i << " on '" << cpu << "'";
  }
}

TEST_F(SimulatorTest, ReportsAccessPastTheEnd) {
  compile(saxpy());
  std::vector<float> x(128), y(124);
  float *dx = upload(x), *dy = upload(y);
  int64_t n = 128;
  float a = 1;
  ASSERT_EQ(launch("saxpy", 1, 32, 1, {&dx, &dy, &n, &a}),
            TILE_RT_LAUNCH_FAILED);
  std::string text = tileRtGetLastError();
  EXPECT_NE(text.find("load y"), std::string::npos) << text;
  EXPECT_NE(text.find("saxpy"), std::string::npos) << text;
}

TEST_F(SimulatorTest, ReportsMisalignment) {
  compile(saxpy());
  std::vector<float> x(256), y(256);
  float *dx = upload(x) + 1, *dy = upload(y);
  int64_t n = 128;
  float a = 1;
  ASSERT_EQ(launch("saxpy", 1, 32, 1, {&dx, &dy, &n, &a}),
            TILE_RT_LAUNCH_FAILED);
  std::string text = tileRtGetLastError();
  EXPECT_NE(text.find("load x"), std::string::npos) << text;
}

TEST_F(SimulatorTest, SharedMemoryAndBarrier) {
  compile(transpose(/*withBarrier=*/true));
  std::vector<float> x(1024), y(1024);
  std::iota(x.begin(), x.end(), 1.0f);
  float *dx = upload(x), *dy = upload(y);
  ASSERT_EQ(launch("transpose", 2, 32, 32, {&dx, &dy}), TILE_RT_SUCCESS)
      << tileRtGetLastError();
  for (int row = 0; row < 32; ++row)
    for (int column = 0; column < 32; ++column)
      ASSERT_EQ(dy[row * 32 + column], x[column * 32 + row]);
}

TEST_F(SimulatorTest, ReportsMissingBarrier) {
  compile(transpose(/*withBarrier=*/false));
  std::vector<float> x(1024), y(1024);
  float *dx = upload(x), *dy = upload(y);
  ASSERT_EQ(launch("transpose", 1, 32, 32, {&dx, &dy}), TILE_RT_LAUNCH_FAILED);
  std::string text = tileRtGetLastError();
  EXPECT_NE(text.find("tile"), std::string::npos) << text;
}

// Device functions, loops, stack memory, constants and math in one kernel.
TEST_F(SimulatorTest, CallsLoopsAndMath) {
  compile(R"(
llvm.mlir.global internal constant @table(dense<[1.0, 2.0, 4.0, 8.0]> : tensor<4xf32>) {addr_space = 4 : i32} : !llvm.array<4 x f32>
llvm.func @weight(%i: i64) -> f32 {
  %t = llvm.mlir.addressof @table : !llvm.ptr<4>
  %p = llvm.getelementptr %t[%i] : (!llvm.ptr<4>, i64) -> !llvm.ptr<4>, f32
  %v = llvm.load %p : !llvm.ptr<4> -> f32
  llvm.return %v : f32
}
llvm.func @accumulate(%p: !llvm.ptr<1>, %x: f32) {
  %old = llvm.load %p : !llvm.ptr<1> -> f32
  %new = llvm.fadd %old, %x : f32
  llvm.store %new, %p : f32, !llvm.ptr<1>
  llvm.return
}
gpu.func @sum(%y: !llvm.ptr<1>) kernel
    attributes {known_block_size = array<i32: 4, 1, 1>,)" +
          std::string(kFacts) + R"(} {
  %t = gpu.thread_id x
  %i = arith.index_cast %t : index to i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x f32 : (i32) -> !llvm.ptr
  %zero = arith.constant 0.0 : f32
  llvm.store %zero, %slot : f32, !llvm.ptr
  scf.for %k = %c0 to %c4 step %c1 : i64 {
    %w = llvm.call @weight(%k) : (i64) -> f32
    %s = llvm.load %slot : !llvm.ptr -> f32
    %n = arith.addf %s, %w : f32
    llvm.store %n, %slot : f32, !llvm.ptr
  }
  %s = llvm.load %slot : !llvm.ptr -> f32
  %e = math.exp2 %s : f32
  %p = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.call @accumulate(%p, %e) : (!llvm.ptr<1>, f32) -> ()
  gpu.return
})");
  float *y = upload(std::vector<float>{1, 2, 3, 4});
  ASSERT_EQ(launch("sum", 1, 4, 1, {&y}), TILE_RT_SUCCESS)
      << tileRtGetLastError();
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(y[i], 32768.0f + float(i + 1));
}
