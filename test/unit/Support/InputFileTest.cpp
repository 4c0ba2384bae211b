// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files, pipes and devices are read whole, up to a bound.
#include "Support/InputFile.h"

#include "Support/OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <thread>
#include <unistd.h>

using namespace tile;

namespace {

/// The path of a file that is removed at the end.
struct TemporaryFile {
  TemporaryFile() { llvm::sys::fs::createTemporaryFile("tile", "in", path); }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
  llvm::SmallString<64> path;
};

} // namespace

TEST(InputFile, ReadsAllOfAFile) {
  TemporaryFile file;
  for (size_t size : {size_t(0), size_t(1), size_t(200000)}) {
    std::string text(size, 'x');
    ASSERT_EQ(writeFile(file.path, text), std::nullopt);
    auto read = readFile(file.path);
    ASSERT_TRUE(read.succeeded()) << read.getReason();
    EXPECT_EQ((*read)->getBuffer(), text);
    EXPECT_EQ(*(*read)->getBufferEnd(), '\0');
  }
}

TEST(InputFile, ReadsAPipeThatIsSlow) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    for (int i = 0; i < 3; ++i) {
      std::string part(100000, static_cast<char>('a' + i));
      EXPECT_EQ(::write(ends[1], part.data(), part.size()), 100000);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ::close(ends[1]);
  });
  auto read = readFile("/dev/fd/" + std::to_string(ends[0]));
  writer.join();
  ::close(ends[0]);
  ASSERT_TRUE(read.succeeded()) << read.getReason();
  EXPECT_EQ((*read)->getBufferSize(), 300000u);
  EXPECT_EQ((*read)->getBuffer().back(), 'c');
}

TEST(InputFile, WhatHasNoEnd) {
  EXPECT_EQ(readFile("/dev/zero", 1 << 20).getReason(),
            "expected a file of at most 1.0 MB, but got more");
  TemporaryFile file;
  ASSERT_EQ(writeFile(file.path, std::string(2000, 'x')), std::nullopt);
  EXPECT_EQ(readFile(file.path, 1999).getReason(),
            "expected a file of at most 2.0 kB, but got 2.0 kB");
  EXPECT_TRUE(readFile(file.path, 2000).succeeded());
}

TEST(InputFile, WhatCannotBeRead) {
  EXPECT_EQ(readFile("/nowhere/x").getReason(),
            "cannot be read: no such file or directory");
  EXPECT_EQ(readFile("/").getReason(), "cannot be read: is a directory");
}

TEST(InputFile, ACutFileIsShortAndNoSignal) {
  TemporaryFile file;
  ASSERT_EQ(writeFile(file.path, std::string(100000, 'x')), std::nullopt);
  Result<InputFile> input = InputFile::open(file.path);
  ASSERT_TRUE(input.succeeded());
  EXPECT_EQ(input->getSize(), 100000);
  ASSERT_EQ(::truncate(file.path.c_str(), 10), 0);
  std::string bytes(100000, 0);
  Result<int64_t> count = input->read(bytes.data(), 100000);
  ASSERT_TRUE(count.succeeded());
  EXPECT_EQ(*count, 10);
}
