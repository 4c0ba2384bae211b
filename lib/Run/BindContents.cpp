// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strides, memory and contents of one tensor.
#include "Binding.h"

#include "Support/Random.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <new>

using namespace tile;

/// The dimension that is contiguous in memory: the one of static stride 1, else
/// as in the file, else the last one.
static size_t findContiguousDimension(const ArtifactArgument &facts,
                                      const NpyFile *file) {
  size_t rank = facts.shape.size();
  if (facts.strides[rank - 1] == 1)
    return rank - 1;
  if (facts.strides[rank - 2] == 1)
    return rank - 2;
  return file && file->header.fortranOrder && rank == 2 ? rank - 2 : rank - 1;
}

/// Sets the strides from the inside out. Every stride that the type leaves open
/// is the extent of what lies inside it plus `pitch`.
static BindFailure setStrides(const ArtifactArgument &facts, size_t contiguous,
                              const int64_t *pitch, BoundArgument &argument) {
  size_t rank = facts.shape.size();
  llvm::SmallVector<size_t, 3> order{contiguous};
  order.push_back(contiguous == rank - 1 ? rank - 2 : rank - 1);
  if (rank == 3)
    order.push_back(0);
  argument.strides.assign(rank, 1);
  int64_t inside = 1;
  for (auto [level, dim] : llvm::enumerate(order)) {
    bool padded = level > 0 && pitch && *pitch;
    if (padded && facts.strides[dim])
      return "--pitch: expected a stride of " + argument.name +
             " that its type leaves open in dimension " + std::to_string(dim) +
             ", but it is " + std::to_string(*facts.strides[dim]);
    int64_t stride =
        facts.strides[dim].value_or(inside + (padded ? *pitch : 0));
    argument.strides[dim] = stride;
    if (llvm::MulOverflow(stride, std::max<int64_t>(argument.sizes[dim], 1),
                          inside))
      return "expected the offsets of " + argument.name +
             " to fit 63 bits, but got shape " + formatShape(argument.sizes);
  }
  return std::nullopt;
}

/// Allocates the image and sets every bit of it.
static BindFailure allocate(const BindRequest &request, const int64_t *offset,
                            BoundArgument &argument) {
  int64_t bytes = getElementBytes(argument.type);
  int64_t elements = llvm::is_contained(argument.sizes, 0) ? 0 : 1;
  bool overflow = false;
  for (size_t i = 0; elements && i < argument.sizes.size(); ++i) {
    int64_t span;
    overflow |=
        llvm::MulOverflow(argument.sizes[i] - 1, argument.strides[i], span) ||
        llvm::AddOverflow(elements, span, elements);
    if (overflow)
      break;
  }
  argument.first = request.guardBytes / bytes + (offset ? *offset : 0);
  overflow = overflow || elements > (int64_t(1) << 48);
  if (!overflow) {
    argument.imageBytes =
        (argument.first + elements) * bytes + request.guardBytes;
    argument.image.reset(
        new (std::nothrow) char[std::max<int64_t>(argument.imageBytes, 1)]);
  }
  if (!argument.image)
    return "expected memory for " + argument.name + " of shape " +
           formatShape(argument.sizes) + ", but there is too little";
  std::memset(argument.image.get(), 0xff, argument.imageBytes);
  return std::nullopt;
}

/// Calls `value` with each element's logical index and stores the result.
template <class Value>
static void fillElements(BoundArgument &argument, Value value) {
  char *image = argument.image.get();
  const ElementTypeInfo &info = getInfo(argument.type);
  forEachElement(argument, [&](int64_t index, int64_t logical) {
    info.encode(value(logical), image + index * info.bytes);
  });
}

/// The standard deviation of random numbers: for integers, most of an i8's
/// range.
static double getRandomScale(ElementType type) {
  return getInfo(type).isInteger() ? 40 : 1;
}

static void fillFromFile(const NpyFile &file, BoundArgument &argument) {
  void *target =
      argument.image.get() + argument.first * getElementBytes(argument.type);
  readNpyElements(file, argument.type, target, argument.strides);
  if (argument.sizes.size() < 2 || argument.countElements() == 0)
    return;
  // Of three dimensions, Fortran order runs over batches first.
  bool sameOrder = file.header.fortranOrder == argument.columnMajor &&
                   (!file.header.fortranOrder || argument.sizes.size() == 2);
  if (sameOrder)
    return;
  if (!argument.note.empty())
    argument.note += ", ";
  argument.note += std::string(file.header.fortranOrder ? "Fortran" : "C") +
                   " order transposed to " +
                   (argument.columnMajor ? "column-major" : "row-major");
}

BindFailure tile::bindContents(const BindRequest &request, unsigned number,
                               BoundArgument &argument) {
  const ArtifactArgument &facts = request.entry.arguments[number];
  const NpyFile *file = request.files[number];
  size_t rank = argument.sizes.size();
  if (rank < 2 || rank > 3)
    return "expected " + argument.name + " with 2 or 3 dimensions, but got " +
           std::to_string(rank);
  size_t contiguous = findContiguousDimension(facts, file);
  argument.columnMajor = contiguous != rank - 1;
  const RunOptions &options = request.options;
  if (BindFailure failure = setStrides(
          facts, contiguous,
          findSetting<int64_t>(request.entry, options.pitches, number),
          argument))
    return failure;
  if (argument.null) {
    argument.origin = "null";
    return std::nullopt;
  }
  if (BindFailure failure = allocate(
          request, findSetting<int64_t>(request.entry, options.offsets, number),
          argument))
    return failure;
  if (file) {
    fillFromFile(*file, argument);
  } else if (argument.read) {
    const auto *fill = findSetting<std::optional<double>>(
        request.entry, options.fills, number);
    argument.origin = fill ? "all " + formatNumber(**fill) : "random";
    if (fill)
      fillElements(argument, [=](int64_t) { return **fill; });
    else
      fillElements(argument,
                   [seed = options.seed * 64 + number,
                    scale = getRandomScale(argument.type)](int64_t logical) {
                     return scale * randomNormal(seed, logical);
                   });
  }
  return std::nullopt;
}
