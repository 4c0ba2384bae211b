// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs of docs/Tutorial, on the simulator, and their PTX through ptxas.
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "gtest/gtest.h"

int vector_add_main(int argc, char **argv);
int transpose_main(int argc, char **argv);

namespace {

struct Program {
  const char *name;
  int (*main)(int argc, char **argv);
};

void PrintTo(const Program &program, std::ostream *stream) {
  *stream << program.name;
}

/// The ptxas that there is, or nothing.
std::string findPtxas() {
  if (const char *chosen = std::getenv("TILE_PTXAS"))
    return chosen;
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  if (auto found =
          llvm::sys::findProgramByName("ptxas", {"/usr/local/cuda/bin"}))
    return *found;
  return "";
}

class Tutorial : public testing::TestWithParam<Program> {};

TEST_P(Tutorial, AgreesWithFloat64AndAssembles) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("tutorial", "ptx", path));
  std::string name = GetParam().name, device = "sim", file(path.str());
  char *arguments[] = {name.data(), device.data(), file.data(), nullptr};
  EXPECT_EQ(GetParam().main(3, arguments), 0);
  if (std::string ptxas = findPtxas(); !ptxas.empty()) {
    std::string error;
    // A warning, such as one of spills, is an error here.
    EXPECT_EQ(
        llvm::sys::ExecuteAndWait(ptxas,
                                  {ptxas, "-arch=sm_90a", "--warn-on-spills",
                                   "-Werror", file, "-o", "/dev/null"},
                                  std::nullopt, {}, 0, 0, &error),
        0)
        << error;
  }
  llvm::sys::fs::remove(path);
}

INSTANTIATE_TEST_SUITE_P(Programs, Tutorial,
                         testing::Values(Program{"vector_add", vector_add_main},
                                         Program{"transpose", transpose_main}),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
