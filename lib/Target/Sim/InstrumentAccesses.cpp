// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts a check before every access of global and shared memory.

#include "../Common/Locations.h"
#include "SimulatorABI.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "tile/Target/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tile {
#define GEN_PASS_DEF_TILEINSTRUMENTACCESSES
#include "tile/Target/Passes.h.inc"
} // namespace tile

using namespace tile;
using namespace mlir;

namespace {
/// Which memory a pointer points to, as far as it matters here.
enum class Memory { Generic, Global, Shared, Cluster, Unchecked, Unknown };

/// Inserts checks into one gpu.module.
class Instrumenter {
public:
  Instrumenter(gpu::GPUModuleOp module, SmallVectorImpl<std::string> &sites,
               bool counts)
      : module(module), layout(DataLayout::closest(module)), sites(sites),
        counts(counts) {}

  LogicalResult run();

private:
  LogicalResult addContextArguments();
  void passContexts();
  LogicalResult instrument(Operation *op);
  void instrumentAccess(Operation *op, Value pointer, Type type,
                        unsigned alignment, int32_t access);
  void instrumentAtomic(Operation *op, Value pointer, Type type,
                        unsigned alignment, LLVM::AtomicOrdering ordering,
                        bool loads, bool stores);
  bool checkBounds(OpBuilder &builder, Operation *op, Value pointer,
                   Value size);
  void instrumentPlain(Operation *op, Value pointer, Type type,
                       unsigned alignment, bool isStore);
  void instrumentMasked(Operation *op, Value pointer, Value mask, Type type,
                        unsigned alignment, bool isStore);
  void instrumentLanes(Operation *op, Value pointer, Value mask,
                       VectorType type, unsigned alignment, bool isStore);
  void instrumentRange(Operation *op, Value pointer, Value length,
                       bool isStore);
  void instrumentDivision(Operation *op);
  void emitCheck(OpBuilder &builder, Operation *op, Value pointer, Value size,
                 unsigned alignment, int32_t access);
  void emitCount(OpBuilder &builder, Operation *op, Value pointer, int64_t size,
                 Value on, bool isStore);
  void countAsyncCopy(NVVM::CpAsyncOp copy);
  int64_t sizeOf(Type type) const;
  int32_t kindOf(Value pointer, int32_t access) const;
  Value toGeneric(OpBuilder &builder, Location loc, Value pointer);
  Memory classify(Value pointer) const;
  LLVM::LLVMFuncOp checkFunction();
  LLVM::LLVMFuncOp countFunction();
  LLVM::LLVMFuncOp divisionFunction();
  LLVM::LLVMFuncOp localFunction();

  gpu::GPUModuleOp module;
  DataLayout layout;
  SiteTable sites;
  bool counts; ///< accesses are counted, too
  LLVM::LLVMFuncOp check, counter, division, local;
  DenseSet<StringAttr> defined; ///< functions that take the context
};
} // namespace

static Value constantInt(OpBuilder &builder, Location loc, int64_t value,
                         unsigned bits) {
  Type type = builder.getIntegerType(bits);
  return LLVM::ConstantOp::create(builder, loc, type,
                                  builder.getIntegerAttr(type, value));
}

LLVM::LLVMFuncOp Instrumenter::checkFunction() {
  if (check)
    return check;
  MLIRContext *context = module.getContext();
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  check = LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), simabi::kCheck,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                  {pointer, pointer, i64, i32, i32, i32}));
  return check;
}

LLVM::LLVMFuncOp Instrumenter::countFunction() {
  if (counter)
    return counter;
  MLIRContext *context = module.getContext();
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  counter = LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), simabi::kCount,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                  {pointer, pointer, i64, i32, i32, i32}));
  return counter;
}

LLVM::LLVMFuncOp Instrumenter::divisionFunction() {
  if (division)
    return division;
  MLIRContext *context = module.getContext();
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  division = LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), simabi::kDivision,
      LLVM::LLVMFunctionType::get(
          LLVM::LLVMVoidType::get(context),
          {LLVM::LLVMPointerType::get(context), builder.getI32Type()}));
  return division;
}

LLVM::LLVMFuncOp Instrumenter::localFunction() {
  if (local)
    return local;
  MLIRContext *context = module.getContext();
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  local = LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), simabi::kLocal,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                  {pointer, pointer, i64, pointer, i64, i32}));
  return local;
}

