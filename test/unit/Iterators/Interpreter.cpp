// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a lowered function on the host, and records its memory accesses.
#include "Interpreter.h"

#include "tile/IR/Tile.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile::test;

namespace {

/// Bits of an integer; an index has 64.
unsigned getBits(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

/// A number as an unsigned one of the type's width.
uint64_t toUnsigned(int64_t value, Type type) {
  unsigned bits = getBits(getElementTypeOrSelf(type));
  return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

/// A number sign-extended from the type's width.
int64_t wrap(uint64_t value, Type type) {
  unsigned bits = getBits(getElementTypeOrSelf(type));
  return bits >= 64 ? int64_t(value) : llvm::SignExtend64(value, bits);
}

class Interpreter {
public:
  Recording recording;
  const IndexMemory *indices = nullptr;
  MemoryContents memory;

  bool runBlock(Block &block, std::vector<RuntimeValue> arguments,
                std::vector<RuntimeValue> &results) {
    for (auto [argument, value] :
         llvm::zip_equal(block.getArguments(), arguments))
      values[argument] = value;
    for (Operation &op : block.without_terminator())
      if (!runOperation(op))
        return false;
    for (Value operand : block.getTerminator()->getOperands())
      results.push_back(values[operand]);
    return true;
  }

private:
  llvm::DenseMap<Value, RuntimeValue> values;

  int64_t get(Value value) { return values[value].front(); }

  bool fail(Operation &op, StringRef why) {
    llvm::raw_string_ostream(recording.error) << why << ": " << op;
    return false;
  }

  /// A division by zero, or a shift beyond the width, is an error.
  std::optional<int64_t> compute(Operation &op, int64_t a, int64_t b,
                                 Type type) {
    uint64_t x = toUnsigned(a, type), y = toUnsigned(b, type);
    unsigned bits = getBits(getElementTypeOrSelf(type));
    using Number = std::optional<uint64_t>;
    Number result =
        llvm::TypeSwitch<Operation *, Number>(&op)
            .Case([&](arith::AddIOp) { return Number(x + y); })
            .Case([&](arith::SubIOp) { return Number(x - y); })
            .Case([&](arith::MulIOp) { return Number(x * y); })
            .Case([&](arith::AndIOp) { return Number(x & y); })
            .Case([&](arith::OrIOp) { return Number(x | y); })
            .Case([&](arith::XOrIOp) { return Number(x ^ y); })
            .Case([&](arith::MinUIOp) { return Number(std::min(x, y)); })
            .Case([&](arith::MaxUIOp) { return Number(std::max(x, y)); })
            .Case([&](arith::DivSIOp) { return b ? Number(a / b) : Number(); })
            .Case([&](arith::RemSIOp) { return b ? Number(a % b) : Number(); })
            .Case([&](arith::DivUIOp) { return y ? Number(x / y) : Number(); })
            .Case([&](arith::RemUIOp) { return y ? Number(x % y) : Number(); })
            .Case([&](arith::ShLIOp) {
              return y < bits ? Number(x << y) : Number();
            })
            .Case([&](arith::ShRSIOp) {
              return y < bits ? Number(wrap(x, type) >> y) : Number();
            })
            .Case([&](arith::ShRUIOp) {
              return y < bits ? Number(x >> y) : Number();
            })
            .Case([&](arith::MinSIOp) { return Number(std::min(a, b)); })
            .Case([&](arith::MaxSIOp) { return Number(std::max(a, b)); })
            .Default([](Operation *) { return Number(); });
    if (!result)
      return std::nullopt;
    return wrap(*result, type);
  }

  static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b,
                      Type type) {
    uint64_t x = toUnsigned(a, type), y = toUnsigned(b, type);
    switch (predicate) {
    case arith::CmpIPredicate::eq:
      return x == y;
    case arith::CmpIPredicate::ne:
      return x != y;
    case arith::CmpIPredicate::slt:
      return a < b;
    case arith::CmpIPredicate::sle:
      return a <= b;
    case arith::CmpIPredicate::sgt:
      return a > b;
    case arith::CmpIPredicate::sge:
      return a >= b;
    case arith::CmpIPredicate::ult:
      return x < y;
    case arith::CmpIPredicate::ule:
      return x <= y;
    case arith::CmpIPredicate::ugt:
      return x > y;
    case arith::CmpIPredicate::uge:
      return x >= y;
    }
    return false;
  }

  /// The index that a load reads, if it is one of the list.
  std::optional<int64_t> loadIndex(Value pointer, bool isOn) {
    // The second number of a pointer says what it points to.
    if (values[pointer].size() != 2)
      return std::nullopt;
    int64_t address = get(pointer);
    if (!isOn)
      return 0;
    int64_t number = address / indices->elementBytes;
    if (address < 0 || number >= int64_t(indices->values.size())) {
      recording.error += "an index is read beyond the list; ";
      return 0;
    }
    return indices->values[number];
  }

  void record(bool isStore, Value pointer, Type type, RuntimeValue mask,
              RuntimeValue stored) {
    RecordedAccess access;
    access.isStore = isStore;
    access.address = get(pointer);
    access.elementBytes = getBits(getElementTypeOrSelf(type)) / 8;
    for (int64_t lane : mask)
      access.lanes.push_back(lane & 1);
    access.values = std::move(stored);
    recording.accesses.push_back(std::move(access));
  }

  /// What the access that was recorded last reads: zeros without a memory.
  RuntimeValue read(Type type) {
    RuntimeValue loaded(getCount(type), 0);
    const RecordedAccess &access = recording.accesses.back();
    for (auto [lane, value] : llvm::enumerate(loaded))
      if (memory && access.lanes[lane])
        value = memory(access.address + int64_t(lane) * access.elementBytes);
    return loaded;
  }

  static int64_t getCount(Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? vector.getNumElements() : 1;
  }

  /// Where in a vector of one dimension an operation inserts or extracts.
  template <typename OpT>
  int64_t getPosition(OpT op) {
    SmallVector<OpFoldResult> position = op.getMixedPosition();
    if (std::optional<int64_t> number = getConstantIntValue(position[0]))
      return *number;
    return get(cast<Value>(position[0]));
  }

  bool runConstant(arith::ConstantOp op) {
    RuntimeValue &result = values[op.getResult()];
    if (auto number = dyn_cast<IntegerAttr>(op.getValue())) {
      result = {number.getValue().getSExtValue()};
    } else if (auto dense = dyn_cast<DenseElementsAttr>(op.getValue())) {
      // Only zeros are written as constants of a fragment's type.
      result.assign(getCount(op.getType()), 0);
      if (isa<IntegerType, IndexType>(dense.getElementType()))
        for (auto [i, value] : llvm::enumerate(dense.getValues<APInt>()))
          result[i] = value.getSExtValue();
    } else {
      result.assign(getCount(op.getType()), 0);
    }
    return true;
  }

  bool runFor(scf::ForOp loop) {
    std::vector<RuntimeValue> carried;
    for (Value init : loop.getInitArgs())
      carried.push_back(values[init]);
    int64_t step = get(loop.getStep());
    for (int64_t i = get(loop.getLowerBound()), e = get(loop.getUpperBound());
         i < e; i += step) {
      std::vector<RuntimeValue> arguments{{i}}, results;
      arguments.insert(arguments.end(), carried.begin(), carried.end());
      if (!runBlock(*loop.getBody(), arguments, results))
        return false;
      carried = std::move(results);
    }
    for (auto [result, value] : llvm::zip_equal(loop.getResults(), carried))
      values[result] = value;
    return true;
  }

  bool runIf(scf::IfOp branch) {
    Block *block = get(branch.getCondition()) & 1 ? branch.thenBlock()
                                                  : branch.elseBlock();
    std::vector<RuntimeValue> results;
    if (block && !runBlock(*block, {}, results))
      return false;
    for (auto [result, value] : llvm::zip_equal(branch.getResults(), results))
      values[result] = value;
    return true;
  }

  bool runOperation(Operation &op) {
    if (++recording.steps > 10000000)
      return fail(op, "too many operations");
    if (op.getNumOperands() == 2 && op.getNumResults() == 1 &&
        isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
            arith::OrIOp, arith::XOrIOp, arith::MinUIOp, arith::MaxUIOp,
            arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp,
            arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp, arith::MinSIOp,
            arith::MaxSIOp>(op)) {
      std::optional<int64_t> result =
          compute(op, get(op.getOperand(0)), get(op.getOperand(1)),
                  op.getResult(0).getType());
      if (!result)
        return fail(op, "undefined result");
      values[op.getResult(0)] = {*result};
      return true;
    }
    return llvm::TypeSwitch<Operation *, bool>(&op)
        .Case([&](arith::ConstantOp op) { return runConstant(op); })
        .Case([&](arith::CmpIOp op) {
          values[op.getResult()] = {compare(op.getPredicate(), get(op.getLhs()),
                                            get(op.getRhs()),
                                            op.getLhs().getType())
                                        ? -1
                                        : 0};
          return true;
        })
        .Case([&](arith::SelectOp op) {
          // A copy: a new entry may move those that are there.
          RuntimeValue chosen =
              values[get(op.getCondition()) & 1 ? op.getTrueValue()
                                                : op.getFalseValue()];
          values[op.getResult()] = std::move(chosen);
          return true;
        })
        .Case<arith::TruncIOp, arith::IndexCastOp>([&](auto op) {
          values[op.getResult()] = {
              wrap(get(op.getIn()), op.getResult().getType())};
          return true;
        })
        .Case<arith::ExtUIOp, arith::IndexCastUIOp>([&](auto op) {
          values[op.getResult()] = {
              int64_t(toUnsigned(get(op.getIn()), op.getIn().getType()))};
          return true;
        })
        .Case([&](LLVM::GEPOp op) {
          auto index = op.getIndices()[0];
          int64_t number = isa<IntegerAttr>(index)
                               ? cast<IntegerAttr>(index).getInt()
                               : get(cast<Value>(index));
          // A copy: a new entry may move those that are there.
          RuntimeValue pointer = values[op.getBase()];
          pointer.front() += number * getBits(op.getElemType()) / 8;
          values[op.getResult()] = std::move(pointer);
          return true;
        })
        .Case([&](LLVM::ICmpOp op) {
          bool equal = get(op.getLhs()) == get(op.getRhs());
          if (op.getPredicate() != LLVM::ICmpPredicate::eq)
            return fail(*op, "unknown comparison");
          values[op.getResult()] = {equal ? -1 : 0};
          return true;
        })
        .Case([&](LLVM::MaskedLoadOp op) {
          if (std::optional<int64_t> index =
                  loadIndex(op.getData(), values[op.getMask()].front() & 1)) {
            values[op.getResult()] = {*index};
            return true;
          }
          record(false, op.getData(), op.getType(), values[op.getMask()], {});
          RuntimeValue loaded = read(op.getType());
          if (op.getPassThru())
            for (auto [lane, other] : llvm::enumerate(values[op.getPassThru()]))
              if (!recording.accesses.back().lanes[lane])
                loaded[lane] = other;
          values[op.getResult()] = std::move(loaded);
          return true;
        })
        .Case([&](LLVM::LoadOp op) {
          record(false, op.getAddr(), op.getType(),
                 RuntimeValue(getCount(op.getType()), 1), {});
          values[op.getResult()] = read(op.getType());
          return true;
        })
        .Case([&](LLVM::MaskedStoreOp op) {
          record(true, op.getData(), op.getValue().getType(),
                 values[op.getMask()], values[op.getValue()]);
          return true;
        })
        .Case([&](LLVM::StoreOp op) {
          record(true, op.getAddr(), op.getValue().getType(),
                 RuntimeValue(getCount(op.getValue().getType()), 1),
                 values[op.getValue()]);
          return true;
        })
        .Case([&](vector::BroadcastOp op) {
          values[op.getResult()] =
              RuntimeValue(getCount(op.getType()), get(op.getSource()));
          return true;
        })
        .Case([&](vector::FromElementsOp op) {
          RuntimeValue result;
          for (Value element : op.getElements())
            result.push_back(get(element));
          values[op.getResult()] = result;
          return true;
        })
        .Case([&](vector::ExtractOp op) {
          RuntimeValue source = values[op.getSource()];
          values[op.getResult()] = {source[getPosition(op)]};
          return true;
        })
        .Case([&](vector::InsertOp op) {
          RuntimeValue result = values[op.getDest()];
          result[getPosition(op)] = get(op.getValueToStore());
          values[op.getResult()] = result;
          return true;
        })
        .Case([&](scf::ForOp op) { return runFor(op); })
        .Case([&](scf::IfOp op) { return runIf(op); })
        .Default([&](Operation *op) { return fail(*op, "unknown operation"); });
  }
};

} // namespace

Recording tile::test::run(func::FuncOp function,
                          std::vector<RuntimeValue> arguments,
                          MemoryContents memory, const IndexMemory *indices) {
  Interpreter interpreter;
  interpreter.memory = std::move(memory);
  interpreter.indices = indices;
  std::vector<RuntimeValue> results;
  Block &entry = function.getBody().front();
  if (entry.getNumArguments() != arguments.size()) {
    interpreter.recording.error =
        "expected " + std::to_string(entry.getNumArguments()) +
        " arguments, but got " + std::to_string(arguments.size());
    return interpreter.recording;
  }
  interpreter.runBlock(entry, std::move(arguments), results);
  interpreter.recording.results = std::move(results);
  return interpreter.recording;
}

OwningOpRef<ModuleOp> tile::test::lower(MLIRContext &context,
                                        const std::string &text, bool unroll,
                                        std::string &error, bool viaViews) {
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      error += diagnostic.str() + "; ";
    return success();
  });
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return module;
  PassManager manager(&context);
  if (viaViews)
    manager.addPass(createTileIteratorsToViews());
  TileLowerIteratorsOptions options;
  options.unroll = unroll;
  manager.addPass(createTileLowerIterators(options));
  if (viaViews)
    manager.addPass(createTileExpandLayouts());
  if (failed(manager.run(*module)))
    return OwningOpRef<ModuleOp>();
  return module;
}

void tile::test::loadDialects(MLIRContext &context) {
  context
      .loadDialect<TileDialect, arith::ArithDialect, func::FuncDialect,
                   LLVM::LLVMDialect, scf::SCFDialect, vector::VectorDialect>();
}
