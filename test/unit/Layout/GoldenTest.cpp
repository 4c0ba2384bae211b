// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden layout data, line by line: N of N, every difference printed.
#include "../IR/GoldenLines.h"
#include "GoldenOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <map>
#include <set>

using namespace tile;
using namespace tile::test;
using llvm::json::Object;

namespace {

/// How a line came out.
enum class Verdict {
  /// The same result string.
  Equal,
  /// The same function; the line has run-time integers, whose normal form
  /// depends on what the reference knew at compile time.
  EqualFunction,
  /// Both refuse.
  BothRefuse,
  /// The reference returns something that breaks the pointwise definition; we
  /// refuse.
  AcceptedWrongly,
  /// The reference refuses what is well defined; our result satisfies the
  /// pointwise definition.
  RefusedNeedlessly,
  Different,
};

const char *toString(Verdict verdict) {
  switch (verdict) {
  case Verdict::Equal:
    return "equal";
  case Verdict::EqualFunction:
    return "equal_function";
  case Verdict::BothRefuse:
    return "both_refuse";
  case Verdict::AcceptedWrongly:
    return "accepted_wrongly";
  case Verdict::RefusedNeedlessly:
    return "refused_needlessly";
  case Verdict::Different:
    return "different";
  }
  return "";
}

struct Outcome {
  Verdict verdict = Verdict::Different;
  std::string text;
};

/// A number without underscore in any input or output.
bool hasRunTimeInteger(const Object &line) {
  auto look = [](llvm::StringRef text) {
    for (size_t i = 0; i < text.size(); ++i)
      if (llvm::isDigit(text[i]) &&
          (i == 0 || (text[i - 1] != '_' && text[i - 1] != '-' &&
                      text[i - 1] != '@' && !llvm::isDigit(text[i - 1]))))
        return true;
    return false;
  };
  for (llvm::StringRef key : {"output", "cotarget"})
    if (line.getString(key) && !line.getString(key)->contains("Sw") &&
        look(*line.getString(key)))
      return true;
  if (const llvm::json::Array *inputs = line.getArray("inputs"))
    for (const llvm::json::Value &input : *inputs)
      if (!input.getAsString()->contains("Sw") && look(*input.getAsString()))
        return true;
  return false;
}

/// Compares values, sizes and tables with what the line states; the difference
/// or nothing.
std::string comparePointwise(const Object &line, const ComposedLayout &ours) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const llvm::json::Array *table = line.getArray("table");
  auto check = [&](llvm::StringRef key, int64_t value) {
    std::optional<int64_t> expected = line.getInteger(key);
    if (expected && *expected != value)
      os << key << " is " << value << " instead of " << *expected << "; ";
  };
  check("size", ours.size().getValue());
  check("rank", ours.rank());
  if (*line.getString("op") == "info")
    check("depth", ours.getLayout().depth());
  // The reference's number for swizzled layouts is not a span.
  if (ours.isPlain() && ours.getLayout().cosize().isStatic() &&
      !line.getString("op")->starts_with("composed"))
    check("cosize", ours.getLayout().cosize().getValue());
  if (table)
    for (size_t i = 0; i < table->size(); ++i)
      if (ours.at(i) != *(*table)[i].getAsInteger()) {
        os << "value " << i << " is " << ours.at(i) << " instead of "
           << *(*table)[i].getAsInteger() << "; ";
        break;
      }
  if (const llvm::json::Array *coordinates = line.getArray("idx2crd"))
    for (size_t i = 0; i < coordinates->size(); ++i) {
      Result<IntTuple> expected =
          IntTuple::parse(*(*coordinates)[i].getAsString());
      Result<IntTuple> actual =
          idx2crd(IntTuple(int64_t(i)), ours.getLayout().getShape());
      if (!actual || *actual != *expected)
        os << "coordinate " << i << " is " << (actual ? actual->str() : "none")
           << " instead of " << expected->str() << "; ";
    }
  if (const llvm::json::Array *rows = line.getArray("grid"))
    for (size_t i = 0; i < rows->size(); ++i)
      for (size_t j = 0; j < (*rows)[i].getAsArray()->size(); ++j) {
        int64_t expected = *(*(*rows)[i].getAsArray())[j].getAsInteger();
        Result<IntTuple> actual =
            ours(IntTuple::constants({int64_t(i), int64_t(j)}));
        if (!actual || !actual->isStatic(expected))
          os << "value (" << i << ", " << j << ") is not " << expected << "; ";
      }
  return text;
}

