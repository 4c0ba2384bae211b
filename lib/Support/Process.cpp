// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals, standard output, exit codes and memory of the tools' process.
#include "Support/Process.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

using namespace tile;
using llvm::StringRef;

static const char *toolName = "tile";

const char *tile::getToolName() { return toolName; }

namespace {

/// A path to remove, or null. Entries are reused and never freed, because a
/// signal handler may walk the list at any time.
struct Unfinished {
  std::atomic<char *> path = nullptr;
  Unfinished *next = nullptr;
};

} // namespace

static std::atomic<Unfinished *> unfinished = nullptr;

void tile::removeOnInterrupt(const std::string &path) {
  char *copy = ::strdup(path.c_str());
  for (Unfinished *entry = unfinished; entry; entry = entry->next) {
    char *none = nullptr;
    if (entry->path.compare_exchange_strong(none, copy))
      return;
  }
  auto *entry = new Unfinished;
  entry->path = copy;
  entry->next = unfinished;
  while (!unfinished.compare_exchange_weak(entry->next, entry)) {
  }
}

void tile::keepOnInterrupt(const std::string &path) {
  for (Unfinished *entry = unfinished; entry; entry = entry->next) {
    char *known = entry->path;
    // The copy is not freed: a handler may be reading it.
    if (known && path == known)
      entry->path = nullptr;
  }
}

// From here on only calls that are safe in a signal handler.

void tile::removeUnfinished() {
  for (Unfinished *entry = unfinished; entry; entry = entry->next)
    if (char *path = entry->path)
      ::unlink(path);
}

static void printNow(const char *text) {
  if (::write(STDERR_FILENO, toolName, std::strlen(toolName)) < 0 ||
      ::write(STDERR_FILENO, text, std::strlen(text)) < 0) {
    // There is nobody left to tell.
  }
}

/// Ends the process by the signal, so that a shell's loop ends, too.
static void onEnd(int number) {
  removeUnfinished();
  ::signal(number, SIG_DFL);
  ::raise(number);
}

static void onInterrupt(int number) {
  printNow(": interrupted\n");
  onEnd(number);
}

/// Some libraries end the process after --help.
static void onExit() {
  if (int code = finishTool(Passed))
    ::_exit(code);
}

void tile::startTool(const char *tool) {
  toolName = tool;
  // Standard output is made before the handler is, so that it is there yet when
  // the handler runs.
  llvm::outs();
  std::atexit(onExit);
  // A closed descriptor would be the number of the next file, and what is
  // printed would end there. Written to, these say "bad file descriptor".
  for (int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) < 0 && errno == EBADF)
      ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  // A closed pipe, and a bound on the size of files, are errors of the write.
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  struct sigaction action = {};
  action.sa_handler = onInterrupt;
  // A second signal waits until the files are gone.
  sigfillset(&action.sa_mask);
  for (int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old;
    if (!::sigaction(number, nullptr, &old) && old.sa_handler != SIG_IGN)
      ::sigaction(number, &action, nullptr);
  }
}

int tile::failTool(const llvm::Twine &sentence, int code) {
  llvm::outs().flush();
  llvm::errs() << toolName << ": " << sentence << "\n";
  return code;
}

int tile::finishTool(int code) {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  if (!error)
    return code;
  llvm::outs().clear_error();
  return failTool("standard output cannot be written: " +
                  describeErrno(error.value()));
}

std::string tile::describeErrno(int number) {
  std::string text = std::generic_category().message(number);
  text[0] = llvm::toLower(text[0]);
  return text;
}

/// A number of bytes in a file of the system, such as a control group's.
static std::optional<int64_t> readNumber(const char *path) {
  // Of files in /proc and /sys the size is not known before.
  auto buffer = llvm::MemoryBuffer::getFileAsStream(path);
  int64_t number;
  if (!buffer || (*buffer)->getBuffer().trim().getAsInteger(10, number))
    return std::nullopt;
  return number;
}

static std::optional<int64_t> readAvailable() {
  auto buffer = llvm::MemoryBuffer::getFileAsStream("/proc/meminfo");
  if (!buffer)
    return std::nullopt;
  StringRef text = (*buffer)->getBuffer();
  size_t at = text.find("MemAvailable:");
  int64_t kilobytes;
  if (at == StringRef::npos ||
      text.drop_front(at + 13).ltrim().consumeInteger(10, kilobytes))
    return std::nullopt;
  return kilobytes * 1024;
}

std::optional<int64_t> tile::findFreeMemory() {
  std::optional<int64_t> least = readAvailable();
  auto bound = [&](int64_t bytes) {
    least = std::min(least.value_or(bytes), std::max<int64_t>(bytes, 0));
  };
  if (auto most = readNumber("/sys/fs/cgroup/memory.max"))
    if (auto used = readNumber("/sys/fs/cgroup/memory.current"))
      bound(*most - *used);
  struct rlimit limit;
  if (!::getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY)
    bound(static_cast<int64_t>(limit.rlim_cur));
  return least;
}

std::string tile::formatBytes(double bytes) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (bytes < 1e3)
    out << llvm::format("%.0f bytes", bytes);
  else if (bytes < 1e6)
    out << llvm::format("%.1f kB", bytes / 1e3);
  else if (bytes < 1e9)
    out << llvm::format("%.1f MB", bytes / 1e6);
  else
    out << llvm::format("%.1f GB", bytes / 1e9);
  return text;
}
