// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printing: every form prints as it is read.
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @print
func.func @print(%l: !tile.layout<(4, ?) : (?, 1)>, %i: index, %b: i1, %x: bf16) {
  // CHECK: tile.print "here"
  tile.print "here"
  // CHECK: tile.print "{{[{][{] [{][}] [}][}]: [{][}], [{][}] %[{][}]}}", %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : index,
  tile.print "{{ {} }}: {}, {} %{}", %i, %l, %b, %x : index, !tile.layout<(4, ?) : (?, 1)>, i1, bf16
  return
}
