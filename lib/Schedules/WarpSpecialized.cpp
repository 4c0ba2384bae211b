// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warp-specialised schedule: legality, variants, and the shared layouts.
#include "WarpSpecialized.h"

#include "EpilogueOperands.h"
#include "Im2col.h"
#include "TensorWalks.h"

#include "tile/Atoms/SharedLayouts.h"
#include "tile/Atoms/SharedPlan.h"
#include "tile/IR/Epilogue.h"
#include "tile/Layout/Algebra.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;

/// Widest swizzle, and the row of a tile along its contiguous dimension.
static constexpr int64_t kRowBytes = 128;
/// Registers of a thread for accumulators and a finished tile: what is left of
/// 240 beside addresses and the like.
static constexpr int64_t kMaxDeferredRegisters = 200;

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

static Type getElementType(Value operand) {
  return cast<MemRefType>(operand.getType()).getElementType();
}

/// Chooses what passes through the chunks of D: it must lie as D does. C comes
/// first, then the first operand of the epilogue that is a matrix like D.
static void chooseLoadedSource(GemmOp gemm, WarpSpecializedVariant &variant) {
  int64_t contiguous = variant.toProblem(variant.contiguousD);
  if (gemm.getC()) {
    if (variant.contiguousC != contiguous)
      return;
    variant.loadedSource = 0;
    variant.loadedName = "C";
    variant.batchedLoad =
        cast<MemRefType>(gemm.getC().getType()).getRank() == 3;
    return;
  }
  std::optional<unsigned> number = findMatrixLikeD(gemm, contiguous);
  if (!number)
    return;
  variant.loadedSource = number;
  variant.loadedName = "E" + std::to_string(*number);
  variant.batchedLoad =
      llvm::is_contained(gemm.getEpilogueIndices(*number), int64_t(IndexBatch));
}

/// What all variants of a problem have in common.
static WarpSpecializedVariant
makeBaseVariant(GemmOp gemm, WarpSpecializedScheduleAttr schedule) {
  WarpSpecializedVariant base;
  SmallVector<int64_t> dimsD = getUnitDims(gemm.getD());
  int64_t dimD = dimsD.empty() ? 1 : dimsD.front();
  // A column-major D is the row-major D of the transposed problem.
  base.swapped = (dimD == 0) != (schedule.getSwapAb());
  base.contiguousD = base.swapped ? 1 - dimD : dimD;
  base.elementTypeD = getElementType(gemm.getD());
  base.hasC = static_cast<bool>(gemm.getC());
  base.promotedSums = gemm.getPromotedSums();
  if (base.hasC)
    base.contiguousC = getKnownUnitDim(gemm.getC());
  auto rank = [](Value operand) {
    return cast<MemRefType>(operand.getType()).getRank();
  };
  base.batched = rank(gemm.getD()) == 3;
  base.tensorStore = base.elementTypeD.getIntOrFloatBitWidth() == 16 ||
                     schedule.getUseTmaStore();
  // A tile that is stored late has its C added before.
  if (schedule.getUseTmaStore() && !schedule.getOverlapEpilogue())
    chooseLoadedSource(gemm, base);
  return base;
}

/// An operand with unit stride along a dimension of its matrix.
static TensorOperand describe(GemmOp gemm, char name, int64_t dim) {
  Value operand = name == 'A' ? gemm.getA() : gemm.getB();
  TensorOperand result;
  result.name = name;
  result.elementType = getElementType(operand);
  result.contiguous = dim;
  result.kMajor = dim == (name == 'A' ? 1 : 0);
  result.batched = cast<MemRefType>(operand.getType()).getRank() == 3;
  return result;
}

/// The operand that a walk reads.
static TensorOperand describe(GemmOp gemm, char name,
                              const dsl::TensorWalk &walk) {
  // The innermost dimension of the tensor is K, or it is the rows.
  const std::vector<int64_t> &digits = walk.map.digits[1 + walk.dimK];
  size_t last = walk.map.getFirstDigit(static_cast<int>(1 + walk.dimK)) +
                digits.size() - 1;
  bool kMajor = !walk.pixelsAlongK &&
                walk.map.dims[walk.order.front()].coefficients[last] != 0;
  TensorOperand result =
      describe(gemm, name, kMajor ? walk.dimK : 1 - walk.dimK);
  result.batched = false;
  result.walk = std::make_shared<dsl::TensorWalk>(walk);
  return result;
}

