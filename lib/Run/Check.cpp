// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what a launch left in memory with the reference and with canaries.
#include "Check.h"

#include "Support/Parallel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>

using namespace tile;

bool EntryCheck::passed() const {
  return strayWrites.empty() && llvm::all_of(steps, [](const StepCheck &step) {
           return step.result.failures == 0;
         });
}

const StepCheck *EntryCheck::findVacuous() const {
  for (const StepCheck &step : steps)
    if (step.result.total > 0 && step.result.checked == 0)
      return &step;
  return nullptr;
}

/// Whether an array can be what `argument` is expected to be.
static std::optional<std::string> checkExpected(const BoundArgument &argument,
                                                const NpyFile &file) {
  if (!findFileType(file.header, argument.type))
    return file.path + ": expected an array of numbers to compare " +
           argument.name + " with, but got " + file.header.typeName;
  if (file.header.shape != argument.sizes)
    return file.path + ": expected an array of shape " +
           formatShape(argument.sizes) + " to compare " + argument.name +
           " with, but got " + formatShape(file.header.shape);
  return std::nullopt;
}

std::optional<std::string> tile::findUncheckable(const BoundEntry &bound,
                                                 const CheckRequest &request) {
  std::vector<bool> written(bound.arguments.size());
  for (const ArtifactStep &step : bound.entry->steps) {
    if (written[step.d])
      return "--check: expected each argument to be written by one problem of "
             "@" +
             bound.entry->name + ", but " + bound.arguments[step.d].name +
             " is written by several";
    written[step.d] = true;
  }
  if (request.expected.empty())
    return std::nullopt;
  if (request.expected.size() != bound.outputs.size())
    return "--expected: expected one for each result, " +
           std::to_string(bound.outputs.size()) + ", but got " +
           std::to_string(request.expected.size());
  for (auto [number, file] : llvm::zip_equal(bound.outputs, request.expected))
    if (auto reason = checkExpected(bound.arguments[number], *file))
      return reason;
  return std::nullopt;
}

/// The extents of a step's matrices, the batch first if there is one.
static llvm::ArrayRef<int64_t>
getExtents(const BoundArgument &argument,
           const std::optional<ArtifactMatrix> &matrix) {
  return matrix ? matrix->extents : argument.sizes;
}

/// An operand of an epilogue as matrices of D's extents.
static HostMatrix makeBroadcast(const BoundArgument &argument,
                                const ArtifactEpilogueOperand &facts,
                                const HostTensor &contents) {
  HostMatrix broadcast, own = makeMatrix(argument, facts.matrix, contents);
  broadcast.type = own.type;
  broadcast.at = [own, indices = facts.indices](int64_t batch, int64_t row,
                                                int64_t column) {
    const int64_t all[] = {batch, row, column};
    ElementIndex at = {0, 0, 0};
    for (auto [dim, index] : llvm::enumerate(indices))
      at[3 - indices.size() + dim] = all[index];
    return loadElement(own, at);
  };
  return broadcast;
}

