// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The golden thread maps, read as attributes: N of N, every difference printed.
#include "GoldenLines.h"
#include "tile/IR/ThreadMapFormulas.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir;
using namespace tile;
using namespace tile::test;
using llvm::json::Object;

namespace {

class ThreadMapGolden : public ::testing::Test {
protected:
  ThreadMapGolden() { context.loadDialect<TileDialect>(); }

  /// The map, or null and the error.
  ThreadMapAttrInterface parse(const std::string &text, std::string &error) {
    error.clear();
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      error += diagnostic.str();
      for (Diagnostic &note : diagnostic.getNotes())
        error += " (" + note.str() + ")";
      return success();
    });
    return dyn_cast_or_null<ThreadMapAttrInterface>(
        parseAttribute(text, &context));
  }

  /// Judges all lines; `write` makes the text of an attribute from a line,
  /// with what is given as its last parameter, and `check` compares it.
  void run(const char *name, const char *variable,
           std::string (*write)(const Object &, const std::string &),
           void (*check)(const Object &, ThreadMapAttrInterface, Differences &),
           bool (*coversWrongly)(const Object &));

  MLIRContext context;
};

//===----------------------------------------------------------------------===//
// Pitch-linear maps
//===----------------------------------------------------------------------===//

std::string writePitchLinear(const Object &line, const std::string &coverage) {
  return writeThreadMap(line, /*contiguous=*/1, coverage);
}

std::vector<int64_t> toList(PitchLinear pair) {
  return {pair.contiguous, pair.strided};
}

void checkPitchLinear(const Object &line, ThreadMapAttrInterface attr,
                      Differences &differences) {
  Result<PitchLinearMap> map = getPitchLinearMap(attr);
  if (!map) {
    differences.push_back(map.getReason());
    return;
  }
  bool isPolicy = line.getString("class")->contains("TilePolicy");
  compare(differences, line, "kThreads", {attr.getThreads()});
  compare(differences, line, "kElementsPerAccess",
          {attr.getElementsPerAccess()});
  compare(differences, line, "iterations", toList(map->iterations));
  // The policy maps of the reference count the contiguous delta in accesses.
  PitchLinear delta = map->delta;
  if (isPolicy)
    delta.contiguous /= map->elements;
  compare(differences, line, "delta", toList(delta));
  compare(differences, line, "thread_access_shape", {map->elements, map->rows});
  compare(differences, line, "warp_size", {map->warpSize});
  compare(differences, line, "warp_count", {map->warpCount});
  compare(differences, line, "warps", toList(map->warps));
  compare(differences, line, "warp_arrangement", toList(map->warps));
  compare(differences, line, "warp_access_iterations",
          toList(map->warpAccesses));
  PitchLinear tile = map->tile;
  compare(differences, line, "shape_in_accesses",
          {tile.contiguous / map->elements, tile.strided / map->rows});
  compare(differences, line, "shape_vec",
          {tile.contiguous / map->elements, tile.strided / map->rows});
  compare(differences, line, "storage_shape", toList(map->getStorage()));

  // What threads do is asked of the thread-value layout alone.
  Result<AccessPattern> pattern = parseAccessPattern(attr.getTVLayout());
  if (!pattern) {
    differences.push_back(pattern.getReason());
    return;
  }
  int64_t contiguous = attr.getContiguousDim();
  auto toPair = [&](std::pair<int64_t, int64_t> offset) {
    return contiguous == 1 ? std::pair(offset.second, offset.first) : offset;
  };
  std::vector<int64_t> starts;
  for (int64_t t = 0; t < attr.getThreads(); ++t) {
    auto [c, s] = toPair(pattern->getThreadOffset(t));
    starts.insert(starts.end(), {c, s});
  }
  compare(differences, line, "initial_offset", starts);
  int64_t access = 0;
  for (int64_t s = 0; s < map->iterations.strided; ++s)
    for (int64_t c = 0; c < map->iterations.contiguous; ++c)
      for (int64_t row = 0; row < map->rows; ++row) {
        auto ours = toPair(pattern->getAccessOffset(access++));
        std::pair theirs(c * map->delta.contiguous,
                         s * map->delta.strided + row);
        if (ours != theirs)
          differences.push_back("access " + std::to_string(access - 1) +
                                " of the layout is elsewhere");
      }

  const Object *coverage = line.getObject("coverage");
  if (!coverage)
    return;
  tile::Coverage ours = tile::getCoverage(*pattern, attr.getTileShape());
  bool exact = ours.uniform && ours.multiplicity == 1;
  if (coverage->getBoolean("exact").value_or(exact) != exact)
    differences.push_back("the coverage is " +
                          std::string(exact ? "exact" : "not exact"));
  // The data counts elements, we count touches; those of a padding map are
  // all different.
  if (ours.uniformInside && ours.multiplicity == 1)
    compare(differences, *coverage, "outside", {ours.outside});
}

