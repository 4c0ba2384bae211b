// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden exchanges through shared memory against the lowered IR.
#include "../IR/GoldenLines.h"
#include "MappedWalk.h"
#include "tile/IR/ExchangeMaps.h"
#include "tile/IR/OperandMaps.h"
#include "tile/IR/ThreadMapFormulas.h"

#include "mlir/AsmParser/AsmParser.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir;
using namespace tile;
using namespace tile::test;
using llvm::StringRef;
using llvm::json::Array;
using llvm::json::Object;

namespace {

using Numbers = std::vector<int64_t>;

/// One side of an exchange: what threads write, or what they read.
struct Side {
  MappedWalk walk;
  ThreadMapAttrInterface map;
  int64_t positions = 1;
};

class ExchangeGolden : public ::testing::Test {
protected:
  ExchangeGolden() { loadDialects(context); }

  std::string print(const AccessPattern &pattern, ArrayRef<int64_t> tile) {
    std::string text;
    llvm::raw_string_ostream(text)
        << TVMapAttr::get(&context, tile, toTVLayout(pattern));
    return text;
  }

  /// A tile of shared memory, rows apart by `ld`.
  Side makeSide(const std::string &map, int64_t bits, Numbers storage,
                int64_t ld, bool stores, int64_t positions) {
    Side side;
    side.map =
        dyn_cast_or_null<ThreadMapAttrInterface>(parseAttribute(map, &context));
    MappedWalk &walk = side.walk;
    walk.map = map;
    walk.elementType = "i" + std::to_string(bits);
    walk.space = "shared";
    walk.shape = storage;
    walk.stride = {ld, 1};
    walk.constants = walk.whole = true;
    side.positions = positions;
    if (!side.map)
      return side;
    AccessPattern pattern = getAccessPattern(side.map);
    walk.fragment = pattern.getNumAccesses() * pattern.vector;
    walk.writeBody(positions, stores);
    return side;
  }

  /// The offsets that thread `t` accesses, in the order of the fragment, at all
  /// positions; checks them against the definition.
  std::vector<int64_t> run(LoweredMappedWalk &lowered, const Side &side,
                           int64_t t, Differences &differences) {
    std::string error;
    std::vector<WalkTile> tiles = lowered.run(t, error);
    std::vector<int64_t> offsets;
    if (!error.empty())
      differences.push_back(error);
    for (auto [k, tile] : llvm::enumerate(tiles)) {
      WalkTile expected = getMappedTile(
          side.walk, side.map, t, k,
          [&](int64_t row, int64_t column) -> std::optional<int64_t> {
            return row * side.walk.stride[0] + swizzle(side.walk, column);
          });
      if (tile != expected)
        differences.push_back("thread " + std::to_string(t) +
                              ": not that of the definition");
      for (const WalkElement &element : tile)
        offsets.push_back(element.offset);
    }
    return offsets;
  }

  /// The column that a swizzle of the columns moves a column to.
  static int64_t swizzle(const MappedWalk &walk, int64_t column) {
    if (walk.xorBits.empty())
      return column;
    int64_t mask = (int64_t(1) << walk.xorBits[0]) - 1;
    return column ^ (column >> walk.xorBits[3] & mask) << walk.xorBits[1];
  }

  /// Every element of the storage is accessed once by all threads together.
  void checkCoverage(LoweredMappedWalk &lowered, const Side &side,
                     Differences &differences) {
    std::map<int64_t, int64_t> times;
    for (int64_t t = 0; t < side.map.getThreads(); ++t)
      for (int64_t offset : run(lowered, side, t, differences))
        ++times[offset];
    bool isExact =
        int64_t(times.size()) == side.walk.shape[0] * side.walk.shape[1];
    for (auto [offset, count] : times)
      isExact &=
          count == 1 && offset % side.walk.stride[0] < side.walk.shape[1];
    if (!isExact)
      differences.push_back("the storage is not accessed once");
  }

  /// Compares with the starts of vectors that the reference accesses.
  bool agree(const std::vector<int64_t> &ours, const Numbers &starts,
             int64_t vector) {
    if (ours.size() != starts.size() * vector)
      return false;
    for (size_t e = 0; e < ours.size(); ++e)
      if (starts[e / vector] >= 0 &&
          ours[e] != starts[e / vector] + int64_t(e % vector))
        return false;
    return true;
  }

