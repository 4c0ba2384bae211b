// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuning tables: what is read, written, found, left out and resumed.
#include "Tune.h"

#include "Compile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <thread>

using namespace tile;
using namespace tile::bench;

/// A point with schedules that take these microseconds; 0: it did not run.
static PointResult
makeResult(const char *text,
           std::vector<std::pair<std::string, double>> schedules) {
  PointResult result;
  result.point = *parsePoint(text);
  for (auto &[name, microseconds] : schedules) {
    Entry &entry = result.ours.emplace_back();
    entry.name = name;
    entry.schedule = "#tile.selected";
    if (microseconds == 0) {
      entry.failure = "not legal";
      continue;
    }
    entry.time = summarize({microseconds});
    int index = static_cast<int>(result.ours.size()) - 1;
    if (result.best < 0 || microseconds < result.ours[result.best].time.median)
      result.best = index;
  }
  return result;
}

static TuningRecord record(const char *text, std::string schedule,
                           llvm::StringRef card = "H200") {
  return makeRecord(makeResult(text, {{std::move(schedule), 10}}), card, "hot",
                    "2026-01-02T03:04:05Z");
}

TEST(TuneTest, TheFastestIsRecorded) {
  TuningRecord made = makeRecord(
      makeResult("bf16 5 6 7 nt pitch=8 batch=2",
                 {{"default", 12}, {"#a", 0}, {"#b", 10}, {"#c", 11}}),
      "H200", "hot", "now");
  EXPECT_EQ(made.schedule, "#b");
  EXPECT_DOUBLE_EQ(made.microseconds, 10);
  EXPECT_DOUBLE_EQ(made.selectedMicroseconds, 12);
  EXPECT_EQ(made.candidates, 3);
  EXPECT_EQ(made.key.layout, "nt");
  EXPECT_EQ(made.key.batch, 2);
  EXPECT_EQ(made.key.pitchA, 8);
  EXPECT_EQ(made.key.pitchD, 8);
  EXPECT_EQ(describeRecord(made),
            "10.00 us, 1.200 of the selected one's speed, of 3: #b");
}

TEST(TuneTest, TheSelectedScheduleIsRecordedByItsText) {
  TuningRecord made = makeRecord(
      makeResult("f32 5 6 7", {{"default", 9}, {"#b", 10}}), "", "", "");
  EXPECT_EQ(made.schedule, "#tile.selected");
}

TEST(TuneTest, NothingThatRunsIsRecordedToo) {
  PointResult result = makeResult("f32 5 6 7", {{"default", 0}});
  result.failure = "no schedule ran: not legal";
  TuningRecord made = makeRecord(result, "H200", "hot", "now");
  EXPECT_EQ(made.schedule, "");
  EXPECT_EQ(describeRecord(made), "no schedule: no schedule ran: not legal");
  TuningTable table;
  table.add(made);
  Result<TuningTable> again = TuningTable::parse(table.format());
  ASSERT_TRUE(again) << again.getReason();
  EXPECT_EQ(again->getRecords()[0].failure, "no schedule ran: not legal");
  // It is not measured again, and no schedule is found.
  EXPECT_TRUE(again->holds(made.key, "H200"));
  EXPECT_EQ(again->find(made.key), nullptr);
}

TEST(TuneTest, TablesReadBack) {
  TuningTable table;
  table.add(record("bf16:f32 4095 4097 4099 tn pitch=8", "#tile.x<\"q\">"));
  table.add(record("f8E4M3FN*f8E5M2 1 2 3 nt", "#y"));
  Result<TuningTable> again =
      TuningTable::parse("// head\n\n" + table.format());
  ASSERT_TRUE(again) << again.getReason();
  EXPECT_EQ(again->format(), table.format());
  const TuningRecord *found =
      again->find(tuningKeyOf(*parsePoint("bf16:f32 4095 4097 4099 tn "
                                          "pitch=8")));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->schedule, "#tile.x<\"q\">");
  EXPECT_EQ(found->card, "H200");
  EXPECT_EQ(found->date, "2026-01-02T03:04:05Z");
  for (const char *other :
       {"bf16:f32 4095 4097 4099 tn", "bf16:f32 4095 4097 4099 nn pitch=8",
        "bf16 4095 4097 4099 tn pitch=8", "bf16:f32 4095 4097 4098 tn pitch=8",
        "bf16:f32 4095 4097 4099 tn pitch=8 batch=2"})
    EXPECT_FALSE(again->find(tuningKeyOf(*parsePoint(other)))) << other;
}

