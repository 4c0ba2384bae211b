// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions: verifiers that say what is wrong in numbers.
#include "ConvSyntax.h"
#include "GemmOperands.h"

using namespace mlir;
using namespace tile;

static MemRefType getTensorType(Value value) {
  return cast<MemRefType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Im2colOp
//===----------------------------------------------------------------------===//

LogicalResult Im2colOp::verify() {
  MemRefType from = getTensorType(getTensor()), to = getTensorType(getMatrix());
  auto layout = dyn_cast<Im2colAttr>(to.getLayout());
  if (!layout)
    return emitOpError("expected a result with a layout #tile.im2col, but got ")
           << to;
  if (to.getElementType() != from.getElementType())
    return emitOpError("expected a result of the tensor's element type, ")
           << from.getElementType() << ", but got " << to.getElementType();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(from.getStridesAndOffset(strides, offset)) ||
      from.getShape() != layout.getExtents() ||
      ArrayRef<int64_t>(strides) != layout.getStrides())
    return emitOpError("expected a tensor of the extents and strides that the "
                       "layout says, but got ")
           << from;
  return success();
}

//===----------------------------------------------------------------------===//
// ConvOp
//===----------------------------------------------------------------------===//

ParseResult tile::parseConvKind(OpAsmParser &parser, ConvKindAttr &kind) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (failed(parser.parseOptionalKeyword(&word)))
    return parser.emitError(loc, "expected fprop, dgrad or wgrad");
  std::optional<ConvKind> known = symbolizeConvKind(word);
  if (!known)
    return parser.emitError(loc)
           << "expected fprop, dgrad or wgrad, but got " << word;
  kind = ConvKindAttr::get(parser.getContext(), *known);
  return success();
}

void tile::printConvKind(OpAsmPrinter &printer, Operation *,
                         ConvKindAttr kind) {
  printer << stringifyConvKind(kind.getValue());
}

Value ConvOp::getImage() {
  return getKind() == ConvKind::Fprop   ? getA()
         : getKind() == ConvKind::Dgrad ? getD()
                                        : getB();
}

Value ConvOp::getFilter() {
  return getKind() == ConvKind::Wgrad ? getD() : getB();
}

Value ConvOp::getOutput() {
  return getKind() == ConvKind::Fprop ? getD() : getA();
}

unsigned ConvOp::getSpatialRank() {
  return static_cast<unsigned>(getTensorType(getD()).getRank() - 2);
}

/// A number for each spatial dimension, or the default.
static SmallVector<int64_t, 3> expand(std::optional<ArrayRef<int64_t>> numbers,
                                      unsigned rank, int64_t missing) {
  if (numbers)
    return SmallVector<int64_t, 3>(*numbers);
  return SmallVector<int64_t, 3>(rank, missing);
}

SmallVector<int64_t, 3> ConvOp::getStrides() {
  return expand(getStride(), getSpatialRank(), 1);
}
SmallVector<int64_t, 3> ConvOp::getDilations() {
  return expand(getDilation(), getSpatialRank(), 1);
}
SmallVector<int64_t, 3> ConvOp::getLowMargins() {
  return expand(getPadLow(), getSpatialRank(), 0);
}
SmallVector<int64_t, 3> ConvOp::getHighMargins() {
  return expand(getPadHigh(), getSpatialRank(), 0);
}

namespace {

/// An operand with the name that messages give it.
struct Tensor {
  StringRef name;
  Value value;

  MemRefType type() const { return getTensorType(value); }
  int64_t extent(unsigned dim) const { return type().getDimSize(dim); }
};

/// The three tensors of a convolution.
struct Tensors {
  Tensor image, filter, output;
};

} // namespace

static Tensors getTensors(ConvOp conv) {
  switch (conv.getKind()) {
  case ConvKind::Fprop:
    return {{"A", conv.getA()}, {"B", conv.getB()}, {"D", conv.getD()}};
  case ConvKind::Dgrad:
    return {{"D", conv.getD()}, {"B", conv.getB()}, {"A", conv.getA()}};
  case ConvKind::Wgrad:
    return {{"B", conv.getB()}, {"D", conv.getD()}, {"A", conv.getA()}};
  }
  llvm_unreachable("all kinds are above");
}

/// Checks a tensor by itself.
static LogicalResult verifyTensor(ConvOp conv, const Tensor &tensor) {
  MemRefType type = tensor.type();
  auto complain = [&](StringRef what) {
    return conv.emitOpError("expected ") << tensor.name << " " << what;
  };
  if (type.getRank() < 3 || type.getRank() > 5)
    return complain("to have 1 to 3 spatial dimensions between the first and "
                    "the last, but got rank ")
           << type.getRank();
  if (type.getRank() != getTensorType(conv.getD()).getRank())
    return complain("to have the rank of D, ")
           << getTensorType(conv.getD()).getRank() << ", but got "
           << type.getRank();
  if (type.getMemorySpace())
    return complain("in the default memory space, but got ")
           << type.getMemorySpace();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return complain("to have a strided layout, but got ") << type;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (type.isDynamicDim(dim) || ShapedType::isDynamic(strides[dim]))
      return complain("to have extents and strides that are known when it is "
                      "compiled, but got ")
             << type;
    if (type.getDimSize(dim) < 1)
      return complain("to have extents of 1 or more, but got ")
             << type.getDimSize(dim) << " at dimension " << dim;
    if (strides[dim] < 0)
      return complain("to have strides of 0 or more, but got ")
             << strides[dim] << " at dimension " << dim;
  }
  return success();
}

