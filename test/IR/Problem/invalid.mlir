// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Problems and launches: each rule, once, with the numbers.
// RUN: tile-opt %s -verify-diagnostics -split-input-file

func.func @rank_1(%a: memref<4xf32>, %b: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected A to have rank 2, or 3 with a leading batch, but got rank 1 ('memref<4xf32>')}}
  tile.gemm ins(%a, %b : memref<4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

func.func @rank_4(%a: memref<4x4xf32>, %b: memref<1x1x4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected B to have rank 2, or 3 with a leading batch, but got rank 4}}
  tile.gemm ins(%a, %b : memref<4x4xf32>, memref<1x1x4x4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

func.func @rank_0(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %d: memref<f32>) {
  // expected-error @below {{expected D to have rank 2, or 3 with a leading batch, but got rank 0}}
  tile.gemm ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%d : memref<f32>)
  return
}

// -----

func.func @integers(%a: memref<4x4xi32>, %b: memref<4x4xi32>, %d: memref<4x4xi32>) {
  // expected-error @below {{expected A to have element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2 or i8, but got 'i32'}}
  tile.gemm ins(%a, %b : memref<4x4xi32>, memref<4x4xi32>) outs(%d : memref<4x4xi32>)
  return
}

// -----

func.func @vectors(%a: memref<4x4xvector<4xf32>>, %b: memref<4x4xvector<4xf32>>, %d: memref<4x4xvector<4xf32>>) {
  // expected-error @below {{expected A to have element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2 or i8, but got 'vector<4xf32>'}}
  tile.gemm ins(%a, %b : memref<4x4xvector<4xf32>>, memref<4x4xvector<4xf32>>) outs(%d : memref<4x4xvector<4xf32>>)
  return
}

// -----

func.func @mixed_elements(%a: memref<4x4xf64>, %b: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected B to have the element type of A, 'f64', but got 'f32'}}
  tile.gemm ins(%a, %b : memref<4x4xf64>, memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

func.func @memory_space(%a: memref<4x4xf32>, %b: memref<4x4xf32, 3>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected B in the default memory space, but got 3 : i64}}
  tile.gemm ins(%a, %b : memref<4x4xf32>, memref<4x4xf32, 3>) outs(%d : memref<4x4xf32>)
  return
}

// -----

func.func @not_strided(%a: memref<4x4xf32, affine_map<(i, j) -> (i floordiv 2, j)>>, %b: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected A to have a strided layout, but got}}
  tile.gemm ins(%a, %b : memref<4x4xf32, affine_map<(i, j) -> (i floordiv 2, j)>>, memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

func.func @negative_stride(%a: memref<4x4xf32, strided<[-4, 1], offset: 12>>, %b: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected A to have strides of 0 or more, but got -4 at dimension 0}}
  tile.gemm ins(%a, %b : memref<4x4xf32, strided<[-4, 1], offset: 12>>, memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

func.func @result_overlaps_itself(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %d: memref<4x4xf32, strided<[0, 1]>>) {
  // expected-error @below {{expected D to have a place for each element, but got stride 0 for the 4 elements of dimension 0}}
  tile.gemm ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32, strided<[0, 1]>>)
  return
}

// -----

func.func @extents_of_k(%a: memref<8x5xf32>, %b: memref<6x7xf32>, %d: memref<8x7xf32>) {
  // expected-error @below {{expected A and B to agree on K, but got 5 columns of A and 6 rows of B}}
  tile.gemm ins(%a, %b : memref<8x5xf32>, memref<6x7xf32>) outs(%d : memref<8x7xf32>)
  return
}

// -----

func.func @extents_of_m(%a: memref<8x5xf32>, %b: memref<5x7xf32>, %d: memref<9x7xf32>) {
  // expected-error @below {{expected A and D to agree on M, but got 8 rows of A and 9 rows of D}}
  tile.gemm ins(%a, %b : memref<8x5xf32>, memref<5x7xf32>) outs(%d : memref<9x7xf32>)
  return
}

// -----

