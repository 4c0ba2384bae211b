// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warp-specialised schedule: legality, variants, and the shared layouts.
#include "WarpSpecialized.h"

#include "tile/Atoms/SharedPlan.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;

/// Widest swizzle, and the row of a tile along its contiguous dimension.
static constexpr int64_t kRowBytes = 128;
/// Registers that a block's threads share.
static constexpr int64_t kRegisterFile = 65536;
/// Registers of a thread for accumulators and a finished tile: what is left of
/// 240 beside addresses and the like.
static constexpr int64_t kMaxDeferredRegisters = 200;

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

static Type getElementType(Value operand) {
  return cast<MemRefType>(operand.getType()).getElementType();
}

SmallVector<WarpSpecializedVariant>
tile::getWarpSpecializedVariants(GemmOp gemm,
                                 WarpSpecializedScheduleAttr schedule) {
  WarpSpecializedVariant base;
  SmallVector<int64_t> dimsD = getUnitDims(gemm.getD());
  int64_t dimD = dimsD.empty() ? 1 : dimsD.front();
  // A column-major D is the row-major D of the transposed problem.
  base.swapped = (dimD == 0) != (schedule.getSwap() == 1);
  base.contiguousD = base.swapped ? 1 - dimD : dimD;
  base.elementTypeD = getElementType(gemm.getD());
  base.hasC = static_cast<bool>(gemm.getC());
  if (base.hasC)
    base.contiguousC = getKnownUnitDim(gemm.getC());
  auto rank = [](Value operand) {
    return cast<MemRefType>(operand.getType()).getRank();
  };
  base.batched = rank(gemm.getD()) == 3;
  base.tensorStore = base.elementTypeD.getIntOrFloatBitWidth() == 16;

  auto describe = [&](char name, int64_t dim) {
    Value operand = name == 'A' ? gemm.getA() : gemm.getB();
    TensorOperand result;
    result.name = name;
    result.elementType = getElementType(operand);
    result.contiguous = dim;
    result.kMajor = dim == (name == 'A' ? 1 : 0);
    result.batched = rank(operand) == 3;
    return result;
  };
  SmallVector<WarpSpecializedVariant> variants;
  // wgmma transposes operands of 16 bits only; others, and those without unit
  // stride, are copied to be contiguous along K.
  auto dims = [&](Value operand, int64_t dimK) {
    SmallVector<int64_t> result = getUnitDims(operand);
    if (result.empty() || getElementType(operand).getIntOrFloatBitWidth() == 8)
      result = {dimK};
    return result;
  };
  for (int64_t dimA : dims(gemm.getA(), 1))
    for (int64_t dimB : dims(gemm.getB(), 0)) {
      WarpSpecializedVariant variant = base;
      variant.left = describe('A', dimA);
      variant.right = describe('B', dimB);
      if (base.swapped)
        std::swap(variant.left, variant.right);
      // Neighbouring elements of D and C are accessed in pairs where extents
      // and pitches are even, otherwise one by one.
      WarpSpecializedVariant pairs = variant;
      bool ofD =
          base.elementTypeD.isF32() && !dimsD.empty() && base.contiguousD == 1;
      bool ofC = base.hasC && base.contiguousC >= 0 &&
                 base.toProblem(base.contiguousC) == 1;
      pairs.vectorD = ofD ? 2 : 1;
      pairs.vectorC = ofC ? 2 : 1;
      if (ofD || ofC)
        variants.push_back(pairs);
      variants.push_back(variant);
    }
  return variants;
}

//===----------------------------------------------------------------------===//
// Shared layouts
//===----------------------------------------------------------------------===//

/// The swizzle of rows of `bytes` bytes, in units of elements.
static Swizzle getSwizzle(int64_t bytes, int64_t elementBytes) {
  int64_t bits = bytes >= 128 ? 3 : bytes == 64 ? 2 : bytes == 32 ? 1 : 0;
  if (bits == 0)
    return Swizzle();
  Result<Swizzle> swizzle =
      Swizzle::get(bits, llvm::Log2_64(16 / elementBytes), 3);
  return swizzle ? *swizzle : Swizzle();
}

namespace {
/// Modes of a layout under construction.
struct Modes {
  SmallVector<IntTuple> shape, stride;
  void add(int64_t extent, int64_t step) {
    shape.push_back(extent);
    stride.push_back(step);
  }
  /// A mode of two, or of one if the outer extent is 1.
  void add(int64_t inner, int64_t innerStep, int64_t outer, int64_t outerStep) {
    if (outer == 1)
      return add(inner, innerStep);
    shape.push_back(IntTuple::tuple({inner, outer}));
    stride.push_back(IntTuple::tuple({innerStep, outerStep}));
  }
  Layout get() const {
    Result<Layout> layout =
        Layout::get(IntTuple::tuple(shape), IntTuple::tuple(stride));
    return layout ? *layout : Layout();
  }
};
} // namespace

