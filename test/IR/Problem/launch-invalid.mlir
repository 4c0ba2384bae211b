// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch names kernels and copies that exist.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

gpu.module @kernels {
  gpu.func @gemm_fast(%d: !llvm.ptr<1>) kernel attributes {
      tile.launch_facts = #tile.launch_facts<grid = {tile = [1, 1]}, parameters = [D.data]>} {
    gpu.return
  }
}
func.func @a_typo_in_a_kernel(%a: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected a kernel in a gpu.module, but found no function @kernels::@gemm_fats; did you mean @gemm_fast?}}
  tile.launch [@kernels::@gemm_fats] ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

gpu.module @kernels {
  gpu.func @k() kernel { gpu.return }
  gpu.func @pack() kernel { gpu.return }
}
func.func @a_copy_by_no_kernel(%a: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected a kernel in a gpu.module, but found no function @kernels::@pac; did you mean @pack?}}
  tile.launch [@kernels::@k after (A by @kernels::@pac, contiguous = 1, pitch_multiple = 8)]
    ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

gpu.module @kernels {
  gpu.func @k() kernel { gpu.return }
  gpu.func @gemm(%d: !llvm.ptr<1>) kernel attributes {
      tile.launch_facts = #tile.launch_facts<grid = {tile = [1, 1]}, parameters = [D.data]>} {
    gpu.return
  }
}
func.func @a_copy_by_a_kernel_that_does_not_pack(%a: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected @kernels::@gemm to copy an operand, which takes a 'pack_tile' in its launch facts, but got none}}
  tile.launch [@kernels::@k after (A by @kernels::@gemm, contiguous = 1, pitch_multiple = 8)]
    ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

gpu.module @kernels {
  gpu.func @pack(%x: !llvm.ptr<1>) kernel attributes {
      tile.launch_facts = #tile.launch_facts<grid = {pack_tile = [1, 1]}, parameters = [X.data]>} {
    gpu.return
  }
}
func.func @a_kernel_that_packs(%a: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected @kernels::@pack to solve the problem, but got a 'pack_tile' in its launch facts}}
  tile.launch [@kernels::@pack] ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

gpu.module @kernels { gpu.func @k() kernel { gpu.return } }
func.func @a_copy_of_the_result(%a: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected @kernels::@k after a copy of A or B, but got one of D}}
  tile.launch [@kernels::@k after (D by @kernels::@k, contiguous = 1, pitch_multiple = 8)]
    ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

gpu.module @kernels { gpu.func @k() kernel { gpu.return } }
func.func @two_copies(%a: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected @kernels::@k after one copy of A, but got two}}
  tile.launch [@kernels::@k after (A by @kernels::@k, contiguous = 1, pitch_multiple = 8) and (A by @kernels::@k, contiguous = 0, pitch_multiple = 8)]
    ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

gpu.module @kernels { gpu.func @k() kernel { gpu.return } }
func.func @a_contiguous_dimension(%a: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected contiguous = 0 or 1 for the copy of A, but got 2}}
  tile.launch [@kernels::@k after (A by @kernels::@k, contiguous = 2, pitch_multiple = 8)]
    ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

// expected-error @below {{expected a pitch_multiple from 1 to 1048576 for the copy of A, but got 0}}
#copy = #tile.prepare<A by @kernels::@pack, contiguous = 1, pitch_multiple = 0>

// -----

gpu.module @kernels { gpu.func @k() kernel { gpu.return } }
func.func @copies_for_each_kernel(%a: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected 'prepare' to have an element for each of 1 kernels, but got 2}}
  "tile.launch"(%a, %a, %d) <{kernels = [@kernels::@k], operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0>, prepare = [[], []]}>
    : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
  return
}

// -----

gpu.module @kernels { gpu.func @k() kernel { gpu.return } }
func.func @copies_that_are_none(%a: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected an array of #tile.prepare for @kernels::@k in 'prepare', but got ["nonsense"]}}
  "tile.launch"(%a, %a, %d) <{kernels = [@kernels::@k], operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0>, prepare = [["nonsense"]]}>
    : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
  return
}

// -----

gpu.module @kernels { gpu.func @k() kernel { gpu.return } }
func.func @a_preparation_of_text(%a: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{Invalid attribute `prepare` in property conversion: "nonsense"}}
  "tile.launch"(%a, %a, %d) <{kernels = [@kernels::@k], operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0>, prepare = "nonsense"}>
    : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
  return
}