/// Checks a list of numbers for the spatial dimensions.
static LogicalResult verifyNumbers(ConvOp conv, StringRef name,
                                   std::optional<ArrayRef<int64_t>> numbers,
                                   int64_t least) {
  constexpr int64_t most = 1 << 20;
  if (!numbers)
    return success();
  if (numbers->size() != conv.getSpatialRank())
    return conv.emitOpError("expected ")
           << name << " to have a number for each of " << conv.getSpatialRank()
           << " spatial dimensions, but got " << numbers->size();
  for (int64_t number : *numbers)
    if (number < least || number > most)
      return conv.emitOpError("expected ") << name << " of " << least << " to "
                                           << most << ", but got " << number;
  return success();
}

/// Checks that the channels of the tensors belong together.
static LogicalResult verifyChannels(ConvOp conv, const Tensors &tensors) {
  const auto &[image, filter, output] = tensors;
  unsigned last = conv.getSpatialRank() + 1;
  int64_t groups = conv.getGroups();
  if (image.extent(0) != output.extent(0))
    return conv.emitOpError("expected ")
           << image.name << " and " << output.name
           << " to have as many images, but got " << image.extent(0) << " and "
           << output.extent(0);
  for (const auto &[tensor, dim] :
       {std::pair(image, last), std::pair(output, last)})
    if (groups < 1 || tensor.extent(dim) % groups != 0)
      return conv.emitOpError("expected groups that divide the ")
             << tensor.extent(dim) << " channels of " << tensor.name
             << ", but got " << groups;
  if (filter.extent(0) != output.extent(last))
    return conv.emitOpError("expected ")
           << filter.name << " to have a filter for each of "
           << output.extent(last) << " channels of " << output.name
           << ", but got " << filter.extent(0);
  if (filter.extent(last) != image.extent(last) / groups)
    return conv.emitOpError("expected ")
           << filter.name << " to have " << image.extent(last) / groups
           << " channels, those of " << image.name
           << (groups > 1 ? " in a group" : "") << ", but got "
           << filter.extent(last);
  return success();
}

/// Checks the extents of the output against those of image and filter.
static LogicalResult verifyExtents(ConvOp conv, const Tensors &tensors) {
  const auto &[image, filter, output] = tensors;
  SmallVector<int64_t, 3> stride = conv.getStrides(),
                          dilation = conv.getDilations(),
                          low = conv.getLowMargins(),
                          high = conv.getHighMargins();
  for (unsigned i = 0; i < conv.getSpatialRank(); ++i) {
    // Extents are below 2^63, and numbers below 2^20.
    __int128 padded = __int128(image.extent(i + 1)) + low[i] + high[i];
    __int128 reach = __int128(filter.extent(i + 1) - 1) * dilation[i] + 1;
    if (reach > padded)
      return conv.emitOpError("expected a filter within the image and its "
                              "margins along spatial dimension ")
             << i << ", " << static_cast<int64_t>(padded)
             << " elements, but got one that spans "
             << (reach > INT64_MAX ? INT64_MAX : static_cast<int64_t>(reach));
    int64_t fits = static_cast<int64_t>((padded - reach) / stride[i] + 1);
    if (output.extent(i + 1) != fits)
      return conv.emitOpError("expected ")
             << output.name << " to have extent " << fits
             << " along spatial dimension " << i
             << ", the places of the filter, but got " << output.extent(i + 1);
  }
  return success();
}

LogicalResult ConvOp::verify() {
  Type a = getTensorType(getA()).getElementType(),
       d = getTensorType(getD()).getElementType();
  if (failed(verifyElementTypes(*this, a,
                                getTensorType(getB()).getElementType(), d,
                                nameAdded(*this))))
    return failure();
  Tensors tensors = getTensors(*this);
  for (const Tensor &tensor :
       {Tensor{"D", getD()}, Tensor{"A", getA()}, Tensor{"B", getB()}})
    if (failed(verifyTensor(*this, tensor)))
      return failure();
  if (failed(verifyNumbers(*this, "stride", getStride(), 1)) ||
      failed(verifyNumbers(*this, "dilation", getDilation(), 1)) ||
      failed(verifyNumbers(*this, "pad_low", getPadLow(), 0)) ||
      failed(verifyNumbers(*this, "pad_high", getPadHigh(), 0)) ||
      failed(verifyChannels(*this, tensors)) ||
      failed(verifyExtents(*this, tensors)))
    return failure();
  if (getC()) {
    if (failed(verifyTensor(*this, {"C", getC()})))
      return failure();
    if (getTensorType(getC()).getShape() != getTensorType(getD()).getShape())
      return emitOpError("expected C to have the shape of D, ")
             << getTensorType(getD()) << ", but got " << getTensorType(getC());
    if (getTensorType(getC()).getElementType() != d)
      return emitOpError("expected C to have the element type of D, ")
             << d << ", but got " << getTensorType(getC()).getElementType();
  }
  if (hasEpilogue() && getKind() == ConvKind::Wgrad)
    return emitOpError("expected no epilogue for wgrad, whose result has "
                       "filters and no pixels");
  if (failed(verifyScaling(*this)))
    return failure();
  return verifyEpilogue();
}
