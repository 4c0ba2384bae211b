// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads an artifact's JSON manifest into structs, checking every field.
#include "Error.h"
#include "ManifestReader.h"

#include <algorithm>
#include <limits>

using namespace tile::rt;
using Reader = ManifestReader;
using Place = ManifestReader::Place;

static constexpr int64_t maxInt = std::numeric_limits<int64_t>::max();

static void readExtents(Reader &reader, const Place &place, int64_t low,
                        std::vector<std::optional<int64_t>> &result) {
  for (size_t i = 0; i < place.size() && reader.ok(); ++i) {
    std::optional<int64_t> &extent = result.emplace_back();
    Place item = reader.at(place, i);
    int64_t number;
    if (!item.isNull() && reader.integer(item, number, low, maxInt))
      extent = number;
  }
}

static void readArgument(Reader &reader, const Place &place,
                         ArgumentFacts &argument) {
  std::string kind, type;
  if (!reader.string(reader.at(place, "kind"), kind) ||
      !reader.string(reader.at(place, "type"), type))
    return;
  if (kind != "tensor" && kind != "scalar")
    return reader.expected(reader.at(place, "kind"), "'tensor' or 'scalar'");
  argument.kind = kind == "tensor" ? TILE_RT_TENSOR : TILE_RT_SCALAR;
  std::optional<TileRtType> parsed = typeFromName(type);
  if (!parsed)
    return reader.expected(reader.at(place, "type"), "an element type");
  argument.type = *parsed;
  reader.checkKeys(place, "an argument", {"kind", "type", "shape", "strides"});
  if (argument.kind == TILE_RT_SCALAR)
    return;
  Place shape = reader.array(place, "shape");
  readExtents(reader, shape, 0, argument.shape);
  if (reader.ok() && argument.shape.size() > TILE_RT_MAX_RANK)
    return reader.expected(shape,
                           format("at most %d extents", TILE_RT_MAX_RANK));
  Place strides = reader.array(place, "strides", /*optional=*/true);
  readExtents(reader, strides, -maxInt, argument.strides);
  if (reader.ok() && !argument.strides.empty() &&
      argument.strides.size() != argument.shape.size())
    reader.expected(strides, "as many strides as extents");
}

static void readScalarSource(Reader &reader, const Place &place,
                             const Entry &entry, ScalarSource &source) {
  Place argument = reader.at(place, "argument");
  if (argument.isNull()) {
    Place value = reader.at(place, "value");
    if (!value.value || !value.value->is_number())
      return reader.expected(value, "a number");
    source.value = value.value->get<double>();
    return;
  }
  int64_t number;
  if (!reader.integer(argument, number, 0, int64_t(entry.arguments.size()) - 1))
    return;
  TileRtType type = entry.arguments[number].type;
  if (entry.arguments[number].kind != TILE_RT_SCALAR ||
      (type != TILE_RT_F32 && type != TILE_RT_F64))
    return reader.expected(argument, "the number of an f32 or f64 scalar");
  source.argument = static_cast<int>(number);
}

/// Gives the index of the kernel that `place` names, a pack kernel or one of a
/// gemm.
static bool readKernelName(Reader &reader, const Place &place,
                           const Artifact &artifact, bool pack, int &index) {
  std::string name;
  if (!reader.string(place, name))
    return false;
  index = artifact.findKernel(name);
  bool fits = index >= 0 && (pack ? artifact.kernels[index].isPack()
                                  : artifact.kernels[index].isGemm());
  if (!fits)
    reader.expected(place, pack ? "the name of a kernel with a pack_tile"
                                : "the name of a kernel with a grid");
  return reader.ok();
}

