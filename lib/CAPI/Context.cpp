// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C API: versions, contexts, diagnostics, and the thread's last error.
#include "Handles.h"

#include "tile/InitAll.h"

#include "llvm/Config/llvm-config.h"

using namespace tile::capi;

// The one piece of state outside a handle: a C API has no better place for the
// sentence, and errno works the same way.
static std::string &lastError() {
  static thread_local std::string message;
  return message;
}

TileStatus tile::capi::fail(TileStatus status, std::string message) {
  lastError() = std::move(message);
  return status;
}

TileStatus tile::capi::failNull(llvm::StringRef function,
                                llvm::StringRef what) {
  return fail(TILE_INVALID_ARGUMENT,
              (function + ": expected " + what + ", but got NULL").str());
}

TileStatus tile::capi::failWithDiagnostic(TileStatus status,
                                          const Context &context, size_t begin,
                                          llvm::StringRef otherwise) {
  for (size_t i = begin; i < context.diagnostics.size(); ++i)
    if (context.diagnostics[i].severity == TILE_ERROR)
      return fail(status, context.diagnostics[i].describe());
  return fail(status, otherwise.str());
}

std::string Diagnostic::describe() const {
  if (file.empty())
    return message;
  if (line == 0)
    return file + ": " + message;
  return file + ":" + std::to_string(line) + ":" + std::to_string(column) +
         ": " + message;
}

static TileSeverity getSeverity(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Note:
    return TILE_NOTE;
  case mlir::DiagnosticSeverity::Remark:
    return TILE_REMARK;
  case mlir::DiagnosticSeverity::Warning:
    return TILE_WARNING;
  case mlir::DiagnosticSeverity::Error:
    break;
  }
  return TILE_ERROR;
}

static mlir::DialectRegistry createRegistry() {
  mlir::DialectRegistry registry;
  tile::registerAllDialects(registry);
  return registry;
}

Context::Context()
    : mlir(createRegistry(), mlir::MLIRContext::Threading::DISABLED) {
  // An error is a sentence, not a listing of the operation.
  mlir.printOpOnDiagnostic(false);
  mlir.getDiagEngine().registerHandler([this](mlir::Diagnostic &diagnostic) {
    collect(diagnostic, /*parent=*/-1);
    return mlir::success();
  });
}

void Context::collect(mlir::Diagnostic &diagnostic, int32_t parent) {
  Diagnostic &entry = diagnostics.emplace_back();
  entry.severity = getSeverity(diagnostic.getSeverity());
  entry.message = diagnostic.str();
  entry.parent = parent;
  if (auto place =
          diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>()) {
    entry.file = place.getFilename().str();
    entry.line = static_cast<int32_t>(place.getLine());
    entry.column = static_cast<int32_t>(place.getColumn());
  }
  auto number = static_cast<int32_t>(diagnostics.size() - 1);
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    collect(note, number);
}

const char *tileGetLastError(void) { return lastError().c_str(); }

const char *tileStatusName(TileStatus status) {
  switch (status) {
  case TILE_SUCCESS:
    return "success";
  case TILE_INVALID_ARGUMENT:
    return "invalid argument";
  case TILE_PARSE_ERROR:
    return "parse error";
  case TILE_COMPILE_ERROR:
    return "compile error";
  case TILE_NOT_FOUND:
    return "not found";
  case TILE_IO_ERROR:
    return "i/o error";
  }
  return "unknown status";
}

const char *tileGetVersion(void) { return TILE_VERSION_STRING; }

const char *tileGetLLVMVersion(void) { return LLVM_VERSION_STRING; }

TileStatus tileContextCreate(TileContext *context) {
  if (!context)
    return failNull("tileContextCreate", "a place for the context");
  *context = new TileContextImpl{std::make_shared<Context>()};
  return TILE_SUCCESS;
}

void tileContextDestroy(TileContext context) { delete context; }

int32_t tileContextGetDiagnosticCount(TileContext context) {
  if (!context)
    return 0;
  std::lock_guard<std::mutex> lock(context->context->mutex);
  return static_cast<int32_t>(context->context->diagnostics.size());
}

TileStatus tileContextGetDiagnostic(TileContext context, int32_t index,
                                    TileDiagnostic *diagnostic) {
  if (!context)
    return failNull("tileContextGetDiagnostic", "a context");
  if (!diagnostic)
    return failNull("tileContextGetDiagnostic", "a place for the diagnostic");
  std::lock_guard<std::mutex> lock(context->context->mutex);
  const std::deque<Diagnostic> &all = context->context->diagnostics;
  if (index < 0 || static_cast<size_t>(index) >= all.size())
    return fail(TILE_NOT_FOUND, "expected the number of a diagnostic, below " +
                                    std::to_string(all.size()) + ", but got " +
                                    std::to_string(index));
  const Diagnostic &found = all[index];
  *diagnostic = {found.severity, found.file.c_str(),    found.line,
                 found.column,   found.message.c_str(), found.parent};
  return TILE_SUCCESS;
}

TileStatus tileContextClearDiagnostics(TileContext context) {
  if (!context)
    return failNull("tileContextClearDiagnostics", "a context");
  std::lock_guard<std::mutex> lock(context->context->mutex);
  context->context->diagnostics.clear();
  return TILE_SUCCESS;
}