/// Appends a variant in which neighbouring elements of D, C and the epilogue's
/// operands are accessed in pairs, for even extents and pitches, and one for
/// single elements.
static void addVariants(GemmOp gemm, const WarpSpecializedVariant &variant,
                        SmallVectorImpl<WarpSpecializedVariant> &variants) {
  WarpSpecializedVariant pairs = variant;
  bool ofD = variant.elementTypeD.getIntOrFloatBitWidth() == 32 &&
             !getUnitDims(gemm.getD()).empty() && variant.contiguousD == 1;
  bool ofC = variant.hasC && variant.contiguousC >= 0 &&
             variant.toProblem(variant.contiguousC) == 1;
  pairs.vectorD = ofD ? 2 : 1;
  pairs.vectorC = ofC ? 2 : 1;
  pairs.pairsOfEpilogue = hasEpiloguePairs(gemm, variant.swapped);
  if (ofD || ofC || pairs.pairsOfEpilogue)
    variants.push_back(pairs);
  variants.push_back(variant);
}

/// Appends the variants that read tensors in place, if there are any.
static void
addTensorVariants(GemmOp gemm, WarpSpecializedScheduleAttr schedule,
                  const WarpSpecializedVariant &base,
                  SmallVectorImpl<WarpSpecializedVariant> &variants) {
  if (!getIm2col(gemm.getA()) && !getIm2col(gemm.getB()))
    return;
  Result<TensorWalks> walks = planTensorWalks(gemm, getTileK(gemm, schedule));
  if (!walks)
    return;
  WarpSpecializedVariant variant = base;
  variant.left = walks->a ? describe(gemm, 'A', *walks->a)
                          : describe(gemm, 'A', getKnownUnitDim(gemm.getA()));
  variant.right = describe(gemm, 'B', *walks->b);
  // wgmma transposes operands of 16 bits only.
  bool isNarrow = getElementType(gemm.getA()).getIntOrFloatBitWidth() != 16;
  if (isNarrow && !(variant.left.kMajor && variant.right.kMajor))
    return;
  if (!fitsTensorWalks(schedule, *walks, base.swapped))
    return;
  if (base.swapped)
    std::swap(variant.left, variant.right);
  addVariants(gemm, variant, variants);
}

int64_t tile::getTileK(GemmOp gemm, WarpSpecializedScheduleAttr schedule) {
  if (int64_t k = schedule.getTile()[2])
    return k;
  return kRowBytes * 8 / getElementType(gemm.getA()).getIntOrFloatBitWidth();
}

SmallVector<WarpSpecializedVariant>
tile::getWarpSpecializedVariants(GemmOp gemm,
                                 WarpSpecializedScheduleAttr schedule) {
  WarpSpecializedVariant base = makeBaseVariant(gemm, schedule);
  SmallVector<WarpSpecializedVariant> variants;
  addTensorVariants(gemm, schedule, base, variants);
  // wgmma transposes operands of 16 bits only; others, and those without unit
  // stride, are copied to be contiguous along K.
  auto dims = [&](Value operand, int64_t dimK) {
    SmallVector<int64_t> result = getUnitDims(operand);
    if (result.empty() || getElementType(operand).getIntOrFloatBitWidth() != 16)
      result = {dimK};
    return result;
  };
  for (int64_t dimA : dims(gemm.getA(), 1))
    for (int64_t dimB : dims(gemm.getB(), 0)) {
      WarpSpecializedVariant variant = base;
      variant.left = describe(gemm, 'A', dimA);
      variant.right = describe(gemm, 'B', dimB);
      if (base.swapped)
        std::swap(variant.left, variant.right);
      addVariants(gemm, variant, variants);
    }
  return variants;
}

//===----------------------------------------------------------------------===//
// Shared layouts
//===----------------------------------------------------------------------===//

