// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The artifact file: round trip, alignment, and every way to be malformed.

#include "tile/Target/Artifact.h"
#include "tile/Facts/ArtifactFormat.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

using namespace tile;

static Artifact makeArtifact() {
  Artifact artifact;
  artifact.chip = "sm_80";
  artifact.ptxVersion = "8.0";
  artifact.ptx = "ptx text";
  artifact.cubin = std::string("\x7f"
                               "ELF\0\1\2",
                               7);
  SimulatorObject object;
  object.object = "object bytes";
  object.cpu = "x86-64";
  object.kernels.push_back({"k", "tile_sim_kernel_k", 4096});
  object.sites = {"gemm.mlir:10:3 (load A)", "bad \xff byte"};
  artifact.simulator = std::move(object);

  ArtifactEntry entry;
  entry.name = "gemm";
  ArtifactArgument matrix;
  matrix.type = "f32";
  matrix.shape = {std::nullopt, 64};
  matrix.strides = {std::nullopt, 1};
  ArtifactArgument scalar;
  scalar.kind = ArtifactArgument::Kind::Scalar;
  scalar.type = "f32";
  entry.arguments = {matrix, matrix, matrix, scalar};
  ArtifactStep step;
  step.a = 0;
  step.b = 1;
  step.d = 2;
  step.alpha.argument = 3;
  step.beta.value = 0.5;
  step.choices = {{"k", {}}};
  entry.steps.push_back(step);
  artifact.entries.push_back(std::move(entry));
  artifact.kernels.emplace_back().name = "k";
  return artifact;
}

TEST(Artifact, RoundTrip) {
  Artifact artifact = makeArtifact();
  std::string bytes = writeArtifact(artifact);
  llvm::Expected<ArtifactView> view = parseArtifact(bytes);
  ASSERT_TRUE(static_cast<bool>(view)) << llvm::toString(view.takeError());
  EXPECT_EQ(view->ptx, artifact.ptx);
  EXPECT_EQ(view->cubin, artifact.cubin);
  EXPECT_EQ(view->simulator, artifact.simulator->object);
  for (llvm::StringRef blob : {view->ptx, view->cubin, view->simulator})
    EXPECT_EQ((blob.data() - bytes.data()) % 16, 0);

  const llvm::json::Object &manifest = view->manifest;
  EXPECT_EQ(manifest.getObject("target")->getString("chip"), "sm_80");
  const llvm::json::Object *entry =
      manifest.getArray("entries")->front().getAsObject();
  EXPECT_EQ(entry->getString("name"), "gemm");
  const llvm::json::Object *matrix =
      entry->getArray("arguments")->front().getAsObject();
  EXPECT_TRUE((*matrix->getArray("shape"))[0].getAsNull());
  EXPECT_EQ((*matrix->getArray("shape"))[1].getAsInteger(), 64);
  const llvm::json::Object *step =
      entry->getArray("steps")->front().getAsObject();
  EXPECT_TRUE(step->get("C")->getAsNull());
  EXPECT_EQ(step->getObject("alpha")->getInteger("argument"), 3);
  EXPECT_EQ(step->getObject("beta")->getNumber("value"), 0.5);
  const llvm::json::Object *sim = manifest.getObject("sim");
  EXPECT_EQ((*sim->getArray("sites"))[0].getAsString(),
            "gemm.mlir:10:3 (load A)");
  EXPECT_EQ(
      sim->getObject("kernels")->getObject("k")->getInteger("shared_bytes"),
      4096);
}

// Names alone where nothing is prepared, as readers of version 1 know them.
TEST(Artifact, ChoicesThatPrepare) {
  Artifact artifact = makeArtifact();
  auto step = [&]() {
    llvm::json::Object manifest = buildManifest(artifact);
    return *manifest.getArray("entries")
                ->front()
                .getAsObject()
                ->getArray("steps")
                ->front()
                .getAsObject();
  };
  EXPECT_EQ(step().getArray("kernels")->front().getAsString(), "k");
  EXPECT_FALSE(step().get("choices"));
  ArtifactPrepare copy;
  copy.operand = "A";
  copy.kernel = "pack_16b";
  copy.contiguous = 0;
  copy.pitchMultiple = 64;
  artifact.entries[0].steps[0].choices.push_back({"tma", {copy}});
  llvm::json::Object object = step();
  EXPECT_FALSE(object.get("kernels"));
  const llvm::json::Array &choices = *object.getArray("choices");
  ASSERT_EQ(choices.size(), 2u);
  EXPECT_EQ(choices[0].getAsObject()->getString("kernel"), "k");
  EXPECT_TRUE(choices[0].getAsObject()->getArray("prepare")->empty());
  EXPECT_EQ(choices[1].getAsObject()->getString("kernel"), "tma");
  const llvm::json::Object *prepare =
      choices[1].getAsObject()->getArray("prepare")->front().getAsObject();
  EXPECT_EQ(prepare->getString("operand"), "A");
  EXPECT_EQ(prepare->getString("kernel"), "pack_16b");
  EXPECT_EQ(prepare->getInteger("contiguous"), 0);
  EXPECT_EQ(prepare->getInteger("pitch_multiple"), 64);
}

TEST(Artifact, SameInputSameBytes) {
  EXPECT_EQ(writeArtifact(makeArtifact()), writeArtifact(makeArtifact()));
}

static std::string errorOf(llvm::StringRef bytes) {
  llvm::Expected<ArtifactView> view = parseArtifact(bytes);
  return view ? std::string() : llvm::toString(view.takeError());
}

TEST(Artifact, RejectsOtherFiles) {
  EXPECT_EQ(errorOf(""), "expected a Tile artifact, which begins with "
                         "TILEART2, but got a file of 0 bytes");
  EXPECT_NE(errorOf("TILEART1aaaaaaaaaaaa"), "");
  std::string bytes = writeArtifact(makeArtifact());
  llvm::support::endian::write64le(bytes.data() + 8, ~0ull);
  EXPECT_NE(errorOf(bytes).find("expected a manifest of"), std::string::npos);
}

TEST(Artifact, RejectsOtherVersions) {
  std::string bytes = writeArtifact(makeArtifact());
  size_t at = bytes.find("\"version\":1");
  ASSERT_NE(at, std::string::npos);
  bytes[at + 10] = '2';
  EXPECT_EQ(errorOf(bytes),
            "damaged artifact: expected bytes with the checksum in the header, "
            "but got others; compile it again");
  sealArtifact(bytes);
  EXPECT_EQ(errorOf(bytes), "expected artifact version 1, but got 2");
}

TEST(Artifact, RejectsWhatIsNoJSON) {
  std::string bytes = writeArtifact(makeArtifact());
  size_t at = bytes.find("\"version\":1");
  ASSERT_NE(at, std::string::npos);
  bytes[at + 9] = ';';
  sealArtifact(bytes);
  EXPECT_NE(errorOf(bytes).find("malformed artifact: expected JSON in the "
                                "manifest, but got text that does not parse: "),
            std::string::npos)
      << errorOf(bytes);
}

// Every truncation is an error or leaves all blobs within the bytes.
TEST(Artifact, SurvivesTruncation) {
  std::string bytes = writeArtifact(makeArtifact());
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(errorOf(llvm::StringRef(bytes).take_front(size)), "") << size;
}
