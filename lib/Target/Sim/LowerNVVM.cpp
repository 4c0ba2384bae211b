// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces nvvm ops by calls of the simulator, one function for each family.

#include "LowerNVVM.h"

#include "../Common/RegisterMma.h"
#include "../Common/RegisterWgmma.h"
#include "SimulatorABI.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tile;
using namespace mlir;

bool tile::isSimulatorFunction(StringRef name) {
  static constexpr StringLiteral names[] = {"async_commit",
                                            "async_copy",
                                            "async_wait",
                                            "barrier",
                                            "barrier_arrive",
                                            "bulk_commit",
                                            "bulk_wait",
                                            "check",
                                            "cluster_arrive",
                                            "cluster_wait",
                                            "count",
                                            "division",
                                            "elect",
                                            "fence_mbarrier_init",
                                            "fence_proxy",
                                            "grid_wait",
                                            "ldmatrix",
                                            "local",
                                            "mapa",
                                            "mbarrier_arrive",
                                            "mbarrier_complete_tx",
                                            "mbarrier_init",
                                            "mbarrier_inval",
                                            "mbarrier_wait",
                                            "mma",
                                            "print",
                                            "redux",
                                            "shuffle",
                                            "step",
                                            "stmatrix",
                                            "tensor_load",
                                            "tensor_load_im2col",
                                            "tensor_prefetch",
                                            "tensor_store",
                                            "trap",
                                            "vote",
                                            "warp_sync",
                                            "wgmma",
                                            "wgmma_commit",
                                            "wgmma_fence",
                                            "wgmma_registers",
                                            "wgmma_wait"};
  return name.consume_front(simabi::kPrefix) && llvm::is_contained(names, name);
}

Value SimulatorCalls::constant(OpBuilder &builder, Location loc,
                               int32_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                  builder.getI32IntegerAttr(value));
}

Value SimulatorCalls::call(OpBuilder &builder, Location loc, StringRef name,
                           Type result, ValueRange arguments) {
  std::string symbol = (simabi::kPrefix + name).str();
  auto caller = builder.getInsertionBlock()
                    ->getParentOp()
                    ->getParentOfType<LLVM::LLVMFuncOp>();
  if (!caller)
    caller = cast<LLVM::LLVMFuncOp>(builder.getInsertionBlock()->getParentOp());
  Type generic = LLVM::LLVMPointerType::get(builder.getContext());
  SmallVector<Value> operands{caller.getBody().front().getArgument(0)};
  for (Value argument : arguments) {
    if (isa<LLVM::LLVMPointerType>(argument.getType()) &&
        argument.getType() != generic)
      argument = LLVM::AddrSpaceCastOp::create(builder, loc, generic, argument);
    operands.push_back(argument);
  }
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(symbol);
  if (!function) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    Type type = result ? result : LLVM::LLVMVoidType::get(builder.getContext());
    function = LLVM::LLVMFuncOp::create(
        top, module.getLoc(), symbol,
        LLVM::LLVMFunctionType::get(
            type, llvm::to_vector(ValueRange(operands).getTypes())));
  }
  auto made = LLVM::CallOp::create(builder, loc, function, operands);
  return result ? made.getResult() : Value();
}

Value SimulatorCalls::slot(LLVM::LLVMFuncOp function, Type type) {
  Value &slot = made[{function, type}];
  if (slot)
    return slot;
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Location loc = function.getLoc();
  Value one = constant(builder, loc, 1);
  slot = LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), type, one,
      /*alignment=*/16);
  return slot;
}

SmallVector<Operation *>
SimulatorCalls::slots(LLVM::LLVMFuncOp function) const {
  SmallVector<Operation *> ops;
  for (auto &[key, slot] : made)
    if (key.first == function) {
      auto alloca = slot.getDefiningOp<LLVM::AllocaOp>();
      ops.push_back(alloca);
      ops.push_back(alloca.getArraySize().getDefiningOp());
    }
  return ops;
}

namespace {
/// One op on its way to a call.
struct Lowering {
  Lowering(Operation *op, SimulatorCalls &calls, SiteTable &sites)
      : op(op), calls(calls), sites(sites), builder(op), loc(op->getLoc()) {}

