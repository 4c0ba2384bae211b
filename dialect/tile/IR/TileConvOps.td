// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions, and tensors seen as the matrices of a GEMM.
#ifndef TILE_IR_TILECONVOPS_TD
#define TILE_IR_TILECONVOPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "tile/IR/TileProblemOps.td"

def Tile_ConvKind : I32EnumAttr<"ConvKind", "which of the three tensors is computed", [
    I32EnumAttrCase<"Fprop", 0, "fprop">, I32EnumAttrCase<"Dgrad", 1, "dgrad">,
    I32EnumAttrCase<"Wgrad", 2, "wgrad">]> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}

def Tile_Im2colAttr : Tile_Attr<"Im2col", "im2col",
    [DeclareAttrInterfaceMethods<MemRefLayoutAttrInterface,
        ["isIdentity", "verifyLayout", "getStridesAndOffset"]>]> {
  let summary = "layout of a matrix whose elements are those of a tensor, or 0";
  let description = [{
    The layout of the result of `tile.im2col`: nothing lies in memory as the
    matrix has it. Rows and columns (and batches) are numbers of several
    digits, the last of which runs fastest; `map` gives the index in each
    dimension of the tensor from all digits, `divisors` what it is divided by.
    An element is 0 where the division leaves a rest and outside of the tensor.

    Example: an image of 2 x 8 x 8 x 16 under a filter of 3 x 3, with a margin
    of 1.

    ```mlir
    #image = #tile.im2col<rows = [2, 8, 8], columns = [3, 3, 16],
      map = affine_map<(n, p, q, r, s, c) -> (n, p + r - 1, q + s - 1, c)>,
      tensor = [2, 8, 8, 16] : [1024, 128, 16, 1]>
    ```
  }];
  let parameters = (ins
    OptionalArrayRefParameter<"int64_t">:$batch,
    ArrayRefParameter<"int64_t">:$rows, ArrayRefParameter<"int64_t">:$columns,
    "::mlir::AffineMapAttr":$map, OptionalArrayRefParameter<"int64_t">:$divisors,
    ArrayRefParameter<"int64_t">:$extents, ArrayRefParameter<"int64_t">:$strides);
  let assemblyFormat = [{
    `<` (`batch` `=` `[` $batch^ `]` `,` ` `)? `rows` `=` `[` $rows `]` `,`
    `columns` `=` `[` $columns `]` `,` `map` `=` $map `,`
    `tensor` `=` `[` $extents `]` `:` `[` $strides `]`
    (`,` `divisors` `=` `[` $divisors^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The same for whoever knows no MLIR.
    MatrixMap getMatrixMap() const;
    /// The layout of a map.
    static Im2colAttr get(::mlir::MLIRContext *context, const MatrixMap &map);
    /// The matrices' extents, as the shape of a memref.
    ::llvm::SmallVector<int64_t, 3> getShape() const;
  }];
}

def Tile_Im2colOp : Tile_Op<"im2col", [Pure]> {
  let summary = "a tensor as a matrix of a GEMM, by an access map";
  let description = [{
    Names the elements of a tensor as those of a matrix, which is an operand A or
    B of a `tile.gemm` and nothing else. No memory is written: a kernel reads the
    tensor where its schedule can, and a copy in the workspace otherwise.

    Example: a convolution of 3 x 3 with a margin of 1, as a GEMM.

    ```mlir
    #image = #tile.im2col<rows = [2, 8, 8], columns = [3, 3, 16],
      map = affine_map<(n, p, q, r, s, c) -> (n, p + r - 1, q + s - 1, c)>,
      tensor = [2, 8, 8, 16] : [1024, 128, 16, 1]>
    func.func @conv(%x: memref<2x8x8x16xf32>, %w: memref<144x32xf32, strided<[1, 144]>>,
                    %y: memref<128x32xf32>) {
      %A = tile.im2col %x : memref<2x8x8x16xf32> to memref<128x144xf32, #image>
      tile.gemm ins(%A, %w : memref<128x144xf32, #image>, memref<144x32xf32, strided<[1, 144]>>)
        outs(%y : memref<128x32xf32>)
      return
    }
    ```
  }];
  let arguments = (ins AnyMemRef:$tensor);
  let results = (outs AnyMemRef:$matrix);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor) `to` type($matrix)";
  let hasVerifier = 1;
}

