// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a kernel's launch facts from the manifest.
#include "Error.h"
#include "ManifestReader.h"

using namespace tile::rt;
using Reader = ManifestReader;
using Place = ManifestReader::Place;

static std::optional<Parameter> parameterFromName(std::string_view name) {
  struct Row {
    const char *name;
    Parameter::Source source;
  };
  static constexpr Row scalars[] = {
      {"M", Parameter::M},         {"N", Parameter::N},
      {"K", Parameter::K},         {"batch", Parameter::Batch},
      {"alpha", Parameter::Alpha}, {"beta", Parameter::Beta}};
  for (const Row &row : scalars)
    if (name == row.name)
      return Parameter{row.source, Parameter::I64};
  std::optional<int> operand = operandFromName(name.substr(0, 1));
  if (!operand || name.size() < 2 || name[1] != '.')
    return std::nullopt;
  name.remove_prefix(2);
  if (name == "data")
    return Parameter{Parameter::Data, Parameter::Pointer, *operand};
  if (name == "batch_stride")
    return Parameter{Parameter::BatchStride, Parameter::I64, *operand};
  if (name == "stride[0]" || name == "stride[1]")
    return Parameter{Parameter::Stride, Parameter::I64, *operand,
                     name[7] - '0'};
  if (*operand != OperandX && name == "tensor_map_legal")
    return Parameter{Parameter::TensorMapLegal, Parameter::I32, *operand};
  if (*operand != OperandX)
    return name == "tensor_map"
               ? std::optional(
                     Parameter{Parameter::TensorMap, Parameter::Map, *operand})
               : std::nullopt;
  if (name == "packed")
    return Parameter{Parameter::Packed, Parameter::Pointer, *operand};
  if (name == "packed_stride")
    return Parameter{Parameter::PackedStride, Parameter::I64, *operand};
  if (name == "packed_batch_stride")
    return Parameter{Parameter::PackedBatchStride, Parameter::I64, *operand};
  if (name == "extent[0]" || name == "extent[1]")
    return Parameter{Parameter::Extent, Parameter::I64, *operand,
                     name[7] - '0'};
  return std::nullopt;
}

static std::optional<Parameter::Type> parameterType(std::string_view name) {
  if (name == "ptr")
    return Parameter::Pointer;
  if (name == "i32")
    return Parameter::I32;
  if (name == "i64")
    return Parameter::I64;
  if (name == "f32")
    return Parameter::F32;
  if (name == "f64")
    return Parameter::F64;
  if (name == "tensor_map")
    return Parameter::Map;
  return std::nullopt;
}

/// Whether a parameter of this source can have this type.
static bool typeFits(Parameter::Source source, Parameter::Type type) {
  switch (source) {
  case Parameter::Data:
  case Parameter::Packed:
    return type == Parameter::Pointer;
  case Parameter::TensorMap:
    return type == Parameter::Map;
  case Parameter::Alpha:
  case Parameter::Beta:
    return type == Parameter::F32 || type == Parameter::F64;
  default:
    return type == Parameter::I32 || type == Parameter::I64;
  }
}

static void readTensorMaps(Reader &reader, const Place &place,
                           KernelFacts &kernel) {
  Place list = reader.array(place, "tensor_maps", /*optional=*/true);
  for (size_t i = 0; i < list.size() && reader.ok(); ++i) {
    Place item = reader.at(list, i);
    TensorMapSpec spec;
    int64_t contiguous = 0, swizzle = 0;
    if (!reader.operand(reader.at(item, "operand"), spec.operand) ||
        !reader.integer(reader.at(item, "contiguous"), contiguous, 0, 1) ||
        !reader.integers(item, "box", spec.box, 2, "extents", 1, 256))
      return;
    spec.contiguous = static_cast<int>(contiguous);
    reader.optionalInteger(reader.at(item, "swizzle"), swizzle, 0, 128);
    if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
      return reader.expected(reader.at(item, "swizzle"), "0, 32, 64 or 128");
    spec.swizzle = static_cast<int>(swizzle);
    reader.optionalBool(reader.at(item, "batched"), spec.batched);
    reader.optionalBool(reader.at(item, "optional"), spec.optional);
    if (kernel.findTensorMap(spec.operand))
      return reader.expected(reader.at(item, "operand"),
                             "an operand without another tensor map");
    kernel.tensorMaps.push_back(spec);
  }
}

static void readCost(Reader &reader, const Place &place, KernelFacts &kernel) {
  Place cost = reader.at(place, "cost");
  if (cost.isNull() || !reader.ok())
    return;
  if (!cost.value->is_object())
    return reader.expected(cost, "an object");
  CostFacts &facts = kernel.cost.emplace();
  reader.optionalNumber(reader.at(cost, "fixed_ns"), facts.fixed);
  reader.optionalNumber(reader.at(cost, "tile_ns"), facts.tile);
  reader.optionalNumber(reader.at(cost, "k_ns"), facts.k);
  reader.optionalNumber(reader.at(cost, "bytes_ns"), facts.bytes);
  reader.optionalNumber(reader.at(cost, "slots"), facts.slots);
  if (facts.slots == 0)
    reader.expected(reader.at(cost, "slots"), "a number above 0");
}

static void readCluster(Reader &reader, const Place &place,
                        KernelFacts &kernel) {
  Place cluster = reader.at(place, "cluster");
  int64_t extents[3] = {1, 1, 1};
  if (cluster.isNull() ||
      !reader.integers(place, "cluster", extents, 3, "extents", 1, 16))
    return;
  if (extents[1] != 1 || extents[2] != 1)
    return reader.expected(cluster, "1 in y and z");
  kernel.cluster = extents[0];
}