  Operation *op;
  SimulatorCalls &calls;
  SiteTable &sites;
  OpBuilder builder;
  Location loc;

  Type i32() { return builder.getI32Type(); }
  Value number(int32_t value) { return calls.constant(builder, loc, value); }
  Value site() { return number(sites.get(op)); }
  Value slot(Type type) {
    return calls.slot(op->getParentOfType<LLVM::LLVMFuncOp>(), type);
  }
  Value orNumber(Value value, int32_t other) {
    return value ? value : number(other);
  }
  /// 1 or 0 of an i1 that may be missing, which stands for 1.
  Value flag(Value predicate) {
    return predicate ? LLVM::ZExtOp::create(builder, loc, i32(), predicate)
                     : number(1);
  }
  Value isNonZero(Value value) {
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, value,
                                number(0));
  }

  void call(StringRef name, ValueRange arguments) {
    calls.call(builder, loc, name, Type(), arguments);
  }
  Value call(StringRef name, Type result, ValueRange arguments) {
    return calls.call(builder, loc, name, result, arguments);
  }
  /// Ends with the results, if the op has any.
  bool replace(Value result = Value()) {
    if (op->getNumResults())
      op->getResult(0).replaceAllUsesWith(result);
    op->erase();
    return true;
  }

  Value coordinates(ValueRange values);
  bool barrier();
  bool mbarrier();
  template <typename OpT>
  bool arrive(OpT op, Value count, Value bytes, Value predicate = Value());
  bool copy();
  bool asyncCopy();
  bool fence();
  bool warp();
  bool shuffle(NVVM::ShflOp shuffle);
  bool matrix();
  bool wgmma();
  bool multiply(NVVM::WgmmaMmaAsyncOp product);
  bool multiply(LLVM::InlineAsmOp product);
  bool multiply(NVVM::MmaOp product);
  bool multiply(const MmaInstruction &instruction, OperandRange a,
                OperandRange b, OperandRange sums);
  Value array(ValueRange values, Type type);
  bool cluster();
  bool convert();
  bool narrow(Value first, Value second, Type element);
};
} // namespace

bool Lowering::barrier() {
  Value id, count;
  if (isa<LLVM::Trap, LLVM::DebugTrap>(op)) {
    call("trap", site());
    return replace();
  }
  if (auto arrive = dyn_cast<NVVM::BarrierArriveOp>(op)) {
    call("barrier_arrive", {orNumber(arrive.getBarrierId(), 0),
                            arrive.getNumberOfThreads(), site()});
    return replace();
  }
  if (auto barrier = dyn_cast<NVVM::BarrierOp>(op)) {
    if (barrier.getReductionOp())
      return false;
    id = barrier.getBarrierId();
    count = barrier.getNumberOfThreads();
  } else if (!isa<NVVM::Barrier0Op>(op)) {
    return false;
  }
  call("barrier", {orNumber(id, 0), orNumber(count, 0), site()});
  return replace();
}

/// False for relaxed arrivals, which order nothing without a fence.
template <typename OpT>
bool Lowering::arrive(OpT op, Value count, Value bytes, Value predicate) {
  if (op.getRelaxed())
    return false;
  int32_t mode =
      op.getScope() == NVVM::MemScopeKind::CLUSTER ? simabi::ArriveCluster : 0;
  if (isa<NVVM::MBarrierArriveDropOp, NVVM::MBarrierArriveDropExpectTxOp>(
          op.getOperation()))
    mode |= simabi::ArriveDrops;
  Value state =
      call("mbarrier_arrive", builder.getI64Type(),
           {op.getAddr(), count, bytes, number(mode), flag(predicate), site()});
  return replace(state);
}

