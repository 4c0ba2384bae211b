// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Binds an entry's arguments: their roles, scalars and the order of stages.
#include "Arguments.h"

#include "Binding.h"
#include "Support/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace tile;
using llvm::StringRef;
using llvm::Twine;

int64_t BoundArgument::countElements() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

void tile::forEachElement(const BoundArgument &argument,
                          llvm::function_ref<void(int64_t, int64_t)> visit) {
  int64_t extents[3] = {1, 1, 1}, strides[3] = {0, 0, 0};
  size_t rank = argument.sizes.size();
  for (size_t i = 0; i < rank; ++i) {
    extents[3 - rank + i] = argument.sizes[i];
    strides[3 - rank + i] = argument.strides[i];
  }
  parallelFor(extents[0] * extents[1], [&](int64_t row, unsigned) {
    int64_t index = argument.first + row / extents[1] * strides[0] +
                    row % extents[1] * strides[1];
    for (int64_t column = 0; column < extents[2]; ++column)
      visit(index + column * strides[2], row * extents[2] + column);
  });
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
  return std::nullopt;
}

BindFailure tile::bindRoles(const BindRequest &request, BoundEntry &bound) {
  const ArtifactEntry &entry = request.entry;
  for (auto [number, facts] : llvm::enumerate(entry.arguments)) {
    BoundArgument &argument = bound.arguments.emplace_back();
    argument.kind = facts.kind;
    for (StringRef role : {"A", "B", "C", "D", "alpha", "beta"})
      if (findArgument(entry, role) == number)
        argument.name += (argument.name.empty() ? "" : "/") + role.str();
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

static void bindScalars(const BindRequest &request, BoundEntry &bound) {
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
    if (argument.type != ElementType::F64)
      argument.value = static_cast<float>(argument.value);
  }
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
  bindScalars(request, bound);
  if (BindFailure failure = bindShapes(request, bound))
    return Reason(*failure);
  for (auto [number, argument] : llvm::enumerate(bound.arguments))
    if (argument.isTensor())
      if (BindFailure failure = bindContents(request, number, argument))
        return Reason(*failure);
  return bound;
}
