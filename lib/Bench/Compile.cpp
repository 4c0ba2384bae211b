// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a point with a schedule, and launches what came out.
#include "Compile.h"

#include "tile/InitAll.h"
#include "tile/Pipelines/Pipelines.h"
#include "tile/Schedules/Schedules.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include <chrono>

using namespace tile;
using namespace tile::bench;

namespace {
/// A context for one compilation, whose messages go where they are wanted.
struct Compilation {
  Compilation()
      : context(makeRegistry(), mlir::MLIRContext::Threading::DISABLED),
        handler(&context, [this](mlir::Diagnostic &diagnostic) {
          take(diagnostic);
          return mlir::success();
        }) {
    context.printOpOnDiagnostic(false);
  }
  static mlir::DialectRegistry makeRegistry() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }
  void take(mlir::Diagnostic &diagnostic) {
    std::string text = diagnostic.str();
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
        failure.empty())
      failure = text;
  }
  mlir::OwningOpRef<mlir::ModuleOp> parse(const Point &point, bool dynamic) {
    return mlir::parseSourceString<mlir::ModuleOp>(
        formatProblem(point, dynamic), &context);
  }

  mlir::MLIRContext context;
  mlir::ScopedDiagnosticHandler handler;
  /// The first error.
  std::string failure;
};
} // namespace

Result<std::vector<std::string>>
tile::bench::listSchedules(const Point &point, llvm::StringRef chip) {
  Compilation compilation;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      compilation.parse(point, /*dynamic=*/false);
  if (!module)
    return Reason(compilation.failure);
  std::vector<std::string> schedules;
  module->walk([&](GemmOp gemm) {
    for (mlir::Attribute schedule : candidateSchedules(gemm, getChip(chip)))
      llvm::raw_string_ostream(schedules.emplace_back()) << schedule;
  });
  if (schedules.empty())
    return Reason("no schedule is legal for the problem");
  return schedules;
}

CompiledCandidate
tile::bench::compileCandidate(const Point &point, llvm::StringRef schedule,
                              const CompileSettings &settings) {
  auto begin = std::chrono::steady_clock::now();
  CompiledCandidate result;
  Compilation compilation;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      compilation.parse(point, settings.dynamic);
  if (module) {
    CompileOptions options;
    options.chip = settings.chip;
    options.simulator = false;
    options.cubin = settings.cubin;
    options.tuningTable = settings.tuningTable;
    if (schedule != "default")
      options.schedule = schedule.str();
    mlir::FailureOr<std::string> artifact = compileToArtifact(*module, options);
    if (mlir::succeeded(artifact))
      result.artifact = std::move(*artifact);
    module->walk([&](LaunchOp launch) {
      result.reason = launch.getReason().value_or("").str();
    });
  }
  result.failure = compilation.failure;
  if (result.artifact.empty() && result.failure.empty())
    result.failure = "the compiler failed without a message";
  result.milliseconds = std::chrono::duration<double, std::milli>(
                            std::chrono::steady_clock::now() - begin)
                            .count();
  return result;
}

Result<std::unique_ptr<LoadedCandidate>>
LoadedCandidate::create(TileRtDevice device, TileRtStream stream,
                        const Point &point, const std::string &artifact) {
  std::unique_ptr<LoadedCandidate> candidate(new LoadedCandidate(point));
  candidate->stream = stream;
  candidate->info.name = candidate->info.schedule = "";
  candidate->info.registers = -1;
  candidate->info.localBytes = -1;
  if (tileRtModuleLoad(device, artifact.data(), artifact.size(),
                       &candidate->module) != TILE_RT_SUCCESS)
    return Reason(tileRtGetLastError());
  return candidate;
}

LoadedCandidate::~LoadedCandidate() { tileRtModuleUnload(module); }

static TileRtArgument makeTensor(const Placement &place,
                                 const ElementTypeInfo &type, void *address) {
  TileRtArgument argument = {};
  argument.kind = TILE_RT_TENSOR;
  TileRtTensor &tensor = argument.as.tensor;
  tensor.data = address;
  tensor.type = type.runtimeType;
  auto add = [&](int64_t size, int64_t stride) {
    tensor.sizes[tensor.rank] = size;
    tensor.strides[tensor.rank++] = stride;
  };
  if (place.batch != 1)
    add(place.batch, place.batchStride);
  add(place.rows, place.rowStride);
  add(place.columns, place.columnStride);
  return argument;
}

static TileRtArgument makeScalar(const ElementTypeInfo &type, double value) {
  TileRtArgument argument = {};
  argument.kind = TILE_RT_SCALAR;
  argument.as.scalar.type = type.runtimeType;
  if (type.name == "f64")
    argument.as.scalar.value.f64 = value;
  else
    argument.as.scalar.value.f32 = static_cast<float>(value);
  return argument;
}

/// The arguments of @gemm, as formatProblem orders them.
llvm::SmallVector<TileRtArgument, 6>
LoadedCandidate::makeArguments(const OperandSet &set) const {
  llvm::SmallVector<TileRtArgument, 6> arguments = {
      makeTensor(point.a(), *point.type, set.a),
      makeTensor(point.b(), *point.typeB, set.b)};
  if (point.beta != 0)
    arguments.push_back(makeTensor(point.d(), *point.typeD, set.c));
  arguments.push_back(makeTensor(point.d(), *point.typeD, set.d));
  if (point.hasAlpha())
    arguments.push_back(makeScalar(point.scalarType(), point.alpha));
  if (point.beta != 0)
    arguments.push_back(makeScalar(point.scalarType(), point.beta));
  return arguments;
}

int64_t LoadedCandidate::workspaceBytes(const OperandSet &set) const {
  llvm::SmallVector<TileRtArgument, 6> arguments = makeArguments(set);
  int64_t bytes = 0;
  // Where that fails the launch fails as well, and says why.
  if (tileRtEntryGetWorkspaceSize(module, "gemm", arguments.data(),
                                  static_cast<int32_t>(arguments.size()),
                                  nullptr, &bytes) != TILE_RT_SUCCESS)
    return 0;
  return bytes;
}

std::optional<std::string>
LoadedCandidate::launch(const OperandSet &set, TileRtBuffer workspace,
                        TileRtProgrammaticLaunch programmatic) {
  llvm::SmallVector<TileRtArgument, 6> arguments = makeArguments(set);
  TileRtLaunchOptions options = {};
  options.programmaticLaunch = programmatic;
  if (workspace) {
    options.workspace = tileRtBufferGetAddress(workspace);
    options.workspaceBytes = tileRtBufferGetSize(workspace);
  }
  TileRtLaunchInfo chosen = {};
  if (tileRtLaunchEntry(module, "gemm", arguments.data(),
                        static_cast<int32_t>(arguments.size()), &options,
                        stream, &chosen) != TILE_RT_SUCCESS)
    return std::string(tileRtGetLastError());
  if (!chosen.kernel || llvm::StringRef(info.name) == chosen.kernel)
    return std::nullopt;
  prepared = chosen.prepare;
  TileRtKernel kernel = nullptr;
  if (tileRtModuleGetKernel(module, chosen.kernel, &kernel) !=
          TILE_RT_SUCCESS ||
      tileRtKernelGetInfo(kernel, &info) != TILE_RT_SUCCESS)
    return std::string(tileRtGetLastError());
  return std::nullopt;
}

std::string LoadedCandidate::toolchain() const {
  TileRtTargetInfo target = {};
  if (tileRtModuleGetTarget(module, &target) != TILE_RT_SUCCESS)
    return "";
  return std::string(target.producer) + ", PTX " + target.ptxVersion;
}