int64_t Instrumenter::sizeOf(Type type) const {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * sizeOf(vector.getElementType());
  return layout.getTypeSize(type).getFixedValue();
}

/// Follows a pointer to what it was made from.
Memory Instrumenter::classify(Value pointer) const {
  unsigned space =
      cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace();
  Value base = pointer;
  while (Operation *op = base.getDefiningOp()) {
    if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op)) {
      base = op->getOperand(0);
      continue;
    }
    if (isa<LLVM::AllocaOp>(op))
      return Memory::Unchecked;
    if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
      unsigned own = cast<LLVM::LLVMPointerType>(op->getResult(0).getType())
                         .getAddressSpace();
      // Constants and device variables are part of the object itself.
      return own == 3 ? Memory::Shared : Memory::Unchecked;
    }
    break;
  }
  // An argument passed by value lies in the launch's own memory.
  if (auto argument = dyn_cast<BlockArgument>(base))
    if (auto function =
            dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
        function && argument.getOwner()->isEntryBlock() &&
        argument.getArgNumber() < function.getNumArguments() &&
        function.getArgAttr(argument.getArgNumber(),
                            LLVM::LLVMDialect::getByValAttrName()))
      return Memory::Unchecked;
  switch (space) {
  case 0: {
    auto own = cast<LLVM::LLVMPointerType>(base.getType()).getAddressSpace();
    return own == 1   ? Memory::Global
           : own == 3 ? Memory::Shared
           : own == 7 ? Memory::Cluster
                      : Memory::Generic;
  }
  case 1:
    return Memory::Global;
  case 3:
    return Memory::Shared;
  case 7:
    return Memory::Cluster;
  case 4:
  case 5:
    return Memory::Unchecked;
  default:
    return Memory::Unknown;
  }
}

/// The `kind` of an access through `pointer`: `access`, and which memory.
int32_t Instrumenter::kindOf(Value pointer, int32_t access) const {
  int32_t kind = access;
  Memory memory = classify(pointer);
  if (memory == Memory::Global)
    kind |= simabi::Global;
  else if (memory == Memory::Shared)
    kind |= simabi::SharedMemory;
  else if (memory == Memory::Cluster)
    kind |= simabi::ClusterMemory;
  return kind;
}

Value Instrumenter::toGeneric(OpBuilder &builder, Location loc, Value pointer) {
  Type generic = LLVM::LLVMPointerType::get(builder.getContext());
  if (pointer.getType() == generic)
    return pointer;
  return LLVM::AddrSpaceCastOp::create(builder, loc, generic, pointer);
}

void Instrumenter::emitCheck(OpBuilder &builder, Operation *op, Value pointer,
                             Value size, unsigned alignment, int32_t access) {
  Location loc = op->getLoc();
  auto function = op->getParentOfType<FunctionOpInterface>();
  Value context = function.getArgument(0);
  LLVM::CallOp::create(
      builder, loc, checkFunction(),
      ValueRange{context, toGeneric(builder, loc, pointer), size,
                 constantInt(builder, loc, alignment, 32),
                 constantInt(builder, loc, kindOf(pointer, access), 32),
                 constantInt(builder, loc, sites.get(op), 32)});
}

/// Checks that an access of a variable lies inside of it: of local memory, a
/// constant or an argument that is passed by value, whose address the pointer
/// was made from. False for a pointer to something else.
bool Instrumenter::checkBounds(OpBuilder &builder, Operation *op, Value pointer,
                               Value size) {
  Value base = pointer;
  while (isa_and_nonnull<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(
      base.getDefiningOp()))
    base = base.getDefiningOp()->getOperand(0);
  Location loc = op->getLoc();
  Value bytes;
  if (auto slot = base.getDefiningOp<LLVM::AllocaOp>()) {
    Value count = slot.getArraySize();
    if (!count.getType().isInteger(64))
      count = LLVM::SExtOp::create(builder, loc, builder.getI64Type(), count);
    bytes = LLVM::MulOp::create(
        builder, loc, count,
        constantInt(builder, loc, sizeOf(slot.getElemType()), 64));
  } else if (auto address = base.getDefiningOp<LLVM::AddressOfOp>()) {
    auto global = module.lookupSymbol<LLVM::GlobalOp>(address.getGlobalName());
    if (!global)
      return false;
    bytes = constantInt(builder, loc, sizeOf(global.getType()), 64);
  } else if (auto argument = dyn_cast<BlockArgument>(base)) {
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    bool isOfFunction = function && argument.getOwner()->isEntryBlock() &&
                        argument.getArgNumber() < function.getNumArguments();
    auto type = isOfFunction ? function.getArgAttrOfType<TypeAttr>(
                                   argument.getArgNumber(),
                                   LLVM::LLVMDialect::getByValAttrName())
                             : TypeAttr();
    if (!type)
      return false;
    bytes = constantInt(builder, loc, sizeOf(type.getValue()), 64);
  } else {
    return false;
  }
  LLVM::CallOp::create(
      builder, loc, localFunction(),
      ValueRange{op->getParentOfType<FunctionOpInterface>().getArgument(0),
                 toGeneric(builder, loc, pointer), size,
                 toGeneric(builder, loc, base), bytes,
                 constantInt(builder, loc, sites.get(op), 32)});
  return true;
}

