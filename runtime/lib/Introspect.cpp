// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C API: what an artifact says of its entries, without a launch.
#include "Error.h"
#include "Handles.h"

#include <algorithm>
#include <utility>

using namespace tile::rt;

/// Finds an entry; null, with the error said, if there is none.
static const Entry *findEntry(TileRtModule module, const char *name,
                              const void *output, TileRtStatus &status) {
  status = TILE_RT_SUCCESS;
  if (!module || !name || !output) {
    status = fail(TILE_RT_INVALID_ARGUMENT,
                  "expected a module, an entry and an output, but got null");
    return nullptr;
  }
  const Entry *entry = module->artifact.findEntry(name);
  if (!entry)
    status =
        fail(TILE_RT_NOT_FOUND, format("the artifact has no entry '%s'", name));
  return entry;
}

/// The error of an index that is out of range.
static TileRtStatus failIndex(const char *what, size_t count, int32_t index) {
  if (count == 0)
    return fail(TILE_RT_INVALID_ARGUMENT,
                format("expected no number of %s, of which there are none, but "
                       "got %d",
                       what, index));
  return fail(
      TILE_RT_INVALID_ARGUMENT,
      format("expected %s from 0 to %zu, but got %d", what, count - 1, index));
}

int32_t tileRtModuleGetArgumentCount(TileRtModule module, const char *entry) {
  const Entry *found =
      module && entry ? module->artifact.findEntry(entry) : nullptr;
  return found ? static_cast<int32_t>(found->arguments.size()) : -1;
}

TileRtStatus tileRtModuleGetArgumentInfo(TileRtModule module,
                                         const char *entryName, int32_t index,
                                         TileRtArgumentInfo *info) {
  TileRtStatus status;
  const Entry *entry = findEntry(module, entryName, info, status);
  if (!entry)
    return status;
  if (index < 0 || size_t(index) >= entry->arguments.size())
    return failIndex("an argument", entry->arguments.size(), index);
  const ArgumentFacts &facts = entry->arguments[index];
  *info = {};
  info->kind = facts.kind;
  info->type = facts.type;
  info->rank = static_cast<int32_t>(facts.shape.size());
  for (size_t i = 0; i < facts.shape.size(); ++i) {
    info->sizes[i] = facts.shape[i].value_or(TILE_RT_DYNAMIC);
    info->strides[i] = i < facts.strides.size()
                           ? facts.strides[i].value_or(TILE_RT_DYNAMIC)
                           : TILE_RT_DYNAMIC;
  }
  return TILE_RT_SUCCESS;
}

/// An operand or a scalar without anything that few of them have.
static TileRtOperandInfo makeInfo(const char *name, TileRtArgumentKind kind,
                                  int argument) {
  TileRtOperandInfo info = {};
  info.name = name;
  info.kind = kind;
  info.argument = argument;
  info.map = "";
  return info;
}

static void describeMatrix(const MatrixFacts &matrix, TileRtOperandInfo &info) {
  info.matrixRank = matrix.batched ? 3 : 2;
  for (int i = 0; i < info.matrixRank; ++i) {
    info.matrixSizes[i] = matrix.extents[3 - info.matrixRank + i];
    info.matrixStrides[i] = matrix.strides[3 - info.matrixRank + i];
  }
  info.map = matrix.mapText.c_str();
}

static TileRtOperandInfo describeOperand(const EpilogueOperand &operand,
                                         int number) {
  TileRtOperandInfo info =
      makeInfo(operandName(number), TILE_RT_TENSOR, operand.argument);
  info.indexCount = static_cast<int32_t>(operand.indices.size());
  std::copy(operand.indices.begin(), operand.indices.end(), info.indices);
  info.matrixRank = static_cast<int32_t>(operand.extents.size());
  std::copy(operand.extents.begin(), operand.extents.end(), info.matrixSizes);
  std::copy(operand.strides.begin(), operand.strides.end(), info.matrixStrides);
  return info;
}

/// The operands and scalars of a step, those that are missing left out.
static std::vector<TileRtOperandInfo> listOperands(const GemmStep &step) {
  std::vector<TileRtOperandInfo> list;
  for (int i = 0; i < NumOperands; ++i) {
    if (step.operands[i] < 0)
      continue;
    TileRtOperandInfo &info = list.emplace_back(
        makeInfo(operandName(i), TILE_RT_TENSOR, step.operands[i]));
    info.isWritten = i == OperandD;
    if (step.matrices[i])
      describeMatrix(*step.matrices[i], info);
  }
  int number = OperandE0;
  for (const EpilogueOperand &operand : step.epilogueOperands)
    list.push_back(describeOperand(operand, number++));
  for (auto [name, source] :
       {std::pair("alpha", &step.alpha), std::pair("beta", &step.beta)}) {
    list.push_back(makeInfo(name, TILE_RT_SCALAR, source->argument));
    list.back().value = source->value;
  }
  return list;
}

TileRtStatus tileRtModuleGetStepInfo(TileRtModule module, const char *entryName,
                                     int32_t step, TileRtStepInfo *info) {
  TileRtStatus status;
  const Entry *entry = findEntry(module, entryName, info, status);
  if (!entry)
    return status;
  if (step < 0 || size_t(step) >= entry->steps.size())
    return failIndex("a step", entry->steps.size(), step);
  const GemmStep &facts = entry->steps[step];
  *info = {"gemm", facts.reason.c_str(),
           static_cast<int32_t>(listOperands(facts).size()),
           facts.epilogue.c_str()};
  return TILE_RT_SUCCESS;
}

TileRtStatus tileRtModuleGetOperandInfo(TileRtModule module,
                                        const char *entryName, int32_t step,
                                        int32_t index,
                                        TileRtOperandInfo *info) {
  TileRtStatus status;
  const Entry *entry = findEntry(module, entryName, info, status);
  if (!entry)
    return status;
  if (step < 0 || size_t(step) >= entry->steps.size())
    return failIndex("a step", entry->steps.size(), step);
  std::vector<TileRtOperandInfo> operands = listOperands(entry->steps[step]);
  if (index < 0 || size_t(index) >= operands.size())
    return failIndex("an operand", operands.size(), index);
  *info = operands[index];
  return TILE_RT_SUCCESS;
}

TileRtStatus tileRtModuleGetTarget(TileRtModule module,
                                   TileRtTargetInfo *info) {
  if (!module || !info)
    return fail(TILE_RT_INVALID_ARGUMENT,
                "expected a module and an output, but got null");
  const Artifact &artifact = module->artifact;
  *info = {artifact.chip.c_str(), artifact.ptxVersion.c_str(),
           artifact.producer.c_str()};
  return TILE_RT_SUCCESS;
}
