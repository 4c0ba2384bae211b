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

TEST_F(ArtifactFile, LoadsFromAFile) {
  open();
  EXPECT_EQ(tileRtModuleLoadFile(device, "/nonexistent/x.tile", &module),
            TILE_RT_IO_ERROR);
  EXPECT_STREQ(tileRtGetLastError(), "cannot read '/nonexistent/x.tile': No "
                                     "such file or directory");
  EXPECT_EQ(tileRtModuleLoadFile(device, "/", &module), TILE_RT_IO_ERROR);
  char path[] = "tile-artifact-XXXXXX";
  int file = mkstemp(path);
  ASSERT_GE(file, 0);
  std::string bytes = GemmManifest().artifact();
  ASSERT_EQ(write(file, bytes.data(), bytes.size()), ssize_t(bytes.size()));
  close(file);
  EXPECT_OK(tileRtModuleLoadFile(device, path, &module));
  std::remove(path);
}

TEST_F(ArtifactFile, NotAnArtifact) {
  EXPECT_EQ(loadError(""), "expected a Tile artifact, which begins with "
                           "TILEART1, but got a file of 0 bytes");
  EXPECT_EQ(loadError("module { func.func @main() { return } }"),
            "expected a Tile artifact, which begins with TILEART1, but got "
            "other bytes");
  EXPECT_HAS(loadError(std::string("TILEART1") + std::string(8, '\xff')),
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
  EXPECT_HAS(loadError(good.substr(0, good.size() - 1)),
             "at manifest path '/blobs/note/size', but got number 10");
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

TEST_F(ArtifactFile, TheHashFindsAFlippedByte) {
  // FNV-1a of "" and of "a", from the function's definition.
  auto blob = [](const std::string &hash, const std::string &bytes) {
    return makeArtifact("\"version\": 1, \"kernels\": []",
                        {{"sim", kernelObject()},
                         {"note", bytes, ", \"fnv1a\": \"" + hash + "\""}});
  };
  EXPECT_EQ(loadError(blob("cbf29ce484222325", "")), "");
  EXPECT_EQ(loadError(blob("af63dc4c8601ec8c", "a")), "");
  EXPECT_HAS(loadError(blob("af63dc4c8601ec8c", "b")),
             "expected the hash af63df4c8601f1a5 at manifest path "
             "'/blobs/note/fnv1a', but got string \"af63dc4c8601ec8c\"");
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
  EXPECT_HAS(edited("\"M\"", "\"L\""), "expected a parameter name at manifest "
                                       "path '/kernels/0/parameters/4', but "
                                       "got string \"L\"");
  EXPECT_HAS(edited("\"A.stride[0]\"", "\"A.stride[2]\""), "a parameter name");
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
