// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface and base classes of operations of the layout algebra, on layouts
// and on views.
#ifndef TILE_IR_TILELAYOUTINTERFACES_TD
#define TILE_IR_TILELAYOUTINTERFACES_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/IR/TileTypes.td"

def Tile_LayoutAlgebraOpInterface : OpInterface<"LayoutAlgebraOpInterface"> {
  let cppNamespace = "::tile";
  let description = [{
    An operation of the layout algebra: one function of its attributes and its
    operands, from which its result types, its folds and its lowering follow
    (see LayoutAlgebra.h).
  }];
  let methods = [
    InterfaceMethod<"the results for operands that are constants or symbols",
      "::tile::AlgebraResult", "evaluateOn", (ins "::tile::AlgebraOperands &":$operands), [{
        return ConcreteOp::evaluate(typename ConcreteOp::Adaptor($_op), operands);
      }]>
  ];
}

/// An operation of the algebra: declares `evaluate`.
class Tile_AlgebraOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat([Pure, Tile_LayoutAlgebraOpInterface], traits)> {
  let extraClassDeclaration = [{
    /// The results for operands that are constants or symbols.
    static ::tile::AlgebraResult evaluate(Adaptor op, ::tile::AlgebraOperands &operands);
  }];
}

/// An operation of the algebra whose types are inferred by `evaluate`; what it
/// refuses has no type. The verifier compares the types itself, so that there
/// is one error, which is the reason.
class Tile_AlgebraInferOp<string mnemonic, list<Trait> traits = []>
    : Tile_AlgebraOp<mnemonic, !listconcat([
        DeclareOpInterfaceMethods<InferTypeOpInterface, ["refineReturnTypes"]>], traits)> {
  code inferDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      Adaptor adaptor(operands, attributes, properties, regions);
      return ::tile::inferAlgebraTypes(
          context, location, operands,
          [&](::tile::AlgebraOperands &values) { return evaluate(adaptor, values); }, types);
    }
    ::llvm::LogicalResult $cppClass::refineReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location>, ::mlir::ValueRange,
        ::mlir::DictionaryAttr, ::mlir::OpaqueProperties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &) {
      return ::mlir::success();
    }
    ::llvm::LogicalResult $cppClass::verify() { return ::tile::verifyAlgebra(*this); }
  }];
  let extraClassDefinition = inferDefinition;
  let hasVerifier = 1;
}

/// One layout from others.
class Tile_LayoutAlgebraOp<string mnemonic, list<Trait> traits = []>
    : Tile_AlgebraInferOp<mnemonic, traits> {
  let results = (outs Tile_LayoutType:$result);
}

/// One layout from another, without anything else.
class Tile_LayoutUnaryOp<string mnemonic> : Tile_LayoutAlgebraOp<mnemonic> {
  let arguments = (ins Tile_LayoutType:$layout);
  let assemblyFormat = "$layout attr-dict `:` qualified(type($layout))";
}

/// One layout from two.
class Tile_LayoutBinaryOp<string mnemonic> : Tile_LayoutAlgebraOp<mnemonic> {
  let arguments = (ins Tile_LayoutType:$lhs, Tile_LayoutType:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs))";
}

/// One layout from another and a tiler: a layout, or by mode.
class Tile_LayoutTilerOp<string mnemonic>
    : Tile_LayoutAlgebraOp<mnemonic, [AttrSizedOperandSegments]> {
  let arguments = (ins
    Tile_LayoutType:$lhs, Optional<Tile_LayoutType>:$rhs,
    Variadic<Index>:$by_operands, OptionalAttr<Tile_TilerAttr>:$by);
  let assemblyFormat = [{
    $lhs (`,` $rhs^)? (`by` custom<MixedTiler>($by_operands, $by)^)? attr-dict
    `:` qualified(type($lhs)) (`,` type($rhs)^)?
  }];
}

/// One index (or i1) from layouts and indices; folds. The type says nothing, so
/// the verifier asks `evaluate`.
class Tile_AlgebraQueryOp<string mnemonic, list<Trait> traits = []>
    : Tile_AlgebraOp<mnemonic, traits> {
  let results = (outs Index:$result);
  let extraClassDefinition = [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor adaptor) {
      return ::tile::foldAlgebra(*this, adaptor.getOperands());
    }
    ::llvm::LogicalResult $cppClass::verify() { return ::tile::verifyAlgebra(*this); }
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

/// One index of one layout.
class Tile_LayoutQueryOp<string mnemonic> : Tile_AlgebraQueryOp<mnemonic> {
  let arguments = (ins Tile_LayoutType:$layout);
  let assemblyFormat = "$layout attr-dict `:` qualified(type($layout))";
}

/// Indices, one for each leaf of a tuple; folds.
class Tile_AlgebraTupleOp<string mnemonic, list<Trait> traits = []>
    : Tile_AlgebraInferOp<mnemonic, traits> {
  let results = (outs Variadic<Index>:$results);
  let extraClassDefinition = inferDefinition # [{
    ::llvm::LogicalResult $cppClass::fold(
        FoldAdaptor adaptor, ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &results) {
      return ::tile::foldAlgebra(*this, adaptor.getOperands(), results);
    }
  }];
  let hasFolder = 1;
}

/// A view from another one and indices, by the algebra of layouts: `evaluate`
/// gives the layout and where it starts, from which the type and the lowering
/// follow.
class Tile_ViewAlgebraOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat([
        Pure, DeclareOpInterfaceMethods<InferTypeOpInterface, ["refineReturnTypes"]>], traits)> {
  let results = (outs Tile_ViewType:$result);
  let extraClassDeclaration = [{
    /// The part of the view for operands that are constants or symbols.
    static ::tile::Result<::tile::ViewPart> evaluate(Adaptor op, ::tile::AlgebraOperands &operands);
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      Adaptor adaptor(operands, attributes, properties, regions);
      return ::tile::inferViewType(
          location, operands,
          [&](::tile::AlgebraOperands &values) { return evaluate(adaptor, values); }, types);
    }
    ::llvm::LogicalResult $cppClass::refineReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location>, ::mlir::ValueRange,
        ::mlir::DictionaryAttr, ::mlir::OpaqueProperties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &) {
      return ::mlir::success();
    }
    ::llvm::LogicalResult $cppClass::verify() {
      return ::tile::verifyViewType(*this, [&](::tile::AlgebraOperands &values) {
        return evaluate(Adaptor(*this), values);
      });
    }
  }];
  let hasVerifier = 1;
}

#endif // TILE_IR_TILELAYOUTINTERFACES_TD
