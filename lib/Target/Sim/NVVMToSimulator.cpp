// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces what only a GPU has by what the simulator provides.

#include "../Common/Locations.h"
#include "LowerNVVM.h"
#include "SimulatorABI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "tile/Target/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace tile {
#define GEN_PASS_DEF_TILENVVMTOSIMULATOR
#include "tile/Target/Passes.h.inc"
} // namespace tile

using namespace tile;
using namespace mlir;

namespace {
/// Rewrites one gpu.module of llvm and nvvm ops.
class Rewriter {
public:
  Rewriter(gpu::GPUModuleOp module, SmallVectorImpl<std::string> &sites,
           SmallVectorImpl<SimKernel> &kernels)
      : module(module), sites(sites), calls(module), kernels(kernels) {}

  LogicalResult run();

private:
  LogicalResult placeSharedGlobals();
  LogicalResult rewriteFunction(LLVM::LLVMFuncOp function);
  LogicalResult rewriteOp(Operation *op);
  void countSteps(LLVM::LLVMFuncOp function);
  FailureOr<int64_t> getLocalBytes(LLVM::LLVMFuncOp function);
  LogicalResult finishKernel(LLVM::LLVMFuncOp function);
  Value contextField(LLVM::LLVMFuncOp function, int32_t offset, Type type);
  Value specialRegister(LLVM::LLVMFuncOp function, StringRef name);

  gpu::GPUModuleOp module;
  SiteTable sites;
  SimulatorCalls calls;
  SmallVectorImpl<SimKernel> &kernels;
  /// Where each shared global starts in the block's shared memory, and ends.
  llvm::MapVector<StringAttr, std::pair<int64_t, int64_t>> shared;
  DenseMap<StringAttr, SetVector<StringAttr>> used; ///< globals per function
  DenseMap<std::pair<Operation *, int32_t>, Value> fields;
  /// Local memory of functions; none while one is being looked at.
  DenseMap<Operation *, std::optional<int64_t>> localBytes;
};
} // namespace

static bool isKernel(LLVM::LLVMFuncOp function) {
  return function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
}

/// The value of a field of the context, read once, where the function starts.
Value Rewriter::contextField(LLVM::LLVMFuncOp function, int32_t offset,
                             Type type) {
  Value &field = fields[{function, offset}];
  if (field)
    return field;
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Location loc = function.getLoc();
  Value address = LLVM::GEPOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      builder.getI8Type(), function.getArgument(0),
      ArrayRef<LLVM::GEPArg>{offset});
  field = LLVM::LoadOp::create(builder, loc, type, address);
  return field;
}

/// The offset of a register such as tid.y; negative if there is none.
static int32_t registerOffset(StringRef name) {
  if (name == "cluster.ctarank")
    return simabi::ClusterRank;
  if (name == "cluster.nctarank")
    return simabi::ClusterSize;
  auto [vector, lane] = name.rsplit('.');
  int32_t base = llvm::StringSwitch<int32_t>(vector)
                     .Case("tid", simabi::TID)
                     .Case("ctaid", simabi::CTAID)
                     .Case("ntid", simabi::NTID)
                     .Case("nctaid", simabi::NCTAID)
                     .Case("cluster.ctaid", simabi::ClusterCtaid)
                     .Case("cluster.nctaid", simabi::ClusterNctaid)
                     .Case("clusterid", simabi::Clusterid)
                     .Case("nclusterid", simabi::Nclusterid)
                     .Default(-1);
  int32_t index = llvm::StringSwitch<int32_t>(lane)
                      .Case("x", 0)
                      .Case("y", 1)
                      .Case("z", 2)
                      .Default(-1);
  return base < 0 || index < 0 ? -1 : base + 4 * index;
}

/// The value of the special register `name` (without `read.ptx.sreg.`), or null
/// when the simulator has none.
Value Rewriter::specialRegister(LLVM::LLVMFuncOp function, StringRef name) {
  Type i32 = IntegerType::get(module.getContext(), 32);
  if (int32_t offset = registerOffset(name); offset >= 0)
    return contextField(function, offset, i32);
  if (name != "laneid" && name != "warpid" && name != "warpsize")
    return {};
  SmallVector<Value> tid, ntid;
  for (int32_t i = 0; i < 3; ++i) {
    tid.push_back(contextField(function, simabi::TID + 4 * i, i32));
    ntid.push_back(contextField(function, simabi::NTID + 4 * i, i32));
  }
  // Behind all field loads: they are at the start of the block, newest first.
  OpBuilder builder(module.getContext());
  builder.setInsertionPointAfterValue(contextField(function, simabi::TID, i32));
  Operation *last = nullptr;
  for (Value value : llvm::concat<Value>(tid, ntid))
    if (!last || last->isBeforeInBlock(value.getDefiningOp()))
      last = value.getDefiningOp();
  builder.setInsertionPointAfter(last);
  Location loc = function.getLoc();
  if (name == "warpsize")
    return calls.constant(builder, loc, simabi::kWarpSize);
  auto multiplyAdd = [&](Value a, Value b, Value c) -> Value {
    Value product = LLVM::MulOp::create(builder, loc, a, b);
    return LLVM::AddOp::create(builder, loc, product, c);
  };
  Value linear =
      multiplyAdd(ntid[0], multiplyAdd(ntid[1], tid[2], tid[1]), tid[0]);
  Value size = calls.constant(builder, loc, simabi::kWarpSize);
  if (name == "laneid")
    return LLVM::URemOp::create(builder, loc, linear, size);
  return LLVM::UDivOp::create(builder, loc, linear, size);
}