/// A ring of `stages` tiles of `rows` by `k` elements, read by `consumers` and
/// loaded by `blocks` thread blocks, a part each.
///
/// Elements along the contiguous dimension lie in rows of up to 128 bytes,
/// swizzled as wide. A tile whose rows run along M or N consists of chunks that
/// wide; its extent is rounded up to whole chunks.
static Result<OperandRing> makeOperandRing(const TensorOperand &operand,
                                           int64_t rows, int64_t k,
                                           int64_t stages, int64_t consumers,
                                           int64_t blocks) {
  int64_t bytes = operand.elementType.getIntOrFloatBitWidth() / 8;
  int64_t widest = kRowBytes / bytes;
  OperandRing tile;
  Modes ring, byConsumer, byBlock, box;
  int64_t width, stage;
  if (operand.kMajor) {
    width = std::min(k, widest);
    if (k % width != 0 || !llvm::isPowerOf2_64(width) || width * bytes < 32)
      return Reason("expected K of the tile to be 32, 64 or a multiple of 128 "
                    "bytes, but got " +
                    Twine(k * bytes));
    stage = rows * k;
    auto add = [&](Modes &modes, int64_t part) {
      modes.add(part, width);
      modes.add(width, 1, k / width, rows * width);
    };
    add(ring, rows);
    add(byConsumer, rows / consumers);
    byConsumer.add(consumers, rows / consumers * width);
    add(byBlock, rows / blocks);
    byBlock.add(blocks, rows / blocks * width);
    add(box, rows / blocks);
  } else {
    width = rows > widest / 2   ? widest
            : rows > widest / 4 ? widest / 2
                                : widest / 4;
    int64_t padded = llvm::alignTo(rows, width);
    stage = padded * k;
    if (blocks > 1 && k / blocks % 8 != 0)
      return Reason("expected each of " + Twine(blocks) +
                    " thread blocks to load a multiple of 8 along K of " +
                    Twine(operand.name) + ", but got " + Twine(k) +
                    " together");
    auto add = [&](Modes &modes, int64_t part, int64_t depth) {
      modes.add(width, 1, part / width, width * k);
      modes.add(depth, width);
    };
    add(ring, padded, k);
    // Consumers have whole chunks of A; all of them read all of B.
    add(byConsumer, padded / consumers, k);
    byConsumer.add(consumers, padded / consumers * k);
    add(byBlock, padded, k / blocks);
    byBlock.add(blocks, k / blocks * width);
    add(box, padded, k / blocks);
  }
  for (Modes *modes : {&ring, &byConsumer, &byBlock})
    modes->add(stages, stage);
  Swizzle swizzle = getSwizzle(width * bytes, bytes);
  Result<ComposedLayout> layout = ComposedLayout::get(swizzle, 0, ring.get());
  Result<ComposedLayout> boxLayout = ComposedLayout::get(swizzle, 0, box.get());
  if (!layout || !boxLayout)
    return layout ? boxLayout.takeReason() : layout.takeReason();
  tile.ring = *layout;
  tile.byConsumer = byConsumer.get();
  tile.byBlock = byBlock.get();
  tile.stageBytes = stage * bytes;
  Result<TmaBoxes> boxes = getTmaBoxes(*boxLayout, bytes * 8,
                                       /*contiguousDim=*/operand.kMajor ? 1 : 0,
                                       /*baseAlign=*/1024);
  if (!boxes)
    return Reason("the tile of " + Twine(operand.name) +
                  " cannot be loaded in boxes: " + boxes.getReason());
  tile.boxes = *boxes;
  return tile;
}

/// Chunks of 64 rows of D by as many columns as make rows of 128 bytes; where D
/// is contiguous along the rows, the chunk is.
static std::optional<std::string>
planStaging(WarpSpecializedParts &parts, const WarpSpecializedVariant &variant,
            int64_t columns, int64_t consumers) {
  // Chunks of a tile may overlap, except where they add C: it may be D, and
  // what is stored must not be added again.
  int64_t width = 64;
  while (width > columns || (variant.hasC && columns % width != 0))
    width /= 2;
  bool byRow = variant.contiguousD == 1;
  int64_t chunk = WgmmaAttr::kM * width;
  Modes modes, box;
  for (Modes *m : {&modes, &box}) {
    m->add(WgmmaAttr::kM, byRow ? width : 1);
    m->add(width, byRow ? 1 : WgmmaAttr::kM);
  }
  modes.add(parts.stagingBuffers, chunk);
  modes.add(consumers, chunk * parts.stagingBuffers);
  Swizzle swizzle = getSwizzle(byRow ? width * 2 : kRowBytes, 2);
  Result<ComposedLayout> layout = ComposedLayout::get(swizzle, 0, modes.get());
  Result<ComposedLayout> boxLayout = ComposedLayout::get(swizzle, 0, box.get());
  if (!layout || !boxLayout)
    return layout ? boxLayout.getReason() : layout.getReason();
  Result<TmaBoxes> boxes =
      getTmaBoxes(*boxLayout, 16, variant.contiguousD, /*baseAlign=*/1024);
  if (!boxes)
    return boxes.getReason();
  parts.staging = *layout;
  parts.stagingBoxes = *boxes;
  parts.chunkColumns = width;
  return std::nullopt;
}

