// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads an artifact's JSON manifest into structs, checking every field.
#include "Artifact.h"
#include "Error.h"

// JSON_NOEXCEPTION turns what nlohmann-json would throw into an abort, so every
// access below looks at the type first.
#include <nlohmann/json.hpp>

#include <limits>

using namespace tile::rt;
using Json = nlohmann::json;

namespace {
/// Reads fields and keeps the first error with the path to its place. After an
/// error every further read fails, so callers test once at the end.
class Reader {
public:
  std::string error;

  /// A place in the manifest: a value and the path to it.
  struct Place {
    const Json *value;
    std::string path;
    bool isNull() const { return !value || value->is_null(); }
    bool isArray() const { return value && value->is_array(); }
    size_t size() const { return isArray() ? value->size() : 0; }
  };

  bool ok() const { return error.empty(); }

  void expected(const Place &place, const std::string &what) {
    if (!ok())
      return;
    error = "malformed artifact: expected " + what + " at manifest path '" +
            place.path + "', but got " +
            (place.value ? place.value->type_name() : "nothing");
    if (place.value && (place.value->is_number() || place.value->is_string())) {
      // Foreign bytes in an error sentence are cut and escaped.
      std::string text = place.value->dump(
          -1, ' ', true, nlohmann::detail::error_handler_t::replace);
      error += " " + text.substr(0, 60);
    }
  }

  Place at(const Place &object, const char *key) {
    Place place{nullptr, object.path + "/" + key};
    if (object.value && object.value->is_object()) {
      auto it = object.value->find(key);
      if (it != object.value->end())
        place.value = &*it;
    }
    return place;
  }

  Place at(const Place &array, size_t index) {
    return {&(*array.value)[index], array.path + "/" + std::to_string(index)};
  }

  /// The place, after checking that it is an array.
  Place array(const Place &object, const char *key, bool optional = false) {
    Place place = at(object, key);
    if (!place.isArray() && !(optional && place.isNull()))
      expected(place, "an array");
    return place;
  }

  bool integer(const Place &place, int64_t &result, int64_t low, int64_t high) {
    bool fits = place.value && place.value->is_number_integer();
    if (fits && place.value->is_number_unsigned())
      fits = place.value->get<uint64_t>() <=
             uint64_t(std::numeric_limits<int64_t>::max());
    int64_t number = fits ? place.value->get<int64_t>() : 0;
    if (!fits || number < low || number > high) {
      expected(place,
               format("an integer in [%lld, %lld]", static_cast<long long>(low),
                      static_cast<long long>(high)));
      return false;
    }
    result = number;
    return ok();
  }

  /// As integer(), with a default for an absent or null field.
  void optionalInteger(const Place &place, int64_t &result, int64_t low,
                       int64_t high) {
    if (!place.isNull())
      integer(place, result, low, high);
  }

  bool string(const Place &place, std::string &result) {
    if (!place.value || !place.value->is_string()) {
      expected(place, "a string");
      return false;
    }
    result = place.value->get_ref<const std::string &>();
    // Names become C strings in the API.
    if (result.find('\0') != std::string::npos) {
      expected(place, "a string without NUL");
      return false;
    }
    return ok();
  }

  void optionalString(const Place &place, std::string &result) {
    if (!place.isNull())
      string(place, result);
  }

  void strings(const Place &place, std::vector<std::string> &result) {
    for (size_t i = 0; i < place.size() && ok(); ++i)
      string(at(place, i), result.emplace_back());
  }
};
using Place = Reader::Place;
} // namespace

static constexpr int64_t maxInt = std::numeric_limits<int64_t>::max();

static std::optional<int> operandFromName(std::string_view name) {
  for (int i = 0; i < NumOperands; ++i)
    if (name == operandName(i))
      return i;
  return std::nullopt;
}

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
  return std::nullopt;
}

/// Whether a parameter of this source can have this type.
static bool typeFits(Parameter::Source source, Parameter::Type type) {
  switch (source) {
  case Parameter::Data:
    return type == Parameter::Pointer;
  case Parameter::Alpha:
  case Parameter::Beta:
    return type == Parameter::F32 || type == Parameter::F64;
  default:
    return type == Parameter::I32 || type == Parameter::I64;
  }
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
    kernel.parameters.push_back(*parameter);
  }
}

