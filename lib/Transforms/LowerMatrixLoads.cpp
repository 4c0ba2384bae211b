// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers loads of matrices by a warp to ldmatrix.
#include "IteratorLowering.h"

#include "tile/IR/LayoutValues.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;
using Arith = IndexArith;

namespace {

/// Rows of a matrix, and the lanes that address them.
constexpr int64_t kRows = 8;

/// The offsets, in elements, of the rows that the lanes of a warp address, as
/// expressions of symbols: those of the view and its coordinate, then two.
class MatrixRows {
public:
  explicit MatrixRows(LoadMatrixOp op)
      : matrices(op.getMatrices()), dim(op.getContiguousDim()),
        along(op.getAlong()) {
    unsigned next = 0;
    layout = withSymbols(op.getView().getType().getComposed(), next);
    coord = withSymbols(op.getCoord(), next);
    row = Int::symbol(next++, 1, 0, kRows - 1);
    matrix = next;
    size = {kRows, kRows};
    size[dim] = op.getVector();
  }

  /// Where the rows of `count` matrices from `first` on are. The symbols are
  /// the row of the matrix, and the number of the matrix.
  Result<Int> getOffset(int64_t first, int64_t count) const {
    Int number = Int(first) +
                 (count == 1 ? Int(0) : Int::symbol(matrix, 1, 0, count - 1));
    Int inner = matrices[along];
    std::array<Int, 2> place;
    place[along] = mod(number, inner);
    place[1 - along] = floorDiv(number, inner);
    SmallVector<IntTuple, 2> element;
    for (int64_t d : {0, 1}) {
      Int first = coord[d].getInt() + place[d] * Int(size[d]);
      // Rows lie across the dimension in which elements are contiguous.
      element.push_back(d == dim ? first : first + row);
    }
    return getElementOffset(IntTuple::tuple(element), layout);
  }

private:
  SmallVector<int64_t, 2> matrices, size;
  int64_t dim, along;
  ComposedLayout layout;
  IntTuple coord;
  Int row;
  unsigned matrix;
};

struct LowerLoadMatrix : OpConversionPattern<LoadMatrixOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadMatrixOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Arith arith{rewriter, loc};
    ViewType view = op.getView().getType();
    MatrixRows rows(op);
    SmallVector<Value> symbols(adaptor.getView().drop_front());
    llvm::append_range(symbols, flatten(adaptor.getCoordOperands()));
    Value lane = adaptor.getLane().front();
    symbols.push_back(
        arith.fold<arith::AndIOp>(lane, arith.constant(kRows - 1)));
    Value group = arith.fold<arith::ShRUIOp>(lane, arith.constant(3));
    SmallVector<int64_t, 2> matrices = op.getMatrices();
    SmallVector<Value> words;
    for (int64_t first = 0, count, total = matrices[0] * matrices[1];
         first < total; first += count) {
      count = std::min<int64_t>(4, total - first);
      Result<Int> offset = rows.getOffset(first, count);
      if (!offset)
        return op.emitOpError(offset.getReason());
      SmallVector<Value> all(symbols);
      // Lanes beyond those that address repeat them.
      all.push_back(
          arith.fold<arith::AndIOp>(group, arith.constant(count - 1)));
      Value elements = materializeOffset(rewriter, loc, *offset, all);
      if (!elements)
        return op.emitOpError(
            "expected an offset that can be computed at run time");
      load(arith,
           arith.move(adaptor.getView().front(), view.getElementType(),
                      elements),
           count, op.getContiguousDim() == 0, words);
    }
    auto type = VectorType::get({int64_t(words.size())}, rewriter.getI32Type());
    Value packed = vector::FromElementsOp::create(rewriter, loc, type, words);
    rewriter.replaceOpWithNewOp<vector::BitCastOp>(op, op.getType(), packed);
    return success();
  }

private:
  /// Appends the words of one instruction.
  static void load(Arith arith, Value pointer, int64_t count, bool transposed,
                   SmallVectorImpl<Value> &words) {
    OpBuilder &builder = arith.builder;
    Type word = builder.getI32Type();
    Type type = count == 1
                    ? word
                    : LLVM::LLVMStructType::getLiteral(
                          builder.getContext(), SmallVector<Type>(count, word));
    auto shape =
        NVVM::LdStMatrixShapeAttr::get(builder.getContext(), kRows, kRows);
    Value loaded = NVVM::LdMatrixOp::create(
        builder, arith.loc, type, pointer, static_cast<uint32_t>(count),
        transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row, shape,
        NVVM::LdStMatrixEltType::B16);
    if (count == 1) {
      words.push_back(loaded);
      return;
    }
    for (int64_t i = 0; i < count; ++i)
      words.push_back(LLVM::ExtractValueOp::create(builder, arith.loc, loaded,
                                                   ArrayRef<int64_t>{i}));
  }
};

} // namespace

void tile::populateLowerMatrixLoadPatterns(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<LowerLoadMatrix>(converter, patterns.getContext());
}
