// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Artifacts, good and bad: every malformed one is an error sentence.
#include "RuntimeTestHelpers.h"

#include <cstdio>
#include <elf.h>
#include <random>
#include <unistd.h>

using namespace tiletest;

namespace {
class ArtifactFile : public DeviceTest {
protected:
  /// The error of loading `bytes`, "" when they load.
  std::string loadError(const std::string &bytes) {
    if (!device)
      open();
    TileRtModule loaded = nullptr;
    // An exact allocation, so that a read past the end shows under ASan.
    std::vector<char> copy(bytes.begin(), bytes.end());
    TileRtStatus status =
        tileRtModuleLoad(device, copy.data(), copy.size(), &loaded);
    tileRtModuleUnload(loaded);
    if (status == TILE_RT_SUCCESS)
      return "";
    EXPECT_EQ(status, TILE_RT_BAD_ARTIFACT);
    EXPECT_STRNE(tileRtGetLastError(), "");
    return tileRtGetLastError();
  }

  std::string withManifest(const std::string &fields) {
    return loadError(makeArtifact(fields, {{"sim", kernelObject()}}));
  }

  /// The gemm manifest with one piece of text replaced.
  std::string edited(const std::string &from, const std::string &to) {
    std::string text = GemmManifest().text();
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return withManifest(text.replace(at, from.size(), to));
  }
};
} // namespace

TEST_F(ArtifactFile, AGoodOneIsEnumerated) {
  load(GemmManifest().artifact());
  EXPECT_EQ(tileRtModuleGetEntryCount(module), 1);
  EXPECT_STREQ(tileRtModuleGetEntryName(module, 0), "gemm");
  EXPECT_EQ(tileRtModuleGetEntryName(module, 1), nullptr);
  EXPECT_EQ(tileRtModuleGetEntryName(module, -1), nullptr);
  EXPECT_EQ(tileRtModuleGetStepCount(module, "gemm"), 1);
  EXPECT_EQ(tileRtModuleGetStepCount(module, "none"), -1);
  EXPECT_EQ(tileRtModuleGetKernelCount(module), 2);
  EXPECT_STREQ(tileRtModuleGetKernelName(module, 1), "gemm_v1");
  EXPECT_EQ(tileRtModuleGetKernelName(module, 2), nullptr);
  size_t length;
  std::string manifest = tileRtModuleGetManifest(module, &length);
  EXPECT_EQ(manifest.size(), length);
  EXPECT_EQ(manifest[0], '{');
  EXPECT_HAS(manifest, "\"producer\": \"test\"");
  const void *data;
  size_t size;
  ASSERT_OK(tileRtModuleGetBlob(module, "sim", &data, &size));
  EXPECT_EQ(std::string(static_cast<const char *>(data), size), kernelObject());
  EXPECT_EQ(tileRtModuleGetBlob(module, "ptx", &data, &size),
            TILE_RT_NOT_FOUND);
  EXPECT_STREQ(tileRtGetLastError(), "the artifact has no blob 'ptx'");
  TileRtKernel kernel;
  EXPECT_EQ(tileRtModuleGetKernel(module, "none", &kernel), TILE_RT_NOT_FOUND);
}