bool Lowering::mbarrier() {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](NVVM::MBarrierInitOp init) {
        call("mbarrier_init", {init.getAddr(), init.getCount(),
                               flag(init.getPredicate()), site()});
        return replace();
      })
      .Case([&](NVVM::MBarrierInvalOp inval) {
        call("mbarrier_inval", {inval.getAddr(), site()});
        return replace();
      })
      .Case<NVVM::MBarrierArriveOp, NVVM::MBarrierArriveDropOp>([&](auto a) {
        return arrive(a, orNumber(a.getCount(), 1), number(0));
      })
      .Case([&](NVVM::MBarrierExpectTxOp expect) {
        call("mbarrier_arrive", builder.getI64Type(),
             {expect.getAddr(), number(0), expect.getTxcount(), number(0),
              number(1), site()});
        return replace();
      })
      .Case([&](NVVM::MBarrierArriveExpectTxOp a) {
        return arrive(a, number(1), a.getTxcount(), a.getPredicate());
      })
      .Case([&](NVVM::MBarrierArriveDropExpectTxOp a) {
        return arrive(a, number(1), a.getTxcount());
      })
      .Case([&](NVVM::MBarrierCompleteTxOp complete) {
        call("mbarrier_complete_tx",
             {complete.getAddr(), complete.getTxcount(), site()});
        return replace();
      })
      .Case([&](NVVM::MBarrierTryWaitParityOp wait) {
        Value phase = LLVM::SExtOp::create(builder, loc, builder.getI64Type(),
                                           wait.getPhase());
        call("mbarrier_wait", i32(),
             {wait.getAddr(), phase, number(simabi::WaitBlocks), site()});
        return replace();
      })
      .Case<NVVM::MBarrierTryWaitOp, NVVM::MBarrierTestWaitOp>([&](auto wait) {
        if (wait.getRelaxed())
          return false;
        Value phase = wait.getStateOrPhase();
        int32_t mode =
            isa<NVVM::MBarrierTryWaitOp>(op) ? simabi::WaitBlocks : 0;
        if (wait.getScope() == NVVM::MemScopeKind::CLUSTER)
          mode |= simabi::WaitCluster;
        if (phase.getType().isInteger(64))
          mode |= simabi::WaitState;
        else
          phase =
              LLVM::SExtOp::create(builder, loc, builder.getI64Type(), phase);
        Value done = call("mbarrier_wait", i32(),
                          {wait.getAddr(), phase, number(mode), site()});
        return replace(isNonZero(done));
      })
      .Default([](Operation *) { return false; });
}

/// Values of one type, one after the other, in the slot of `type`.
Value Lowering::array(ValueRange values, Type type) {
  Value array = slot(type);
  for (auto [i, value] : llvm::enumerate(values)) {
    Value element = LLVM::GEPOp::create(
        builder, loc, array.getType(), value.getType(), array,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(i)});
    LLVM::StoreOp::create(builder, loc, value, element);
  }
  return array;
}

/// The coordinates of a box as an array on the stack.
Value Lowering::coordinates(ValueRange values) {
  // Coordinates of 5 dimensions, and offsets of 3.
  return array(values, LLVM::LLVMArrayType::get(i32(), 8));
}

bool Lowering::copy() {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp load) {
        bool im2col = load.getMode() == NVVM::TMALoadMode::IM2COL;
        if ((load.getMode() != NVVM::TMALoadMode::TILE && !im2col) ||
            load.getGroup())
          return false;
        SmallVector<Value> box = load.getCoordinates();
        auto rank = static_cast<int32_t>(box.size());
        for (Value offset : load.getIm2colOffsets())
          box.push_back(LLVM::ZExtOp::create(builder, loc, i32(), offset));
        Value mask = number(-1);
        if (load.getMulticastMask())
          mask = LLVM::ZExtOp::create(builder, loc, i32(),
                                      load.getMulticastMask());
        call(im2col ? "tensor_load_im2col" : "tensor_load",
             {load.getDstMem(), load.getTmaDescriptor(), load.getMbar(),
              coordinates(box), number(rank), mask, flag(load.getPredicate()),
              site()});
        return replace();
      })
      .Case([&](NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp store) {
        if (store.getMode() != NVVM::TMAStoreMode::TILE)
          return false;
        ValueRange box = store.getCoordinates();
        call("tensor_store",
             {store.getTmaDescriptor(), store.getSrcMem(), coordinates(box),
              number(static_cast<int32_t>(box.size())),
              flag(store.getPredicate()), site()});
        return replace();
      })
      .Case([&](NVVM::PrefetchOp prefetch) {
        if (prefetch.getTensormap())
          call("tensor_prefetch",
               {prefetch.getAddr(), flag(prefetch.getPredicate()), site()});
        return replace();
      })
      .Case([&](NVVM::CpAsyncBulkTensorPrefetchOp prefetch) {
        if (prefetch.getMode() != NVVM::TMALoadMode::TILE &&
            prefetch.getMode() != NVVM::TMALoadMode::IM2COL)
          return false;
        // A hint: all there is to go wrong is the tensor map.
        call("tensor_prefetch",
             {prefetch.getTmaDescriptor(), number(1), site()});
        return replace();
      })
      .Case([&](NVVM::CpAsyncBulkCommitGroupOp) {
        call("bulk_commit", {});
        return replace();
      })
      .Case([&](NVVM::CpAsyncBulkWaitGroupOp wait) {
        call("bulk_wait", number(static_cast<int32_t>(wait.getGroup())));
        return replace();
      })
      .Default([](Operation *) { return false; });
}

