// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An artifact in memory: its types, and what is found by name.
#include "Artifact.h"

#include "tile/Facts/ArtifactFormat.h"

#include <utility>

using namespace tile::rt;

const char *tile::rt::operandName(int operand) {
  static constexpr const char *names[NumAllOperands] = {
      "A", "B", "C", "D", "X", "E0", "E1", "E2", "E3", "E4", "E5", "E6", "E7"};
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

const char *Artifact::findReason(int kernel) const {
  for (const Entry &entry : entries)
    for (const GemmStep &step : entry.steps)
      for (const Choice &choice : step.choices)
        if (choice.kernel == kernel)
          return step.reason.c_str();
  return "";
}

std::string tile::rt::parseArtifact(std::string bytes, Artifact &artifact) {
  artifact.bytes = std::move(bytes);
  tile::ArtifactParts parts;
  std::string reason = tile::splitArtifact(artifact.bytes, parts);
  if (!reason.empty())
    return reason;
  artifact.manifest = std::string(parts.manifest);
  return parseManifest(artifact, parts.blobs);
}
