// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The extents of an entry's tensors, from files, from --random, from each
// other.
#include "Binding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tile;
using llvm::StringRef;
using llvm::Twine;

/// A shape as Python writes it, with `?` for what may be anything.
static std::string
formatKnown(const std::vector<std::optional<int64_t>> &shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") +
            (shape[i] ? std::to_string(*shape[i]) : std::string("?"));
  return text + (shape.size() == 1 ? ",)" : ")");
}

static bool agrees(const std::vector<std::optional<int64_t>> &known,
                   llvm::ArrayRef<int64_t> sizes) {
  for (size_t i = 0; i < known.size(); ++i)
    if (known[i] && *known[i] != sizes[i])
      return false;
  return true;
}

static std::string formatDimensions(size_t rank) {
  return std::to_string(rank) + (rank == 1 ? " dimension" : " dimensions");
}

/// Takes the shape of a file's array, if the argument can hold it.
static BindFailure takeShape(const NpyFile &file, const ArtifactArgument &facts,
                             BoundArgument &argument) {
  const NpyHeader &header = file.header;
  bool typeFits = canReadAs(header, argument.type);
  bool rankFits = header.shape.size() == facts.shape.size();
  if (!typeFits || !rankFits) {
    std::string got;
    if (!typeFits)
      got = (header.littleEndian ? "" : "big-endian ") + header.typeName;
    if (!rankFits)
      got += (typeFits ? "" : " with ") + formatDimensions(header.shape.size());
    const ElementTypeInfo &info = getInfo(argument.type);
    return (file.path + ": expected an array of " + info.numPyName +
            (info.rawInNumPy ? " (the bits of " + info.name + ")" : Twine()) +
            " with " + formatDimensions(facts.shape.size()) + ", but got " +
            got)
        .str();
  }
  if (!agrees(facts.shape, header.shape))
    return file.path + ": expected an array of shape " +
           formatKnown(facts.shape) + " for " + argument.name + ", but got " +
           formatShape(header.shape);
  argument.sizes = header.shape;
  argument.origin = file.path;
  if (argument.type == ElementType::F32 && header.typeName == "float16")
    argument.note = "float16 widened to float32";
  return std::nullopt;
}

namespace {

/// The extents of one step; a batch of nothing is not known.
struct StepExtents {
  int64_t m = 0, n = 0, k = 0;
  std::optional<int64_t> batch;
};

} // namespace

/// Gives an operand its extents unless it has them.
static BindFailure assignShape(const BindRequest &request, unsigned number,
                               int64_t rows, int64_t columns,
                               std::optional<int64_t> batch,
                               BoundEntry &bound) {
  BoundArgument &argument = bound.arguments[number];
  const ArtifactArgument &facts = request.entry.arguments[number];
  if (!argument.sizes.empty())
    return std::nullopt;
  if (facts.shape.size() != 2 && facts.shape.size() != 3)
    return "expected " + argument.name + " with 2 or 3 dimensions, but got " +
           std::to_string(facts.shape.size());
  if (facts.shape.size() == 3) {
    if (!batch)
      batch = facts.shape[0];
    if (!batch && request.options.random)
      return "--random: expected M,N,K,BATCH for the 3 dimensions of " +
             argument.name + ", but got M,N,K";
    argument.sizes.push_back(batch.value_or(1));
  }
  argument.sizes.push_back(rows);
  argument.sizes.push_back(columns);
  if (agrees(facts.shape, argument.sizes))
    return std::nullopt;
  return (request.options.random ? "--random: " : "") +
         ("expected shape " + formatKnown(facts.shape)) + " for " +
         argument.name + ", but got " + formatShape(argument.sizes);
}

/// Gives an operand of an epilogue the extents that D has at its indices.
static BindFailure assignEpilogueShape(const BindRequest &request,
                                       const ArtifactEpilogueOperand &operand,
                                       const StepExtents &extents,
                                       BoundEntry &bound) {
  BoundArgument &argument = bound.arguments[operand.argument];
  if (!argument.sizes.empty() || operand.indices.empty())
    return std::nullopt;
  const int64_t all[] = {extents.batch.value_or(1), extents.m, extents.n};
  for (int64_t index : operand.indices)
    argument.sizes.push_back(all[index]);
  const auto &shape = request.entry.arguments[operand.argument].shape;
  if (agrees(shape, argument.sizes))
    return std::nullopt;
  return "expected shape " + formatKnown(shape) + " for " + argument.name +
         ", but got " + formatShape(argument.sizes);
}