/// A tile of (mn, k) elements in rows of `rowBytes` bytes, as wgmma and TMA
/// have it, in as few modes as it takes.
static Result<ComposedLayout> getTile(Major major, int64_t rowBytes,
                                      int64_t elementBytes, int64_t mn,
                                      int64_t k) {
  int swizzle = rowBytes >= 32 ? static_cast<int>(rowBytes) : 0;
  Result<ComposedLayout> tile =
      getSharedLayout(major, swizzle, 8 * elementBytes, mn, k);
  if (!tile)
    return tile;
  Result<Layout> layout =
      coalesce(tile->getLayout(), IntTuple::constants({1, 1}));
  if (!layout)
    return layout.takeReason();
  return ComposedLayout::get(tile->getSwizzle(), 0, *layout);
}

/// `count` copies of a layout, one behind the other.
static Layout getCopies(int64_t count, int64_t stride) {
  Result<Layout> layout = Layout::get(count, stride);
  return layout ? *layout : Layout();
}

/// A tile with mode `dim` divided into `parts` parts: (part of mn, part of k,
/// number of the part).
static Result<Layout> divide(const Layout &tile, unsigned dim, int64_t parts) {
  int64_t extent = tile[dim].size().getValue() / parts;
  Result<Layout> divided =
      logicalDivide(tile[dim], Tiler(getCopies(extent, 1)));
  if (!divided)
    return divided.takeReason();
  Layout part = coalesce((*divided)[0]), number = coalesce((*divided)[1]);
  return dim == 0 ? Layout::getConcat({part, tile[1], number})
                  : Layout::getConcat({tile[0], part, number});
}

/// The part of a block, (rows, k, parts), in chunks of `width` rows: (rows, k,
/// parts, chunks).
static Result<Layout> divide(const Layout &parts, int64_t width) {
  Result<Layout> divided = logicalDivide(parts[0], Tiler(getCopies(width, 1)));
  if (!divided)
    return divided.takeReason();
  return Layout::getConcat(
      {coalesce((*divided)[0]), parts[1], parts[2], coalesce((*divided)[1])});
}

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
  int64_t widest = kRowBytes / bytes, width;
  if (operand.kMajor) {
    width = std::min(k, widest);
    if (k % width != 0 || !llvm::isPowerOf2_64(width) || width * bytes < 32)
      return Reason("expected K of the tile to be 32, 64 or a multiple of 128 "
                    "bytes, but got " +
                    Twine(k * bytes));
  } else {
    width = rows > widest / 2   ? widest
            : rows > widest / 4 ? widest / 2
                                : widest / 4;
    rows = llvm::alignTo(rows, width);
    if (blocks > 1 && k / blocks % 8 != 0)
      return Reason("expected each of " + Twine(blocks) +
                    " thread blocks to load a multiple of 8 along K of " +
                    Twine(operand.name) + ", but got " + Twine(k) +
                    " together");
  }
  Result<ComposedLayout> tile = getTile(operand.kMajor ? Major::K : Major::MN,
                                        width * bytes, bytes, rows, k);
  if (!tile)
    return tile.takeReason();
  const Layout &one = tile->getLayout();
  // Blocks load parts of rows that run along K whole, or of K.
  Result<Layout> byConsumer = divide(one, 0, consumers);
  Result<Layout> byBlock = divide(one, operand.kMajor ? 0 : 1, blocks);
  if (!byConsumer || !byBlock)
    return byConsumer ? byBlock.takeReason() : byConsumer.takeReason();
  Layout copies = getCopies(stages, rows * k);
  auto inStages = [&](const Layout &parts) {
    return Layout::getConcat({parts[0], parts[1], parts[2], copies});
  };
  Result<Layout> ring = Layout::getConcat({one[0], one[1], copies}),
                 consumerRing = inStages(*byConsumer),
                 blockRing = inStages(*byBlock),
                 part = Layout::getConcat({(*byBlock)[0], (*byBlock)[1]});
  for (Result<Layout> *layout : {&ring, &consumerRing, &blockRing, &part})
    if (!*layout)
      return layout->takeReason();
  Result<ComposedLayout> layout =
      ComposedLayout::get(tile->getSwizzle(), 0, *ring);
  Result<ComposedLayout> boxLayout =
      ComposedLayout::get(tile->getSwizzle(), 0, *part);
  if (!layout || !boxLayout)
    return layout ? boxLayout.takeReason() : layout.takeReason();
  OperandRing result;
  result.ring = *layout;
  result.byConsumer = *consumerRing;
  result.byBlock = *blockRing;
  result.stageBytes = rows * k * bytes;
  if (!operand.kMajor && operand.walk && rows > width) {
    Result<Layout> chunked = divide(*byBlock, width);
    if (!chunked)
      return chunked.takeReason();
    result.byChunk = *Layout::getConcat(
        {(*chunked)[0], (*chunked)[1], (*chunked)[2], (*chunked)[3], copies});
    result.chunks = rows / width;
  }
  Result<TmaBoxes> boxes = getTmaBoxes(*boxLayout, bytes * 8,
                                       /*contiguousDim=*/operand.kMajor ? 1 : 0,
                                       /*baseAlign=*/1024);
  if (!boxes)
    return Reason("the tile of " + Twine(operand.name) +
                  " cannot be loaded in boxes: " + boxes.getReason());
  result.boxes = *boxes;
  return result;
}

