// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stages and compiles the kernels of `tile::jit`.
#include "State.h"

#include "tile/IR/Tile.h"
#include "tile/Pipelines/Pipelines.h"
#include "tile/Target/Chip.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tile;
using namespace tile::jit;
using dsl::Scope;
using dsl::Val;

/// Everything that diagnostics of a context say, one a line, as tools print it.
static void appendLine(std::string &said, Diagnostic &diagnostic,
                       StringRef severity) {
  llvm::raw_string_ostream stream(said);
  if (!said.empty())
    stream << "\n";
  Location loc = diagnostic.getLocation();
  if (auto place = loc->findInstanceOf<FileLineColLoc>())
    stream << place.getFilename().getValue() << ":" << place.getLine() << ": ";
  stream << severity << ": " << diagnostic.str();
}

namespace {

/// A kernel without a body, and what its lambda takes.
struct Frame {
  gpu::GPUFuncOp kernel;
  std::vector<StagedParameter> parameters;
};

} // namespace

static Type getType(MLIRContext *context, StringRef name) {
  return mlir::parseType(name, context);
}

/// The types of a kernel's arguments: a scalar, or of a tensor the pointer, the
/// extents, and all strides but the last.
static SmallVector<Type> getTypes(MLIRContext *context,
                                  ArrayRef<Parameter> parameters) {
  SmallVector<Type> types;
  Type i64 = IntegerType::get(context, 64);
  for (const Parameter &parameter : parameters) {
    if (parameter.rank == 0) {
      Type type = getType(context, parameter.type);
      types.push_back(type.isIndex() ? i64 : type);
      continue;
    }
    types.push_back(LLVM::LLVMPointerType::get(context, /*addressSpace=*/1));
    types.append(2 * parameter.rank - 1, i64);
  }
  return types;
}

/// What the lambda takes for a tensor whose arguments begin at `next`.
static StagedParameter makeTensor(Scope &scope, const Parameter &parameter,
                                  ValueRange arguments, unsigned &next) {
  Type index = scope.builder.getIndexType();
  auto take = [&] { return Val(scope, arguments[next++]); };
  Val pointer = take();
  StagedParameter tensor;
  SmallVector<dsl::Leaf> shape, strides;
  for (int i = 0; i < parameter.rank; ++i) {
    tensor.extents.push_back(take().cast(index));
    bool isLast = i + 1 == parameter.rank;
    shape.push_back(
        dsl::Leaf(tensor.extents.back(), isLast ? parameter.multiple : 1));
  }
  for (int i = 0; i + 1 < parameter.rank; ++i)
    strides.push_back(dsl::Leaf(take().cast(index), parameter.multiple));
  strides.push_back(1);
  Type type = getType(scope.builder.getContext(), parameter.type);
  tensor.view =
      dsl::makeView(scope, pointer, type, shape, strides,
                    parameter.multiple * (type.getIntOrFloatBitWidth() / 8));
  return tensor;
}

static Frame createKernel(ModuleOp module, StringRef name, int64_t threads,
                          ArrayRef<Parameter> parameters, Scope &scope) {
  OpBuilder &builder = scope.builder;
  MLIRContext *context = builder.getContext();
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  builder.getUnitAttr());
  builder.setInsertionPointToEnd(module.getBody());
  auto kernels = gpu::GPUModuleOp::create(builder, scope.loc, "kernels");
  builder.setInsertionPointToEnd(kernels.getBody());
  Frame frame;
  frame.kernel = gpu::GPUFuncOp::create(
      builder, scope.loc, name,
      builder.getFunctionType(getTypes(context, parameters), {}));
  frame.kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                        builder.getUnitAttr());
  frame.kernel.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
  // Without parameters: it is launched by hand.
  frame.kernel->setAttr(kLaunchFacts,
                        LaunchFactsAttr::get(context, LaunchFacts()));
  builder.setInsertionPointToStart(&frame.kernel.getBody().front());
  unsigned next = 0;
  for (const Parameter &parameter : parameters) {
    if (parameter.rank > 0) {
      frame.parameters.push_back(
          makeTensor(scope, parameter, frame.kernel.getArguments(), next));
      continue;
    }
    Val value(scope, frame.kernel.getArguments()[next++]);
    if (StringRef(parameter.type) == "index")
      value = value.cast(builder.getIndexType());
    frame.parameters.push_back({value, dsl::View(), {}});
  }
  return frame;
}