  /// Lowers one side and compares the threads of `entries`; returns whether
  /// they agree.
  bool compare(const Side &side, const Array &entries, int64_t vector,
               Differences &differences) {
    if (!side.map) {
      differences.push_back("not a thread map: " + side.walk.map);
      return false;
    }
    std::string error;
    LoweredMappedWalk lowered(context, side.walk, error);
    if (!lowered) {
      differences.push_back(error + " in\n" + side.walk.write());
      return false;
    }
    checkCoverage(lowered, side, differences);
    bool isSame = true;
    for (const llvm::json::Value &value : entries) {
      const Object &entry = *value.getAsObject();
      int64_t t = entry.getInteger("t").value_or(
          entry.getInteger("warp").value_or(0) * 32 +
          entry.getInteger("lane").value_or(0));
      // Threads that the tile has no pixels for.
      if (t >= side.map.getThreads()) {
        isSame = false;
        continue;
      }
      isSame &= agree(run(lowered, side, t, differences),
                      getNumbers(entry, "off"), vector);
    }
    return isSame;
  }

  /// The map of the compacted output tile whose iterations are those of the
  /// line; the size of an element is part of its recipe.
  std::string findLoadMap(const Object &line, const Numbers &shape) {
    for (int64_t bits : {8, 16, 32, 64, 128}) {
      std::string text = "#tile.output_tile<shape = " + format(shape) +
                         ", count = [1, 1, 1, 1, 1], threads = " +
                         writeNumber(line, "threads") + ", elements = " +
                         writeNumber(line, "elements_per_access") +
                         ", bits = " + std::to_string(bits) + ">";
      ScopedDiagnosticHandler handler(&context,
                                      [](Diagnostic &) { return success(); });
      Attribute map = parseAttribute(text, &context);
      if (!map)
        continue;
      Result<OutputTileMap> formula = getOutputTileMap(map);
      auto list = [](const OutputAxes &axes) {
        return Numbers{axes.column, axes.row, axes.group, axes.cluster,
                       axes.tile};
      };
      if (formula &&
          list(formula->iterations) == getNumbers(line, "iterations"))
        return text;
    }
    return "no map";
  }

  void compareExchange(const Object &line, Differences &differences,
                       std::string &reason) {
    const Object &origin = *line.getObject("origin");
    StringRef kind = *origin.getString("kind");
    int64_t bits = *line.getInteger("accumulator_bits"),
            ld = *line.getInteger("ld");
    Numbers warps = getNumbers(line, "warp_count_mnk"),
            warp = getNumbers(line, "warp_tile_row_col"),
            storage = getNumbers(line, "storage_row_col"),
            tile = getNumbers(line, "tile_shape");
    storage[1] -= *line.getInteger("padding_columns");
    ExchangeTile shape{warps[0], warps[1], warps[2], warp[0], warp[1]};
    Numbers lanes = getNumbers(origin, "policy_lanes");
    Result<AccessPattern> pattern =
        kind == "simt"
            ? getSimtExchange(shape, lanes, *origin.getInteger("lane_mma"))
        : kind == "tensor_op" ? getTensorOpExchange(shape)
                              : getVoltaExchange(shape, bits);
    if (!pattern) {
      differences.push_back(pattern.getReason());
      return;
    }
    // (column, row, group, cluster) of one step of the output.
    Numbers step = kind == "tensor_op" ? Numbers{tile[1], 8, warps[0], 1, 1}
                   : kind == "simt" ? Numbers{tile[1], 1, lanes[0], warps[0], 1}
                                    : Numbers{tile[1], 4, 4, warps[0], 1};
    Side store = makeSide(print(*pattern, storage), bits, storage, ld,
                          /*stores=*/true, 1);
    Side load =
        makeSide(findLoadMap(line, step), bits, storage, ld,
                 /*stores=*/false, line.getArray("load_tile_offsets")->size());
    // Results of 16 and 8 bits are read back in wider accesses.
    StringRef loads = *line.getString("load_iterator");
    if (loads.contains("Mixed"))
      store.walk.xorBits = load.walk.xorBits = loads.contains("<32,8,16,8>")
                                                   ? Numbers{2, 2, 1, 5}
                                                   : Numbers{1, 2, 1, 5};
    bool isSame = compare(store, *line.getArray("stores"),
                          *line.getInteger("store_vector"), differences);
    // Their offsets are listed position by position.
    isSame &= compare(load, *line.getArray("loads"),
                      *line.getInteger("load_vector"), differences);
    if (isSame)
      return;
    const Object &coverage = *line.getObject("coverage");
    if (*coverage.getInteger("written_and_read") !=
        *coverage.getInteger("elements"))
      reason = "what the reference writes it does not read back";
    else
      differences.push_back("other offsets");
  }

