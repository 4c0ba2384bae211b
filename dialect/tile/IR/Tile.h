// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tile dialect: attributes, types, operations and their interfaces.
#ifndef TILE_IR_TILE_H
#define TILE_IR_TILE_H

#include "tile/Facts/LaunchFacts.h"
#include "tile/Facts/MatrixMap.h"
#include "tile/Facts/Problem.h"
#include "tile/IR/LayoutAlgebra.h"
#include "tile/Layout/ConvCoordinates.h"
#include "tile/Layout/OperandLayouts.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>
#include <string>

namespace mlir::gpu {
class GPUFuncOp;
} // namespace mlir::gpu

namespace tile {
struct Chip;
class IteratorType;

/// Hashes launch facts, for the uniquing of attributes.
inline llvm::hash_code hash_value(const LaunchFacts &facts) {
  return llvm::hash_value(formatFacts(facts));
}

/// Name of the attribute that holds a kernel's launch facts.
inline constexpr llvm::StringLiteral kLaunchFacts = "tile.launch_facts";

/// Name of the attribute that holds the bytes of a kernel's dynamic shared
/// memory, once its allocations have been placed there.
inline constexpr llvm::StringLiteral kDynamicSharedBytes =
    "tile.dynamic_shared_bytes";

/// The type of a kernel's argument as launch facts name it.
ParameterType getParameterType(mlir::gpu::GPUFuncOp kernel, unsigned number);

/// Bytes that the registers of `tile.alloc_registers` are aligned to.
inline constexpr int64_t kRegisterAlignment = 16;

/// Nesting deeper than this is refused, so that no input overflows the stack.
inline constexpr unsigned kMaxTupleDepth = 64;

/// Parses `4`, `?`, `?{div = 8}`, `_`, `2@e1`, `?@e0` or a nested tuple of
/// these, inside `depth` others.
mlir::FailureOr<IntTuple> parseIntTuple(mlir::AsmParser &parser,
                                        unsigned depth = 0);
/// Prints what parseIntTuple reads.
void printIntTuple(mlir::AsmPrinter &printer, const IntTuple &tuple);
/// The same as custom directive.
mlir::ParseResult parseIntTuple(mlir::AsmParser &parser, IntTuple &tuple);
/// Parses the path `@e1@e0` of a scaled basis, if there is one, behind its
/// scale.
mlir::FailureOr<IntTuple> parseBasisPath(mlir::AsmParser &parser,
                                         const Int &scale);
/// Prints what parseBasisPath reads.
void printBasisPath(mlir::AsmPrinter &printer, const IntTuple &leaf);
/// Parses `(shape) : (stride)`; an incongruent pair is an error at the stride.
mlir::ParseResult parseLayout(mlir::AsmParser &parser, Layout &layout);
/// Prints what parseLayout reads.
void printLayout(mlir::AsmPrinter &printer, const Layout &layout);
/// Parses a layout, or `S<b, m, s> o offset o` in front of one, or an attribute
/// that stands for one.
mlir::ParseResult parseComposedLayout(mlir::AsmParser &parser,
                                      ComposedLayout &layout);
/// Whether the next token is an attribute such as `#tile.conv<…>` or an alias.
bool isAtAttribute(mlir::AsmParser &parser);
/// Prints what parseComposedLayout reads.
void printComposedLayout(mlir::AsmPrinter &printer,
                         const ComposedLayout &layout);
/// Parses layouts that are applied one after the other: `[L0, L1]`, or an
/// attribute that stands for them.
mlir::ParseResult parseLayoutChain(mlir::AsmParser &parser, LayoutChain &chain);
/// Parses `<b, m, s>`.
mlir::ParseResult parseSwizzleBits(mlir::AsmParser &parser, Swizzle &swizzle);
/// Prints what parseSwizzleBits reads.
void printSwizzleBits(mlir::AsmPrinter &printer, const Swizzle &swizzle);
/// Parses `<4, 8 : 1, _>`.
mlir::ParseResult parseTilerModes(mlir::AsmParser &parser,
                                  mlir::FailureOr<Tiler> &tiler);
/// Prints what parseTilerModes reads.
void printTilerModes(mlir::AsmPrinter &printer, const Tiler &tiler);
/// Hashes a tiler, for the uniquing of attributes.
llvm::hash_code hash_value(const Tiler &tiler);
/// Parses `[a, b, …]`.
mlir::ParseResult parseIntList(mlir::AsmParser &parser,
                               llvm::SmallVector<int64_t> &list);
/// Prints what parseIntList reads.
void printIntList(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> list);
/// Parses an integer of 64 bits.
mlir::ParseResult parseInteger(mlir::AsmParser &parser, int64_t &integer);
/// Prints what parseInteger reads.
void printInteger(mlir::AsmPrinter &printer, int64_t integer);

/// A fact that bounds how many elements one memory access can transfer.
struct WidthBound {
  int64_t elements = 1;
  /// The fact in words: `its pitch of ? elements is known to be …`.
  std::string fact;
};

/// What an iterator can do, in the names of CUTLASS.
enum class IteratorConcept {
  TileIterator,
  ContiguousMemory,
  Readable,
  ReadableContiguous,
  Writeable,
  WriteableContiguous,
  Forward,
  Bidirectional,
  RandomAccess,
  ReadableRandomAccess,
  ReadableRandomAccessContiguous,
  WriteableRandomAccess,
  WriteableRandomAccessContiguous,
  Masked,
  WriteableReadableForwardContiguous,
  WriteableReadableRandomAccessContiguous,
};

/// Whether an iterator of the type models a concept.
bool models(mlir::Type type, IteratorConcept required);

/// Why a type does not model a concept, and what would.
struct MissingConcept {
  /// The concept in words: `bidirectional`.
  std::string name;
  /// What the type lacks: `is in the residue phase, before which …`.
  std::string lack;
  /// Which iterator would do.
  std::string remedy;
};

/// What a type lacks of a concept; nothing if it models it.
std::optional<MissingConcept> explainMissing(mlir::Type type,
                                             IteratorConcept required);
} // namespace tile

