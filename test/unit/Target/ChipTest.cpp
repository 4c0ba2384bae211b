// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chips and PTX versions, as far as LLVM knows them.

#include "tile/Target/Chip.h"
#include "tile/Atoms/Chips.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tile/Target/PTX.h"
#include "tile/Target/Translations.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <set>

using namespace tile;

namespace {
class ChipTest : public ::testing::Test {
protected:
  ChipTest() : context(makeRegistry()) {
    context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
      messages.push_back(diagnostic.str());
      return mlir::success();
    });
  }

  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    registerTargetDialects(registry);
    return registry;
  }

  mlir::InFlightDiagnostic emitError() {
    return mlir::emitError(mlir::UnknownLoc::get(&context));
  }

  mlir::FailureOr<ChipInfo> lookup(llvm::StringRef name) {
    return lookupChip(name, [&] { return emitError(); });
  }

  mlir::FailureOr<unsigned> resolve(const ChipInfo &chip, unsigned version) {
    return resolvePTXVersion(chip, version, [&] { return emitError(); });
  }

  mlir::MLIRContext context;
  std::vector<std::string> messages;
};
} // namespace

TEST_F(ChipTest, KnowsNamesAndVersions) {
  mlir::FailureOr<ChipInfo> ampere = lookup("sm_80");
  ASSERT_TRUE(succeeded(ampere));
  EXPECT_EQ(ampere->sm, 80u);
  EXPECT_FALSE(ampere->archSpecific);
  EXPECT_EQ(ampere->minPTX, 70u);
  EXPECT_EQ(defaultPTXVersion(*ampere), 80u);

  mlir::FailureOr<ChipInfo> hopper = lookup("sm_90a");
  ASSERT_TRUE(succeeded(hopper));
  EXPECT_TRUE(hopper->archSpecific);
  EXPECT_EQ(hopper->minPTX, 80u);

  mlir::FailureOr<ChipInfo> blackwell = lookup("sm_100f");
  ASSERT_TRUE(succeeded(blackwell));
  EXPECT_TRUE(blackwell->familySpecific);
  EXPECT_GE(defaultPTXVersion(*blackwell), 86u);
}

TEST_F(ChipTest, RejectsWhatDoesNotExist) {
  for (const char *name : {"", "sm_", "sm_81x", "sm_999", "80", "SM_80"})
    EXPECT_TRUE(failed(lookup(name))) << name;
  EXPECT_EQ(messages.front(), "expected a chip that LLVM 22 knows, such as "
                              "sm_80 or sm_90a, but got ''");
  mlir::FailureOr<ChipInfo> chip = lookup("sm_80");
  ASSERT_TRUE(succeeded(chip));
  EXPECT_TRUE(failed(resolve(*chip, 60)));
  EXPECT_EQ(messages.back(),
            "expected PTX 7.0 or newer for chip sm_80, but got 6.0");
  EXPECT_TRUE(failed(resolve(*chip, 79)));
  EXPECT_TRUE(failed(resolve(*chip, 1000)));
  mlir::FailureOr<unsigned> newest = resolve(*chip, newestPTXVersion());
  ASSERT_TRUE(succeeded(newest));
  EXPECT_EQ(*newest, newestPTXVersion());
}

TEST_F(ChipTest, FormatsVersions) {
  EXPECT_EQ(formatPTXVersion(80), "8.0");
  EXPECT_EQ(formatPTXVersion(86), "8.6");
}

// Whatever is listed compiles: LLVM never aborts on a chip that was accepted.
TEST_F(ChipTest, EveryChipCompiles) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "gpu.module @m { gpu.func @k() kernel { gpu.return } }", &context);
  ASSERT_TRUE(module);
  for (const std::string &name : listChips()) {
    PTXOptions options;
    options.chip = name;
    mlir::FailureOr<std::string> ptx = translateToPTX(*module, options);
    ASSERT_TRUE(succeeded(ptx)) << name;
    EXPECT_NE(ptx->find(".target " + name), std::string::npos) << name;
  }
}

// Rows of the table of chips: each one's architecture exists, each name is one
// row's, and its numbers are possible.
TEST_F(ChipTest, TableOfChips) {
  std::vector<std::string> known = listChips();
  std::set<std::string> names;
  for (const Chip &chip : kChips) {
    SCOPED_TRACE(chip.name);
    EXPECT_TRUE(llvm::is_contained(known, chip.architecture));
    EXPECT_TRUE(names.insert(chip.name).second);
    mlir::FailureOr<ChipInfo> info = lookup(chip.name);
    ASSERT_TRUE(succeeded(info));
    EXPECT_EQ(info->name, chip.architecture);
    EXPECT_EQ(info->sm, static_cast<unsigned>(chip.sm));
    EXPECT_EQ(info->archSpecific, chip.isSpecific());
    EXPECT_GE(chip.multiprocessors, 1);
    EXPECT_GE(chip.sharedBytes, Chip::kStaticSharedBytes);
    EXPECT_LE(chip.sharedBytes, kMaxSharedBytes);
    EXPECT_GT(chip.fmaFlopsPerNs, 0);
    EXPECT_GT(chip.memoryBytesPerNs, 0);
    if (chip.isProduct()) {
      ASSERT_NE(findChip(chip.architecture), nullptr);
      EXPECT_FALSE(findChip(chip.architecture)->isProduct());
      // No earlier row takes the device's name.
      EXPECT_EQ(findProduct(chip.device), &chip);
    }
  }
  // Every chip of LLVM from the first row on has numbers, by name or nearly.
  for (const std::string &name : known) {
    SCOPED_TRACE(name);
    const Chip *chip = findNearestChip(name.c_str());
    if (getComputeCapability(name.c_str()) < kChips[0].sm) {
      EXPECT_EQ(chip, nullptr);
      continue;
    }
    ASSERT_NE(chip, nullptr);
    EXPECT_LE(chip->sm, getComputeCapability(name.c_str()));
  }
}

TEST_F(ChipTest, DevicesAreProducts) {
  EXPECT_EQ(getDeviceChip("sm_90", "NVIDIA H200"), "h200");
  EXPECT_EQ(getDeviceChip("sm_90", "NVIDIA H100 PCIe"), "h100-pcie");
  EXPECT_EQ(getDeviceChip("sm_90", "NVIDIA H100 80GB HBM3"), "h100");
  EXPECT_EQ(getDeviceChip("sm_80", "NVIDIA A100-SXM4-80GB"), "a100");
  EXPECT_EQ(getDeviceChip("sm_89", "NVIDIA L40S"), "l40s");
  EXPECT_EQ(getDeviceChip("sm_120", "NVIDIA GeForce RTX 5090"), "rtx5090");
  // One without a row has what its architecture has.
  EXPECT_EQ(getDeviceChip("sm_90", "NVIDIA H800"), "sm_90a");
  EXPECT_EQ(getDeviceChip("sm_80", "NVIDIA H200"), "sm_80");
  EXPECT_EQ(getArchitecture("h100-pcie"), "sm_90a");
  EXPECT_EQ(getArchitecture("sm_75"), "sm_75");
}
