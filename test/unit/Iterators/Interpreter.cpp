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

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

// A function becomes a list of instructions on cells, one for each scalar and
// each element of a vector, so that running it neither looks up values nor
// allocates. The element that is inserted in a fragment goes to its place where
// nobody else reads the fragment.

namespace {

/// Bits of an integer; an index has 64.
unsigned getBits(Type type) {
  type = getElementTypeOrSelf(type);
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
}

/// Cells of a value: the elements of a vector; an address and what it points
/// to.
int64_t getCount(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements();
  return isa<LLVM::LLVMPointerType>(type) ? 2 : 1;
}

/// A number as an unsigned one of some bits.
uint64_t toUnsigned(int64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1);
}

/// A number sign-extended from some bits.
int64_t wrap(uint64_t value, unsigned bits) {
  return bits >= 64 ? int64_t(value) : llvm::SignExtend64(value, bits);
}

enum class Code {
  Constant,
  Add,
  Sub,
  Mul,
  And,
  Or,
  Xor,
  MinU,
  MaxU,
  DivS,
  RemS,
  DivU,
  RemU,
  Shl,
  ShrS,
  ShrU,
  MinS,
  MaxS,
  Compare,
  Select,
  SignExtend,
  ZeroExtend,
  Address,
  SamePointer,
  MaskedLoad,
  Load,
  MaskedStore,
  Store,
  Broadcast,
  FromElements,
  Copy,
  Extract,
  Insert,
  For,
  If,
  Unknown
};

struct Instruction {
  Code code = Code::Unknown;
  Operation *op = nullptr;
  /// First cells of the result and the operands; -1: none.
  int64_t result = -1, operands[3] = {-1, -1, -1};
  /// Cells of the result, or of what is stored or compared.
  int64_t count = 1;
  unsigned bits = 64;
  /// The predicate of a comparison, a constant place, the bytes of an element.
  int64_t number = 0;
  /// Of a constant its values, of elements their cells.
  std::vector<int64_t> list;
  /// Of a loop its body, of a branch its two blocks (-1: none).
  int64_t blocks[2] = {-1, -1};
};

struct ProgramBlock {
  std::vector<Instruction> instructions;
  /// What the terminator returns: first cells and counts.
  std::vector<std::pair<int64_t, int64_t>> arguments, results;
};

} // namespace

class Program::Impl {
public:
  explicit Impl(func::FuncOp function) : entry(function.getBody().front()) {
    translate(entry);
  }

  Block &entry;
  std::vector<ProgramBlock> blocks;
  int64_t numCells = 0;
  llvm::DenseMap<Value, int64_t> cells;

private:
  int64_t getCells(Value value) {
    auto [it, isNew] = cells.try_emplace(value, numCells);
    if (isNew)
      numCells += getCount(value.getType());
    return it->second;
  }

  int64_t translate(Block &block) {
    int64_t number = blocks.size();
    blocks.emplace_back();
    ProgramBlock translated;
    for (Value argument : block.getArguments())
      translated.arguments.emplace_back(getCells(argument),
                                        getCount(argument.getType()));
    for (Operation &op : block.without_terminator())
      translated.instructions.push_back(translate(op));
    for (Value operand : block.getTerminator()->getOperands())
      translated.results.emplace_back(getCells(operand),
                                      getCount(operand.getType()));
    blocks[number] = std::move(translated);
    return number;
  }

  static Code getArithmetic(Operation &op) {
    return llvm::TypeSwitch<Operation *, Code>(&op)
        .Case([](arith::AddIOp) { return Code::Add; })
        .Case([](arith::SubIOp) { return Code::Sub; })
        .Case([](arith::MulIOp) { return Code::Mul; })
        .Case([](arith::AndIOp) { return Code::And; })
        .Case([](arith::OrIOp) { return Code::Or; })
        .Case([](arith::XOrIOp) { return Code::Xor; })
        .Case([](arith::MinUIOp) { return Code::MinU; })
        .Case([](arith::MaxUIOp) { return Code::MaxU; })
        .Case([](arith::DivSIOp) { return Code::DivS; })
        .Case([](arith::RemSIOp) { return Code::RemS; })
        .Case([](arith::DivUIOp) { return Code::DivU; })
        .Case([](arith::RemUIOp) { return Code::RemU; })
        .Case([](arith::ShLIOp) { return Code::Shl; })
        .Case([](arith::ShRSIOp) { return Code::ShrS; })
        .Case([](arith::ShRUIOp) { return Code::ShrU; })
        .Case([](arith::MinSIOp) { return Code::MinS; })
        .Case([](arith::MaxSIOp) { return Code::MaxS; })
        .Default([](Operation *) { return Code::Unknown; });
  }

