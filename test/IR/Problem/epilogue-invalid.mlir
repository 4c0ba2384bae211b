// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is no epilogue: one located sentence each.
// RUN: tile-opt %s --split-input-file --verify-diagnostics

!m = memref<8x8xf32>
func.func @unknown_index(%a: !m, %v: memref<8xf32>) {
  // expected-error @below {{expected the index batch, m or n, but got k}}
  tile.gemm ins(%a, %a : !m, !m) outs(%a : !m) epilogue(%v[k] : memref<8xf32>) {
  ^bb0(%s: f32, %x: f32):
    tile.yield %s : f32
  }
  return
}

// -----

!m = memref<8x4xf32>
func.func @wrong_dimension(%a: memref<8x8xf32>, %b: memref<8x4xf32>, %v: memref<8xf32>, %d: !m) {
  // expected-error @below {{expected operand 0 of the epilogue to have the extent of D along n, 4, but got 8}}
  tile.gemm ins(%a, %b : memref<8x8xf32>, memref<8x4xf32>) outs(%d : !m) epilogue(%v[n] : memref<8xf32>) {
  ^bb0(%s: f32, %x: f32):
    tile.yield %s : f32
  }
  return
}

// -----

!m = memref<8x8xf32>
func.func @rank(%a: !m) {
  // expected-error @below {{expected operand 0 of the epilogue to have an index for each of its dimensions, 2, but got 1}}
  tile.gemm ins(%a, %a : !m, !m) outs(%a : !m) epilogue(%a[n] : !m) {
  ^bb0(%s: f32, %x: f32):
    tile.yield %s : f32
  }
  return
}

// -----

!m = memref<8x8xf32>
func.func @twice(%a: !m) {
  // expected-error @below {{expected operand 0 of the epilogue to have each of batch, m and n once at most}}
  tile.gemm ins(%a, %a : !m, !m) outs(%a : !m) epilogue(%a[n, n] : !m) {
  ^bb0(%s: f32, %x: f32):
    tile.yield %s : f32
  }
  return
}

// -----

!m = memref<8x8xf32>
func.func @no_batches(%a: !m, %v: memref<8xf32>) {
  // expected-error @below {{expected operand 0 of the epilogue without the index batch, as D has no batches}}
  tile.gemm ins(%a, %a : !m, !m) outs(%a : !m) epilogue(%v[batch] : memref<8xf32>) {
  ^bb0(%s: f32, %x: f32):
    tile.yield %s : f32
  }
  return
}

// -----

!m = memref<8x8xf32>
func.func @scalar(%a: !m, %v: memref<f32>) {
  // expected-error @below {{expected operand 0 of the epilogue to have an index, but got none}}
  tile.gemm ins(%a, %a : !m, !m) outs(%a : !m) epilogue(%v[] : memref<f32>) {
  ^bb0(%s: f32, %x: f32):
    tile.yield %s : f32
  }
  return
}

// -----

!m = memref<8x8xf32>
func.func @integers(%a: !m, %v: memref<8xi32>) {
  // expected-error @below {{expected operand 0 of the epilogue to have element type f64, f32, f16 or bf16, but got 'i32'}}
  tile.gemm ins(%a, %a : !m, !m) outs(%a : !m) epilogue(%v[n] : memref<8xi32>) {
  ^bb0(%s: f32, %x: i32):
    tile.yield %s : f32
  }
  return
}

// -----

!m = memref<8x8xf32>
func.func @arguments(%a: !m, %v: memref<8xbf16>) {
  // expected-error @below {{expected an epilogue of the sum and an element of each operand, ('f32', 'bf16'), but got ('f32')}}
  tile.gemm ins(%a, %a : !m, !m) outs(%a : !m) epilogue(%v[n] : memref<8xbf16>) {
  ^bb0(%s: f32):
    tile.yield %s : f32
  }
  return
}

// -----

!m = memref<8x8xf32>
func.func @arguments_with_c(%a: !m) {
  // expected-error @below {{expected an epilogue of the sum, the element of C and an element of each operand, ('f32', 'f32'), but got ('f32')}}
  tile.gemm ins(%a, %a, %a : !m, !m, !m) outs(%a : !m) epilogue {
  ^bb0(%s: f32):
    tile.yield %s : f32
  }
  return
}

// -----

!m = memref<8x8xf32>
func.func @beta(%a: !m, %x: f32) {
  // expected-error @below {{expected no beta with an epilogue, whose region has the element of C}}
  tile.gemm ins(%a, %a, %a : !m, !m, !m) outs(%a : !m) beta(%x : f32) epilogue {
  ^bb0(%s: f32, %c: f32):
    tile.yield %s : f32
  }
  return
}

// -----

