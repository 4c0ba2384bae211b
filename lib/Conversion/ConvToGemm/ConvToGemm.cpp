// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions become GEMMs on their tensors, seen as matrices.
#include "ConvMaps.h"

#include "tile/Conversion/Passes.h"
#include "tile/IR/Epilogue.h"

#include "mlir/IR/PatternMatch.h"

namespace tile {
#define GEN_PASS_DEF_TILECONVTOGEMM
#include "tile/Conversion/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

using MatrixStrides = std::array<int64_t, 3>;

static MemRefType getType(Value value) {
  return cast<MemRefType>(value.getType());
}

/// A tensor as matrices with strides, without a batch where the map has none.
static Value makeStridedView(OpBuilder &builder, Location loc, Value tensor,
                             const MatrixMap &map,
                             const MatrixStrides &strides) {
  SmallVector<int64_t> shape, own;
  for (int which = map.digits[0].empty() ? 1 : 0; which < 3; ++which) {
    shape.push_back(map.getExtent(which));
    own.push_back(strides[which]);
  }
  auto type =
      MemRefType::get(shape, getType(tensor).getElementType(),
                      StridedLayoutAttr::get(builder.getContext(), 0, own));
  return memref::ReinterpretCastOp::create(builder, loc, type, tensor,
                                           /*offset=*/0, shape, own);
}

/// A factor as matrices: by strides where these do, else by its map.
static Value makeFactor(OpBuilder &builder, Location loc, Value tensor,
                        const MatrixMap &map) {
  if (std::optional<MatrixStrides> strides = getMatrixStrides(map))
    return makeStridedView(builder, loc, tensor, map, *strides);
  auto layout = Im2colAttr::get(builder.getContext(), map);
  auto type = MemRefType::get(layout.getShape(),
                              getType(tensor).getElementType(), layout);
  return Im2colOp::create(builder, loc, type, tensor);
}

namespace {

/// C or an operand of the epilogue: the view, and its indices.
struct AddedOperand {
  Value view;
  SmallVector<int64_t, 3> indices;
};

/// One convolution on its way.
class Converter {
public:
  explicit Converter(ConvOp conv) : conv(conv), builder(conv) {}

  LogicalResult convert();

private:
  LogicalResult findMaps();
  FailureOr<Value> makeWhole(Value tensor, StringRef name);
  FailureOr<AddedOperand> makeChannels(Value tensor);
  LogicalResult makeEpilogueOperands();

  ConvOp conv;
  OpBuilder builder;
  ConvMaps maps;
  MatrixStrides stridesD = {0, 0, 0};
  bool batchesImages = false;
  SmallVector<Value> operands;
  SmallVector<Attribute> indices;
};

} // namespace

/// Chooses the digits of D so that it is matrices with strides.
LogicalResult Converter::findMaps() {
  for (bool batchImages : {false, true}) {
    maps = getConvMaps(conv, batchImages);
    for (const MatrixMap *map : {&maps.a, &maps.b, &maps.d})
      if (std::string reason = checkMatrixMap(*map); !reason.empty())
        return conv.emitOpError("is too large: ") << reason;
    if (std::optional<MatrixStrides> strides = getMatrixStrides(maps.d)) {
      stridesD = *strides;
      batchesImages = batchImages;
      return success();
    }
    if (conv.getKind() == ConvKind::Wgrad)
      break;
  }
  return conv.emitOpError("expected D with one stride from pixel to pixel and "
                          "one from channel to channel, as tensors without "
                          "gaps have, but got ")
         << conv.getD().getType();
}

/// A tensor of D's shape as matrices like D's.
FailureOr<Value> Converter::makeWhole(Value tensor, StringRef name) {
  MatrixMap map = getMapLike(maps.d, getType(tensor));
  if (std::optional<MatrixStrides> strides = getMatrixStrides(map))
    return makeStridedView(builder, conv.getLoc(), tensor, map, *strides);
  return conv.emitOpError("expected ")
         << name
         << " with one stride from pixel to pixel and one from channel to "
            "channel where D has them, but got "
         << tensor.getType();
}

/// A vector of an element for each channel: of all groups, where there are
/// some.
FailureOr<AddedOperand> Converter::makeChannels(Value tensor) {
  int64_t groups = conv.getGroups();
  if (groups == 1)
    return AddedOperand{tensor, {IndexN}};
  if (batchesImages)
    return conv.emitOpError("expected no operand [channel] of an epilogue with "
                            "groups where channels lie apart, but got one");
  MemRefType type = getType(tensor);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(strides[0]))
    return conv.emitOpError("expected an operand [channel] of the epilogue "
                            "with a stride that is known when it is compiled, "
                            "but got ")
           << type;
  int64_t channels = type.getDimSize(0) / groups;
  SmallVector<int64_t> shape{groups, channels},
      own{channels * strides[0], strides[0]};
  auto viewType =
      MemRefType::get(shape, type.getElementType(),
                      StridedLayoutAttr::get(builder.getContext(), 0, own));
  Value view = memref::ReinterpretCastOp::create(
      builder, conv.getLoc(), viewType, tensor, /*offset=*/0, shape, own);
  return AddedOperand{view, {IndexBatch, IndexN}};
}

LogicalResult Converter::makeEpilogueOperands() {
  for (auto [i, operand] : llvm::enumerate(conv.getEpilogueOperands())) {
    auto own = cast<DenseI64ArrayAttr>((*conv.getEpilogueIndices())[i]);
    AddedOperand added;
    if (own.size() == 1) {
      FailureOr<AddedOperand> channels = makeChannels(operand);
      if (failed(channels))
        return failure();
      added = *channels;
    } else {
      FailureOr<Value> view = makeWhole(
          operand, ("operand " + Twine(i) + " of the epilogue").str());
      if (failed(view))
        return failure();
      added.view = *view;
      if (getType(*view).getRank() == 3)
        added.indices.push_back(IndexBatch);
      added.indices.append({IndexM, IndexN});
    }
    operands.push_back(added.view);
    indices.push_back(builder.getDenseI64ArrayAttr(added.indices));
  }
  return success();
}

LogicalResult Converter::convert() {
  Location loc = conv.getLoc();
  if (failed(findMaps()))
    return failure();
  Value c;
  if (conv.getC()) {
    FailureOr<Value> view = makeWhole(conv.getC(), "C");
    if (failed(view))
      return failure();
    c = *view;
  }
  if (failed(makeEpilogueOperands()))
    return failure();
  Value a = makeFactor(builder, loc, conv.getA(), maps.a);
  Value b = makeFactor(builder, loc, conv.getB(), maps.b);
  Value d = makeStridedView(builder, loc, conv.getD(), maps.d, stridesD);
  auto gemm = GemmOp::create(
      builder, loc, a, b, c, d, conv.getAlpha(), conv.getBeta(), operands,
      indices.empty() ? ArrayAttr() : builder.getArrayAttr(indices),
      conv.getPromotedSumsAttr(), conv.getScheduleAttr(), StringAttr());
  gemm.getEpilogue().takeBody(conv.getEpilogue());
  conv.erase();
  return success();
}

namespace {

struct TileConvToGemmPass : tile::impl::TileConvToGemmBase<TileConvToGemmPass> {
  using TileConvToGemmBase::TileConvToGemmBase;

  void runOnOperation() override {
    SmallVector<ConvOp> convs;
    getOperation()->walk([&](ConvOp conv) { convs.push_back(conv); });
    for (ConvOp conv : convs)
      if (failed(Converter(conv).convert()))
        return signalPassFailure();
  }
};

} // namespace
