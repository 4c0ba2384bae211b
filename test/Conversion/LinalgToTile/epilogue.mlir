// Element-wise operations on the result of a contraction become its epilogue.
// RUN: %tile-opt %s --linalg-to-tile 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks --implicit-check-not=remark:
// RUN: %check-linalg %s | FileCheck %s --check-prefix=SAME

// Each of a chain, with a bias that is broadcast before, and constants in tensors; at its
// end a narrower type, which is that of D.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT: tile.gemm ins(%arg0, %arg1 : memref<7x5xbf16>, memref<5x9xbf16>) outs(%arg3 : memref<7x9xbf16>) epilogue (%arg2[n] : memref<9xf32>) {
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: f32):
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-DAG: %[[HALF:.*]] = arith.constant 5.0
// CHECK-DAG: %[[X:.*]] = arith.addf %[[SUM]], %[[BIAS]]
// CHECK-DAG: %[[Y:.*]] = arith.mulf %[[X]], %[[HALF]]
// CHECK: %[[Z:.*]] = arith.maximumf %[[Y]], %[[ZERO]]
// CHECK: %[[D:.*]] = arith.truncf %[[Z]] : f32 to bf16
// CHECK: tile.yield %[[D]] : bf16
// SAME: @chain: 1 launched, as upstream
func.func @chain(%A: tensor<7x5xbf16>, %B: tensor<5x9xbf16>, %bias: tensor<9xf32>) -> tensor<7x9xbf16> {
  %zero = arith.constant 0.0 : f32
  %halves = arith.constant dense<0.5> : tensor<7x9xf32>
  %e = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %0 = linalg.matmul ins(%A, %B : tensor<7x5xbf16>, tensor<5x9xbf16>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %b = linalg.broadcast ins(%bias : tensor<9xf32>) outs(%e : tensor<7x9xf32>) dimensions = [0]
  %1 = linalg.add ins(%0, %b : tensor<7x9xf32>, tensor<7x9xf32>) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %2 = linalg.mul ins(%1, %halves : tensor<7x9xf32>, tensor<7x9xf32>) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %3 = linalg.max ins(%2, %f : tensor<7x9xf32>, tensor<7x9xf32>) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %d = tensor.empty() : tensor<7x9xbf16>
  %4 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%3 : tensor<7x9xf32>) outs(%d : tensor<7x9xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<7x9xbf16>
  return %4 : tensor<7x9xbf16>
}

// A bias with which the sum begins, and no element-wise operation.
// CHECK-LABEL: func.func @begins_with_bias(
// CHECK-NEXT: tile.gemm ins(%arg0, %arg1 : {{.*}}) outs(%arg3 : memref<7x9xf32>) epilogue (%arg2[n] : memref<9xf32>) {
// SAME: @begins_with_bias: 1 launched, as upstream
func.func @begins_with_bias(%A: tensor<7x5xf32>, %B: tensor<5x9xf32>, %bias: tensor<9xf32>) -> tensor<7x9xf32> {
  %e = tensor.empty() : tensor<7x9xf32>
  %b = linalg.broadcast ins(%bias : tensor<9xf32>) outs(%e : tensor<7x9xf32>) dimensions = [0]
  %0 = linalg.matmul ins(%A, %B : tensor<7x5xf32>, tensor<5x9xf32>) outs(%b : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %0 : tensor<7x9xf32>
}

// The other sum is C.
// CHECK-LABEL: func.func @sum_of_two_gemm(
// CHECK-NEXT: tile.gemm ins(%arg0, %arg1 : {{.*}}) outs(%arg2 :
// CHECK-LABEL: func.func @sum_of_two_gemm_0(
// CHECK-NEXT: tile.gemm ins(%arg0, %arg1, %arg2 : {{.*}}) outs(%arg3 : {{.*}}) epilogue {
// SAME: @sum_of_two: 2 launched, as upstream
func.func @sum_of_two(%A: tensor<7x5xf32>, %B: tensor<5x9xf32>, %E: tensor<5x9xf32>) -> tensor<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %0 = linalg.matmul ins(%A, %B : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %1 = linalg.matmul ins(%A, %E : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %2 = linalg.add ins(%0, %1 : tensor<7x9xf32>, tensor<7x9xf32>) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %2 : tensor<7x9xf32>
}

// A value that is read twice on the way, as in x * sigmoid(x), and rows' factors.
// CHECK-LABEL: func.func @read_twice(
// CHECK-NEXT: tile.gemm {{.*}} epilogue (%arg2[m] : memref<7xf32>) {
// CHECK: arith.divf
// CHECK: arith.mulf
// SAME: @read_twice: 1 launched, as upstream
// near: @read_twice
func.func @read_twice(%A: tensor<7x5xf32>, %B: tensor<5x9xf32>, %rows: tensor<7xf32>) -> tensor<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %ones = arith.constant dense<1.0> : tensor<7x9xf32>
  %e = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %h = linalg.matmul ins(%A, %B : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %r = linalg.broadcast ins(%rows : tensor<7xf32>) outs(%e : tensor<7x9xf32>) dimensions = [1]
  %x = linalg.mul ins(%h, %r : tensor<7x9xf32>, tensor<7x9xf32>) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %n = linalg.negf ins(%x : tensor<7x9xf32>) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %p = linalg.exp ins(%n : tensor<7x9xf32>) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %q = linalg.add ins(%p, %ones : tensor<7x9xf32>, tensor<7x9xf32>) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %s = linalg.div ins(%ones, %q : tensor<7x9xf32>, tensor<7x9xf32>) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %y = linalg.mul ins(%x, %s : tensor<7x9xf32>, tensor<7x9xf32>) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %y : tensor<7x9xf32>
}

// A result that is written the other way round is D with strides (1, pitch).
// CHECK-LABEL: func.func @transposed_gemm(
// CHECK-SAME: memref<7x9xf16, strided<[1, 7]>>
// CHECK: tile.gemm {{.*}} epilogue
// SAME: @transposed: 1 launched, as upstream
func.func @transposed(%A: tensor<7x5xf16>, %B: tensor<5x9xf16>) -> tensor<9x7xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<7x9xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<7x9xf16>) -> tensor<7x9xf16>
  %h = linalg.matmul ins(%A, %B : tensor<7x5xf16>, tensor<5x9xf16>) outs(%f : tensor<7x9xf16>) -> tensor<7x9xf16>
  %d = tensor.empty() : tensor<9x7xf16>
  %t = linalg.transpose ins(%h : tensor<7x9xf16>) outs(%d : tensor<9x7xf16>) permutation = [1, 0]
  return %t : tensor<9x7xf16>
}

// Arithmetic on narrow floats is done on wide ones and rounded, each time.
// CHECK-LABEL: func.func @narrow(
// CHECK: ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: f16):
// CHECK: %[[H:.*]] = arith.truncf %[[SUM]] : f32 to f16
// CHECK-DAG: %[[W:.*]] = arith.extf %[[H]] : f16 to f32
// CHECK-DAG: %[[V:.*]] = arith.extf %[[BIAS]] : f16 to f32
// CHECK: %[[X:.*]] = arith.addf %[[W]], %[[V]] : f32
// CHECK: arith.truncf %[[X]] : f32 to f16
// SAME: @narrow: 1 launched, as upstream
func.func @narrow(%A: tensor<7x5xf16>, %B: tensor<5x9xf16>, %bias: tensor<9xf16>) -> tensor<7x9xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<7x9xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<7x9xf16>) -> tensor<7x9xf16>
  %h = linalg.matmul ins(%A, %B : tensor<7x5xf16>, tensor<5x9xf16>) outs(%f : tensor<7x9xf16>) -> tensor<7x9xf16>
  %b = linalg.broadcast ins(%bias : tensor<9xf16>) outs(%e : tensor<7x9xf16>) dimensions = [0]
  %x = linalg.add ins(%h, %b : tensor<7x9xf16>, tensor<7x9xf16>) outs(%e : tensor<7x9xf16>) -> tensor<7x9xf16>
  return %x : tensor<7x9xf16>
}