/// Counts an access of `size` bytes that the thread makes if `on`, which is an
/// i1, or always where it is null. All lanes of a warp come here.
void Instrumenter::emitCount(OpBuilder &builder, Operation *op, Value pointer,
                             int64_t size, Value on, bool isStore) {
  if (!counts)
    return;
  Location loc = op->getLoc();
  auto function = op->getParentOfType<FunctionOpInterface>();
  Value flag = on ? LLVM::ZExtOp::create(builder, loc, builder.getI32Type(), on)
                  : constantInt(builder, loc, 1, 32);
  LLVM::CallOp::create(
      builder, loc, countFunction(),
      ValueRange{function.getArgument(0), toGeneric(builder, loc, pointer),
                 constantInt(builder, loc, size, 64), flag,
                 constantInt(builder, loc, kindOf(pointer, isStore), 32),
                 constantInt(builder, loc, sites.get(op), 32)});
}

void Instrumenter::countAsyncCopy(NVVM::CpAsyncOp copy) {
  if (!counts)
    return;
  OpBuilder builder(copy);
  int64_t bytes = copy.getSize();
  Value on;
  if (Value copied = copy.getCpSize())
    on = LLVM::ICmpOp::create(builder, copy.getLoc(), LLVM::ICmpPredicate::ne,
                              copied,
                              constantInt(builder, copy.getLoc(), 0, 32));
  emitCount(builder, copy, copy.getSrc(), bytes, on, false);
  emitCount(builder, copy, copy.getDst(), bytes, Value(), true);
}

void Instrumenter::instrumentAccess(Operation *op, Value pointer, Type type,
                                    unsigned alignment, int32_t access) {
  OpBuilder builder(op);
  if (classify(pointer) == Memory::Unchecked) {
    if (pointer.getDefiningOp<LLVM::GEPOp>())
      checkBounds(builder, op, pointer,
                  constantInt(builder, op->getLoc(), sizeOf(type), 64));
    return;
  }
  if (alignment == 0)
    alignment = layout.getTypeABIAlignment(type);
  Value size = constantInt(builder, op->getLoc(), sizeOf(type), 64);
  emitCheck(builder, op, pointer, size, alignment, access);
}

/// The same for an atomic access; one that loads and stores is checked as both.
void Instrumenter::instrumentAtomic(Operation *op, Value pointer, Type type,
                                    unsigned alignment,
                                    LLVM::AtomicOrdering ordering, bool loads,
                                    bool stores) {
  using Ordering = LLVM::AtomicOrdering;
  bool both = ordering == Ordering::acq_rel || ordering == Ordering::seq_cst;
  if (loads)
    instrumentAccess(op, pointer, type, alignment,
                     simabi::Load | simabi::Atomic |
                         (both || ordering == Ordering::acquire
                              ? simabi::Acquire
                              : 0));
  if (stores)
    instrumentAccess(op, pointer, type, alignment,
                     simabi::Store | simabi::Atomic |
                         (both || ordering == Ordering::release
                              ? simabi::Release
                              : 0));
}

/// The same for an access that no predicate guards, which is counted, too.
void Instrumenter::instrumentPlain(Operation *op, Value pointer, Type type,
                                   unsigned alignment, bool isStore) {
  OpBuilder builder(op);
  if (classify(pointer) != Memory::Unchecked)
    emitCount(builder, op, pointer, sizeOf(type), Value(), isStore);
  instrumentAccess(op, pointer, type, alignment, isStore);
}