  static std::vector<int64_t> getConstants(arith::ConstantOp op) {
    if (auto number = dyn_cast<IntegerAttr>(op.getValue()))
      return {number.getValue().getSExtValue()};
    std::vector<int64_t> values(getCount(op.getType()), 0);
    // Only zeros are written as constants of a fragment's type.
    auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
    if (dense && isa<IntegerType, IndexType>(dense.getElementType()))
      for (auto [i, value] : llvm::enumerate(dense.getValues<APInt>()))
        values[i] = value.getSExtValue();
    return values;
  }

  /// Where in a vector of one dimension an operation inserts or extracts: a
  /// constant, or the cell of a number.
  template <typename OpT>
  void setPosition(Instruction &instruction, OpT op) {
    OpFoldResult position = op.getMixedPosition()[0];
    if (std::optional<int64_t> number = getConstantIntValue(position))
      instruction.number = *number;
    else
      instruction.operands[2] = getCells(cast<Value>(position));
  }

  Instruction translate(Operation &op) {
    Instruction to;
    to.op = &op;
    to.code = getArithmetic(op);
    auto insert = dyn_cast<vector::InsertOp>(op);
    if (insert) {
      // In place, if this is the only reader, and runs as often as the fragment
      // is made.
      Value dest = insert.getDest();
      if (dest.hasOneUse() && dest.getParentBlock() == op.getBlock())
        cells.try_emplace(insert.getResult(), getCells(dest));
    }
    if (op.getNumResults() > 0 && !isa<scf::ForOp, scf::IfOp>(op)) {
      to.result = getCells(op.getResult(0));
      to.count = getCount(op.getResult(0).getType());
      to.bits = getBits(op.getResult(0).getType());
    }
    if (!isa<scf::ForOp, vector::FromElementsOp>(op))
      for (auto [i, operand] : llvm::enumerate(op.getOperands().take_front(3)))
        to.operands[i] = getCells(operand);
    if (to.code != Code::Unknown)
      return to;
    auto set = [&](Code code) { to.code = code; };
    llvm::TypeSwitch<Operation *>(&op)
        .Case([&](arith::ConstantOp op) {
          set(Code::Constant);
          to.list = getConstants(op);
        })
        .Case([&](arith::CmpIOp op) {
          set(Code::Compare);
          to.bits = getBits(op.getLhs().getType());
          to.number = int64_t(op.getPredicate());
        })
        .Case([&](arith::SelectOp) { set(Code::Select); })
        .Case<arith::TruncIOp, arith::IndexCastOp>(
            [&](auto) { set(Code::SignExtend); })
        .Case<arith::ExtUIOp, arith::IndexCastUIOp>([&](auto op) {
          set(Code::ZeroExtend);
          to.bits = getBits(op.getIn().getType());
        })
        .Case([&](LLVM::GEPOp op) {
          set(Code::Address);
          to.bits = getBits(op.getElemType());
          auto index = op.getIndices()[0];
          to.operands[1] = -1;
          if (auto constant = dyn_cast<IntegerAttr>(index))
            to.number = constant.getInt();
          else
            to.operands[1] = getCells(cast<Value>(index));
        })
        .Case([&](LLVM::ICmpOp op) {
          if (op.getPredicate() == LLVM::ICmpPredicate::eq)
            set(Code::SamePointer);
        })
        .Case([&](LLVM::MaskedLoadOp) { set(Code::MaskedLoad); })
        .Case([&](LLVM::LoadOp) { set(Code::Load); })
        .Case([&](LLVM::MaskedStoreOp op) {
          set(Code::MaskedStore);
          to.operands[0] = getCells(op.getValue());
          to.operands[1] = getCells(op.getData());
          to.operands[2] = getCells(op.getMask());
          to.count = getCount(op.getValue().getType());
          to.bits = getBits(op.getValue().getType());
        })
        .Case([&](LLVM::StoreOp op) {
          set(Code::Store);
          to.operands[0] = getCells(op.getValue());
          to.operands[1] = getCells(op.getAddr());
          to.count = getCount(op.getValue().getType());
          to.bits = getBits(op.getValue().getType());
        })
        .Case([&](vector::BroadcastOp) { set(Code::Broadcast); })
        .Case([&](vector::FromElementsOp op) {
          set(Code::FromElements);
          for (Value element : op.getElements())
            to.list.push_back(getCells(element));
        })
        .Case<arith::BitcastOp>([&](auto) { set(Code::Copy); })
        .Case([&](vector::ExtractOp op) {
          set(Code::Extract);
          to.operands[0] = getCells(op.getSource());
          to.operands[2] = -1;
          setPosition(to, op);
        })
        .Case([&](vector::InsertOp op) {
          set(Code::Insert);
          to.operands[0] = getCells(op.getValueToStore());
          to.operands[1] = getCells(op.getDest());
          to.operands[2] = -1;
          setPosition(to, op);
        })
        .Case([&](scf::ForOp op) {
          set(Code::For);
          to.operands[0] = getCells(op.getLowerBound());
          to.operands[1] = getCells(op.getUpperBound());
          to.operands[2] = getCells(op.getStep());
          to.list = getLists(op.getInitArgs(), op.getResults());
          to.blocks[0] = translate(*op.getBody());
        })
        .Case([&](scf::IfOp op) {
          set(Code::If);
          to.list = getLists({}, op.getResults());
          to.blocks[0] = translate(*op.thenBlock());
          to.blocks[1] = op.elseBlock() ? translate(*op.elseBlock()) : -1;
        })
        .Default([](Operation *) {});
    return to;
  }

