// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Problem operations: verifiers that say what is wrong in numbers.
#include "GemmOperands.h"

#include "tile/IR/ScheduleInterfaces.h"

using namespace mlir;
using namespace tile;

bool tile::isSchedule(Attribute attribute) {
  if (auto list = dyn_cast<ArrayAttr>(attribute))
    return !list.empty() && llvm::all_of(list, [](Attribute each) {
      return !isa<ArrayAttr>(each) && isSchedule(each);
    });
  // Where no one builds kernels, nothing implements what the dialect promises.
  return attribute.hasPromiseOrImplementsInterface<ScheduleAttrInterface>();
}

ParseResult tile::parseSchedule(AsmParser &parser, Attribute &schedule) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAttribute(schedule))
    return failure();
  if (isSchedule(schedule))
    return success();
  return parser.emitError(loc)
         << "expected a schedule such as #tile.simt<…> or "
            "#tile.warp_specialized<…>, or a list of these, but got "
         << schedule;
}

void tile::printSchedule(AsmPrinter &printer, Operation *, Attribute schedule) {
  printer.printAttribute(schedule);
}

/// An extent for a message: the number, or `?`.
static std::string str(int64_t extent) {
  return ShapedType::isDynamic(extent) ? "?" : std::to_string(extent);
}

/// Whether two extents may be equal at run time.
static bool compatible(int64_t a, int64_t b) {
  return ShapedType::isDynamic(a) || ShapedType::isDynamic(b) || a == b;
}

/// An operand of a gemm seen as matrix: row and column extents, batch.
struct Matrix {
  StringRef name;
  MemRefType type;
  int64_t getDim(int64_t dim) const {
    return type.getDimSize(type.getRank() - 2 + dim);
  }
  /// The batch extent; 1 for a matrix shared by all batches.
  int64_t getBatch() const {
    return type.getRank() == 3 ? type.getDimSize(0) : 1;
  }
};

LogicalResult tile::verifyElementTypes(Operation *op, Type a, Type b, Type d,
                                       StringRef added) {
  auto isFloat8 = [](Type type) {
    return isa<Float8E4M3FNType, Float8E5M2Type>(type);
  };
  // Signs are none of a memref's business: integers have one.
  if (a.isSignlessInteger(8)) {
    if (b != a)
      return op->emitOpError("expected B to have the element type of A, ")
             << a << ", but got " << b;
    if (!d.isSignlessInteger(32))
      return op->emitOpError("expected D to have element type i32 for A and B "
                             "of i8, but got ")
             << d;
    if (!added.empty())
      return op->emitOpError("expected neither C nor scalars for A and B of "
                             "i8, but got ")
             << added;
    return success();
  }
  if (!isFloat8(a) && !a.isF32() && !a.isF64() && !a.isF16() && !a.isBF16())
    return op->emitOpError("expected A to have element type f64, f32, f16, "
                           "bf16, f8E4M3FN, f8E5M2 or i8, but got ")
           << a;
  if (isFloat8(a) ? !isFloat8(b) : a != b)
    return op->emitOpError("expected B to have ")
           << (isFloat8(a) ? "an element type of 8 bits like A, "
                           : "the element type of A, ")
           << a << ", but got " << b;
  if (isFloat8(a) && !d.isF32() && !d.isF16() && !d.isBF16())
    return op->emitOpError("expected D to have element type f32, f16 or bf16 "
                           "for A and B of 8 bits, but got ")
           << d;
  if (!isFloat8(a) && d != a && !(d.isF32() && !a.isF64()))
    return op->emitOpError("expected D to have the element type of A, ")
           << a << (a.isF64() || a.isF32() ? "" : ", or f32") << ", but got "
           << d;
  return success();
}