static CompileOptions getOptions(const JitState &state) {
  bool isSimulator = state.info.kind == TILE_RT_DEVICE_SIM;
  CompileOptions options;
  options.chip = !state.options.chip.empty() ? state.options.chip
                 : isSimulator
                     ? std::string(kDefaultChip)
                     : getDeviceChip(state.info.chip, state.info.name);
  options.ptx = !isSimulator || state.options.ptx;
  options.simulator = isSimulator;
  options.count = isSimulator && state.options.countAccesses;
  options.cacheDirectory = state.options.cacheDirectory;
  return options;
}

/// Loads the kernel of an artifact.
static Result<std::shared_ptr<CompiledKernel>>
load(const JitState &state, const std::string &name, StringRef artifact) {
  auto kernel = std::make_shared<CompiledKernel>();
  TileRtKernelInfo info;
  if (tileRtModuleLoad(state.device, artifact.data(), artifact.size(),
                       &kernel->module) != TILE_RT_SUCCESS ||
      tileRtModuleGetKernel(kernel->module, name.c_str(), &kernel->kernel) !=
          TILE_RT_SUCCESS ||
      tileRtKernelGetInfo(kernel->kernel, &info) != TILE_RT_SUCCESS)
    return Reason(tileRtGetLastError());
  kernel->dynamicSharedBytes = info.dynamicSharedBytes;
  return kernel;
}

Result<AnyKernel> Jit::compileAny(StringRef name, int64_t threads,
                                  ArrayRef<Parameter> parameters,
                                  StageFunction body,
                                  dsl::CallSite site) const {
  MLIRContext *context = &state->context;
  std::string said;
  bool hasFailed = false;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
    hasFailed |= isError;
    if (!isError)
      return success();
    appendLine(said, diagnostic, "error");
    for (Diagnostic &note : diagnostic.getNotes())
      appendLine(said, note, "note");
    return success();
  });
  OpBuilder builder(context);
  auto loc = FileLineColLoc::get(context, site.file, site.line, /*column=*/1);
  if (threads < 1 || threads > 1024)
    mlir::emitError(loc) << "expected a kernel of 1 to 1024 threads, but got "
                         << threads;
  if (hasFailed)
    return Reason(said);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  Scope scope{builder, loc};
  Frame frame = createKernel(*module, name, threads, parameters, scope);
  scope.locatesCalls = true;
  body(scope, frame.parameters);
  gpu::ReturnOp::create(builder, loc);
  if (hasFailed || failed(mlir::verify(*module)))
    return Reason(said);

  // Two kernels with the same operations at the same lines are one.
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().enableDebugInfo().useLocalScope());
  std::shared_ptr<CompiledKernel> &kept = state->kernels[text];
  if (!kept) {
    FailureOr<std::string> artifact =
        compileToArtifact(*module, getOptions(*state));
    Result<std::shared_ptr<CompiledKernel>> loaded =
        succeeded(artifact)
            ? load(*state, name.str(), *artifact)
            : Result<std::shared_ptr<CompiledKernel>>(Reason(said));
    if (!loaded) {
      state->kernels.erase(text);
      return loaded.takeReason();
    }
    kept = *loaded;
    kept->parameters = parameters.vec();
    kept->threads = threads;
  }
  AnyKernel kernel;
  kernel.kernel = kept;
  return kernel;
}