  /// The cells of what comes in, then of the results.
  std::vector<int64_t> getLists(ValueRange inits, ValueRange results) {
    std::vector<int64_t> list;
    for (ValueRange values : {inits, results})
      for (Value value : values)
        list.push_back(getCells(value));
    return list;
  }
};

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {

class Interpreter {
public:
  Interpreter(const std::vector<ProgramBlock> &blocks, int64_t numCells)
      : blocks(blocks), cells(numCells, 0) {}

  Recording recording;
  const IndexMemory *indices = nullptr;
  MemoryContents memory;
  const std::vector<ProgramBlock> &blocks;
  std::vector<int64_t> cells;

  bool runBlock(const ProgramBlock &block) {
    for (const Instruction &instruction : block.instructions)
      if (!runInstruction(instruction))
        return false;
    return true;
  }

private:
  bool fail(const Instruction &at, StringRef why) {
    llvm::raw_string_ostream(recording.error) << why << ": " << *at.op;
    return false;
  }

  /// Copies what one block passes to another; all at once, as they may overlap.
  void pass(ArrayRef<std::pair<int64_t, int64_t>> from, const int64_t *to) {
    std::vector<int64_t> values;
    for (auto [cell, count] : from)
      values.insert(values.end(), &cells[cell], &cells[cell] + count);
    const int64_t *value = values.data();
    for (auto [i, range] : llvm::enumerate(from)) {
      std::copy_n(value, range.second, &cells[to[i]]);
      value += range.second;
    }
  }

  /// The same, without those that are in place already.
  void passBack(const ProgramBlock &body) {
    SmallVector<std::pair<int64_t, int64_t>> from;
    SmallVector<int64_t> to;
    for (auto [i, range] : llvm::enumerate(body.results)) {
      int64_t argument = body.arguments[i + 1].first;
      if (argument == range.first)
        continue;
      from.push_back(range);
      to.push_back(argument);
    }
    pass(from, to.data());
  }

  /// A division by zero, or a shift beyond the width, is an error.
  static std::optional<uint64_t> compute(Code code, int64_t a, int64_t b,
                                         unsigned bits) {
    using Number = std::optional<uint64_t>;
    uint64_t x = toUnsigned(a, bits), y = toUnsigned(b, bits);
    switch (code) {
    case Code::Add:
      return x + y;
    case Code::Sub:
      return x - y;
    case Code::Mul:
      return x * y;
    case Code::And:
      return x & y;
    case Code::Or:
      return x | y;
    case Code::Xor:
      return x ^ y;
    case Code::MinU:
      return std::min(x, y);
    case Code::MaxU:
      return std::max(x, y);
    case Code::DivS:
      return b ? Number(a / b) : Number();
    case Code::RemS:
      return b ? Number(a % b) : Number();
    case Code::DivU:
      return y ? Number(x / y) : Number();
    case Code::RemU:
      return y ? Number(x % y) : Number();
    case Code::Shl:
      return y < bits ? Number(x << y) : Number();
    case Code::ShrS:
      return y < bits ? Number(wrap(x, bits) >> y) : Number();
    case Code::ShrU:
      return y < bits ? Number(x >> y) : Number();
    case Code::MinS:
      return std::min(a, b);
    case Code::MaxS:
      return std::max(a, b);
    default:
      return std::nullopt;
    }
  }

  static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b,
                      unsigned bits) {
    uint64_t x = toUnsigned(a, bits), y = toUnsigned(b, bits);
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
  std::optional<int64_t> loadIndex(int64_t pointer, bool isOn) {
    // The second number of a pointer says what it points to.
    if (cells[pointer + 1] == 0)
      return std::nullopt;
    if (!isOn)
      return 0;
    int64_t address = cells[pointer];
    int64_t number = address / indices->elementBytes;
    if (address < 0 || number >= int64_t(indices->values.size())) {
      recording.error += "an index is read beyond the list; ";
      return 0;
    }
    return indices->values[number];
  }

  /// Records an access; `mask` is the cell of its first predicate, or -1.
  RecordedAccess &record(const Instruction &at, bool isStore, int64_t pointer,
                         int64_t mask) {
    RecordedAccess &access = recording.accesses.emplace_back();
    access.isStore = isStore;
    access.address = cells[pointer];
    access.elementBytes = at.bits / 8;
    access.lanes.resize(at.count, true);
    if (mask >= 0)
      for (int64_t lane = 0; lane < at.count; ++lane)
        access.lanes[lane] = cells[mask + lane] & 1;
    return access;
  }

  /// What the access that was recorded last reads: zeros without a memory, and
  /// `other` where nothing is read.
  void read(const Instruction &at, int64_t other) {
    const RecordedAccess &access = recording.accesses.back();
    for (int64_t lane = 0; lane < at.count; ++lane) {
      int64_t value = 0;
      if (access.lanes[lane])
        value =
            memory ? memory(access.address + lane * access.elementBytes) : 0;
      else if (other >= 0)
        value = cells[other + lane];
      cells[at.result + lane] = value;
    }
  }

  void store(const Instruction &at, int64_t pointer, int64_t mask) {
    RecordedAccess &access = record(at, true, pointer, mask);
    auto first = cells.begin() + at.operands[0];
    access.values.assign(first, first + at.count);
  }

  bool runFor(const Instruction &at) {
    const ProgramBlock &body = blocks[at.blocks[0]];
    int64_t step = cells[at.operands[2]], end = cells[at.operands[1]];
    size_t carried = body.results.size();
    SmallVector<std::pair<int64_t, int64_t>> inits, last;
    SmallVector<int64_t> arguments;
    for (size_t i = 0; i < carried; ++i) {
      inits.emplace_back(at.list[i], body.results[i].second);
      last.push_back(body.arguments[i + 1]);
      arguments.push_back(body.arguments[i + 1].first);
    }
    pass(inits, arguments.data());
    for (int64_t i = cells[at.operands[0]]; i < end; i += step) {
      cells[body.arguments[0].first] = i;
      if (!runBlock(body))
        return false;
      passBack(body);
    }
    pass(last, at.list.data() + carried);
    return true;
  }

  bool runIf(const Instruction &at) {
    int64_t number = at.blocks[cells[at.operands[0]] & 1 ? 0 : 1];
    if (number < 0)
      return true;
    if (!runBlock(blocks[number]))
      return false;
    pass(blocks[number].results, at.list.data());
    return true;
  }

  bool runInstruction(const Instruction &at) {
    if (++recording.steps > 10000000)
      return fail(at, "too many operations");
    const auto &operands = at.operands;
    auto position = [&] {
      return operands[2] >= 0 ? cells[operands[2]] : at.number;
    };
    switch (at.code) {
    case Code::Constant:
      std::copy(at.list.begin(), at.list.end(), &cells[at.result]);
      return true;
    case Code::Compare:
      cells[at.result] =
          compare(arith::CmpIPredicate(at.number), cells[operands[0]],
                  cells[operands[1]], at.bits)
              ? -1
              : 0;
      return true;
    case Code::Select:
      std::copy_n(&cells[operands[cells[operands[0]] & 1 ? 1 : 2]], at.count,
                  &cells[at.result]);
      return true;
    case Code::SignExtend:
      cells[at.result] = wrap(cells[operands[0]], at.bits);
      return true;
    case Code::ZeroExtend:
      cells[at.result] = toUnsigned(cells[operands[0]], at.bits);
      return true;
    case Code::Address: {
      int64_t number = operands[1] >= 0 ? cells[operands[1]] : at.number;
      cells[at.result] = cells[operands[0]] + number * int64_t(at.bits) / 8;
      cells[at.result + 1] = cells[operands[0] + 1];
      return true;
    }
    case Code::SamePointer:
      cells[at.result] = cells[operands[0]] == cells[operands[1]] ? -1 : 0;
      return true;
    case Code::MaskedLoad:
      if (std::optional<int64_t> index =
              loadIndex(operands[0], cells[operands[1]] & 1)) {
        cells[at.result] = *index;
        return true;
      }
      record(at, false, operands[0], operands[1]);
      read(at, operands[2]);
      return true;
    case Code::Load:
      if (std::optional<int64_t> index = loadIndex(operands[0], true)) {
        cells[at.result] = *index;
        return true;
      }
      record(at, false, operands[0], -1);
      read(at, -1);
      return true;
    case Code::MaskedStore:
      store(at, operands[1], operands[2]);
      return true;
    case Code::Store:
      store(at, operands[1], -1);
      return true;
    case Code::Broadcast:
      std::fill_n(&cells[at.result], at.count, cells[operands[0]]);
      return true;
    case Code::FromElements:
      for (auto [i, element] : llvm::enumerate(at.list))
        cells[at.result + i] = cells[element];
      return true;
    case Code::Copy:
      std::copy_n(&cells[operands[0]], at.count, &cells[at.result]);
      return true;
    case Code::Extract:
      cells[at.result] = cells[operands[0] + position()];
      return true;
    case Code::Insert:
      if (at.result != operands[1])
        std::copy_n(&cells[operands[1]], at.count, &cells[at.result]);
      cells[at.result + position()] = cells[operands[0]];
      return true;
    case Code::For:
      return runFor(at);
    case Code::If:
      return runIf(at);
    case Code::Unknown:
      return fail(at, "unknown operation");
    default:
      break;
    }
    for (int64_t i = 0; i < at.count; ++i) {
      std::optional<uint64_t> result = compute(at.code, cells[operands[0] + i],
                                               cells[operands[1] + i], at.bits);
      if (!result)
        return fail(at, "undefined result");
      cells[at.result + i] = wrap(*result, at.bits);
    }
    return true;
  }
};

} // namespace