/// A step as the reference sees it. `written` says which arguments earlier
/// steps wrote: those have their final contents already, and any other one is
/// as the user gave it.
static ReferenceProblem describeStep(const BoundEntry &bound,
                                     const ArtifactStep &step,
                                     const Images &after,
                                     const std::vector<bool> &written) {
  auto contentsOf = [&](unsigned number) {
    const BoundArgument &argument = bound.arguments[number];
    return written[number] ? viewOf(argument, after[number].data)
                           : argument.contents;
  };
  auto operand = [&](unsigned number, int index) {
    return makeMatrix(bound.arguments[number], step.matrices[index],
                      contentsOf(number));
  };
  const BoundArgument &d = bound.arguments[step.d];
  llvm::ArrayRef<int64_t> sizes = getExtents(d, step.matrices[3]);
  ReferenceProblem problem;
  problem.batch = sizes.size() == 3 ? sizes[0] : 1;
  problem.m = sizes[sizes.size() - 2];
  problem.n = sizes.back();
  problem.k = getExtents(bound.arguments[step.a], step.matrices[0]).back();
  problem.a = operand(step.a, 0);
  problem.b = operand(step.b, 1);
  if (step.c)
    problem.c = operand(*step.c, 2);
  problem.d = makeMatrix(d, step.matrices[3], viewOf(d, after[step.d].data));
  problem.d.type = d.type;
  problem.alpha = getScalar(step.alpha, bound);
  problem.beta = getScalar(step.beta, bound);
  if (!step.epilogue.empty()) {
    ReferenceEpilogue &epilogue = problem.epilogue.emplace();
    parseExpression(step.epilogue, epilogue.expression);
    epilogue.hasC = step.c.has_value();
    for (const ArtifactEpilogueOperand &facts : step.epilogueOperands)
      epilogue.operands.push_back(makeBroadcast(
          bound.arguments[facts.argument], facts, contentsOf(facts.argument)));
  }
  if (d.type == ElementType::F64)
    problem.fullCheckLimit = int64_t(1) << 29;
  return problem;
}

static HostTensor viewExpected(const NpyFile &file, ElementType type) {
  HostTensor tensor;
  tensor.type = *findFileType(file.header, type);
  tensor.data = file.getData().data();
  llvm::SmallVector<int64_t, 3> strides =
      denseStrides(file.header.shape, file.header.fortranOrder);
  llvm::copy(strides, tensor.strides.end() - strides.size());
  return tensor;
}

/// Makes the comparisons of one step.
static void checkStep(const BoundEntry &bound, unsigned number,
                      ReferenceProblem problem, const CheckRequest &request,
                      EntryCheck &check, Progress &progress) {
  const ArtifactStep &step = bound.entry->steps[number];
  const BoundArgument &d = bound.arguments[step.d];
  problem.seed = request.seed;
  problem.tf32 = request.tf32[number];
  // A step that reads another one's result has no independent operands, and
  // neither has one of which elements are one and the same.
  bool independent = request.isRandom && number == 0;
  for (const BoundArgument &argument : bound.arguments)
    independent &= !argument.overlaps;
  problem.tolerance = findTolerance(bound.arguments[step.a].type, d.type,
                                    problem.k, independent, problem.tf32);
  problem.progress = [&](double part) { progress.set(part); };
  auto compare = [&](const std::string &against) {
    progress.begin("checking " + d.name + " against " + against);
    check.steps.push_back(
        {number, against, checkGemm(problem), problem.tolerance});
  };
  if (request.reference)
    compare("float64");
  for (size_t i = 0; i < request.expected.size(); ++i)
    if (bound.outputs[i] == step.d) {
      problem.expected = makeMatrix(d, step.matrices[3],
                                    viewExpected(*request.expected[i], d.type));
      compare(request.expected[i]->path);
    }
  progress.end();
}

namespace {

/// Finds the element that lies at a place of an allocation.
class ElementFinder {
public:
  explicit ElementFinder(const BoundArgument &argument) : argument(argument) {
    size_t rank = argument.sizes.size();
    for (size_t i = 0; i < rank; ++i) {
      dims.push_back(i);
      // Offsets count from the lowest address, where negative strides end.
      if (argument.strides[i] < 0)
        lowest += (argument.sizes[i] - 1) * argument.strides[i];
    }
    llvm::sort(dims, [&](size_t a, size_t b) { return stride(a) > stride(b); });
    // A byte for each place, because threads set them.
    if (argument.overlaps) {
      known.resize(argument.imageBytes / getElementBytes(argument.type));
      forEachElement(argument, [&](int64_t index, const TensorIndex &at) {
        known[index] = true;
        std::lock_guard<std::mutex> lock(mutex);
        if (argument.hasContents())
          where[index] = at;
      });
    }
  }