bool Lowering::asyncCopy() {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](NVVM::CpAsyncOp copy) {
        auto bytes = static_cast<int32_t>(copy.getSize());
        call("async_copy", {copy.getDst(), copy.getSrc(), number(bytes),
                            orNumber(copy.getCpSize(), bytes), site()});
        return replace();
      })
      .Case([&](NVVM::CpAsyncCommitGroupOp) {
        call("async_commit", {});
        return replace();
      })
      .Case([&](NVVM::CpAsyncWaitGroupOp wait) {
        call("async_wait", number(static_cast<int32_t>(wait.getN())));
        return replace();
      })
      .Default([](Operation *) { return false; });
}

bool Lowering::fence() {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](NVVM::FenceProxyOp fence) {
        switch (fence.getKind()) {
        case NVVM::ProxyKind::async:
        case NVVM::ProxyKind::async_shared:
          call("fence_proxy", {});
          return replace();
        case NVVM::ProxyKind::async_global:
        case NVVM::ProxyKind::alias:
          return replace();
        default:
          return false;
        }
      })
      .Case([&](NVVM::FenceMbarrierInitOp) {
        call("fence_mbarrier_init", {});
        return replace();
      })
      .Case([&](NVVM::WgmmaFenceAlignedOp) {
        call("wgmma_fence", {});
        return replace();
      })
      .Case([&](NVVM::GriddepcontrolOp control) {
        // The next launch may start when this one is over, and does.
        if (control.getKind() == NVVM::GridDepActionKind::wait)
          call("grid_wait", {});
        return replace();
      })
      // One thread runs at a time. Registers are not counted; the op's verifier
      // has checked the number.
      .Case<NVVM::MembarOp, NVVM::FenceScClusterOp, NVVM::SetMaxRegisterOp>(
          [&](auto) { return replace(); })
      .Default([](Operation *) { return false; });
}

bool Lowering::shuffle(NVVM::ShflOp shuffle) {
  Value value = shuffle.getVal(), valid;
  Type type = value.getType();
  if (type != i32())
    value = LLVM::BitcastOp::create(builder, loc, i32(), value);
  auto pair = dyn_cast<LLVM::LLVMStructType>(shuffle.getType());
  if (pair)
    valid = slot(i32());
  else
    valid = LLVM::ZeroOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext()));
  Value result =
      call("shuffle", i32(),
           {shuffle.getThreadMask(), value, shuffle.getOffset(),
            shuffle.getMaskAndClamp(),
            number(static_cast<int32_t>(shuffle.getKind())), valid, site()});
  if (type != i32())
    result = LLVM::BitcastOp::create(builder, loc, type, result);
  if (!pair)
    return replace(result);
  Value both = LLVM::PoisonOp::create(builder, loc, pair);
  both = LLVM::InsertValueOp::create(builder, loc, both, result,
                                     ArrayRef<int64_t>{0});
  Value flag = LLVM::LoadOp::create(builder, loc, i32(), valid);
  return replace(LLVM::InsertValueOp::create(
      builder, loc, both, isNonZero(flag), ArrayRef<int64_t>{1}));
}