TEST_F(ArtifactFile, SaysWhatAnEntryTakes) {
  GemmManifest manifest;
  manifest.shapeOfA = "[null, 64]";
  manifest.stridesOfA = "[64, 1]";
  std::string text = manifest.text(), op = "\"op\": \"gemm\"";
  text.replace(text.find(op), op.size(), op + ", \"reason\": \"it fits\"");
  text.replace(text.find("\"registers\": null"), 17,
               "\"registers\": [{\"chip\": \"sm_80\", \"count\": 96}]");
  load(makeArtifact(text, {{"sim", kernelObject()}}));
  EXPECT_EQ(tileRtModuleGetArgumentCount(module, "gemm"), 5);
  EXPECT_EQ(tileRtModuleGetArgumentCount(module, "none"), -1);
  TileRtArgumentInfo argument = {};
  ASSERT_OK(tileRtModuleGetArgumentInfo(module, "gemm", 0, &argument));
  EXPECT_EQ(argument.kind, TILE_RT_TENSOR);
  EXPECT_EQ(argument.type, TILE_RT_F32);
  EXPECT_EQ(argument.rank, 2);
  EXPECT_EQ(argument.sizes[0], TILE_RT_DYNAMIC);
  EXPECT_EQ(argument.sizes[1], 64);
  EXPECT_EQ(argument.strides[0], 64);
  ASSERT_OK(tileRtModuleGetArgumentInfo(module, "gemm", 4, &argument));
  EXPECT_EQ(argument.kind, TILE_RT_SCALAR);
  EXPECT_EQ(tileRtModuleGetArgumentInfo(module, "gemm", 5, &argument),
            TILE_RT_INVALID_ARGUMENT);
  EXPECT_STREQ(tileRtGetLastError(),
               "expected an argument from 0 to 4, but got 5");
  EXPECT_EQ(tileRtModuleGetArgumentInfo(module, "none", 0, &argument),
            TILE_RT_NOT_FOUND);
  EXPECT_EQ(tileRtModuleGetArgumentInfo(module, "gemm", 0, nullptr),
            TILE_RT_INVALID_ARGUMENT);

  TileRtStepInfo step = {};
  ASSERT_OK(tileRtModuleGetStepInfo(module, "gemm", 0, &step));
  EXPECT_STREQ(step.op, "gemm");
  EXPECT_STREQ(step.reason, "it fits");
  EXPECT_EQ(step.operandCount, 6);
  EXPECT_EQ(tileRtModuleGetStepInfo(module, "gemm", -1, &step),
            TILE_RT_INVALID_ARGUMENT);
  TileRtOperandInfo operand = {};
  ASSERT_OK(tileRtModuleGetOperandInfo(module, "gemm", 0, 3, &operand));
  EXPECT_STREQ(operand.name, "D");
  EXPECT_EQ(operand.argument, 3);
  EXPECT_TRUE(operand.isWritten);
  ASSERT_OK(tileRtModuleGetOperandInfo(module, "gemm", 0, 5, &operand));
  EXPECT_STREQ(operand.name, "beta");
  EXPECT_EQ(operand.kind, TILE_RT_SCALAR);
  EXPECT_EQ(tileRtModuleGetOperandInfo(module, "gemm", 0, 6, &operand),
            TILE_RT_INVALID_ARGUMENT);

  TileRtTargetInfo target = {};
  ASSERT_OK(tileRtModuleGetTarget(module, &target));
  EXPECT_STREQ(target.chip, "sm_80");
  EXPECT_STREQ(target.ptxVersion, "8.0");
  EXPECT_STREQ(target.producer, "test");
  TileRtKernel kernel = nullptr;
  TileRtKernelInfo info = {};
  ASSERT_OK(tileRtModuleGetKernel(module, "gemm_v4", &kernel));
  ASSERT_OK(tileRtKernelGetInfo(kernel, &info));
  EXPECT_STREQ(info.schedule, "#tile.simt<>");
  EXPECT_STREQ(info.reason, "it fits");
  EXPECT_EQ(info.assembledRegisters, 96);
  EXPECT_STREQ(info.assembledChip, "sm_80");
  EXPECT_FALSE(info.multipliesAsTf32);
}

