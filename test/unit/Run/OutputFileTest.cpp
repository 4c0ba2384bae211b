// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output files appear whole or not at all.
#include "OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace tile;

namespace {

/// An empty directory, removed with what is in it.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    llvm::sys::fs::createUniqueDirectory("tile-run-test", path);
  }
  ~TemporaryDirectory() { llvm::sys::fs::remove_directories(path); }
  std::string operator/(llvm::StringRef name) const {
    return path.str().str() + "/" + name.str();
  }
  int countFiles() const {
    int count = 0;
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(path, code), end;
         it != end && !code; it.increment(code))
      ++count;
    return count;
  }

private:
  llvm::SmallString<64> path;
};

} // namespace

static std::string contentsOf(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "missing";
}

TEST(OutputFile, AppearsWhenWritten) {
  TemporaryDirectory directory;
  std::string path = directory / "100%.npy";
  Result<OutputFile> file = OutputFile::create(path);
  ASSERT_TRUE(file.succeeded()) << file.getReason();
  EXPECT_EQ(contentsOf(path), "missing");
  EXPECT_EQ(file->write("new"), std::nullopt);
  EXPECT_EQ(contentsOf(path), "new");
  EXPECT_EQ(directory.countFiles(), 1);
}

TEST(OutputFile, LeavesNothingWhenNotWritten) {
  TemporaryDirectory directory;
  std::string path = directory / "d.npy";
  {
    Result<OutputFile> file = OutputFile::create(path);
    ASSERT_TRUE(file.succeeded());
    OutputFile moved = std::move(*file);
    EXPECT_EQ(directory.countFiles(), 1);
  }
  EXPECT_EQ(directory.countFiles(), 0);
}

TEST(OutputFile, KeepsWhatIsThereUntilWritten) {
  TemporaryDirectory directory;
  std::string path = directory / "d.npy", link = directory / "link.npy";
  {
    Result<OutputFile> file = OutputFile::create(path);
    ASSERT_EQ(file->write("old"), std::nullopt);
  }
  ASSERT_FALSE(llvm::sys::fs::create_link(path, link));
  Result<OutputFile> first = OutputFile::create(link);
  Result<OutputFile> second = OutputFile::create(path);
  ASSERT_TRUE(first.succeeded() && second.succeeded());
  EXPECT_EQ(contentsOf(path), "old");
  // Through the symbolic link, which stays one.
  EXPECT_EQ(first->write("new"), std::nullopt);
  EXPECT_EQ(contentsOf(path), "new");
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(link));
  EXPECT_EQ(second->write("newer"), std::nullopt);
  EXPECT_EQ(contentsOf(link), "newer");
}

TEST(OutputFile, SpecialFilesAreWrittenDirectly) {
  Result<OutputFile> file = OutputFile::create("/dev/null");
  ASSERT_TRUE(file.succeeded());
  EXPECT_EQ(file->write("gone"), std::nullopt);
  EXPECT_FALSE(llvm::sys::fs::is_regular_file("/dev/null"));
}

TEST(OutputFile, WhatCannotBeWritten) {
  TemporaryDirectory directory;
  EXPECT_EQ(OutputFile::create(directory / "no/d.npy").getReason(),
            "cannot be written: no such file or directory");
  EXPECT_EQ(OutputFile::create(directory / "").getReason(),
            "cannot be written: is a directory");
  EXPECT_EQ(OutputFile::create("/dev/null/d.npy").getReason(),
            "cannot be written: not a directory");
  Result<OutputFile> full = OutputFile::create("/dev/full");
  ASSERT_TRUE(full.succeeded());
  EXPECT_EQ(full->write("x"), "cannot be written: no space left on device");
}