static void readPrepare(Reader &reader, const Place &place,
                        const Artifact &artifact, const GemmStep &step,
                        Choice &choice) {
  PrepareFacts prepare;
  int64_t contiguous = 0;
  if (!reader.operand(reader.at(place, "operand"), prepare.operand, OperandC) ||
      !readKernelName(reader, reader.at(place, "kernel"), artifact,
                      /*pack=*/true, prepare.kernel) ||
      !reader.integer(reader.at(place, "contiguous"), contiguous, 0, 1))
    return;
  prepare.contiguous = static_cast<int>(contiguous);
  reader.checkKeys(place, "prepare",
                   {"operand", "kernel", "contiguous", "pitch_multiple"});
  reader.optionalInteger(reader.at(place, "pitch_multiple"),
                         prepare.pitchMultiple, 1, 1 << 20);
  bool taken = step.operands[prepare.operand] < 0;
  for (const PrepareFacts &other : choice.prepare)
    taken |= other.operand == prepare.operand;
  if (taken)
    return reader.expected(reader.at(place, "operand"),
                           "an operand of the step that nothing else prepares");
  choice.prepare.push_back(prepare);
}

static void readChoices(Reader &reader, const Place &place,
                        const Artifact &artifact, GemmStep &step) {
  // The names alone are choices without anything to prepare.
  Place choices = reader.array(place, "choices", /*optional=*/true);
  bool simple = choices.isNull();
  if (simple)
    choices = reader.array(place, "kernels");
  if (reader.ok() && choices.size() == 0)
    return reader.expected(choices, "at least one kernel");
  for (size_t i = 0; i < choices.size() && reader.ok(); ++i) {
    Place item = reader.at(choices, i);
    Choice &choice = step.choices.emplace_back();
    readKernelName(reader, simple ? item : reader.at(item, "kernel"), artifact,
                   /*pack=*/false, choice.kernel);
    if (simple)
      continue;
    reader.checkKeys(item, "a choice", {"kernel", "prepare"});
    Place prepare = reader.array(item, "prepare", /*optional=*/true);
    for (size_t j = 0; j < prepare.size() && reader.ok(); ++j)
      readPrepare(reader, reader.at(prepare, j), artifact, step, choice);
  }
}

/// The number of an argument that is a tensor.
static bool readTensorNumber(Reader &reader, const Place &place,
                             const Entry &entry, int &result) {
  int64_t number;
  if (!reader.integer(place, number, 0, int64_t(entry.arguments.size()) - 1))
    return false;
  if (entry.arguments[number].kind != TILE_RT_TENSOR)
    reader.expected(place, "the number of a tensor argument");
  result = static_cast<int>(number);
  return reader.ok();
}

