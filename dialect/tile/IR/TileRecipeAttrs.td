// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts that have a name: convolutions, tensors, permutations, operands.
// Included by TileAttrs.td.
#ifndef TILE_IR_TILERECIPEATTRS_TD
#define TILE_IR_TILERECIPEATTRS_TD

def Tile_ConvOperator : I32EnumAttr<"ConvOperator", "what a convolution computes", [
    I32EnumAttrCase<"Fprop", 0, "fprop">,
    I32EnumAttrCase<"Dgrad", 1, "dgrad">,
    I32EnumAttrCase<"Wgrad", 2, "wgrad">,
    I32EnumAttrCase<"Depthwise", 3, "depthwise">]> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}

def Tile_ConvTensor : I32EnumAttr<"ConvTensor", "tensor of a convolution", [
    I32EnumAttrCase<"Activation", 0, "activation">,
    I32EnumAttrCase<"Filter", 1, "filter">,
    I32EnumAttrCase<"Output", 2, "output">]> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}

def Tile_ConvAttr : Tile_Attr<"Conv", "conv", [
    DeclareAttrInterfaceMethods<Tile_CoordinateMapInterface>]> {
  let summary = "tensor of a convolution as a matrix";
  let description = [{
    The map from a matrix to one of the tensors of a convolution: activation
    (n, h, w, c), filter (k, r, s, c) or output (n, p, q, k), with one, two or
    three spatial dimensions. As a matrix product D = A B the operators are

    - `fprop`: output = activation times filter,
    - `dgrad`: activation = output times filter,
    - `wgrad`: filter = output times activation,
    - `depthwise`: tiles of `tile` output pixels, with the window of activation
      under each,

    so that `fprop activation` is A, (q p n) by (c s r), `fprop output` is D, and
    so on. For `dgrad` and `wgrad`, the tensors are the gradients.

    - `input = (n, h, w, c)`, `filter = (k, r, s)`: the sizes.
    - `output = (p, q)`: if absent, (h + 2 pad - dilation (r - 1) - 1) / stride + 1.
    - `pad` (0), `stride` (1), `dilation` (1): one number for each spatial
      dimension.
    - `block`: so many channels at each place of the filter before the next
      place, as a tile along K has them. If absent all channels are one block,
      which is what suits few channels.
    - `slices`, `slice`: blocks are dealt out to so many slices of split K; this
      is the number of one.
    - `groups`: of `fprop`, with a block. The walk goes on to the next group
      behind the last block of one. The tensors of the operands have a mode for the
      group, the activation (n, h, w, group, c) and the filter (group, k, r, s, c),
      with the channels and results of one group.
    - `start = (r, s)`: of `dgrad`, with dilation 1: the pixels that meet the filter
      first at this place, and the places start, start + stride, … of the filter.
      Without it the output has divisors.
    - `tile = (p, q)`: of `depthwise`.
    - `mirrored`: the filter is read from its last place on, as in the
      mathematical convolution.

    Each number may be `?` or `?{div = 8}`, except those of `block` and `tile`.

    Example: the activation of a 3 by 3 filter with padding 1.

    ```mlir
    #A = #tile.conv<fprop activation, input = (?, ?, ?, ?{div = 8}), filter = (?, 3, 3), pad = (1, 1), block = 32>
    !x = !tile.view<f16, global, (?, ?, ?, ?{div = 8}) : (?{div = 8}, ?{div = 8}, ?{div = 8}, 1), align = 16>
    !A = !tile.iterator<!x,
      #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
      coords #A, advance = 1, masked>
    func.func @activation(%x: !x, %n: index, %h: index, %w: index, %c: index, %k: index,
                          %row: index, %thread: index) -> !A {
      %0 = tile.make_tensor_iterator %x(%row, 0), %thread, #A(%n, %h, %w, %c, %k) : !A
      return %0 : !A
    }
    ```
  }];
  let parameters = (ins
    "::tile::ConvOperator":$op, "::tile::ConvTensor":$tensor,
    Tile_IntTupleParameter:$input, Tile_IntTupleParameter:$filter,
    Tile_IntTupleParameter:$output, Tile_IntTupleParameter:$pad,
    Tile_IntTupleParameter:$stride, Tile_IntTupleParameter:$dilation,
    "int64_t":$block, Tile_IntTupleParameter:$slices, Tile_IntTupleParameter:$slice,
    Tile_IntTupleParameter:$groups, Tile_IntTupleParameter:$start,
    Tile_IntTupleParameter:$tile, "bool":$mirrored);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_ModesAttr : Tile_Attr<"Modes", "modes", [
    DeclareAttrInterfaceMethods<Tile_CoordinateMapInterface>]> {
  let summary = "tensor whose first modes are the rows of a matrix";
  let description = [{
    A tensor of any strides as a matrix: the modes of `rows` are the digits of a
    row and those of `columns` of a column, the first one fastest. This is how
    CUTLASS's affine output iterators read the tensors of a contraction.

    Example: rows are (i, j), columns are (k, l).

    ```mlir
    #D = #tile.modes<rows = (?, 32), columns = (?, 8)>
    !d = !tile.view<f32, global, (?, 32, ?, 8) : (?, ?, ?, 1)>
    !D = !tile.iterator<!d,
      #tile.output_tile<shape = [64, 8, 2, 1, 1], count = [1, 4, 1, 1, 4], threads = 128, elements = 1, bits = 32>,
      coords #D, steps = 4, advance = 0, masked>
    func.func @result(%d: !d, %i: index, %k: index, %row: index, %thread: index) -> !D {
      %0 = tile.make_tensor_iterator %d(%row, 0), %thread, #D(%i, %k) : !D
      return %0 : !D
    }
    ```
  }];
  let parameters = (ins Tile_IntTupleParameter:$rows, Tile_IntTupleParameter:$columns);
  let assemblyFormat = "`<` `rows` `=` custom<IntTuple>($rows) `,` `columns` `=` custom<IntTuple>($columns) `>`";
  let genVerifyDecl = 1;
}

def Tile_Permutation : I32EnumAttr<"Permutation", "permutation of a matrix's digits", [
    I32EnumAttrCase<"Tensor4D0213RowMajor", 0, "tensor4d_0213_row_major">,
    I32EnumAttrCase<"Tensor4D0213ColumnMajor", 1, "tensor4d_0213_column_major">,
    I32EnumAttrCase<"Tensor5D20314RowMajor", 2, "tensor5d_20314_row_major">,
    I32EnumAttrCase<"Tensor5D02413ColumnMajor", 3, "tensor5d_02413_column_major">,
    I32EnumAttrCase<"Bmm0213RowMajor", 4, "tensor4d_bmm_0213_row_major">,
    I32EnumAttrCase<"Bmm0321ColumnMajor", 5, "tensor4d_bmm_0321_column_major">]> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}

