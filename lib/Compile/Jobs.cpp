// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects modules from files and suites, and compiles one.
#include "Jobs.h"

#include "Bench/Suite.h"
#include "Support/InputFile.h"
#include "tile/InitAll.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace tile;
using llvm::StringRef;

void tile::addSource(std::vector<Source> &sources, Source source) {
  std::string name = source.name;
  for (int number = 2; llvm::any_of(
           sources,
           [&](const Source &other) { return other.name == source.name; });
       ++number)
    source.name = name + "-" + std::to_string(number);
  sources.push_back(std::move(source));
}

Result<std::vector<Source>>
tile::readSources(llvm::ArrayRef<std::string> paths) {
  std::vector<Source> sources;
  for (const std::string &path : paths) {
    Result<std::unique_ptr<llvm::MemoryBuffer>> file = readFile(path);
    if (!file)
      return Reason(path + ": " + file.getReason());
    std::string name =
        path == "-" ? "stdin" : llvm::sys::path::stem(path).str();
    addSource(sources, {name, path, (*file)->getBuffer().str()});
  }
  return sources;
}

/// A name for a file from what a point is called: letters, digits, - and _.
static std::string makeFileName(StringRef label) {
  std::string name;
  for (char c : label)
    if (llvm::isAlnum(c) || c == '_')
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  return StringRef(name).rtrim('-').str();
}

std::optional<std::string> tile::addSuite(std::vector<Source> &sources,
                                          StringRef path, bool dynamic) {
  Result<std::unique_ptr<llvm::MemoryBuffer>> file = readFile(path);
  if (!file)
    return (path + ": " + file.getReason()).str();
  Result<std::vector<bench::Point>> points =
      bench::parseSuite((*file)->getBuffer());
  if (!points)
    return (path + ": " + points.getReason()).str();
  for (const bench::Point &point : *points) {
    std::string text = bench::formatProblem(point, dynamic);
    if (llvm::any_of(sources,
                     [&](const Source &other) { return other.text == text; }))
      continue;
    std::string label =
        dynamic ? point.typeName() + " " + point.layoutName() : point.label();
    addSource(sources, {makeFileName(label), (path + ": " + label).str(),
                        std::move(text)});
  }
  return std::nullopt;
}

static StringRef getName(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Note:
    return "note";
  case mlir::DiagnosticSeverity::Remark:
    return "remark";
  case mlir::DiagnosticSeverity::Warning:
    return "warning";
  case mlir::DiagnosticSeverity::Error:
    break;
  }
  return "error";
}

static void describe(const mlir::Diagnostic &diagnostic, StringRef origin,
                     std::string &messages) {
  llvm::raw_string_ostream stream(messages);
  auto place = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
  stream << origin;
  if (place && place.getLine())
    stream << ":" << place.getLine() << ":" << place.getColumn();
  stream << ": " << getName(diagnostic.getSeverity()) << ": "
         << diagnostic.str() << "\n";
}

JobResult tile::compileSource(const Source &source,
                              const CompileOptions &options) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  JobResult result;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        describe(diagnostic, source.origin, result.messages);
        for (const mlir::Diagnostic &note : diagnostic.getNotes())
          describe(note, source.origin, result.messages);
        return mlir::success();
      });
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(source.text, &context,
                                              source.origin);
  if (!module)
    return result;
  mlir::FailureOr<std::string> artifact = compileToArtifact(*module, options);
  if (mlir::succeeded(artifact))
    result.artifact = std::move(*artifact);
  return result;
}