TEST(TuneTest, TheLaterRecordCounts) {
  TuningTable table;
  table.add(record("f32 1 2 3", "#old"));
  table.add(record("f32 1 2 3", "#new", "other card"));
  EXPECT_EQ(table.find(tuningKeyOf(*parsePoint("f32 1 2 3")))->schedule,
            "#new");
}

TEST(TuneTest, ResumesBehindWhatIsThere) {
  std::vector<Point> points = {
      *parsePoint("f32 1 2 3"), *parsePoint("f32 4 5 6"),
      // Factors do not make another problem.
      *parsePoint("f32 4 5 6 alpha=2"), *parsePoint("f32 7 8 9")};
  TuningTable table;
  table.add(record("f32 1 2 3", "#a"));
  table.add(record("f32 7 8 9", "#a", "another card"));
  std::vector<Point> missing = listMissing(points, table, "H200", false);
  ASSERT_EQ(missing.size(), 2u);
  EXPECT_EQ(missing[0].m, 4);
  EXPECT_EQ(missing[1].m, 7);
  EXPECT_EQ(listMissing(points, table, "H200", true).size(), 3u);
}

TEST(TuneTest, ReasonsNameTheLineAndTheField) {
  auto reason = [](std::string text) {
    return TuningTable::parse(text).getReason();
  };
  TuningTable table;
  table.add(record("f32 1 2 3", "#a"));
  std::string good = table.format();
  auto without = [&](llvm::StringRef field) {
    std::string text = good;
    size_t at = text.find(("\"" + field + "\"").str());
    return text.replace(at + 1, field.size(), "x");
  };
  EXPECT_EQ(reason(good + "3\n"),
            "line 2: expected a JSON object with a problem and its schedule");
  EXPECT_EQ(reason(without("layout")),
            "line 1: expected a string \"layout\", but got none");
  EXPECT_EQ(
      reason(without("pitch_b")),
      "line 1: expected a number \"pitch_b\" of at least 0, but got none");
  EXPECT_EQ(
      reason(without("schedule")),
      "line 1: expected a \"schedule\" or a \"failure\", but got neither");
  EXPECT_EQ(reason("{").substr(0, 33), "line 1: expected JSON, but got: [");
  EXPECT_EQ(TuningTable::read("/no/such/file").getReason(),
            "cannot read /no/such/file: No such file or directory");
}

TEST(TuneTest, CandidatesOfAProblemAreListedAsText) {
  Result<std::vector<std::string>> listed =
      listSchedules(*parsePoint("f32 512 512 512 nt"));
  ASSERT_TRUE(listed) << listed.getReason();
  EXPECT_GT(listed->size(), 3u);
  for (const std::string &schedule : *listed)
    EXPECT_EQ(schedule.substr(0, 6), "#tile.") << schedule;
}

TEST(TuneTest, RunsThatShareATableLoseNothing) {
  llvm::SmallString<64> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("tile-tune", "jsonl", path));
  auto add = [&](int64_t first) {
    for (int64_t m = first; m < first + 20; ++m) {
      std::string point = "f32 " + std::to_string(m) + " 8 8";
      TuningRecord record = makeRecord(
          makeResult(point.c_str(), {{"default", 2.0}}), "card", "hot", "now");
      std::optional<std::string> reason = addToTable(path.c_str(), record);
      ASSERT_EQ(reason, std::nullopt);
    }
  };
  std::thread one(add, 100), two(add, 200);
  one.join();
  two.join();
  Result<TuningTable> table = TuningTable::read(path);
  ASSERT_TRUE(table.succeeded()) << table.getReason();
  EXPECT_EQ(table->getRecords().size(), 40u);
  llvm::sys::fs::remove(path);
  EXPECT_EQ(addToTable("/nowhere/table", std::nullopt),
            "/nowhere/table: cannot be written: no such file or directory");
}
