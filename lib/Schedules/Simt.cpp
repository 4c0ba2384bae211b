// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SIMT schedule: legality, and the variants that cover every operand.
#include "Simt.h"
#include "Kernel.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;

/// Bytes of the widest global access.
static constexpr int64_t kWidestAccess = 16;
/// The largest power of two, up to a 16-byte access, with which `threads`
/// threads can strip-mine a tile of `contiguous` by `strided` elements.
static int64_t accessWidth(Type elementType, int64_t threads,
                           int64_t contiguous, int64_t strided) {
  int64_t width = kWidestAccess * 8 / elementType.getIntOrFloatBitWidth();
  auto legal = [&](int64_t elements) {
    if (contiguous % elements != 0)
      return false;
    int64_t accesses = contiguous / elements;
    if (threads < accesses)
      return accesses % threads == 0;
    return threads % accesses == 0 && strided % (threads / accesses) == 0;
  };
  while (width > 1 && !legal(width))
    width /= 2;
  return width;
}

SmallVector<SimtVariant> tile::getSimtVariants(GemmOp gemm,
                                               SimtScheduleAttr schedule) {
  Type elementType = cast<MemRefType>(gemm.getA().getType()).getElementType();
  Type elementTypeD = cast<MemRefType>(gemm.getD().getType()).getElementType();
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t threads = schedule.getWarps()[0] * schedule.getWarps()[1] * 32;

  SimtVariant base;
  // A column-major result is the row-major result of the transposed problem.
  base.swapped = getKnownUnitDim(gemm.getD()) == 0;
  base.hasC = static_cast<bool>(gemm.getC());
  base.batched = cast<MemRefType>(gemm.getD().getType()).getRank() == 3;
  Value left = base.swapped ? gemm.getB() : gemm.getA();
  Value right = base.swapped ? gemm.getA() : gemm.getB();
  auto assume = [&](char name, int64_t problemDim, int64_t vector) {
    OperandAssumption result;
    result.name = name;
    result.transposed = base.swapped;
    result.unitDim = problemDim < 0 ? -1 : result.toProblem(problemDim);
    result.vector = vector;
    return result;
  };
  char leftName = base.swapped ? 'B' : 'A',
       rightName = base.swapped ? 'A' : 'B';

  SmallVector<SimtVariant> variants;
  // Vector paths: one for each way in which operands may have unit stride.
  for (int64_t dimA : getUnitDims(left)) {
    for (int64_t dimB : getUnitDims(right)) {
      SimtVariant variant = base;
      bool alongM = assume(leftName, dimA, 1).unitDim == 0;
      bool alongN = assume(rightName, dimB, 1).unitDim == 1;
      int64_t widthA =
          alongM ? accessWidth(elementType, threads, tile[0], tile[2])
                 : accessWidth(elementType, threads, tile[2], tile[0]);
      int64_t widthB =
          alongN ? accessWidth(elementType, threads, tile[1], tile[2])
                 : accessWidth(elementType, threads, tile[2], tile[1]);
      // Asynchronous copies cross shared memory element by element.
      bool isAsync = schedule.getStages() > 0;
      if (isAsync && !alongM)
        widthA = 1;
      if (isAsync && !alongN)
        widthB = 1;
      variant.a = assume(leftName, dimA, widthA);
      variant.b = assume(rightName, dimB, widthB);
      SmallVector<int64_t> dimsD = getUnitDims(gemm.getD());
      int64_t wanted = base.swapped ? 0 : 1;
      if (!llvm::is_contained(dimsD, wanted))
        continue;
      int64_t widthD = kWidestAccess * 8 / elementTypeD.getIntOrFloatBitWidth();
      variant.d = assume('D', wanted, widthD);
      variant.c = assume('C', -1, 1);
      if (base.hasC && llvm::is_contained(getUnitDims(gemm.getC()), wanted))
        variant.c = assume('C', wanted, widthD);
      if (widthA > 1 || widthB > 1 || isAsync)
        variants.push_back(variant);
    }
  }
  // The scalar path takes whatever the types allow.
  SimtVariant scalar = base;
  scalar.a = assume(leftName, getKnownUnitDim(left), 1);
  scalar.b = assume(rightName, getKnownUnitDim(right), 1);
  scalar.d = assume('D', getKnownUnitDim(gemm.getD()), 1);
  scalar.c = assume('C', base.hasC ? getKnownUnitDim(gemm.getC()) : -1, 1);
  variants.push_back(scalar);
  return variants;
}

Type tile::getSimtSumType(Type elementType) {
  return elementType.isF64() ? elementType
                             : Float32Type::get(elementType.getContext());
}