def Tile_PermutedAttr : Tile_Attr<"Permuted", "permuted", [
    DeclareAttrInterfaceMethods<Tile_CoordinateMapInterface>]> {
  let summary = "matrix that is stored as a permuted tensor";
  let description = [{
    The layout of a matrix of `extents` (rows, columns) whose rows and columns are
    split by `factors`, and which is stored with the parts in another order, in
    the names that CUTLASS has for them:

    | kind | factors | digits of the matrix | stored as |
    |---|---|---|---|
    | `tensor4d_0213_row_major` | a, b | [M/a, a, b, N/b] | [M/a, b, a, N/b] |
    | `tensor4d_0213_column_major` | a, b | the same of the column-major reading | |
    | `tensor5d_20314_row_major` | a, b, c | [M/a, a, b, c, N/(bc)] | [b, M/a, c, a, N/(bc)] |
    | `tensor5d_02413_column_major` | a, b, c | [M/a, a, b, c, N/(bc)] | [M/a, b, N/(bc), a, c], column-major |
    | `tensor4d_bmm_0213_row_major` | a | [B/a, a, M, N] | [B/a, M, a, N] |
    | `tensor4d_bmm_0321_column_major` | a | [B/a, a, M, N] | [B/a, N, a, M], column-major |

    `inverse` walks a matrix that is stored so, and leads back. Batches are a third
    extent. Where a layout is expected, it stands for the layout from (row,
    column) to an offset; behind the `coords` of `!tile.iterator`, for the
    coordinates of a view of one mode with all elements. Every factor divides its
    extent, also where that is `?{div = 4}`.

    Example: the permutation of 0213 with four rows and two columns, as a view of
    nested modes.

    ```mlir
    #perm = #tile.permuted<tensor4d_0213_row_major, extents = (?{div = 4}, 96), factors = [4, 2]>
    !permuted = !tile.view<f16, global, #perm, align = 16>
    func.func @view(%p: !llvm.ptr<1>, %m: index) -> !permuted {
      %0 = tile.make_permuted_view %p, #perm(%m) : !llvm.ptr<1> -> !permuted
      return %0 : !permuted
    }
    ```
  }];
  let parameters = (ins
    "::tile::Permutation":$kind, Tile_IntTupleParameter:$extents,
    Tile_IntListParameter<"factors">:$factors, "bool":$inverse);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// From (row, column) to an offset; each `?` is a symbol if `symbolic`.
    ::tile::Result<::tile::Layout> getLayout(bool symbolic) const;
  }];
}

