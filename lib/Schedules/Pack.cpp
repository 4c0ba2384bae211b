// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that copy an operand to where tensor copies can read it.
#include "Pack.h"

#include "KernelArguments.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

/// Threads of a block, and the extents of its tile: across the packed rows and
/// along them.
static constexpr int64_t kThreads = 256, kAcross = 32, kAlong = 128;
/// Bytes of one store, along the source's rows and across them. Loads are of
/// single elements: with more bytes for each thread, those of a warp lie
/// further apart.
static constexpr int64_t kStoreBytes = 8, kTransposingStoreBytes = 16;
/// A launch in nanoseconds, and what of the bytes of device memory a copy
/// reaches: estimates for an H200.
static constexpr double kFixedNs = 2500, kReachedMemory = 5.0 / 6;

double tile::getPackBytesNs(const Chip &chip) {
  return 1 / (chip.memoryBytesPerNs * kReachedMemory);
}

double tile::getPackFixedNs() { return kFixedNs; }

int64_t tile::getPackedPitchMultiple(int64_t elementBytes) {
  return 128 / elementBytes;
}

/// The threads' elements of a tile of (across, along), `elements` together
/// along the packed rows. Where the source runs across them, so do the lanes of
/// a warp, so that each of its loads is contiguous.
static ThreadMapAttrInterface getMap(MLIRContext *context, bool transposes,
                                     int64_t elements) {
  if (!transposes)
    return cast<ThreadMapAttrInterface>(Attribute(StripMinedMapAttr::get(
        context, {kAcross, kAlong}, /*contiguous=*/1, kThreads, elements)));
  auto step = [](int64_t scale, int64_t dim) {
    return IntTuple::basis(Int(scale), {dim});
  };
  int64_t warps = kThreads / 32;
  SmallVector<IntTuple> shape{elements, kAcross / 32,
                              kAlong / (warps * elements)};
  SmallVector<IntTuple> stride{step(1, 1), step(32, 0),
                               step(warps * elements, 1)};
  Result<Layout> layout = Layout::get(
      IntTuple::tuple({IntTuple::tuple({32, warps}), IntTuple::tuple(shape)}),
      IntTuple::tuple({IntTuple::tuple({step(1, 0), step(elements, 1)}),
                       IntTuple::tuple(stride)}));
  return cast<ThreadMapAttrInterface>(Attribute(
      TVMapAttr::get(context, {kAcross, kAlong}, layout ? *layout : Layout())));
}

static std::string getName(const PackSpec &spec) {
  static constexpr const char *kLetters[] = {"x", "c", "r"};
  return llvm::formatv("pack_{0}b_{1}{2}{3}", spec.elementBytes * 8,
                       kLetters[spec.source + 1], kLetters[spec.packed + 1],
                       spec.batched ? "_batched" : "")
      .str();
}

static LaunchFacts makeFacts(const PackSpec &spec,
                             const KernelParameters &parameters) {
  LaunchFacts facts;
  GridFacts &grid = facts.grid.emplace();
  grid.packTile = {kAcross, kAlong};
  if (spec.packed == 0)
    std::swap(grid.packTile[0], grid.packTile[1]);
  facts.parameters = parameters.parameters;
  if (spec.source >= 0) {
    OperandRequirement &requirement = facts.requirements.emplace_back();
    requirement.operand.name = "X";
    requirement.unitStride = spec.source;
    requirement.alignment = spec.elementBytes;
  }
  CostFacts &cost = facts.cost.emplace();
  cost.fixed = kFixedNs;
  cost.bytes = spec.bytesNs;
  return facts;
}

/// The name of a fact of one dimension of the matrix.
static std::string numbered(StringRef what, int64_t dim) {
  return ("X." + what + "[" + Twine(dim) + "]").str();
}

static KernelParameters declare(MLIRContext *context, const PackSpec &spec) {
  Type i64 = IntegerType::get(context, 64);
  Type pointer = LLVM::LLVMPointerType::get(context, 1);
  KernelParameters parameters;
  parameters.add(pointer, "X.data");
  for (int64_t dim : {0, 1})
    if (dim != spec.source)
      parameters.add(i64, numbered("stride", dim));
  parameters.add(pointer, "X.packed");
  parameters.add(i64, "X.packed_stride");
  for (int64_t dim : {0, 1})
    parameters.add(i64, numbered("extent", dim));
  if (spec.batched) {
    parameters.add(i64, "X.batch_stride");
    parameters.add(i64, "X.packed_batch_stride");
  }
  return parameters;
}

