// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever is wrong in launch facts is one located error with the nearest name.
// RUN: tile-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expected a field of the launch facts, such as 'requires', but got 'requirez'}}
#a = #tile.launch_facts<parameters = [A.data], requirez = []>

// -----

// expected-error @+1 {{expected a field of grid, such as 'persistent', but got 'presistent'}}
#a = #tile.launch_facts<grid = {tile = [64, 64], presistent = true}>

// -----

// expected-error @+3 {{expected a field of requires, such as 'alignment', but got 'align'}}
#a = #tile.launch_facts<
  parameters = [A.data],
  requires = [{operand = A, align = 16}]>

// -----

// expected-error @+1 {{expected a field of tensor_maps, such as 'swizzle', but got 'swizle'}}
#a = #tile.launch_facts<tensor_maps = [{operand = A, swizle = 32}]>

// -----

// expected-error @+1 {{expected a field of cost, such as 'k_ns', but got 'k_n'}}
#a = #tile.launch_facts<cost = {k_n = 1.0}>

// -----

// expected-error @+1 {{expected a field of cost, fixed_ns, tile_ns, k_ns, bytes_ns or slots, but got 'microseconds'}}
#a = #tile.launch_facts<cost = {microseconds = 1.0}>

// -----

// expected-error @+1 {{expected no 'shared_bytes' among the launch facts, since the kernel tells it}}
#a = #tile.launch_facts<shared_bytes = 64>

// -----

// expected-error @+1 {{expected each field once, but got 'grid' again}}
#a = #tile.launch_facts<grid = {tile = [1, 1]}, grid = {tile = [1, 1]}>

// -----

// expected-error @+1 {{expected a field of the launch facts, schedule, cluster, grid, programmatic_launch, factors, parameters, requires, tensor_maps or cost}}
#a = #tile.launch_facts<"grid">

// -----

// Values of another type.

// expected-error @+1 {{expected an integer from 1 to 1048576 for 'requires[0].alignment', but got the string "16"}}
#a = #tile.launch_facts<parameters = [A.data], requires = [{operand = A, alignment = "16"}]>

// -----

// expected-error @+1 {{expected an integer from 1 to 1048576 for 'requires[0].alignment', but got 0}}
#a = #tile.launch_facts<parameters = [A.data], requires = [{operand = A, alignment = 0}]>

// -----

// expected-error @+1 {{expected an integer from 1 to 65536 for 'grid.split', but got 2.500000e+00 : f64}}
#a = #tile.launch_facts<grid = {tile = [1, 1], split = 2.5}>

// -----

// expected-error @+1 {{expected true or false for 'grid.persistent', but got 1 : i64}}
#a = #tile.launch_facts<grid = {tile = [1, 1], persistent = 1}>

// -----

// expected-error @+1 {{expected a number of at least 0 for 'cost.tile_ns', but got -1}}
#a = #tile.launch_facts<cost = {tile_ns = -1}>

// -----

// expected-error @+1 {{expected a list in square brackets for 'grid.tile', but got 64 : i64}}
#a = #tile.launch_facts<grid = {tile = 64}>

// -----

// expected-error @+1 {{expected 2 integers for 'grid.tile', but got 3}}
#a = #tile.launch_facts<grid = {tile = [64, 64, 8]}>

// -----

// expected-error @+1 {{expected a record in braces for 'grid', but got a list}}
#a = #tile.launch_facts<grid = [64, 64]>

// -----

// expected-error @+1 {{expected a record in braces for 'requires[0]', but got the string "A"}}
#a = #tile.launch_facts<requires = ["A"]>

// -----

// expected-error @+1 {{expected a string in quotes for 'schedule', but got 'simt'}}
#a = #tile.launch_facts<schedule = simt>

// -----

// expected-error @+1 {{expected a string without NUL for 'schedule', but got one}}
#a = #tile.launch_facts<schedule = "a\00b">

// -----

// expected-error @+1 {{expected a parameter such as A.data, without quotes, for 'parameters[0]', but got the string "A.data"}}
#a = #tile.launch_facts<parameters = ["A.data"]>

// -----

// Names.

// expected-error @+1 {{expected a parameter such as 'A.stride[0]' for 'parameters[1]', but got 'A.strid[0]'}}
#a = #tile.launch_facts<parameters = [A.data, A.strid[0]]>

// -----

// expected-error @+1 {{expected a parameter such as 'alpha' for 'parameters[0]', but got 'alhpa'}}
#a = #tile.launch_facts<parameters = [alhpa]>

// -----

// expected-error @+1 {{expected a parameter of A, B, C or D for 'parameters[0]', but got E.data}}
#a = #tile.launch_facts<grid = {tile = [1, 1]}, parameters = [E.data]>

// -----

// expected-error @+2 {{expected A, B, C or D for 'requires[0].operand', but got E}}
#a = #tile.launch_facts<grid = {tile = [1, 1]}, parameters = [A.data], requires = [
  {operand = E}]>