/// A masked access with one predicate becomes a branch around a plain access:
/// that is cheaper on a CPU than to test the predicate twice.
void Instrumenter::instrumentMasked(Operation *op, Value pointer, Value mask,
                                    Type type, unsigned alignment,
                                    bool isStore) {
  auto broadcast = mask.getDefiningOp<vector::BroadcastOp>();
  bool uniform = broadcast && broadcast.getSource().getType().isInteger(1);
  if (!uniform) {
    if (classify(pointer) != Memory::Unchecked)
      instrumentLanes(op, pointer, mask, cast<VectorType>(type), alignment,
                      isStore);
    return;
  }

  Location loc = op->getLoc();
  OpBuilder builder(op);
  Value predicate = broadcast.getSource();
  if (classify(pointer) != Memory::Unchecked)
    emitCount(builder, op, pointer, sizeOf(type), predicate, isStore);
  if (auto store = dyn_cast<LLVM::MaskedStoreOp>(op)) {
    auto branch = scf::IfOp::create(builder, loc, predicate,
                                    /*withElseRegion=*/false);
    OpBuilder inner = branch.getThenBodyBuilder();
    auto plain =
        LLVM::StoreOp::create(inner, loc, store.getValue(), pointer, alignment);
    instrumentAccess(plain, pointer, type, alignment, true);
    op->erase();
    return;
  }
  auto load = cast<LLVM::MaskedLoadOp>(op);
  auto branch = scf::IfOp::create(builder, loc, TypeRange(type), predicate,
                                  /*withElseRegion=*/true);
  OpBuilder inner = branch.getThenBodyBuilder();
  auto plain = LLVM::LoadOp::create(inner, loc, type, pointer, alignment);
  scf::YieldOp::create(inner, loc, plain.getResult());
  instrumentAccess(plain, pointer, type, alignment, false);
  OpBuilder other = branch.getElseBodyBuilder();
  Value passThrough = load.getPassThru();
  if (!passThrough)
    passThrough = LLVM::PoisonOp::create(other, loc, type);
  scf::YieldOp::create(other, loc, passThrough);
  load.getResult().replaceAllUsesWith(branch.getResult(0));
  op->erase();
}

void Instrumenter::instrumentLanes(Operation *op, Value pointer, Value mask,
                                   VectorType type, unsigned alignment,
                                   bool isStore) {
  Location loc = op->getLoc();
  int64_t bytes = sizeOf(type.getElementType());
  for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
    OpBuilder builder(op);
    Value on = vector::ExtractOp::create(builder, loc, mask, lane);
    if (counts) {
      Value place = LLVM::GEPOp::create(
          builder, loc, pointer.getType(), builder.getI8Type(), pointer,
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(lane * bytes)});
      emitCount(builder, op, place, bytes, on, isStore);
    }
    auto branch = scf::IfOp::create(builder, loc, on,
                                    /*withElseRegion=*/false);
    OpBuilder inner = branch.getThenBodyBuilder();
    Value address = LLVM::GEPOp::create(
        inner, loc, pointer.getType(), inner.getI8Type(), pointer,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(lane * bytes)});
    Value size = constantInt(inner, loc, bytes, 64);
    emitCheck(inner, op, address, size, std::min<int64_t>(alignment, bytes),
              isStore);
  }
}

void Instrumenter::instrumentRange(Operation *op, Value pointer, Value length,
                                   bool isStore) {
  OpBuilder builder(op);
  if (!length.getType().isInteger(64))
    length = LLVM::ZExtOp::create(builder, op->getLoc(), builder.getI64Type(),
                                  length);
  if (classify(pointer) == Memory::Unchecked) {
    checkBounds(builder, op, pointer, length);
    return;
  }
  emitCheck(builder, op, pointer, length, 1, isStore);
}

/// Whether one of the elements of `flags` is set, an i1 or vector of them.
static Value anyOf(OpBuilder &builder, Location loc, Value flags) {
  auto type = dyn_cast<VectorType>(flags.getType());
  if (!type)
    return flags;
  if (type.getRank() == 1)
    return vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                       flags);
  if (type.getRank() == 0)
    return vector::ExtractOp::create(builder, loc, flags);
  Value any;
  for (int64_t i = 0; i < type.getDimSize(0); ++i) {
    Value part = anyOf(builder, loc,
                       vector::ExtractOp::create(builder, loc, flags, i));
    any = any ? arith::OrIOp::create(builder, loc, any, part).getResult()
              : part;
  }
  return any;
}

