// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strides, memory and contents of one tensor.
#include "Binding.h"

#include "Support/Random.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <cstring>

using namespace tile;

/// The dimension that is contiguous in memory: the one of static stride 1, else
/// as in the file, else the last one.
static size_t findContiguousDimension(const ArtifactArgument &facts,
                                      const NpyFile *file) {
  size_t rank = facts.shape.size();
  if (rank == 1 || facts.strides[rank - 1] == 1)
    return rank - 1;
  for (size_t dim = rank - 1; dim-- > 0;)
    if (facts.strides[dim] == 1 && (dim == rank - 2 || rank > 3))
      return dim;
  return file && file->header.fortranOrder && rank == 2 ? rank - 2 : rank - 1;
}

namespace {

/// A dimension in which addresses differ.
struct Mode {
  int64_t stride = 0, size = 0;
};

} // namespace

static __int128 magnitude(__int128 stride) {
  return stride < 0 ? -stride : stride;
}

/// Whether no two elements share an address, for the reason that every stride
/// is beyond all that smaller ones span. Strides that interleave may be free of
/// collisions without this.
static bool isNested(llvm::SmallVector<Mode, 3> modes) {
  llvm::sort(modes, [](const Mode &a, const Mode &b) {
    return magnitude(a.stride) < magnitude(b.stride);
  });
  __int128 span = 0;
  for (const Mode &mode : modes) {
    if (mode.size <= 1)
      continue;
    __int128 stride = magnitude(mode.stride);
    if (stride <= span)
      return false;
    span += stride * (mode.size - 1);
  }
  return true;
}

/// The dimensions, innermost first.
static llvm::SmallVector<size_t, 3> orderDimensions(size_t rank,
                                                    size_t contiguous) {
  llvm::SmallVector<size_t, 3> order{contiguous};
  for (size_t dim = rank; dim-- > 0;)
    if (dim != contiguous)
      order.push_back(dim);
  return order;
}

static std::string formatStrides(const BoundArgument &argument) {
  return formatShape(argument.strides);
}

/// Sets the strides from the inside out. Every stride that the type leaves open
/// is the extent of what lies inside it plus `pitch`; where elements would meet
/// what a known stride spans, it is beyond all of that.
static BindFailure setStrides(const ArtifactArgument &facts, size_t contiguous,
                              const int64_t *pitch, BoundArgument &argument) {
  size_t rank = facts.shape.size();
  argument.strides.assign(rank, 1);
  llvm::SmallVector<Mode, 3> placed;
  // The end of all that is placed.
  __int128 end = 1, inside = 1;
  auto place = [&](size_t dim, int64_t stride) {
    argument.strides[dim] = stride;
    placed.push_back({stride, argument.sizes[dim]});
    inside = magnitude(stride) * std::max<int64_t>(argument.sizes[dim], 1);
    end = std::max(end, inside);
  };
  for (size_t dim = 0; dim < rank; ++dim)
    if (facts.strides[dim])
      place(dim, *facts.strides[dim]);
  bool knownNested = isNested(placed);
  inside = 1;
  for (auto [level, dim] : llvm::enumerate(orderDimensions(rank, contiguous))) {
    bool padded = level > 0 && pitch && *pitch;
    if (padded && facts.strides[dim])
      return "--pitch: expected a stride of " + argument.name +
             " that its type leaves open in dimension " + std::to_string(dim) +
             ", but it is " + std::to_string(*facts.strides[dim]);
    if (facts.strides[dim]) {
      inside = magnitude(*facts.strides[dim]) *
               std::max<int64_t>(argument.sizes[dim], 1);
      continue;
    }
    __int128 stride = inside + (padded ? *pitch : 0);
    llvm::SmallVector<Mode, 3> all = placed;
    all.push_back({static_cast<int64_t>(stride), argument.sizes[dim]});
    if (stride == 0 || (knownNested && !isNested(all)))
      stride = end + (padded ? *pitch : 0);
    if (stride > INT64_MAX)
      return "expected the offsets of " + argument.name +
             " to fit 63 bits, but got shape " + formatShape(argument.sizes);
    place(dim, static_cast<int64_t>(stride));
  }
  argument.overlaps = argument.countElements() > 0 && !isNested(placed);
  return std::nullopt;
}

/// Computes the size of the allocation, and where the first element is in it:
/// with negative strides not at its beginning.
static BindFailure measure(const BindRequest &request, const int64_t *offset,
                           BoundArgument &argument) {
  int64_t bytes = getElementBytes(argument.type);
  bool empty = llvm::is_contained(argument.sizes, 0);
  __int128 lowest = 0, highest = empty ? -1 : 0;
  for (size_t i = 0; !empty && i < argument.sizes.size(); ++i) {
    __int128 span =
        static_cast<__int128>(argument.sizes[i] - 1) * argument.strides[i];
    (span < 0 ? lowest : highest) += span;
  }
  __int128 elements = highest - lowest + 1;
  // No machine has more, and sums of a few of these still fit.
  if (elements > __int128(1) << 48)
    return "expected memory for " + argument.name + " of shape " +
           formatShape(argument.sizes) + " and strides " +
           formatStrides(argument) + ", but it spans more than 2^48 elements";
  argument.first = request.guardBytes / bytes + (offset ? *offset : 0) -
                   static_cast<int64_t>(lowest);
  argument.imageBytes =
      (argument.first + static_cast<int64_t>(highest) + 1) * bytes +
      request.guardBytes;
  return std::nullopt;
}