/// Gives each shared global an offset. Globals that no kernel uses together
/// may overlap.
LogicalResult Rewriter::placeSharedGlobals() {
  SymbolTable table(module);
  // What each function uses, itself or through a callee.
  DenseMap<StringAttr, SetVector<StringAttr>> calls;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    StringAttr name = function.getSymNameAttr();
    function.walk([&](Operation *op) {
      if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
        auto global = table.lookup<LLVM::GlobalOp>(address.getGlobalName());
        if (global && global.getAddrSpace() == 3)
          used[name].insert(global.getSymNameAttr());
      } else if (auto call = dyn_cast<LLVM::CallOp>(op)) {
        if (call.getCallee())
          calls[name].insert(
              StringAttr::get(op->getContext(), *call.getCallee()));
      }
    });
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[caller, callees] : calls)
      for (StringAttr callee : callees)
        for (StringAttr global :
             SmallVector<StringAttr>(used.lookup(callee).getArrayRef()))
          changed |= used[caller].insert(global);
  }

  // Dynamic shared memory (an array of no elements) follows all static one.
  SmallVector<LLVM::GlobalOp> globals;
  DataLayout layout = DataLayout::closest(module);
  auto sizeOf = [&](LLVM::GlobalOp global) -> int64_t {
    return layout.getTypeSize(global.getGlobalType()).getFixedValue();
  };
  for (bool dynamic : {false, true})
    for (auto global : module.getOps<LLVM::GlobalOp>())
      if (global.getAddrSpace() == 3 && (sizeOf(global) == 0) == dynamic)
        globals.push_back(global);
  for (LLVM::GlobalOp global : globals) {
    StringAttr name = global.getSymNameAttr();
    if (!global.getInitializerRegion().empty() ||
        isa_and_nonnull<DenseElementsAttr, StringAttr, IntegerAttr, FloatAttr>(
            global.getValueOrNull()))
      return global.emitError() << "expected shared memory without an initial "
                                   "value, but got one for '"
                                << name.getValue() << "'";
    int64_t start = 0;
    for (auto &[function, names] : used)
      if (names.contains(name))
        for (StringAttr other : names)
          if (auto it = shared.find(other); it != shared.end())
            start = std::max(start, it->second.second);
    int64_t alignment = global.getAlignment().value_or(
        layout.getTypeABIAlignment(global.getGlobalType()));
    if (alignment > simabi::kSharedAlignment)
      return global.emitError()
             << "expected an alignment of at most " << simabi::kSharedAlignment
             << " bytes in shared memory, but got " << alignment;
    start = llvm::alignTo(start, std::max<int64_t>(alignment, 1));
    shared[name] = {start, start + sizeOf(global)};
  }
  return success();
}

LogicalResult Rewriter::rewriteOp(Operation *op) {
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  StringRef name = op->getName().getStringRef();
  if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
    auto it =
        shared.find(StringAttr::get(op->getContext(), address.getGlobalName()));
    if (it == shared.end())
      return success();
    OpBuilder builder(op);
    Type generic = LLVM::LLVMPointerType::get(op->getContext());
    Value base = contextField(function, simabi::Shared, generic);
    base = LLVM::AddrSpaceCastOp::create(builder, op->getLoc(),
                                         address.getType(), base);
    Value moved = LLVM::GEPOp::create(
        builder, op->getLoc(), address.getType(), builder.getI8Type(), base,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(it->second.first)});
    address.getResult().replaceAllUsesWith(moved);
    op->erase();
    return success();
  }
  if (auto call = dyn_cast<LLVM::CallOp>(op);
      call && call.getCallee() == StringRef("vprintf")) {
    OpBuilder builder(op);
    SmallVector<Value> arguments(call.getArgOperands());
    arguments.push_back(calls.constant(builder, op->getLoc(), sites.get(op)));
    Value printed = calls.call(builder, op->getLoc(), "print",
                               builder.getI32Type(), arguments);
    op->getResult(0).replaceAllUsesWith(printed);
    op->erase();
    return success();
  }
  if (lowerNVVMOp(op, calls, sites))
    return success();
  StringRef special = name;
  if (special.consume_front("nvvm.read.ptx.sreg."))
    if (Value value = specialRegister(function, special)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
      return success();
    }
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
    if (call.getIntrin().starts_with("llvm.nvvm."))
      name = call.getIntrin();
    else
      return success();
  } else if (auto call = dyn_cast<LLVM::CallOp>(op);
             call && !call.getCallee()) {
    name = "llvm.call through a pointer";
  } else if (!isa<LLVM::InlineAsmOp>(op) &&
             !isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect())) {
    return success();
  }
  return op->emitError()
         << "expected an op that the simulator models, but got '" << name
         << "'";
}