#include "tile/IR/TileDialect.h.inc"
#include "tile/IR/TileEnums.h.inc"

#include "tile/IR/TileAttrInterfaces.h.inc"

#include "tile/IR/TileOpInterfaces.h.inc"
#include "tile/IR/TileProblemInterfaces.h.inc"

namespace tile {
/// Parses a thread map such as `#tile.strip_mined<…>`.
mlir::ParseResult parseThreadMap(mlir::AsmParser &parser,
                                 ThreadMapAttrInterface &map);
/// Prints what parseThreadMap reads.
void printThreadMap(mlir::AsmPrinter &printer, ThreadMapAttrInterface map);
/// Parses `exact`, `padded` or `any`.
mlir::ParseResult parseCoverageRule(mlir::AsmParser &parser,
                                    CoverageRule &rule);
/// Prints what parseCoverageRule reads.
void printCoverageRule(mlir::AsmPrinter &printer, CoverageRule rule);
/// Whether an attribute is a schedule or a list of one or more.
bool isSchedule(mlir::Attribute attribute);
/// Parses a schedule or a list of schedules.
mlir::ParseResult parseSchedule(mlir::AsmParser &parser,
                                mlir::Attribute &schedule);
/// Prints what parseSchedule reads.
void printSchedule(mlir::AsmPrinter &printer, mlir::Operation *op,
                   mlir::Attribute schedule);
} // namespace tile

#define GET_ATTRDEF_CLASSES
#include "tile/IR/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tile/IR/TileTypes.h.inc"

#define GET_OP_CLASSES
#include "tile/IR/TileOps.h.inc"

#endif // TILE_IR_TILE_H