/// Chunks of 64 rows of D by as many columns as make rows of 128 bytes; where D
/// is contiguous along the rows, the chunk is, in parts of 128 bytes.
static std::optional<std::string>
planStaging(WarpSpecializedParts &parts, const WarpSpecializedVariant &variant,
            int64_t columns, int64_t consumers) {
  // Chunks of a tile may overlap, except where they add C: it may be D, and
  // what is stored must not be added again.
  int64_t bytes = variant.elementTypeD.getIntOrFloatBitWidth() / 8;
  int64_t width = kRowBytes / bytes;
  while (width > columns || (variant.hasC && columns % width != 0))
    width /= 2;
  bool byRow = variant.contiguousD == 1;
  Result<ComposedLayout> chunk =
      getTile(byRow ? Major::K : Major::MN, byRow ? width * bytes : kRowBytes,
              bytes, WgmmaAttr::kM, width);
  if (!chunk)
    return chunk.getReason();
  int64_t size = WgmmaAttr::kM * width;
  const Layout &one = chunk->getLayout();
  Result<Layout> chunks =
      Layout::getConcat({one[0], one[1], getCopies(parts.stagingBuffers, size),
                         getCopies(consumers, size * parts.stagingBuffers)});
  if (!chunks)
    return chunks.getReason();
  Result<ComposedLayout> layout =
      ComposedLayout::get(chunk->getSwizzle(), 0, *chunks);
  if (!layout)
    return layout.getReason();
  Result<TmaBoxes> boxes = getTmaBoxes(*chunk, 8 * bytes, variant.contiguousD,
                                       /*baseAlign=*/1024);
  if (!boxes)
    return boxes.getReason();
  parts.staging = *layout;
  parts.stagingBoxes = *boxes;
  parts.chunkColumns = width;
  return std::nullopt;
}

/// Why wgmma cannot compute tiles of so many columns, in `split` parts, with
/// the nearest that it can.
static std::optional<std::string>
checkColumns(const WarpSpecializedVariant &variant, int64_t columns,
             int64_t split) {
  Type a = variant.left.getFactorType(), b = variant.right.getFactorType();
  auto check = [&](int64_t n) {
    std::optional<std::string> reason =
        WgmmaAttr::check(n, a, b, variant.getSumType());
    return reason ? reason
                  : WgmmaAttr::check(n / split, a, b, variant.getSumType());
  };
  std::optional<std::string> reason = check(columns);
  if (!reason)
    return std::nullopt;
  SmallVector<std::string> nearest;
  for (int64_t step : {-8 * split, 8 * split}) {
    int64_t n = columns + step;
    while (n >= 8 && n <= 256 && check(n))
      n += step;
    if (n >= 8 && n <= 256)
      nearest.push_back(std::to_string(n));
  }
  // Other columns do not help with other types.
  if (nearest.empty())
    return reason;
  std::string text;
  llvm::raw_string_ostream(text)
      << "expected N of the tile to be one that wgmma of " << a << " has"
      << (split > 1 ? ", like each of " + std::to_string(split) + " parts" : "")
      << ", the nearest are " << llvm::join(nearest, " and ") << ", but got "
      << columns;
  return text;
}

