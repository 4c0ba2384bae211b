// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch of a problem: its list of kernels, and what prepares for each.
#include "EpilogueSyntax.h"
#include "GemmOperands.h"
#include "LaunchSyntax.h"

#include "tile/IR/Epilogue.h"
#include "tile/IR/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// PrepareAttr
//===----------------------------------------------------------------------===//

/// Parses `A by @kernels::@pack, contiguous = 1, pitch_multiple = 8`.
static PrepareAttr parseCopy(AsmParser &parser) {
  StringRef operand;
  SymbolRefAttr kernel;
  int64_t contiguous = 0, multiple = 1;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&operand) || parser.parseKeyword("by") ||
      parser.parseAttribute(kernel) || parser.parseComma() ||
      parser.parseKeyword("contiguous") || parser.parseEqual() ||
      parser.parseInteger(contiguous) || parser.parseComma() ||
      parser.parseKeyword("pitch_multiple") || parser.parseEqual() ||
      parser.parseInteger(multiple))
    return {};
  MLIRContext *context = parser.getContext();
  return PrepareAttr::getChecked([&] { return parser.emitError(loc); }, context,
                                 StringAttr::get(context, operand), kernel,
                                 contiguous, multiple);
}

static void printCopy(AsmPrinter &printer, PrepareAttr copy) {
  printer << copy.getOperand().getValue() << " by ";
  printer.printAttribute(copy.getKernel());
  printer << ", contiguous = " << copy.getContiguous()
          << ", pitch_multiple = " << copy.getPitchMultiple();
}

Attribute PrepareAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  PrepareAttr copy = parseCopy(parser);
  return copy && succeeded(parser.parseGreater()) ? copy : PrepareAttr();
}

void PrepareAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printCopy(printer, *this);
  printer << ">";
}

LogicalResult PrepareAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  StringAttr operand, SymbolRefAttr kernel,
                                  int64_t contiguous, int64_t pitchMultiple) {
  constexpr int64_t most = 1 << 20;
  if (contiguous != 0 && contiguous != 1)
    return emitError() << "expected contiguous = 0 or 1 for the copy of "
                       << operand.getValue() << ", but got " << contiguous;
  if (pitchMultiple < 1 || pitchMultiple > most)
    return emitError() << "expected a pitch_multiple from 1 to " << most
                       << " for the copy of " << operand.getValue()
                       << ", but got " << pitchMultiple;
  return success();
}

//===----------------------------------------------------------------------===//
// The list of variants
//===----------------------------------------------------------------------===//

