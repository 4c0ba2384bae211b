// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds and checks the problem of a gemm step from an entry's arguments.
#include "Gemm.h"

#include "Error.h"
#include "Overlap.h"

using namespace tile::rt;

// printf's %lld needs exactly this type.
using Long = long long;

static const char *plural(int64_t count) { return count == 1 ? "" : "s"; }

static std::string checkTensor(const ArgumentFacts &facts,
                               const TileRtTensor &tensor, int number) {
  if (tensor.rank < 0 || tensor.rank > TILE_RT_MAX_RANK)
    return format("expected argument %d to have a rank of 0 to %d, but got %d",
                  number, TILE_RT_MAX_RANK, tensor.rank);
  if (size_t(tensor.rank) != facts.shape.size())
    return format("expected argument %d to have rank %zu, but got %d", number,
                  facts.shape.size(), tensor.rank);
  for (int i = 0; i < tensor.rank; ++i) {
    int64_t size = tensor.sizes[i];
    if (size < 0)
      return format("expected argument %d to have an extent of at least 0 in "
                    "dimension %d, but got %lld",
                    number, i, Long(size));
    if (facts.shape[i] && *facts.shape[i] != size)
      return format("expected argument %d to have extent %lld in dimension %d, "
                    "but got %lld",
                    number, Long(*facts.shape[i]), i, Long(size));
    if (size > 1 && !facts.strides.empty() && facts.strides[i] &&
        *facts.strides[i] != tensor.strides[i])
      return format("expected argument %d to have stride %lld in dimension %d, "
                    "but got %lld",
                    number, Long(*facts.strides[i]), i,
                    Long(tensor.strides[i]));
  }
  return "";
}

std::string tile::rt::checkArguments(const Entry &entry,
                                     const TileRtArgument *args,
                                     int32_t count) {
  if (count < 0 || size_t(count) != entry.arguments.size())
    return format("expected %zu argument%s for entry '%s', but got %d",
                  entry.arguments.size(), plural(entry.arguments.size()),
                  entry.name.c_str(), count);
  static constexpr const char *kinds[] = {"a tensor", "a scalar"};
  for (int i = 0; i < count; ++i) {
    const ArgumentFacts &facts = entry.arguments[i];
    const TileRtArgument &arg = args[i];
    if (arg.kind != facts.kind)
      return format("expected argument %d to be %s, but got %s", i,
                    kinds[facts.kind],
                    arg.kind == TILE_RT_TENSOR || arg.kind == TILE_RT_SCALAR
                        ? kinds[arg.kind]
                        : "an unknown kind");
    TileRtType type =
        arg.kind == TILE_RT_TENSOR ? arg.as.tensor.type : arg.as.scalar.type;
    if (type != facts.type) {
      const char *name = tileRtTypeName(type);
      return format("expected argument %d to have type %s, but got %s", i,
                    tileRtTypeName(facts.type), name ? name : "an unknown one");
    }
    if (arg.kind == TILE_RT_TENSOR) {
      std::string reason = checkTensor(facts, arg.as.tensor, i);
      if (!reason.empty())
        return reason;
    }
  }
  return "";
}

static double scalarValue(const ScalarSource &source,
                          const TileRtArgument *args) {
  if (source.argument < 0)
    return source.value;
  const TileRtScalar &scalar = args[source.argument].as.scalar;
  return scalar.type == TILE_RT_F32 ? scalar.value.f32 : scalar.value.f64;
}

/// Reads a tensor as an operand; its batch extent is 1 when it has rank 2.
static GemmOperand makeOperand(const TileRtTensor &tensor) {
  GemmOperand operand;
  int lead = tensor.rank - 2;
  operand.data = tensor.data;
  operand.type = tensor.type;
  operand.present = true;
  operand.extents[0] = lead ? tensor.sizes[0] : 1;
  operand.strides[0] = lead ? tensor.strides[0] : 0;
  for (int i = 0; i < 2; ++i) {
    operand.extents[1 + i] = tensor.sizes[lead + i];
    operand.strides[1 + i] = tensor.strides[lead + i];
  }
  return operand;
}

/// Reads a tensor as the matrices that it is in a step.
static GemmOperand makeOperand(const TileRtTensor &tensor,
                               const std::optional<MatrixFacts> &matrix) {
  if (!matrix)
    return makeOperand(tensor);
  GemmOperand operand;
  operand.data = tensor.data;
  operand.type = tensor.type;
  operand.present = true;
  for (int i = 0; i < 3; ++i) {
    operand.extents[i] = matrix->extents[i];
    operand.strides[i] = matrix->strides[i];
  }
  if (matrix->map) {
    operand.tensor = &tensor;
    operand.strides[0] = matrix->batched;
  }
  return operand;
}