/// The elements that an argument spans; nothing if that is not known.
static std::optional<int64_t> countSpan(const ArgumentFacts &argument) {
  int64_t last = 0;
  for (size_t i = 0; i < argument.shape.size(); ++i) {
    if (!argument.shape[i] || i >= argument.strides.size() ||
        !argument.strides[i] || *argument.strides[i] < 0)
      return std::nullopt;
    int64_t reach;
    if (__builtin_mul_overflow(std::max<int64_t>(*argument.shape[i], 1) - 1,
                               *argument.strides[i], &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return std::nullopt;
  }
  return last + 1;
}

/// Whether elements of these extents and strides are all within an argument.
static bool isWithin(const std::vector<int64_t> &extents,
                     const std::vector<int64_t> &strides,
                     const ArgumentFacts &argument) {
  ArgumentFacts own;
  own.shape.assign(extents.begin(), extents.end());
  own.strides.assign(strides.begin(), strides.end());
  std::optional<int64_t> span = countSpan(own), whole = countSpan(argument);
  return span && whole && *span <= *whole;
}

/// Whether a map is of the tensor that an argument is.
static bool describes(const tile::MatrixMap &map,
                      const ArgumentFacts &argument) {
  bool same = map.dims.size() == argument.shape.size() &&
              argument.strides.size() == argument.shape.size();
  for (size_t i = 0; same && i < map.dims.size(); ++i)
    same = argument.shape[i] == map.dims[i].extent &&
           argument.strides[i] == map.dims[i].stride;
  return same;
}

static void readExtentsAndStrides(Reader &reader, const Place &place,
                                  size_t least, std::vector<int64_t> &extents,
                                  std::vector<int64_t> &strides) {
  auto read = [&](const char *key, std::vector<int64_t> &result) {
    Place list = reader.array(place, key);
    if (reader.ok() && (list.size() < least || list.size() > 3))
      return reader.expected(list, format("%zu to 3 numbers", least));
    for (size_t i = 0; i < list.size() && reader.ok(); ++i)
      reader.integer(reader.at(list, i), result.emplace_back(), 0, maxInt);
  };
  read("extents", extents);
  read("strides", strides);
  if (reader.ok() && extents.size() != strides.size())
    reader.expected(reader.at(place, "strides"), "as many strides as extents");
}

/// Reads how an argument is matrices of a step.
static void readMatrix(Reader &reader, const Place &place,
                       const ArgumentFacts &argument, bool mayHaveMap,
                       std::optional<MatrixFacts> &result) {
  if (!reader.ok() || place.isNull())
    return;
  reader.checkKeys(place, "matrices", {"extents", "strides", "map"});
  MatrixFacts &matrix = result.emplace();
  Place map = reader.at(place, "map");
  if (!map.isNull()) {
    if (!reader.string(map, matrix.mapText))
      return;
    std::string reason =
        tile::MatrixMap::parse(matrix.mapText, matrix.map.emplace());
    if (!reason.empty())
      return reader.expected(map, "the map of a tensor (" + reason + ")");
    if (!mayHaveMap || !describes(*matrix.map, argument))
      return reader.expected(map, "a map of the argument, of A or B");
    matrix.batched = !matrix.map->digits[0].empty();
    for (int i = 0; i < 3; ++i)
      matrix.extents[i] = matrix.map->getExtent(i);
    return;
  }
  std::vector<int64_t> extents, strides;
  readExtentsAndStrides(reader, place, 2, extents, strides);
  if (!reader.ok())
    return;
  if (!isWithin(extents, strides, argument))
    return reader.expected(place, "matrices within the argument");
  matrix.batched = extents.size() == 3;
  for (size_t i = 0; i < extents.size(); ++i) {
    matrix.extents[3 - extents.size() + i] = extents[i];
    matrix.strides[3 - extents.size() + i] = strides[i];
  }
}

static void readMatrices(Reader &reader, const Place &place, const Entry &entry,
                         GemmStep &step) {
  if (!reader.ok() || place.isNull())
    return;
  reader.checkKeys(place, "matrices", {"A", "B", "C", "D"});
  for (int i = 0; i < NumOperands && reader.ok(); ++i)
    if (step.operands[i] >= 0)
      readMatrix(reader, reader.at(place, operandName(i)),
                 entry.arguments[step.operands[i]],
                 /*mayHaveMap=*/i == OperandA || i == OperandB,
                 step.matrices[i]);
}

static void readEpilogue(Reader &reader, const Place &place, const Entry &entry,
                         GemmStep &step) {
  if (place.isNull())
    return;
  if (!reader.string(reader.at(place, "expression"), step.epilogue))
    return;
  reader.checkKeys(place, "an epilogue", {"expression", "operands"});
  tile::Expression expression;
  std::string reason = tile::parseExpression(step.epilogue, expression);
  if (!reason.empty())
    return reader.expected(reader.at(place, "expression"),
                           "an expression (" + reason + ")");
  Place operands = reader.array(place, "operands");
  if (reader.ok() && operands.size() > size_t(tile::kMostEpilogueOperands))
    return reader.expected(
        operands, format("at most %d operands", tile::kMostEpilogueOperands));
  for (size_t i = 0; i < operands.size() && reader.ok(); ++i) {
    Place item = reader.at(operands, i);
    EpilogueOperand &operand = step.epilogueOperands.emplace_back();
    if (!readTensorNumber(reader, reader.at(item, "argument"), entry,
                          operand.argument))
      return;
    reader.checkKeys(item, "an operand of an epilogue",
                     {"argument", "indices", "matrix"});
    size_t rank = entry.arguments[operand.argument].shape.size();
    if (Place matrix = reader.at(item, "matrix"); !matrix.isNull()) {
      readExtentsAndStrides(reader, matrix, 1, operand.extents,
                            operand.strides);
      if (reader.ok() && !isWithin(operand.extents, operand.strides,
                                   entry.arguments[operand.argument]))
        return reader.expected(matrix, "elements within the argument");
      rank = operand.extents.size();
    }
    Place indices = reader.array(item, "indices");
    if (reader.ok() && indices.size() != rank)
      return reader.expected(indices, "an index for each dimension");
    for (size_t j = 0; j < indices.size() && reader.ok(); ++j) {
      int64_t index;
      if (!reader.integer(reader.at(indices, j), index, 0, 2))
        return;
      for (int other : operand.indices)
        if (other == index)
          return reader.expected(reader.at(indices, j),
                                 "an index that no other dimension has");
      operand.indices.push_back(static_cast<int>(index));
    }
  }
  size_t wanted =
      1 + (step.operands[OperandC] >= 0 ? 1 : 0) + step.epilogueOperands.size();
  if (reader.ok() && expression.arguments.size() != wanted)
    reader.expected(reader.at(place, "expression"),
                    format("an expression of %zu arguments", wanted));
}

/// Whether a kernel takes what the step's epilogue has not.
static bool takesMissingOperand(const KernelFacts &kernel,
                                const GemmStep &step) {
  int end = OperandE0 + static_cast<int>(step.epilogueOperands.size());
  for (const Parameter &parameter : kernel.parameters)
    if (parameter.isOfOperand() && parameter.of.number >= end)
      return true;
  for (const tile::OperandRequirement &requirement : kernel.requirements)
    if (requirement.operand.number >= end)
      return true;
  for (const TensorMapSpec &map : kernel.tensorMaps)
    if (map.operand.number >= end)
      return true;
  return false;
}

static void readStep(Reader &reader, const Place &place,
                     const Artifact &artifact, const Entry &entry,
                     GemmStep &step) {
  std::string op;
  if (!reader.string(reader.at(place, "op"), op))
    return;
  if (op != "gemm")
    return reader.expected(reader.at(place, "op"), "'gemm'");
  for (int i = 0; i < NumOperands && reader.ok(); ++i) {
    step.operands[i] = -1;
    Place operand = reader.at(place, operandName(i));
    if (i == OperandC && operand.isNull())
      continue;
    if (!readTensorNumber(reader, operand, entry, step.operands[i]))
      return;
  }
  readMatrices(reader, reader.at(place, "matrices"), entry, step);
  readEpilogue(reader, reader.at(place, "epilogue"), entry, step);
  readScalarSource(reader, reader.at(place, "alpha"), entry, step.alpha);
  readScalarSource(reader, reader.at(place, "beta"), entry, step.beta);
  readChoices(reader, place, artifact, step);
  for (const Choice &choice : step.choices)
    if (reader.ok() &&
        takesMissingOperand(artifact.kernels[choice.kernel], step))
      return reader.expected(reader.at(place, "epilogue"),
                             "the operands that the step's kernels take");
  reader.optionalString(reader.at(place, "reason"), step.reason);
  reader.checkKeys(place, "a step",
                   {"op", "A", "B", "C", "D", "alpha", "beta", "epilogue",
                    "matrices", "kernels", "choices", "reason"});
}

static void readBlobs(Reader &reader, const Place &place,
                      std::string_view payload, Artifact &artifact) {
  if (place.isNull())
    return;
  if (!place.value->is_object())
    return reader.expected(place, "an object");
  for (auto it = place.value->begin(); it != place.value->end(); ++it) {
    Place item{&it.value(), place.path + "/" + it.key()};
    if (item.isNull())
      continue;
    int64_t offset, size;
    if (!reader.integer(reader.at(item, "offset"), offset, 0,
                        int64_t(payload.size())) ||
        !reader.integer(reader.at(item, "size"), size, 0,
                        int64_t(payload.size()) - offset))
      return;
    Blob blob{it.key(), artifact.chip, payload.substr(offset, size)};
    reader.optionalString(reader.at(item, "chip"), blob.chip);
    reader.checkKeys(item, "a blob", {"offset", "size", "chip"});
    artifact.blobs.push_back(blob);
  }
}

static void readSimulator(Reader &reader, const Place &place,
                          Artifact &artifact) {
  if (place.isNull())
    return;
  reader.optionalString(reader.at(place, "cpu"), artifact.simCpu);
  reader.strings(reader.array(place, "sites", /*optional=*/true),
                 artifact.simSites);
  Place kernels = reader.at(place, "kernels");
  if (!kernels.value || !kernels.value->is_object())
    return reader.expected(kernels, "an object");
  for (KernelFacts &kernel : artifact.kernels) {
    Place item = reader.at(kernels, kernel.name.c_str());
    if (item.isNull())
      continue;
    reader.string(reader.at(item, "symbol"), kernel.simSymbol);
    kernel.simSharedBytes = kernel.sharedBytes;
    reader.optionalInteger(reader.at(item, "shared_bytes"),
                           kernel.simSharedBytes, 0, 1 << 30);
  }
}

std::string tile::rt::parseManifest(Artifact &artifact,
                                    std::string_view payload) {
  Json json = Json::parse(artifact.manifest, /*cb=*/nullptr,
                          /*allow_exceptions=*/false);
  if (json.is_discarded())
    return "malformed artifact: expected JSON in the manifest, but it does not "
           "parse";
  Reader reader;
  Place root{&json, ""};
  int64_t version;
  if (!json.is_object())
    reader.expected(root, "an object");
  reader.integer(reader.at(root, "version"), version, 1, 1);
  reader.checkKeys(
      root, "the manifest",
      {"version", "producer", "target", "kernels", "entries", "blobs", "sim"});
  Place target = reader.at(root, "target");
  reader.checkKeys(target, "target", {"chip", "ptx"});
  reader.optionalString(reader.at(target, "chip"), artifact.chip);
  reader.optionalString(reader.at(target, "ptx"), artifact.ptxVersion);
  reader.optionalString(reader.at(root, "producer"), artifact.producer);

  Place kernels = reader.array(root, "kernels");
  for (size_t i = 0; i < kernels.size() && reader.ok(); ++i) {
    KernelFacts kernel;
    readKernel(reader, reader.at(kernels, i), kernel);
    if (reader.ok() && artifact.findKernel(kernel.name) >= 0)
      reader.expected(reader.at(reader.at(kernels, i), "name"),
                      "a name that no other kernel has");
    artifact.kernels.push_back(std::move(kernel));
  }

  Place entries = reader.array(root, "entries", /*optional=*/true);
  for (size_t i = 0; i < entries.size() && reader.ok(); ++i) {
    Place place = reader.at(entries, i);
    Entry entry;
    reader.string(reader.at(place, "name"), entry.name);
    reader.checkKeys(place, "an entry", {"name", "arguments", "steps"});
    Place arguments = reader.array(place, "arguments");
    for (size_t j = 0; j < arguments.size() && reader.ok(); ++j)
      readArgument(reader, reader.at(arguments, j),
                   entry.arguments.emplace_back());
    Place steps = reader.array(place, "steps");
    for (size_t j = 0; j < steps.size() && reader.ok(); ++j)
      readStep(reader, reader.at(steps, j), artifact, entry,
               entry.steps.emplace_back());
    artifact.entries.push_back(std::move(entry));
  }

  readBlobs(reader, reader.at(root, "blobs"), payload, artifact);
  readSimulator(reader, reader.at(root, "sim"), artifact);
  return reader.error;
}
