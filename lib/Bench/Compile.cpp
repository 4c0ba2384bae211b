// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a point with a schedule, and launches what came out.
#include "Compile.h"

#include "tile/InitAll.h"
#include "tile/Pipelines/Pipelines.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/JSON.h"
#include <chrono>

using namespace tile;
using namespace tile::bench;

CompiledCandidate
tile::bench::compileCandidate(const Point &point, llvm::StringRef schedule,
                              const CompileSettings &settings) {
  auto begin = std::chrono::steady_clock::now();
  CompiledCandidate result;
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diag) {
    if (diag.getSeverity() == mlir::DiagnosticSeverity::Error &&
        result.failure.empty())
      result.failure = diag.str();
    return mlir::success();
  });
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(
          formatProblem(point, settings.dynamic), &context);
  if (module) {
    CompileOptions options;
    options.chip = settings.chip;
    options.simulator = false;
    options.cubin = settings.cubin;
    if (schedule != "default")
      options.schedule = schedule.str();
    mlir::FailureOr<std::string> artifact = compileToArtifact(*module, options);
    if (mlir::succeeded(artifact))
      result.artifact = std::move(*artifact);
  }
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

static TileRtArgument makeArgument(const Point &point, const Placement &place,
                                   void *address) {
  TileRtArgument argument = {};
  argument.kind = TILE_RT_TENSOR;
  TileRtTensor &tensor = argument.as.tensor;
  tensor.data = address;
  tensor.type = point.type->runtime;
  tensor.rank = 2;
  tensor.sizes[0] = place.rows;
  tensor.sizes[1] = place.columns;
  tensor.strides[0] = place.rowStride;
  tensor.strides[1] = place.columnStride;
  return argument;
}

std::optional<std::string> LoadedCandidate::launch(const OperandSet &set) {
  TileRtArgument arguments[] = {makeArgument(point, point.a(), set.a),
                                makeArgument(point, point.b(), set.b),
                                makeArgument(point, point.d(), set.d)};
  TileRtLaunchOptions options = {};
  TileRtLaunchInfo chosen = {};
  if (tileRtLaunchEntry(module, "gemm", arguments, 3, &options, stream,
                        &chosen) != TILE_RT_SUCCESS)
    return std::string(tileRtGetLastError());
  if (!chosen.kernel || llvm::StringRef(info.name) == chosen.kernel)
    return std::nullopt;
  TileRtKernel kernel = nullptr;
  if (tileRtModuleGetKernel(module, chosen.kernel, &kernel) !=
          TILE_RT_SUCCESS ||
      tileRtKernelGetInfo(kernel, &info) != TILE_RT_SUCCESS)
    return std::string(tileRtGetLastError());
  return std::nullopt;
}

std::string LoadedCandidate::toolchain() const {
  size_t length = 0;
  const char *text = tileRtModuleGetManifest(module, &length);
  llvm::Expected<llvm::json::Value> manifest =
      llvm::json::parse(llvm::StringRef(text ? text : "", length));
  if (!manifest) {
    llvm::consumeError(manifest.takeError());
    return "";
  }
  const llvm::json::Object *object = manifest->getAsObject();
  if (!object)
    return "";
  std::string result = object->getString("producer").value_or("").str();
  if (const llvm::json::Object *target = object->getObject("target"))
    result += ", PTX " + target->getString("ptx").value_or("?").str();
  return result;
}