/// The reference compiles the line although elements are missed or repeated.
bool coversWronglyPitchLinear(const Object &line) {
  const Object *coverage = line.getObject("coverage");
  return coverage && !coverage->getBoolean("exact").value_or(true);
}

//===----------------------------------------------------------------------===//
// Output tiles
//===----------------------------------------------------------------------===//

std::string writeOutput(const Object &line, const std::string &coverage) {
  StringRef name = *line.getString("class");
  std::string threads =
      ", threads = " + writeNumber(line, "threads") +
      ", elements = " + writeNumber(line, "elements_per_access");
  if (name == "OutputTileOptimalThreadMap")
    return "#tile.output_tile<shape = " + writeList(line, "shape") +
           ", count = " + writeList(line, "count") + threads +
           ", bits = " + writeNumber(line, "element_bits") + coverage + ">";
  if (name == "OutputTileThreadMap") {
    std::vector<int64_t> base = getNumbers(line, "base_shape");
    return "#tile.output_tile_on<base = #tile.strip_mined<tile = [" +
           std::to_string(base[1]) + ", " + std::to_string(base[0]) +
           "], contiguous = 1" + threads + coverage +
           ">, shape = " + writeList(line, "shape") +
           ", iterations = " + writeList(line, "iterations") +
           ", delta = " + writeList(line, "delta") +
           ", count = " + writeList(line, "count") + coverage + ">";
  }
  bool conv = name == "InterleavedConvOutputTileThreadMap";
  return "#tile." +
         std::string(conv ? "interleaved_conv_output" : "interleaved_output") +
         "<warps = " +
         writeList(line, conv ? "warp_count_row_col" : "warp_count") +
         ", iterations = " +
         writeList(line, conv ? "iterations_row_col" : "iterations") + threads +
         coverage + ">";
}

std::vector<int64_t> toList(const OutputAxes &axes) {
  return {axes.column, axes.row, axes.group, axes.cluster, axes.tile};
}

/// (row, column) of where each thread starts.
std::vector<int64_t> getStarts(ThreadMapAttrInterface attr) {
  Result<AccessPattern> pattern = parseAccessPattern(attr.getTVLayout());
  std::vector<int64_t> starts;
  if (pattern)
    for (int64_t t = 0; t < attr.getThreads(); ++t) {
      auto [row, column] = pattern->getThreadOffset(t);
      starts.insert(starts.end(), {row, column});
    }
  return starts;
}

void checkInterleaved(const Object &line, ThreadMapAttrInterface attr,
                      Differences &differences) {
  Result<PitchLinearMap> map = getPitchLinearMap(attr);
  if (!map) {
    differences.push_back(map.getReason());
    return;
  }
  compare(differences, line, "delta", toList(map->delta));
  compare(differences, line, "delta_row_col",
          {map->delta.strided, map->delta.contiguous});
  std::vector<int64_t> starts = getStarts(attr);
  compare(differences, line, "initial_offset", starts);
  for (size_t i = 0; i + 1 < starts.size(); i += 2)
    std::swap(starts[i], starts[i + 1]);
  compare(differences, line, "initial_offset_contiguous_strided", starts);
}

void checkOutput(const Object &line, ThreadMapAttrInterface attr,
                 Differences &differences) {
  if (line.getString("class")->starts_with("Interleaved"))
    return checkInterleaved(line, attr, differences);
  Result<OutputTileMap> map = getOutputTileMap(attr);
  if (!map) {
    differences.push_back(map.getReason());
    return;
  }
  compare(differences, line, "iterations", toList(map->iterations));
  compare(differences, line, "delta", toList(map->delta));
  compare(differences, line, "warp_partitions", toList(map->warpPartitions));
  compare(differences, line, "access_width", {map->accessWidth});
  compare(differences, line, "access_rows", {map->accessRows});
  compare(differences, line, "warps_remaining_for_groups",
          {map->warpsForGroups});
  compare(differences, line, "warps_remaining_for_rows", {map->warpsForRows});
  compare(differences, line, "row_arrangement_2d", {map->twoDimensional});
  compare(differences, line, "initial_offset", getStarts(attr));

  // One step, from the layout: its first iterations.
  Result<AccessPattern> pattern = parseAccessPattern(attr.getTVLayout());
  int64_t steps = map->iterations.column * map->iterations.row *
                  map->iterations.group * map->iterations.cluster *
                  map->iterations.tile;
  std::vector<int64_t> offsets;
  for (int64_t i = 0; pattern && i < steps; ++i) {
    auto [row, column] = pattern->getAccessOffset(i);
    offsets.insert(offsets.end(), {row, column});
  }
  compare(differences, line, "iteration_offset", offsets);

  // The compacted form is the map of one step along each axis.
  auto optimal = dyn_cast<OutputTileMapAttr>(attr);
  if (!optimal)
    return;
  auto compacted = OutputTileMapAttr::get(attr.getContext(), optimal.getShape(),
                                          {1, 1, 1, 1, 1}, optimal.getThreads(),
                                          optimal.getElements(),
                                          optimal.getBits(), CoverageRule::Any);
  Result<OutputTileMap> compactedMap = getOutputTileMap(compacted);
  compare(differences, line, "compacted_iterations",
          toList(compactedMap->iterations));
  compare(differences, line, "compacted_delta", toList(compactedMap->delta));
  compare(differences, line, "compacted_tile_shape",
          SmallVector<int64_t>(compacted.getTileShape()));
  compare(differences, line, "compacted_initial_offset", getStarts(compacted));
}

