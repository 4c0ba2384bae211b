// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floor-3 kernels compiled for the simulator and launched on it directly, with
// clusters and tensor maps.
#ifndef TILE_TEST_UNIT_TARGET_SIMULATORHELPERS_H
#define TILE_TEST_UNIT_TARGET_SIMULATORHELPERS_H

#include "Artifact.h"
#include "Device.h"
#include "TensorMap.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tile/Target/Simulator.h"
#include "tile/Target/Translations.h"
#include "gtest/gtest.h"

#include <cstring>
#include <deque>

namespace tiletest {

#define EXPECT_HAS(text, part)                                                 \
  EXPECT_NE(std::string(text).find(part), std::string::npos)                   \
      << "text: " << (text) << "\npart: " << (part)

/// The 128 bytes of a tensor map.
struct alignas(64) MapBytes {
  char bytes[128];
};

class HopperTest : public ::testing::Test {
protected:
  void SetUp() override { tile::rt::openSimDevice(device); }
  void TearDown() override {
    module.reset();
    for (void *address : allocations)
      device->release(address);
  }

  /// Compiles the ops of a gpu.module.
  void compile(const std::string &body) {
    mlir::DialectRegistry registry;
    tile::registerTargetDialects(registry);
    mlir::MLIRContext context(registry);
    auto source = mlir::parseSourceString<mlir::ModuleOp>(
        "gpu.module @m {" + body + "}", &context, "kernels.mlir");
    ASSERT_TRUE(source);
    mlir::FailureOr<tile::SimulatorObject> object =
        tile::translateToSimulator(*source);
    ASSERT_TRUE(succeeded(object));
    loadObject(*object);
  }

  /// What the compiler says of the ops of a gpu.module; "" if it takes them.
  std::string diagnose(const std::string &body) {
    mlir::DialectRegistry registry;
    tile::registerTargetDialects(registry);
    mlir::MLIRContext context(registry);
    std::string text;
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic &diagnostic) {
          text += diagnostic.str() + "\n";
          return mlir::success();
        });
    auto source = mlir::parseSourceString<mlir::ModuleOp>(
        "gpu.module @m {" + body + "}", &context, "kernels.mlir");
    if (source && succeeded(tile::translateToSimulator(*source)) &&
        text.empty())
      return "";
    return text;
  }

  void loadObject(const tile::SimulatorObject &object) {
    module.reset();
    tile::rt::Artifact &artifact = artifacts.emplace_back();
    artifact.bytes = object.object;
    artifact.blobs.push_back({"sim", "", artifact.bytes});
    artifact.simCpu = object.cpu;
    artifact.simSites = object.sites;
    for (const tile::SimKernel &kernel : object.kernels) {
      tile::rt::KernelFacts &facts = artifact.kernels.emplace_back();
      facts.name = kernel.name;
      facts.simSymbol = kernel.symbol;
      facts.simSharedBytes = kernel.sharedBytes;
    }
    ASSERT_EQ(device->loadModule(artifact, module), TILE_RT_SUCCESS)
        << tileRtGetLastError();
  }

  /// Launches the only kernel; "" or the error.
  std::string launch(std::vector<void *> arguments, int64_t threads,
                     int64_t dynamicShared = 0, int64_t blocksX = 1,
                     int64_t blocksY = 1, int64_t cluster = 1) {
    tile::rt::LaunchShape shape{
        {blocksX, blocksY, 1}, {threads, 1, 1}, dynamicShared, {cluster, 1, 1}};
    return module->launch(0, shape, arguments.data(), nullptr) ==
                   TILE_RT_SUCCESS
               ? ""
               : tileRtGetLastError();
  }

  template <typename T>
  T *allocate(size_t count, T value = T()) {
    void *address = nullptr;
    EXPECT_EQ(device->allocate(count * sizeof(T), address), TILE_RT_SUCCESS);
    allocations.push_back(address);
    std::fill_n(static_cast<T *>(address), count, value);
    return static_cast<T *>(address);
  }

  /// A map of a matrix of `rows` rows of `columns` elements, `pitch` apart.
  MapBytes mapMatrix(void *base, int elementBytes, int64_t columns,
                     int64_t rows, int64_t pitch, int32_t boxColumns,
                     int32_t boxRows, int swizzle) {
    tile::rt::TensorMapFacts facts;
    facts.base = base;
    facts.elementBytes = elementBytes;
    facts.rank = 2;
    facts.dims[0] = columns;
    facts.dims[1] = rows;
    facts.strides[0] = pitch * elementBytes;
    facts.box[0] = boxColumns;
    facts.box[1] = boxRows;
    facts.swizzleBytes = swizzle;
    MapBytes map;
    EXPECT_EQ(tile::rt::encodeSimTensorMap(map.bytes, facts), "");
    return map;
  }

  std::shared_ptr<tile::rt::Device> device;
  std::deque<tile::rt::Artifact> artifacts;
  std::unique_ptr<tile::rt::DeviceModule> module;
  std::vector<void *> allocations;
};

