// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mma.sync atom as an attribute: a row of the table of atoms.
#include "AtomTables.h"

#include "tile/Atoms/Chips.h"
#include "tile/Atoms/MmaInstruction.h"
#include "tile/IR/Tile.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

static Result<MmaAtom> findRow(ArrayRef<int64_t> shape, Type a, Type b,
                               Type acc) {
  return getMmaSyncAtom({shape[0], shape[1], shape[2], getTableName(a),
                         getTableName(b), getTableName(acc)});
}

/// The row of a valid attribute.
static MmaAtom getRow(MmaSyncAttr atom) {
  Result<MmaAtom> row =
      findRow(atom.getShape(), atom.getA(), atom.getB(), atom.getAcc());
  return row ? *row : MmaAtom();
}

LogicalResult MmaSyncAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape, Type a, Type b,
                                  Type acc) {
  if (shape.size() != 3)
    return emitError() << "expected 3 integers for 'shape', but got "
                       << shape.size();
  Result<MmaAtom> row = findRow(shape, a, b, acc);
  if (!row)
    return emitError() << row.getReason();
  return success();
}

Result<MmaSyncAttr> MmaSyncAttr::find(const Chip &chip, int64_t k, Type a,
                                      Type b, Type acc) {
  std::string names[] = {getTableName(a), getTableName(b), getTableName(acc)};
  SmallVector<MmaAtom, 4> atoms =
      listMmaSyncAtoms(chip.sm, names[0], names[1], names[2]);
  std::string types = names[0] + " x " + names[1] + " -> " + names[2];
  if (atoms.empty())
    return Reason("expected types that mma.sync multiplies on " +
                  Twine(chip.architecture) + ", but got " + types);
  std::string all;
  // Of one k, the last has the most rows.
  for (const MmaAtom &atom : llvm::reverse(atoms)) {
    if (k == 0 || atom.k == k)
      return get(a.getContext(), {atom.m, atom.n, atom.k}, a, b, acc);
    all = std::to_string(atom.k) + (all.empty() ? "" : ", ") + all;
  }
  return Reason("expected an instruction_k of " + Twine(all) + " for " + types +
                " on " + chip.architecture + ", or 0, but got " + Twine(k));
}

SmallVector<int64_t, 3> MmaSyncAttr::getShapeMNK() const {
  return SmallVector<int64_t, 3>(getShape());
}

int64_t MmaSyncAttr::getThreads() const { return kThreads; }

Layout MmaSyncAttr::getALayout() const {
  return toCoordinates(getRow(*this).aLayout, getShape()[0], 0);
}

Layout MmaSyncAttr::getBLayout() const {
  // The table counts the elements of (N, K).
  return toCoordinates(getRow(*this).bLayout, getShape()[1], 1);
}

Layout MmaSyncAttr::getCLayout() const {
  return toCoordinates(getRow(*this).cLayout, getShape()[0], 0);
}

StringRef MmaSyncAttr::getMinimumChip() const {
  std::string chip = getRow(*this).chip;
  // Of the table of chips, which lives on.
  const Chip *row = findChip(chip.c_str());
  return row ? row->name : "";
}

std::string MmaSyncAttr::getAlternatives(const Chip &chip) const {
  std::string text;
  for (const MmaAtom &atom :
       listMmaSyncAtoms(chip.sm, getTableName(getA()), getTableName(getB()),
                        getTableName(getAcc())))
    text += (text.empty() ? "" : ", ") + MmaInstruction::get(atom).getShape();
  return text;
}

std::optional<std::string>
MmaSyncAttr::checkElementTypes(VectorType a, VectorType b,
                               VectorType acc) const {
  for (auto [name, type, wanted] :
       {std::tuple("a", a, getA()), std::tuple("b", b, getB()),
        std::tuple("acc", acc, getAcc())}) {
    Type stored = getStoredType(wanted);
    if (type.getElementType() == stored)
      continue;
    std::string text;
    llvm::raw_string_ostream(text)
        << "expected " << name << " elements of '" << stored << "' for '"
        << wanted << "' of the atom, but got '" << type << "'";
    return text;
  }
  return std::nullopt;
}

/// Appends a fragment's registers of `type`.
static void appendRegisters(OpBuilder &builder, Location loc, Value fragment,
                            Type type, int64_t count,
                            SmallVectorImpl<Value> &registers) {
  auto packed = VectorType::get({count}, type);
  if (fragment.getType() != packed)
    fragment = vector::BitCastOp::create(builder, loc, packed, fragment);
  for (int64_t i = 0; i < count; ++i)
    registers.push_back(vector::ExtractOp::create(builder, loc, fragment, i));
}

/// An inline assembly, which NVPTX knows as it knows the intrinsics.
Value MmaSyncAttr::emit(OpBuilder &builder, Location loc, Value a, Value b,
                        Value acc) const {
  MmaInstruction instruction = MmaInstruction::get(getRow(*this));
  Type word = builder.getI32Type();
  Type operand = getA().isF64() ? getA() : word;
  Type sum = getAcc().isF16() ? word : getAcc();
  SmallVector<Value> operands;
  appendRegisters(builder, loc, a, operand, instruction.getRegistersA(),
                  operands);
  appendRegisters(builder, loc, b, operand, instruction.getRegistersB(),
                  operands);
  int64_t sums = instruction.getRegistersD();
  appendRegisters(builder, loc, acc, sum, sums, operands);
  auto resultType = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(sums, sum));
  Value result =
      LLVM::InlineAsmOp::create(
          builder, loc, resultType, operands, instruction.print(),
          instruction.getConstraints(), /*has_side_effects=*/false,
          /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
          LLVM::AsmDialectAttr(), ArrayAttr())
          .getRes();
  SmallVector<Value> elements;
  for (int64_t i = 0; i < sums; ++i)
    elements.push_back(LLVM::ExtractValueOp::create(builder, loc, result,
                                                    ArrayRef<int64_t>{i}));
  Value joined = vector::FromElementsOp::create(
      builder, loc, VectorType::get({sums}, sum), elements);
  if (joined.getType() == acc.getType())
    return joined;
  return vector::BitCastOp::create(builder, loc, acc.getType(), joined);
}
