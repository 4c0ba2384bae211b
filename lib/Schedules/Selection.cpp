// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which schedule a problem gets, and why.
#include "Simt.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;

/// Multiprocessors of the chip that the choice is tuned for, an H200; the
/// measurements are in bench/results.
static constexpr int64_t kMultiprocessors = 132;

/// Output tiles of `rows` by `columns` of all batches. Counts beyond what
/// matters are cut off, so that nothing overflows.
static int64_t countTiles(MemRefType d, int64_t rows, int64_t columns) {
  unsigned rank = d.getRank();
  int64_t batch = rank == 3 ? d.getDimSize(0) : 1;
  if (ShapedType::isDynamic(batch))
    batch = 1;
  auto bounded = [](int64_t count) {
    return std::min(count, kMultiprocessors);
  };
  return bounded(batch) *
         bounded(llvm::divideCeil(d.getDimSize(rank - 2), rows)) *
         bounded(llvm::divideCeil(d.getDimSize(rank - 1), columns));
}

ScheduleChoice tile::selectSchedule(GemmOp gemm) {
  auto d = cast<MemRefType>(gemm.getD().getType());
  MLIRContext *context = gemm.getContext();
  int64_t m = d.getDimSize(d.getRank() - 2), n = d.getDimSize(d.getRank() - 1);
  auto simt = [&](ArrayRef<int64_t> tile, ArrayRef<int64_t> warps,
                  ArrayRef<int64_t> thread, int64_t minBlocks) {
    return SimtScheduleAttr::get(context, tile, warps, thread, minBlocks,
                                 /*group=*/8);
  };
  if (d.getElementType().isF64())
    return {simt({64, 64, 8}, {2, 2}, {8, 4}, 2),
            "f64 on the fused multiply-add units: 64 × 64 tiles keep the "
            "accumulator in 64 "
            "registers"};
  if (ShapedType::isDynamic(m) || ShapedType::isDynamic(n))
    return {simt({128, 128, 8}, {2, 2}, {16, 8}, 2),
            "extents are known at run time only: tiles of 128 × 128, the best "
            "for large problems"};
  // The largest tiles that give every multiprocessor one.
  if (countTiles(d, 128, 128) >= kMultiprocessors)
    return {simt({128, 128, 8}, {2, 2}, {16, 8}, 2),
            llvm::formatv("{0} × {1} fills the device with tiles of 128 × 128",
                          m, n)
                .str()};
  auto tooFew = [&](int64_t rows, int64_t columns, StringRef instead) {
    return llvm::formatv("{0} × {1} has fewer tiles of {2} × {3} ({4}) than "
                         "there are multiprocessors ({5}): {6} tiles keep more "
                         "of them busy",
                         m, n, rows, columns, countTiles(d, rows, columns),
                         kMultiprocessors, instead)
        .str();
  };
  if (countTiles(d, 64, 64) >= kMultiprocessors)
    return {simt({64, 64, 32}, {2, 2}, {8, 4}, 3), tooFew(128, 128, "64 × 64")};
  return {simt({32, 64, 32}, {2, 2}, {4, 4}, 4), tooFew(64, 64, "32 × 64")};
}

std::optional<std::string> tile::checkSchedule(GemmOp gemm,
                                               Attribute schedule) {
  auto simt = dyn_cast_or_null<SimtScheduleAttr>(schedule);
  if (!simt) {
    std::string text = "expected a schedule such as #tile.simt<…>, but got ";
    llvm::raw_string_ostream stream(text);
    stream << schedule;
    return text;
  }
  Type elementType = cast<MemRefType>(gemm.getD().getType()).getElementType();
  for (const SimtVariant &variant : getSimtVariants(gemm, simt))
    if (Result<SimtParts> parts = getSimtParts(simt, elementType, variant);
        !parts)
      return parts.getReason();
  return std::nullopt;
}

SmallVector<gpu::GPUFuncOp> tile::buildKernels(GemmOp gemm, Attribute schedule,
                                               gpu::GPUModuleOp module) {
  auto simt = cast<SimtScheduleAttr>(schedule);
  Type elementType = cast<MemRefType>(gemm.getD().getType()).getElementType();
  SmallVector<gpu::GPUFuncOp> kernels;
  for (const SimtVariant &variant : getSimtVariants(gemm, simt))
    if (Result<SimtParts> parts = getSimtParts(simt, elementType, variant))
      kernels.push_back(buildSimtKernel(gemm, simt, variant, *parts, module));
  return kernels;
}