/// A batch needs an operand that has one.
static BindFailure checkBatch(const BindRequest &request,
                              const ArtifactStep &step) {
  const std::optional<int64_t> &batch = request.options.random->batch;
  if (!batch || request.entry.arguments[step.d].shape.size() == 3)
    return std::nullopt;
  return "--random: expected M,N,K for the " +
         formatDimensions(request.entry.arguments[step.d].shape.size()) +
         " of D, but got M,N,K,BATCH with a batch of " + std::to_string(*batch);
}

/// Gives an operand the extents that its type says.
static BindFailure assignKnownShape(const BindRequest &request, unsigned number,
                                    BoundEntry &bound) {
  BoundArgument &argument = bound.arguments[number];
  const auto &shape = request.entry.arguments[number].shape;
  if (!argument.sizes.empty())
    return std::nullopt;
  for (std::optional<int64_t> extent : shape) {
    if (!extent)
      return "--random=types: expected extents of " + argument.name +
             " that its type says, but got " + formatKnown(shape);
    argument.sizes.push_back(*extent);
  }
  return std::nullopt;
}

/// Gives all operands of a step the extents that their types say.
static BindFailure assignKnownShapes(const BindRequest &request,
                                     const ArtifactStep &step,
                                     BoundEntry &bound) {
  llvm::SmallVector<unsigned> numbers{step.a, step.b, step.d};
  if (step.c)
    numbers.push_back(*step.c);
  for (const ArtifactEpilogueOperand &operand : step.epilogueOperands)
    numbers.push_back(operand.argument);
  for (unsigned number : numbers)
    if (BindFailure failure = assignKnownShape(request, number, bound))
      return failure;
  return std::nullopt;
}

/// Whether the arguments of a step are tensors that it sees as matrices.
static bool hasTensors(const ArtifactStep &step) {
  return llvm::any_of(step.matrices,
                      [](const auto &matrix) { return matrix.has_value(); });
}

static BindFailure assignStep(const BindRequest &request,
                              const ArtifactStep &step, BoundEntry &bound) {
  StepExtents extents;
  if (hasTensors(step) && request.options.random &&
      !request.options.random->fromTypes)
    return "--random: expected types, the extents that the types of @" +
           request.entry.name + " say, but got M,N,K";
  if (hasTensors(step) ||
      (request.options.random && request.options.random->fromTypes))
    return assignKnownShapes(request, step, bound);
  if (const std::optional<RandomExtents> &random = request.options.random) {
    extents = {random->m, random->n, random->k, random->batch};
    if (BindFailure failure = checkBatch(request, step))
      return failure;
    for (auto [number, rows, columns] :
         {std::tuple(step.a, extents.m, extents.k),
          std::tuple(step.b, extents.k, extents.n)})
      if (BindFailure failure =
              assignShape(request, number, rows, columns, extents.batch, bound))
        return failure;
  } else {
    const std::vector<int64_t> &a = bound.arguments[step.a].sizes;
    const std::vector<int64_t> &b = bound.arguments[step.b].sizes;
    // An operand of another rank is an error that the runtime words.
    if (a.size() < 2 || b.size() < 2)
      return "expected A and B with 2 or 3 dimensions, but got " +
             std::to_string(a.size()) + " and " + std::to_string(b.size());
    extents = {a[a.size() - 2], b.back(), a.back(), std::nullopt};
    for (unsigned number : {step.a, step.b, step.c.value_or(step.a)}) {
      const std::vector<int64_t> &sizes = bound.arguments[number].sizes;
      if (sizes.size() == 3)
        extents.batch = sizes[0];
    }
  }
  if (step.c)
    if (BindFailure failure = assignShape(request, *step.c, extents.m,
                                          extents.n, extents.batch, bound))
      return failure;
  for (const ArtifactEpilogueOperand &operand : step.epilogueOperands)
    if (BindFailure failure =
            assignEpilogueShape(request, operand, extents, bound))
      return failure;
  return assignShape(request, step.d, extents.m, extents.n, extents.batch,
                     bound);
}

BindFailure tile::bindShapes(const BindRequest &request, BoundEntry &bound) {
  for (size_t i = 0; i < bound.arguments.size(); ++i)
    if (request.files[i])
      if (BindFailure failure =
              takeShape(*request.files[i], request.entry.arguments[i],
                        bound.arguments[i]))
        return failure;
  for (const ArtifactStep &step : request.entry.steps)
    if (BindFailure failure = assignStep(request, step, bound))
      return failure;
  // An argument that no step uses still needs a shape.
  for (size_t i = 0; i < bound.arguments.size(); ++i)
    if (bound.arguments[i].isTensor() && bound.arguments[i].sizes.empty())
      for (std::optional<int64_t> extent : request.entry.arguments[i].shape)
        bound.arguments[i].sizes.push_back(extent.value_or(0));
  return std::nullopt;
}
