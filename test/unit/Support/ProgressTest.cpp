// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The line of progress appears for long stages and is taken away.
#include "Support/Progress.h"

#include "gtest/gtest.h"

using namespace tile;
using std::chrono::milliseconds;

TEST(Progress, ALongStageIsShownAndTakenAway) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  {
    Progress progress(stream, /*enabled=*/true, milliseconds(1));
    progress.begin("checking D");
    progress.set(0.5);
    std::this_thread::sleep_for(milliseconds(200));
    progress.end();
  }
  EXPECT_NE(text.find("checking D, 50 %, 0 s"), std::string::npos) << text;
  EXPECT_TRUE(llvm::StringRef(text).ends_with("\r\x1b[K")) << text;
}

TEST(Progress, AShortStageAndNoTerminalShowNothing) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  {
    Progress progress(stream, /*enabled=*/true, milliseconds(10000));
    progress.begin("one");
    progress.begin("two");
  }
  {
    Progress progress(stream, /*enabled=*/false, milliseconds(0));
    progress.begin("three");
    std::this_thread::sleep_for(milliseconds(20));
  }
  EXPECT_EQ(text, "");
}
