// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedules as attributes: each a list of fields, one line a field.
#ifndef TILE_IR_TILESCHEDULEATTRS_TD
#define TILE_IR_TILESCHEDULEATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "tile/IR/TileDialect.td"

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// A field of a schedule. From the list of its fields come the attribute's
/// parameters, a C++ struct `Params` to fill and to compare, and the parser and
/// printer of `<name = value, …>`, which leave out what has its default.
class Tile_Field<string fieldName, string fieldMember, string fieldType,
                 string fieldInit, bit required, string fieldWords,
                 AttrOrTypeParameter fieldParameter> {
  /// As text, and as member of the struct.
  string name = fieldName;
  string member = fieldMember;
  AttrOrTypeParameter parameter = fieldParameter;
  string declare = fieldType # " " # fieldMember # fieldInit # ";";
  string equal = fieldMember # " == other." # fieldMember;
  string pass = "params." # fieldMember;
  string argument = fieldParameter.cppType # " " # fieldName;
  string fromArgument = "params." # fieldMember # " = " #
      !if(!eq(fieldType, "Ints"), "Ints(" # fieldName # ")", fieldName) # ";";
  string fromStorage = "params." # fieldMember # " = " #
      !if(!eq(fieldType, "Ints"), "Ints(getImpl()->" # fieldName # ")", "getImpl()->" # fieldName) # ";";
  string describe = "fields.push_back(::tile::StructField::get(\"" # fieldName # "\", params." #
      fieldMember # ", " # required # ", {" # fieldWords # "}));";
}

/// A list of integers, `[a, b]`, which has to be given or is all ones.
class Tile_RequiredInts<string name, int count, string desc>
    : Tile_Field<name, name, "Ints", " = Ints(" # count # ", 0)", 1, "",
                 ArrayRefParameter<"int64_t", desc>>;
class Tile_IntsField<string name, int count, string desc>
    : Tile_Field<name, name, "Ints", " = Ints(" # count # ", 1)", 0, "",
                 ArrayRefParameter<"int64_t", desc>>;
class Tile_RequiredInt<string name, string member, string desc>
    : Tile_Field<name, member, "int64_t", " = 0", 1, "",
                 AttrParameter<"int64_t", desc>>;
class Tile_IntField<string name, string member, int init, string desc>
    : Tile_Field<name, member, "int64_t", " = " # init, 0, "",
                 AttrParameter<"int64_t", desc>>;
/// `true` or `false`, which is the default.
class Tile_BoolField<string name, string member, string desc>
    : Tile_Field<name, member, "bool", " = false", 0, "\"false\", \"true\"",
                 AttrParameter<"bool", desc>>;
/// A word of an enum whose cases count from 0.
class Tile_EnumField<string name, string member, EnumInfo enum, string init, string desc>
    : Tile_Field<name, member, enum.cppNamespace # "::" # enum.className,
                 " = " # enum.cppNamespace # "::" # enum.className # "::" # init, 0,
                 !interleave(!foreach(c, enum.enumerants, "\"" # c.str # "\""), ", "),
                 AttrParameter<enum.cppNamespace # "::" # enum.className, desc>>;

/// A name that a field had, and what says the same now.
class Tile_Renamed<string oldName, string newText> {
  string entry = "{\"" # oldName # "\", \"" # newText # "\"}";
}

/// A schedule of some fields. `verify` of the struct is written by hand.
class Tile_Schedule<string name, string attrMnemonic, list<Tile_Field> fields,
                    list<Tile_Renamed> renamed, code extra = "">
    : AttrDef<Tile_Dialect, name> {
  let mnemonic = attrMnemonic;
  let parameters = !dag(ins, !foreach(f, fields, f.parameter),
                        !foreach(f, fields, f.name));
  let builders = [AttrBuilder<(ins "const Params &":$params),
      "return $_get($_ctxt, " # !interleave(!foreach(f, fields, f.pass), ", ") # ");">];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    using Ints = ::llvm::SmallVector<int64_t, 3>;
    /// The fields, to be filled and changed.
    struct Params {
      }] # !interleave(!foreach(f, fields, f.declare), "\n      ") # [{
      bool operator==(const Params &other) const {
        return }] # !interleave(!foreach(f, fields, f.equal), " && ") # [{;
      }
      bool operator!=(const Params &other) const { return !(*this == other); }
    };
    Params getParams() const;
    /// What no problem and no chip could use is an error.
    static ::llvm::LogicalResult verifyParams(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError, const Params &params);
  }] # extra;
  let extraClassDefinition = [{
    $cppClass::Params $cppClass::getParams() const {
      Params params;
      }] # !interleave(!foreach(f, fields, f.fromStorage), "\n      ") # [{
      return params;
    }
    ::llvm::LogicalResult $cppClass::verify(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        }] # !interleave(!foreach(f, fields, f.argument), ", ") # [{) {
      Params params;
      }] # !interleave(!foreach(f, fields, f.fromArgument), "\n      ") # [{
      return verifyParams(emitError, params);
    }
    static ::llvm::SmallVector<::tile::StructField> getFields($cppClass::Params &params) {
      ::llvm::SmallVector<::tile::StructField> fields;
      }] # !interleave(!foreach(f, fields, f.describe), "\n      ") # [{
      return fields;
    }
    ::mlir::Attribute $cppClass::parse(::mlir::AsmParser &parser, ::mlir::Type) {
      Params params;
      ::llvm::SMLoc loc = parser.getCurrentLocation();
      if (::mlir::failed(::tile::parseStruct(parser, getFields(params),
              std::initializer_list<::tile::RenamedField>{}] # !interleave(!foreach(each, renamed, each.entry), ", ") # [{})))
        return {};
      return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), params);
    }
    void $cppClass::print(::mlir::AsmPrinter &printer) const {
      Params params = getParams(), defaults;
      ::tile::printStruct(printer, getFields(params), getFields(defaults));
    }
  }];
}

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

