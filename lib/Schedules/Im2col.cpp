// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that write the im2col of a tensor to where any schedule can read it.
#include "Im2col.h"

#include "KernelArguments.h"
#include "Pack.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

/// Threads of a block, the accesses of its tile, and those along packed rows,
/// at least.
static constexpr int64_t kThreads = 256, kAccesses = 512, kLeastAlong = 32;

Im2colAttr tile::getIm2col(Value operand) {
  return dyn_cast<Im2colAttr>(cast<MemRefType>(operand.getType()).getLayout());
}

/// Elements along the fastest digit of a matrix dimension that are neighbours
/// in the tensor.
static int64_t countNeighbours(const MatrixMap &map, int64_t dim) {
  const std::vector<int64_t> &digits = map.digits[1 + dim];
  if (digits.empty())
    return 1;
  size_t last = map.getFirstDigit(1 + dim) + digits.size() - 1;
  int64_t count = digits.back();
  auto divide = [&](int64_t number) {
    count = std::gcd(count, std::abs(number));
  };
  for (const MatrixMapDim &each : map.dims) {
    int64_t own = each.coefficients[last];
    if (own == 0) {
      divide(each.stride);
      continue;
    }
    // The elements are within the tensor, or outside of it, together.
    if (own != 1 || each.stride != 1 || each.divisor != 1)
      return 1;
    divide(each.extent);
    divide(each.constant);
    for (size_t i = 0; i < each.coefficients.size(); ++i)
      if (i != last)
        divide(each.coefficients[i]);
  }
  return count;
}

int64_t tile::getUnitDim(const MatrixMap &map) {
  return countNeighbours(map, 0) > countNeighbours(map, 1) ? 0 : 1;
}

int64_t tile::getVectorWidth(const MatrixMap &map, int64_t dim,
                             int64_t elementBytes) {
  int64_t count = std::gcd(countNeighbours(map, dim), 16 / elementBytes);
  return count & -count;
}

namespace {

/// What a kernel writes, and how.
struct Im2colSpec {
  MatrixMap map;
  int64_t elementBytes, packed, vector;
  /// Nanoseconds of each byte read or written.
  double bytesNs;

  /// Accesses of a tile along packed rows, as many as end where these do, and
  /// across them.
  int64_t getAlong() const {
    return std::max(kLeastAlong, getPackedPitchMultiple(elementBytes) / vector);
  }
  int64_t getAcross() const { return kAccesses / getAlong(); }
  bool isBatched() const { return !map.digits[0].empty(); }
  std::string getKey() const {
    return llvm::formatv("im2col {0} {1} {2} {3}", elementBytes, packed, vector,
                         map.str());
  }
};

} // namespace

static LaunchFacts makeFacts(const Im2colSpec &spec,
                             const KernelParameters &parameters) {
  LaunchFacts facts;
  GridFacts &grid = facts.grid.emplace();
  grid.packTile = {spec.getAcross(), spec.getAlong() * spec.vector};
  if (spec.packed == 0)
    std::swap(grid.packTile[0], grid.packTile[1]);
  facts.parameters = parameters.parameters;
  OperandRequirement &requirement = facts.requirements.emplace_back();
  requirement.operand.name = "X";
  requirement.alignment = spec.vector * spec.elementBytes;
  CostFacts &cost = facts.cost.emplace();
  cost.fixed = getPackFixedNs();
  cost.bytes = spec.bytesNs;
  return facts;
}

static KernelParameters declare(MLIRContext *context, const Im2colSpec &spec) {
  Type i64 = IntegerType::get(context, 64);
  Type pointer = LLVM::LLVMPointerType::get(context, 1);
  KernelParameters parameters;
  parameters.add(pointer, "X.data");
  parameters.add(pointer, "X.packed");
  parameters.add(i64, "X.packed_stride");
  if (spec.isBatched())
    parameters.add(i64, "X.packed_batch_stride");
  return parameters;
}

/// The digits of a number, appended to `digits`.
static void split(Val number, ArrayRef<int64_t> extents,
                  SmallVectorImpl<Val> &digits) {
  size_t first = digits.size();
  digits.resize(first + extents.size());
  for (size_t i = extents.size(); i-- > 0;) {
    // What is left of the first digit is the digit.
    digits[first + i] = i == 0 ? number : number % extents[i];
    number = number / extents[i];
  }
}

namespace {

/// An element of the tensor: its offset, and whether there is one.
struct Place {
  Val offset, exists;
};

} // namespace

