// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Golden walks of mapped iterators against the lowered IR and the definition.
#include "MappedGolden.h"

#include "../IR/GoldenLines.h"

#include "mlir/AsmParser/AsmParser.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <map>
#include <set>

using namespace mlir;
using namespace tile;
using namespace tile::test;
using llvm::json::Array;
using llvm::json::Object;

namespace {

/// What the reference accesses in one position: `width` elements from each
/// offset on; an offset that is not there is masked.
WalkTile readTile(const Object &visit, llvm::StringRef key, int64_t width) {
  WalkTile tile;
  llvm::StringRef valid = visit.getString("valid").value_or("");
  for (auto [i, offset] : llvm::enumerate(*visit.getArray(key))) {
    int64_t number = offset.getAsInteger().value_or(0);
    bool isValid =
        valid.empty() ? bool(offset.getAsInteger()) : valid[i] == '1';
    for (int64_t e = 0; e < width; ++e)
      tile.push_back({number + e, isValid});
  }
  return tile;
}

std::string describe(const WalkElement &element) {
  return std::to_string(element.offset) + (element.valid ? " on" : " off");
}

struct Comparison {
  Differences differences;
  std::set<std::string> reasons;
  /// Positions behind the last step of a tile.
  unsigned skipped = 0;
};

/// The place of element `e` in a position, by the thread map alone.
std::optional<std::array<int64_t, 2>> getPlace(const MappedWalk &walk,
                                               ThreadMapAttrInterface map,
                                               int64_t t, int64_t k, size_t e) {
  constexpr int64_t kRow = int64_t(1) << 32;
  WalkTile places =
      getMappedTile(walk, map, t, k,
                    [](int64_t row, int64_t column) -> std::optional<int64_t> {
                      return row * kRow + column;
                    });
  if (!places[e].valid)
    return std::nullopt;
  return std::array<int64_t, 2>{places[e].offset / kRow,
                                places[e].offset % kRow};
}

/// The line as one of loads, if these go elsewhere than stores, which they say
/// beside the offsets of stores: to the matrix itself where stores are
/// permuted.
std::optional<Object> getLoads(const Object &line) {
  Object loads = line;
  bool isOther = false;
  for (llvm::json::Value &thread : *loads.getArray("threads"))
    for (llvm::json::Value &visit : *thread.getAsObject()->getArray("w"))
      if (llvm::json::Value *offsets = visit.getAsObject()->get("load_off")) {
        (*visit.getAsObject())["off"] = llvm::json::Value(*offsets);
        isOther = true;
      }
  if (!isOther)
    return std::nullopt;
  for (const char *key : {"variant", "permute", "block_idx_z"})
    loads.erase(key);
  return loads;
}

/// Compares all threads of a line.
void compare(MLIRContext &context, const Object &line, MappedGolden &golden,
             llvm::function_ref<ExplainMapped> explain, Comparison &result) {
  MappedWalk &walk = golden.walk;
  auto refuse = [&](const std::string &text) {
    result.differences.push_back(text);
  };
  auto attribute = parseAttribute(walk.map, &context);
  auto map = dyn_cast_or_null<ThreadMapAttrInterface>(attribute);
  if (!map)
    return refuse("not a thread map: " + walk.map);
  AccessPattern pattern = getAccessPattern(map);
  if (golden.rowsFirst) {
    SmallVector<MapMode> columns;
    llvm::copy_if(pattern.iterations, std::back_inserter(columns),
                  [](const MapMode &mode) { return mode.dim != 0; });
    llvm::erase_if(pattern.iterations,
                   [](const MapMode &mode) { return mode.dim != 0; });
    llvm::append_range(pattern.iterations, columns);
    map = TVMapAttr::get(&context, map.getTileShape(), toTVLayout(pattern));
    walk.map.clear();
    llvm::raw_string_ostream(walk.map) << map;
    golden.rowsFirst = false;
  }
  walk.fragment = pattern.getNumAccesses() / walk.steps * pattern.vector;
  const Array &threads = *line.getArray("threads");
  int64_t positions = threads[0].getAsObject()->getArray("w")->size();
  if (golden.slices > 1)
    golden.jumps.assign(positions, golden.slices);
  walk.writeBody(positions, golden.stores, golden.jumps);
  if (golden.pointerOffset) {
    // The first iterator is made under another name.
    walk.body = "  %po = arith.constant " +
                std::to_string(golden.pointerOffset) +
                " : index\n  %moved = tile.iterator_add_pointer_offset %it0, %po "
                ": !iter\n" +
                walk.body;
    for (size_t at = walk.body.find("%it0 :"); at != std::string::npos;
         at = walk.body.find("%it0 :"))
      walk.body.replace(at, 4, "%moved");
  }
  std::string error;
  LoweredMappedWalk lowered(context, walk, error);
  if (!lowered)
    return refuse(error + " in\n" + walk.write());
  for (const llvm::json::Value &entry : threads) {
    int64_t t = *entry.getAsObject()->getInteger("t");
    const Array &visits = *entry.getAsObject()->getArray("w");
    std::vector<WalkTile> ours = lowered.run(t, error);
    if (!error.empty() || int64_t(ours.size()) != positions)
      return refuse("thread " + std::to_string(t) + ": " + error +
                    std::to_string(ours.size()) + " positions");
    int64_t k = 0;
    for (int64_t position = 0; position < positions; ++position) {
      std::string place = "thread " + std::to_string(t) + ", position " +
                          std::to_string(position) + ", element ";
      WalkTile definition = getMappedTile(walk, map, t, k, golden.define);
      for (WalkElement &element : definition)
        element.offset += golden.pointerOffset;
      bool isInTile = k < walk.steps || walk.steps == 1;
      WalkTile theirs =
          readTile(*visits[position].getAsObject(), "off", pattern.vector);
      if (ours[position].size() != theirs.size())
        return refuse(place + std::to_string(ours[position].size()) + " of " +
                      std::to_string(theirs.size()));
      for (size_t e = 0; e < theirs.size(); ++e) {
        const WalkElement &mine = ours[position][e];
        if (!(mine == definition[e]))
          return refuse(place + std::to_string(e) + ": we have " +
                        describe(mine) + ", by definition it is " +
                        describe(definition[e]));
        // Behind the last step of a tile the reference is nowhere.
        if (!isInTile || mine == theirs[e])
          continue;
        size_t first = e - e % pattern.vector;
        std::string reason = explain(line, {theirs[e], mine, theirs[first],
                                            ours[position][first], e == first,
                                            getPlace(walk, map, t, k, e)});
        if (reason.empty())
          return refuse(place + std::to_string(e) + ": we have " +
                        describe(mine) + " instead of " + describe(theirs[e]));
        result.reasons.insert(reason);
      }
      result.skipped += !isInTile;
      k += golden.jumps.empty() || position + 1 == positions
               ? 1
               : golden.jumps[position];
    }
  }
}

/// What identifies a line in the list of exceptions.
std::string identify(const Object &line) {
  Object shown;
  for (const auto &entry : line)
    if (entry.first != "threads" &&
        !llvm::StringRef(entry.first).starts_with("params"))
      shown[entry.first] = entry.second;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::json::Value(std::move(shown));
  return text;
}

} // namespace

