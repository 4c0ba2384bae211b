// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads whole files, pipes and standard input.
#include "Support/InputFile.h"

#include "Support/Process.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tile;
using llvm::StringRef;
using llvm::Twine;

static Reason cannotRead() {
  return Reason("cannot be read: " + describeErrno(errno));
}

InputFile::~InputFile() {
  if (descriptor > STDERR_FILENO)
    ::close(descriptor);
}

Result<InputFile> InputFile::open(StringRef path) {
  InputFile file;
  file.descriptor = path == "-"
                        ? STDIN_FILENO
                        : ::open(path.str().c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file.descriptor < 0 || ::fstat(file.descriptor, &status))
    return cannotRead();
  if (S_ISDIR(status.st_mode))
    return Reason("cannot be read: is a directory");
  // Files of /proc say 0.
  if (S_ISREG(status.st_mode) && status.st_size > 0)
    file.size = status.st_size - ::lseek(file.descriptor, 0, SEEK_CUR);
  return file;
}

Result<int64_t> InputFile::read(char *target, int64_t bytes) {
  // Linux reads 2 GiB at most at once.
  constexpr int64_t most = int64_t(1) << 30;
  int64_t done = 0;
  while (done < bytes) {
    ssize_t count =
        ::read(descriptor, target + done, std::min(bytes - done, most));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return cannotRead();
    if (count == 0)
      break;
    done += count;
  }
  return done;
}

Result<std::unique_ptr<llvm::MemoryBuffer>>
tile::readFile(StringRef path, int64_t mostBytes) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.takeReason();
  Reason tooLong("expected a file of at most " +
                 formatBytes(double(mostBytes)) + ", but got " +
                 (file->getSize() ? formatBytes(double(*file->getSize()))
                                  : std::string("more")));
  if (file->getSize().value_or(0) > mostBytes)
    return tooLong;
  // One byte more than there should be, to see the end.
  std::string bytes;
  int64_t room = file->getSize().value_or(1 << 16) + 1, done = 0;
  while (true) {
    bytes.resize(room);
    Result<int64_t> count = file->read(bytes.data() + done, room - done);
    if (!count)
      return count.takeReason();
    done += *count;
    if (done < room)
      break;
    if (done > mostBytes)
      return tooLong;
    room = std::min(2 * room, mostBytes + 1);
  }
  bytes.resize(done);
  // Notes of a diagnostic print the name as it is, unlike its first line.
  return llvm::MemoryBuffer::getMemBufferCopy(bytes,
                                              path == "-" ? "<stdin>" : path);
}