/// Reports to the simulator each time that a loop begins again, so that an
/// endless one ends and others go on beside one that waits for them.
void Rewriter::countSteps(LLVM::LLVMFuncOp function) {
  // Loops end where a block branches to one that is still being visited.
  enum State { New, Open, Done };
  DenseMap<Block *, State> states;
  SmallVector<std::pair<Block *, unsigned>> path{
      {&function.getBody().front(), 0}};
  states[path.back().first] = Open;
  SetVector<Block *> latches;
  while (!path.empty()) {
    auto &[block, next] = path.back();
    if (next == block->getNumSuccessors()) {
      states[block] = Done;
      path.pop_back();
      continue;
    }
    Block *successor = block->getSuccessor(next++);
    State &state = states[successor];
    if (state == Open)
      latches.insert(block);
    if (state != New)
      continue;
    state = Open;
    path.push_back({successor, 0});
  }
  for (Block *latch : latches) {
    Operation *end = latch->getTerminator();
    OpBuilder builder(end);
    calls.call(builder, end->getLoc(), "step", Type(),
               calls.constant(builder, end->getLoc(), sites.get(end)));
  }
}

/// Bytes of local memory that `function` and what it calls need; a thread's
/// stack has only so many, and recursion would need any number.
FailureOr<int64_t> Rewriter::getLocalBytes(LLVM::LLVMFuncOp function) {
  auto [it, isNew] = localBytes.try_emplace(function, std::nullopt);
  if (!isNew) {
    if (it->second)
      return *it->second;
    return function.emitError()
           << "expected functions that do not call themselves in the "
              "simulator, but '"
           << function.getName() << "' does";
  }
  DataLayout layout = DataLayout::closest(module);
  int64_t own = 0, callees = 0;
  WalkResult result = function.walk([&](Operation *op) {
    if (auto slot = dyn_cast<LLVM::AllocaOp>(op)) {
      APInt count;
      if (!matchPattern(slot.getArraySize(), m_ConstantInt(&count))) {
        op->emitError() << "expected local memory of a constant size in the "
                           "simulator";
        return WalkResult::interrupt();
      }
      int64_t bytes, size = layout.getTypeSize(slot.getElemType());
      if (llvm::MulOverflow(size, count.getSExtValue(), bytes) ||
          llvm::AddOverflow(own, bytes, own))
        own = std::numeric_limits<int64_t>::max() / 2;
    } else if (auto call = dyn_cast<LLVM::CallOp>(op)) {
      auto callee = call.getCallee()
                        ? module.lookupSymbol<LLVM::LLVMFuncOp>(
                              *call.getCallee())
                        : LLVM::LLVMFuncOp();
      if (!callee || callee.isExternal())
        return WalkResult::advance();
      FailureOr<int64_t> bytes = getLocalBytes(callee);
      if (failed(bytes))
        return WalkResult::interrupt();
      callees = std::max(callees, *bytes);
    }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (own > simabi::kLocalBytes - callees)
    return function.emitError()
           << "expected at most " << simabi::kLocalBytes
           << " bytes of local memory for a thread, but got " << own
           << " in '" << function.getName() << "' and " << callees
           << " in what it calls";
  localBytes[function] = own + callees;
  return own + callees;
}

LogicalResult Rewriter::rewriteFunction(LLVM::LLVMFuncOp function) {
  if (failed(getLocalBytes(function)) || failed(checkAccumulators(function)))
    return failure();
  countSteps(function);
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (op != function.getOperation() && failed(rewriteOp(op)))
      return failure();
  return success();
}

/// Copies what `address` points to, the bytes of argument `i`, to the stack.
static Value copyArgument(OpBuilder &builder, LLVM::LLVMFuncOp function,
                          unsigned i, Type type, Value address) {
  Location loc = function.getLoc();
  DataLayout layout = DataLayout::closest(function);
  uint64_t alignment = layout.getTypeABIAlignment(type);
  if (auto attribute = function.getArgAttrOfType<IntegerAttr>(
          i, LLVM::LLVMDialect::getAlignAttrName()))
    alignment = std::max<uint64_t>(alignment, attribute.getInt());
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  Value one =
      LLVM::ConstantOp::create(builder, loc, i32, builder.getI32IntegerAttr(1));
  Value copy = LLVM::AllocaOp::create(builder, loc, address.getType(), type,
                                      one, static_cast<unsigned>(alignment));
  Value size = LLVM::ConstantOp::create(
      builder, loc, i64,
      builder.getI64IntegerAttr(layout.getTypeSize(type).getFixedValue()));
  LLVM::MemcpyOp::create(builder, loc, copy, address, size,
                         /*isVolatile=*/false);
  return copy;
}

/// Makes `function(context, a0, a1, ...)` the simulator's entry
/// `tile_sim_kernel_<name>(context, arguments)`, which reads a0 from where
/// arguments[0] points, and so on.
LogicalResult Rewriter::finishKernel(LLVM::LLVMFuncOp function) {
  MLIRContext *context = function.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  Location loc = function.getLoc();
  Block *body = &function.getBody().front();
  auto *entry = new Block;
  function.getBody().push_front(entry);
  Value self = entry->addArgument(pointer, loc);
  Value arguments = entry->addArgument(pointer, loc);
  OpBuilder builder = OpBuilder::atBlockBegin(entry);

  SmallVector<Value> values{self};
  for (unsigned i = 1, e = body->getNumArguments(); i < e; ++i) {
    Value slot = LLVM::GEPOp::create(
        builder, loc, pointer, pointer, arguments,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i - 1)});
    Value address = LLVM::LoadOp::create(builder, loc, pointer, slot);
    Type type = body->getArgument(i).getType();
    // Of an argument passed by value the thread has a copy of its own.
    if (auto byValue = function.getArgAttrOfType<TypeAttr>(
            i, LLVM::LLVMDialect::getByValAttrName()))
      values.push_back(
          copyArgument(builder, function, i, byValue.getValue(), address));
    else
      values.push_back(LLVM::LoadOp::create(builder, loc, type, address));
  }
  // Stack memory is the function's only where it is made in its first block.
  for (Operation *op : calls.slots(function))
    op->moveBefore(entry, entry->begin());
  LLVM::BrOp::create(builder, loc, values, body);

  SimKernel kernel;
  kernel.name = function.getName().str();
  kernel.symbol = (simabi::kKernelPrefix + kernel.name).str();
  for (StringAttr global : used.lookup(function.getSymNameAttr()))
    kernel.sharedBytes =
        std::max(kernel.sharedBytes, shared.lookup(global).second);
  function->removeAttr(function.getArgAttrsAttrName());
  function.setFunctionType(LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(context), {pointer, pointer}));
  function.setSymName(kernel.symbol);
  function->setAttr(simabi::kSharedBytesAttr,
                    builder.getI64IntegerAttr(kernel.sharedBytes));
  kernels.push_back(std::move(kernel));
  return success();
}

