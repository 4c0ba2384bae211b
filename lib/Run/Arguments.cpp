// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds an entry's arguments: their roles, scalars and the order of stages.
#include "Arguments.h"

#include "Binding.h"
#include "Support/Parallel.h"
#include "Support/Process.h"
#include "tile/Facts/Expression.h"
#include "tile/Facts/MatrixMap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>

using namespace tile;
using llvm::StringRef;
using llvm::Twine;

int64_t BoundArgument::countElements() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

double tile::loadElement(const HostTensor &tensor, const TensorIndex &at) {
  if (tensor.at)
    return tensor.at(at);
  int64_t index = 0;
  for (size_t i = 0; i < at.size(); ++i)
    index += at[i] * tensor.strides[i];
  const ElementTypeInfo &info = getInfo(tensor.type);
  return info.decode(static_cast<const char *>(tensor.data) +
                     index * info.bytes);
}

void tile::forEachElement(
    const BoundArgument &argument,
    llvm::function_ref<void(int64_t, const TensorIndex &)> visit) {
  TensorIndex extents, strides = {};
  extents.fill(1);
  size_t lead = extents.size() - argument.sizes.size();
  llvm::copy(argument.sizes, extents.begin() + lead);
  llvm::copy(argument.strides, strides.begin() + lead);
  size_t last = extents.size() - 1;
  int64_t rows = 1;
  for (size_t i = 0; i < last; ++i)
    rows *= extents[i];
  parallelFor(rows, [&](int64_t row, unsigned) {
    TensorIndex at = {};
    int64_t index = argument.first;
    for (size_t i = last; i-- > 0; row /= extents[i]) {
      at[i] = row % extents[i];
      index += at[i] * strides[i];
    }
    for (; at[last] < extents[last]; ++at[last])
      visit(index + at[last] * strides[last], at);
  });
}

HostTensor tile::viewOf(const BoundArgument &argument, const char *image) {
  HostTensor tensor;
  tensor.type = argument.type;
  if (!image)
    return tensor;
  tensor.data = image + argument.first * getElementBytes(argument.type);
  llvm::copy(argument.strides, tensor.strides.end() - argument.strides.size());
  return tensor;
}

/// The element at an offset from the first one, of a tensor without negative
/// strides.
static TensorIndex findElementAt(const BoundArgument &argument,
                                 int64_t offset) {
  size_t rank = argument.sizes.size();
  llvm::SmallVector<size_t, TILE_RT_MAX_RANK> dims;
  for (size_t i = 0; i < rank; ++i)
    dims.push_back(i);
  llvm::stable_sort(dims, [&](size_t x, size_t y) {
    return argument.strides[x] > argument.strides[y];
  });
  TensorIndex at = {};
  for (size_t dim : dims) {
    int64_t stride = argument.strides[dim], extent = argument.sizes[dim];
    if (stride == 0 || extent <= 1)
      continue;
    int64_t index = std::min(offset / stride, extent - 1);
    at[at.size() - rank + dim] = index;
    offset -= index * stride;
  }
  return at;
}

TensorIndex tile::findElement(const BoundArgument &argument,
                              const std::optional<ArtifactMatrix> &matrix,
                              const ElementIndex &at) {
  TensorIndex index = {};
  if (!matrix) {
    llvm::copy(at, index.end() - at.size());
    return index;
  }
  int64_t offset = 0;
  size_t rank = matrix->strides.size();
  for (size_t i = 0; i < rank; ++i)
    offset += at[at.size() - rank + i] * matrix->strides[i];
  return findElementAt(argument, offset);
}