func.func @extents_of_n(%a: memref<?x?xf32>, %b: memref<?x7xf32>, %d: memref<?x8xf32>) {
  // expected-error @below {{expected B and D to agree on N, but got 7 columns of B and 8 columns of D}}
  tile.gemm ins(%a, %b : memref<?x?xf32>, memref<?x7xf32>) outs(%d : memref<?x8xf32>)
  return
}

// -----

func.func @extents_of_c(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %d: memref<8x8xf32>, %c: memref<9x8xf32>) {
  // expected-error @below {{expected C and D to agree on M, but got 9 rows of C and 8 rows of D}}
  tile.gemm ins(%a, %b, %c : memref<?x?xf32>, memref<?x?xf32>, memref<9x8xf32>) outs(%d : memref<8x8xf32>)
  return
}

// -----

func.func @columns_of_c(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %d: memref<8x8xf32>, %c: memref<8x9xf32>) {
  // expected-error @below {{expected C and D to agree on N, but got 9 columns of C and 8 columns of D}}
  tile.gemm ins(%a, %b, %c : memref<?x?xf32>, memref<?x?xf32>, memref<8x9xf32>) outs(%d : memref<8x8xf32>)
  return
}

// -----

func.func @batch_without_result(%a: memref<2x4x4xf32>, %b: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected D to have a batch dimension like A, but got rank 2}}
  tile.gemm ins(%a, %b : memref<2x4x4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

func.func @batches_differ(%a: memref<4x4xf32>, %b: memref<2x4x4xf32>, %d: memref<3x4x4xf32>) {
  // expected-error @below {{expected the batch of D, 3, but got 2 for B}}
  tile.gemm ins(%a, %b : memref<4x4xf32>, memref<2x4x4xf32>) outs(%d : memref<3x4x4xf32>)
  return
}

// -----

func.func @batch_of_a_differs(%a: memref<2x4x4xf32>, %b: memref<4x4xf32>, %d: memref<3x4x4xf32>) {
  // expected-error @below {{expected the batch of D, 3, but got 2 for A}}
  tile.gemm ins(%a, %b : memref<2x4x4xf32>, memref<4x4xf32>) outs(%d : memref<3x4x4xf32>)
  return
}

// -----

func.func @batch_of_c_differs(%a: memref<4x4xf32>, %b: memref<3x4x4xf32>, %c: memref<2x4x4xf32>, %d: memref<3x4x4xf32>) {
  // expected-error @below {{expected the batch of D, 3, but got 2 for C}}
  tile.gemm ins(%a, %b, %c : memref<4x4xf32>, memref<3x4x4xf32>, memref<2x4x4xf32>) outs(%d : memref<3x4x4xf32>)
  return
}

// -----

func.func @alpha_type(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %d: memref<4x4xf32>, %s: f64) {
  // expected-error @below {{expected alpha of the type that sums have, 'f32', but got 'f64'}}
  tile.gemm ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32>) alpha(%s : f64)
  return
}

// -----

func.func @beta_type(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %d: memref<4x4xf32>, %c: memref<4x4xf32>, %s: f16) {
  // expected-error @below {{expected beta of the type that sums have, 'f32', but got 'f16'}}
  tile.gemm ins(%a, %b, %c : memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32>) beta(%s : f16)
  return
}

// -----

func.func @promoted_sums_of_f32(%a: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected promoted_sums for floats of 8 or 16 bits, whose sums a tensor core cuts, but got A of 'f32'}}
  tile.gemm ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32>) promoted_sums
  return
}

// -----

func.func @promoted_sums_of_integers(%a: memref<4x4xi8>, %d: memref<4x4xi32>) {
  // expected-error @below {{expected promoted_sums for floats of 8 or 16 bits, whose sums a tensor core cuts, but got A of 'i8'}}
  tile.gemm ins(%a, %a : memref<4x4xi8>, memref<4x4xi8>) outs(%d : memref<4x4xi32>) promoted_sums
  return
}

// -----

func.func @beta_without_c(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %d: memref<4x4xf32>, %s: f32) {
  // expected-error @below {{expected operand C together with beta, but got none}}
  tile.gemm ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32>) beta(%s : f32)
  return
}

// -----