def Tile_ConvOp : Tile_Op<"conv", [AttrSizedOperandSegments, IsolatedFromAbove]> {
  let summary = "convolution of 1 to 3 dimensions, or one of its gradients";
  let description = [{
    Three tensors belong to a convolution: the image (N, spatial dimensions, C),
    the filter (K, spatial dimensions, C / groups) and the output (N, spatial
    dimensions, K). `fprop` computes the output of the image (A) and the filter
    (B); `dgrad` the gradient of the image, of the output's gradient (A) and the
    filter (B); `wgrad` the gradient of the filter, of the output's gradient (A)
    and the image (B). Their order in memory is what their strides say: NCHW is
    the same memref with other strides.

    With `stride`, `dilation`, `pad_low` and `pad_high` for each spatial
    dimension (1, 1, 0 and 0 if absent), output element p is the sum over r of
    filter element r times image element `p * stride + r * dilation - pad_low`;
    outside of the image, that is 0. The output has as many elements as fit: the
    filter lies within the image and its margins. A `flipped` filter is read from
    its end, as a convolution in the mathematical sense does.

    With `groups`, channels of the image and of the output are divided into as
    many equal parts, each of which has filters of its own.

    D = alpha * sum + beta * C as in `tile.gemm`, with the same element types and
    sums. `epilogue` has a region as there: `[channel]` behind an operand says
    that it has one element for each channel of D, `[pixel, channel]` that it has
    the shape of D. All extents and strides are known when the code is compiled.

    Example:

    ```mlir
    func.func @layer(%x: memref<2x8x8x16xbf16>, %w: memref<32x3x3x16xbf16>,
                     %bias: memref<32xf32>, %y: memref<2x8x8x32xbf16>) {
      tile.conv fprop ins(%x, %w : memref<2x8x8x16xbf16>, memref<32x3x3x16xbf16>)
        outs(%y : memref<2x8x8x32xbf16>) pad_low = [1, 1] pad_high = [1, 1]
        epilogue(%bias[channel] : memref<32xf32>) {
      ^bb0(%sum: f32, %b: f32):
        %shifted = arith.addf %sum, %b : f32
        %result = arith.truncf %shifted : f32 to bf16
        tile.yield %result : bf16
      }
      return
    }
    ```
  }];
  let arguments = (ins
    EnumAttr<Tile_Dialect, Tile_ConvKind, "conv_kind">:$kind,
    Arg<AnyMemRef, "the image, or the output's gradient", [MemRead]>:$a,
    Arg<AnyMemRef, "the filter, or the image", [MemRead]>:$b,
    Arg<Optional<AnyMemRef>, "added operand", [MemRead]>:$c,
    Arg<AnyMemRef, "result", [MemWrite]>:$d,
    Optional<AnyFloat>:$alpha, Optional<AnyFloat>:$beta,
    Arg<Variadic<AnyMemRef>, "operands of the epilogue", [MemRead]>:$epilogue_operands,
    OptionalAttr<DenseI64ArrayAttr>:$stride, OptionalAttr<DenseI64ArrayAttr>:$dilation,
    OptionalAttr<DenseI64ArrayAttr>:$pad_low, OptionalAttr<DenseI64ArrayAttr>:$pad_high,
    DefaultValuedAttr<I64Attr, "1">:$groups, UnitAttr:$flipped,
    OptionalAttr<Tile_EpilogueIndices>:$epilogue_indices,
    UnitAttr:$promoted_sums,
    OptionalAttr<Tile_ScheduleOrList>:$schedule);
  let regions = (region AnyRegion:$epilogue);
  let assemblyFormat = [{
    custom<ConvKind>($kind) `ins` `(` $a `,` $b (`,` $c^)? `:` type($a) `,` type($b) (`,` type($c)^)? `)`
    `outs` `(` $d `:` type($d) `)`
    (`stride` `=` $stride^)? (`dilation` `=` $dilation^)?
    (`pad_low` `=` $pad_low^)? (`pad_high` `=` $pad_high^)?
    (`groups` `=` $groups^)? (`flipped` $flipped^)?
    (`alpha` `(` $alpha^ `:` type($alpha) `)`)?
    (`beta` `(` $beta^ `:` type($beta) `)`)?
    (`promoted_sums` $promoted_sums^)?
    (`epilogue` custom<ConvEpilogue>($epilogue_operands, type($epilogue_operands), $epilogue_indices, $epilogue)^)?
    (`schedule` custom<Schedule>($schedule)^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool hasEpilogue() { return !getEpilogue().empty(); }
    ::llvm::LogicalResult verifyEpilogue();
    /// The three tensors, whichever is computed.
    ::mlir::Value getImage();
    ::mlir::Value getFilter();
    ::mlir::Value getOutput();
    /// For each spatial dimension.
    unsigned getSpatialRank();
    ::llvm::SmallVector<int64_t, 3> getStrides();
    ::llvm::SmallVector<int64_t, 3> getDilations();
    ::llvm::SmallVector<int64_t, 3> getLowMargins();
    ::llvm::SmallVector<int64_t, 3> getHighMargins();
  }];
}

#endif // TILE_IR_TILECONVOPS_TD