/// Stages the body: each block copies a tile.
static void buildBody(Scope &scope, const PackSpec &spec,
                      const KernelArguments &arguments) {
  OpBuilder &builder = scope.builder;
  Type i64 = builder.getI64Type(), index = builder.getIndexType();
  // Dimensions of the matrix: along the packed rows, and across them.
  int64_t along = spec.packed, across = 1 - spec.packed;
  auto asIndex = [&](StringRef name) { return arguments[name].cast(index); };
  Type element = builder.getIntegerType(spec.elementBytes * 8);
  bool transposes = spec.source == across;
  int64_t storeBytes = transposes ? kTransposingStoreBytes : kStoreBytes;
  int64_t elements = storeBytes / spec.elementBytes;
  int64_t multiple = getPackedPitchMultiple(spec.elementBytes);

  Val id = blockId(scope);
  Val extentAcross = asIndex(numbered("extent", across)),
      extentAlong = asIndex(numbered("extent", along));
  Val tilesAcross = ceilDiv(extentAcross, kAcross);
  Val tilesAlong = ceilDiv(extentAlong, kAlong);
  Val target = arguments["X.packed"], batch;
  if (spec.batched) {
    Val tiles = tilesAcross * tilesAlong;
    batch = (id / tiles).cast(i64);
    id = id % tiles;
    Val offset = batch * arguments["X.packed_batch_stride"];
    target =
        Val(scope, LLVM::GEPOp::create(builder, scope.loc, target.getType(),
                                       element, target.get(),
                                       ArrayRef<LLVM::GEPArg>{offset.get()}));
  }
  Val row = id / tilesAlong * kAcross, column = id % tilesAlong * kAlong;
  // The kernel's rows run across the packed ones.
  MatrixParameters matrix{
      "X", /*transposed=*/across == 1,
      /*unitDim=*/spec.source < 0 ? -1 : int64_t(!transposes), spec.batched};
  View from = arguments.makeView(
      scope, matrix, element, {extentAcross, extentAlong}, /*vector=*/1, batch);
  // Rows are filled up with zeros to whole stores.
  Val pitch = asIndex("X.packed_stride");
  View to = makeView(scope, target, element,
                     {Leaf(extentAcross), Leaf(pitch, multiple)},
                     {Leaf(pitch, multiple), Leaf(1)}, storeBytes);
  ThreadMapAttrInterface map =
      getMap(builder.getContext(), transposes, elements);
  Walk walk{IteratorType::kNoAdvance, /*predicated=*/true};
  Leaf first(row, kAcross), second(column, kAlong);
  Val thread = threadId(scope);
  from.iterate(first, second, thread, map, walk)
      .copyTo(to.iterate(first, second, thread, map, walk));
}

/// Name of the attribute that holds a pack kernel's key.
static constexpr llvm::StringLiteral kPackKey = "tile.pack";

gpu::GPUFuncOp tile::findPackKernel(gpu::GPUModuleOp module, StringRef key) {
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    if (auto known = kernel->getAttrOfType<StringAttr>(kPackKey);
        known && known.getValue() == key)
      return kernel;
  return {};
}

void tile::setPackKey(gpu::GPUFuncOp kernel, StringRef key) {
  kernel->setAttr(kPackKey, StringAttr::get(kernel.getContext(), key));
}

gpu::GPUFuncOp tile::getPackKernel(gpu::GPUModuleOp module, Location loc,
                                   const PackSpec &spec) {
  OpBuilder builder(module.getContext());
  std::string name = getName(spec);
  if (gpu::GPUFuncOp known = findPackKernel(module, name))
    return known;

  KernelParameters parameters = declare(module.getContext(), spec);
  gpu::GPUFuncOp kernel = createKernel(module, loc, name, parameters, kThreads);
  setPackKey(kernel, name);
  setLaunchFacts(kernel, makeFacts(spec, parameters));

  builder.setInsertionPointToStart(&kernel.getBody().front());
  Scope scope{builder, loc};
  buildBody(scope, spec,
            KernelArguments(scope, parameters,
                            kernel.getBody().front().getArguments()));
  gpu::ReturnOp::create(builder, loc);
  return kernel;
}
