// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of a gemm's epilogue as parameters of a kernel, and as sources.
#ifndef TILE_LIB_SCHEDULES_EPILOGUEOPERANDS_H
#define TILE_LIB_SCHEDULES_EPILOGUEOPERANDS_H

#include "KernelArguments.h"

#include "tile/DSL/Epilogue.h"

namespace tile {

/// Declares where the operands lie, as matrices E0, E1, … of D's extents. With
/// `transposed`, the kernel's rows are D's columns.
void declareEpilogueOperands(GemmOp gemm, bool transposed,
                             KernelParameters &parameters);

/// The first operand that is a matrix of D's type with stride 1 along a
/// dimension of the problem (0 rows, 1 columns); nothing if there is none.
std::optional<unsigned> findMatrixLikeD(GemmOp gemm, int64_t contiguous);

/// Whether neighbours along the kernel's columns lie next to each other in an
/// operand, so that they can be loaded in pairs.
bool hasEpiloguePairs(GemmOp gemm, bool transposed);

/// What pairs require of the operands that have them.
void requireEpiloguePairs(GemmOp gemm, bool transposed, LaunchFacts &facts);

/// Appends the operands to the sources of an epilogue, loaded in pairs where
/// they have them if `pairs` holds. `arguments` and `scope` must outlive it;
/// `m` and `n` are the kernel's extents.
void addEpilogueOperands(dsl::Scope &scope, GemmOp gemm, bool transposed,
                         const KernelArguments &arguments, dsl::Val m,
                         dsl::Val n, bool pairs, dsl::Epilogue &epilogue);

} // namespace tile

#endif // TILE_LIB_SCHEDULES_EPILOGUEOPERANDS_H
