// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From text to an artifact: the pass pipelines and the compiler around them.
#ifndef TILE_PIPELINES_PIPELINES_H
#define TILE_PIPELINES_PIPELINES_H

#include "tile/Atoms/Chips.h"
#include "tile/Target/Artifact.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Support/LogicalResult.h"

namespace tile {

/// Where the pipeline stops, in order.
enum class Stage {
  Schedule,
  Kernels,
  Pipelines,
  Iterators,
  Unroll,
  Atoms,
  Layouts,
  PTX
};

/// Options of the pipeline `tile-to-ptx`.
struct ToPTXOptions : mlir::PassPipelineOptions<ToPTXOptions> {
  Option<std::string> chip{
      *this, "chip", llvm::cl::desc("the GPU to compile for, as sm_80 or h200"),
      llvm::cl::init(kDefaultChip)};
  Option<std::string> schedule{
      *this, "schedule",
      llvm::cl::desc("the schedule of every problem, such as '#tile.simt<…>'"),
      llvm::cl::init("")};
  Option<std::string> tuningTable{
      *this, "tuning-table",
      llvm::cl::desc("a table of measured schedules, as tile-tune writes it"),
      llvm::cl::init("")};
  Option<bool> remarks{
      *this, "remarks",
      llvm::cl::desc("report each schedule and its reason as a remark"),
      llvm::cl::init(false)};
  /// Says which stages there are when one is misspelled.
  struct StageParser : OptionParser<Stage> {
    using OptionParser<Stage>::OptionParser;
    bool parse(llvm::cl::Option &option, llvm::StringRef name,
               llvm::StringRef text, Stage &stage);
    static void print(llvm::raw_ostream &stream, const Stage &stage);
  };
  Option<Stage, StageParser> stopAfter{
      *this, "stop-after", llvm::cl::desc("the last stage to run"),
      llvm::cl::init(Stage::PTX),
      llvm::cl::values(
          clEnumValN(Stage::Schedule, "schedule", "schedules are chosen"),
          clEnumValN(Stage::Kernels, "kernels",
                     "kernels are built, on iterators and atoms"),
          clEnumValN(Stage::Pipelines, "pipelines",
                     "pipelines and warpgroups are nvvm operations"),
          clEnumValN(Stage::Iterators, "iterators",
                     "iterators are loops over accesses"),
          clEnumValN(Stage::Unroll, "unroll", "strip-mined loops are unrolled"),
          clEnumValN(Stage::Atoms, "atoms", "atoms are arithmetic"),
          clEnumValN(Stage::Layouts, "layouts",
                     "only upstream dialects are left"),
          clEnumValN(Stage::PTX, "ptx",
                     "gpu.modules are gpu.binaries that hold PTX"))};
};

/// The passes from `tile.gemm` to PTX, up to the stage that the options name.
void buildToPTXPipeline(mlir::OpPassManager &manager,
                        const ToPTXOptions &options);

/// The passes from `linalg`, on tensors or memrefs, to entries of problems and a
/// host program that calls them. With `tensors`, these become memrefs first, and
/// results arguments.
void buildLinalgToTilePipeline(mlir::OpPassManager &manager,
                               bool tensors = true);

/// Registers the pipelines with the pass registry.
void registerTilePipelines();

/// How a module is compiled to an artifact.
struct CompileOptions {
  std::string chip = kDefaultChip;
  /// A schedule for every problem; empty: chosen.
  std::string schedule;
  /// Path of a table of measured schedules; empty: none.
  std::string tuningTable;
  /// Which code goes in.
  bool ptx = true, simulator = true, cubin = false;
  /// Whether simulator code counts sectors and bank conflicts.
  bool count = false;
  /// Report schedule choices as remarks through the context's diagnostics.
  bool remarks = false;
  /// A folder of artifacts that need not be compiled again; empty: none. It is
  /// made where it is missing, and holds at most so many bytes.
  std::string cacheDirectory;
  int64_t cacheBytes = int64_t(1) << 30;
  /// Refuse to compile what is not there.
  bool cacheOnly = false;
  /// Filled with the CPU time of each stage if not null.
  StageTimes *times = nullptr;
};

/// Lowers a module with problem operations to floor 3, in place. Where there are
/// operations of `linalg`, they are converted to problems first.
mlir::LogicalResult lowerToFloor3(mlir::ModuleOp module,
                                  const CompileOptions &options);

/// The entries of an artifact: each public host function that holds launches on
/// its arguments. Anything else in such a function is an error at the
/// operation.
mlir::FailureOr<std::vector<ArtifactEntry>>
collectEntries(mlir::ModuleOp module);

/// Compiles a module to the bytes of an artifact file. The module is lowered in
/// place. Every failure is reported once, as a diagnostic. With a folder of
/// artifacts, one that is there is taken, and one that is made is put there unless
/// its compilation had something to say, which would be lost the next time; a
/// folder that cannot be written to is a warning.
mlir::FailureOr<std::string> compileToArtifact(mlir::ModuleOp module,
                                               const CompileOptions &options);

} // namespace tile

#endif // TILE_PIPELINES_PIPELINES_H
