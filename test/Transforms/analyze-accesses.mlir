// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the analysis says of each kind of access, and when it gives up.
// RUN: tile-opt %s --tile-analyze-accesses -verify-diagnostics -split-input-file -o /dev/null

!view = !tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 4>, predicated, steady>
func.func @full_sectors(%i: !iter, %n: index) {
  // expected-remark @below {{global load, 8 accesses of 16 bytes a thread: 16 sectors a request, 32 of 32 bytes used}}
  // expected-note @below {{for strides that are multiples of 32 bytes}}
  %0 = tile.iterator_load %i : !iter -> vector<32xf32>
  // expected-remark @below {{global store, 8 accesses of 16 bytes}}
  // expected-note @below {{for strides that are multiples of 32 bytes}}
  tile.iterator_store %0, %i : vector<32xf32>, !iter
  // expected-remark @below {{global load, 2 accesses of 16 bytes a thread: 16 sectors a request}}
  // expected-note @below {{for strides that are multiples of 32 bytes}}
  %1 = tile.iterator_load %i accesses [2, 2] : !iter -> vector<8xf32>
  // expected-remark @below {{global load, 8 accesses of 16 bytes}}
  // expected-note @below {{for strides that are multiples of 32 bytes}}
  %2 = tile.iterator_load_with_pointer_offset %i, %n : !iter -> vector<32xf32>
  return
}

// -----

// Nothing is known of the pitch; every element is an access of its own, and the
// lanes of one access are 16 bytes apart.
!view = !tile.view<f32, global, (?, ?{div = 4}) : (?, 1), align = 16>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 4>, predicated, steady>
func.func @narrow(%i: !iter) {
  // expected-remark @below {{global load, 32 accesses of 4 bytes a thread: 16 sectors a request, 8 of 32 bytes used}}
  // expected-note @below {{accesses are not wider: its pitch is known to be a multiple of 1 elements, 4 bytes}}
  // expected-note @below {{for strides that are multiples of 32 bytes}}
  %0 = tile.iterator_load %i : !iter -> vector<32xf32>
  return
}

// -----

// Neighbouring lanes are a row apart.
!view = !tile.view<f32, global, (128, 32) : (32, 1), align = 16>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [128, 32], contiguous = 0, threads = 128, elements = 1>, steady>
func.func @one_sector_a_lane(%i: !iter) {
  // expected-remark @below {{global load, 32 accesses of 4 bytes a thread: 32 sectors a request, 4 of 32 bytes used}}
  // expected-note @below {{accesses are not wider: its thread map has 1 element an access}}
  %0 = tile.iterator_load %i : !iter -> vector<32xf32>
  return
}

// -----

#map = #tile.strip_mined<tile = [64, 8], contiguous = 1, threads = 128, elements = 1>
!meet = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 64)>, #map, steady>
!apart = !tile.iterator<!tile.view<f32, shared, (64, 8) : (1, 68)>, #map, steady>
func.func @banks(%f: vector<4xf32>, %meet: !meet, %apart: !apart) {
  // expected-remark @below {{shared store, 4 accesses of 4 bytes a thread: 8-way bank conflict (lanes 0 and 1 of warp 0 in bank 0), 8 wavefronts a request where 1 would do}}
  // expected-note @below {{accesses are not wider: its thread map has 1 element an access}}
  tile.iterator_store %f, %meet : vector<4xf32>, !meet
  // expected-remark @below {{shared store, 4 accesses of 4 bytes a thread: no bank conflicts, 1 wavefront a request}}
  // expected-note @below {{accesses are not wider: its thread map has 1 element an access}}
  tile.iterator_store %f, %apart : vector<4xf32>, !apart
  return
}

// -----

