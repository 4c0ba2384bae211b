// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The multistage schedule: legality, and the variants that cover every operand.
#include "Multistage.h"
#include "Kernel.h"

#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir;
using namespace tile;

/// Bytes of the widest access, and of the narrowest asynchronous copy.
static constexpr int64_t kWidestAccess = 16, kNarrowestCopy = 4;
/// Bytes along K of a stage whose schedule says nothing: a line of L2.
static constexpr int64_t kStageBytes = 128;
/// Vectors that ldmatrix reads at a time.
static constexpr int64_t kMatrixRows = 8;
/// Lanes along K, and along M or N, of a load element by element.
static constexpr int64_t kLanesOfRow = 4;

static Type getFactor(Value operand) {
  return cast<MemRefType>(operand.getType()).getElementType();
}

static int64_t getBytes(Type type) { return type.getIntOrFloatBitWidth() / 8; }

Type tile::getMultistageFactorType(Type elementType) {
  if (elementType.isF32())
    return FloatTF32Type::get(elementType.getContext());
  return elementType;
}

Type tile::getMultistageSumType(Type elementType) {
  MLIRContext *context = elementType.getContext();
  if (elementType.isInteger(8))
    return IntegerType::get(context, 32);
  return elementType.isF64() ? elementType : Float32Type::get(context);
}