ParseResult tile::parseVariants(OpAsmParser &parser, ArrayAttr &kernels,
                                ArrayAttr &prepare) {
  SmallVector<Attribute> names, copies;
  bool prepares = false;
  auto parseOne = [&]() -> ParseResult {
    SymbolRefAttr kernel;
    if (parser.parseAttribute(kernel))
      return failure();
    names.push_back(kernel);
    SmallVector<Attribute> own;
    if (succeeded(parser.parseOptionalKeyword("after"))) {
      prepares = true;
      do {
        PrepareAttr copy;
        if (parser.parseLParen() || !(copy = parseCopy(parser)) ||
            parser.parseRParen())
          return failure();
        own.push_back(copy);
      } while (succeeded(parser.parseOptionalKeyword("and")));
    }
    copies.push_back(parser.getBuilder().getArrayAttr(own));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  kernels = parser.getBuilder().getArrayAttr(names);
  if (prepares)
    prepare = parser.getBuilder().getArrayAttr(copies);
  return success();
}

void tile::printVariants(OpAsmPrinter &printer, Operation *, ArrayAttr kernels,
                         ArrayAttr prepare) {
  printer << "[";
  for (auto [i, kernel] : llvm::enumerate(kernels)) {
    printer << (i == 0 ? "" : prepare ? "," : ", ");
    // With copies the list is long: a line for each kernel.
    if (prepare) {
      printer.printNewline();
      printer << "    ";
    }
    printer.printAttribute(kernel);
    auto copies = prepare ? dyn_cast<ArrayAttr>(prepare[i]) : ArrayAttr();
    for (auto [j, copy] :
         llvm::enumerate(copies ? copies.getValue() : ArrayRef<Attribute>())) {
      printer << (j == 0 ? " after (" : " and (");
      printCopy(printer, cast<PrepareAttr>(copy));
      printer << ")";
    }
  }
  printer << "]";
}

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

Problem LaunchOp::getProblem() { return getGemmProblem(*this); }

Value LaunchOp::getProblemValue(StringRef name) {
  return getGemmValue(*this, name);
}

/// The names of the functions next to where a symbol was looked for.
static std::string findNearestKernel(Operation *user, SymbolRefAttr symbol) {
  std::vector<std::string> known;
  auto module = SymbolTable::lookupNearestSymbolFrom<gpu::GPUModuleOp>(
      user, symbol.getRootReference());
  if (module)
    for (auto kernel : module.getOps<FunctionOpInterface>())
      known.push_back(SymbolTable::getSymbolName(kernel).str());
  std::string nearest = findNearest(symbol.getLeafReference().str(), known);
  return nearest.empty() ? "" : "; did you mean @" + nearest + "?";
}

/// Looks a kernel up and checks that its facts, if it has some, say that it
/// packs an operand, or that it does not.
static LogicalResult verifyKernel(LaunchOp launch, SymbolRefAttr symbol,
                                  bool packs, SymbolTableCollection &symbols) {
  // A compiled module no longer shows its functions.
  if (symbols.lookupNearestSymbolFrom<gpu::BinaryOp>(launch,
                                                     symbol.getRootReference()))
    return success();
  auto kernel =
      symbols.lookupNearestSymbolFrom<FunctionOpInterface>(launch, symbol);
  if (!kernel)
    return launch.emitOpError(
               "expected a kernel in a gpu.module, but found no function ")
           << symbol << findNearestKernel(launch, symbol);
  auto facts = kernel->getAttrOfType<LaunchFactsAttr>(kLaunchFacts);
  if (!facts || facts.getFacts().isPack() == packs)
    return success();
  return launch.emitOpError("expected ")
         << symbol
         << (packs ? " to copy an operand, which takes a 'pack_tile' in its "
                     "launch facts, but got none"
                   : " to solve the problem, but got a 'pack_tile' in its "
                     "launch facts");
}

/// Checks what is copied for one kernel.
static LogicalResult verifyCopies(LaunchOp launch, SymbolRefAttr kernel,
                                  Attribute prepare,
                                  SymbolTableCollection &symbols) {
  auto copies = dyn_cast<ArrayAttr>(prepare);
  if (!copies || !llvm::all_of(copies, llvm::IsaPred<PrepareAttr>))
    return launch.emitOpError("expected an array of #tile.prepare for ")
           << kernel << " in 'prepare', but got " << prepare;
  std::vector<std::string> readable, prepared;
  for (const ProblemOperand &operand : launch.getProblem().operands)
    if (operand.role != OperandRole::Result)
      readable.push_back(operand.name);
  for (auto copy : copies.getAsRange<PrepareAttr>()) {
    std::string name = copy.getOperand().str();
    if (!llvm::is_contained(readable, name))
      return launch.emitOpError("expected ")
             << kernel << " after a copy of " << listNames(readable)
             << ", but got one of " << name;
    if (llvm::is_contained(prepared, name))
      return launch.emitOpError("expected ")
             << kernel << " after one copy of " << name << ", but got two";
    prepared.push_back(name);
    if (failed(verifyKernel(launch, copy.getKernel(), /*packs=*/true, symbols)))
      return failure();
  }
  return success();
}

/// Checks the text of an epilogue and its operands.
static LogicalResult verifyEpilogue(LaunchOp launch) {
  if (failed(verifyEpilogueOperands(launch, launch.getEpilogueOperands(),
                                    launch.getEpilogueIndices(),
                                    cast<MemRefType>(launch.getD().getType()))))
    return failure();
  if (!launch.getEpilogue())
    return success();
  Expression expression;
  std::string reason = parseExpression(*launch.getEpilogue(), expression);
  if (!reason.empty())
    return launch.emitOpError("expected an expression as epilogue: ") << reason;
  size_t wanted =
      1 + (launch.getC() ? 1 : 0) + launch.getEpilogueOperands().size();
  if (expression.arguments.size() != wanted)
    return launch.emitOpError("expected an epilogue of ")
           << wanted << " arguments, but got " << expression.arguments.size();
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (failed(verifyEpilogue(*this)))
    return failure();
  ArrayAttr kernels = getKernels();
  if (kernels.empty())
    return emitOpError("expected at least one kernel");
  std::optional<ArrayAttr> prepare = getPrepare();
  if (prepare && prepare->size() != kernels.size())
    return emitOpError("expected 'prepare' to have an element for each of ")
           << kernels.size() << " kernels, but got " << prepare->size();
  for (auto [i, reference] : llvm::enumerate(kernels)) {
    auto symbol = cast<SymbolRefAttr>(reference);
    if (failed(verifyKernel(*this, symbol, /*packs=*/false, symbols)))
      return failure();
    if (prepare && failed(verifyCopies(*this, symbol, (*prepare)[i], symbols)))
      return failure();
  }
  return success();
}