HostMatrix tile::makeMatrix(const BoundArgument &argument,
                            const std::optional<ArtifactMatrix> &matrix,
                            const HostTensor &contents) {
  HostMatrix result;
  result.type = contents.type;
  if (!contents.data && !contents.at)
    return result;
  if (!matrix && !contents.at) {
    result.data = contents.data;
    llvm::copy(llvm::ArrayRef(contents.strides).take_back(3), result.strides);
    return result;
  }
  if (!matrix || matrix->map.empty()) {
    result.at = [=, &argument](int64_t batch, int64_t row, int64_t column) {
      return loadElement(contents,
                         findElement(argument, matrix, {batch, row, column}));
    };
    return result;
  }
  MatrixMap map;
  // The runtime has accepted it.
  (void)MatrixMap::parse(matrix->map, map);
  result.at = [=](int64_t batch, int64_t row, int64_t column) {
    TensorIndex index = {};
    if (!map.findIndex(batch, row, column,
                       &index[index.size() - map.dims.size()]))
      return 0.0;
    return loadElement(contents, index);
  };
  return result;
}

void tile::fillImage(const BoundArgument &argument, char *image) {
  constexpr int64_t piece = 1 << 22;
  int64_t pieces = llvm::divideCeil(argument.imageBytes, piece);
  parallelFor(pieces, [&](int64_t i) {
    std::memset(image + i * piece, 0xff,
                std::min(piece, argument.imageBytes - i * piece));
  });
  const ElementTypeInfo &info = getInfo(argument.type);
  if (argument.file)
    return readNpyElements(*argument.file, argument.type,
                           image + argument.first * info.bytes,
                           argument.strides);
  if (!argument.hasContents())
    return;
  if (argument.contents.at)
    return forEachElement(argument, [&](int64_t index, const TensorIndex &at) {
      info.encode(argument.contents.at(at), image + index * info.bytes);
    });
  // One number.
  forEachElement(argument, [&](int64_t index, const TensorIndex &) {
    std::memcpy(image + index * info.bytes, argument.contents.data, info.bytes);
  });
}

std::string tile::formatElement(const BoundArgument &argument,
                                const TensorIndex &index) {
  size_t rank = std::max<size_t>(argument.sizes.size(), 1);
  std::string text;
  for (int64_t i : llvm::ArrayRef(index).take_back(rank))
    text += (text.empty() ? "" : ", ") + std::to_string(i);
  return argument.name + "[" + text + "]";
}

std::string tile::describeMemory(const BoundEntry &bound) {
  double total = 0;
  std::string parts;
  for (const BoundArgument &argument : bound.arguments) {
    if (!argument.isTensor() || argument.null)
      continue;
    total += double(argument.imageBytes);
    parts += (parts.empty() ? "" : ", ") + argument.name + " " +
             formatBytes(double(argument.imageBytes));
  }
  return formatBytes(total) + " of memory (" + parts + ")";
}

std::string tile::formatNumber(double value, const char *format) {
  if (std::isnan(value))
    return "nan"; // Whatever its sign.
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(format, value);
  return text;
}

double tile::getScalar(const ArtifactScalar &scalar, const BoundEntry &bound) {
  return scalar.argument ? bound.arguments[*scalar.argument].value
                         : scalar.value;
}

std::optional<unsigned> tile::findArgument(const ArtifactEntry &entry,
                                           StringRef name) {
  unsigned number;
  if (!name.getAsInteger(10, number))
    return number < entry.arguments.size() ? std::optional(number)
                                           : std::nullopt;
  // Letters are only clear when there is one problem.
  if (entry.steps.size() != 1)
    return std::nullopt;
  const ArtifactStep &step = entry.steps.front();
  std::pair<StringRef, std::optional<unsigned>> names[] = {
      {"A", step.a},
      {"B", step.b},
      {"C", step.c},
      {"D", step.d},
      {"alpha", step.alpha.argument},
      {"beta", step.beta.argument}};
  for (auto [known, argument] : names)
    if (name == known)
      return argument;
  size_t operand = findEpilogueOperand({name.data(), name.size()});
  if (operand < step.epilogueOperands.size())
    return step.epilogueOperands[operand].argument;
  return std::nullopt;
}