def Tile_SharedOperandKind : I32EnumAttr<"SharedOperandKind", "layout of an operand in shared memory", [
    I32EnumAttrCase<"TensorOp", 0, "tensor_op">,
    I32EnumAttrCase<"Congruous32", 1, "congruous_32b">,
    I32EnumAttrCase<"Congruous64", 2, "congruous_64b">,
    I32EnumAttrCase<"Congruous128", 3, "congruous_128b">,
    I32EnumAttrCase<"Crosswise64", 4, "crosswise_64b">,
    I32EnumAttrCase<"Crosswise128x4", 5, "crosswise_128x4">,
    I32EnumAttrCase<"RowInterleaved", 6, "row_major_interleaved">,
    I32EnumAttrCase<"VoltaCongruous", 7, "volta_congruous">,
    I32EnumAttrCase<"VoltaCongruousB", 8, "volta_b_congruous">,
    I32EnumAttrCase<"VoltaCrosswise", 9, "volta_crosswise">]> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}

def Tile_SharedOperandAttr : Tile_Attr<"SharedOperand", "shared_operand"> {
  let summary = "operand of tensor cores in shared memory";
  let description = [{
    A tile of `shape` [rows, columns] in one of the layouts of shared memory that
    CUTLASS has for the operands of tensor cores. Neighbours along `contiguous`
    (0 rows, 1 columns) lie in a row of memory; rows are `pitch` elements apart,
    by default the extent along `contiguous`.

    | kind | CUTLASS |
    |---|---|
    | `tensor_op` | TensorOpMultiplicandCongruous and …Crosswise<`bits`, `section`>, which are one function |
    | `congruous_32b`, `_64b`, `_128b` | TensorOpMultiplicandCongruous<32, 32>, …Congruous64b, …128b |
    | `crosswise_64b`, `crosswise_128x4` | TensorOpMultiplicand64bCrosswise, …Crosswise128x4 |
    | `row_major_interleaved` | TensorOpMultiplicandRowMajorInterleaved<8, 32> |
    | `volta_congruous`, `volta_b_congruous`, `volta_crosswise` | VoltaTensorOpMultiplicandCongruous<16>, …BCongruous<16>, …Crosswise<16, 32> |

    Such a layout is a list of swizzled layouts, each applied to the values of the
    one before. One of a single layout may stand where a view's layout is expected;
    any may stand behind `permute =` of `!tile.iterator`.

    Example: 64 rows of 64 halves in sections of 32, and the same side by side
    with two other stages.

    ```mlir
    !stage = !tile.view<f16, shared,
      #tile.shared_operand<tensor_op, shape = [64, 64], contiguous = 1, bits = 16, section = 32>, align = 1024>
    !stages = !tile.iterator<!tile.view<f16, shared, (6144) : (1), align = 16>,
      #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 128, warp = [4, 8], elements = 8>, advance = 1,
      permute = #tile.shared_operand<tensor_op, shape = [64, 96], contiguous = 1, bits = 16, section = 32>>
    func.func @operands(%a: !stage, %b: !stages) {
      return
    }
    ```
  }];
  let parameters = (ins
    "::tile::SharedOperandKind":$kind, Tile_IntListParameter<"extents">:$shape,
    "int64_t":$contiguous, "int64_t":$pitch, "int64_t":$bits, "int64_t":$section);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The layouts, the first one of (row, column).
    ::tile::Result<::tile::LayoutChain> getChain() const;
  }];
}

#endif // TILE_IR_TILERECIPEATTRS_TD