/// Locates the element of the digits. Unsigned numbers wrap around: what is
/// below 0 is beyond every extent.
static Place locate(Scope &scope, const MatrixMap &map, ArrayRef<Val> digits) {
  Place place{indexConstant(scope, 0), Val()};
  for (const MatrixMapDim &dim : map.dims) {
    Val index = indexConstant(scope, dim.constant);
    for (auto [digit, coefficient] : llvm::zip_equal(digits, dim.coefficients))
      if (coefficient != 0)
        index = index + digit * coefficient;
    Val exists = index < indexConstant(scope, dim.extent * dim.divisor);
    if (dim.divisor != 1) {
      exists =
          both(exists, equal(index % dim.divisor, indexConstant(scope, 0)));
      index = index / dim.divisor;
    }
    place.exists = place.exists ? both(place.exists, exists) : exists;
    place.offset = place.offset + index * dim.stride;
  }
  return place;
}

/// The address of an element behind a pointer.
static Value getAddress(Scope &scope, Value pointer, Type element, Val offset) {
  Val wide = offset.cast(scope.builder.getI64Type());
  return LLVM::GEPOp::create(scope.builder, scope.loc, pointer.getType(),
                             element, pointer,
                             ArrayRef<LLVM::GEPArg>{wide.get()});
}

/// Copies the elements of one access, from `along` on in row `across`.
static void copyElements(Scope &scope, const Im2colSpec &spec,
                         const KernelArguments &arguments, Val batch,
                         Val across, Val along) {
  OpBuilder &builder = scope.builder;
  Val row = spec.packed == 1 ? across : along;
  Val column = spec.packed == 1 ? along : across;
  SmallVector<Val> digits;
  if (batch)
    split(batch, spec.map.digits[0], digits);
  split(row, spec.map.digits[1], digits);
  split(column, spec.map.digits[2], digits);
  Place place = locate(scope, spec.map, digits);
  // Rows are filled up with zeros.
  int64_t extentAlong = spec.map.getExtent(1 + spec.packed);
  place.exists = both(place.exists, along < indexConstant(scope, extentAlong));
  // What does not exist is read from the first element, and not used: a branch
  // costs more.
  Val offset = select(place.exists, place.offset, indexConstant(scope, 0));
  Type element = builder.getIntegerType(spec.elementBytes * 8);
  Type type = spec.vector == 1 ? element
                               : Type(VectorType::get({spec.vector}, element));
  unsigned align = spec.vector * spec.elementBytes;
  Value loaded = LLVM::LoadOp::create(
      builder, scope.loc, type,
      getAddress(scope, arguments["X.data"], element, offset), align);
  Value zero =
      arith::ConstantOp::create(builder, scope.loc, builder.getZeroAttr(type));
  Value value = arith::SelectOp::create(builder, scope.loc, place.exists.get(),
                                        loaded, zero);
  Val target =
      across * arguments["X.packed_stride"].cast(builder.getIndexType()) +
      along;
  if (batch)
    target = target + batch * arguments["X.packed_batch_stride"].cast(
                                  builder.getIndexType());
  LLVM::StoreOp::create(
      builder, scope.loc, value,
      getAddress(scope, arguments["X.packed"], element, target), align);
}

/// Stages the body: each block writes a tile.
static void buildBody(Scope &scope, const Im2colSpec &spec,
                      const KernelArguments &arguments) {
  int64_t extentAcross = spec.map.getExtent(2 - spec.packed);
  int64_t pitch = llvm::alignTo(spec.map.getExtent(1 + spec.packed),
                                getPackedPitchMultiple(spec.elementBytes));
  int64_t accesses = spec.getAlong(), rows = spec.getAcross();
  int64_t widthAlong = accesses * spec.vector;
  int64_t tilesAlong = llvm::divideCeil(pitch, widthAlong),
          tilesAcross = llvm::divideCeil(extentAcross, rows);
  Val id = blockId(scope), batch;
  if (spec.isBatched()) {
    batch = id / (tilesAlong * tilesAcross);
    id = id % (tilesAlong * tilesAcross);
  }
  // Blocks that follow one another lie along the packed rows.
  Val first = id / tilesAlong * rows, from = id % tilesAlong * widthAlong;
  Val thread = threadId(scope);
  for (int64_t i = 0; i < rows; i += kThreads / accesses) {
    Val across = first + thread / accesses + i;
    Val along = from + thread % accesses * spec.vector;
    Val inside = both(across < indexConstant(scope, extentAcross),
                      along < indexConstant(scope, pitch));
    ifThen(scope, inside,
           [&] { copyElements(scope, spec, arguments, batch, across, along); });
  }
}

