// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading golden data, and collecting what differs from it.
#include "GoldenLines.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace tile::test;
using llvm::StringRef;
using llvm::json::Object;

std::vector<Object>
tile::test::readGolden(const char *name, const char *variable, bool *isOther) {
  const char *other = variable ? std::getenv(variable) : nullptr;
  if (isOther)
    *isOther = other;
  std::string path =
      other ? other : std::string(TILE_TEST_DIR) + "/Inputs/golden/" + name;
  std::vector<Object> lines;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    ADD_FAILURE() << "cannot read " << path;
    return lines;
  }
  llvm::SmallVector<StringRef> texts;
  (*buffer)->getBuffer().split(texts, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef text : texts) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
    if (!value || !value->getAsObject()) {
      llvm::consumeError(value.takeError());
      ADD_FAILURE() << "not a JSON object: " << text.str();
      continue;
    }
    lines.push_back(std::move(*value->getAsObject()));
  }
  return lines;
}

static std::string getClass(const Object &line) {
  for (StringRef key : {"class", "kind", "op"})
    if (std::optional<StringRef> name = line.getString(key))
      return name->str();
  return "";
}

void tile::test::checkClasses(const std::string &file,
                              llvm::ArrayRef<Object> lines, bool isOther) {
  std::map<std::string, int64_t> counts, expected;
  for (const Object &line : lines)
    ++counts[getClass(line)];
  for (const Object &line : readGolden("classes.jsonl", nullptr))
    if (line.getString("file") == StringRef(file))
      for (const auto &[name, count] : *line.getObject("classes"))
        expected[name.str()] = *count.getAsInteger();
  EXPECT_FALSE(lines.empty()) << file << " has no line";
  EXPECT_FALSE(expected.empty()) << "classes.jsonl has no line of " << file;
  for (const auto &[name, count] : counts)
    EXPECT_TRUE(expected.count(name))
        << file << " has " << count << " lines of a class that no test knows: '"
        << name << "'";
  if (!isOther)
    EXPECT_EQ(counts, expected) << "lines of " << file;
}

GoldenExceptions::GoldenExceptions(const std::string &file, bool isOther)
    : isOther(isOther) {
  if (isOther)
    return;
  for (const Object &line :
       readGolden((file + "-exceptions.jsonl").c_str(), nullptr)) {
    std::string &reason = listed[line.getString("line")->str()];
    reason += (reason.empty() ? "" : "; ") + line.getString("reason")->str();
  }
}

void GoldenExceptions::check(const std::string &line, const std::string &reason,
                             Differences &differences) {
  count += !reason.empty();
  if (isOther)
    return;
  auto entry = listed.find(line);
  if (entry != listed.end())
    met.insert(line);
  if ((entry == listed.end() ? "" : entry->second) == reason)
    return;
  differences.push_back(
      reason.empty()
          ? "in the list of exceptions, but we agree with the reference"
          : "not in the list of exceptions: " + reason);
}

void GoldenExceptions::expectNoneLeft() const {
  for (const auto &[line, reason] : listed)
    EXPECT_TRUE(met.count(line))
        << "the list of exceptions names a line that is none: " << line;
}

static void appendNumbers(std::vector<int64_t> &numbers,
                          const llvm::json::Value &value) {
  if (const llvm::json::Array *list = value.getAsArray()) {
    for (const llvm::json::Value &entry : *list)
      appendNumbers(numbers, entry);
    return;
  }
  if (std::optional<int64_t> number = value.getAsInteger())
    numbers.push_back(*number);
  else if (std::optional<bool> flag = value.getAsBoolean())
    numbers.push_back(*flag);
}

std::vector<int64_t> tile::test::getNumbers(const Object &line, StringRef key) {
  std::vector<int64_t> numbers;
  if (const llvm::json::Value *value = line.get(key))
    appendNumbers(numbers, *value);
  return numbers;
}