  /// Whether place `index` holds an element, and which.
  bool find(int64_t index, TensorIndex &at) const {
    if (argument.overlaps) {
      auto found = where.find(index);
      if (found != where.end())
        at = found->second;
      return known[index];
    }
    int64_t rest = index - argument.first - lowest;
    if (rest < 0 || argument.countElements() == 0)
      return false;
    size_t rank = argument.sizes.size();
    at = {};
    for (size_t dim : dims) {
      if (argument.sizes[dim] == 1)
        continue;
      int64_t i = rest / stride(dim);
      if (i >= argument.sizes[dim])
        return false;
      rest -= i * stride(dim);
      at[at.size() - rank + dim] =
          argument.strides[dim] < 0 ? argument.sizes[dim] - 1 - i : i;
    }
    return rest == 0;
  }

private:
  int64_t stride(size_t dim) const { return std::abs(argument.strides[dim]); }

  const BoundArgument &argument;
  llvm::SmallVector<size_t, TILE_RT_MAX_RANK> dims;
  int64_t lowest = 0;
  std::vector<char> known;
  llvm::DenseMap<int64_t, TensorIndex> where;
  std::mutex mutex;
};

} // namespace

/// Whether the bits are those that the user gave for an element; any NaN stands
/// for any other one.
static bool isAsGiven(const BoundArgument &argument, const TensorIndex &at,
                      const char *bits) {
  const ElementTypeInfo &info = getInfo(argument.type);
  double given = loadElement(argument.contents, at), got = info.decode(bits);
  return got == given ? std::signbit(got) == std::signbit(given)
                      : std::isnan(got) && std::isnan(given);
}

/// Looks for a change: of a result outside of its elements, of anything else
/// anywhere.
static std::optional<std::string> findStrayWrite(const BoundArgument &argument,
                                                 const char *after) {
  int64_t bytes = getElementBytes(argument.type);
  int64_t slots = argument.imageBytes / bytes;
  if (argument.written && argument.countElements() == slots)
    return std::nullopt;
  ElementFinder finder(argument);
  const std::string empty(bytes, '\xff');
  constexpr int64_t piece = 1 << 16;
  std::atomic<int64_t> outside = 0, inside = 0, first = INT64_MAX;
  parallelFor(llvm::divideCeil(slots, piece), [&](int64_t part) {
    int64_t end = std::min(slots, (part + 1) * piece);
    for (int64_t i = part * piece; i < end; ++i) {
      const char *bits = after + i * bytes;
      TensorIndex at;
      // What no step uses is all canary.
      if ((argument.written || argument.hasContents()) && finder.find(i, at)) {
        if (!argument.written && !isAsGiven(argument, at, bits))
          ++inside;
        continue;
      }
      if (!std::memcmp(bits, empty.data(), bytes))
        continue;
      ++outside;
      int64_t least = first;
      while (i < least && !first.compare_exchange_weak(least, i)) {
      }
    }
  });
  if (inside)
    return argument.name + ", which is only read, was written";
  if (!outside)
    return std::nullopt;
  int64_t distance = first - argument.first;
  return std::to_string(outside) + " elements outside of " + argument.name +
         " were written, the first " + std::to_string(std::abs(distance)) +
         (distance < 0 ? " before" : " after") + " " + argument.name +
         "'s first element";
}

EntryCheck tile::checkEntry(const BoundEntry &bound, const Images &after,
                            const CheckRequest &request, Progress &progress) {
  EntryCheck check;
  std::vector<bool> written(bound.arguments.size());
  for (auto [i, step] : llvm::enumerate(bound.entry->steps)) {
    checkStep(bound, static_cast<unsigned>(i),
              describeStep(bound, step, after, written), request, check,
              progress);
    written[step.d] = true;
  }
  progress.begin("looking for stray writes");
  for (auto [argument, image] : llvm::zip_equal(bound.arguments, after))
    if (image)
      if (std::optional<std::string> stray =
              findStrayWrite(argument, image.data))
        check.strayWrites.push_back(*stray);
  progress.end();
  return check;
}
