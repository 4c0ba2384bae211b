// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading golden data, and collecting what differs from it.
#ifndef TILE_TEST_UNIT_IR_GOLDENLINES_H
#define TILE_TEST_UNIT_IR_GOLDENLINES_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tile::test {

/// Differences of one line, one sentence each; none if it agrees.
using Differences = std::vector<std::string>;

/// The lines of a file of test/Inputs/golden, or of the file that the
/// environment variable names; `isOther` tells which.
std::vector<llvm::json::Object>
readGolden(const char *name, const char *variable, bool *isOther = nullptr);

/// Checks which lines a file (named without its ending) has: each of a class
/// that Inputs/golden/classes.jsonl names for it, and, in the file of the tree,
/// as many of each as it says there. A line that is lost, or that no test
/// knows, is a failure.
void checkClasses(const std::string &file,
                  llvm::ArrayRef<llvm::json::Object> lines,
                  bool isOther = false);

/// The lines of a file where the reference is wrong, with the reason:
/// FILE-exceptions.jsonl.
class GoldenExceptions {
public:
  /// Of other data nothing is listed, and nothing needs to be.
  GoldenExceptions(const std::string &file, bool isOther);

  /// Notes a difference where the list says something else of the line than
  /// `reason`, which is "" where we agree with the reference.
  void check(const std::string &line, const std::string &reason,
             Differences &differences);
  /// Fails for each entry of the list that is of no line.
  void expectNoneLeft() const;
  unsigned size() const { return count; }

private:
  std::map<std::string, std::string> listed;
  std::set<std::string> met;
  bool isOther;
  unsigned count = 0;
};

/// The numbers of a list, or of a list of lists one behind the other.
std::vector<int64_t> getNumbers(const llvm::json::Object &line,
                                llvm::StringRef key);

/// `[1, 2, 3]`, cut off behind 12 numbers.
std::string format(llvm::ArrayRef<int64_t> numbers);

/// Notes a difference where the line has the key and other numbers.
void compare(Differences &differences, const llvm::json::Object &line,
             llvm::StringRef key, llvm::ArrayRef<int64_t> ours);

/// The line without its long lists.
std::string describe(const llvm::json::Object &line);

/// The sentences, with `; ` between them.
std::string join(const Differences &differences);

/// The number, or the list of numbers, of a key as the IR writes it.
std::string writeNumber(const llvm::json::Object &line, llvm::StringRef key);
std::string writeList(const llvm::json::Object &line, llvm::StringRef key);

/// The attribute of a pitch-linear map. Pairs of the data are (contiguous,
/// strided); `contiguous` says which dimension of the tile that is. `coverage`
/// is put behind the last parameter.
std::string writeThreadMap(const llvm::json::Object &line, int64_t contiguous,
                           const std::string &coverage);

} // namespace tile::test

#endif // TILE_TEST_UNIT_IR_GOLDENLINES_H