  void compareDirectConv(const Object &line, Differences &differences,
                         std::string &reason) {
    Numbers tile = getNumbers(line, "threadblock_output_hw"),
            thread = getNumbers(line, "thread_output_hw"),
            lanes = getNumbers(line, "lane_arrangement");
    int64_t elements = *line.getInteger("lane_n"),
            vectors = *line.getInteger("thread_channels") / elements;
    Result<AccessPattern> pattern =
        getDirectConvExchange(tile, thread, lanes[1], elements, vectors);
    if (!pattern) {
      differences.push_back(pattern.getReason());
      return;
    }
    Numbers storage{tile[0] * tile[1], *line.getInteger("channels")};
    Side store =
        makeSide(print(*pattern, storage), *line.getInteger("element_bits"),
                 storage, *line.getInteger("ld"), /*stores=*/true, 1);
    if (compare(store, *line.getArray("stores"), 1, differences))
      return;
    if (vectors > 1)
      reason = "only the first vector of channels of each pixel is stored";
    else
      differences.push_back("other offsets");
  }

  void comparePitchLinear(const Object &line, Differences &differences) {
    Object map = *line.getObject("thread_map");
    Numbers shape = getNumbers(map, "shape"),
            iterations = getNumbers(line, "iterations"),
            delta = getNumbers(line, "delta");
    int64_t elements = *map.getInteger("elements_per_access"),
            bits = *line.getInteger("element_bits"),
            rows = iterations[1] * delta[1],
            base = *line.getInteger("smem_base_bytes") * 8 / bits;
    // Storage has the rows by which the map pads its tile.
    map["shape"] = Array({shape[0], rows});
    Side load = makeSide(writeThreadMap(map, 1, ""), bits, {rows, shape[0]},
                         *line.getInteger("ld"), /*stores=*/false, 1);
    if (!load.map) {
      differences.push_back("not a thread map: " + load.walk.map);
      return;
    }
    Array moved;
    for (const llvm::json::Value &value : *line.getArray("loads")) {
      Object entry = *value.getAsObject();
      Array offsets;
      for (int64_t offset : getNumbers(entry, "off"))
        offsets.push_back(offset - base);
      entry["off"] = std::move(offsets);
      moved.push_back(std::move(entry));
    }
    if (!compare(load, moved, elements, differences))
      differences.push_back("other offsets");
  }

