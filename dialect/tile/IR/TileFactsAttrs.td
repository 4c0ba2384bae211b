// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The attribute that says what a launch needs to know of a kernel.
#ifndef TILE_IR_TILEFACTSATTRS_TD
#define TILE_IR_TILEFACTSATTRS_TD

/// A parameter that holds launch facts.
def Tile_LaunchFactsParameter : AttrOrTypeParameter<
    "::tile::LaunchFacts", "launch facts", "const ::tile::LaunchFacts &">;

def Tile_LaunchFactsAttr : Tile_Attr<"LaunchFacts", "launch_facts"> {
  let summary = "what a launch needs to know of a kernel";
  let description = [{
    A kernel carries them as `tile.launch_facts`: from what its grid follows,
    what each of its arguments takes, what it requires of the operands, and what
    it is expected to cost. They go into the artifact's manifest as they are;
    the kernel's name, block, argument types and shared memory are added there,
    since the kernel itself tells them.

    An argument takes an address, an extent, a stride or a tensor map of an
    operand (`A.data`, `A.stride[0]`), a size of the problem (`M`, `N`, `K`,
    `batch`) or a scalar (`alpha`, `beta`). Fields may stand in any order; one
    that is left out has its default. A verifier compares them with each other
    and with the arguments of the kernel. docs/LaunchFacts.md lists all fields.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @k(%a: !llvm.ptr<1>, %pitch: i64, %d: !llvm.ptr<1>, %m: index) kernel
          attributes {known_block_size = array<i32: 128, 1, 1>,
                      tile.launch_facts = #tile.launch_facts<
                        grid = {tile = [64, 64]},
                        parameters = [A.data, A.stride[0], D.data, M],
                        requires = [{operand = A, unit_stride = 1, alignment = 16} ]>} {
        gpu.return
      }
    }
    ```
  }];
  let parameters = (ins Tile_LaunchFactsParameter:$facts);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_PrepareAttr : Tile_Attr<"Prepare", "prepare"> {
  let summary = "copy of an operand that a kernel reads instead of it";
  let description = [{
    A kernel with a `pack_tile` copies the operand into the workspace, with unit
    stride along the dimension `contiguous` (0 rows, 1 columns) and a pitch that
    is a multiple of `pitch_multiple` elements. A `tile.launch` lists them for
    each of its kernels.

    Example:

    ```mlir
    #copy = #tile.prepare<A by @kernels::@pack, contiguous = 1, pitch_multiple = 8>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$operand, "::mlir::SymbolRefAttr":$kernel,
                        "int64_t":$contiguous, "int64_t":$pitchMultiple);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // TILE_IR_TILEFACTSATTRS_TD