// A copy has two sides; an asynchronous one is as wide as the narrower one.
#map = #tile.strip_mined<tile = [128, 8], contiguous = 1, threads = 256, elements = 4>
!from = !tile.iterator<!tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>, #map, advance = 1, predicated, residue>
!to = !tile.iterator<!tile.view<f32, shared, (128, 8) : (1, 132), align = 16>, #map, steady>
func.func @copies(%from: !from, %to: !to) {
  // expected-remark @below {{global load, 1 access of 16 bytes a thread: 16 sectors a request, 32 of 32 bytes used}}
  // expected-note @below {{for strides that are multiples of 32 bytes}}
  // expected-remark @below {{shared store, 4 accesses of 4 bytes a thread: no bank conflicts, 1 wavefront a request}}
  // expected-note @below {{accesses are not wider: its stride along the columns is 132, not 1}}
  tile.copy %from, %to : !from, !to
  // expected-remark @below {{global load, 4 accesses of 4 bytes a thread: 16 sectors a request, 8 of 32 bytes used}}
  // expected-note @below {{accesses are not wider: the other side of the copy proves no more}}
  // expected-note @below {{for strides that are multiples of 32 bytes}}
  // expected-remark @below {{shared store, 4 accesses of 4 bytes}}
  // expected-note @below {{accesses are not wider: its stride along the columns is 132, not 1}}
  tile.copy_async %from, %to : !from, !to
  return
}

// -----

!view = !tile.view<f32, shared, (32, 64) : (64, 1), align = 16>
gpu.module @m {
  gpu.func @views(%p: !llvm.ptr<1>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %s = tile.alloc_shared : !view
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %row = arith.remui %t, %c32 : index
    // A number that all threads share moves them all.
    %moved = arith.addi %row, %b : index
    // expected-remark @below {{shared load, 1 access of 4 bytes a thread: 32-way bank conflict (lanes 0 and 1 of warp 0 in bank 3), 32 wavefronts a request where 1 would do}}
    %0 = tile.view_load %s(%moved, 3) : !view -> f32
    scf.for %i = %c0 to %n step %c1 {
      %column = arith.addi %t, %i : index
      // expected-remark @below {{shared store, 1 access of 4 bytes a thread: no bank conflicts, 1 wavefront a request}}
      tile.view_store %0, %s(%i, %column) : f32, !view
    }
    // Anything else than a sum is not known.
    %product = arith.muli %t, %n : index
    // expected-remark @below {{nothing is known of this access: its coordinate does not follow from the thread's number, because of 'arith.muli'}}
    %1 = tile.view_load %s(%product, 0) : !view -> f32
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (index) {
      // expected-remark @below {{nothing is known of this access: its coordinate does not follow from the thread's number}}
      %2 = tile.view_load %s(%x, 0) : !view -> f32
      scf.yield %x : index
    }
    gpu.return
  }
}

// -----

!view = !tile.view<f32, shared, (32, 64) : (64, 1), align = 16>
func.func @no_block(%s: !view, %i: index) {
  // expected-remark @below {{nothing is known of this access: the threads of a block are known in kernels with a known_block_size along x}}
  %0 = tile.view_load %s(%i, 3) : !view -> f32
  return
}

// -----

!view = !tile.view<f32, shared, (32, 64) : (?, 1), align = 16>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [32, 64], contiguous = 1, threads = 128, elements = 4>, steady>
func.func @pitch_of_shared_memory(%i: !iter) {
  // expected-remark @below {{nothing is known of this access: bank conflicts follow from strides that are known when it is compiled, but this view has the layout (32, 64) : (?, 1)}}
  %0 = tile.iterator_load %i : !iter -> vector<16xf32>
  return
}

// -----

// Divisors that no pitch can have, and a map whose last lanes have nothing to do.
!view = !tile.view<f32, global, (?, ?) : (?{div = 4611686018427387904}, 1)>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 1>, predicated, steady>
func.func @overflow(%i: !iter) {
  // expected-remark @below {{nothing is known of this access: }}
  %0 = tile.iterator_load %i : !iter -> vector<32xf32>
  return
}

// -----

!view = !tile.view<f32, global, (64, 16) : (16, 1), align = 16>
!iter = !tile.iterator<!view, #tile.strip_mined<tile = [10, 16], contiguous = 1, threads = 32, elements = 4, coverage = padded>, predicated, steady>
func.func @padded(%i: !iter) {
  // The second access of half the lanes lies beyond the tile.
  // expected-remark @below {{global load, 2 accesses of 16 bytes a thread: 10 sectors a request, 32 of 32 bytes used}}
  %0 = tile.iterator_load %i : !iter -> vector<8xf32>
  return
}

// -----