  /// A warp's fetch of an operand: the address of each lane, step by step.
  void compareFetch(const Object &line, Differences &differences) {
    StringRef layout = *line.getString("layout");
    OperandFetch fetch;
    fetch.isA = *line.getString("operand") == StringRef("A");
    fetch.isCrosswise = layout.contains("Crosswise");
    fetch.bits = *line.getInteger("element_bits");
    Numbers warp = getNumbers(line, "warp_tile_row_col"),
            instruction = getNumbers(line, "instruction_row_col"),
            extent = getNumbers(line, "smem_extent_row_col"),
            offset = getNumbers(line, "warp_tile_offset");
    // Of B rows are k, of A columns.
    for (Numbers *pair : {&warp, &instruction, &extent, &offset})
      if (!fetch.isA)
        std::swap((*pair)[0], (*pair)[1]);
    fetch.mn = warp[0];
    fetch.k = instruction[1];
    int64_t pitch = *line.getInteger("stride");
    bool isLdmatrix = *line.getString("access") == StringRef("ldmatrix");
    Result<AccessPattern> pattern =
        isLdmatrix ? getLdmatrixFetch(fetch) : getElementFetch(fetch);
    int64_t contiguous = extent[fetch.isCrosswise],
            strided = extent[!fetch.isCrosswise];
    int64_t perLine = 0;
    layout.split(',').second.consumeInteger(10, perLine);
    Result<SharedOperand> operand =
        fetch.bits == 64
            ? getOperand64(fetch.isCrosswise, extent[0], extent[1], pitch)
        : isLdmatrix ? getTensorOpOperand(fetch.bits, perLine, contiguous,
                                          strided, pitch)
                     : getCongruous32Operand(contiguous, strided, pitch);
    if (!pattern || !operand) {
      differences.push_back(pattern.getReason() + operand.getReason());
      return;
    }
    Side side;
    MappedWalk &walk = side.walk;
    // The map is of (mn, k); coordinates of the layouts up to 32 bits are
    // (contiguous, strided).
    bool isSwapped = fetch.bits != 64 && fetch.isCrosswise;
    for (unsigned dim : {0u, 1u})
      for (const LeafMode &mode :
           operand->coords[isSwapped ? 1 - dim : dim].getLeafModes())
        (dim == 0 ? walk.rows : walk.columns)
            .push_back({mode.extent.getValue(), mode.stride.getInt().getValue(),
                        mode.stride.getPath()[0]});
    walk.map = print(*pattern, {fetch.mn, fetch.k});
    // Elements below a byte are walked as bytes.
    walk.elementType = "i" + std::to_string(std::max<int64_t>(8, fetch.bits));
    walk.space = "shared";
    walk.shape.assign(operand->shape.begin(), operand->shape.end());
    walk.stride.assign(operand->stride.begin(), operand->stride.end());
    walk.xorBits.assign(operand->xorBits.begin(), operand->xorBits.end());
    walk.start = {offset[0] * warp[0], offset[1] * warp[1]};
    walk.advance = 1;
    walk.constants = walk.whole = true;
    walk.fragment = pattern->getNumAccesses() * pattern->vector;
    const Array &steps = *line.getArray("address");
    walk.writeBody(steps.size(), /*stores=*/false);
    std::string error;
    LoweredMappedWalk lowered(context, walk, error);
    if (!lowered) {
      differences.push_back(error + " in\n" + walk.write());
      return;
    }
    for (int64_t lane = 0; lane < 32; ++lane) {
      std::vector<WalkTile> ours = lowered.run(lane, error);
      if (!error.empty() || ours.size() != steps.size()) {
        differences.push_back(error + " in a run");
        return;
      }
      for (auto [step, tile] : llvm::enumerate(ours)) {
        const Array &lanes = *steps[step].getAsArray();
        const Array &starts = *lanes[lane].getAsArray();
        for (auto [e, element] : llvm::enumerate(tile)) {
          int64_t vector = pattern->vector,
                  theirs = *starts[e / vector].getAsInteger() + e % vector;
          if (element.offset == theirs)
            continue;
          differences.push_back("lane " + std::to_string(lane) + ", step " +
                                std::to_string(step) + ", element " +
                                std::to_string(e) + ": we have " +
                                std::to_string(element.offset) +
                                " instead of " + std::to_string(theirs));
          return;
        }
      }
    }
  }