std::optional<Reason> tile::checkMultistageProblem(GemmOp gemm, bool tf32,
                                                   const Chip &chip) {
  auto expected = [](StringRef what, const auto &actual) {
    std::string text;
    llvm::raw_string_ostream(text)
        << "expected " << what << ", but got " << actual;
    return Reason(text);
  };
  if (!chip.hasAsyncCopies())
    return expected("a chip with asynchronous copies, sm_80 or newer",
                    chip.architecture);
  Type a = getFactor(gemm.getA()), b = getFactor(gemm.getB());
  // Products of tf32 are less than those of f32: only who asks gets them.
  if (tf32 && !a.isF32())
    return expected("operands of f32 for tf32 = true", a);
  if (!tf32 && a.isF32())
    return expected("operands of f64, 16 or 8 bits, or tf32 = true and f32", a);
  Result<MmaSyncAttr> atom =
      MmaSyncAttr::find(chip, 0, getMultistageFactorType(a),
                        getMultistageFactorType(b), getMultistageSumType(a));
  if (!atom)
    return atom.takeReason();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

namespace {

/// What all variants of a problem have in common.
struct Sides {
  Value left, right;
  char leftName, rightName;
  MultistageVariant base;

  explicit Sides(GemmOp gemm) {
    // A column-major result is the row-major result of the transposed problem.
    base.swapped = getKnownUnitDim(gemm.getD()) == 0;
    base.hasC = static_cast<bool>(gemm.getC());
    base.batched = cast<MemRefType>(gemm.getD().getType()).getRank() == 3;
    left = base.swapped ? gemm.getB() : gemm.getA();
    right = base.swapped ? gemm.getA() : gemm.getB();
    leftName = base.swapped ? 'B' : 'A';
    rightName = base.swapped ? 'A' : 'B';
  }

  /// `problemDim` is the dimension of the problem's matrix with stride 1, or
  /// -1.
  OperandAssumption assume(char name, int64_t problemDim,
                           int64_t vector) const {
    OperandAssumption result;
    result.name = name;
    result.transposed = base.swapped;
    result.unitDim = problemDim < 0 ? -1 : result.toProblem(problemDim);
    result.vector = vector;
    return result;
  }

  /// Sets what a variant assumes of D, and of C where it can.
  void assumeResult(GemmOp gemm, MultistageVariant &variant,
                    int64_t vector) const {
    int64_t wanted = base.swapped ? 0 : 1;
    bool isWanted = llvm::is_contained(getUnitDims(gemm.getD()), wanted);
    int64_t dim =
        isWanted && vector > 1 ? wanted : getKnownUnitDim(gemm.getD());
    variant.d = assume('D', dim, vector);
    variant.c = assume('C', -1, 1);
    if (!base.hasC)
      return;
    bool isWantedC = llvm::is_contained(getUnitDims(gemm.getC()), wanted);
    variant.c = isWantedC && vector > 1
                    ? assume('C', wanted, vector)
                    : assume('C', getKnownUnitDim(gemm.getC()), 1);
  }
};

} // namespace

/// Dimensions of stride 1 with which a side can be copied asynchronously: those
/// of 8 bits must lie along K, which ldmatrix does not transpose.
static SmallVector<int64_t> getCopiedDims(Value operand, int64_t kDim) {
  SmallVector<int64_t> dims = getUnitDims(operand);
  if (getBytes(getFactor(operand)) == 1)
    llvm::erase_if(dims, [&](int64_t dim) { return dim != kDim; });
  return dims;
}

int64_t tile::getAccessBytes(GemmOp gemm, bool ofB, bool proves) {
  Value operand = ofB ? gemm.getB() : gemm.getA();
  auto type = cast<MemRefType>(operand.getType());
  int64_t bytes = getBytes(type.getElementType()), offset;
  int64_t unit = getKnownUnitDim(operand);
  SmallVector<int64_t> numbers;
  if (unit < 0 || failed(type.getStridesAndOffset(numbers, offset)))
    return proves ? bytes : kWidestAccess;
  // No instruction transposes bytes.
  if (bytes == 1 && unit != (ofB ? 0 : 1))
    return bytes;
  // Pitches and the extent along the rows.
  unsigned dim = type.getRank() - 2 + unit;
  numbers[dim] = type.getDimSize(dim);
  int64_t width = kWidestAccess;
  for (int64_t number : numbers)
    if (proves || !ShapedType::isDynamic(number))
      width =
          std::gcd(width, (ShapedType::isDynamic(number) ? 1 : number) * bytes);
  return width;
}

SmallVector<MultistageVariant>
tile::getMultistageVariants(GemmOp gemm, MultistageScheduleAttr schedule) {
  Sides sides(gemm);
  int64_t bytes = getBytes(getFactor(gemm.getA()));
  int64_t kLeft = sides.base.swapped ? 0 : 1;
  SmallVector<int64_t> dimsA = getCopiedDims(sides.left, kLeft),
                       dimsB = getCopiedDims(sides.right, 1 - kLeft);
  bool hasRowsOfD =
      llvm::is_contained(getUnitDims(gemm.getD()), sides.base.swapped ? 0 : 1);
  // 16-bit elements of odd pitch, and bytes that lie across K, have no
  // asynchronous copy, but a copy of the operand that lies along K has.
  bool takesCopies =
      bytes <= 2 && llvm::any_of(ArrayRef<bool>{false, true}, [&](bool ofB) {
        return getAccessBytes(gemm, ofB, /*proves=*/true) < kWidestAccess;
      });
  SmallVector<MultistageVariant> variants;
  auto add = [&](int64_t dimA, int64_t dimB, int64_t width, int64_t vectorD) {
    MultistageVariant variant = sides.base;
    variant.a = sides.assume(sides.leftName, dimA, width / bytes);
    variant.b = sides.assume(sides.rightName, dimB, width / bytes);
    sides.assumeResult(gemm, variant, vectorD);
    variant.takesCopies = takesCopies && width == kWidestAccess &&
                          dimA == kLeft && dimB == 1 - kLeft;
    variants.push_back(variant);
  };
  // Each pair of orders that the types leave open is a kernel of its own.
  bool isOpen = dimsA.size() * dimsB.size() > 1;
  for (int64_t dimA : dimsA)
    for (int64_t dimB : dimsB)
      for (int64_t width = kWidestAccess;
           width >= std::max(kNarrowestCopy, bytes); width /= 2) {
        bool isWidest = width == kWidestAccess;
        if (isOpen && !isWidest && width / 2 >= std::max(kNarrowestCopy, bytes))
          continue;
        // Results are stored in pairs, as a thread has them.
        if (hasRowsOfD && isWidest)
          add(dimA, dimB, width, 2);
        add(dimA, dimB, width, 1);
      }
  bool isAlongK =
      llvm::is_contained(dimsA, kLeft) && llvm::is_contained(dimsB, 1 - kLeft);
  if (takesCopies && !isAlongK) {
    if (hasRowsOfD)
      add(kLeft, 1 - kLeft, kWidestAccess, 2);
    add(kLeft, 1 - kLeft, kWidestAccess, 1);
  }
  MultistageVariant last = sides.base;
  last.a = sides.assume(sides.leftName, getKnownUnitDim(sides.left), 1);
  last.b = sides.assume(sides.rightName, getKnownUnitDim(sides.right), 1);
  sides.assumeResult(gemm, last, 1);
  last.copy = dsl::TileCopy::Registers;
  variants.push_back(last);
  return variants;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Whether ldmatrix loads fragments, which transposes 16 bits only.
static bool hasMatrixLoads(int64_t bytes, int64_t contiguous) {
  return bytes == 2 || (bytes < 8 && contiguous == 1);
}

/// The phases of all loads of fragments of a tile (M or N, K).
static void addLoads(std::array<int64_t, 2> extents, int64_t contiguous,
                     int64_t bytes, SmallVectorImpl<SharedPhase> &phases) {
  int64_t vector = kWidestAccess / bytes;
  if (hasMatrixLoads(bytes, contiguous)) {
    // Eight vectors, one below the other across the contiguous dimension.
    int64_t across = 1 - contiguous;
    for (int64_t along = 0; along < extents[contiguous]; along += vector) {
      SharedPhase &phase = phases.emplace_back();
      phase.elements = vector;
      for (int64_t row = 0; row < kMatrixRows; ++row) {
        std::array<int64_t, 2> &lane = phase.lanes.emplace_back();
        lane[contiguous] = along;
        lane[across] = row;
      }
    }
    return;
  }
  // All lanes of 4 bytes, or half of them of 8 bytes, at once.
  int64_t rows = bytes == 8 ? kMatrixRows / 2 : kMatrixRows;
  for (int64_t k = 0; k < extents[1]; k += kLanesOfRow) {
    SharedPhase &phase = phases.emplace_back();
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t lane = 0; lane < kLanesOfRow; ++lane)
        phase.lanes.push_back({row, k + lane});
  }
}

/// The phases of copies of 16 bytes, of which neighbours follow one another
/// along the contiguous dimension.
static void addStores(std::array<int64_t, 2> extents, int64_t contiguous,
                      int64_t bytes, SmallVectorImpl<SharedPhase> &phases) {
  int64_t vector = kWidestAccess / bytes;
  int64_t row = extents[contiguous] / vector;
  for (int64_t first = 0; first < std::max<int64_t>(row, 8); first += 8) {
    SharedPhase &phase = phases.emplace_back();
    phase.elements = vector;
    for (int64_t i = first; i < first + 8; ++i) {
      std::array<int64_t, 2> &lane = phase.lanes.emplace_back();
      lane[contiguous] = i % row * vector;
      lane[1 - contiguous] = i / row;
    }
  }
}

namespace {

/// What is to be known of an operand to place it: its rows are M or N.
struct OperandPlace {
  /// Extents (M or N, K), and the dimension that is contiguous in global memory
  /// and, but for bytes, in shared memory.
  std::array<int64_t, 2> extents;
  int64_t contiguous, vector, bytes;
  /// The walk has K as rows, as B's has.
  bool isTransposed;
};

} // namespace

static Result<MultistageOperand>
placeOperand(MLIRContext *context, const OperandPlace &place, int64_t threads) {
  MultistageOperand result;
  std::string reason;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diag) {
    reason = diag.str();
    return success();
  });
  auto report = [&] { return mlir::emitError(UnknownLoc::get(context)); };
  SmallVector<int64_t> walked(place.extents.begin(), place.extents.end());
  if (place.isTransposed)
    std::swap(walked[0], walked[1]);
  // Few columns along the contiguous dimension leave threads of a warp to the
  // next rows; where the tile is too small for all, accesses get narrower.
  StripMinedMapAttr map = StripMinedMapAttr::getChecked(
      function_ref<InFlightDiagnostic()>(report), context,
      ArrayRef<int64_t>(walked),
      place.isTransposed ? 1 - place.contiguous : place.contiguous, threads,
      place.vector);
  if (!map)
    return Reason("the tile cannot be strip-mined: " + Twine(reason));
  result.map = map;
  int64_t contiguous = place.bytes == 1 ? 1 : place.contiguous;
  SmallVector<SharedPhase> phases;
  addStores(place.extents, contiguous, place.bytes, phases);
  addLoads(place.extents, contiguous, place.bytes, phases);
  bool isSwizzled = hasMatrixLoads(place.bytes, contiguous);
  result.layout =
      findSharedLayout(place.extents, contiguous, place.bytes, phases,
                       isSwizzled ? BankSpread::Swizzle : BankSpread::Padding);
  int64_t pitch = place.extents[contiguous];
  if (!isSwizzled)
    pitch = result.layout.getLayout()[1 - contiguous]
                .getStride()
                .getInt()
                .getValue();
  result.stageElements = pitch * place.extents[1 - contiguous];
  return result;
}