TEST_F(ArtifactFile, ALaunchLooksForItsArguments) {
  load(GemmManifest().artifact());
  TileRtKernel kernel = nullptr;
  ASSERT_OK(tileRtModuleGetKernel(module, "gemm_v1", &kernel));
  int64_t grid[3] = {1, 1, 1}, block[3] = {256, 1, 1};
  EXPECT_EQ(tileRtKernelLaunch(kernel, grid, block, 0, nullptr, nullptr),
            TILE_RT_INVALID_ARGUMENT);
  EXPECT_STREQ(tileRtGetLastError(), "expected the 22 arguments of kernel "
                                     "'gemm_v1', but got null");
  std::vector<void *> args(22, &grid);
  args[7] = nullptr;
  EXPECT_EQ(tileRtKernelLaunch(kernel, grid, block, 0, args.data(), nullptr),
            TILE_RT_INVALID_ARGUMENT);
  EXPECT_STREQ(tileRtGetLastError(), "expected 22 arguments of kernel "
                                     "'gemm_v1', but got null for argument 7");
}

TEST_F(ArtifactFile, LoadsFromAFile) {
  open();
  TileRtModuleOptions trusted = {};
  trusted.trustsHostCode = 1;
  EXPECT_EQ(
      tileRtModuleLoadFile(device, "/nonexistent/x.tile", &trusted, &module),
      TILE_RT_IO_ERROR);
  EXPECT_STREQ(tileRtGetLastError(), "cannot read '/nonexistent/x.tile': No "
                                     "such file or directory");
  EXPECT_EQ(tileRtModuleLoadFile(device, "/", &trusted, &module),
            TILE_RT_IO_ERROR);
  char path[] = "tile-artifact-XXXXXX";
  int file = mkstemp(path);
  ASSERT_GE(file, 0);
  std::string bytes = GemmManifest().artifact();
  ASSERT_EQ(write(file, bytes.data(), bytes.size()), ssize_t(bytes.size()));
  close(file);
  // The simulator runs what is in the file.
  EXPECT_EQ(tileRtModuleLoadFile(device, path, nullptr, &module),
            TILE_RT_INVALID_ARGUMENT);
  EXPECT_HAS(tileRtGetLastError(), "expected trustsHostCode to be set for");
  EXPECT_OK(tileRtModuleLoadFile(device, path, &trusted, &module));
  std::remove(path);
}

TEST_F(ArtifactFile, NotAnArtifact) {
  EXPECT_EQ(loadError(""), "expected a Tile artifact, which begins with "
                           "TILEART2, but got a file of 0 bytes");
  EXPECT_EQ(loadError("module { func.func @main() { return } }"),
            "expected a Tile artifact, which begins with TILEART2, but got "
            "other bytes");
  EXPECT_EQ(loadError("TILEART1 and more"),
            "expected a Tile artifact, which begins with TILEART2, but got one "
            "of another version, which begins with TILEART1; compile it again");
  EXPECT_HAS(loadError(std::string("TILEART2") + std::string(24, '\xff')),
             "expected a manifest of 18446744073709551615 bytes, but got 0");
}

TEST_F(ArtifactFile, EveryTruncationIsAnError) {
  std::string good = GemmManifest().artifact();
  ASSERT_EQ(loadError(good), "");
  for (size_t size = 0; size < good.size(); size += size < 8192 ? 1 : 61)
    ASSERT_NE(loadError(good.substr(0, size)), "") << size;
  good = makeArtifact("\"version\": 1, \"kernels\": []",
                      {{"sim", kernelObject()}, {"note", "0123456789"}});
  EXPECT_EQ(loadError(good), "");
  EXPECT_HAS(loadError(good.substr(0, good.size() - 1)), "; was it cut?");
}

// Two artifacts one behind the other are none, and bytes behind the last blob
// are nobody's.
TEST_F(ArtifactFile, NothingStandsBehindIt) {
  std::string good = GemmManifest().artifact();
  std::string sizes = "malformed artifact: expected a file of " +
                      std::to_string(good.size()) +
                      " bytes, as its header "
                      "says, but got ";
  EXPECT_EQ(loadError(good + good), sizes + std::to_string(2 * good.size()) +
                                        "; was something written behind it?");
  EXPECT_HAS(loadError(good + '\0'), sizes);
}

