// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic output files: a temporary file beside the target, renamed into place.
#include "Support/OutputFile.h"

#include "Support/Process.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tile;
using llvm::StringRef;

/// Why the last call failed.
static std::string describeError() {
  return "cannot be written: " + describeErrno(errno);
}

OutputFile::OutputFile(OutputFile &&other)
    : path(std::move(other.path)), target(std::move(other.target)),
      temporary(std::move(other.temporary)), descriptor(other.descriptor) {
  other.temporary.clear();
  other.descriptor = -1;
}

OutputFile::~OutputFile() {
  if (descriptor > STDERR_FILENO)
    ::close(descriptor);
  if (!temporary.empty()) {
    ::unlink(temporary.c_str());
    keepOnInterrupt(temporary);
  }
}

/// Gives the new file the mode and the owner of the one that it replaces. Where
/// the user may not give it away it stays the user's.
static void copyOwnership(int descriptor, const struct stat &old) {
  struct stat mine;
  if (::fstat(descriptor, &mine))
    return;
  mode_t mode = old.st_mode & 07777;
  if ((mine.st_uid != old.st_uid || mine.st_gid != old.st_gid) &&
      ::fchown(descriptor, old.st_uid, old.st_gid) &&
      ::fchown(descriptor, static_cast<uid_t>(-1), old.st_gid))
    mode &= 0777;
  if (::fchmod(descriptor, mode))
    return; // Such as on a file system without modes.
}

std::optional<std::string> OutputFile::open() {
  struct stat old;
  bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode))
    return "cannot be written: is a directory";
  if (exists && ::access(path.c_str(), W_OK))
    return describeError();
  llvm::SmallString<128> real;
  if (exists && !llvm::sys::fs::real_path(path, real))
    target = real.str().str();
  if (exists && !S_ISREG(old.st_mode)) {
    descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    return descriptor < 0 ? std::optional(describeError()) : std::nullopt;
  }
  // Another process may be at work on the same path.
  for (int attempt = 0; descriptor < 0; ++attempt) {
    temporary = target + ".tmp" + std::to_string(::getpid()) +
                (attempt ? "-" + std::to_string(attempt) : "");
    removeOnInterrupt(temporary);
    descriptor = ::open(temporary.c_str(),
                        O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0)
      break;
    std::string reason = describeError();
    bool again = errno == EEXIST && attempt < 100;
    keepOnInterrupt(temporary);
    temporary.clear();
    if (!again)
      return reason;
  }
  if (exists)
    copyOwnership(descriptor, old);
  return std::nullopt;
}

Result<OutputFile> OutputFile::create(StringRef path) {
  OutputFile file;
  file.path = path.str();
  file.target = file.path;
  if (path == "-") {
    file.descriptor = STDOUT_FILENO;
    return file;
  }
  if (std::optional<std::string> reason = file.open())
    return Reason(*reason);
  return file;
}

std::optional<std::string> OutputFile::append(StringRef bytes) {
  // Linux writes 2 GiB at most at once.
  constexpr size_t most = size_t(1) << 30;
  while (!bytes.empty()) {
    ssize_t written =
        ::write(descriptor, bytes.data(), std::min(bytes.size(), most));
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return describeError();
    bytes = bytes.drop_front(static_cast<size_t>(written));
  }
  return std::nullopt;
}

std::optional<std::string> OutputFile::commit() {
  int open = descriptor;
  descriptor = -1;
  // Some file systems say only here that the disk is full.
  if (open > STDERR_FILENO && ::close(open))
    return describeError();
  if (temporary.empty())
    return std::nullopt;
  if (::rename(temporary.c_str(), target.c_str()))
    return describeError();
  keepOnInterrupt(temporary);
  temporary.clear();
  return std::nullopt;
}

std::optional<std::string> OutputFile::write(StringRef bytes) {
  if (std::optional<std::string> reason = append(bytes))
    return reason;
  return commit();
}

std::optional<std::string> tile::writeFile(StringRef path, StringRef bytes) {
  Result<OutputFile> file = OutputFile::create(path);
  std::optional<std::string> reason =
      file ? file->write(bytes) : file.getReason();
  if (reason)
    return (path + ": " + *reason).str();
  return std::nullopt;
}

bool tile::isSameFile(StringRef a, StringRef b) {
  struct stat first, second;
  return !::stat(a.str().c_str(), &first) &&
         !::stat(b.str().c_str(), &second) && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

FileLock::~FileLock() {
  if (descriptor >= 0)
    ::close(descriptor);
}

Result<FileLock> FileLock::acquire(StringRef path) {
  std::string name = path.str();
  while (true) {
    FileLock lock(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (lock.descriptor < 0)
      return Reason(describeError());
    while (::flock(lock.descriptor, LOCK_EX))
      if (errno != EINTR)
        return Reason(describeError());
    // While this process waited, another one may have put a new file there.
    struct stat mine, current;
    if (::fstat(lock.descriptor, &mine))
      return Reason(describeError());
    if (!::stat(name.c_str(), &current) && mine.st_ino == current.st_ino &&
        mine.st_dev == current.st_dev)
      return lock;
  }
}
