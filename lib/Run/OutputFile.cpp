// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic output files: a temporary file beside the target, renamed into place.
#include "OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace tile;
using llvm::StringRef;

static std::string describe(std::error_code code) {
  std::string why = code.message();
  why[0] = llvm::toLower(why[0]);
  return "cannot be written: " + why;
}

static std::error_code lastError() {
  return std::error_code(errno, std::generic_category());
}

OutputFile::OutputFile(OutputFile &&other)
    : path(std::move(other.path)), target(std::move(other.target)),
      temporary(std::move(other.temporary)), descriptor(other.descriptor) {
  other.temporary.clear();
  other.descriptor = -1;
}

OutputFile::~OutputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (!temporary.empty()) {
    llvm::sys::fs::remove(temporary);
    llvm::sys::DontRemoveFileOnSignal(temporary);
  }
}

Result<OutputFile> OutputFile::create(StringRef path) {
  OutputFile file;
  file.path = path.str();
  file.target = file.path;
  llvm::sys::fs::file_status status;
  bool exists =
      !llvm::sys::fs::status(path, status) && llvm::sys::fs::exists(status);
  if (exists) {
    if (llvm::sys::fs::is_directory(status))
      return Reason("cannot be written: is a directory");
    if (::access(file.path.c_str(), W_OK))
      return Reason(describe(lastError()));
    llvm::SmallString<128> real;
    if (!llvm::sys::fs::real_path(path, real))
      file.target = real.str().str();
    if (!llvm::sys::fs::is_regular_file(status)) {
      file.descriptor = ::open(file.path.c_str(), O_WRONLY | O_CLOEXEC);
      if (file.descriptor < 0)
        return Reason(describe(lastError()));
      return file;
    }
  }
  // Another process may be at work on the same path.
  for (int attempt = 0; file.descriptor < 0; ++attempt) {
    file.temporary = file.target + ".tmp" + std::to_string(::getpid()) +
                     (attempt ? "-" + std::to_string(attempt) : "");
    file.descriptor = ::open(file.temporary.c_str(),
                             O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file.descriptor >= 0 || (errno == EEXIST && attempt < 100))
      continue;
    std::string reason = describe(lastError());
    file.temporary.clear();
    return Reason(reason);
  }
  llvm::sys::RemoveFileOnSignal(file.temporary);
  return file;
}

std::optional<std::string> OutputFile::write(StringRef bytes) {
  {
    llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true,
                                /*unbuffered=*/true);
    descriptor = -1;
    stream << bytes;
    stream.close();
    if (stream.has_error()) {
      std::string reason = describe(stream.error());
      stream.clear_error();
      return reason;
    }
  }
  if (temporary.empty())
    return std::nullopt;
  if (std::error_code code = llvm::sys::fs::rename(temporary, target))
    return describe(code);
  llvm::sys::DontRemoveFileOnSignal(temporary);
  temporary.clear();
  return std::nullopt;
}