/// K of the instruction of a schedule that says nothing: the most, but of f64,
/// whose fragments of two steps must fit beside the sums.
static int64_t getInstructionK(MultistageScheduleAttr schedule,
                               Type elementType, const Chip &chip) {
  if (schedule.getInstructionK() > 0 || !elementType.isF64() || chip.sm < 90)
    return schedule.getInstructionK();
  return 8;
}

static Result<MmaSyncAttr> findAtom(GemmOp gemm,
                                    MultistageScheduleAttr schedule,
                                    bool swapped, const Chip &chip) {
  Type a = getFactor(gemm.getA()), b = getFactor(gemm.getB());
  if (swapped)
    std::swap(a, b);
  return MmaSyncAttr::find(chip, getInstructionK(schedule, a, chip),
                           getMultistageFactorType(a),
                           getMultistageFactorType(b), getMultistageSumType(a));
}

static std::optional<Reason> checkSizes(MultistageScheduleAttr schedule,
                                        const MultistageParts &parts,
                                        int64_t bytes) {
  auto format = [](auto &&...values) {
    return Reason(llvm::formatv(values...).str());
  };
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t depth = parts.atom.getShape()[2];
  if (parts.tileK % depth != 0 || parts.tileK * bytes % kWidestAccess != 0)
    return format("expected K of the tile to be a multiple of {0} for {1} "
                  "elements along K of an instruction, but got {2}",
                  std::max(depth, kWidestAccess / bytes), depth, parts.tileK);
  int64_t sums =
      tile[0] * tile[1] / parts.threads * getBytes(parts.atom.getAcc()) / 4;
  if (sums >= Chip::kThreadRegisters - 48)
    return format("expected sums in at most {0} registers of a thread, but the "
                  "{1} × {2} elements over {3} threads need {4}",
                  Chip::kThreadRegisters - 48, tile[0], tile[1], parts.threads,
                  sums);
  if (parts.sharedBytes > parts.chip->sharedBytes)
    return format("expected at most {0} bytes of shared memory on {1}, but {2} "
                  "stages of {3} × {4} × {5} elements of {6} bytes need {7}",
                  parts.chip->sharedBytes, parts.chip->architecture,
                  schedule.getStages(), tile[0], tile[1], parts.tileK, bytes,
                  parts.sharedBytes);
  return std::nullopt;
}