// A view that runs backwards, one that stands still, and one that 64 bits cannot
// count.
#map = #tile.strip_mined<tile = [8, 64], contiguous = 1, threads = 32, elements = 4>
!back = !tile.iterator<!tile.view<f32, shared, (64, 64) : (-65, 1), align = 4>, #map, steady>
!down = !tile.iterator<!tile.view<f32, shared, (64, 64) : (1, -32), align = 4>, #map, steady>
!still = !tile.iterator<!tile.view<f32, global, (64, 64) : (0, 0), align = 4>, #map, steady>
!far = !tile.iterator<!tile.view<f32, global, (64, 64) : (4611686018427387904, 1), align = 4>, #map, steady>
func.func @strides(%back: !back, %down: !down, %still: !still, %far: !far) {
  // expected-remark @below {{shared load, 16 accesses of 4 bytes a thread: 2-way bank conflict (lanes 0 and 8 of warp 0 in bank 0), 2 wavefronts a request where 1 would do}}
  // expected-note @below {{accesses are not wider: its base address is known to be a multiple of 4 bytes}}
  %0 = tile.iterator_load %back : !back -> vector<16xf32>
  // expected-remark @below {{shared load, 16 accesses of 4 bytes a thread: 16-way bank conflict (lanes}}
  // expected-note @below {{accesses are not wider: its stride along the columns is -32, not 1}}
  %1 = tile.iterator_load %down : !down -> vector<16xf32>
  // expected-remark @below {{global load, 16 accesses of 4 bytes a thread: 1 sector a request, 4 of 32 bytes used}}
  // expected-note @below {{accesses are not wider: its stride along the columns is 0, not 1}}
  %2 = tile.iterator_load %still : !still -> vector<16xf32>
  // expected-remark @below {{nothing is known of this access: }}
  %3 = tile.iterator_load %far : !far -> vector<16xf32>
  return
}

// -----

// A swizzle keeps lanes apart that would meet without it; indices are unknown.
#rows = #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 8>
#down = #tile.tv_map<tile = [64, 64], layout = ((64), (8, 8)) : ((1@e0), (1@e1, 8@e1))>
!plain = !tile.iterator<!tile.view<f16, shared, (64, 64) : (64, 1), align = 1024>, #down, steady>
!swizzled = !tile.iterator<!tile.view<f16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>, #down, steady>
!list = !tile.view<i32, global, (?) : (1)>
!gather = !tile.iterator<!tile.view<f16, global, (64, 64) : (64, 1), align = 16>, #rows, predicated, steady, gather = #tile.gather<dim = 0, indices = !list>>
!permuted = !tile.iterator<!tile.view<f32, shared, (64, 64) : (64, 1)>, #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 1>, steady, permute = [(64, 64) : (64, 1)]>
func.func @kinds(%plain: !plain, %swizzled: !swizzled, %gather: !gather, %permuted: !permuted) {
  // expected-remark @below {{shared load, 8 accesses of 16 bytes a thread: 8-way bank conflict (lanes 0 and 1 of warp 0 in bank 0), 32 wavefronts a request where 4 would do}}
  %0 = tile.iterator_load %plain : !plain -> vector<64xf16>
  // expected-remark @below {{shared load, 8 accesses of 16 bytes a thread: no bank conflicts, 4 wavefronts a request}}
  %1 = tile.iterator_load %swizzled : !swizzled -> vector<64xf16>
  // expected-remark @below {{nothing is known of this access: its coordinates are looked up when it runs}}
  %2 = tile.iterator_load %gather : !gather -> vector<32xf16>
  // expected-remark @below {{shared load, 32 accesses of 4 bytes a thread: 32-way bank conflict}}
  // expected-note @below {{accesses are not wider: its thread map has 1 element an access}}
  %3 = tile.iterator_load %permuted : !permuted -> vector<32xf32>
  return
}

// -----

// Registers are no memory, and another block's shared memory is not the warp's.
!registers = !tile.view<f32, register, (4, 2) : (1, 4)>
!elsewhere = !tile.view<f32, cluster, (64, 64) : (64, 1)>
!iter = !tile.iterator<!elsewhere, #tile.strip_mined<tile = [64, 64], contiguous = 1, threads = 128, elements = 1>, steady>
func.func @spaces(%r: !registers, %i: !iter) {
  %0 = tile.view_load %r(1, 1) : !registers -> f32
  // expected-remark @below {{nothing is known of this access: it is in cluster memory, not in global memory or the block's own}}
  %1 = tile.iterator_load %i : !iter -> vector<32xf32>
  return
}

// -----

