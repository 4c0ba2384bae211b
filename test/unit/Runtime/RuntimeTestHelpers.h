// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Artifacts made by the tests themselves, and short forms of common calls.
#ifndef TILE_TEST_UNIT_RUNTIME_HELPERS_H
#define TILE_TEST_UNIT_RUNTIME_HELPERS_H

#include "tile-rt/tile-rt.h"
#include "tile/Facts/ArtifactFormat.h"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

namespace tiletest {

#define EXPECT_OK(call)                                                        \
  EXPECT_EQ(call, TILE_RT_SUCCESS) << "error: " << tileRtGetLastError()
#define ASSERT_OK(call)                                                        \
  ASSERT_EQ(call, TILE_RT_SUCCESS) << "error: " << tileRtGetLastError()
#define EXPECT_HAS(text, part)                                                 \
  EXPECT_NE(std::string(text).find(part), std::string::npos)                   \
      << "text: " << (text) << "\npart: " << (part)

inline std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// One blob of an artifact under construction.
struct TestBlob {
  std::string name, bytes;
  /// Further JSON fields, beginning with a comma.
  std::string fields = "";
};

/// Puts an artifact together. `fields` is the inside of the manifest's object,
/// without "blobs".
inline std::string makeArtifact(const std::string &fields,
                                const std::vector<TestBlob> &blobs) {
  std::string payload, list;
  for (const TestBlob &blob : blobs) {
    payload.resize((payload.size() + 15) / 16 * 16);
    list += (list.empty() ? "" : ", ") + std::string("\"") + blob.name +
            "\": {\"offset\": " + std::to_string(payload.size()) +
            ", \"size\": " + std::to_string(blob.bytes.size()) + blob.fields +
            "}";
    payload += blob.bytes;
  }
  std::string manifest = "{" + fields + ", \"blobs\": {" + list + "}}";
  return tile::joinArtifact(manifest, payload);
}

/// The places that SimKernels.c numbers.
inline const std::vector<std::string> &siteNames() {
  static const std::vector<std::string> names = {
      "k.mlir:10:3", "k.mlir:11:3", "k.mlir:12:3", "k.mlir:13:3", "k.mlir:14:3",
      "k.mlir:15:3", "k.mlir:16:3", "k.mlir:17:3", "k.mlir:18:3"};
  return names;
}

/// "sim": {...} for kernels of SimKernels.c, each with `sharedBytes` bytes.
inline std::string simSection(const std::vector<std::string> &kernels,
                              int64_t sharedBytes) {
  std::string list, sites;
  for (const std::string &name : kernels)
    list += (list.empty() ? "" : ", ") + std::string("\"") + name +
            "\": {\"symbol\": \"tile_sim_kernel_" + name +
            "\", \"shared_bytes\": " + std::to_string(sharedBytes) + "}";
  for (const std::string &name : siteNames())
    sites += (sites.empty() ? "\"" : ", \"") + name + "\"";
  return "\"sim\": {\"cpu\": \"x86-64\", \"kernels\": {" + list +
         "}, \"sites\": [" + sites + "]}";
}

#ifdef TILE_TEST_KERNELS
inline const std::string &kernelObject() {
  static const std::string object = readFile(TILE_TEST_KERNELS);
  return object;
}

/// An artifact of kernels that are launched by hand.
inline std::string rawArtifact(const std::vector<std::string> &kernels,
                               int64_t sharedBytes = 4096) {
  std::string list;
  for (const std::string &name : kernels)
    list += (list.empty() ? "" : ", ") + std::string("{\"name\": \"") + name +
            "\", \"block\": [256, 1, 1]}";
  return makeArtifact("\"version\": 1, \"kernels\": [" + list + "], " +
                          simSection(kernels, sharedBytes),
                      {{"sim", kernelObject()}});
}
#endif

/// The manifest of a gemm entry with a vector kernel and a scalar one.
struct GemmManifest {
  std::string type = "f32";
  int rank = 2;
  /// Of argument 0, JSON.
  std::string shapeOfA = "";
  std::string stridesOfA = "";
  bool withC = true;
  std::string alpha = "{\"value\": 1.0}", beta = "{\"argument\": 4}";
  std::string tile = "[16, 16]";
  std::string block = "[256, 1, 1]";
  std::string sharedBytes = "2048";
  std::string extentType = "i64";
  std::vector<std::string> kernels = {"gemm_v4", "gemm_v1"};
  /// A second step: argument 2 = argument 0 * argument 1 + argument 3.
  bool secondStep = false;
  static constexpr const char *secondStepText =
      ", {\"op\": \"gemm\", \"A\": 0, \"B\": 1, \"C\": 3, \"D\": 2, \"alpha\": "
      "{\"value\": 1}, \"beta\": {\"value\": 1}, \"kernels\": [\"gemm_v1\"]}";