bool Lowering::warp() {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](NVVM::ShflOp op) { return shuffle(op); })
      .Case([&](NVVM::ElectSyncOp elect) {
        Value chosen =
            call("elect", i32(), {orNumber(elect.getMembermask(), -1), site()});
        return replace(isNonZero(chosen));
      })
      .Case([&](NVVM::VoteSyncOp vote) {
        Value result =
            call("vote", i32(),
                 {vote.getMask(), flag(vote.getPred()),
                  number(static_cast<int32_t>(vote.getKind())), site()});
        return replace(vote.getType().isInteger(1) ? isNonZero(result)
                                                   : result);
      })
      .Case([&](NVVM::ReduxOp redux) {
        // The kinds from add to xor are those of integers, and come first.
        if (!redux.getType().isInteger(32))
          return false;
        int32_t kind = static_cast<int32_t>(redux.getKind()) -
                       static_cast<int32_t>(NVVM::ReduxKind::ADD);
        return replace(call(
            "redux", i32(),
            {redux.getMaskAndClamp(), redux.getVal(), number(kind), site()}));
      })
      .Case([&](NVVM::SyncWarpOp sync) {
        call("warp_sync", {sync.getMask(), site()});
        return replace();
      })
      .Default([](Operation *) { return false; });
}

bool Lowering::matrix() {
  auto plain = [](auto matrix) {
    return matrix.getEltType() == NVVM::LdStMatrixEltType::B16 &&
           matrix.getShape().getM() == 8 && matrix.getShape().getN() == 8;
  };
  auto registers = LLVM::LLVMArrayType::get(i32(), 4);
  if (auto store = dyn_cast<NVVM::StMatrixOp>(op)) {
    if (!plain(store))
      return false;
    Value array = this->array(store.getSources(), registers);
    call("stmatrix",
         {store.getPtr(), array,
          number(static_cast<int32_t>(store.getSources().size())),
          number(store.getLayout() == NVVM::MMALayout::col), site()});
    return replace();
  }
  auto load = dyn_cast<NVVM::LdMatrixOp>(op);
  if (!load || !plain(load))
    return false;
  Value array = slot(registers);
  call("ldmatrix", {load.getPtr(), array, number(load.getNum()),
                    number(load.getLayout() == NVVM::MMALayout::col), site()});
  return replace(LLVM::LoadOp::create(builder, loc, load.getType(), array));
}

bool Lowering::multiply(NVVM::WgmmaMmaAsyncOp product) {
  auto type = [](NVVM::WGMMATypes type) { return static_cast<int32_t>(type); };
  if (product.getTypeA() == NVVM::WGMMATypes::b1)
    return false;
  int32_t flags = type(product.getTypeA()) |
                  type(product.getTypeB()) << simabi::WgmmaTypeB |
                  type(product.getTypeD()) << simabi::WgmmaTypeD;
  if (product.getScaleD() == NVVM::WGMMAScaleOut::one)
    flags |= simabi::WgmmaAdd;
  if (product.getScaleA() == NVVM::WGMMAScaleIn::neg)
    flags |= simabi::WgmmaNegateA;
  if (product.getScaleB() == NVVM::WGMMAScaleIn::neg)
    flags |= simabi::WgmmaNegateB;
  // A by rows and B by columns have K contiguous.
  if (product.getLayoutA() == NVVM::MMALayout::col)
    flags |= simabi::WgmmaMMajor;
  if (product.getLayoutB() == NVVM::MMALayout::row)
    flags |= simabi::WgmmaNMajor;
  if (product.getSatfinite() == NVVM::MMAIntOverflow::satfinite)
    flags |= simabi::WgmmaSaturate;
  Value registers = slot(product.getInouts().getType());
  LLVM::StoreOp::create(builder, loc, product.getInouts(), registers);
  call("wgmma", {registers, product.getDescriptorA(), product.getDescriptorB(),
                 number(static_cast<int32_t>(product.getShape().getN())),
                 number(flags), site()});
  return replace(LLVM::LoadOp::create(
      builder, loc, product.getInouts().getType(), registers));
}