/// The kernel of the module that writes matrices so, built if there is none
/// yet. Its parameters and launch facts name the operand X.
static gpu::GPUFuncOp getIm2colKernel(gpu::GPUModuleOp module, Location loc,
                                      const Im2colSpec &spec) {
  std::string key = spec.getKey();
  if (gpu::GPUFuncOp known = findPackKernel(module, key))
    return known;
  OpBuilder builder(module.getContext());
  KernelParameters parameters = declare(module.getContext(), spec);
  std::string name =
      llvm::formatv("im2col_{0}b_{1}_v{2}", spec.elementBytes * 8,
                    spec.packed == 1 ? 'r' : 'c', spec.vector);
  gpu::GPUFuncOp kernel = createKernel(module, loc, name, parameters, kThreads);
  setPackKey(kernel, key);
  setLaunchFacts(kernel, makeFacts(spec, parameters));
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Scope scope{builder, loc};
  buildBody(scope, spec,
            KernelArguments(scope, parameters,
                            kernel.getBody().front().getArguments()));
  gpu::ReturnOp::create(builder, loc);
  return kernel;
}

//===----------------------------------------------------------------------===//
// Copies of operands
//===----------------------------------------------------------------------===//

/// The dimension along which a kernel wants an operand's neighbours.
static int64_t getWantedDim(const LaunchFacts &facts, StringRef name,
                            int64_t natural) {
  for (const OperandRequirement &requirement : facts.requirements)
    if (requirement.operand.name == name && requirement.unitStride >= 0)
      return requirement.unitStride;
  return natural;
}

/// The choices that a choice becomes: with a copy by wide accesses, where the
/// tensor has them, and one by single elements for any base.
static SmallVector<KernelChoice> addCopy(GemmOp gemm, StringRef name,
                                         Value operand, const Chip &chip,
                                         gpu::GPUModuleOp module,
                                         const KernelChoice &choice) {
  gpu::GPUFuncOp kernel = choice.kernel;
  auto type = cast<MemRefType>(operand.getType());
  MatrixMap map = getIm2col(operand).getMatrixMap();
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  auto facts = kernel->getAttrOfType<LaunchFactsAttr>(kLaunchFacts);
  int64_t packed = getWantedDim(facts.getFacts(), name, getUnitDim(map));
  Builder builder(gemm.getContext());
  SmallVector<KernelChoice> result;
  for (int64_t vector : {getVectorWidth(map, packed, bytes), int64_t(1)}) {
    if (vector == 1 && !result.empty() &&
        getVectorWidth(map, packed, bytes) == 1)
      break;
    gpu::GPUFuncOp copy =
        getIm2colKernel(module, gemm.getLoc(),
                        {map, bytes, packed, vector, getPackBytesNs(chip)});
    KernelChoice &next = result.emplace_back(choice);
    next.prepare.push_back(PrepareAttr::get(
        gemm.getContext(), builder.getStringAttr(name),
        SymbolRefAttr::get(module.getNameAttr(),
                           {FlatSymbolRefAttr::get(copy.getNameAttr())}),
        packed, getPackedPitchMultiple(bytes)));
  }
  return result;
}

/// Whether a kernel reads the tensor itself.
static bool readsTensor(gpu::GPUFuncOp kernel, StringRef name) {
  auto facts = kernel->getAttrOfType<LaunchFactsAttr>(kLaunchFacts);
  const TensorMapSpec *map = facts.getFacts().findTensorMap(name.str());
  return map && !map->extents.empty();
}

void tile::addIm2colCopies(GemmOp gemm, const Chip &chip,
                           gpu::GPUModuleOp module,
                           SmallVectorImpl<KernelChoice> &choices) {
  for (auto [name, operand] :
       {std::pair<StringRef, Value>("A", gemm.getA()), {"B", gemm.getB()}}) {
    if (!getIm2col(operand))
      continue;
    SmallVector<KernelChoice> all;
    for (const KernelChoice &choice : choices) {
      if (choice.kernel && !readsTensor(choice.kernel, name))
        all.append(addCopy(gemm, name, operand, chip, module, choice));
      else
        all.push_back(choice);
    }
    choices.assign(all.begin(), all.end());
  }
}
