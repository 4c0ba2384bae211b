// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tools' dealings with the process: signals, standard output, exit codes.
#ifndef TILE_LIB_SUPPORT_PROCESS_H
#define TILE_LIB_SUPPORT_PROCESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <cstdint>
#include <optional>
#include <string>

namespace tile {

/// Exit codes of every tool: success; a check or a measurement that found
/// something wrong; any other failure, with one sentence on stderr.
enum ExitCode { Passed = 0, CheckFailed = 1, Failed = 2 };

/// Call first in `main`. Opens what is closed of standard input, output and
/// error, so that no file gets their numbers; makes a closed pipe an error of
/// the write instead of a signal; and makes an interrupt, also a second one,
/// remove unfinished files.
void startTool(const char *tool);

/// Call last in `main`: writes out what is left for standard output, and turns
/// a failure to do so into a sentence and `Failed`.
int finishTool(int code);

/// Prints "tool: sentence" on stderr, after what stands on standard output.
int failTool(const llvm::Twine &sentence, int code = Failed);

/// The name that `startTool` was given.
const char *getToolName();

/// Removes a file when the process is interrupted, until `keepOnInterrupt`.
void removeOnInterrupt(const std::string &path);
void keepOnInterrupt(const std::string &path);

/// Removes those files now, for who ends the process in another way. Safe in a
/// signal handler.
void removeUnfinished();

/// An error number in words, as they stand in a sentence: "is a directory".
std::string describeErrno(int number);

/// Bytes of memory that this process can still get; nothing where that is not
/// known.
std::optional<int64_t> findFreeMemory();

/// A number of bytes for people: "23.7 GB".
std::string formatBytes(double bytes);

} // namespace tile

#endif // TILE_LIB_SUPPORT_PROCESS_H