std::string compareSwizzleTable(const Object &line, const IntTuple &numbers) {
  const llvm::json::Array *table = line.getArray("table");
  if (!table || *line.getString("op") != "swizzle")
    return "";
  Result<Swizzle> swizzle = Swizzle::get(numbers[0].getInt().getValue(),
                                         numbers[1].getInt().getValue(),
                                         numbers[2].getInt().getValue());
  for (size_t i = 0; i < table->size(); ++i)
    if (swizzle->at(i) != *(*table)[i].getAsInteger())
      return "value " + std::to_string(i) + " differs";
  return "";
}

bool sameFunction(const ComposedLayout &lhs, const ComposedLayout &rhs) {
  if (lhs.size() != rhs.size())
    return false;
  if (lhs.getLayout().hasBasis() || rhs.getLayout().hasBasis())
    return lhs == rhs;
  for (int64_t i = 0; i < lhs.size().getValue(); ++i)
    if (lhs.at(i) != rhs.at(i))
      return false;
  return true;
}

/// Run-time integers as symbols, whose values are put in afterwards. What is
/// not 1 is known not to be 1, as the reference takes it to be.
Result<Value> runSymbolic(const Object &line) {
  llvm::SmallVector<Int> values;
  Result<Value> result = runGolden(line, [&](int64_t value) {
    values.push_back(value);
    return Int::symbol(values.size() - 1, 1, std::min<int64_t>(value, 2));
  });
  if (!result)
    return result;
  if (result->layout)
    return Value(result->layout->substitute(values));
  return Value(result->tuple->substitute(values));
}

Outcome judgeRefused(const Object &line, const Result<Value> &ours) {
  if (!ours)
    return {Verdict::BothRefuse, ours.getReason()};
  bool defined =
      ours->layout && satisfiesDefinition(line, *ours->layout).value_or(false);
  return {defined ? Verdict::RefusedNeedlessly : Verdict::Different,
          "the reference refuses, we give " + ours->str()};
}

Outcome judge(const Object &line) {
  Result<Value> ours = runGolden(line, nullptr);
  if (!line.getBoolean("ok").value_or(true))
    return judgeRefused(line, ours);

  Result<Value> expected = readGolden(line);
  if (!ours) {
    // Justified only if the reference's result is no layout, or a wrong one.
    bool wrong = !expected || (expected->layout &&
                               satisfiesDefinition(line, *expected->layout) ==
                                   std::optional<bool>(false));
    return {wrong ? Verdict::AcceptedWrongly : Verdict::Different,
            ours.getReason()};
  }
  if (!expected)
    return {Verdict::Different,
            "cannot read the reference's result: " + expected.getReason() +
                ", we give " + ours->str()};
  std::string difference = ours->layout
                               ? comparePointwise(line, *ours->layout)
                               : compareSwizzleTable(line, *ours->tuple);
  if (hasRunTimeInteger(line)) {
    Result<Value> symbolic = runSymbolic(line);
    if (symbolic && symbolic->str() == expected->str())
      return {Verdict::Equal, ""};
    if (symbolic && symbolic->layout &&
        !sameFunction(*symbolic->layout, *expected->layout))
      return {Verdict::Different, "symbols give " + symbolic->str()};
    if (ours->str() == expected->str())
      return {Verdict::Equal, ""};
    if (ours->layout && sameFunction(*ours->layout, *expected->layout))
      return {Verdict::EqualFunction, "we give " + ours->str()};
    return {Verdict::Different, "we give " + ours->str()};
  }
  if (ours->layout &&
      satisfiesDefinition(line, *ours->layout) == std::optional<bool>(false))
    return {Verdict::Different,
            "our result breaks the definition: " + ours->str()};
  if (difference.empty() && ours->str() == expected->str())
    return {Verdict::Equal, ""};
  return {Verdict::Different, "we give " + ours->str() + "; " + difference};
}