/// Whether an operand has a matrix for each batch.
static bool isBatched(const GemmStep &step, int operand,
                      const TileRtArgument *args) {
  if (step.matrices[operand])
    return step.matrices[operand]->batched;
  return args[step.operands[operand]].as.tensor.rank == 3;
}

/// Reads an operand of an epilogue, with stride 0 where it has no index.
/// Returns the reason if its extents are not D's.
static std::string makeEpilogueOperand(const EpilogueOperand &facts,
                                       const TileRtTensor &tensor,
                                       const GemmProblem &p, int number,
                                       GemmOperand &operand) {
  static constexpr const char *names[] = {"matrices", "rows", "columns"};
  const int64_t extents[3] = {p.batch, p.m, p.n};
  operand.data = tensor.data;
  operand.type = tensor.type;
  operand.present = true;
  for (int i = 0; i < 3; ++i) {
    operand.extents[i] = extents[i];
    operand.strides[i] = 0;
  }
  for (size_t dim = 0; dim < facts.indices.size(); ++dim) {
    int index = facts.indices[dim];
    int64_t extent =
        facts.extents.empty() ? tensor.sizes[dim] : facts.extents[dim];
    if (extent != extents[index])
      return format(
          "expected operand %d of the epilogue to have extent %lld in "
          "dimension %zu as D has %s, but got %lld",
          number, Long(extents[index]), dim, names[index], Long(extent));
    operand.strides[index] =
        facts.strides.empty() ? tensor.strides[dim] : facts.strides[dim];
  }
  return "";
}

double GemmOperand::countElements() const {
  double count = 1;
  for (int i = 0; i < 3; ++i)
    count *= strides[i] == 0 && extents[i] > 1 ? 1 : double(extents[i]);
  return count;
}

static std::string checkRanksAndTypes(const GemmStep &step,
                                      const TileRtArgument *args) {
  const TileRtTensor &d = args[step.operands[OperandD]].as.tensor;
  TileRtType types[NumOperands];
  for (int i = 0; i < NumOperands; ++i) {
    types[i] = d.type;
    if (step.operands[i] < 0)
      continue;
    const TileRtTensor &tensor = args[step.operands[i]].as.tensor;
    types[i] = tensor.type;
    if (step.matrices[i])
      continue;
    if (tensor.rank != 2 && tensor.rank != 3)
      return format("expected %s to have rank 2 or 3, but got %d",
                    operandName(i), tensor.rank);
    if (tensor.rank == 3 && !isBatched(step, OperandD, args))
      return format("expected %s to have rank 2 as D has, but got %d",
                    operandName(i), tensor.rank);
  }
  return checkTypes(types[OperandA], types[OperandB], types[OperandC],
                    types[OperandD]);
}

static std::string checkShapes(const GemmProblem &p, const GemmStep &step,
                               const TileRtArgument *args) {
  const GemmOperand &a = p.operands[OperandA], &b = p.operands[OperandB],
                    &c = p.operands[OperandC];
  if (a.extents[2] != b.extents[1])
    return format("expected A and B to agree on K, but got %lld column%s of A "
                  "and %lld row%s of B",
                  Long(a.extents[2]), plural(a.extents[2]), Long(b.extents[1]),
                  plural(b.extents[1]));
  if (a.extents[1] != p.m)
    return format("expected A to have %lld row%s as D has, but got %lld",
                  Long(p.m), plural(p.m), Long(a.extents[1]));
  if (b.extents[2] != p.n)
    return format("expected B to have %lld column%s as D has, but got %lld",
                  Long(p.n), plural(p.n), Long(b.extents[2]));
  if (c.present && (c.extents[1] != p.m || c.extents[2] != p.n))
    return format("expected C to be %lld x %lld as D is, but got %lld x %lld",
                  Long(p.m), Long(p.n), Long(c.extents[1]), Long(c.extents[2]));
  for (int i = 0; i < OperandD; ++i)
    if (step.operands[i] >= 0 && isBatched(step, i, args) &&
        p.operands[i].extents[0] != p.batch)
      return format("expected %s to have %lld matri%s as D has, but got %lld",
                    operandName(i), Long(p.batch), p.batch == 1 ? "x" : "ces",
                    Long(p.operands[i].extents[0]));
  return "";
}

namespace {
/// Extents and strides of what an operand reaches in memory.
struct Reach {
  const int64_t *extents, *strides;
  int rank;
};
} // namespace

static Reach getReach(const GemmOperand &operand) {
  if (const TileRtTensor *tensor = operand.tensor)
    return {tensor->sizes, tensor->strides, tensor->rank};
  return {operand.extents, operand.strides, 3};
}