Result<WarpSpecializedParts>
tile::getWarpSpecializedParts(WarpSpecializedScheduleAttr schedule,
                              const WarpSpecializedVariant &variant) {
  MLIRContext *context = schedule.getContext();
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t bytes = variant.left.elementType.getIntOrFloatBitWidth() / 8;
  int64_t consumers = schedule.getConsumers();
  bool pingPong = schedule.getMode() == ConsumerMode::PingPong;
  int64_t sharing = pingPong ? 1 : consumers;

  WarpSpecializedParts parts;
  parts.tileK = tile[2] ? tile[2] : kRowBytes / bytes;
  if (parts.tileK * bytes % 32 != 0)
    return Reason("expected K of the tile to be a multiple of 32 bytes, but "
                  "got " +
                  Twine(parts.tileK * bytes));
  parts.clusterSize = schedule.getClusterSize();
  parts.consumerRows = tile[0] / sharing;
  parts.threads = WgmmaAttr::kThreads * (consumers + 1);
  auto atom =
      WgmmaAttr::get(context, tile[1], variant.left.elementType,
                     variant.right.elementType, Float32Type::get(context));
  SmallVector<int64_t> count{parts.consumerRows / WgmmaAttr::kM, 1};
  parts.accumulator = AccumulatorType::get(context, atom, count);
  int64_t split = schedule.getSplit(), columns = tile[1] / split;
  auto storedAtom =
      WgmmaAttr::get(context, columns, variant.left.elementType,
                     variant.right.elementType, Float32Type::get(context));
  parts.stored = AccumulatorType::get(context, storedAtom, count);

  Result<OperandRing> left =
      makeOperandRing(variant.left, tile[0], parts.tileK, schedule.getStages(),
                      sharing, schedule.getClusterN());
  if (!left)
    return left.takeReason();
  Result<OperandRing> right =
      makeOperandRing(variant.right, tile[1], parts.tileK, schedule.getStages(),
                      1, schedule.getClusterM());
  if (!right)
    return right.takeReason();
  parts.left = *left;
  parts.right = *right;

  int64_t operands =
      (left->stageBytes + right->stageBytes) * schedule.getStages();
  SmallVector<SharedBuffer> buffers{
      {variant.left.name == 'A' ? "A" : "B",
       left->stageBytes * schedule.getStages(), 1024},
      {variant.left.name == 'A' ? "B" : "A",
       right->stageBytes * schedule.getStages(), 1024},
      {"barriers", 16 * schedule.getStages() + (pingPong ? 32 : 0), 16}};
  if (split > 1) {
    buffers.push_back({"partial sums", tile[0] * tile[1] * 4, 16});
    buffers.push_back({"barriers of the exchange", 16, 16});
  }
  if (variant.tensorStore) {
    // Chunks of D are staged two by two; where there is room, two of them are
    // written while two are copied out.
    int64_t chunks =
        parts.consumerRows / WgmmaAttr::kM * llvm::divideCeil(columns, 64);
    for (int64_t number : {4, 2, 1}) {
      parts.stagingBuffers = std::min(number, chunks);
      parts.stagingGroup = std::min<int64_t>(parts.stagingBuffers, 2);
      if (std::optional<std::string> reason =
              planStaging(parts, variant, columns, consumers))
        return Reason(*reason);
      int64_t bytesD = WgmmaAttr::kM * parts.chunkColumns * 2 *
                       parts.stagingBuffers * consumers;
      if (number > 1 &&
          operands + bytesD + 16 * schedule.getStages() + 64 > kMaxSharedBytes)
        continue;
      buffers.push_back({"D", bytesD, 1024});
      break;
    }
  }
  if (Result<SharedPlan> plan = planSharedMemory(buffers, kMaxSharedBytes);
      !plan)
    return plan.takeReason();

  int64_t accumulators = parts.accumulator.getFragmentType().getNumElements();
  if (schedule.getDefer()) {
    int64_t kept =
        accumulators * variant.elementTypeD.getIntOrFloatBitWidth() / 32;
    if (accumulators + kept > kMaxDeferredRegisters)
      return Reason("expected at most " + Twine(kMaxDeferredRegisters) +
                    " registers of a thread for accumulators and the tile that "
                    "is stored later, but got " +
                    Twine(accumulators) + " and " + Twine(kept));
  }

  // What the producer does not need goes to the consumers, in units of 8.
  if (consumers == 2) {
    bool most = accumulators > 128 || schedule.getDefer();
    parts.producerRegisters = most ? 24 : 40;
    parts.consumerRegisters = most ? 240 : 232;
    static_assert(128 * (24 + 2 * 240) <= kRegisterFile &&
                      128 * (40 + 2 * 232) <= kRegisterFile,
                  "the registers of a block");
  }
  return parts;
}
