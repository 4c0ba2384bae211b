// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output files appear whole or not at all.
#include "Support/OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <atomic>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

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

TEST(OutputFile, KeepsModeAndOwner) {
  TemporaryDirectory directory;
  std::string path = directory / "d.npy";
  ASSERT_EQ(writeFile(path, "old"), std::nullopt);
  // Whoever runs the test may give it away, or not.
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  bool given = ::chown(path.c_str(), 1234, 4321) == 0;
  ASSERT_EQ(writeFile(path, "new"), std::nullopt);
  struct stat status;
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
  if (given) {
    EXPECT_EQ(status.st_uid, 1234u);
    EXPECT_EQ(status.st_gid, 4321u);
  }
  EXPECT_EQ(contentsOf(path), "new");
}

TEST(OutputFile, PiecesAppearTogether) {
  TemporaryDirectory directory;
  std::string path = directory / "d.npy";
  ASSERT_EQ(writeFile(path, "old"), std::nullopt);
  Result<OutputFile> file = OutputFile::create(path);
  ASSERT_EQ(file->append("one "), std::nullopt);
  ASSERT_EQ(file->append("two"), std::nullopt);
  EXPECT_EQ(contentsOf(path), "old");
  ASSERT_EQ(file->commit(), std::nullopt);
  EXPECT_EQ(contentsOf(path), "one two");
}

TEST(OutputFile, AReaderNeverSeesHalfOfIt) {
  TemporaryDirectory directory;
  std::string path = directory / "table";
  const std::string texts[] = {std::string(100000, 'a'),
                               std::string(70000, 'b')};
  ASSERT_EQ(writeFile(path, texts[0]), std::nullopt);
  std::atomic<bool> stop = false;
  auto write = [&](int which) {
    while (!stop)
      EXPECT_EQ(writeFile(path, texts[which]), std::nullopt);
  };
  std::thread first(write, 0), second(write, 1);
  for (int i = 0; i < 300; ++i) {
    std::string seen = contentsOf(path);
    EXPECT_TRUE(seen == texts[0] || seen == texts[1]) << seen.size();
  }
  stop = true;
  first.join();
  second.join();
  EXPECT_EQ(directory.countFiles(), 1);
}

TEST(OutputFile, SameFile) {
  TemporaryDirectory directory;
  std::string path = directory / "a", link = directory / "b";
  ASSERT_EQ(writeFile(path, ""), std::nullopt);
  ASSERT_FALSE(llvm::sys::fs::create_link(path, link));
  EXPECT_TRUE(isSameFile(path, link));
  EXPECT_FALSE(isSameFile(path, directory / "c"));
  EXPECT_FALSE(isSameFile(path, "/dev/null"));
}

TEST(FileLock, WritersOfOneFileLoseNothing) {
  TemporaryDirectory directory;
  std::string path = directory / "table";
  auto add = [&](char letter) {
    for (int i = 0; i < 100; ++i) {
      Result<FileLock> lock = FileLock::acquire(path);
      ASSERT_TRUE(lock.succeeded()) << lock.getReason();
      ASSERT_EQ(writeFile(path, contentsOf(path) + letter), std::nullopt);
    }
  };
  std::thread first(add, 'a'), second(add, 'b');
  first.join();
  second.join();
  EXPECT_EQ(contentsOf(path).size(), 200u);
}

TEST(FileLock, WhatCannotBeLocked) {
  TemporaryDirectory directory;
  EXPECT_EQ(FileLock::acquire(directory / "no/table").getReason(),
            "cannot be written: no such file or directory");
}