  MLIRContext context;
};

TEST_F(ExchangeGolden, SharedMemory) {
  bool other = false;
  std::vector<Object> lines = readGolden("shared_load_iterators.jsonl",
                                         "TILE_GOLDEN_EXCHANGES", &other);
  checkClasses("shared_load_iterators", lines, other);
  std::map<std::string, unsigned> exceptions;
  unsigned passed = 0;
  for (const Object &line : lines) {
    StringRef name = *line.getString("class");
    Differences differences;
    std::string reason;
    if (name == "epilogue_exchange") {
      compareExchange(line, differences, reason);
    } else if (name == "TileIteratorSimtDirect2dConv") {
      compareDirectConv(line, differences, reason);
    } else if (name == "SharedLoadIteratorPitchLinear") {
      comparePitchLinear(line, differences);
    } else if (name == "MmaTensorOpMultiplicandTileIterator") {
      compareFetch(line, differences);
    } else {
      differences.push_back("not modelled: " + name.str());
    }
    if (!reason.empty())
      ++exceptions[reason];
    passed += differences.empty();
    if (!differences.empty())
      llvm::outs() << "difference: " << describe(line)
                   << "\n  ours: " << join(differences) << "\n";
  }
  for (const auto &[what, count] : exceptions)
    llvm::outs() << "  exceptions: " << what << ": " << count << "\n";
  llvm::outs() << "golden shared_load_iterators: " << passed << " of "
               << lines.size() << " lines\n";
  llvm::outs().flush();
  EXPECT_EQ(passed, lines.size());
  // The reference is wrong where it says that it does not read what it writes,
  // and in one direct convolution.
  if (!other) {
    EXPECT_EQ(exceptions["what the reference writes it does not read back"],
              4u);
    EXPECT_EQ(
        exceptions["only the first vector of channels of each pixel is stored"],
        1u);
  }
}

TEST(ExchangeMaps, Refusals) {
  EXPECT_EQ(getTensorOpExchange({2, 2, 1, 8, 60}).getReason(),
            "expected columns that are a multiple of 8, but got 60");
  EXPECT_EQ(getTensorOpExchange({2, 2, 1, 16, 64}).getReason(),
            "expected 8 rows of a warp, but got 16");
  EXPECT_EQ(getTensorOpExchange({0, 2, 1, 8, 64}).getReason(),
            "expected between 1 and 65536 warps and columns, but got 0");
  EXPECT_EQ(getSimtExchange({1, 1, 1, 4, 64}, {4, 4}, 4).getReason(),
            "expected 32 lanes along (M, N) with a vector each");
  EXPECT_EQ(getVoltaExchange({1, 1, 1, 16, 64}, 64).getReason(),
            "expected accumulators of 16 or 32 bits, but got 64");
  EXPECT_EQ(getDirectConvExchange({8, 8}, {3, 4}, 4, 8, 1).getReason(),
            "expected pixels of a thread that divide those of the tile, "
            "(h, w)");
  EXPECT_EQ(getDirectConvExchange({8, 8}, {4, 4}, 4, 0, 1).getReason(),
            "expected between 1 and 65536 lanes, elements and vectors, but "
            "got 0");
}

TEST(OperandMaps, Refusals) {
  EXPECT_EQ(getTensorOpOperand(64, 16, 64, 64, 64).getReason(),
            "expected elements of 4, 8, 16 or 32 bits, but got 64");
  EXPECT_EQ(getTensorOpOperand(16, 24, 64, 64, 64).getReason(),
            "expected a power of two between 8 and 64 as elements of a row in "
            "one line, but got 24");
  EXPECT_EQ(getTensorOpOperand(16, 64, 96, 64, 96).getReason(),
            "expected contiguous elements that are a multiple of 64, but got "
            "96");
  EXPECT_EQ(getTensorOpOperand(16, 32, 64, 63, 64).getReason(),
            "expected rows that are a multiple of 2, but got 63");
  EXPECT_EQ(getCongruous32Operand(64, 64, 32).getReason(),
            "expected a pitch of at least 64 elements that is a multiple of "
            "32, but got 32");
  EXPECT_EQ(getLdmatrixFetch({true, false, 8, 64, 16}).getReason(),
            "expected elements of 4, 8, 16 or 32 bits, or of 16 where K is "
            "not contiguous, but got 8");
  EXPECT_EQ(getLdmatrixFetch({true, true, 16, 64, 32}).getReason(),
            "expected an instruction of 8 or 16 elements along k, but got 32");
  EXPECT_EQ(getLdmatrixFetch({true, true, 16, 40, 16}).getReason(),
            "expected rows of a warp that are a multiple of 16, but got 40");
  EXPECT_EQ(getElementFetch({true, true, 16, 64, 8}).getReason(),
            "expected elements of 32 or 64 bits, but got 16");
  EXPECT_EQ(getElementFetch({true, true, 64, 64, 8}).getReason(),
            "expected an instruction of 4 elements along k, but got 8");
  EXPECT_EQ(getElementFetch({true, true, 32, 24, 8}).getReason(),
            "expected rows of a warp that are a multiple of 16, but got 24");
}

} // namespace
