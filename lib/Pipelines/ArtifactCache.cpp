// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps artifacts in a folder, under the hash of what they are made from.
#include "ArtifactCache.h"

#include "Support/InputFile.h"
#include "Support/OutputFile.h"
#include "tile/Target/Cubin.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

#include <ctime>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir;
using namespace tile;

namespace {
struct BuildIdSearch {
  uintptr_t address;
  std::string id;
};
} // namespace

/// Reads the build id from the notes at `begin`.
static std::string readBuildId(const char *begin, size_t size) {
  auto align = [](size_t n) { return (n + 3) & ~size_t(3); };
  for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    const auto *note = reinterpret_cast<const ElfW(Nhdr) *>(begin + at);
    const char *name = begin + at + sizeof(*note);
    const char *value = name + align(note->n_namesz);
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
        StringRef(name, 3) == "GNU")
      return std::string(value, note->n_descsz);
    at += sizeof(*note) + align(note->n_namesz) + align(note->n_descsz);
  }
  return "";
}

/// The build id of the program or library that this function is in; "" if its
/// linker gave it none. It tells compilers apart whose version is the same.
static std::string findBuildId() {
  BuildIdSearch search{reinterpret_cast<uintptr_t>(&findBuildId), ""};
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *data) {
        auto &search = *static_cast<BuildIdSearch *>(data);
        bool isHere = false;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr) &part = info->dlpi_phdr[i];
          uintptr_t begin = info->dlpi_addr + part.p_vaddr;
          isHere |= part.p_type == PT_LOAD && search.address >= begin &&
                    search.address - begin < part.p_memsz;
        }
        for (int i = 0; isHere && i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr) &part = info->dlpi_phdr[i];
          if (part.p_type == PT_NOTE && search.id.empty())
            search.id = readBuildId(
                reinterpret_cast<const char *>(info->dlpi_addr + part.p_vaddr),
                part.p_memsz);
        }
        return isHere ? 1 : 0;
      },
      &search);
  return search.id;
}

/// Which ptxas would run: its path, size and time.
static std::string describePtxas() {
  std::optional<std::string> path = findPtxas();
  struct stat info;
  if (!path || ::stat(path->c_str(), &info))
    return "none";
  return *path + " " + std::to_string(info.st_size) + " " +
         std::to_string(info.st_mtime);
}

Result<ArtifactCache> ArtifactCache::find(ModuleOp module,
                                          const CompileOptions &options) {
  std::string build = findBuildId();
  if (build.empty())
    return Reason("expected a build id in the program (--build-id of its "
                  "linker), which tells one compiler from the next");
  std::string table;
  if (!options.tuningTable.empty()) {
    Result<std::unique_ptr<llvm::MemoryBuffer>> file =
        readFile(options.tuningTable);
    if (!file)
      return Reason(options.tuningTable + ": " + file.getReason());
    table = (*file)->getBuffer().str();
  }
  std::string ptxas = options.cubin ? describePtxas() : "";
  std::string text;
  llvm::raw_string_ostream stream(text);
  // Places are part of an artifact: reports name them.
  module->print(stream, OpPrintingFlags().enableDebugInfo().assumeVerified());
  llvm::SHA256 hash;
  for (StringRef part :
       {StringRef(build), StringRef(options.chip), StringRef(options.schedule),
        StringRef(table), StringRef(options.ptx ? "ptx" : ""),
        StringRef(options.simulator ? "sim" : ""),
        StringRef(options.count ? "count" : ""), StringRef(ptxas),
        StringRef(text)}) {
    // With its length, so that no part runs into the next.
    hash.update(std::to_string(part.size()) + ":");
    hash.update(part);
  }
  ArtifactCache cache;
  cache.directory = options.cacheDirectory;
  cache.mostBytes = options.cacheBytes;
  cache.path = cache.directory + "/" +
               llvm::toHex(hash.final(), /*LowerCase=*/true) + ".tile";
  return cache;
}

std::optional<std::string> ArtifactCache::read() const {
  struct stat info;
  if (::lstat(path.c_str(), &info) || !S_ISREG(info.st_mode) ||
      info.st_uid != ::geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)))
    return std::nullopt;
  Result<std::unique_ptr<llvm::MemoryBuffer>> file = readFile(path);
  if (!file)
    return std::nullopt;
  std::string bytes = (*file)->getBuffer().str();
  llvm::Expected<ArtifactView> view = parseArtifact(bytes);
  if (!view) {
    llvm::consumeError(view.takeError());
    return std::nullopt;
  }
  // What was used last goes last.
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return bytes;
}

namespace {
struct CacheFile {
  std::string path;
  int64_t bytes;
  time_t used;
};
} // namespace

/// Removes the oldest files of a folder until it has at most `mostBytes`, and
/// what a process left that ended in the middle of a write an hour ago.
static void trim(const std::string &directory, int64_t mostBytes) {
  std::vector<CacheFile> files;
  int64_t total = 0;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(directory, error), end;
       at != end && !error; at.increment(error)) {
    struct stat info;
    if (::lstat(at->path().c_str(), &info) || !S_ISREG(info.st_mode))
      continue;
    StringRef name = llvm::sys::path::filename(at->path());
    if (name.contains(".tile.tmp") && info.st_mtime + 3600 < ::time(nullptr))
      ::unlink(at->path().c_str());
    if (!name.ends_with(".tile"))
      continue;
    files.push_back({at->path(), info.st_size, info.st_mtime});
    total += info.st_size;
  }
  llvm::sort(files, [](const CacheFile &a, const CacheFile &b) {
    return std::tie(a.used, a.path) < std::tie(b.used, b.path);
  });
  for (const CacheFile &file : files) {
    if (total <= mostBytes)
      break;
    ::unlink(file.path.c_str());
    total -= file.bytes;
  }
}

std::optional<std::string> ArtifactCache::write(llvm::StringRef bytes) const {
  if (std::error_code error = llvm::sys::fs::create_directories(
          directory, /*IgnoreExisting=*/true, llvm::sys::fs::owner_all))
    return directory + ": " + error.message();
  // What is in the way is damaged or another user's, and keeps its mode if it
  // stays.
  ::unlink(path.c_str());
  if (std::optional<std::string> reason = writeFile(path, bytes))
    return reason;
  ::chmod(path.c_str(), S_IRUSR | S_IWUSR);
  trim(directory, mostBytes);
  return std::nullopt;
}
