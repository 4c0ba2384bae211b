// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The artifact container: magic, manifest length, manifest, aligned blobs.
#include "Artifact.h"

#include "Error.h"

#include <cstring>
#include <utility>

using namespace tile::rt;

static constexpr char magic[] = "TILEART1";
static constexpr size_t headerBytes = 16;

const char *tile::rt::operandName(int operand) {
  static constexpr const char *names[] = {"A", "B", "C", "D", "X"};
  return names[operand];
}

namespace {
struct TypeRow {
  TileRtType type;
  const char *name;
  int64_t size;
};
} // namespace

static constexpr TypeRow typeTable[] = {
    {TILE_RT_F32, "f32", 4},       {TILE_RT_F64, "f64", 8},
    {TILE_RT_F16, "f16", 2},       {TILE_RT_BF16, "bf16", 2},
    {TILE_RT_I8, "i8", 1},         {TILE_RT_I32, "i32", 4},
    {TILE_RT_I64, "i64", 8},       {TILE_RT_F8E4M3FN, "f8E4M3FN", 1},
    {TILE_RT_F8E5M2, "f8E5M2", 1},
};

std::optional<TileRtType> tile::rt::typeFromName(std::string_view name) {
  for (const TypeRow &row : typeTable)
    if (name == row.name)
      return row.type;
  return std::nullopt;
}

const char *tileRtTypeName(TileRtType type) {
  for (const TypeRow &row : typeTable)
    if (row.type == type)
      return row.name;
  return nullptr;
}

int64_t tileRtTypeSize(TileRtType type) {
  for (const TypeRow &row : typeTable)
    if (row.type == type)
      return row.size;
  return 0;
}

const Blob *Artifact::findBlob(std::string_view name) const {
  for (const Blob &blob : blobs)
    if (blob.name == name)
      return &blob;
  return nullptr;
}

const Entry *Artifact::findEntry(std::string_view name) const {
  for (const Entry &entry : entries)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

int Artifact::findKernel(std::string_view name) const {
  for (size_t i = 0; i < kernels.size(); ++i)
    if (kernels[i].name == name)
      return static_cast<int>(i);
  return -1;
}

std::string tile::rt::parseArtifact(std::string bytes, Artifact &artifact) {
  artifact.bytes = std::move(bytes);
  std::string_view file = artifact.bytes;
  if (file.size() < headerBytes || file.substr(0, 8) != magic)
    return "expected a Tile artifact, which begins with TILEART1, but got " +
           (file.size() < headerBytes
                ? format("a file of %zu bytes", file.size())
                : std::string("other bytes"));
  uint64_t length = 0;
  for (int i = 7; i >= 0; --i)
    length = length << 8 | static_cast<unsigned char>(file[8 + i]);
  if (length > file.size() - headerBytes)
    return format("malformed artifact: expected a manifest of %llu bytes, but "
                  "got %zu bytes of file after the header",
                  static_cast<unsigned long long>(length),
                  file.size() - headerBytes);
  artifact.manifest = std::string(file.substr(headerBytes, length));
  size_t payload = (headerBytes + length + 15) / 16 * 16;
  return parseManifest(artifact, payload >= file.size() ? std::string_view()
                                                        : file.substr(payload));
}