static void readRequirements(Reader &reader, const Place &place,
                             KernelFacts &kernel) {
  Place list = reader.array(place, "requires", /*optional=*/true);
  for (size_t i = 0; i < list.size() && reader.ok(); ++i) {
    Place item = reader.at(list, i);
    std::string name;
    if (!reader.string(reader.at(item, "operand"), name))
      return;
    std::optional<int> operand = operandFromName(name);
    if (!operand)
      return reader.expected(reader.at(item, "operand"), "A, B, C or D");
    Requirement requirement{*operand};
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

static void readKernel(Reader &reader, const Place &place,
                       KernelFacts &kernel) {
  reader.string(reader.at(place, "name"), kernel.name);
  reader.optionalString(reader.at(place, "schedule"), kernel.schedule);
  Place block = reader.array(place, "block");
  if (reader.ok() && block.size() != 3)
    return reader.expected(block, "3 extents");
  for (size_t i = 0; i < 3 && reader.ok(); ++i)
    reader.integer(reader.at(block, i), kernel.block[i], 1, 1024);
  if (reader.ok() && kernel.block[0] * kernel.block[1] * kernel.block[2] > 1024)
    return reader.expected(block, "at most 1024 threads");
  Place grid = reader.at(place, "grid");
  if (reader.ok() && !grid.isNull()) {
    Place tile = reader.array(grid, "tile");
    if (reader.ok() && tile.size() != 2)
      return reader.expected(tile, "2 extents");
    for (size_t i = 0; i < 2 && reader.ok(); ++i)
      reader.integer(reader.at(tile, i), kernel.tile[i], 1, 1 << 20);
  }
  readParameters(reader, place, kernel);
  readRequirements(reader, place, kernel);
  reader.optionalInteger(reader.at(place, "shared_bytes"), kernel.sharedBytes,
                         0, 1 << 30);
  reader.optionalInteger(reader.at(place, "dynamic_shared_bytes"),
                         kernel.dynamicSharedBytes, 0, 1 << 30);
}

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
  if (argument.kind == TILE_RT_SCALAR)
    return;
  Place shape = reader.array(place, "shape");
  readExtents(reader, shape, 0, argument.shape);
  if (reader.ok() && argument.shape.size() > 3)
    return reader.expected(shape, "at most 3 extents");
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
    int64_t number;
    if (!reader.integer(operand, number, 0,
                        int64_t(entry.arguments.size()) - 1))
      return;
    if (entry.arguments[number].kind != TILE_RT_TENSOR)
      return reader.expected(operand, "the number of a tensor argument");
    step.operands[i] = static_cast<int>(number);
  }
  readScalarSource(reader, reader.at(place, "alpha"), entry, step.alpha);
  readScalarSource(reader, reader.at(place, "beta"), entry, step.beta);
  Place kernels = reader.array(place, "kernels");
  if (reader.ok() && kernels.size() == 0)
    return reader.expected(kernels, "at least one kernel");
  for (size_t i = 0; i < kernels.size() && reader.ok(); ++i) {
    std::string name;
    if (!reader.string(reader.at(kernels, i), name))
      return;
    int index = artifact.findKernel(name);
    if (index < 0 || artifact.kernels[index].tile[0] == 0)
      return reader.expected(reader.at(kernels, i),
                             "the name of a kernel with a grid");
    step.kernels.push_back(index);
  }
}

/// 64-bit FNV-1a: h = (h ^ byte) * 0x100000001b3 from 0xcbf29ce484222325.
static uint64_t hashBytes(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char byte : bytes)
    hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
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
    std::string stated;
    reader.optionalString(reader.at(item, "fnv1a"), stated);
    std::string actual = format(
        "%016llx", static_cast<unsigned long long>(hashBytes(blob.bytes)));
    if (reader.ok() && !stated.empty() && stated != actual)
      return reader.expected(reader.at(item, "fnv1a"), "the hash " + actual);
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
  reader.optionalString(reader.at(reader.at(root, "target"), "chip"),
                        artifact.chip);

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