TEST_F(ArtifactFile, NoBitFlipCrashes) {
  std::string good = GemmManifest().artifact();
  std::mt19937 random(7);
  int refused = 0;
  for (int round = 0; round < 6000; ++round) {
    std::string bad = good;
    // Half of the flips in the manifest, half in the object.
    size_t range =
        round % 2 ? good.size() : good.size() - kernelObject().size();
    for (int flips = 1 + round % 3; flips > 0; --flips)
      bad[random() % range] ^= static_cast<char>(1 << random() % 8);
    // The checksum finds every one of them.
    ASSERT_NE(loadError(bad), "") << round;
    tile::sealArtifact(bad);
    refused += !loadError(bad).empty();
  }
  EXPECT_GT(refused, 1000);
}

TEST_F(ArtifactFile, NoBitFlipInTheObjectsHeadersCrashes) {
  std::string object = kernelObject();
  std::string fields = "\"version\": 1, \"kernels\": [{\"name\": \"data\", "
                       "\"block\": [1, 1, 1]}], " +
                       simSection({"data"}, 0);
  Elf64_Ehdr header;
  std::memcpy(&header, object.data(), sizeof(header));
  ASSERT_GT(header.e_shoff, 0u);
  auto flipAll = [&](size_t begin, size_t end) {
    for (size_t byte = begin; byte < end; ++byte) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string bad = object;
        bad[byte] ^= static_cast<char>(1 << bit);
        loadError(makeArtifact(fields, {{"sim", bad}}));
      }
    }
  };
  flipAll(0, sizeof(header));
  flipAll(header.e_shoff, object.size());
}

// In the header, the manifest, the padding and the blobs.
TEST_F(ArtifactFile, TheChecksumFindsEveryFlippedByte) {
  std::string good = makeArtifact("\"version\": 1, \"kernels\": []",
                                  {{"sim", kernelObject()}, {"note", "abc"}});
  ASSERT_EQ(loadError(good), "");
  for (size_t at = 0; at < good.size(); at += at < 1024 ? 1 : 97) {
    std::string bad = good;
    bad[at] ^= 1;
    ASSERT_NE(loadError(bad), "") << at;
  }
  good.back() ^= 1;
  EXPECT_EQ(loadError(good),
            "damaged artifact: expected bytes with the checksum in the header, "
            "but got others; compile it again");
}

