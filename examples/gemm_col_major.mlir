// D = A * B where A and D are column-major, as in BLAS and Fortran, and B is
// row-major. Only the types say so: there are no transpose flags.
//
//   tile-run gemm_col_major.mlir --random 200,100,300 --check
!row = memref<?x?xf32, strided<[?, 1], offset: ?>>
!column = memref<?x?xf32, strided<[1, ?], offset: ?>>

func.func @gemm(%A: !column, %B: !row, %D: !column) {
  tile.gemm ins(%A, %B : !column, !row) outs(%D : !column)
  return
}