func.func @unranked(%a: memref<*xf32>, %b: memref<4x4xf32>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected builtin.memref}}
  tile.gemm ins(%a, %b : memref<*xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  return
}

// -----

func.func @launch_of_nothing(%a: memref<4x4xf32>) {
  // expected-error @below {{expected at least one kernel}}
  tile.launch [] ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return
}

// -----

gpu.module @kernels { gpu.func @one() kernel { gpu.return } }
func.func @launch_of_an_unknown_kernel(%a: memref<4x4xf32>) {
  // expected-error @below {{expected a kernel in a gpu.module, but found no function @kernels::@two}}
  tile.launch [@kernels::@two] ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return
}

// -----

gpu.module @kernels { }
func.func @launch_of_no_function(%a: memref<4x4xf32>) {
  // expected-error @below {{expected a kernel in a gpu.module, but found no function @kernels}}
  tile.launch [@kernels] ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return
}

// -----

func.func @eight_and_sixteen_bits(%a: memref<4x4xf8E4M3FN>, %b: memref<4x4xf16>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected B to have an element type of 8 bits like A, 'f8E4M3FN', but got 'f16'}}
  tile.gemm ins(%a, %b : memref<4x4xf8E4M3FN>, memref<4x4xf16>) outs(%d : memref<4x4xf32>)
  return
}

// -----

func.func @sixteen_and_eight_bits(%a: memref<4x4xf16>, %b: memref<4x4xf8E5M2>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected B to have the element type of A, 'f16', but got 'f8E5M2'}}
  tile.gemm ins(%a, %b : memref<4x4xf16>, memref<4x4xf8E5M2>) outs(%d : memref<4x4xf32>)
  return
}

// -----

func.func @other_eight_bits(%a: memref<4x4xf8E4M3>, %b: memref<4x4xf8E4M3>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected A to have element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2 or i8, but got 'f8E4M3'}}
  tile.gemm ins(%a, %b : memref<4x4xf8E4M3>, memref<4x4xf8E4M3>) outs(%d : memref<4x4xf32>)
  return
}

// -----

func.func @half_and_brain(%a: memref<4x4xf16>, %b: memref<4x4xbf16>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected B to have the element type of A, 'f16', but got 'bf16'}}
  tile.gemm ins(%a, %b : memref<4x4xf16>, memref<4x4xbf16>) outs(%d : memref<4x4xf32>)
  return
}

// -----

func.func @brain_from_half(%a: memref<4x4xf16>, %b: memref<4x4xf16>, %d: memref<4x4xbf16>) {
  // expected-error @below {{expected D to have the element type of A, 'f16', or f32, but got 'bf16'}}
  tile.gemm ins(%a, %b : memref<4x4xf16>, memref<4x4xf16>) outs(%d : memref<4x4xbf16>)
  return
}

// -----

func.func @half_from_brain(%a: memref<4x4xbf16>, %b: memref<4x4xbf16>, %d: memref<4x4xf16>) {
  // expected-error @below {{expected D to have the element type of A, 'bf16', or f32, but got 'f16'}}
  tile.gemm ins(%a, %b : memref<4x4xbf16>, memref<4x4xbf16>) outs(%d : memref<4x4xf16>)
  return
}

// -----

func.func @double_from_half(%a: memref<4x4xf16>, %b: memref<4x4xf16>, %d: memref<4x4xf64>) {
  // expected-error @below {{expected D to have the element type of A, 'f16', or f32, but got 'f64'}}
  tile.gemm ins(%a, %b : memref<4x4xf16>, memref<4x4xf16>) outs(%d : memref<4x4xf64>)
  return
}

// -----

func.func @single_from_double(%a: memref<4x4xf64>, %b: memref<4x4xf64>, %d: memref<4x4xf32>) {
  // expected-error @below {{expected D to have the element type of A, 'f64', but got 'f32'}}
  tile.gemm ins(%a, %b : memref<4x4xf64>, memref<4x4xf64>) outs(%d : memref<4x4xf32>)
  return
}

// -----

func.func @half_from_single(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %d: memref<4x4xf16>) {
  // expected-error @below {{expected D to have the element type of A, 'f32', but got 'f16'}}
  tile.gemm ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%d : memref<4x4xf16>)
  return
}