/// The standard deviation of random numbers: for integers, most of an i8's
/// range.
static double getRandomScale(ElementType type) {
  return getInfo(type).isInteger() ? 40 : 1;
}

/// Random numbers, rounded to the type. Elements at one address get the same.
static HostTensor makeRandom(const BoundArgument &argument, uint64_t seed) {
  // Strides of the number's index: the address where elements share one, else
  // the place in row-major order, whatever the layout is.
  TensorIndex strides = {};
  size_t rank = argument.sizes.size();
  int64_t dense = 1;
  for (size_t i = rank; i-- > 0;) {
    strides[strides.size() - rank + i] =
        argument.overlaps ? argument.strides[i] : dense;
    dense *= argument.sizes[i];
  }
  HostTensor tensor;
  tensor.type = argument.type;
  tensor.at = [=, type = argument.type](const TensorIndex &at) {
    int64_t index = 0;
    for (size_t i = 0; i < at.size(); ++i)
      index += at[i] * strides[i];
    const ElementTypeInfo &info = getInfo(type);
    char bits[8];
    info.encode(getRandomScale(type) *
                    randomNormal(seed, static_cast<uint64_t>(index)),
                bits);
    return info.decode(bits);
  };
  return tensor;
}

/// One number, everywhere. The bits live as long as the argument.
static HostTensor makeFill(BoundArgument &argument, double value) {
  HostTensor tensor;
  tensor.type = argument.type;
  argument.fillBits = std::make_unique<char[]>(8);
  getInfo(argument.type).encode(value, argument.fillBits.get());
  tensor.data = argument.fillBits.get();
  return tensor;
}

static HostTensor viewFile(const NpyFile &file, ElementType type) {
  const NpyHeader &header = file.header;
  HostTensor tensor;
  tensor.type = findFileType(header, type).value_or(type);
  tensor.data = file.getData().data();
  llvm::SmallVector<int64_t, 3> strides =
      denseStrides(header.shape, header.fortranOrder);
  llvm::copy(strides, tensor.strides.end() - strides.size());
  return tensor;
}

/// Looks for elements of a file that would share an address and differ.
static BindFailure findCollision(const BoundArgument &argument) {
  if (!argument.overlaps)
    return std::nullopt;
  int64_t bytes = argument.file->header.itemBytes;
  const auto *data = static_cast<const char *>(argument.contents.data);
  // What lies at each address, as an index into the file.
  llvm::DenseMap<int64_t, std::pair<int64_t, TensorIndex>> owners;
  size_t rank = argument.sizes.size();
  for (int64_t number = 0; number < argument.countElements(); ++number) {
    TensorIndex at = {};
    int64_t rest = number, address = 0, index = 0;
    for (size_t dim = rank; dim-- > 0; rest /= argument.sizes[dim]) {
      size_t i = at.size() - rank + dim;
      at[i] = rest % argument.sizes[dim];
      address += at[i] * argument.strides[dim];
      index += at[i] * argument.contents.strides[i];
    }
    auto [owner, isNew] = owners.try_emplace(address, index, at);
    if (isNew || !std::memcmp(data + owner->second.first * bytes,
                              data + index * bytes, bytes))
      continue;
    auto read = [&](const TensorIndex &e) {
      return formatElement(argument, e) + " = " +
             formatNumber(loadElement(argument.contents, e), "%.9g");
    };
    return argument.file->path +
           ": expected elements that share an address to be equal, but got " +
           read(owner->second.second) + " and " + read(at) +
           ", which strides " + formatStrides(argument) +
           " put at the same place";
  }
  return std::nullopt;
}

static void noteOrder(const NpyFile &file, BoundArgument &argument) {
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

/// Sets what a tensor that is read holds.
static BindFailure setContents(const BindRequest &request, unsigned number,
                               BoundArgument &argument) {
  if (const NpyFile *file = request.files[number]) {
    argument.file = file;
    argument.contents = viewFile(*file, argument.type);
    noteOrder(*file, argument);
    return findCollision(argument);
  }
  const auto *fill = findSetting<std::optional<double>>(
      request.entry, request.options.fills, number);
  if (!fill) {
    argument.origin = "random";
    argument.contents =
        makeRandom(argument, request.options.seed * 64 + number);
    return std::nullopt;
  }
  double value = **fill;
  if (BindFailure failure =
          checkStored("--fill", argument.name, argument.type, value))
    return failure;
  argument.origin = "all " + formatNumber(value);
  argument.note = describeRounding(argument.type, **fill, value);
  argument.contents = makeFill(argument, value);
  return std::nullopt;
}

BindFailure tile::bindContents(const BindRequest &request, unsigned number,
                               BoundArgument &argument) {
  const ArtifactArgument &facts = request.entry.arguments[number];
  size_t rank = argument.sizes.size();
  if (rank < 1 || rank > TILE_RT_MAX_RANK)
    return "expected " + argument.name + " with 1 to " +
           std::to_string(TILE_RT_MAX_RANK) + " dimensions, but got " +
           std::to_string(rank);
  size_t contiguous = findContiguousDimension(facts, request.files[number]);
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
  if (BindFailure failure = measure(
          request, findSetting<int64_t>(request.entry, options.offsets, number),
          argument))
    return failure;
  if (argument.read)
    return setContents(request, number, argument);
  return std::nullopt;
}