TEST_F(ArtifactFile, TheSentenceNamesThePlace) {
  EXPECT_EQ(
      edited("\"version\": 1", "\"version\": 2"),
      "malformed artifact: expected an integer in [1, 1] at manifest path "
      "'/version', but got number 2");
  EXPECT_EQ(edited("\"block\": [256, 1, 1]", "\"block\": [256, 1]"),
            "malformed artifact: expected 3 extents at manifest path "
            "'/kernels/0/block', but got array");
  EXPECT_HAS(edited("\"block\": [256, 1, 1]", "\"block\": [256, 8, 1]"),
             "at most 1024 threads");
  EXPECT_HAS(edited("\"M\"", "\"L\""),
             "expected a parameter such as 'A.data', 'A.stride[0]', 'M' or "
             "'alpha' at manifest path '/kernels/0/parameters/4', but got "
             "string \"L\"");
  EXPECT_HAS(edited("\"A.stride[0]\"", "\"A.stride[2]\""),
             "a parameter such as 'A.stride[0]'");
  EXPECT_HAS(
      edited("\"parameter_types\": [\"ptr\"", "\"parameter_types\": [\"i64\""),
      "a type that fits parameter 'A.data'");
  EXPECT_HAS(
      edited("\"parameter_types\": [\"ptr\", ", "\"parameter_types\": ["),
      "22 types, one for each parameter");
  EXPECT_HAS(edited("\"A\": 0", "\"A\": 5"), "an integer in [0, 4] at manifest "
                                             "path '/entries/0/steps/0/A'");
  EXPECT_HAS(edited("\"A\": 0", "\"A\": 4"), "the number of a tensor argument");
  EXPECT_HAS(edited("\"D\": 3", "\"D\": null"), "but got null");
  EXPECT_HAS(
      edited("\"op\": \"gemm\"", "\"op\": \"conv\""),
      "expected 'gemm' at manifest path '/entries/0/steps/0/op', but got "
      "string \"conv\"");
  EXPECT_HAS(edited("{\"argument\": 4}", "{\"argument\": 3}"),
             "the number of an f32 or f64 scalar");
  EXPECT_HAS(edited("\"kernels\": [\"gemm_v4\"", "\"kernels\": [\"gemm_v2\""),
             "the name of a kernel with a grid");
  EXPECT_HAS(edited("\"name\": \"gemm_v1\"", "\"name\": \"gemm_v4\""),
             "a name that no other kernel has");
  EXPECT_HAS(edited("\"operand\": \"A\"", "\"operand\": \"E\""),
             "A, B, C or D");
  EXPECT_HAS(edited("\"alignment\": 16", "\"alignment\": 0"),
             "an integer in [1, 1048576]");
  EXPECT_HAS(edited("\"type\": \"f32\"", "\"type\": \"f31\""),
             "an element type");
  EXPECT_HAS(edited("tile_sim_kernel_gemm_v4", "tile_sim_kernel_gemm_v5"),
             "the artifact's simulator code has no function "
             "'tile_sim_kernel_gemm_v5'");
  EXPECT_HAS(edited("\"cpu\": \"x86-64\"", "\"cpu\": \"z80\""),
             "but got code for z80");
  EXPECT_HAS(edited("\"version\": 1", "\"version\": 1e400"), "does not parse");
  EXPECT_HAS(edited("\"version\": 1", "\"version\": 18446744073709551615"),
             "but got number 18446744073709551615");
  EXPECT_HAS(edited("\"name\": \"gemm\"", "\"name\": \"ge\\u0000mm\""),
             "a string without NUL");
}

TEST_F(ArtifactFile, DeeplyNestedManifest) {
  std::string deep(200000, '[');
  EXPECT_HAS(withManifest("\"version\": 1, \"kernels\": " + deep),
             "does not parse");
  std::string closed = deep + std::string(deep.size(), ']');
  EXPECT_NE(withManifest("\"version\": 1, \"kernels\": " + closed), "");
}

TEST_F(ArtifactFile, WithoutSimulatorCode) {
  EXPECT_EQ(loadError(makeArtifact("\"version\": 1, \"kernels\": []", {})),
            "the artifact has no code for the simulator");
  // A kernel may be missing there; then only its launch fails.
  load(makeArtifact("\"version\": 1, \"kernels\": [{\"name\": \"x\", "
                    "\"block\": [1, 1, 1]}]",
                    {{"sim", kernelObject()}}));
  EXPECT_EQ(launch("x", 1, 1, {}), TILE_RT_BAD_ARTIFACT);
  EXPECT_STREQ(tileRtGetLastError(),
               "the artifact has no simulator code for kernel 'x'");
}

TEST_F(ArtifactFile, ForeignObjects) {
  auto objectError = [&](const std::string &object) {
    return loadError(
        makeArtifact("\"version\": 1, \"kernels\": []", {{"sim", object}}));
  };
  EXPECT_EQ(objectError("hello"), "malformed simulator object: expected a "
                                  "64-bit little-endian ELF file");
  std::string object = kernelObject();
  object[offsetof(Elf64_Ehdr, e_machine)] = char(EM_AARCH64);
  EXPECT_EQ(objectError(object),
            "malformed simulator object: expected a relocatable x86-64 object, "
            "but got type 1 for machine 183");
  object = kernelObject();
  for (size_t at; (at = object.find("exp2")) != std::string::npos;)
    object[at] = 'f';
  EXPECT_EQ(objectError(object), "simulator code calls 'fxp2', which the "
                                 "simulator does not provide");
}