Result<WarpSpecializedParts>
tile::getWarpSpecializedParts(WarpSpecializedScheduleAttr schedule,
                              const WarpSpecializedVariant &variant,
                              const Chip &chip) {
  MLIRContext *context = schedule.getContext();
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t bytes = variant.left.elementType.getIntOrFloatBitWidth() / 8;
  int64_t consumers = schedule.getConsumers();
  bool pingPong = schedule.getMode() == ConsumerMode::PingPong;
  int64_t sharing = pingPong ? 1 : consumers;

  WarpSpecializedParts parts;
  parts.chip = &chip;
  parts.tileK = tile[2] ? tile[2] : kRowBytes / bytes;
  if (variant.promotedSums && parts.tileK * bytes > kRowBytes)
    return Reason("expected K of the tile to be at most " +
                  Twine(kRowBytes / bytes) + " for promoted sums, but got " +
                  Twine(parts.tileK));
  if (parts.tileK * bytes % 32 != 0)
    return Reason("expected K of the tile to be a multiple of 32 bytes, but "
                  "got " +
                  Twine(parts.tileK * bytes));
  parts.clusterSize = schedule.getClusterSize();
  parts.consumerRows = tile[0] / sharing;
  parts.threads = WgmmaAttr::kThreads * (consumers + 1);
  auto getAtom = [&](int64_t n) {
    return WgmmaAttr::get(context, n, variant.left.getFactorType(),
                          variant.right.getFactorType(), variant.getSumType());
  };
  SmallVector<int64_t> count{parts.consumerRows / WgmmaAttr::kM, 1};
  int64_t split = schedule.getSplitK(), columns = tile[1] / split;
  if (std::optional<std::string> reason = checkColumns(variant, tile[1], split))
    return Reason(*reason);
  parts.accumulator = AccumulatorType::get(context, getAtom(tile[1]), count);
  parts.stored = AccumulatorType::get(context, getAtom(columns), count);

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
    int64_t bytes = variant.elementTypeD.getIntOrFloatBitWidth() / 8;
    int64_t chunks = parts.consumerRows / WgmmaAttr::kM *
                     llvm::divideCeil(columns, kRowBytes / bytes);
    for (int64_t number : {4, 2, 1}) {
      parts.stagingBuffers = std::min(number, chunks);
      parts.stagingGroup = std::min<int64_t>(parts.stagingBuffers, 2);
      if (std::optional<std::string> reason =
              planStaging(parts, variant, columns, consumers))
        return Reason(*reason);
      int64_t bytesD = WgmmaAttr::kM * parts.chunkColumns * bytes *
                       parts.stagingBuffers * consumers;
      if (number > 1 &&
          operands + bytesD + 16 * schedule.getStages() + 64 > chip.sharedBytes)
        continue;
      buffers.push_back({"D", bytesD, 1024});
      break;
    }
    if (variant.loadedSource)
      buffers.push_back({"barriers of " + variant.loadedName,
                         16 * parts.getStagingSlots() * consumers, 16});
    parts.chunk =
        AccumulatorType::get(context, getAtom(parts.chunkColumns), {1, 1});
  }
  if (Result<SharedPlan> plan = planSharedMemory(buffers, chip.sharedBytes);
      !plan)
    return plan.takeReason();

  int64_t accumulators = parts.accumulator.getFragmentType().getNumElements();
  if (variant.promotedSums && 2 * accumulators > kMaxDeferredRegisters)
    return Reason("expected at most " + Twine(kMaxDeferredRegisters) +
                  " registers of a thread for accumulators and promoted sums, "
                  "but got twice " +
                  Twine(accumulators));
  if (schedule.getOverlapEpilogue()) {
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
    bool most = accumulators > 128 || schedule.getOverlapEpilogue() ||
                variant.promotedSums;
    parts.producerRegisters = most ? 24 : 40;
    parts.consumerRegisters = most ? 240 : 232;
    static_assert(128 * (24 + 2 * 240) <= Chip::kRegisters &&
                      128 * (40 + 2 * 232) <= Chip::kRegisters,
                  "the registers of a block");
  }
  return parts;
}