// A warp's loads of matrices: rows of 16 bytes from eight lanes at a time. In the
// plain view every one of them lies in the same banks.
!plain = !tile.view<f16, shared, (64, 64) : (64, 1), align = 1024>
!swizzled = !tile.view<f16, shared, S<3, 3, 3> o 0 o (64, 64) : (64, 1), align = 1024>
func.func @matrices(%plain: !plain, %swizzled: !swizzled, %m: index, %lane: index) {
  // expected-remark @below {{shared load, 2 accesses of 16 bytes a thread: 8-way bank conflict (lanes 0 and 1 of warp 0 in bank 0), 32 wavefronts a request where 4 would do}}
  %0 = tile.load_matrix %plain(%m {div = 16}, 0), %lane tile [32, 16] : !plain -> vector<16xf16>
  // expected-remark @below {{shared load, 2 accesses of 16 bytes a thread: no bank conflicts, 4 wavefronts a request}}
  %1 = tile.load_matrix %swizzled(%m {div = 16}, 0), %lane tile [32, 16] : !swizzled -> vector<16xf16>
  // expected-remark @below {{shared load, 1 access of 16 bytes a thread: no bank conflicts, 2 wavefronts a request}}
  %2 = tile.load_matrix %swizzled(%m {div = 16}, 16), %lane tile [16, 8] : !swizzled -> vector<4xf16>
  return
}

// -----

// Mapped iterators: one step; the pixels under a filter, 32 channels each.
!x = !tile.view<f16, global, (?, ?, ?, ?{div = 8}) : (?{div = 8}, ?{div = 8}, ?{div = 8}, 1), align = 16>
!A = !tile.iterator<!x,
  #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
  coords ((?, ?, ?), (32, 3, 3, ?)) : ((1@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 32@e3)), advance = 1, masked>
!shared = !tile.iterator<!tile.view<f16, shared, (64, 32) : (32, 1), align = 16>,
  #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>, steady>
!D = !tile.iterator<!tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>,
  #tile.output_tile<shape = [64, 8, 2, 1, 1], count = [1, 4, 1, 1, 4], threads = 128, elements = 4, bits = 32>,
  steps = 4, advance = 0, masked>
!rows = !tile.iterator<!tile.view<f32, global, (?, ?{div = 4}) : (?{div = 4}, 1), align = 16>,
  #tile.output_tile<shape = [64, 8, 2, 1, 1], count = [1, 4, 1, 1, 4], threads = 128, elements = 4, bits = 32>,
  steps = 4, advance = 0, gather = #tile.gather<dim = 0, indices = !tile.view<i32, global, (?) : (1)>>, masked>
!strided = !tile.iterator<!x,
  #tile.warp_raked<tile = [64, 32], contiguous = 1, threads = 64, warp = [4, 8], elements = 8>,
  coords ((?, ?, ?), (32, 3, 3, ?)) : ((?@e2, 1@e1, 1@e0), (1@e3, 1@e2, 1@e1, 32@e3)), advance = 1, masked>
func.func @mapped(%a: !A, %s: !shared, %d: !D, %rows: !rows, %strided: !strided) {
  // expected-remark @below {{global load, 4 accesses of 16 bytes a thread: 16 sectors a request, 32 of 32 bytes used}}
  // expected-note @below {{for strides that are multiples of 32 bytes}}
  %0 = tile.iterator_load %a : !A -> vector<32xf16>
  // expected-remark @below {{global load, 4 accesses of 16 bytes a thread: 16 sectors a request}}
  // expected-note @below {{for strides that are multiples of 32 bytes}}
  // expected-remark @below {{shared store, 4 accesses of 16 bytes a thread}}
  tile.copy_async %a, %s : !A, !shared
  // expected-remark @below {{global load, 2 accesses of 16 bytes a thread: 16 sectors a request, 32 of 32 bytes used}}
  // expected-note @below {{for strides that are multiples of 32 bytes}}
  %1 = tile.iterator_load %d : !D -> vector<8xf32>
  // expected-remark @below {{global store, 2 accesses of 16 bytes a thread}}
  // expected-note @below {{for strides that are multiples of 32 bytes}}
  tile.iterator_store %1, %d : vector<8xf32>, !D
  // expected-remark @below {{nothing is known of this access: its coordinates are looked up when it runs}}
  %2 = tile.iterator_load %rows : !rows -> vector<8xf32>
  // expected-remark @below {{nothing is known of this access: the steps of its coordinates are known at run time only}}
  %3 = tile.iterator_load %strided : !strided -> vector<32xf16>
  return
}