/// A division that the host's processor would answer with a signal reports
/// instead. Divisors that are constants other than 0 and -1 need no check.
void Instrumenter::instrumentDivision(Operation *op) {
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
                      arith::FloorDivSIOp, LLVM::SDivOp, LLVM::SRemOp>(op);
  if (!isSigned && !isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp,
                        LLVM::UDivOp, LLVM::URemOp>(op))
    return;
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  Type type = divisor.getType(), element = getElementTypeOrSelf(type);
  APInt constant;
  // A constant vector of one number matches, too.
  if (!element.isIntOrIndex() ||
      (matchPattern(divisor, m_ConstantInt(&constant)) && !constant.isZero() &&
       !constant.isAllOnes()))
    return;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  unsigned bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  auto equals = [&](Value value, const APInt &number) -> Value {
    TypedAttr attribute = builder.getIntegerAttr(element, number);
    if (auto vector = dyn_cast<VectorType>(type))
      attribute = DenseElementsAttr::get(vector, number);
    Value other = arith::ConstantOp::create(builder, loc, attribute);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 other);
  };
  Value bad = equals(divisor, APInt::getZero(bits));
  if (isSigned) {
    Value overflows = arith::AndIOp::create(
        builder, loc, equals(divisor, APInt::getAllOnes(bits)),
        equals(dividend, APInt::getSignedMinValue(bits)));
    bad = arith::OrIOp::create(builder, loc, bad, overflows);
  }
  bad = anyOf(builder, loc, bad);
  auto branch = scf::IfOp::create(builder, loc, bad, /*withElseRegion=*/false);
  OpBuilder inner = branch.getThenBodyBuilder();
  Value context = op->getParentOfType<FunctionOpInterface>().getArgument(0);
  LLVM::CallOp::create(
      inner, loc, divisionFunction(),
      ValueRange{context, constantInt(inner, loc, sites.get(op), 32)});
}

/// Inserts an argument in front of those of `function`. The interface of
/// functions cannot do that for one of llvm that returns nothing.
static void prependArgument(LLVM::LLVMFuncOp function, Type type) {
  LLVM::LLVMFunctionType old = function.getFunctionType();
  SmallVector<Type> parameters{type};
  llvm::append_range(parameters, old.getParams());
  function.setFunctionType(LLVM::LLVMFunctionType::get(
      old.getReturnType(), parameters, old.isVarArg()));
  function.getBody().front().insertArgument(0u, type, function.getLoc());
  if (ArrayAttr attributes = function.getArgAttrsAttr()) {
    SmallVector<Attribute> extended{DictionaryAttr::get(type.getContext())};
    llvm::append_range(extended, attributes);
    function.setArgAttrsAttr(ArrayAttr::get(type.getContext(), extended));
  }
}

/// Gives every function with a body the context as its first argument.
LogicalResult Instrumenter::addContextArguments() {
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (function.isExternal())
      continue;
    defined.insert(SymbolTable::getSymbolName(function));
    if (auto llvmFunction = dyn_cast<LLVM::LLVMFuncOp>(*function))
      prependArgument(llvmFunction, pointer);
    else if (failed(function.insertArgument(0, pointer, DictionaryAttr(),
                                            function.getLoc())))
      return function.emitError()
             << "expected a function that can take another argument, but got "
                "one of type "
             << function.getFunctionType();
  }
  return success();
}

/// Hands the caller's context to each callee that takes one.
void Instrumenter::passContexts() {
  module.walk([&](CallOpInterface call) {
    auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
    if (!callee || !defined.contains(callee.getLeafReference()))
      return;
    Value context = call->getParentOfType<FunctionOpInterface>().getArgument(0);
    SmallVector<Value> arguments{context};
    llvm::append_range(arguments, call.getArgOperands());
    if (auto llvmCall = dyn_cast<LLVM::CallOp>(call.getOperation()))
      llvmCall.getCalleeOperandsMutable().assign(arguments);
    else
      call.getArgOperandsMutable().assign(arguments);
  });
}