LogicalResult Rewriter::run() {
  if (failed(placeSharedGlobals()))
    return failure();
  SmallVector<LLVM::LLVMFuncOp> functions;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      functions.push_back(function);
  for (LLVM::LLVMFuncOp function : functions) {
    if (failed(rewriteFunction(function)))
      return failure();
    bool kernel = isKernel(function);
    if (kernel && failed(finishKernel(function)))
      return failure();
    if (!kernel)
      function.setLinkage(LLVM::Linkage::Internal);
    for (NamedAttribute attribute :
         llvm::to_vector(function->getDiscardableAttrs()))
      if (attribute.getName() != simabi::kSharedBytesAttr)
        function->removeDiscardableAttr(attribute.getName());
  }
  for (auto global :
       llvm::make_early_inc_range(module.getOps<LLVM::GlobalOp>()))
    if (shared.contains(global.getSymNameAttr()))
      global.erase();
  return success();
}

LogicalResult tile::lowerNVVMToSimulator(gpu::GPUModuleOp module,
                                         SmallVectorImpl<std::string> &sites,
                                         SmallVectorImpl<SimKernel> &kernels) {
  return Rewriter(module, sites, kernels).run();
}

namespace {
struct NVVMToSimulatorPass
    : tile::impl::TileNVVMToSimulatorBase<NVVMToSimulatorPass> {
  void runOnOperation() override {
    SmallVector<std::string> sites;
    if (auto texts =
            getOperation()->getAttrOfType<ArrayAttr>(simabi::kSitesAttr))
      for (auto text : texts.getAsRange<StringAttr>())
        sites.push_back(text.str());
    SmallVector<SimKernel> kernels;
    if (failed(lowerNVVMToSimulator(getOperation(), sites, kernels)))
      return signalPassFailure();
    SmallVector<StringRef> texts(sites.begin(), sites.end());
    getOperation()->setAttr(simabi::kSitesAttr,
                            Builder(&getContext()).getStrArrayAttr(texts));
  }
};
} // namespace