BindFailure tile::bindRoles(const BindRequest &request, BoundEntry &bound) {
  const ArtifactEntry &entry = request.entry;
  for (auto [number, facts] : llvm::enumerate(entry.arguments)) {
    BoundArgument &argument = bound.arguments.emplace_back();
    argument.kind = facts.kind;
    llvm::SmallVector<std::string> roles{"A", "B", "C", "D"};
    for (int i = 0; i < kMostEpilogueOperands; ++i)
      roles.push_back("E" + std::to_string(i));
    roles.append({"alpha", "beta"});
    for (const std::string &role : roles)
      if (findArgument(entry, role) == number)
        argument.name += (argument.name.empty() ? "" : "/") + role;
    if (argument.name.empty())
      argument.name = "argument " + std::to_string(number);
    std::optional<ElementType> type = findElementType(facts.type);
    if (!type)
      return "expected " + argument.name + " of a type among " +
             listElementTypes() + ", but got " + facts.type;
    argument.type = *type;
  }
  for (const ArtifactStep &step : entry.steps) {
    for (std::optional<unsigned> number :
         {std::optional(step.a), std::optional(step.b), step.c})
      if (number && !bound.arguments[*number].written)
        bound.arguments[*number].read = true;
    for (const ArtifactEpilogueOperand &operand : step.epilogueOperands)
      if (!bound.arguments[operand.argument].written)
        bound.arguments[operand.argument].read = true;
    bound.arguments[step.d].written = true;
  }
  for (auto [number, argument] : llvm::enumerate(bound.arguments)) {
    if (argument.read)
      bound.inputs.push_back(number);
    if (argument.written)
      bound.outputs.push_back(number);
  }
  return std::nullopt;
}

/// Checks that every name in `settings` means an argument of one kind.
template <class T>
static BindFailure checkNames(const ArtifactEntry &entry,
                              llvm::ArrayRef<Setting<T>> settings,
                              StringRef option, ArtifactArgument::Kind kind) {
  bool tensor = kind == ArtifactArgument::Kind::Tensor;
  for (const Setting<T> &setting : settings) {
    if (setting.name.empty())
      continue;
    std::optional<unsigned> number = findArgument(entry, setting.name);
    if (!number || entry.arguments[*number].kind != kind)
      return ("--" + option + ": expected the name or number of a " +
              (tensor ? "tensor" : "scalar") + " argument of @" + entry.name +
              ", but got '" + setting.name + "'")
          .str();
  }
  return std::nullopt;
}

static BindFailure checkAllNames(const BindRequest &request) {
  constexpr auto tensor = ArtifactArgument::Kind::Tensor;
  const RunOptions &options = request.options;
  const ArtifactEntry &entry = request.entry;
  for (const Setting<double> &scalar : options.scalars)
    if (BindFailure failure =
            checkNames<double>(entry, scalar,
                               scalar.name == "alpha" || scalar.name == "beta"
                                   ? StringRef(scalar.name)
                                   : StringRef("scalar"),
                               ArtifactArgument::Kind::Scalar))
      return failure;
  if (BindFailure failure = checkNames<std::optional<double>>(
          entry, options.fills, "fill", tensor))
    return failure;
  if (BindFailure failure =
          checkNames<int64_t>(entry, options.pitches, "pitch", tensor))
    return failure;
  return checkNames<int64_t>(entry, options.offsets, "offset", tensor);
}

/// Hands the files of --arg to the arguments that read them.
static BindFailure assignFiles(BindRequest &request, BoundEntry &bound,
                               llvm::ArrayRef<const NpyFile *> files) {
  request.files.resize(bound.arguments.size());
  std::vector<std::string> inputs, outputs;
  for (unsigned number : bound.inputs)
    inputs.push_back(bound.arguments[number].name);
  for (unsigned number : bound.outputs)
    outputs.push_back(bound.arguments[number].name);
  size_t asked = request.options.outputs.size();
  if (asked && asked != outputs.size())
    return ("--out: expected " + Twine(outputs.size()) + " of them (" +
            llvm::join(outputs, ", ") + "), but got " + Twine(asked))
        .str();
  if (request.options.random)
    return std::nullopt;
  if (files.size() != inputs.size())
    return ("--arg: expected " + Twine(inputs.size()) + " of them (" +
            llvm::join(inputs, ", ") + "), but got " + Twine(files.size()))
        .str();
  for (auto [number, file] : llvm::zip_equal(bound.inputs, files)) {
    request.files[number] = file;
    bound.arguments[number].null = !file;
  }
  return std::nullopt;
}