Program::Program(func::FuncOp function)
    : impl(std::make_unique<Impl>(function)) {}
Program::Program(Program &&) = default;
Program::~Program() = default;

Recording Program::run(const std::vector<RuntimeValue> &arguments,
                       MemoryContents memory,
                       const IndexMemory *indices) const {
  Interpreter interpreter(impl->blocks, impl->numCells);
  interpreter.memory = std::move(memory);
  interpreter.indices = indices;
  const ProgramBlock &entry = impl->blocks.front();
  if (entry.arguments.size() != arguments.size()) {
    interpreter.recording.error =
        "expected " + std::to_string(entry.arguments.size()) +
        " arguments, but got " + std::to_string(arguments.size());
    return interpreter.recording;
  }
  for (auto [range, value] : llvm::zip_equal(entry.arguments, arguments))
    std::copy_n(value.begin(), std::min<int64_t>(range.second, value.size()),
                &interpreter.cells[range.first]);
  if (interpreter.runBlock(entry))
    for (auto [cell, count] : entry.results)
      interpreter.recording.results.emplace_back(
          interpreter.cells.begin() + cell,
          interpreter.cells.begin() + cell + count);
  return std::move(interpreter.recording);
}

Recording tile::test::run(func::FuncOp function,
                          const std::vector<RuntimeValue> &arguments,
                          MemoryContents memory, const IndexMemory *indices) {
  return Program(function).run(arguments, std::move(memory), indices);
}

std::vector<MadeAccess> tile::test::listAccesses(const Recording &recording) {
  std::vector<MadeAccess> list;
  for (const RecordedAccess &access : recording.accesses)
    if (access.lanes.front())
      list.emplace_back(access.isStore, access.address, access.elementBytes,
                        access.lanes.size(), access.values);
  return list;
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