class Tile_ScheduleEnum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tile";
  let genSpecializedAttr = 0;
}

def Tile_ConsumerMode : Tile_ScheduleEnum<"ConsumerMode", "how consumer warpgroups divide the work", [
    I32EnumAttrCase<"Cooperative", 0, "cooperative">,
    I32EnumAttrCase<"PingPong", 1, "pingpong">]>;

def Tile_RasterOrder : Tile_ScheduleEnum<"RasterOrder",
    "dimension along which neighbouring tiles are visited first", [
    I32EnumAttrCase<"M", 0, "m">,
    I32EnumAttrCase<"N", 1, "n">]>;

def Tile_ProgrammaticLaunch : Tile_ScheduleEnum<"ProgrammaticLaunch",
    "what a kernel does while the grid in front of it still runs", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Wait", 1, "wait">,
    I32EnumAttrCase<"Prefetch", 2, "prefetch">]>;

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

def Tile_SimtScheduleAttr : Tile_Schedule<"SimtSchedule", "simt", [
    Tile_RequiredInts<"tile", 3, "extents (M, N, K) of a thread block's tile">,
    Tile_RequiredInts<"warps", 2, "warps along (M, N)">,
    Tile_RequiredInts<"thread", 2, "elements of a thread along (M, N)">,
    Tile_IntField<"min_blocks", "minBlocks", 1, "thread blocks that fit on a multiprocessor">,
    Tile_IntField<"swizzle_size", "swizzleSize", 8, "tiles visited before the next column of tiles">,
    Tile_IntField<"stages", "stages", 0, "stages that asynchronous copies fill, or 0">,
    Tile_IntField<"split_k", "splitK", 1, "thread blocks that share a tile along K">
  ], [Tile_Renamed<"group", "swizzle_size = n">]> {
  let summary = "schedule on the fused multiply-add units";
  let description = [{
    A GEMM in the manner of CUTLASS 2.x MmaPipelined: one thread block per
    output tile of `tile[0]` by `tile[1]`, a main loop over K in steps of
    `tile[2]`, global loads staged in registers, double-buffered shared memory.
    `warps` and `thread` arrange the threads as in `#tile.simt_mma`.

    With `stages` of 2 or more, in the manner of MmaMultistage, tiles are copied
    to a ring of so many stages of shared memory asynchronously, past the
    registers: an operand that is contiguous along M or N by vectors, one that
    is contiguous along K element by element, as shared memory runs along M and
    N. Needs sm_80.

    Operands of f16 and bf16 stay as they are in shared memory and are extended
    to f32 for each step; they go with no `stages`.

    `min_blocks` is the number of thread blocks that must fit on one
    multiprocessor; it bounds the registers. `swizzle_size` output tiles along M
    are visited before the next column of tiles, for reuse in L2.

    With `split_k`, as many thread blocks, a cluster, compute one tile: each a
    part of K, then each a part of the rows from the sums of all, in a fixed
    order. Needs sm_90.

    Example:

    ```mlir
    #schedule = #tile.simt<tile = [128, 128, 8], warps = [2, 4], thread = [8, 8], min_blocks = 2, swizzle_size = 4>
    ```
  }];
}