/// The asm of a multiply with A in registers, as tile-lower-warpgroups writes
/// it.
bool Lowering::multiply(LLVM::InlineAsmOp product) {
  if (std::optional<RegisterMma> match = matchRegisterMma(product))
    return multiply(match->instruction, match->a, match->b, match->sums);
  std::optional<RegisterWgmma> match = matchRegisterWgmma(product);
  if (!match)
    return false;
  const WgmmaInstruction &instruction = match->instruction;
  auto type = [](StringRef name) {
    std::optional<NVVM::WGMMATypes> type = NVVM::symbolizeWGMMATypes(name);
    return type ? static_cast<int32_t>(*type) : -1;
  };
  int32_t typeA = type(instruction.a), typeB = type(instruction.b),
          typeD = type(instruction.d);
  if (typeA < 0 || typeB < 0 || typeD < 0)
    return false;
  int32_t flags =
      typeA | typeB << simabi::WgmmaTypeB | typeD << simabi::WgmmaTypeD;
  if (instruction.accumulate)
    flags |= simabi::WgmmaAdd;
  if (instruction.transposeB)
    flags |= simabi::WgmmaNMajor;
  if (instruction.saturate)
    flags |= simabi::WgmmaSaturate;
  Value sums = array(match->accumulators, product.getRes().getType());
  Value registers =
      array(match->a, LLVM::LLVMArrayType::get(i32(), match->a.size()));
  call("wgmma_registers",
       {sums, registers, match->b, number(static_cast<int32_t>(instruction.n)),
        number(flags), site()});
  return replace(
      LLVM::LoadOp::create(builder, loc, product.getRes().getType(), sums));
}

/// The number of a type of mma.sync, or -1.
static int32_t getMmaType(StringRef name) {
  if (std::optional<NVVM::WGMMATypes> type = NVVM::symbolizeWGMMATypes(name))
    return static_cast<int32_t>(*type);
  return llvm::StringSwitch<int32_t>(name)
      .Case("s4", simabi::MmaS4)
      .Case("u4", simabi::MmaU4)
      .Case("f64", simabi::MmaF64)
      .Default(-1);
}

/// The same as an op of the nvvm dialect. False for one that no atom is: of
/// bits, of a quad pair, with a saturating sum, or with sums of two types.
bool Lowering::multiply(NVVM::MmaOp product) {
  using NVVM::MMATypes;
  auto getType = [&](std::optional<MMATypes> type, OperandRange operands) {
    if (!type && !operands.empty())
      type = NVVM::MmaOp::inferOperandMMAType(operands.front().getType(),
                                              /*isAccumulator=*/false);
    return type ? NVVM::stringifyMMATypes(*type).str() : std::string();
  };
  MMATypes sums = product.resultPtxType();
  std::optional<NVVM::MMAIntOverflow> overflow =
      product.getIntOverflowBehavior();
  if (product.getB1Op() || product.accumPtxType() != sums ||
      overflow == NVVM::MMAIntOverflow::satfinite ||
      product.getLayoutA() != NVVM::MMALayout::row ||
      product.getLayoutB() != NVVM::MMALayout::col)
    return false;
  MmaInstruction instruction{
      product.getShape().getM(),
      product.getShape().getN(),
      product.getShape().getK(),
      NVVM::stringifyMMATypes(sums).str(),
      getType(product.getMultiplicandAPtxType(), product.getOperandA()),
      getType(product.getMultiplicandBPtxType(), product.getOperandB())};
  if (!MmaInstruction::parse(instruction.print()))
    return false;
  return multiply(instruction, product.getOperandA(), product.getOperandB(),
                  product.getOperandC());
}