void tile::test::compareMappedGolden(
    const char *name, const char *variable,
    llvm::function_ref<MappedGolden(const Object &)> read,
    llvm::function_ref<ExplainMapped> explain, unsigned skipped) {
  MLIRContext context;
  loadDialects(context);
  bool other = false;
  std::string file = name;
  std::vector<Object> lines =
      readGolden((file + ".jsonl").c_str(), variable, &other);
  checkClasses(file, lines, other);
  GoldenExceptions exceptions(file, other);
  unsigned passed = 0, elsewhere = 0, notCompared = 0, loads = 0;
  for (const Object &line : lines) {
    MappedGolden golden = read(line);
    if (golden.isElsewhere) {
      ++elsewhere;
      continue;
    }
    Comparison result;
    if (!golden.unsupported.empty())
      result.differences.push_back("not modelled: " + golden.unsupported);
    // Constants; numbers of run time in wide accesses; single elements.
    auto compareModes = [&](const Object &line, MappedGolden &golden) {
      for (int mode : {0, 1, 2}) {
        golden.walk.constants = mode == 0;
        golden.walk.divisors = mode == 1;
        golden.walk.unroll = mode == 1;
        result.skipped = 0;
        if (result.differences.empty())
          compare(context, line, golden, explain, result);
      }
      notCompared += result.skipped;
    };
    compareModes(line, golden);
    if (std::optional<Object> loadLine = getLoads(line)) {
      MappedGolden loadGolden = read(*loadLine);
      loadGolden.stores = false;
      compareModes(*loadLine, loadGolden);
      ++loads;
    }
    std::string reason;
    for (const std::string &text : result.reasons)
      reason += (reason.empty() ? "" : "; ") + text;
    exceptions.check(identify(line), reason, result.differences);
    bool good = result.differences.empty();
    passed += good;
    if (!good || (!reason.empty() && std::getenv("TILE_GOLDEN_VERBOSE"))) {
      Object exception{{"line", identify(line)}, {"reason", reason}};
      llvm::outs() << (good ? "exception: " : "difference: ")
                   << llvm::json::Value(std::move(exception))
                   << "\n  ours: " << join(result.differences) << "\n";
    }
  }
  llvm::outs() << "golden " << name << ": " << passed << " of "
               << lines.size() - elsewhere << " lines (" << exceptions.size()
               << " where the reference is wrong), " << loads
               << " with loads of their own, " << elsewhere
               << " compared elsewhere; positions behind a tile: "
               << notCompared << "\n";
  llvm::outs().flush();
  exceptions.expectNoneLeft();
  EXPECT_EQ(passed + elsewhere, lines.size());
  EXPECT_GT(passed, 0u);
  if (!other)
    EXPECT_EQ(notCompared, skipped);
}
