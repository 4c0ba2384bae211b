// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the kernel of the warp-specialised schedule. Private to the library.
#ifndef TILE_LIB_SCHEDULES_WARPSPECIALIZEDKERNEL_H
#define TILE_LIB_SCHEDULES_WARPSPECIALIZEDKERNEL_H

#include "WarpSpecialized.h"

#include "tile/DSL/Warpgroup.h"

#include <functional>

namespace tile::warp_specialized {

using namespace mlir;
using namespace dsl;

/// Positions of the kernel's parameters; -1 for what it does not have.
struct Positions {
  int left = -1, right = -1, storeMap = -1, storeLegal = -1;
  int loadMap = -1, loadLegal = -1;
  int dataC = -1, strideC[2] = {-1, -1}, batchC = -1;
  int dataD = -1, strideD[2] = {-1, -1}, batchD = -1;
  int m = -1, n = -1, k = -1, batch = -1, alpha = -1, beta = -1;
};

/// An output tile: its first row and column, i32, and its batch (null if there
/// is only one).
struct OutputTile {
  Val row, column, batch;
};

/// The chunks of C that belong to a tile.
struct ChunksOfC {
  /// Whether C comes in chunks, and whether it is not read at all, i1; null if
  /// no tile's comes so.
  Val staged, unread;
  /// Of the first group of chunks.
  PipelineState state;
};

/// Neighbouring sums of a row that a thread has; one access of its map.
constexpr int64_t kPair = 2;

/// Partial sums that a thread moves in one access.
constexpr int64_t kPartialVector = 4;

/// Builds one kernel. All of its pieces share the values below.
class KernelBuilder {
public:
  KernelBuilder(GemmOp gemm, WarpSpecializedScheduleAttr schedule,
                const WarpSpecializedVariant &variant,
                const WarpSpecializedParts &parts)
      : builder(gemm.getContext()), scope{builder, gemm.getLoc()}, gemm(gemm),
        schedule(schedule), variant(variant), parts(parts),
        pingPong(schedule.getMode() == ConsumerMode::PingPong) {}

  gpu::GPUFuncOp build(gpu::GPUModuleOp module);

private:
  void declare();
  std::string getName() const;
  DictionaryAttr getFacts();
  void setUp(ValueRange arguments);
  void producer();
  void consumer();
  void tiles();
  void deferredTiles();
  std::pair<View, SmallVector<Val>>
  locatePart(const TensorOperand &operand, const OperandRing &tile, View ring,
             Val first, Val k, Val batch, Leaf stage, Val part, int64_t blocks);
  void prefetch();
  void load(const TensorOperand &operand, const OperandRing &tile, View ring,
            Val map, Val first, Val k, Val batch, PipelineState state, Val part,
            int64_t blocks, Val mask);
  /// Things that a consumer does while its first products are computed: one
  /// after it has started the first block along K, one after the second, …
  using Interleaved = SmallVector<std::function<void()>>;
  Val mainLoop(PipelineState &state, const Interleaved &interleaved);
  Val addParts(Val fragment, PipelineState state);

  /// What D gets for `count` of the thread's sums from `first` on.
  using Finish = std::function<Val(int64_t first, int64_t count)>;
  Finish finishing(Val fragment, const OutputTile &tile);
  Val finishAll(Val fragment, const OutputTile &tile);
  Val finish(Val sums, Val added);
  /// `finishing` is called where the results are needed, so that nothing is
  /// kept for them in registers up to there.
  void epilogue(llvm::function_ref<Finish()> finishing, const OutputTile &tile);
  /// The same for a tile whose C is on its way to the chunks.
  void addChunks(Val fragment, const OutputTile &tile, const ChunksOfC &c);
  void epilogueWithC(Val fragment, const OutputTile &tile, const ChunksOfC &c);
  ChunksOfC startC(const OutputTile &tile, PipelineState state);
  void loadChunks(const OutputTile &tile, PipelineState state, int64_t group);
  Interleaved storing(const Finish &finish, const OutputTile &tile, Val ready);
  Val isTensorStoreLegal(const OutputTile &tile);
  /// A chunk in shared memory, and where it lies in the consumer's tile.
  struct Chunk {
    View view;
    int64_t row, column;
  };
  SmallVector<Chunk> getChunks(int64_t group);
  Iterator iterateChunk(const Chunk &chunk);
  bool usesStoreMatrix() const {
    return variant.elementTypeD.getIntOrFloatBitWidth() == 16;
  }
  Val getFirstRow(const OutputTile &tile);
  SmallVector<Val> coordinatesOf(const Chunk &chunk, const OutputTile &tile,
                                 bool batched);
  PipelineState stateOfGroup(PipelineState state, int64_t group);
  int64_t getNumChunks() const;
  int64_t getNumChunkGroups() const {
    return llvm::divideCeil(getNumChunks(), parts.stagingGroup);
  }
  Iterator iterate(View view, const OutputTile &tile);
  void storeDirect(const Finish &finish, const OutputTile &tile);
  void storeChunks(const Finish &finish, const OutputTile &tile, int64_t group,
                   Val legal);
  void storeRows(const Chunk &chunk, const OutputTile &tile);
  void writeChunks(
      llvm::function_ref<Val(const Chunk &, int64_t first, int64_t count)>
          finish,
      ArrayRef<Chunk> chunks, const OutputTile &tile, Val legal);
  OutputTile locate(Val id);
  View globalView(char name, int data, const int *strides, int batchStride,
                  int64_t contiguous, Val batch, int64_t vector);

  Val argument(int position) { return Val(scope, arguments[position]); }
  Val i32(int64_t number) { return i32Constant(scope, number); }
  Val toIndex(Val value) { return value.cast(builder.getIndexType()); }
  /// The letters of the operands that a parameter is named by.
  std::string nameOf(const TensorOperand &operand) const {
    return std::string(1, operand.name);
  }
  /// Coordinates of a tensor, the contiguous dimension first.
  SmallVector<Val> coordinates(Val contiguous, Val other, Val batch,
                               bool batched) {
    SmallVector<Val> coords{contiguous, other};
    if (batched)
      coords.push_back(batch ? batch : i32(0));
    return coords;
  }

  OpBuilder builder;
  Scope scope;
  /// Scopes that name an operand in the locations of its accesses.
  Scope scopeC{builder, scope.loc}, scopeD{builder, scope.loc};
  GemmOp gemm;
  WarpSpecializedScheduleAttr schedule;
  const WarpSpecializedVariant &variant;
  const WarpSpecializedParts &parts;
  bool pingPong;

  KernelParameters parameters;
  Positions at;
  SmallVector<Value> arguments;
  /// i32: extents, blocks along K, clusters of tiles along M and N, of all
  /// batches; the block's cluster, its rank there, the number of clusters.
  Val m, n, kBlocks, kOrigin, clustersM, clustersN, clusters;
  Val cluster, rank, rankM, rankN, clusterCount;
  View ringLeft, ringRight, staging, partial;
  Pipeline pipeline, order, exchange, loads;
  /// Of a consumer: its number, and the thread's number in it, i32.
  Val warpgroup, thread;
};

} // namespace tile::warp_specialized

#endif // TILE_LIB_SCHEDULES_WARPSPECIALIZEDKERNEL_H