/// One step touches an element twice, or not all of its tile.
bool coversWronglyOutput(const Object &line) {
  if (const Object *step = line.getObject("one_step_coverage")) {
    std::vector<int64_t> shape = getNumbers(line, "shape");
    return step->getInteger("max_multiplicity") != 1 ||
           step->getInteger("points") !=
               shape[0] * shape[1] * shape[2] * shape[3];
  }
  // Made up for the test of offsets: no coverage is stated.
  return line.getString("class") == StringRef("OutputTileThreadMap");
}

//===----------------------------------------------------------------------===//
// Verdicts
//===----------------------------------------------------------------------===//

void ThreadMapGolden::run(const char *name, const char *variable,
                          std::string (*write)(const Object &,
                                               const std::string &),
                          void (*check)(const Object &, ThreadMapAttrInterface,
                                        Differences &),
                          bool (*coversWrongly)(const Object &)) {
  bool other = false;
  std::vector<Object> lines = readGolden(name, variable, &other);
  checkClasses(StringRef(name).drop_back(sizeof(".jsonl") - 1).str(), lines,
               other);
  unsigned passed = 0;
  std::map<std::string, std::pair<unsigned, unsigned>> counts;
  std::map<std::string, unsigned> verdicts;
  for (const Object &line : lines) {
    Differences differences;
    std::string error, verdict = "equal";
    std::string text = write(line, "");
    ThreadMapAttrInterface map = parse(text, error);
    std::string why = error;
    if (!line.getBoolean("ok").value_or(true)) {
      verdict = "both refuse";
      // Not even on purpose.
      if (map || parse(write(line, ", coverage = any"), error))
        differences.push_back("the reference refuses the set, we accept it");
    } else if (map) {
      check(line, map, differences);
    } else if (!coversWrongly(line)) {
      differences.push_back("refused: " + error);
    } else {
      // Refused; right when it pads and says so, or when it is wanted.
      verdict = "padded";
      map = parse(write(line, ", coverage = padded"), error);
      if (!map) {
        verdict = "covers wrongly, refused";
        map = parse(write(line, ", coverage = any"), error);
      }
      if (map)
        check(line, map, differences);
      else if (!StringRef(error).contains(" element ("))
        differences.push_back("refused without the numbers: " + error);
      else
        verdict = "covers wrongly, no layout of the thread";
    }
    bool good = differences.empty();
    passed += good;
    auto &[all, equal] = counts[line.getString("class")->str()];
    ++all;
    equal += good;
    ++verdicts[good ? verdict : "different"];
    if (!good || std::getenv("TILE_GOLDEN_VERBOSE"))
      llvm::outs() << (good ? "note: " + verdict : "difference") << ": " << text
                   << "\n  line: " << describe(line)
                   << "\n  ours: " << (good ? why : join(differences)) << "\n";
  }
  for (const auto &[key, count] : counts)
    llvm::outs() << key << ": " << count.second << " of " << count.first
                 << "\n";
  for (const auto &[verdict, count] : verdicts)
    llvm::outs() << "  " << verdict << ": " << count << "\n";
  llvm::outs() << "golden " << name << ": " << passed << " of " << lines.size()
               << "\n";
  llvm::outs().flush();
  EXPECT_EQ(passed, lines.size());
}

TEST_F(ThreadMapGolden, PitchLinear) {
  run("thread_maps.jsonl", "TILE_GOLDEN_THREAD_MAPS", writePitchLinear,
      checkPitchLinear, coversWronglyPitchLinear);
}

TEST_F(ThreadMapGolden, OutputTile) {
  run("output_tile_thread_maps.jsonl", "TILE_GOLDEN_OUTPUT_TILE_THREAD_MAPS",
      writeOutput, checkOutput, coversWronglyOutput);
}

} // namespace
