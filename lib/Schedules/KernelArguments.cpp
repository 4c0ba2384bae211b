// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's arguments, by the names of its parameters.
#include "KernelArguments.h"

using namespace mlir;
using namespace tile;
using namespace tile::dsl;

std::string MatrixParameters::getStride(int64_t dim) const {
  return (name + ".stride[" + Twine(transposed ? 1 - dim : dim) + "]").str();
}

void MatrixParameters::declare(MLIRContext *context,
                               KernelParameters &parameters) const {
  Type i64 = IntegerType::get(context, 64);
  parameters.add(LLVM::LLVMPointerType::get(context, 1), name + ".data");
  for (int64_t dim : {0, 1})
    if (dim != unitDim && !repeated[dim])
      parameters.add(i64, getStride(dim));
  if (batched)
    parameters.add(i64, name + ".batch_stride");
}

KernelArguments::KernelArguments(Scope &scope,
                                 const KernelParameters &parameters,
                                 ValueRange arguments)
    : scope(&scope) {
  for (auto [parameter, value] :
       llvm::zip_equal(parameters.parameters, arguments))
    values[parameter.str()] = value;
}

Val KernelArguments::operator[](StringRef name) const {
  Value value = values.lookup(name);
  return value ? Val(*scope, value) : Val();
}

View KernelArguments::makeView(Scope &own, const MatrixParameters &matrix,
                               Type elementType, std::array<Val, 2> extents,
                               int64_t vector, Val batch) const {
  OpBuilder &builder = own.builder;
  Type index = builder.getIndexType();
  Val pointer(own, values.lookup(matrix.name + ".data"));
  if (batch) {
    Val offset = batch.cast(builder.getI64Type()) *
                 (*this)[matrix.name + ".batch_stride"];
    pointer =
        Val(own, LLVM::GEPOp::create(builder, own.loc, pointer.getType(),
                                     elementType, pointer.get(),
                                     ArrayRef<LLVM::GEPArg>{offset.get()}));
  }
  SmallVector<Leaf> shape, stride;
  for (int64_t dim : {0, 1})
    shape.push_back(
        Leaf(extents[dim].cast(index), dim == matrix.unitDim ? vector : 1));
  for (int64_t dim : {0, 1})
    stride.push_back(
        dim == matrix.unitDim ? Leaf(1)
        : matrix.repeated[dim]
            ? Leaf(0)
            : Leaf((*this)[matrix.getStride(dim)].cast(index), vector));
  return dsl::makeView(own, pointer, elementType, shape, stride,
                       vector * elementType.getIntOrFloatBitWidth() / 8);
}
