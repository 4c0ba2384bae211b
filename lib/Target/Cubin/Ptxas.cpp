// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds ptxas and runs it on PTX text.

#include "tile/Target/Cubin.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace tile;

/// The value of an environment variable, nothing when unset or empty.
static std::optional<std::string> environment(const char *name) {
  const char *value = std::getenv(name);
  if (!value || !*value)
    return std::nullopt;
  return std::string(value);
}

std::vector<std::string> tile::cudaToolkitDirectories() {
  std::vector<std::string> directories;
  for (const char *name : {"CUDA_HOME", "CUDA_PATH"})
    if (std::optional<std::string> value = environment(name))
      directories.push_back(*value);
  directories.push_back("/usr/local/cuda");
  return directories;
}

std::optional<std::string> tile::findPtxas() {
  if (std::optional<std::string> chosen = environment("TILE_PTXAS")) {
    if (llvm::sys::fs::can_execute(*chosen))
      return chosen;
    return std::nullopt;
  }
  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  for (const std::string &directory : cudaToolkitDirectories()) {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, "bin", "ptxas");
    if (llvm::sys::fs::can_execute(path))
      return path.str().str();
  }
  return std::nullopt;
}

static llvm::Error makeError(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

static std::string readAll(llvm::StringRef path) {
  if (auto buffer = llvm::MemoryBuffer::getFile(path))
    return (*buffer)->getBuffer().str();
  return {};
}

/// Makes an empty temporary file and returns its path.
static llvm::Expected<std::string> makeTemporary(llvm::StringRef suffix) {
  llvm::SmallString<128> path;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("tile", suffix, path))
    return makeError("cannot write a temporary file for ptxas: " +
                     error.message());
  return path.str().str();
}

llvm::Expected<CubinResult> tile::assemblePTX(llvm::StringRef ptx,
                                              llvm::StringRef chip,
                                              const CubinOptions &options) {
  std::string program = options.ptxas;
  if (program.empty()) {
    std::optional<std::string> found = findPtxas();
    if (!found) {
      std::optional<std::string> chosen = environment("TILE_PTXAS");
      if (chosen)
        return makeError(
            "expected TILE_PTXAS to name an executable, but got '" + *chosen +
            "'");
      return makeError("expected ptxas of a CUDA toolkit to make a cubin, but "
                       "found none in TILE_PTXAS, PATH, CUDA_HOME, CUDA_PATH "
                       "or /usr/local/cuda");
    }
    program = *found;
  }

  std::vector<std::string> temporaries;
  llvm::scope_exit cleanup([&] {
    for (const std::string &path : temporaries)
      llvm::sys::fs::remove(path);
  });
  for (const char *suffix : {"ptx", "cubin", "log"}) {
    llvm::Expected<std::string> path = makeTemporary(suffix);
    if (!path)
      return path.takeError();
    temporaries.push_back(*path);
  }
  const std::string &input = temporaries[0], &output = temporaries[1],
                    &logFile = temporaries[2];
  {
    std::error_code error;
    llvm::raw_fd_ostream stream(input, error);
    stream << ptx;
    stream.close();
    if (error || stream.has_error()) {
      stream.clear_error();
      return makeError("cannot write PTX to '" + input + "'");
    }
  }

  std::string arch = ("-arch=" + chip).str();
  std::string level = "-O" + std::to_string(options.optLevel);
  std::vector<llvm::StringRef> arguments{program, "-v", arch,  level,
                                         input,   "-o", output};
  if (options.debugLineInfo)
    arguments.push_back("-lineinfo");
  std::optional<llvm::StringRef> redirects[] = {
      llvm::StringRef(), llvm::StringRef(logFile), llvm::StringRef(logFile)};
  std::string failure;
  int code = llvm::sys::ExecuteAndWait(program, arguments, std::nullopt,
                                       redirects, 0, 0, &failure);
  std::string log = readAll(logFile);
  if (code != 0) {
    std::string reason = failure.empty() ? log : failure;
    return makeError("ptxas ('" + program + "') ended with code " +
                     llvm::Twine(code) + " for " + chip + ": " +
                     llvm::StringRef(reason).trim());
  }

  CubinResult result;
  result.cubin = readAll(output);
  parsePtxasLog(log, result.kernels, result.warnings);
  return result;
}