  std::string text() const {
    std::string dynamic = rank == 2 ? "[null, null]" : "[null, null, null]";
    auto tensor = [&](const std::string &shape, const std::string &strides) {
      return "{\"kind\": \"tensor\", \"type\": \"" + type +
             "\", \"shape\": " + (shape.empty() ? dynamic : shape) +
             ", \"strides\": " + (strides.empty() ? dynamic : strides) + "}";
    };
    std::string arguments = tensor(shapeOfA, stridesOfA);
    for (int i = 0; i < 3; ++i)
      arguments += ", " + tensor("", "");
    arguments += ", {\"kind\": \"scalar\", \"type\": \"" + type + "\"}";
    std::string names, types;
    auto add = [&](const std::string &name, const std::string &typeName) {
      names += (names.empty() ? "\"" : ", \"") + name + "\"";
      types += (types.empty() ? "\"" : ", \"") + typeName + "\"";
    };
    for (const char *name : {"A.data", "B.data", "C.data", "D.data"})
      add(name, "ptr");
    for (const char *name : {"M", "N", "K", "batch"})
      add(name, extentType);
    for (const char *operand : {"A", "B", "C", "D"})
      for (const char *name : {".stride[0]", ".stride[1]", ".batch_stride"})
        add(std::string(operand) + name, "i64");
    add("alpha", type);
    add("beta", type);
    std::string vector;
    for (const char *operand : {"A", "B", "C", "D"})
      vector += (vector.empty() ? "" : ", ") + std::string("{\"operand\": \"") +
                operand +
                "\", \"unit_stride\": 1, \"alignment\": 16, "
                "\"stride_multiple\": 4, \"extent_multiple\": 4}";
    std::string facts, list;
    for (const std::string &name : kernels) {
      list += (list.empty() ? "\"" : ", \"") + name + "\"";
      facts += (facts.empty() ? "" : ", ") + std::string("{\"name\": \"") +
               name + "\", \"schedule\": \"#tile.simt<>\", " +
               "\"block\": " + block + ", \"grid\": {\"tile\": " + tile +
               "}, \"parameters\": [" + names + "], \"parameter_types\": [" +
               types + "], \"requires\": [" +
               (name == "gemm_v4" ? vector : "") +
               "], \"shared_bytes\": " + sharedBytes + ", \"registers\": null}";
    }
    return "\"version\": 1, \"producer\": \"test\", \"target\": {\"chip\": "
           "\"sm_80\", \"ptx\": \"8.0\"}, \"kernels\": [" +
           facts + "], \"entries\": [{\"name\": \"gemm\", \"arguments\": [" +
           arguments +
           "], \"steps\": [{\"op\": \"gemm\", \"A\": 0, \"B\": 1, \"C\": " +
           (withC ? "2" : "null") + ", \"D\": 3, \"alpha\": " + alpha +
           ", \"beta\": " + beta + ", \"kernels\": [" + list + "]}" +
           (secondStep ? secondStepText : "") + "]}], " +
           simSection(kernels, 2048);
  }

#ifdef TILE_TEST_KERNELS
  std::string artifact() const {
    return makeArtifact(text(), {{"sim", kernelObject()}});
  }
#endif
};

/// A rank-2 tensor argument.
inline TileRtArgument matrix(void *data, int64_t rows, int64_t columns,
                             int64_t rowStride, int64_t columnStride = 1,
                             TileRtType type = TILE_RT_F32) {
  TileRtArgument argument;
  argument.kind = TILE_RT_TENSOR;
  argument.as.tensor = {
      data, type, 2, {rows, columns, 0}, {rowStride, columnStride, 0}};
  return argument;
}

/// A rank-3 tensor argument.
inline TileRtArgument batched(void *data, int64_t batch, int64_t rows,
                              int64_t columns, int64_t batchStride,
                              int64_t rowStride, int64_t columnStride = 1) {
  TileRtArgument argument;
  argument.kind = TILE_RT_TENSOR;
  argument.as.tensor = {data,
                        TILE_RT_F32,
                        3,
                        {batch, rows, columns},
                        {batchStride, rowStride, columnStride}};
  return argument;
}

inline TileRtArgument scalar(float value) {
  TileRtArgument argument;
  argument.kind = TILE_RT_SCALAR;
  argument.as.scalar.type = TILE_RT_F32;
  argument.as.scalar.value.f32 = value;
  return argument;
}

/// A device, a module on it, and the buffers of a test.
class DeviceTest : public ::testing::Test {
protected:
  void TearDown() override {
    for (TileRtBuffer buffer : buffers)
      tileRtBufferDestroy(buffer);
    tileRtModuleUnload(module);
    tileRtDeviceClose(device);
  }

  void open(const char *spec = "sim") {
    ASSERT_OK(tileRtDeviceOpen(spec, &device));
  }

  void load(const std::string &artifact) {
    if (!device)
      open();
    ASSERT_OK(
        tileRtModuleLoad(device, artifact.data(), artifact.size(), &module));
  }

  /// Allocates and returns the address.
  template <typename T = float>
  T *allocate(int64_t count) {
    TileRtBuffer buffer = nullptr;
    EXPECT_OK(tileRtBufferCreate(device, count * int64_t(sizeof(T)), &buffer));
    buffers.push_back(buffer);
    return static_cast<T *>(tileRtBufferGetAddress(buffer));
  }

  TileRtStatus launch(const char *kernel, int64_t blocks, int64_t threads,
                      std::vector<void *> args) {
    int64_t grid[3] = {blocks, 1, 1}, block[3] = {threads, 1, 1};
    TileRtKernel handle;
    TileRtStatus status = tileRtModuleGetKernel(module, kernel, &handle);
    if (status != TILE_RT_SUCCESS)
      return status;
    return tileRtKernelLaunch(handle, grid, block, 0, args.data(), nullptr);
  }

  /// The error of a launch that must fail.
  std::string launchError(const char *kernel, int64_t blocks, int64_t threads,
                          std::vector<void *> args) {
    EXPECT_EQ(launch(kernel, blocks, threads, std::move(args)),
              TILE_RT_LAUNCH_FAILED);
    return tileRtGetLastError();
  }

  TileRtStatus gemm(std::vector<TileRtArgument> args,
                    const TileRtLaunchOptions *options = nullptr) {
    return tileRtLaunchEntry(module, "gemm", args.data(),
                             static_cast<int32_t>(args.size()), options,
                             nullptr, &info);
  }

  TileRtDevice device = nullptr;
  TileRtModule module = nullptr;
  TileRtLaunchInfo info = {};
  std::vector<TileRtBuffer> buffers;
};

} // namespace tiletest

#endif // TILE_TEST_UNIT_RUNTIME_HELPERS_H
