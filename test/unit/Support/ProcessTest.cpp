// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals remove what is not finished; numbers of bytes are for people.
#include "Support/Process.h"

#include "Support/OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <csignal>

using namespace tile;

TEST(ProcessDeathTest, AnInterruptRemovesUnfinishedFiles) {
  llvm::SmallString<64> path;
  llvm::sys::fs::createUniqueDirectory("tile-process-test", path);
  std::string target = (path + "/d.npy").str();
  ASSERT_EQ(writeFile(target, "old"), std::nullopt);
  for (int number : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EXIT(
        {
          // Whoever runs the test may have it ignored.
          ::signal(number, SIG_DFL);
          startTool("tile-test");
          Result<OutputFile> file = OutputFile::create(target);
          if (!file || file->append("half"))
            std::exit(3);
          ::raise(number);
        },
        testing::KilledBySignal(number), "tile-test: interrupted");
    int files = 0;
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(path, code), end;
         it != end && !code; it.increment(code))
      ++files;
    EXPECT_EQ(files, 1);
  }
  llvm::sys::fs::remove_directories(path);
}

TEST(Process, FreeMemoryIsKnown) {
  std::optional<int64_t> bytes = findFreeMemory();
  ASSERT_TRUE(bytes);
  EXPECT_GT(*bytes, 1 << 20);
}

TEST(Process, FormatBytes) {
  EXPECT_EQ(formatBytes(0), "0 bytes");
  EXPECT_EQ(formatBytes(999), "999 bytes");
  EXPECT_EQ(formatBytes(1500), "1.5 kB");
  EXPECT_EQ(formatBytes(2e6), "2.0 MB");
  EXPECT_EQ(formatBytes(23.7e9), "23.7 GB");
}