def Tile_MultistageScheduleAttr : Tile_Schedule<"MultistageSchedule", "multistage", [
    Tile_RequiredInts<"tile", 3, "extents (M, N, K) of a thread block's tile">,
    Tile_RequiredInts<"warps", 2, "warps along (M, N)">,
    Tile_RequiredInt<"stages", "stages", "stages of shared memory">,
    Tile_IntField<"instruction_k", "instructionK", 0, "K of an instruction, or 0">,
    Tile_IntField<"min_blocks", "minBlocks", 1, "thread blocks that fit on a multiprocessor">,
    Tile_IntField<"swizzle_size", "swizzleSize", 8, "tiles visited before the next row of tiles">,
    Tile_EnumField<"raster_order", "rasterOrder", Tile_RasterOrder, "M", "along which dimension">,
    Tile_BoolField<"tf32", "tf32", "whether operands of f32 are multiplied as tf32">
  ], []> {
  let summary = "schedule on the tensor cores of a warp, fed by asynchronous copies";
  let description = [{
    A GEMM in the manner of CUTLASS 2.x MmaMultistage, for chips from sm_80 on: one
    thread block per output tile, whose `warps[0]` by `warps[1]` warps each compute
    an equal part of the tile with mma.sync. Asynchronous copies fill a ring of
    `stages` stages of shared memory, `tile[2]` elements along K each (0: 128
    bytes), whose swizzle keeps copies and loads free of bank conflicts. Fragments
    of the next step along K are loaded while the current ones are multiplied.

    `instruction_k` is the K of one instruction, which is one of those that
    `#tile.mma_sync` has for the types; 0 takes the best. `min_blocks` thread
    blocks must fit on one multiprocessor, which bounds the registers.
    `swizzle_size` tiles along `raster_order` (m or n) are visited before the
    next row of tiles, for reuse in L2. Operands of f32 need `tf32 = true`,
    which says that their products may be those of tf32: of each factor, all but
    the upper 10 bits of the mantissa are ignored.

    Example:

    ```mlir
    #schedule = #tile.multistage<tile = [128, 256, 32], warps = [2, 4], stages = 4>
    ```
  }];
}

