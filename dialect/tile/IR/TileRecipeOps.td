// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that evaluate the recipe of a layout at run time.
#ifndef TILE_IR_TILERECIPEOPS_TD
#define TILE_IR_TILERECIPEOPS_TD

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/IR/TileIteratorOps.td"

def Tile_CoordinateMapAttr : Attr<
    CPred<"::llvm::isa<::tile::CoordinateMapAttrInterface>($_self)">,
    "coordinate map such as #tile.conv<…>"> {
  let storageType = "::tile::CoordinateMapAttrInterface";
  let returnType = "::tile::CoordinateMapAttrInterface";
  let convertFromStorage = "$_self";
}

def Tile_PermutedRecipeAttr : Attr<
    CPred<"::llvm::isa<::tile::PermutedAttr>($_self)">,
    "permutation such as #tile.permuted<…>"> {
  let storageType = "::tile::PermutedAttr";
  let returnType = "::tile::PermutedAttr";
  let convertFromStorage = "$_self";
}

def Tile_MakeTensorIteratorOp : Tile_Op<"make_tensor_iterator", [
    Pure, AttrSizedOperandSegments]> {
  let summary = "iterator of one thread at a tile of a tensor, by recipe";
  let description = [{
    `tile.make_iterator` with coordinates, origin and divisors that
    follow from a recipe. `sizes` are the recipe's run-time numbers, one for
    each `?` in the order in which they are written (`#recipe()`: none). The type
    of the iterator has the recipe's coordinates. It is folded to the general form.

    Example: the filter of fprop, 64 channels and places by 64 results.

    ```mlir
    #B = #tile.conv<fprop filter, input = (?, ?, ?, ?{div = 8}), filter = (?, 3, 3), block = 32>
    !f = !tile.view<f16, global, (?, 3, 3, ?{div = 8}) : (?{div = 8}, ?{div = 8}, ?{div = 8}, 1), align = 16>
    !B = !tile.iterator<!f,
      #tile.warp_raked<tile = [32, 64], contiguous = 0, threads = 64, warp = [4, 8], elements = 8>,
      coords #B, advance = 0, masked>
    func.func @filter(%f: !f, %n: index, %h: index, %w: index, %c: index, %k: index,
                      %column: index, %thread: index) -> !B {
      %0 = tile.make_tensor_iterator %f(0, %column), %thread, #B(%n, %h, %w, %c, %k) : !B
      return %0 : !B
    }
    ```
  }];
  let arguments = (ins
    Tile_ViewType:$view, Variadic<Index>:$coord_operands, Index:$thread,
    Variadic<Index>:$sizes, Tile_IntTupleAttr:$coord,
    Tile_CoordinateMapAttr:$recipe);
  let results = (outs Tile_AnyIterator:$result);
  let assemblyFormat = [{
    $view `` custom<MixedTuple>($coord_operands, $coord) `,` $thread `,`
    $recipe `` `(` $sizes `)` attr-dict
    `:` custom<TensorIteratorResult>(type($result), type($view))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_MakePermutedViewOp : Tile_Op<"make_permuted_view", [Pure]> {
  let summary = "view of the memory behind a pointer, by a permutation";
  let description = [{
    `tile.make_view` with the extents and strides of a permutation. `sizes` are
    its run-time extents, one for each `?`. It is folded to the general form.

    Example:

    ```mlir
    #perm = #tile.permuted<tensor4d_0213_row_major, extents = (?{div = 8}, ?{div = 16}), factors = [8, 16]>
    !permuted = !tile.view<f32, global, #perm>
    func.func @view(%p: !llvm.ptr<1>, %m: index, %n: index) -> !permuted {
      %0 = tile.make_permuted_view %p, #perm(%m, %n) : !llvm.ptr<1> -> !permuted
      return %0 : !permuted
    }
    ```
  }];
  let arguments = (ins
    LLVM_AnyPointer:$base, Variadic<Index>:$sizes, Tile_PermutedRecipeAttr:$recipe);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = [{
    $base `,` $recipe `` `(` $sizes `)` attr-dict `:` type($base) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // TILE_IR_TILERECIPEOPS_TD
