// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C API: modules from text, and their compilation.
#include "Handles.h"

#include "tile/Pipelines/Pipelines.h"
#include "tile/Target/Chip.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace tile::capi;

TileStatus tileModuleParse(TileContext context, const char *text, size_t length,
                           const char *file, TileModule *module) {
  if (!context)
    return failNull("tileModuleParse", "a context");
  if (!text)
    return failNull("tileModuleParse", "a text");
  if (!module)
    return failNull("tileModuleParse", "a place for the module");
  std::shared_ptr<Context> owner = context->context;
  mlir::OwningOpRef<mlir::ModuleOp> parsed;
  {
    std::lock_guard<std::mutex> lock(owner->mutex);
    size_t begin = owner->diagnostics.size();
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text, length),
                                             file ? file : "<text>"),
        llvm::SMLoc());
    parsed = mlir::parseSourceFile<mlir::ModuleOp>(sources, &owner->mlir);
    if (!parsed)
      return failWithDiagnostic(TILE_PARSE_ERROR, *owner, begin,
                                "the text is no module");
  }
  *module = new TileModuleImpl{std::move(owner), std::move(parsed), {}};
  return TILE_SUCCESS;
}

void tileModuleDestroy(TileModule module) { delete module; }

TileStatus tileModuleGetText(TileModule module, const char **text,
                             size_t *length) {
  if (!module)
    return failNull("tileModuleGetText", "a module");
  if (!text)
    return failNull("tileModuleGetText", "a place for the text");
  std::lock_guard<std::mutex> lock(module->context->mutex);
  // A module never changes, so that its text is made once and stays.
  if (module->text.empty()) {
    llvm::raw_string_ostream stream(module->text);
    module->module->print(stream);
  }
  *text = module->text.c_str();
  if (length)
    *length = module->text.size();
  return TILE_SUCCESS;
}

static tile::CompileOptions getOptions(const TileCompileOptions &options) {
  tile::CompileOptions result;
  if (options.chip)
    result.chip = options.device
                      ? tile::getDeviceChip(options.chip, options.device)
                      : std::string(options.chip);
  if (options.schedule)
    result.schedule = options.schedule;
  if (options.tuningTable)
    result.tuningTable = options.tuningTable;
  result.cubin = options.cubin != 0;
  result.ptx = options.withoutPTX == 0;
  result.simulator = options.withoutSimulator == 0;
  result.count = options.countAccesses != 0;
  result.remarks = options.remarks != 0;
  if (options.cache)
    result.cacheDirectory = options.cache;
  if (options.cacheBytes > 0)
    result.cacheBytes = options.cacheBytes;
  result.cacheOnly = options.cacheOnly != 0;
  return result;
}

TileStatus tileCompile(TileModule module, const TileCompileOptions *options,
                       TileArtifact *artifact) {
  if (!module)
    return failNull("tileCompile", "a module");
  if (!artifact)
    return failNull("tileCompile", "a place for the artifact");
  TileCompileOptions defaults = {};
  bool compiles = !options || !options->cacheOnly;
  if (!compiles && (!options->cache || !*options->cache))
    return fail(TILE_INVALID_ARGUMENT,
                "tileCompile: expected a cache where nothing may be compiled, "
                "but got none");
  tile::CompileOptions compile = getOptions(options ? *options : defaults);
  Context &context = *module->context;
  std::string bytes;
  {
    std::lock_guard<std::mutex> lock(context.mutex);
    size_t begin = context.diagnostics.size();
    // Compilation lowers in place; the caller's module stays.
    mlir::OwningOpRef<mlir::ModuleOp> copy(module->module->clone());
    mlir::FailureOr<std::string> result =
        tile::compileToArtifact(*copy, compile);
    if (mlir::failed(result))
      return failWithDiagnostic(compiles ? TILE_COMPILE_ERROR : TILE_NOT_FOUND,
                                context, begin,
                                "the module cannot be compiled");
    bytes = std::move(*result);
  }
  return createArtifact(std::move(bytes), artifact);
}
