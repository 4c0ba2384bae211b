// Tensors: bufferized, with what is transposed, broadcast or widened read where it is.
// RUN: %tile-opt %s --linalg-to-tile 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks --allow-empty
// RUN: %check-linalg %s | FileCheck %s --check-prefix=SAME

// A function of one product is an entry itself, with its result as last argument.
// CHECK-LABEL: func.func @product(%arg0: memref<7x5xf32>, %arg1: memref<5x9xf32>, %arg2: memref<7x9xf32>) {
// CHECK-NEXT: tile.gemm ins(%arg0, %arg1 : memref<7x5xf32>, memref<5x9xf32>) outs(%arg2 : memref<7x9xf32>)
// CHECK-NEXT: return
// SAME: @product: 1 launched, as upstream
func.func @product(%A: tensor<7x5xf32>, %B: tensor<5x9xf32>) -> tensor<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<7x9xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<7x9xf32>) -> tensor<7x9xf32>
  %2 = linalg.matmul ins(%A, %B : tensor<7x5xf32>, tensor<5x9xf32>) outs(%1 : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %2 : tensor<7x9xf32>
}

// A weight that is stored the other way round.
// CHECK-LABEL: func.func @linear
// CHECK-NOT: alloc
// CHECK: memref.transpose %arg1
// CHECK: call @linear_gemm
// CHECK-NOT: linalg.
// CHECK-LABEL: func.func @linear_gemm
// CHECK-SAME: memref<5x9xf32, strided<[1, 5]>>
// SAME: @linear: 1 launched, as upstream
func.func @linear(%x: tensor<7x5xf32>, %w: tensor<9x5xf32>) -> tensor<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x9xf32>
  %wt = linalg.transpose ins(%w : tensor<9x5xf32>) outs(%e : tensor<5x9xf32>) permutation = [1, 0]
  %0 = tensor.empty() : tensor<7x9xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<7x9xf32>) -> tensor<7x9xf32>
  %2 = linalg.matmul ins(%x, %wt : tensor<7x5xf32>, tensor<5x9xf32>) outs(%1 : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %2 : tensor<7x9xf32>
}

// The same weight for each of a batch, as torch-mlir writes it.
// CHECK-LABEL: func.func @broadcast_weight
// CHECK-NOT: linalg.
// CHECK: call @broadcast_weight_gemm
// CHECK-LABEL: func.func @broadcast_weight_gemm(%arg0: memref<21x5xf32>, %arg1: memref<5x9xf32>
// SAME: @broadcast_weight: 1 launched, as upstream
func.func @broadcast_weight(%x: tensor<3x7x5xf32>, %w: tensor<5x9xf32>) -> tensor<3x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5x9xf32>
  %wb = linalg.broadcast ins(%w : tensor<5x9xf32>) outs(%e : tensor<3x5x9xf32>) dimensions = [0]
  %0 = tensor.empty() : tensor<3x7x9xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<3x7x9xf32>) -> tensor<3x7x9xf32>
  %2 = linalg.batch_matmul ins(%x, %wb : tensor<3x7x5xf32>, tensor<3x5x9xf32>) outs(%1 : tensor<3x7x9xf32>) -> tensor<3x7x9xf32>
  return %2 : tensor<3x7x9xf32>
}

// Operands that are widened before.
// CHECK-LABEL: func.func @widened_before
// CHECK-NOT: linalg.
// CHECK: tile.gemm {{.*}} memref<7x5xf16>, memref<5x9xf16>
// SAME: @widened_before: 1 launched, as upstream
#id = affine_map<(i, j) -> (i, j)>
func.func @widened_before(%A: tensor<7x5xf16>, %B: tensor<5x9xf16>, %D: tensor<7x9xf32>) -> tensor<7x9xf32> {
  %ea = tensor.empty() : tensor<7x5xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%A : tensor<7x5xf16>) outs(%ea : tensor<7x5xf32>) {
  ^bb0(%x: f16, %o: f32):
    %unused = arith.negf %o : f32
    %y = arith.extf %x : f16 to f32
    linalg.yield %y : f32
  } -> tensor<7x5xf32>
  %eb = tensor.empty() : tensor<5x9xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%B : tensor<5x9xf16>) outs(%eb : tensor<5x9xf32>) {
  ^bb0(%x: f16, %o: f32):
    %y = arith.extf %x : f16 to f32
    linalg.yield %y : f32
  } -> tensor<5x9xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<7x5xf32>, tensor<5x9xf32>) outs(%D : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}

// Two layers with bias and ReLU: two kernels and nothing else.
// REMARK-NOT: remark:
// CHECK-LABEL: func.func @mlp(
// CHECK: call @mlp_gemm(
// CHECK-NOT: linalg.generic
// CHECK: call @mlp_gemm_0(
// CHECK-LABEL: func.func @mlp_gemm(
// CHECK: epilogue (%{{.*}}[n] : memref<9xf32>)
// shapes: @mlp 6x5 5x9 9 9x4 6x4
// SAME: @mlp: 2 launched, as upstream
func.func @mlp(%x: tensor<?x5xf32>, %w1: tensor<5x9xf32>, %b1: tensor<9xf32>, %w2: tensor<9x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x5xf32>
  %e = tensor.empty(%m) : tensor<?x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x9xf32>) -> tensor<?x9xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<?x5xf32>, tensor<5x9xf32>) outs(%f : tensor<?x9xf32>) -> tensor<?x9xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%h, %b1 : tensor<?x9xf32>, tensor<9xf32>) outs(%e : tensor<?x9xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32
  } -> tensor<?x9xf32>
  %e2 = tensor.empty(%m) : tensor<?x4xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x4xf32>) -> tensor<?x4xf32>
  %y = linalg.matmul ins(%r, %w2 : tensor<?x9xf32>, tensor<9x4xf32>) outs(%f2 : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