/// K of a stage. Narrower accesses take so much less that a thread makes as
/// many as of 16 bytes: each has registers for its address and its predicate.
static int64_t getStageK(MultistageScheduleAttr schedule,
                         const MultistageVariant &variant, int64_t bytes,
                         int64_t depth) {
  int64_t tileK = schedule.getTile()[2];
  if (tileK == 0)
    tileK = kStageBytes / bytes;
  int64_t narrower = tileK * variant.a.vector * bytes / kWidestAccess;
  if (narrower == tileK)
    return tileK;
  int64_t least = std::max(depth, kWidestAccess / bytes);
  return std::min(tileK, std::max(narrower / least * least, least));
}

Result<MultistageParts>
tile::getMultistageParts(GemmOp gemm, MultistageScheduleAttr schedule,
                         const MultistageVariant &variant, const Chip &chip) {
  MLIRContext *context = schedule.getContext();
  Result<MmaSyncAttr> atom = findAtom(gemm, schedule, variant.swapped, chip);
  if (!atom)
    return atom.takeReason();
  ArrayRef<int64_t> tile = schedule.getTile(), warps = schedule.getWarps();
  int64_t bytes = getBytes(getFactor(gemm.getA()));
  MultistageParts parts;
  parts.atom = *atom;
  parts.chip = &chip;
  parts.threads = warps[0] * warps[1] * MmaSyncAttr::kThreads;
  parts.tileK = getStageK(schedule, variant, bytes, atom->getShape()[2]);
  if (std::optional<Reason> reason = checkSizes(schedule, parts, bytes))
    return *reason;
  auto place = [&](const OperandAssumption &operand, int64_t rows,
                   bool isTransposed) {
    int64_t contiguous =
        operand.unitDim < 0 ? (isTransposed ? 0 : 1) : operand.unitDim;
    if (isTransposed)
      contiguous = 1 - contiguous;
    return placeOperand(
        context,
        {{rows, parts.tileK}, contiguous, operand.vector, bytes, isTransposed},
        parts.threads);
  };
  Result<MultistageOperand> a = place(variant.a, tile[0], false);
  if (!a)
    return Reason("A: " + Twine(a.getReason()));
  Result<MultistageOperand> b = place(variant.b, tile[1], true);
  if (!b)
    return Reason("B: " + Twine(b.getReason()));
  parts.a = *a;
  parts.b = *b;
  parts.sharedBytes = schedule.getStages() *
                      (parts.a.stageElements + parts.b.stageElements) * bytes;
  if (std::optional<Reason> reason = checkSizes(schedule, parts, bytes))
    return *reason;
  return parts;
}
