// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles MLIR text, and collects why each problem has its schedule.
#include "Compile.h"

#include "tile/InitAll.h"
#include "tile/Pipelines/Pipelines.h"
#include "tile/Target/Chip.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tile;

bool tile::isArtifact(StringRef bytes) { return bytes.starts_with("TILEART"); }

std::optional<std::string> tile::checkChip(StringRef chip) {
  std::vector<std::string> chips = listChips();
  if (llvm::is_contained(chips, chip))
    return std::nullopt;
  StringRef nearest = "sm_80";
  unsigned distance = chip.edit_distance(nearest);
  for (StringRef known : chips)
    if (unsigned d = chip.edit_distance(known); d < distance) {
      nearest = known;
      distance = d;
    }
  return ("--chip: expected a chip that the compiler knows, such as " +
          nearest + ", but got '" + chip + "'")
      .str();
}

/// The reason in a remark of the form `schedule <attribute>: <reason>`.
static std::string getReason(StringRef remark) {
  size_t end = remark.find(">: ");
  return (end == StringRef::npos ? remark : remark.drop_front(end + 3)).str();
}

FailureOr<CompiledFile>
tile::compileText(std::unique_ptr<llvm::MemoryBuffer> text,
                  const RunOptions &options, StringRef chip, bool simulator) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // One sentence is enough; the operation can be as long as a kernel.
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  SourceMgrDiagnosticHandler printer(sources, &context);
  CompiledFile result;
  ScopedDiagnosticHandler collector(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Remark)
      return failure();
    std::string remark = diagnostic.str();
    if (StringRef(remark).starts_with("schedule "))
      result.scheduleReasons.push_back(getReason(remark));
    return success();
  });
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!module)
    return failure();
  CompileOptions compile;
  compile.chip = chip.str();
  compile.schedule = options.schedule;
  compile.simulator = simulator;
  compile.cubin = options.cubin;
  compile.count = options.countAccesses;
  compile.remarks = true;
  FailureOr<std::string> artifact = compileToArtifact(*module, compile);
  if (failed(artifact))
    return failure();
  result.artifact = std::move(*artifact);
  return result;
}

static std::vector<std::optional<int64_t>>
readNumbers(const llvm::json::Array *array) {
  std::vector<std::optional<int64_t>> numbers;
  if (array)
    for (const llvm::json::Value &value : *array)
      numbers.push_back(value.getAsInteger());
  return numbers;
}

static ArtifactArgument readArgument(const llvm::json::Object &object) {
  ArtifactArgument argument;
  argument.kind = object.getString("kind") == "scalar"
                      ? ArtifactArgument::Kind::Scalar
                      : ArtifactArgument::Kind::Tensor;
  argument.type = object.getString("type").value_or("").str();
  argument.shape = readNumbers(object.getArray("shape"));
  argument.strides = readNumbers(object.getArray("strides"));
  argument.strides.resize(argument.shape.size());
  return argument;
}

static ArtifactScalar readScalar(const llvm::json::Object *object) {
  ArtifactScalar scalar;
  if (!object)
    return scalar;
  if (std::optional<int64_t> argument = object->getInteger("argument"))
    scalar.argument = static_cast<unsigned>(*argument);
  scalar.value = object->getNumber("value").value_or(0);
  return scalar;
}

static ArtifactStep readStep(const llvm::json::Object &object) {
  ArtifactStep step;
  step.op = object.getString("op").value_or("").str();
  step.a = static_cast<unsigned>(object.getInteger("A").value_or(0));
  step.b = static_cast<unsigned>(object.getInteger("B").value_or(0));
  step.d = static_cast<unsigned>(object.getInteger("D").value_or(0));
  if (std::optional<int64_t> c = object.getInteger("C"))
    step.c = static_cast<unsigned>(*c);
  step.alpha = readScalar(object.getObject("alpha"));
  step.beta = readScalar(object.getObject("beta"));
  return step;
}

/// Calls `add` for each object of an array.
static void
forEachObject(const llvm::json::Array *array,
              llvm::function_ref<void(const llvm::json::Object &)> add) {
  if (!array)
    return;
  for (const llvm::json::Value &value : *array)
    if (const llvm::json::Object *object = value.getAsObject())
      add(*object);
}

std::vector<ArtifactEntry>
tile::readEntries(const llvm::json::Object &manifest) {
  std::vector<ArtifactEntry> entries;
  forEachObject(manifest.getArray("entries"), [&](const auto &object) {
    ArtifactEntry &entry = entries.emplace_back();
    entry.name = object.getString("name").value_or("").str();
    forEachObject(object.getArray("arguments"), [&](const auto &argument) {
      entry.arguments.push_back(readArgument(argument));
    });
    forEachObject(object.getArray("steps"), [&](const auto &step) {
      entry.steps.push_back(readStep(step));
    });
  });
  return entries;
}

std::optional<std::string>
tile::findRegisters(const llvm::json::Object &manifest, StringRef kernel) {
  std::optional<std::string> result;
  forEachObject(manifest.getArray("kernels"), [&](const auto &object) {
    const llvm::json::Object *registers = object.getObject("registers");
    if (!registers || object.getString("name") != kernel)
      return;
    for (const auto &[chip, count] : *registers)
      if (std::optional<int64_t> number = count.getAsInteger())
        result = std::to_string(*number) + " (" + chip.str() + ")";
  });
  return result;
}

bool tile::multipliesAsTF32(const llvm::json::Object &manifest,
                            StringRef kernel) {
  bool result = false;
  forEachObject(manifest.getArray("kernels"), [&](const auto &object) {
    result |= object.getString("name") == kernel &&
              object.getString("factors") == StringRef("tf32");
  });
  return result;
}