Result<SimtParts> tile::getSimtParts(SimtScheduleAttr schedule,
                                     Type elementType,
                                     const SimtVariant &variant,
                                     const Chip &chip) {
  MLIRContext *context = schedule.getContext();
  ArrayRef<int64_t> tile = schedule.getTile(), warps = schedule.getWarps();
  ArrayRef<int64_t> thread = schedule.getThread();
  int64_t bytes = elementType.getIntOrFloatBitWidth() / 8;
  int64_t widest = kWidestAccess / bytes;
  int64_t sumBytes = getSimtSumType(elementType).getIntOrFloatBitWidth() / 8;
  int64_t registers = llvm::divideCeil(thread[0] * thread[1] * sumBytes, 4);
  if (registers > Chip::kThreadRegisters)
    return Reason(
        llvm::formatv(
            "expected accumulators in at most {0} registers of a thread, but "
            "the {1} × {2} elements of {3} bytes need {4}",
            Chip::kThreadRegisters, thread[0], thread[1], sumBytes, registers)
            .str());

  SimtParts parts;
  parts.chip = &chip;
  parts.threads = warps[0] * warps[1] * 32;
  SmallVector<int64_t> lanes{tile[0] / (warps[0] * thread[0]),
                             tile[1] / (warps[1] * thread[1])};
  int64_t vector = std::min<int64_t>(
      widest, std::min(thread[0] & -thread[0], thread[1] & -thread[1]));

  // Collects what the attributes' verifiers say, instead of printing it.
  std::string reason;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diag) {
    reason = diag.str();
    return success();
  });
  auto report = [&] { return mlir::emitError(UnknownLoc::get(context)); };
  function_ref<InFlightDiagnostic()> emit = report;
  parts.mma = SimtMmaAttr::getChecked(emit, context, warps,
                                      ArrayRef<int64_t>(lanes), thread, vector);
  if (!parts.mma)
    return Reason(reason);

  auto stripMine = [&](int64_t rows, int64_t columns, int64_t unitDim,
                       int64_t defaultDim, int64_t elements) {
    int64_t contiguous = unitDim < 0 ? defaultDim : unitDim;
    SmallVector<int64_t> extents{rows, columns};
    return StripMinedMapAttr::getChecked(emit, context,
                                         ArrayRef<int64_t>(extents), contiguous,
                                         parts.threads, elements);
  };
  StripMinedMapAttr mapA =
      stripMine(tile[0], tile[2], variant.a.unitDim, 1, variant.a.vector);
  if (!mapA)
    return Reason("the tile of A cannot be strip-mined: " + Twine(reason));
  StripMinedMapAttr mapB =
      stripMine(tile[2], tile[1], variant.b.unitDim, 1, variant.b.vector);
  if (!mapB)
    return Reason("the tile of B cannot be strip-mined: " + Twine(reason));
  parts.mapA = mapA;
  parts.mapB = mapB;

  // A tile that is stored across its contiguous dimension gets 16 bytes of
  // padding, so that lanes which store neighbouring k do not share a bank.
  parts.pitchA = tile[0] + (mapA.getContiguous() == 0 ? 0 : widest);
  parts.pitchB = tile[1] + (mapB.getContiguous() == 1 ? 0 : widest);
  parts.stages = schedule.getStages() > 0 ? schedule.getStages() : 2;
  // The last step of the last stage needs no padding.
  parts.sharedBytes =
      ((parts.stages * tile[2] - 1) * (parts.pitchA + parts.pitchB) + tile[0] +
       tile[1]) *
      bytes;
  if (parts.sharedBytes > Chip::kStaticSharedBytes)
    return Reason(
        llvm::formatv(
            "expected at most {0} bytes of shared memory, but {1} stages of "
            "the tile {2} × {3} × {4} of {5}-byte elements need {6}",
            Chip::kStaticSharedBytes, parts.stages, tile[0], tile[1], tile[2],
            bytes, parts.sharedBytes)
            .str());
  int64_t split = schedule.getSplitK();
  if (split == 1)
    return parts;

  StripMinedMapAttr mapPart =
      stripMine(tile[0] / split, tile[1], /*unitDim=*/1, /*defaultDim=*/1,
                accessWidth(getSimtSumType(elementType), parts.threads, tile[1],
                            tile[0] / split));
  if (!mapPart)
    return Reason("the part of the tile of each of " + Twine(split) +
                  " blocks cannot be strip-mined: " + Twine(reason));
  parts.mapPart = mapPart;
  int64_t sumsBytes = tile[0] * tile[1] * sumBytes;
  parts.sharedBytes += sumsBytes;
  if (parts.sharedBytes > chip.sharedBytes)
    return Reason(
        llvm::formatv("expected at most {0} bytes of shared memory on {1}, but "
                      "{2} stages and the {3} × {4} sums of {5} bytes that "
                      "blocks exchange need {6}",
                      chip.sharedBytes, chip.architecture, parts.stages,
                      tile[0], tile[1], sumBytes, parts.sharedBytes)
            .str());
  return parts;
}