bool Lowering::multiply(const MmaInstruction &instruction, OperandRange a,
                        OperandRange b, OperandRange before) {
  int32_t typeA = getMmaType(instruction.a), typeB = getMmaType(instruction.b),
          typeD = getMmaType(instruction.d);
  if (typeA < 0 || typeB < 0 || typeD < 0)
    return false;
  Type type = op->getResult(0).getType();
  // Slots are of one type each, so that A and B need two that differ.
  auto operands = [&](OperandRange registers, unsigned least) {
    return array(registers,
                 LLVM::LLVMArrayType::get(registers.front().getType(),
                                          registers.size() + least));
  };
  Value sums = array(before, type);
  call("mma", {sums, operands(a, 0), operands(b, 32),
               number(static_cast<int32_t>(instruction.m |
                                           instruction.n << simabi::MmaN |
                                           instruction.k << simabi::MmaK)),
               number(typeA | typeB << simabi::WgmmaTypeB |
                      typeD << simabi::WgmmaTypeD),
               site()});
  return replace(LLVM::LoadOp::create(builder, loc, type, sums));
}

bool Lowering::wgmma() {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<NVVM::WgmmaMmaAsyncOp, NVVM::MmaOp, LLVM::InlineAsmOp>(
          [&](auto product) { return multiply(product); })
      .Case([&](NVVM::WgmmaGroupSyncAlignedOp) {
        call("wgmma_commit", {});
        return replace();
      })
      .Case([&](NVVM::WgmmaWaitGroupSyncOp wait) {
        call("wgmma_wait", number(static_cast<int32_t>(wait.getGroup())));
        return replace();
      })
      .Default([](Operation *) { return false; });
}

bool Lowering::cluster() {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<NVVM::ClusterArriveOp, NVVM::ClusterArriveRelaxedOp>([&](auto) {
        call("cluster_arrive",
             {number(isa<NVVM::ClusterArriveRelaxedOp>(op)), site()});
        return replace();
      })
      .Case([&](NVVM::ClusterWaitOp) {
        call("cluster_wait", site());
        return replace();
      })
      .Case([&](NVVM::MapaOp mapa) {
        Type generic = LLVM::LLVMPointerType::get(builder.getContext());
        Value address =
            call("mapa", generic, {mapa.getA(), mapa.getB(), site()});
        if (mapa.getType() != generic)
          address = LLVM::AddrSpaceCastOp::create(builder, loc, mapa.getType(),
                                                  address);
        return replace(address);
      })
      .Default([](Operation *) { return false; });
}

/// Two floats rounded to a pair, as cvt has it: the first one in the high half.
bool Lowering::narrow(Value first, Value second, Type element) {
  auto type = VectorType::get(2, element);
  Value pair = LLVM::PoisonOp::create(builder, loc, type);
  const Value halves[] = {second, first};
  for (int32_t i = 0; i < 2; ++i) {
    Value narrow = LLVM::FPTruncOp::create(builder, loc, element, halves[i]);
    pair = LLVM::InsertElementOp::create(builder, loc, pair, narrow, number(i));
  }
  return replace(pair);
}

bool Lowering::convert() {
  auto plain = [](auto convert) {
    return convert.getRnd() == NVVM::FPRoundingMode::RN &&
           convert.getSat() == NVVM::SaturationMode::NONE &&
           !convert.getRelu() && !convert.getRandomBits();
  };
  if (auto half = dyn_cast<NVVM::ConvertF32x2ToF16x2Op>(op))
    return plain(half) &&
           narrow(half.getSrcHi(), half.getSrcLo(), builder.getF16Type());
  if (auto bfloat = dyn_cast<NVVM::ConvertF32x2ToBF16x2Op>(op))
    return plain(bfloat) &&
           narrow(bfloat.getSrcHi(), bfloat.getSrcLo(), builder.getBF16Type());
  return false;
}

bool tile::lowerNVVMOp(Operation *op, SimulatorCalls &calls, SiteTable &sites) {
  if (!isa_and_nonnull<NVVM::NVVMDialect>(op->getDialect()) &&
      !isa<LLVM::InlineAsmOp, LLVM::Trap, LLVM::DebugTrap>(op))
    return false;
  Lowering lowering(op, calls, sites);
  return lowering.barrier() || lowering.mbarrier() || lowering.copy() ||
         lowering.asyncCopy() || lowering.fence() || lowering.warp() ||
         lowering.matrix() || lowering.wgmma() || lowering.cluster() ||
         lowering.convert();
}