static LogicalResult verifyOperand(GemmOp op, const Matrix &matrix,
                                   Type elementType) {
  MemRefType type = matrix.type;
  if (type.getRank() != 2 && type.getRank() != 3)
    return op.emitOpError("expected ")
           << matrix.name
           << " to have rank 2, or 3 with a leading batch, but got rank "
           << type.getRank() << " (" << type << ")";
  if (elementType && type.getElementType() != elementType)
    return op.emitOpError("expected ")
           << matrix.name << " to have the element type of D, " << elementType
           << ", but got " << type.getElementType();
  if (type.getMemorySpace())
    return op.emitOpError("expected ")
           << matrix.name << " in the default memory space, but got "
           << type.getMemorySpace();
  // The elements of a factor may be those of another tensor.
  bool isFactor = matrix.name == "A" || matrix.name == "B";
  if (isFactor && isa<Im2colAttr>(type.getLayout()))
    return success();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return op.emitOpError("expected ")
           << matrix.name << " to have a strided layout, but got " << type;
  for (auto [dim, stride] : llvm::enumerate(strides))
    if (!ShapedType::isDynamic(stride) && stride < 0)
      return op.emitOpError("expected ")
             << matrix.name << " to have strides of 0 or more, but got "
             << stride << " at dimension " << dim;
  return success();
}

LogicalResult GemmOp::verify() {
  auto matrix = [](StringRef name, Value value) {
    return Matrix{name, cast<MemRefType>(value.getType())};
  };
  Matrix a = matrix("A", getA()), b = matrix("B", getB()),
         d = matrix("D", getD());
  Type elementType = d.type.getElementType();
  if (failed(verifyElementTypes(*this, a.type.getElementType(),
                                b.type.getElementType(), elementType,
                                nameAdded(*this))))
    return failure();
  SmallVector<Matrix, 4> operands{a, b, d};
  if (getC())
    operands.push_back(matrix("C", getC()));
  for (const Matrix &operand : operands)
    if (failed(verifyOperand(*this, operand,
                             operand.name == "C" ? elementType : Type())))
      return failure();

  struct Match {
    const Matrix &left;
    int64_t leftDim;
    const Matrix &right;
    int64_t rightDim;
    const char *extent;
  };
  SmallVector<Match> matches{
      {a, 1, b, 0, "K"}, {a, 0, d, 0, "M"}, {b, 1, d, 1, "N"}};
  if (getC()) {
    matches.push_back({operands[3], 0, d, 0, "M"});
    matches.push_back({operands[3], 1, d, 1, "N"});
  }
  static constexpr const char *kDims[] = {"rows", "columns"};
  for (const Match &match : matches)
    if (!compatible(match.left.getDim(match.leftDim),
                    match.right.getDim(match.rightDim)))
      return emitOpError("expected ")
             << match.left.name << " and " << match.right.name
             << " to agree on " << match.extent << ", but got "
             << str(match.left.getDim(match.leftDim)) << " "
             << kDims[match.leftDim] << " of " << match.left.name << " and "
             << str(match.right.getDim(match.rightDim)) << " "
             << kDims[match.rightDim] << " of " << match.right.name;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (succeeded(d.type.getStridesAndOffset(strides, offset)))
    for (auto [dim, stride] : llvm::enumerate(strides))
      if (int64_t extent = d.type.getDimSize(dim); stride == 0 && extent > 1)
        return emitOpError("expected D to have a place for each element, but "
                           "got stride 0 for the ")
               << extent << " elements of dimension " << dim;
  for (const Matrix &operand : operands) {
    if (operand.type.getRank() == 3 && d.type.getRank() == 2)
      return emitOpError("expected D to have a batch dimension like ")
             << operand.name << ", but got rank 2";
    if (operand.type.getRank() == 3 &&
        !compatible(operand.getBatch(), d.getBatch()))
      return emitOpError("expected the batch of D, ")
             << str(d.getBatch()) << ", but got " << str(operand.getBatch())
             << " for " << operand.name;
  }
  if (failed(verifyScaling(*this)))
    return failure();
  return verifyEpilogue();
}

void GemmOp::build(OpBuilder &builder, OperationState &state, Value a, Value b,
                   Value c, Value d, Value alpha, Value beta,
                   Attribute schedule) {
  build(builder, state, a, b, c, d, alpha, beta, ValueRange(), ArrayAttr(),
        UnitAttr(), schedule, StringAttr());
}

Problem GemmOp::getProblem() { return getGemmProblem(*this); }

Value GemmOp::getProblemValue(StringRef name) {
  return getGemmValue(*this, name);
}