// What is returned as well has to be written; the rest of the chain stays.
// REMARK: remark: stays as it is, and is not in the epilogue of a GEMM: expected a result of the GEMM that nothing else reads, but got a memref that is visible outside of the function
// CHECK-LABEL: func.func @seen(
// CHECK: linalg.exp
// CHECK-LABEL: func.func @seen_gemm(
// CHECK: math.absf
// SAME: @seen: 1 launched, as upstream
// near: @seen
func.func @seen(%A: tensor<7x5xf32>, %B: tensor<5x9xf32>) -> (tensor<7x9xf32>, tensor<7x9xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %h = linalg.matmul ins(%A, %B : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %a = linalg.abs ins(%h : tensor<7x9xf32>) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %x = linalg.exp ins(%a : tensor<7x9xf32>) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  return %a, %x : tensor<7x9xf32>, tensor<7x9xf32>
}

// A factor that is a scalar of the program, and an operation that no epilogue knows.
// REMARK: remark: {{.*}} expected values of the body and constants, but got one that is known when the program runs
// REMARK: remark: {{.*}} expected an operation of arith or math on floats that an epilogue knows
// SAME: @scaled: 1 launched, as upstream
// SAME: @sine: 1 launched, as upstream
// near: @sine
func.func @scaled(%A: tensor<7x5xf32>, %B: tensor<5x9xf32>, %s: tensor<f32>) -> tensor<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %factor = tensor.extract %s[] : tensor<f32>
  %e = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %h = linalg.matmul ins(%A, %B : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%h : tensor<7x9xf32>) outs(%e : tensor<7x9xf32>) {
  ^bb0(%v: f32, %o: f32):
    %w = arith.mulf %v, %factor : f32
    linalg.yield %w : f32
  } -> tensor<7x9xf32>
  return %x : tensor<7x9xf32>
}
func.func @sine(%A: tensor<7x5xf32>, %B: tensor<5x9xf32>) -> tensor<7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
  %h = linalg.matmul ins(%A, %B : tensor<7x5xf32>, tensor<5x9xf32>) outs(%f : tensor<7x9xf32>) -> tensor<7x9xf32>
  %x = linalg.map {math.sin} ins(%h : tensor<7x9xf32>) outs(%e : tensor<7x9xf32>)
  return %x : tensor<7x9xf32>
}