static void readGrid(Reader &reader, const Place &place, KernelFacts &kernel) {
  constexpr int64_t largestTile = 1 << 20;
  Place grid = reader.at(place, "grid");
  if (grid.isNull() || !reader.ok())
    return;
  if (!reader.at(grid, "pack_tile").isNull()) {
    reader.integers(grid, "pack_tile", kernel.packTile, 2, "extents", 1,
                    largestTile);
    if (kernel.cluster != 1)
      reader.expected(reader.at(place, "cluster"),
                      "no cluster of a kernel with a pack_tile");
    return;
  }
  reader.integers(grid, "tile", kernel.tile, 2, "extents", 1, largestTile);
  reader.optionalBool(reader.at(grid, "persistent"), kernel.persistent);
  reader.optionalInteger(reader.at(grid, "split"), kernel.split, 1, 1 << 16);
  if (!reader.at(grid, "cluster_tile").isNull())
    reader.integers(grid, "cluster_tile", kernel.clusterTile, 2, "extents", 1,
                    16);
  if (!reader.ok())
    return;
  // Only then are there always whole clusters.
  int64_t side = kernel.clusterTile[0] * kernel.clusterTile[1];
  bool whole = kernel.split == 1 ? side == kernel.cluster
                                 : side * kernel.split % kernel.cluster == 0;
  if (!whole)
    reader.expected(reader.at(grid, "cluster_tile"),
                    format("tiles that fill clusters of %lld",
                           static_cast<long long>(kernel.cluster)));
}

static void readParameters(Reader &reader, const Place &place,
                           KernelFacts &kernel) {
  Place names = reader.array(place, "parameters", /*optional=*/true);
  Place types = reader.array(place, "parameter_types", /*optional=*/true);
  if (reader.ok() && names.size() != types.size())
    return reader.expected(
        types, format("%zu types, one for each parameter", names.size()));
  for (size_t i = 0; i < names.size() && reader.ok(); ++i) {
    std::string name, typeName;
    if (!reader.string(reader.at(names, i), name) ||
        !reader.string(reader.at(types, i), typeName))
      return;
    std::optional<Parameter> parameter = parameterFromName(name);
    if (!parameter)
      return reader.expected(reader.at(names, i), "a parameter name");
    std::optional<Parameter::Type> type = parameterType(typeName);
    if (!type || !typeFits(parameter->source, *type))
      return reader.expected(reader.at(types, i),
                             "a type that fits parameter '" + name + "'");
    parameter->type = *type;
    bool ofPack = parameter->operand == OperandX;
    if (kernel.isPack() && !ofPack && parameter->source != Parameter::Batch)
      return reader.expected(reader.at(names, i), "a parameter of X, or batch");
    if (kernel.isGemm() && ofPack)
      return reader.expected(reader.at(names, i),
                             "a parameter of A, B, C or D");
    if (parameter->source == Parameter::TensorMap &&
        !kernel.findTensorMap(parameter->operand))
      return reader.expected(reader.at(names, i),
                             "an operand that tensor_maps describes");
    kernel.parameters.push_back(*parameter);
  }
}

static void readRequirements(Reader &reader, const Place &place,
                             KernelFacts &kernel) {
  Place list = reader.array(place, "requires", /*optional=*/true);
  for (size_t i = 0; i < list.size() && reader.ok(); ++i) {
    Place item = reader.at(list, i);
    int operand;
    if (!reader.operand(reader.at(item, "operand"), operand,
                        kernel.isPack() ? OperandX : OperandD))
      return;
    if (kernel.isPack() && operand != OperandX)
      return reader.expected(reader.at(item, "operand"), "X");
    Requirement requirement{operand};
    int64_t unitStride = -1;
    reader.optionalInteger(reader.at(item, "unit_stride"), unitStride, -1, 1);
    requirement.unitStride = static_cast<int>(unitStride);
    reader.optionalInteger(reader.at(item, "alignment"), requirement.alignment,
                           1, 1 << 20);
    reader.optionalInteger(reader.at(item, "stride_multiple"),
                           requirement.strideMultiple, 1, 1 << 20);
    reader.optionalInteger(reader.at(item, "extent_multiple"),
                           requirement.extentMultiple, 1, 1 << 20);
    kernel.requirements.push_back(requirement);
  }
}

void tile::rt::readKernel(Reader &reader, const Place &place,
                          KernelFacts &kernel) {
  reader.string(reader.at(place, "name"), kernel.name);
  reader.optionalString(reader.at(place, "schedule"), kernel.schedule);
  if (reader.integers(place, "block", kernel.block, 3, "extents", 1, 1024) &&
      kernel.block[0] * kernel.block[1] * kernel.block[2] > 1024)
    return reader.expected(reader.at(place, "block"), "at most 1024 threads");
  readCluster(reader, place, kernel);
  reader.optionalBool(reader.at(place, "programmatic_launch"),
                      kernel.programmatic);
  readGrid(reader, place, kernel);
  readTensorMaps(reader, place, kernel);
  readCost(reader, place, kernel);
  readParameters(reader, place, kernel);
  readRequirements(reader, place, kernel);
  reader.optionalInteger(reader.at(place, "shared_bytes"), kernel.sharedBytes,
                         0, 1 << 30);
  reader.optionalInteger(reader.at(place, "dynamic_shared_bytes"),
                         kernel.dynamicSharedBytes, 0, 1 << 30);
}