def Tile_WarpSpecializedScheduleAttr : Tile_Schedule<"WarpSpecializedSchedule", "warp_specialized", [
    Tile_RequiredInts<"tile", 3, "extents (M, N, K) of a thread block's tile">,
    Tile_RequiredInt<"stages", "stages", "stages of shared memory">,
    Tile_IntField<"consumers", "consumers", 2, "warpgroups that multiply">,
    Tile_EnumField<"mode", "mode", Tile_ConsumerMode, "Cooperative", "how these divide the work">,
    Tile_IntsField<"cluster", 2, "thread blocks of a cluster along (M, N)">,
    Tile_IntField<"swizzle_size", "swizzleSize", 8, "tiles visited before the next row of tiles">,
    Tile_EnumField<"raster_order", "rasterOrder", Tile_RasterOrder, "M", "along which dimension">,
    Tile_BoolField<"swap_ab", "swapAB", "whether the operands change places">,
    Tile_EnumField<"programmatic_launch", "programmaticLaunch", Tile_ProgrammaticLaunch, "Wait",
                   "what is done before the grid in front has ended">,
    Tile_BoolField<"overlap_epilogue", "overlapEpilogue", "whether a tile is stored during the next">,
    Tile_IntField<"split_k", "splitK", 1, "thread blocks that share a tile along K">,
    Tile_BoolField<"tf32", "tf32", "whether operands of f32 are multiplied as tf32">,
    Tile_BoolField<"use_tma_store", "useTmaStore", "whether C and 32-bit results pass through TMA">
  ], [Tile_Renamed<"cluster_m", "cluster = [m, n]">, Tile_Renamed<"cluster_n", "cluster = [m, n]">,
      Tile_Renamed<"group", "swizzle_size = n">, Tile_Renamed<"raster", "raster_order = m or n">,
      Tile_Renamed<"swap", "swap_ab = true">,
      Tile_Renamed<"overlap", "programmatic_launch = none, wait or prefetch">,
      Tile_Renamed<"defer", "overlap_epilogue = true">, Tile_Renamed<"split", "split_k = n">,
      Tile_Renamed<"staged", "use_tma_store = true">], [{
    int64_t getClusterM() const { return getCluster()[0]; }
    int64_t getClusterN() const { return getCluster()[1]; }
    /// Thread blocks of a cluster.
    int64_t getClusterSize() const {
      return getClusterM() * getClusterN() * getSplitK();
    }
  }]> {
  let summary = "schedule on Hopper's tensor cores, fed by TMA";
  let description = [{
    A persistent GEMM of specialised warps for sm_90a. One warp, the producer,
    copies tiles of A and B to a ring of `stages` stages with TMA; one or two
    warpgroups, the consumers, multiply them with wgmma. `tile` is the output
    tile of a thread block and the extent of a stage along K (K 0: 128 bytes).

    `consumers` warpgroups share the tile along M (`mode = cooperative`), or
    each computes a whole tile of its own while the other stores one
    (`mode = pingpong`, two consumers). `cluster[0]` by `cluster[1]` thread
    blocks form a cluster and receive what they share by multicast.
    `swizzle_size` tiles along `raster_order` (m or n) are visited before the
    next row of tiles, for reuse in L2. With `swap_ab`, the operands change
    places: D^T = B^T A^T, for a small M. With `programmatic_launch = wait`, the
    kernel may be set up while the grid in front of it in the stream still runs;
    it waits for that grid before it reads memory. With `prefetch`, it fetches
    to L2 meanwhile what it will load first of an operand of which no two thread
    blocks load the same, as where one tile has all columns.

    With `overlap_epilogue`, cooperative consumers keep a finished tile in
    registers, in the type of D, and store it while the tensor cores compute the
    next one. With `split_k`, as many thread blocks, a cluster, compute one
    tile: each a part of K, then each a part of the columns from the sums of
    all, in a fixed order.

    Operands of f32 need `tf32 = true`, which says that their products may be
    those of tf32: of each factor, all but the upper 10 bits of the mantissa are
    ignored. With `use_tma_store`, C and 32-bit results pass through shared
    memory in tensor copies where these are legal, as 16-bit results always do.

    Example:

    ```mlir
    #schedule = #tile.warp_specialized<tile = [128, 256, 64], stages = 4, cluster = [2, 1], swizzle_size = 4>
    ```
  }];
}

#endif // TILE_IR_TILESCHEDULEATTRS_TD
