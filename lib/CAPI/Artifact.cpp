// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C API: what a compiled artifact holds.
#include "Handles.h"

#include "Support/OutputFile.h"
#include "tile/Target/Artifact.h"

#include "llvm/ADT/STLExtras.h"

using namespace tile::capi;
using llvm::StringRef;

TileStatus tile::capi::createArtifact(std::string bytes,
                                      TileArtifact *artifact) {
  auto result = std::make_unique<TileArtifactImpl>();
  result->bytes = std::move(bytes);
  llvm::Expected<tile::ArtifactView> view = tile::parseArtifact(result->bytes);
  if (!view)
    return fail(TILE_COMPILE_ERROR, llvm::toString(view.takeError()));
  // PTX is text to callers, who count on the NUL behind it.
  result->ptx = view->ptx.rtrim('\0').str();
  if (const llvm::json::Array *kernels = view->manifest.getArray("kernels"))
    for (const llvm::json::Value &kernel : *kernels)
      if (const llvm::json::Object *object = kernel.getAsObject())
        result->kernels.push_back(object->getString("name").value_or("").str());
  *artifact = result.release();
  return TILE_SUCCESS;
}

void tileArtifactDestroy(TileArtifact artifact) { delete artifact; }

TileStatus tileArtifactGetData(TileArtifact artifact, const void **data,
                               size_t *size) {
  if (!artifact)
    return failNull("tileArtifactGetData", "an artifact");
  if (!data || !size)
    return failNull("tileArtifactGetData", "places for the bytes and the size");
  *data = artifact->bytes.data();
  *size = artifact->bytes.size();
  return TILE_SUCCESS;
}

TileStatus tileArtifactSave(TileArtifact artifact, const char *path) {
  if (!artifact)
    return failNull("tileArtifactSave", "an artifact");
  if (!path)
    return failNull("tileArtifactSave", "a path");
  if (!*path || StringRef(path) == "-")
    return fail(TILE_INVALID_ARGUMENT,
                "expected the path of a file, but got '" + std::string(path) +
                    "'");
  if (std::optional<std::string> reason =
          tile::writeFile(path, artifact->bytes))
    return fail(TILE_IO_ERROR, std::move(*reason));
  return TILE_SUCCESS;
}

int32_t tileArtifactGetKernelCount(TileArtifact artifact) {
  return artifact ? static_cast<int32_t>(artifact->kernels.size()) : 0;
}

const char *tileArtifactGetKernelName(TileArtifact artifact, int32_t index) {
  if (!artifact || index < 0 ||
      static_cast<size_t>(index) >= artifact->kernels.size())
    return nullptr;
  return artifact->kernels[index].c_str();
}

/// The name of the kernel that a line of PTX begins to define, or "".
static StringRef findEntry(StringRef line) {
  line = line.ltrim();
  line.consume_front(".visible ");
  if (!line.consume_front(".entry "))
    return "";
  return line.take_until([](char c) { return c == '(' || c == ' '; });
}

/// How many more braces a line of PTX opens than it closes.
static int64_t countBraces(StringRef line) {
  line = line.split("//").first;
  return static_cast<int64_t>(line.count('{')) -
         static_cast<int64_t>(line.count('}'));
}

/// Whether a line of PTX is a comment that announces another kernel.
static bool announcesOther(StringRef line, StringRef kernel) {
  line = line.ltrim();
  return line.consume_front("// .globl") && line.trim() != kernel;
}

/// The PTX without the definitions of all kernels but `kernel`: they stand at
/// the top level, each from its `.entry` to the brace that closes its body.
static std::string extractKernel(StringRef ptx, StringRef kernel) {
  std::string result;
  bool skips = false, inEntry = false, inBody = false;
  int64_t depth = 0;
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    ptx = rest;
    if (StringRef name = findEntry(line); !inEntry && !name.empty()) {
      inEntry = true;
      inBody = false;
      skips = name != kernel;
    }
    if (!skips && !announcesOther(line, kernel))
      (result += line) += '\n';
    if (!inEntry)
      continue;
    depth += countBraces(line);
    inBody |= depth > 0;
    if (inBody && depth == 0)
      inEntry = skips = false;
  }
  return result;
}

TileStatus tileArtifactGetPTX(TileArtifact artifact, const char *kernel,
                              const char **ptx, size_t *length) {
  if (!artifact)
    return failNull("tileArtifactGetPTX", "an artifact");
  if (!ptx)
    return failNull("tileArtifactGetPTX", "a place for the text");
  if (artifact->ptx.empty())
    return fail(TILE_NOT_FOUND, "the artifact has no PTX");
  const std::string *text = &artifact->ptx;
  if (kernel) {
    if (!llvm::is_contained(artifact->kernels, kernel))
      return fail(TILE_NOT_FOUND,
                  "the artifact has no kernel '" + std::string(kernel) + "'");
    std::lock_guard<std::mutex> lock(artifact->mutex);
    auto [entry, isNew] = artifact->kernelPTX.try_emplace(kernel);
    if (isNew)
      entry->second = extractKernel(artifact->ptx, kernel);
    text = &entry->second;
  }
  *ptx = text->c_str();
  if (length)
    *length = text->size();
  return TILE_SUCCESS;
}