inline uint16_t toBFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  bits += 0x7fff + (bits >> 16 & 1);
  return static_cast<uint16_t>(bits >> 16);
}

inline float fromBFloat(uint16_t value) {
  uint32_t bits = uint32_t(value) << 16;
  float result;
  std::memcpy(&result, &bits, 4);
  return result;
}

/// Replaces every `from` in `text`.
inline std::string substitute(std::string text, const std::string &from,
                              const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

inline const char *kDynamicShared = R"(
llvm.mlir.global external @tile_dynamic_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
)";

inline const char *kMapArgument =
    "!llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64}";

/// Kernels of a few ops.
class BodyTest : public HopperTest {
protected:
  /// Compiles a kernel @k(%out) of `body`, which leaves an i32 in %r for each
  /// thread; %r goes to out[global thread]. Returns the error.
  std::string run(const std::string &body, int threads, int blocks = 1,
                  int cluster = 1, int dynamicShared = 4096) {
    compile(std::string(kDynamicShared) +
            "gpu.func @k(%out: !llvm.ptr<1>) kernel attributes "
            "{known_block_size = array<i32: " +
            std::to_string(threads) + R"(, 1, 1>} {
  %smem = llvm.mlir.addressof @tile_dynamic_shared : !llvm.ptr<3>
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %bid = nvvm.read.ptx.sreg.ctaid.x : i32
  %dim = nvvm.read.ptx.sreg.ntid.x : i32
  %lane = nvvm.read.ptx.sreg.laneid : i32
  %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
  %all = arith.constant -1 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %ticks = arith.constant 1000 : i32
  %first = arith.cmpi eq, %tid, %c0 : i32
  %low = arith.cmpi ult, %tid, %c32 : i32
  %bar = llvm.getelementptr %smem[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %data = llvm.getelementptr %smem[1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %mine = llvm.getelementptr %data[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
)" + body + R"(
  %g0 = arith.muli %bid, %dim : i32
  %g = arith.addi %g0, %tid : i32
  %p = llvm.getelementptr %out[%g] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %r, %p : i32, !llvm.ptr<1>
  gpu.return
})");
    if (!module)
      return "not compiled";
    auto *memory = allocate<int32_t>(threads * blocks, -7);
    std::string error =
        launch({&memory}, threads, dynamicShared, blocks, 1, cluster);
    out.assign(memory, memory + threads * blocks);
    return error;
  }

  std::vector<int32_t> out;
};

/// An mbarrier for `count` arrivals, known to all threads.
inline std::string initBarrier(const char *count) {
  return std::string("%arrivals = arith.constant ") + count + R"( : i32
    scf.if %first {
      nvvm.mbarrier.init %bar, %arrivals : !llvm.ptr<3>, i32
    }
    gpu.barrier
)";
}

} // namespace tiletest

#endif // TILE_TEST_UNIT_TARGET_SIMULATORHELPERS_H
