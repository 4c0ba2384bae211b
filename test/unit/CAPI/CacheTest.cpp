// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder of artifacts: hits, keys, damage, bounds, processes, faults.
#include "Handles.h"

#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {
/// A folder that goes with the test.
struct Folder {
  Folder() {
    std::string pattern = testing::TempDir() + "/tile-cache-XXXXXX";
    path = mkdtemp(pattern.data());
  }
  ~Folder() {
    for (const std::string &name : list())
      unlink((path + "/" + name).c_str());
    rmdir(path.c_str());
  }
  std::vector<std::string> list() const {
    std::vector<std::string> names;
    if (DIR *folder = opendir(path.c_str())) {
      while (dirent *entry = readdir(folder))
        if (entry->d_name[0] != '.')
          names.push_back(entry->d_name);
      closedir(folder);
    }
    return names;
  }
  std::string path;
};
} // namespace

static std::string readAll(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// The extents of row number `i` make a problem of its own.
static std::string makeText(int i) {
  std::string mat = "memref<" + std::to_string(i + 1) + "x64xf32>";
  return "func.func @gemm(%A: " + mat + ", %B: memref<64x64xf32>, %D: " + mat +
         ") {\n  tile.gemm ins(%A, %B : " + mat + ", memref<64x64xf32>) outs(" +
         "%D : " + mat + ")\n  return\n}\n";
}

static TileStatus compile(Owned &owned, const std::string &text,
                          const TileCompileOptions &options,
                          std::string *bytes = nullptr) {
  EXPECT_EQ(owned.parse(text), TILE_SUCCESS);
  TileStatus status = tileCompile(owned.module, &options, &owned.artifact);
  const void *data = nullptr;
  size_t size = 0;
  if (status == TILE_SUCCESS && bytes) {
    tileArtifactGetData(owned.artifact, &data, &size);
    bytes->assign(static_cast<const char *>(data), size);
  }
  return status;
}

static std::string compileOrFail(const std::string &text,
                                 const TileCompileOptions &options) {
  Owned owned;
  std::string bytes;
  EXPECT_EQ(compile(owned, text, options, &bytes), TILE_SUCCESS)
      << tileGetLastError();
  EXPECT_TRUE(owned.getDiagnostics().empty());
  return bytes;
}

TEST(Cache, GivesWhatWasCompiled) {
  Folder folder;
  TileCompileOptions options = {};
  std::string plain = compileOrFail(makeText(3), options);
  options.cache = folder.path.c_str();
  EXPECT_EQ(compileOrFail(makeText(3), options), plain);
  std::vector<std::string> names = folder.list();
  ASSERT_EQ(names.size(), 1u);
  EXPECT_EQ(readAll(folder.path + "/" + names[0]), plain);
  // What is there is taken and not made again: even where nothing may be made.
  options.cacheOnly = 1;
  EXPECT_EQ(compileOrFail(makeText(3), options), plain);
}

TEST(Cache, TellsApartWhatDecides) {
  Folder folder;
  TileCompileOptions options = {};
  options.cache = folder.path.c_str();
  options.chip = "sm_80";
  compileOrFail(makeText(3), options);
  auto isNew = [&](const TileCompileOptions &changed, int text = 3) {
    TileCompileOptions only = changed;
    only.cacheOnly = 1;
    Owned owned;
    return compile(owned, makeText(text), only) == TILE_NOT_FOUND;
  };
  EXPECT_FALSE(isNew(options));
  EXPECT_TRUE(isNew(options, 4));
  TileCompileOptions changed = options;
  changed.chip = "sm_90a";
  EXPECT_TRUE(isNew(changed));
  changed = options;
  changed.withoutSimulator = 1;
  EXPECT_TRUE(isNew(changed));
  changed = options;
  changed.withoutPTX = 1;
  EXPECT_TRUE(isNew(changed));
  changed = options;
  changed.countAccesses = 1;
  EXPECT_TRUE(isNew(changed));
  changed = options;
  changed.schedule =
      "#tile.simt<tile = [64, 64, 8], warps = [2, 2], thread = [4, 8]>";
  EXPECT_TRUE(isNew(changed));
  // The name of the file is in what the simulator reports.
  Owned owned;
  options.cacheOnly = 1;
  std::string text = makeText(3);
  ASSERT_EQ(tileModuleParse(owned.context, text.data(), text.size(), "other",
                            &owned.module),
            TILE_SUCCESS);
  EXPECT_EQ(tileCompile(owned.module, &options, &owned.artifact),
            TILE_NOT_FOUND);
  EXPECT_TRUE(std::strstr(tileGetLastError(), "compiled already"));
  options.cache = nullptr;
  EXPECT_EQ(tileCompile(owned.module, &options, &owned.artifact),
            TILE_INVALID_ARGUMENT);
}

TEST(Cache, MakesDamagedFilesAnew) {
  Folder folder;
  TileCompileOptions options = {};
  options.cache = folder.path.c_str();
  std::string plain = compileOrFail(makeText(3), options);
  std::string path = folder.path + "/" + folder.list().at(0);
  auto damage = [&](const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_EQ(compileOrFail(makeText(3), options), plain);
    EXPECT_EQ(readAll(path), plain);
  };
  damage("");
  damage(plain.substr(0, plain.size() / 2));
  std::string flipped = plain;
  flipped[flipped.size() / 2] ^= 1;
  damage(flipped);
  // One that others may write to is not trusted either.
  std::ofstream(path, std::ios::binary) << plain;
  chmod(path.c_str(), 0666);
  options.cacheOnly = 1;
  Owned owned;
  EXPECT_EQ(compile(owned, makeText(3), options), TILE_NOT_FOUND);
}

TEST(Cache, HoldsNoMoreThanItMay) {
  Folder folder;
  TileCompileOptions options = {};
  options.cache = folder.path.c_str();
  options.withoutSimulator = 1;
  size_t one = compileOrFail(makeText(0), options).size();
  options.cacheBytes = static_cast<int64_t>(one * 5 / 2);
  for (int i = 1; i < 6; ++i)
    compileOrFail(makeText(i), options);
  EXPECT_LE(folder.list().size(), 3u);
  EXPECT_GE(folder.list().size(), 1u);
}

TEST(Cache, FaultsAreWarnings) {
  // A folder that cannot be made; a disk that is full in the middle of a file.
  TileCompileOptions options = {};
  options.cache = "/dev/null/cache";
  Owned owned;
  EXPECT_EQ(compile(owned, makeText(3), options), TILE_SUCCESS);
  std::vector<TileDiagnostic> all = owned.getDiagnostics();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].severity, TILE_WARNING);
  EXPECT_TRUE(std::strstr(all[0].message, "/dev/null/cache")) << all[0].message;

  Folder folder;
  options.cache = folder.path.c_str();
  pid_t child = fork();
  if (child == 0) {
    rlimit limit{1000, 1000};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    Owned own;
    bool fine = compile(own, makeText(3), options) == TILE_SUCCESS &&
                own.getDiagnostics().size() == 1;
    _exit(fine ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  // Nothing is left of it.
  EXPECT_TRUE(folder.list().empty());
}

TEST(Cache, KeepsNothingThatHadSomethingToSay) {
  Folder folder;
  TileCompileOptions options = {};
  options.cache = folder.path.c_str();
  options.remarks = 1;
  for (int i = 0; i < 2; ++i) {
    Owned owned;
    EXPECT_EQ(compile(owned, makeText(3), options), TILE_SUCCESS);
    EXPECT_FALSE(owned.getDiagnostics().empty());
  }
  EXPECT_TRUE(folder.list().empty());
}

TEST(Cache, ServesManyProcesses) {
  constexpr int kProcesses = 16, kKeys = 8;
  Folder folder;
  TileCompileOptions options = {};
  options.withoutSimulator = 1;
  std::vector<std::string> expected;
  for (int key = 0; key < kKeys; ++key)
    expected.push_back(compileOrFail(makeText(key), options));
  options.cache = folder.path.c_str();
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    pid_t child = fork();
    if (child == 0) {
      bool fine = true;
      for (int key = 0; key < kKeys; ++key) {
        Owned own;
        std::string bytes;
        int turned = (key + i) % kKeys;
        fine &=
            compile(own, makeText(turned), options, &bytes) == TILE_SUCCESS &&
            bytes == expected[turned] && own.getDiagnostics().empty();
      }
      _exit(fine ? 0 : 1);
    }
    children.push_back(child);
    // One dies at whatever it is about.
    if (i == 3)
      kill(child, SIGKILL);
  }
  for (size_t i = 0; i < children.size(); ++i) {
    int status = 0;
    waitpid(children[i], &status, 0);
    EXPECT_TRUE(i == 3 || status == 0) << i;
  }
  int whole = 0;
  for (const std::string &name : folder.list())
    whole += name.size() > 5 && name.substr(name.size() - 5) == ".tile";
  EXPECT_EQ(whole, kKeys);
}