static View viewOf(const GemmOperand &operand) {
  int64_t elementBytes = operand.elementBytes();
  Reach reach = getReach(operand);
  View view;
  view.base = reinterpret_cast<uintptr_t>(operand.data);
  view.elementBytes = elementBytes;
  for (int i = 0; i < reach.rank; ++i) {
    view.extents[i] = reach.extents[i];
    view.strides[i] =
        reach.extents[i] > 1 ? reach.strides[i] * elementBytes : 0;
  }
  return view;
}

static bool sameView(const View &a, const View &b) {
  if (a.base != b.base)
    return false;
  for (int i = 0; i < View::kRank; ++i)
    if (a.extents[i] != b.extents[i] || a.strides[i] != b.strides[i])
      return false;
  return true;
}

static std::string join(const int64_t *numbers, int count, const char *by) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += (i ? by : "") + std::to_string(numbers[i]);
  return text;
}

static std::string checkMemory(const GemmProblem &p) {
  for (int i = 0; i < NumAllOperands; ++i) {
    const GemmOperand &operand = p.operands[i];
    if (!operand.used)
      continue;
    const char *name = operandName(i);
    if (!operand.data)
      return format("expected %s to have an address, but got null", name);
    uintptr_t address = reinterpret_cast<uintptr_t>(operand.data);
    int64_t elementBytes = operand.elementBytes();
    if (address % elementBytes)
      return format(
          "expected the address of %s to be a multiple of %lld bytes, "
          "but got one %lld past it",
          name, Long(elementBytes), Long(address % elementBytes));
    Reach reach = getReach(operand);
    if (!spanFits(reach.extents, reach.strides, reach.rank, elementBytes))
      return format(
          "expected the offsets of %s to fit 62 bits, but got extents "
          "%s and strides %s",
          name, join(reach.extents, reach.rank, " x ").c_str(),
          join(reach.strides, reach.rank, ", ").c_str());
  }
  const GemmOperand &d = p.operands[OperandD];
  View target = viewOf(d);
  if (viewRepeats(target))
    return format("expected the elements of D to have different addresses, but "
                  "got extents %lld x %lld x %lld and strides %lld, %lld, %lld",
                  Long(d.extents[0]), Long(d.extents[1]), Long(d.extents[2]),
                  Long(d.strides[0]), Long(d.strides[1]), Long(d.strides[2]));
  for (int i = 0; i < NumAllOperands; ++i) {
    if (!p.operands[i].used || i == OperandD)
      continue;
    View source = viewOf(p.operands[i]);
    if (i == OperandC && sameView(source, target))
      continue;
    if (viewsOverlap(target, source))
      return format("expected D %s, but got D at %p overlapping %s at %p",
                    i == OperandC ? "to be exactly C or apart from it"
                    : i >= OperandE0
                        ? "to be apart from the epilogue's operands"
                        : "to be apart from A and B",
                    d.data, operandName(i), p.operands[i].data);
  }
  return "";
}

std::string tile::rt::buildProblem(const GemmStep &step,
                                   const TileRtArgument *args, GemmProblem &p) {
  std::string reason = checkRanksAndTypes(step, args);
  if (!reason.empty())
    return reason;
  for (int i = 0; i < NumOperands; ++i)
    if (step.operands[i] >= 0)
      p.operands[i] =
          makeOperand(args[step.operands[i]].as.tensor, step.matrices[i]);
  const GemmOperand &d = p.operands[OperandD];
  p.batch = d.extents[0];
  p.m = d.extents[1];
  p.n = d.extents[2];
  p.k = p.operands[OperandA].extents[2];
  p.alpha = scalarValue(step.alpha, args);
  p.beta = scalarValue(step.beta, args);
  // An operand that is missing has a type even so, for its tensor map.
  p.operands[OperandC].type =
      p.operands[OperandC].present ? p.operands[OperandC].type : d.type;
  reason = checkShapes(p, step, args);
  if (!reason.empty())
    return reason;
  for (int i = 0; i < NumOperands; ++i)
    p.operands[i].extents[0] = p.batch;
  int number = 0;
  for (const EpilogueOperand &operand : step.epilogueOperands) {
    reason = makeEpilogueOperand(operand, args[operand.argument].as.tensor, p,
                                 number, p.operands[OperandE0 + number]);
    if (!reason.empty())
      return reason;
    ++number;
  }
  if (p.empty())
    return "";
  if (p.beta != 0 && !p.operands[OperandC].present)
    return format("expected beta to be 0 without an operand C, but got %g",
                  p.beta);
  p.operands[OperandA].used = p.operands[OperandB].used =
      p.alpha != 0 && p.k != 0;
  p.operands[OperandC].used = p.beta != 0;
  p.operands[OperandD].used = true;
  for (int i = 0; i < number; ++i)
    p.operands[OperandE0 + i].used = true;
  return checkMemory(p);
}
