// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entries of an artifact, from the host functions of a module.
#include "tile/IR/Tile.h"
#include "tile/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

static std::optional<int64_t> known(int64_t number) {
  if (ShapedType::isDynamic(number))
    return std::nullopt;
  return number;
}

static FailureOr<ArtifactArgument> describeArgument(func::FuncOp function,
                                                    unsigned number) {
  Type type = function.getArgumentTypes()[number];
  ArtifactArgument result;
  llvm::raw_string_ostream element(result.type);
  if (isa<FloatType>(type)) {
    result.kind = ArtifactArgument::Kind::Scalar;
    element << type;
    return result;
  }
  auto memref = dyn_cast<MemRefType>(type);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!memref || failed(memref.getStridesAndOffset(strides, offset))) {
    function.emitOpError(
        "expected arguments that are strided memrefs or floats, but got ")
        << type;
    return failure();
  }
  element << memref.getElementType();
  for (int64_t extent : memref.getShape())
    result.shape.push_back(known(extent));
  for (int64_t stride : strides)
    result.strides.push_back(known(stride));
  return result;
}

/// Whether an operation only names an argument's elements in another way.
static bool isMatrixView(Operation *op) {
  auto cast = dyn_cast<memref::ReinterpretCastOp>(op);
  return isa<Im2colOp>(op) ||
         (cast && cast.getOffsets().empty() && cast.getSizes().empty() &&
          cast.getStrides().empty() && cast.getStaticOffset(0) == 0);
}

/// What the value of a view is of its operand.
static ArtifactMatrix describeView(Value view) {
  auto type = cast<MemRefType>(view.getType());
  ArtifactMatrix matrix;
  matrix.extents = type.getShape().vec();
  if (auto im2col = dyn_cast<Im2colAttr>(type.getLayout())) {
    matrix.map = im2col.getMatrixMap().str();
    return matrix;
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  // A reinterpret_cast's result has strides.
  (void)type.getStridesAndOffset(strides, offset);
  matrix.strides.assign(strides.begin(), strides.end());
  return matrix;
}

/// The number of the function argument that a launch operand is, or is a view
/// of: then `matrix` says which.
static FailureOr<unsigned>
argumentNumber(LaunchOp launch, Value operand, StringRef name,
               std::optional<ArtifactMatrix> *matrix = nullptr) {
  Operation *view = operand.getDefiningOp();
  if (matrix && view && isMatrixView(view)) {
    *matrix = describeView(operand);
    operand = view->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(operand);
  if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp())) {
    launch.emitOpError("expected ")
        << name << " to be an argument of the function";
    return failure();
  }
  return argument.getArgNumber();
}

static FailureOr<ArtifactScalar>
describeScalar(LaunchOp launch, Value operand, double missing, StringRef name) {
  ArtifactScalar result;
  result.value = missing;
  FloatAttr constant;
  if (!operand)
    return result;
  if (matchPattern(operand, m_Constant(&constant))) {
    result.value = constant.getValueAsDouble();
    return result;
  }
  FailureOr<unsigned> number = argumentNumber(launch, operand, name);
  if (failed(number))
    return failure();
  result.argument = *number;
  return result;
}

/// The launch's kernels, each with the copies that are made first.
static void describeChoices(LaunchOp launch, ArtifactStep &step) {
  for (auto [i, kernel] : llvm::enumerate(launch.getKernels())) {
    ArtifactChoice &choice = step.choices.emplace_back();
    choice.kernel = cast<SymbolRefAttr>(kernel).getLeafReference().str();
    if (!launch.getPrepare())
      continue;
    for (auto copy :
         cast<ArrayAttr>((*launch.getPrepare())[i]).getAsRange<PrepareAttr>()) {
      ArtifactPrepare &prepare = choice.prepare.emplace_back();
      prepare.operand = copy.getOperand().str();
      prepare.kernel = copy.getKernel().getLeafReference().str();
      prepare.contiguous = static_cast<unsigned>(copy.getContiguous());
      prepare.pitchMultiple = copy.getPitchMultiple();
    }
  }
}

static FailureOr<ArtifactStep> describeLaunch(LaunchOp launch) {
  ArtifactStep step;
  auto number = [&](Value operand, StringRef name, int index) {
    return argumentNumber(launch, operand, name, &step.matrices[index]);
  };
  FailureOr<unsigned> a = number(launch.getA(), "A", 0);
  FailureOr<unsigned> b = number(launch.getB(), "B", 1);
  FailureOr<unsigned> d = number(launch.getD(), "D", 3);
  FailureOr<ArtifactScalar> alpha =
      describeScalar(launch, launch.getAlpha(), 1.0, "alpha");
  FailureOr<ArtifactScalar> beta = describeScalar(
      launch, launch.getBeta(), launch.getC() ? 1.0 : 0.0, "beta");
  if (failed(a) || failed(b) || failed(d) || failed(alpha) || failed(beta))
    return failure();
  if (launch.getC()) {
    FailureOr<unsigned> c = number(launch.getC(), "C", 2);
    if (failed(c))
      return failure();
    step.c = *c;
  }
  step.a = *a;
  step.b = *b;
  step.d = *d;
  step.alpha = *alpha;
  step.beta = *beta;
  if (std::optional<StringRef> epilogue = launch.getEpilogue())
    step.epilogue = epilogue->str();
  for (auto [i, operand] : llvm::enumerate(launch.getEpilogueOperands())) {
    ArtifactEpilogueOperand &facts = step.epilogueOperands.emplace_back();
    FailureOr<unsigned> argument = argumentNumber(
        launch, operand, "operand " + std::to_string(i) + " of the epilogue",
        &facts.matrix);
    if (failed(argument))
      return failure();
    auto indices = cast<DenseI64ArrayAttr>((*launch.getEpilogueIndices())[i]);
    facts.argument = *argument;
    facts.indices = indices.asArrayRef().vec();
  }
  if (std::optional<StringRef> reason = launch.getReason())
    step.reason = reason->str();
  describeChoices(launch, step);
  return step;
}

FailureOr<std::vector<ArtifactEntry>> tile::collectEntries(ModuleOp module) {
  std::vector<ArtifactEntry> entries;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isDeclaration() || !function.isPublic())
      continue;
    bool launches =
        function.walk([](LaunchOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (!launches)
      continue;
    ArtifactEntry entry;
    entry.name = function.getName().str();
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
      FailureOr<ArtifactArgument> argument = describeArgument(function, i);
      if (failed(argument))
        return failure();
      entry.arguments.push_back(*argument);
    }
    for (Operation &op : function.getBody().front()) {
      if (auto launch = dyn_cast<LaunchOp>(op)) {
        FailureOr<ArtifactStep> step = describeLaunch(launch);
        if (failed(step))
          return failure();
        entry.steps.push_back(*step);
      } else if (!op.hasTrait<OpTrait::ConstantLike>() &&
                 !isa<func::ReturnOp>(op) && !isMatrixView(&op)) {
        op.emitOpError(
            "expected only problems on the function's arguments in @")
            << entry.name << ", an entry of the artifact";
        return failure();
      }
    }
    entries.push_back(std::move(entry));
  }
  // Kernels alone make an artifact as well, for an embedder that launches them.
  if (entries.empty() && module.getOps<gpu::GPUModuleOp>().empty()) {
    module.emitError("expected a public function with a tile.gemm on its "
                     "arguments, but found none");
    return failure();
  }
  return entries;
}