!m = memref<8x8xbf16>
func.func @element(%a: !m) {
  tile.gemm ins(%a, %a : !m, !m) outs(%a : !m) epilogue {
  ^bb0(%s: f32):
    // expected-error @below {{expected an element of D, 'bf16', but got 'f32'}}
    tile.yield %s : f32
  }
  return
}

// -----

!m = memref<8x8xf32>
func.func @captured(%a: !m, %x: f32) {
  // expected-note @below {{required by region isolation constraints}}
  tile.gemm ins(%a, %a : !m, !m) outs(%a : !m) epilogue {
  ^bb0(%s: f32):
    // expected-error @below {{using value defined outside the region}}
    %y = arith.addf %s, %x : f32
    tile.yield %y : f32
  }
  return
}

// -----

!m = memref<8x8xf32>
func.func @side_effect(%a: !m) {
  tile.gemm ins(%a, %a : !m, !m) outs(%a : !m) epilogue {
  ^bb0(%s: f32):
    // expected-error @below {{expected an operation of arith or math on floats that an epilogue knows}}
    gpu.printf "x"
    tile.yield %s : f32
  }
  return
}

// -----

!m = memref<8x8xf32>
func.func @unknown_function(%a: !m) {
  tile.gemm ins(%a, %a : !m, !m) outs(%a : !m) epilogue {
  ^bb0(%s: f32):
    // expected-error @below {{expected an operation of arith or math on floats that an epilogue knows}}
    %y = math.sinh %s : f32
    tile.yield %y : f32
  }
  return
}

// -----

!m = memref<8x8xbf16>
func.func @narrow(%a: !m, %v: memref<8xbf16>) {
  tile.gemm ins(%a, %a : !m, !m) outs(%a : !m) epilogue(%v[n] : memref<8xbf16>) {
  ^bb0(%s: f32, %b: bf16):
    %h = arith.truncf %s : f32 to bf16
    // expected-error @below {{expected arithmetic of 'f32', the type of the sums, or wider in an epilogue, but got 'bf16': extend the operands first}}
    %y = arith.addf %h, %b : bf16
    tile.yield %y : bf16
  }
  return
}

// -----

!m = memref<8x8xf64>
func.func @narrow_beside_f64(%a: !m) {
  tile.gemm ins(%a, %a : !m, !m) outs(%a : !m) epilogue {
  ^bb0(%s: f64):
    %h = arith.truncf %s : f64 to f32
    // expected-error @below {{expected arithmetic of 'f64', the type of the sums, or wider in an epilogue, but got 'f32': extend the operands first}}
    %y = math.exp %h : f32
    %e = arith.extf %y : f32 to f64
    tile.yield %e : f64
  }
  return
}

// -----

!m = memref<8x8xbf16>
func.func @rounding(%a: !m) {
  tile.gemm ins(%a, %a : !m, !m) outs(%a : !m) epilogue {
  ^bb0(%s: f32):
    // expected-error @below {{expected rounding to nearest even in an epilogue, but got upward}}
    %y = arith.truncf %s upward : f32 to bf16
    tile.yield %y : bf16
  }
  return
}

// -----

!m = memref<8x8xf32>
func.func @vector(%a: !m) {
  tile.gemm ins(%a, %a : !m, !m) outs(%a : !m) epilogue {
  ^bb0(%s: f32):
    // expected-error @below {{expected elements of f64, f32, f16, bf16 or i1 in an epilogue, but got 'vector<4xf32>'}}
    %y = arith.constant dense<1.0> : vector<4xf32>
    tile.yield %s : f32
  }
  return
}

// -----

!m = memref<8x8xi8>
func.func @of_integers(%a: !m, %d: memref<8x8xi32>) {
  // expected-error @below {{expected no epilogue for A and B of 'i8'}}
  tile.gemm ins(%a, %a : !m, !m) outs(%d : memref<8x8xi32>) epilogue {
  ^bb0(%s: i32):
    tile.yield %s : i32
  }
  return
}

// -----

!m = memref<8x8xf32>
func.func @launched(%a: !m) {
  // expected-error @below {{expected an expression as epilogue: expected the number of a value below 2, but got '2'}}
  tile.launch [@k::@f] ins(%a, %a : !m, !m) outs(%a : !m) epilogue "f32 | neg 0 | add 0 2"
  return
}
gpu.module @k {
  gpu.func @f() kernel {
    gpu.return
  }
}

// -----

!m = memref<8x8xf32>
func.func @launched_arguments(%a: !m) {
  // expected-error @below {{expected an epilogue of 1 arguments, but got 2}}
  tile.launch [@k::@f] ins(%a, %a : !m, !m) outs(%a : !m) epilogue "f32 f32 | add 0 1"
  return
}
gpu.module @k {
  gpu.func @f() kernel {
    gpu.return
  }
}
