// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles MLIR text, and reads what the runtime knows of an artifact.
#include "Compile.h"

#include "tile/Facts/Expression.h"
#include "tile/InitAll.h"
#include "tile/Pipelines/Pipelines.h"
#include "tile/Target/Chip.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tile;

bool tile::isArtifact(StringRef bytes) { return bytes.starts_with("TILEART"); }

std::optional<std::string> tile::checkChip(StringRef chip) {
  std::vector<std::string> chips = listChips();
  if (llvm::is_contained(chips, getArchitecture(chip)))
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

FailureOr<std::string>
tile::compileText(std::unique_ptr<llvm::MemoryBuffer> text,
                  const RunOptions &options, StringRef chip, bool simulator,
                  Progress &progress) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // One sentence is enough; the operation can be as long as a kernel.
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  SourceMgrDiagnosticHandler printer(sources, &context);
  ScopedDiagnosticHandler before(&context, [&](Diagnostic &) {
    // What is printed should not follow on the line of progress.
    progress.end();
    return failure();
  });
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!module)
    return failure();
  CompileOptions compile;
  compile.chip = chip.str();
  compile.schedule = options.schedule;
  compile.tuningTable = options.tuningTable;
  compile.simulator = simulator;
  compile.cubin = options.cubin;
  compile.count = options.countAccesses;
  return compileToArtifact(*module, compile);
}

/// An extent or stride; nothing where it is known at the launch only.
static std::optional<int64_t> known(int64_t number) {
  if (number == TILE_RT_DYNAMIC)
    return std::nullopt;
  return number;
}

static ArtifactArgument readArgument(const TileRtArgumentInfo &info) {
  ArtifactArgument argument;
  argument.kind = info.kind == TILE_RT_SCALAR ? ArtifactArgument::Kind::Scalar
                                              : ArtifactArgument::Kind::Tensor;
  argument.type = tileRtTypeName(info.type);
  for (int32_t i = 0; i < info.rank; ++i) {
    argument.shape.push_back(known(info.sizes[i]));
    argument.strides.push_back(known(info.strides[i]));
  }
  return argument;
}

/// What an operand is where it is not the argument itself.
static std::optional<ArtifactMatrix>
readMatrix(const TileRtOperandInfo &operand) {
  if (operand.matrixRank == 0)
    return std::nullopt;
  int32_t rank = operand.matrixRank;
  ArtifactMatrix matrix;
  matrix.extents.assign(operand.matrixSizes, operand.matrixSizes + rank);
  matrix.map = operand.map;
  if (matrix.map.empty())
    matrix.strides.assign(operand.matrixStrides, operand.matrixStrides + rank);
  return matrix;
}

static ArtifactStep readStep(TileRtModule module, const char *entry,
                             int32_t number) {
  ArtifactStep step;
  TileRtStepInfo info = {};
  tileRtModuleGetStepInfo(module, entry, number, &info);
  step.op = info.op;
  step.reason = info.reason;
  step.epilogue = info.epilogue;
  for (int32_t i = 0; i < info.operandCount; ++i) {
    TileRtOperandInfo operand = {};
    tileRtModuleGetOperandInfo(module, entry, number, i, &operand);
    StringRef name = operand.name;
    unsigned argument = static_cast<unsigned>(operand.argument);
    if (operand.kind == TILE_RT_SCALAR) {
      ArtifactScalar &scalar = name == "alpha" ? step.alpha : step.beta;
      scalar.value = operand.value;
      if (operand.argument >= 0)
        scalar.argument = argument;
    } else if (findEpilogueOperand({name.data(), name.size()}) >= 0) {
      step.epilogueOperands.push_back(
          {argument,
           {operand.indices, operand.indices + operand.indexCount},
           readMatrix(operand)});
    } else {
      // Operands of a problem are named by their letters.
      step.matrices[name[0] - 'A'] = readMatrix(operand);
      if (name == "C")
        step.c = argument;
      else
        (name == "A" ? step.a : name == "B" ? step.b : step.d) = argument;
    }
  }
  return step;
}

std::vector<ArtifactEntry> tile::readEntries(TileRtModule module) {
  std::vector<ArtifactEntry> entries;
  for (int32_t i = 0, e = tileRtModuleGetEntryCount(module); i < e; ++i) {
    const char *name = tileRtModuleGetEntryName(module, i);
    ArtifactEntry &entry = entries.emplace_back();
    entry.name = name;
    int32_t arguments = tileRtModuleGetArgumentCount(module, name);
    for (int32_t number = 0; number < arguments; ++number) {
      TileRtArgumentInfo info = {};
      tileRtModuleGetArgumentInfo(module, name, number, &info);
      entry.arguments.push_back(readArgument(info));
    }
    int32_t steps = tileRtModuleGetStepCount(module, name);
    for (int32_t number = 0; number < steps; ++number)
      entry.steps.push_back(readStep(module, name, number));
  }
  return entries;
}

TileRtKernelInfo tile::getKernelInfo(TileRtModule module, const char *kernel) {
  TileRtKernelInfo info = {};
  info.schedule = info.reason = info.assembledChip = "";
  info.registers = info.assembledRegisters = -1;
  TileRtKernel handle = nullptr;
  if (!tileRtModuleGetKernel(module, kernel, &handle))
    tileRtKernelGetInfo(handle, &info);
  return info;
}
