// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that state a problem, and the launch that solves it.
#ifndef TILE_IR_TILEPROBLEMOPS_TD
#define TILE_IR_TILEPROBLEMOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/IR/TileProblemInterfaces.td"
include "tile/IR/TileTypes.td"

def Tile_ScheduleOrList : Attr<CPred<"::tile::isSchedule($_self)">,
    "a schedule such as #tile.simt<…> or #tile.warp_specialized<…>, or a list of these"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
}

def Tile_EpilogueIndices : TypedArrayAttrBase<DenseI64ArrayAttr,
    "for each operand of an epilogue the indices that it has">;

def Tile_GemmOp : Tile_Op<"gemm", [
    AttrSizedOperandSegments, IsolatedFromAbove, DeclareOpInterfaceMethods<Tile_ProblemOpInterface>]> {
  let summary = "general matrix multiply";
  let description = [{
    D = alpha * A * B + beta * C, where A is M by K, B is K by N, C and D are M
    by N. A leading third dimension is the batch; an operand of rank 2 is then
    shared by all batches. Extents, strides and offsets are those of the
    memrefs, static or dynamic: a row-major operand has unit stride in its last
    dimension, a column-major one in the one before.

    alpha defaults to 1, beta to 1 if there is a C and to 0 if not. beta = 0 does not read C, alpha = 0 does
    not read A or B; K = 0 gives D = beta * C. D may be exactly C.

    A, B and D have one element type: f64, f32, f16 or bf16; D may be f32 for
    operands of 16 bits. A and B of 8 bits are each f8E4M3FN or f8E5M2, and D
    is f32, f16 or bf16. C is as D, alpha and beta are as the sums: f64 for f64,
    otherwise f32. In f32 and f64, products are accumulated by fused
    multiply-add, in the order of K within a residue-first walk, or in parts of
    K where the schedule splits it; the others in
    f32 on tensor cores or, of 16 bits, by fused multiply-add as well. Only a
    schedule that says `tf32 = true` multiplies operands of f32 as tf32.

    A tensor core keeps about 13 bits of a sum of 8-bit factors, and all of a long
    sum of 16-bit ones in one accumulator. With `promoted_sums`, it adds up at
    most 128 bytes of a row of A at a time, and f32 registers add up these
    partial sums: with 8-bit factors, errors are about ten times smaller.

    A and B may be i8, signed; D is i32 then, sums that wrap around, and there is
    neither C nor alpha.

    `epilogue` has a region that makes each element of D: of the sum, scaled by
    alpha, of the element of C if there is a C (and then no beta), and of an
    element of each further operand, which says by which of `batch`, `m` and `n`
    it is indexed: `%bias[n]` is a row that all rows of D share. The region's ops
    are arithmetic on scalars, of arith and math; it yields an element of D.

    `schedule` says how the kernel is built; `tile-select-schedule` fills it
    in where it is missing, and says why in `reason`. With a list of schedules, kernels of all of them are
    built, and the cheapest for the extents at hand is launched.

    Example:

    ```mlir
    !mat = memref<?x?xf32, strided<[?, 1], offset: ?>>
    func.func @gemm(%A: !mat, %B: !mat, %C: !mat, %D: !mat, %alpha: f32, %beta: f32) {
      tile.gemm ins(%A, %B, %C : !mat, !mat, !mat) outs(%D : !mat)
        alpha(%alpha : f32) beta(%beta : f32)
      return
    }
    // D = relu(A * B + bias)
    func.func @layer(%A: !mat, %B: !mat, %bias: memref<?xf32>, %D: !mat) {
      tile.gemm ins(%A, %B : !mat, !mat) outs(%D : !mat)
        epilogue(%bias[n] : memref<?xf32>) {
      ^bb0(%sum: f32, %b: f32):
        %zero = arith.constant 0.0 : f32
        %shifted = arith.addf %sum, %b : f32
        %result = arith.maximumf %shifted, %zero : f32
        tile.yield %result : f32
      }
      return
    }
    ```
  }];
  let arguments = (ins
    Arg<AnyMemRef, "left operand", [MemRead]>:$a,
    Arg<AnyMemRef, "right operand", [MemRead]>:$b,
    Arg<Optional<AnyMemRef>, "added operand", [MemRead]>:$c,
    Arg<AnyMemRef, "result", [MemWrite]>:$d,
    Optional<AnyFloat>:$alpha, Optional<AnyFloat>:$beta,
    Arg<Variadic<AnyMemRef>, "operands of the epilogue", [MemRead]>:$epilogue_operands,
    OptionalAttr<Tile_EpilogueIndices>:$epilogue_indices,
    UnitAttr:$promoted_sums,
    OptionalAttr<Tile_ScheduleOrList>:$schedule, OptionalAttr<StrAttr>:$reason);
  let regions = (region AnyRegion:$epilogue);
  let builders = [OpBuilder<(ins "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::Value":$c,
      "::mlir::Value":$d, "::mlir::Value":$alpha, "::mlir::Value":$beta,
      CArg<"::mlir::Attribute", "{}">:$schedule)>];
  let assemblyFormat = [{
    `ins` `(` $a `,` $b (`,` $c^)? `:` type($a) `,` type($b) (`,` type($c)^)? `)`
    `outs` `(` $d `:` type($d) `)`
    (`alpha` `(` $alpha^ `:` type($alpha) `)`)?
    (`beta` `(` $beta^ `:` type($beta) `)`)?
    (`promoted_sums` $promoted_sums^)?
    (`epilogue` custom<Epilogue>($epilogue_operands, type($epilogue_operands), $epilogue_indices, $epilogue)^)?
    (`schedule` custom<Schedule>($schedule)^)? (`reason` $reason^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool hasEpilogue() { return !getEpilogue().empty(); }
    /// What the epilogue's operand of a number is indexed by.
    ::llvm::ArrayRef<int64_t> getEpilogueIndices(unsigned number);
    ::llvm::LogicalResult verifyEpilogue();
  }];
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ParentOneOf<["GemmOp", "ConvOp"]>]> {
  let summary = "the element that an epilogue makes";
  let description = [{
    Ends the region of an epilogue with the element of D.

    Example:

    ```mlir
    func.func @half(%A: memref<8x4xf32>, %B: memref<4x8xf32>, %D: memref<8x8xf32>) {
      tile.gemm ins(%A, %B : memref<8x4xf32>, memref<4x8xf32>) outs(%D : memref<8x8xf32>) epilogue {
      ^bb0(%sum: f32):
        %half = arith.constant 0.5 : f32
        %result = arith.mulf %sum, %half : f32
        tile.yield %result : f32
      }
      return
    }
    ```
  }];
  let arguments = (ins AnyType:$element);
  let assemblyFormat = "$element attr-dict `:` type($element)";
}

def Tile_LaunchOp : Tile_Op<"launch", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<Tile_ProblemOpInterface>]> {
  let summary = "launch of the first kernel whose requirements hold";
  let description = [{
    Solves a GEMM with one of several kernels. `kernels` lists them in order of
    preference; each kernel's `tile.launch_facts` state what it requires of the
    operands (unit stride, alignment, multiples), its grid and its arguments.
    The last one requires nothing beyond the operands' types. Behind `after`
    stand the operands that other kernels copy into a workspace first, where the
    kernel reads the copies. `epilogue` is the text of an expression, see
    Facts/Expression.h, with its operands. `reason` says why the kernels were built by their schedule.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @product(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %d: !llvm.ptr<1>) kernel {
        gpu.return
      }
    }
    func.func @host(%A: memref<8x4xf32>, %B: memref<4x8xf32>, %D: memref<8x8xf32>) {
      tile.launch [@kernels::@product]
        ins(%A, %B : memref<8x4xf32>, memref<4x8xf32>) outs(%D : memref<8x8xf32>)
      return
    }
    ```
  }];
  let arguments = (ins
    Arg<AnyMemRef, "left operand", [MemRead]>:$a,
    Arg<AnyMemRef, "right operand", [MemRead]>:$b,
    Arg<Optional<AnyMemRef>, "added operand", [MemRead]>:$c,
    Arg<AnyMemRef, "result", [MemWrite]>:$d,
    Optional<AnyFloat>:$alpha, Optional<AnyFloat>:$beta,
    Arg<Variadic<AnyMemRef>, "operands of the epilogue", [MemRead]>:$epilogue_operands,
    OptionalAttr<Tile_EpilogueIndices>:$epilogue_indices,
    OptionalAttr<StrAttr>:$epilogue,
    SymbolRefArrayAttr:$kernels,
    OptionalAttr<TypedArrayAttrBase<ArrayAttr, "an array of copies for each kernel">>:$prepare,
    OptionalAttr<StrAttr>:$reason);
  let assemblyFormat = [{
    custom<Variants>($kernels, $prepare)
    `ins` `(` $a `,` $b (`,` $c^)? `:` type($a) `,` type($b) (`,` type($c)^)? `)`
    `outs` `(` $d `:` type($d) `)`
    (`alpha` `(` $alpha^ `:` type($alpha) `)`)?
    (`beta` `(` $beta^ `:` type($beta) `)`)?
    (`epilogue` custom<LaunchedEpilogue>($epilogue_operands, type($epilogue_operands), $epilogue_indices, $epilogue)^)?
    (`reason` $reason^)? attr-dict
  }];
}

#endif // TILE_IR_TILEPROBLEMOPS_TD