// -----

func.func @eight_bits_from_eight_bits(%a: memref<4x4xf8E4M3FN>, %b: memref<4x4xf8E5M2>, %d: memref<4x4xf8E4M3FN>) {
  // expected-error @below {{expected D to have element type f32, f16 or bf16 for A and B of 8 bits, but got 'f8E4M3FN'}}
  tile.gemm ins(%a, %b : memref<4x4xf8E4M3FN>, memref<4x4xf8E5M2>) outs(%d : memref<4x4xf8E4M3FN>)
  return
}

// -----

func.func @c_of_another_type(%a: memref<4x4xbf16>, %b: memref<4x4xbf16>, %d: memref<4x4xf32>, %c: memref<4x4xbf16>) {
  // expected-error @below {{expected C to have the element type of D, 'f32', but got 'bf16'}}
  tile.gemm ins(%a, %b, %c : memref<4x4xbf16>, memref<4x4xbf16>, memref<4x4xbf16>) outs(%d : memref<4x4xf32>)
  return
}

// -----

func.func @alpha_of_the_elements(%a: memref<4x4xbf16>, %b: memref<4x4xbf16>, %d: memref<4x4xbf16>, %s: bf16) {
  // expected-error @below {{expected alpha of the type that sums have, 'f32', but got 'bf16'}}
  tile.gemm ins(%a, %b : memref<4x4xbf16>, memref<4x4xbf16>) outs(%d : memref<4x4xbf16>) alpha(%s : bf16)
  return
}

// -----

func.func @alpha_of_a_double(%a: memref<4x4xf64>, %b: memref<4x4xf64>, %d: memref<4x4xf64>, %s: f32) {
  // expected-error @below {{expected alpha of the type that sums have, 'f64', but got 'f32'}}
  tile.gemm ins(%a, %b : memref<4x4xf64>, memref<4x4xf64>) outs(%d : memref<4x4xf64>) alpha(%s : f32)
  return
}

// -----

func.func @bytes_of_another_type(%a: memref<4x4xi8>, %b: memref<4x4xf8E5M2>, %d: memref<4x4xi32>) {
  // expected-error @below {{expected B to have the element type of A, 'i8', but got 'f8E5M2'}}
  tile.gemm ins(%a, %b : memref<4x4xi8>, memref<4x4xf8E5M2>) outs(%d : memref<4x4xi32>)
  return
}

// -----

func.func @narrow_sums_of_bytes(%a: memref<4x4xi8>, %b: memref<4x4xi8>, %d: memref<4x4xi8>) {
  // expected-error @below {{expected D to have element type i32 for A and B of i8, but got 'i8'}}
  tile.gemm ins(%a, %b : memref<4x4xi8>, memref<4x4xi8>) outs(%d : memref<4x4xi8>)
  return
}

// -----

func.func @unsigned_bytes(%a: memref<4x4xui8>, %b: memref<4x4xui8>, %d: memref<4x4xi32>) {
  // expected-error @below {{expected A to have element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2 or i8, but got 'ui8'}}
  tile.gemm ins(%a, %b : memref<4x4xui8>, memref<4x4xui8>) outs(%d : memref<4x4xi32>)
  return
}

// -----

func.func @bytes_with_c(%a: memref<4x4xi8>, %b: memref<4x4xi8>, %d: memref<4x4xi32>) {
  // expected-error @below {{expected neither C nor scalars for A and B of i8, but got C}}
  tile.gemm ins(%a, %b, %d : memref<4x4xi8>, memref<4x4xi8>, memref<4x4xi32>) outs(%d : memref<4x4xi32>)
  return
}

// -----

func.func @bytes_with_alpha(%a: memref<4x4xi8>, %b: memref<4x4xi8>, %d: memref<4x4xi32>, %s: f32) {
  // expected-error @below {{expected neither C nor scalars for A and B of i8, but got alpha}}
  tile.gemm ins(%a, %b : memref<4x4xi8>, memref<4x4xi8>) outs(%d : memref<4x4xi32>) alpha(%s : f32)
  return
}