// -----

// expected-error @+1 {{expected an operand among the parameters, A or D for 'requires[0].operand', but got B}}
#a = #tile.launch_facts<grid = {tile = [1, 1]}, parameters = [A.data, D.data], requires = [{operand = B}]>

// -----

// expected-error @+1 {{expected an operand that tensor_maps describes for 'parameters[0]', but got A.tensor_map}}
#a = #tile.launch_facts<parameters = [A.tensor_map]>

// -----

// expected-error @+1 {{expected an operand without another tensor map for 'tensor_maps[1].operand', but got A}}
#a = #tile.launch_facts<tensor_maps = [{operand = A, contiguous = 1, box = [8, 8]}, {operand = A, contiguous = 1, box = [8, 8]}]>

// -----

// expected-error @+1 {{expected 0 or 1 for 'tensor_maps[0].contiguous', but got none}}
#a = #tile.launch_facts<tensor_maps = [{operand = A, box = [8, 8]}]>

// -----

// expected-error @+1 {{expected 0, 32, 64 or 128 for 'tensor_maps[0].swizzle', but got 16}}
#a = #tile.launch_facts<tensor_maps = [{operand = A, contiguous = 1, box = [8, 8], swizzle = 16}]>

// -----

// expected-error @+1 {{expected a power of 2 for 'requires[0].alignment', but got 12}}
#a = #tile.launch_facts<parameters = [A.data], requires = [{operand = A, alignment = 12}]>

// -----

// expected-error @+1 {{expected tiles that fill clusters of 2 for 'grid.cluster_tile', but got 1}}
#a = #tile.launch_facts<cluster = [2, 1, 1], grid = {tile = [64, 64]}>

// -----

// expected-error @+1 {{expected 1 in y and z for 'cluster'}}
#a = #tile.launch_facts<cluster = [1, 2, 1]>

// -----

// expected-error @+1 {{expected a tile or a pack_tile for 'grid'}}
#a = #tile.launch_facts<grid = {}>

// -----

// expected-error @+1 {{expected a parameter of X, or batch for 'parameters[0]', but got A.data}}
#a = #tile.launch_facts<grid = {pack_tile = [1, 1]}, parameters = [A.data]>

// -----

// expected-error @+1 {{expected a copy of X, the operand that is packed for 'parameters[0]', but got A.packed}}
#a = #tile.launch_facts<grid = {tile = [1, 1]}, parameters = [A.packed]>

// -----

// expected-error @+1 {{expected 'tf32' for 'factors', but got 'tf23'}}
#a = #tile.launch_facts<factors = "tf23">

// -----

// The kernel that carries them.

gpu.module @kernels {
  // expected-error @+1 {{expected 'parameters' to name each of the 2 arguments, but got 1}}
  gpu.func @k(%a: !llvm.ptr<1>, %n: i64) kernel attributes {
      tile.launch_facts = #tile.launch_facts<parameters = [A.data]>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected 'parameters' to name each of the 1 arguments, but got 0}}
  gpu.func @k(%a: !llvm.ptr<1>) kernel attributes {
      tile.launch_facts = #tile.launch_facts<grid = {tile = [1, 1]}>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected argument 1, which takes N, to be i32, i64 or index, but got 'f32'}}
  gpu.func @k(%a: !llvm.ptr<1>, %n: f32) kernel attributes {
      tile.launch_facts = #tile.launch_facts<parameters = [A.data, N]>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected argument 0, which takes A.tensor_map, to be a pointer with llvm.byval, but got '!llvm.ptr'}}
  gpu.func @k(%a: !llvm.ptr) kernel attributes {
      tile.launch_facts = #tile.launch_facts<parameters = [A.tensor_map], tensor_maps = [{operand = A, contiguous = 1, box = [8, 8]}]>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected the cluster of the launch facts to be that of 'nvvm.cluster_dim', 2, but got 1}}
  gpu.func @k() kernel attributes {nvvm.cluster_dim = array<i32: 2, 1, 1>, tile.launch_facts = #tile.launch_facts<>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected #tile.launch_facts<…> for 'tile.launch_facts', but got {presistent = true}}}
  gpu.func @k() kernel attributes {tile.launch_facts = {presistent = true}} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected an attribute such as 'tile.launch_facts', but got 'tile.lauch_facts'}}
  gpu.func @k() kernel attributes {tile.lauch_facts = #tile.launch_facts<>} {
    gpu.return
  }
}

// -----

// expected-error @+1 {{expected 'tile.launch_facts' on a gpu.func, but got it here}}
module attributes {tile.launch_facts = #tile.launch_facts<>} {
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{expected an integer from 0 to 232448 of type i64 for 'tile.dynamic_shared_bytes', but got -1 : i64}}
  gpu.func @k() kernel attributes {tile.dynamic_shared_bytes = -1 : i64} {
    gpu.return
  }
}