std::string tile::test::format(llvm::ArrayRef<int64_t> numbers) {
  std::string text = "[";
  for (auto [i, number] : llvm::enumerate(numbers.take_front(12)))
    text += (i ? ", " : "") + std::to_string(number);
  return text + (numbers.size() > 12 ? ", …]" : "]");
}

void tile::test::compare(Differences &differences, const Object &line,
                         StringRef key, llvm::ArrayRef<int64_t> ours) {
  if (!line.get(key))
    return;
  std::vector<int64_t> theirs = getNumbers(line, key);
  if (ours == llvm::ArrayRef<int64_t>(theirs))
    return;
  if (ours.size() == theirs.size() && ours.size() > 12)
    for (auto [i, a, b] : llvm::enumerate(ours, theirs))
      if (a != b) {
        differences.push_back((key + " differs first at number " +
                               llvm::Twine(i) + ": " + llvm::Twine(a) +
                               " instead of " + llvm::Twine(b))
                                  .str());
        return;
      }
  differences.push_back(key.str() + " is " + format(ours) + " instead of " +
                        format(theirs));
}

std::string tile::test::describe(const Object &line) {
  Object shown;
  for (const auto &entry : line)
    if (getNumbers(line, entry.first).size() <= 16)
      shown[entry.first] = entry.second;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::json::Value(std::move(shown));
  return text;
}

std::string tile::test::join(const Differences &differences) {
  return llvm::join(differences, "; ");
}

std::string tile::test::writeNumber(const Object &line, StringRef key) {
  return std::to_string(line.getInteger(key).value_or(0));
}

std::string tile::test::writeList(const Object &line, StringRef key) {
  return format(getNumbers(line, key));
}

std::string tile::test::writeThreadMap(const Object &line, int64_t contiguous,
                                       const std::string &coverage) {
  std::vector<int64_t> shape = getNumbers(line, "shape");
  std::string rows = std::to_string(shape[1]);
  std::string columns = std::to_string(shape[0]);
  if (contiguous == 0)
    std::swap(rows, columns);
  std::string tile = "tile = [" + rows + ", " + columns +
                     "], contiguous = " + std::to_string(contiguous) +
                     ", threads = " + writeNumber(line, "threads");
  std::string elements =
      ", elements = " + writeNumber(line, "elements_per_access");
  StringRef name = *line.getString("class");
  auto map = [&](const std::string &mnemonic, const std::string &parameters) {
    return "#tile." + mnemonic + "<" + parameters;
  };
  std::string warp = ", warp = " + writeList(line, "warp_thread_arrangement");
  if (name == "TransposePitchLinearThreadMapSimt")
    return map("transposed_simt",
               "base = " + map("strip_mined", tile + elements + coverage) +
                   ">" + coverage + ">");
  if (name == "TransposePitchLinearThreadMap2DThreadTile")
    return map("transposed_thread_tile",
               "base = " + map("thread_tile", tile + coverage) + ">" +
                   coverage + ">");
  if (name == "TransposePitchLinearThreadMap")
    return map("transposed",
               "base = " +
                   map("warp_raked",
                       tile + ", warp = " +
                           writeList(line, "base_warp_thread_arrangement") +
                           elements + coverage) +
                   ">" + warp + coverage + ">");
  if (name == "PitchLinear2DThreadTileStripminedThreadMap")
    return map("thread_tile", tile + coverage + ">");
  std::string mnemonic =
      llvm::StringSwitch<std::string>(name)
          .Case("PitchLinearStripminedThreadMap", "strip_mined")
          .Case("PitchLinearTilePolicyStripminedThreadContiguous",
                "thread_contiguous")
          .Case("PitchLinearTilePolicyStripminedThreadStrided",
                "thread_strided")
          .Case("PitchLinearWarpRakedThreadMap", "warp_raked")
          .Case("PitchLinearStridedWarpRakedThreadMap", "strided_warp_raked")
          .Case("PitchLinearWarpStripedThreadMap", "warp_striped")
          .Default("unknown");
  if (StringRef(mnemonic).contains("warp"))
    tile += warp;
  return map(mnemonic, tile + elements + coverage + ">");
}
