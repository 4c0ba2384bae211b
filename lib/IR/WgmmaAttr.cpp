// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wgmma atom as an attribute: a row of the table of atoms.
#include "AtomTables.h"

#include "tile/Atoms/MmaAtoms.h"
#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

static WgmmaShape getShape(int64_t n, Type a, Type b, Type acc,
                           OperandSpace aIn) {
  WgmmaShape shape;
  shape.n = n;
  shape.a = getTableName(a);
  shape.b = getTableName(b);
  shape.c = getTableName(acc);
  shape.aShared = aIn == OperandSpace::Shared;
  return shape;
}

/// The row of a valid attribute.
static MmaAtom getRow(WgmmaAttr atom) {
  Result<MmaAtom> row = getWgmmaAtom(getShape(
      atom.getN(), atom.getA(), atom.getB(), atom.getAcc(), atom.getAIn()));
  return row ? *row : MmaAtom();
}

std::optional<std::string> WgmmaAttr::check(int64_t n, Type a, Type b, Type acc,
                                            OperandSpace aIn) {
  if (std::optional<Reason> reason =
          checkWgmmaShape(getShape(n, a, b, acc, aIn)))
    return reason->str();
  if (acc.isF16())
    return "expected accumulators of f32, but got 'f16'";
  return std::nullopt;
}

LogicalResult WgmmaAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                int64_t n, Type a, Type b, Type acc,
                                OperandSpace aIn) {
  if (std::optional<std::string> reason = check(n, a, b, acc, aIn))
    return emitError() << *reason;
  return success();
}

int64_t WgmmaAttr::getK() const { return getRow(*this).k; }

SmallVector<int64_t, 3> WgmmaAttr::getShapeMNK() const {
  return {kM, getN(), getK()};
}

int64_t WgmmaAttr::getThreads() const { return kThreads; }

Layout WgmmaAttr::getALayout() const {
  return toCoordinates(getRow(*this).aLayout, kM, 0);
}

Layout WgmmaAttr::getBLayout() const {
  // The table counts the elements of (N, K).
  return toCoordinates(getRow(*this).bLayout, getN(), 1);
}

Layout WgmmaAttr::getCLayout() const {
  return toCoordinates(getRow(*this).cLayout, kM, 0);
}

StringRef WgmmaAttr::getMinimumChip() const { return "sm_90a"; }

std::optional<std::string>
WgmmaAttr::checkElementTypes(VectorType a, VectorType b, VectorType acc) const {
  return "expected tile.warpgroup_mma for an atom whose accumulators are "
         "written asynchronously, but got tile.mma";
}

Value WgmmaAttr::emit(OpBuilder &, Location, Value, Value, Value) const {
  return Value();
}

Type WgmmaAttr::getStoredType(Type type) { return tile::getStoredType(type); }

VectorType WgmmaAttr::getFragmentTypeA(int64_t atoms, int64_t steps) const {
  return VectorType::get({atoms * steps * kM * getK() / kThreads},
                         getStoredType(getA()));
}

TVMapAttr WgmmaAttr::getFragmentMapA(int64_t atoms, int64_t steps) const {
  Layout atom = getALayout();
  SmallVector<IntTuple> shape(atom[1].getShape().getLeaves()),
      stride(atom[1].getStride().getLeaves());
  // A thread map's values begin with neighbours; of tf32 a thread has none.
  if (getA().isTF32()) {
    shape.insert(shape.begin(), IntTuple(1));
    stride.insert(stride.begin(), IntTuple::basis(Int(1), {1}));
  }
  shape.append({IntTuple(steps), IntTuple(atoms)});
  stride.append(
      {IntTuple::basis(Int(getK()), {1}), IntTuple::basis(Int(kM), {0})});
  Result<Layout> layout = Layout::get(
      IntTuple::tuple({atom[0].getShape(), IntTuple::tuple(shape)}),
      IntTuple::tuple({atom[0].getStride(), IntTuple::tuple(stride)}));
  return TVMapAttr::get(getContext(), {kM * atoms, getK() * steps},
                        layout ? *layout : Layout());
}