LogicalResult Instrumenter::instrument(Operation *op) {
  auto alignment = [](auto access) {
    return static_cast<unsigned>(access.getAlignment().value_or(0));
  };
  bool known = true;
  auto checkSpace = [&](Value pointer) {
    known &= classify(pointer) != Memory::Unknown;
    return known;
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<LLVM::LoadOp>([&](auto load) {
        if (!checkSpace(load.getAddr()))
          return;
        if (load.getOrdering() == LLVM::AtomicOrdering::not_atomic)
          instrumentPlain(op, load.getAddr(), load.getType(), alignment(load),
                          false);
        else
          instrumentAtomic(op, load.getAddr(), load.getType(), alignment(load),
                           load.getOrdering(), true, false);
      })
      .Case<LLVM::StoreOp>([&](auto store) {
        if (!checkSpace(store.getAddr()))
          return;
        Type type = store.getValue().getType();
        if (store.getOrdering() == LLVM::AtomicOrdering::not_atomic)
          instrumentPlain(op, store.getAddr(), type, alignment(store), true);
        else
          instrumentAtomic(op, store.getAddr(), type, alignment(store),
                           store.getOrdering(), false, true);
      })
      .Case<LLVM::AtomicRMWOp>([&](auto atomic) {
        if (checkSpace(atomic.getPtr()))
          instrumentAtomic(op, atomic.getPtr(), atomic.getVal().getType(),
                           alignment(atomic), atomic.getOrdering(), true, true);
      })
      .Case<LLVM::AtomicCmpXchgOp>([&](auto atomic) {
        if (checkSpace(atomic.getPtr()))
          instrumentAtomic(op, atomic.getPtr(), atomic.getVal().getType(),
                           alignment(atomic), atomic.getSuccessOrdering(), true,
                           true);
      })
      .Case<LLVM::MaskedLoadOp>([&](auto load) {
        if (checkSpace(load.getData()))
          instrumentMasked(op, load.getData(), load.getMask(), load.getType(),
                           load.getAlignment(), false);
      })
      .Case<LLVM::MaskedStoreOp>([&](auto store) {
        if (checkSpace(store.getData()))
          instrumentMasked(op, store.getData(), store.getMask(),
                           store.getValue().getType(), store.getAlignment(),
                           true);
      })
      .Case<LLVM::MemcpyOp, LLVM::MemmoveOp>([&](auto copy) {
        if (checkSpace(copy.getSrc()) && checkSpace(copy.getDst())) {
          instrumentRange(op, copy.getSrc(), copy.getLen(), false);
          instrumentRange(op, copy.getDst(), copy.getLen(), true);
        }
      })
      .Case<LLVM::MemsetOp>([&](auto fill) {
        if (checkSpace(fill.getDst()))
          instrumentRange(op, fill.getDst(), fill.getLen(), true);
      })
      .Case<LLVM::masked_gather, LLVM::masked_scatter, LLVM::masked_expandload,
            LLVM::masked_compressstore, LLVM::MemcpyInlineOp,
            LLVM::MemsetInlineOp>([&](auto) { known = false; });
  if (known)
    return success();
  return op->emitError() << "expected an access that the simulator models, but "
                            "got '"
                         << op->getName().getStringRef() << "'";
}

LogicalResult Instrumenter::run() {
  if (failed(addContextArguments()))
    return failure();
  passContexts();
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa_and_nonnull<LLVM::LLVMDialect, arith::ArithDialect>(
            op->getDialect()) ||
        isa<NVVM::CpAsyncOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op)) {
      countAsyncCopy(copy);
      continue;
    }
    instrumentDivision(op);
    if (failed(instrument(op)))
      return failure();
  }
  return success();
}

LogicalResult tile::instrumentAccesses(gpu::GPUModuleOp module,
                                       SmallVectorImpl<std::string> &sites,
                                       bool counts) {
  return Instrumenter(module, sites, counts).run();
}

namespace {
struct InstrumentAccessesPass
    : tile::impl::TileInstrumentAccessesBase<InstrumentAccessesPass> {
  using TileInstrumentAccessesBase::TileInstrumentAccessesBase;
  void runOnOperation() override {
    SmallVector<std::string> sites;
    if (failed(instrumentAccesses(getOperation(), sites, count)))
      return signalPassFailure();
    SmallVector<StringRef> texts(sites.begin(), sites.end());
    getOperation()->setAttr(simabi::kSitesAttr,
                            Builder(&getContext()).getStrArrayAttr(texts));
  }
};
} // namespace