std::string describe(const Object &line) {
  Object shown;
  for (const auto &entry : line)
    if (!llvm::is_contained({"table", "grid", "idx2crd"},
                            llvm::StringRef(entry.first)))
      shown[entry.first] = entry.second;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::json::Value(std::move(shown));
  return text;
}

/// What identifies a line in the list of exceptions.
std::string identify(const Object &line) {
  std::string text = line.getString("op")->str();
  if (const llvm::json::Array *inputs = line.getArray("inputs"))
    for (const llvm::json::Value &input : *inputs)
      text += " | " + input.getAsString()->str();
  if (std::optional<int64_t> count = line.getInteger("N"))
    text += " | " + std::to_string(*count);
  return text;
}

// TILE_GOLDEN_LAYOUTS names other data of the same schema; its exceptions then
// need not be listed, but each must still be proved by enumeration.
TEST(LayoutGolden, EveryLine) {
  bool other = false;
  std::vector<Object> lines =
      tile::test::readGolden("layouts.jsonl", "TILE_GOLDEN_LAYOUTS", &other);
  checkClasses("layouts", lines, other);
  std::map<std::string, std::string> listed;
  for (const Object &line :
       tile::test::readGolden("layouts-exceptions.jsonl", nullptr))
    listed[line.getString("line")->str()] = line.getString("verdict")->str();
  std::set<std::string> met;

  std::map<std::string, std::map<Verdict, unsigned>> counts;
  unsigned passed = 0;
  for (const Object &line : lines) {
    Outcome outcome = judge(line);
    ++counts[line.getString("op")->str()][outcome.verdict];
    bool exception = outcome.verdict == Verdict::AcceptedWrongly ||
                     outcome.verdict == Verdict::RefusedNeedlessly ||
                     outcome.verdict == Verdict::EqualFunction;
    bool good = outcome.verdict != Verdict::Different;
    if (!other) {
      auto entry = listed.find(identify(line));
      good &= exception ? entry != listed.end() &&
                              entry->second == toString(outcome.verdict)
                        : entry == listed.end();
      if (entry != listed.end())
        met.insert(entry->first);
    }
    passed += good;
    if (!good || std::getenv("TILE_GOLDEN_VERBOSE"))
      llvm::outs() << (good ? "note: " : "difference: ")
                   << toString(outcome.verdict) << ": " << identify(line)
                   << "\n  line: " << describe(line)
                   << "\n  ours: " << outcome.text << "\n";
  }
  for (const auto &[op, verdicts] : counts) {
    unsigned total = 0, different = 0;
    for (const auto &[verdict, count] : verdicts) {
      total += count;
      different += verdict == Verdict::Different ? count : 0;
    }
    llvm::outs() << op << ": " << total - different << " of " << total;
    for (const auto &[verdict, count] : verdicts)
      if (verdict != Verdict::Equal)
        llvm::outs() << ", " << count << " " << toString(verdict);
    llvm::outs() << "\n";
  }
  llvm::outs() << "golden layouts: " << passed << " of " << lines.size()
               << "\n";
  llvm::outs().flush();
  EXPECT_EQ(passed, lines.size());
  // An exception that is none any more hides the next one.
  if (!other)
    for (const auto &[line, verdict] : listed)
      EXPECT_TRUE(met.count(line)) << "listed, but no line: " << line;
}

} // namespace