/// Marks the operands that --fill or --arg pass as null.
static BindFailure bindNulls(const BindRequest &request, BoundEntry &bound) {
  for (auto [number, argument] : llvm::enumerate(bound.arguments)) {
    if (argument.isTensor() && argument.read)
      if (const auto *fill = findSetting<std::optional<double>>(
              request.entry, request.options.fills, number))
        argument.null = !*fill;
    if (!argument.null)
      continue;
    bool onlyC = !argument.written;
    for (const ArtifactStep &step : request.entry.steps)
      onlyC &= step.a != number && step.b != number;
    if (argument.written || (!request.options.random && !onlyC))
      return "--" + std::string(request.options.random ? "fill" : "arg") +
             ": expected an array for " + argument.name + ", but got null";
  }
  return std::nullopt;
}

/// A number that the type can hold, rounded, and otherwise the reason.
BindFailure tile::checkStored(const llvm::Twine &option, StringRef name,
                              ElementType type, double &value) {
  const ElementTypeInfo &info = getInfo(type);
  char bits[8];
  info.encode(value, bits);
  double stored = info.decode(bits);
  bool kept =
      std::isfinite(value)
          ? std::isfinite(stored) && (!info.isInteger() || stored == value)
          : stored == value || (std::isnan(value) && std::isnan(stored));
  if (!kept) {
    std::string range =
        info.isInteger()
            ? "an integer from " + formatNumber(-info.largest - 1, "%.10g") +
                  " to " + formatNumber(info.largest, "%.10g")
            : "a number of at most " + formatNumber(info.largest, "%.9g") +
                  " in magnitude";
    return (option + ": expected " + range + " for " + name + ", which is " +
            info.getLabel() + ", but got " + formatNumber(value, "%.17g"))
        .str();
  }
  value = stored;
  return std::nullopt;
}

static BindFailure bindScalars(const BindRequest &request, BoundEntry &bound) {
  for (auto [number, argument] : llvm::enumerate(bound.arguments)) {
    if (argument.isTensor())
      continue;
    argument.value = 1;
    for (const ArtifactStep &step : request.entry.steps)
      if (step.beta.argument == number && step.c &&
          bound.arguments[*step.c].null)
        argument.value = 0;
    if (const double *value =
            findSetting<double>(request.entry, request.options.scalars, number))
      argument.value = *value;
    // What the device gets is what the reference computes with.
    bool named = argument.name == "alpha" || argument.name == "beta";
    double given = argument.value;
    if (BindFailure failure =
            checkStored(named ? "--" + argument.name : std::string("--scalar"),
                        argument.name, argument.type, argument.value))
      return failure;
    argument.note = describeRounding(argument.type, given, argument.value);
  }
  return std::nullopt;
}

std::string tile::describeRounding(ElementType type, double given,
                                   double stored) {
  // A report of six digits shows no difference in the seventh.
  if (formatNumber(given) == formatNumber(stored))
    return "";
  return (formatNumber(given) + " rounded to " + getInfo(type).getLabel())
      .str();
}

Result<BoundEntry> tile::bindArguments(const ArtifactEntry &entry,
                                       const RunOptions &options,
                                       llvm::ArrayRef<const NpyFile *> files,
                                       int64_t guardBytes) {
  BindRequest request{entry, options, {}, guardBytes};
  BoundEntry bound;
  bound.entry = &entry;
  if (BindFailure failure = bindRoles(request, bound))
    return Reason(*failure);
  if (BindFailure failure = checkAllNames(request))
    return Reason(*failure);
  if (BindFailure failure = assignFiles(request, bound, files))
    return Reason(*failure);
  if (BindFailure failure = bindNulls(request, bound))
    return Reason(*failure);
  if (BindFailure failure = bindScalars(request, bound))
    return Reason(*failure);
  if (BindFailure failure = bindShapes(request, bound))
    return Reason(*failure);
  for (auto [number, argument] : llvm::enumerate(bound.arguments))
    if (argument.isTensor())
      if (BindFailure failure = bindContents(request, number, argument))
        return Reason(*failure);
  return bound;
}
