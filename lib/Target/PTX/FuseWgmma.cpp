// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes one inline asm of each group of wgmma instructions.
//
// ptxas keeps wgmma asynchronous only if no instruction touches the accumulator
// registers between the fence and the wait. LLVM knows nothing of that: it may
// put the initialisation of an accumulator, or a copy, between instructions
// that are separate asms. Within one asm, whose results are tied to its
// operands, nothing can come between.
#include "../Common/RegisterWgmma.h"
#include "tile/Target/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"

namespace tile {
#define GEN_PASS_DEF_TILEFUSEWGMMA
#include "tile/Target/Passes.h.inc"
} // namespace tile

using namespace tile;
using namespace mlir;

namespace {

/// Text and operands of an inline asm under construction. Accumulator registers
/// come first; each is a result, tied to the operand of the same number.
class AsmBuilder {
public:
  AsmBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// Adds a struct of registers; returns the position of its first one.
  unsigned addRegisters(Value registers) {
    auto type = cast<LLVM::LLVMStructType>(registers.getType());
    SmallVector<Value> members;
    for (int64_t i = 0, e = type.getBody().size(); i < e; ++i)
      members.push_back(
          LLVM::ExtractValueOp::create(builder, loc, registers, i));
    return addRegisters(members, type);
  }
  /// The same, member by member.
  unsigned addRegisters(ValueRange members, LLVM::LLVMStructType type) {
    unsigned first = elements.size();
    llvm::append_range(elements, members);
    llvm::append_range(types, type.getBody());
    structs.push_back({first, type});
    return first;
  }
  /// Adds an input; returns its number among the inputs.
  unsigned addInput(Value value) {
    for (auto [i, known] : llvm::enumerate(inputs))
      if (known == value)
        return i;
    inputs.push_back(value);
    return inputs.size() - 1;
  }
  /// The placeholder of an input, once all registers are known.
  std::string input(unsigned number) const {
    return "$" + std::to_string(elements.size() + number);
  }

  /// Creates the asm; returns the new values of the structs in their order.
  SmallVector<Value> create(StringRef text) {
    std::string constraints;
    auto append = [&](const Twine &constraint) {
      if (!constraints.empty())
        constraints += ',';
      constraints += constraint.str();
    };
    auto letter = [](Type type) { return type.isInteger() ? "r" : "f"; };
    for (Type type : types)
      append(Twine("=") + letter(type));
    SmallVector<Value> operands(inputs);
    for (Value input : inputs)
      append(input.getType().isInteger(64) ? "l" : "r");
    for (size_t i = 0; i < elements.size(); ++i)
      append(Twine(i));
    llvm::append_range(operands, elements);
    append("~{memory}");
    Type result =
        elements.empty()
            ? Type()
            : LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
    auto created = LLVM::InlineAsmOp::create(
        builder, loc, result ? TypeRange(result) : TypeRange(), operands, text,
        constraints, /*has_side_effects=*/true, /*is_align_stack=*/false,
        LLVM::tailcallkind::TailCallKind::None,
        LLVM::AsmDialectAttr::get(builder.getContext(),
                                  LLVM::AsmDialect::AD_ATT),
        /*operand_attrs=*/ArrayAttr());
    SmallVector<Value> results;
    for (const auto &[first, type] : structs) {
      Value rebuilt = LLVM::UndefOp::create(builder, loc, type);
      for (int64_t i = 0, e = type.getBody().size(); i < e; ++i) {
        Value element = LLVM::ExtractValueOp::create(
            builder, loc, created.getRes(), static_cast<int64_t>(first + i));
        rebuilt =
            LLVM::InsertValueOp::create(builder, loc, rebuilt, element, i);
      }
      results.push_back(rebuilt);
    }
    return results;
  }

private:
  struct Struct {
    unsigned first;
    LLVM::LLVMStructType type;
  };
  OpBuilder &builder;
  Location loc;
  SmallVector<Value> elements, inputs;
  SmallVector<Type> types;
  SmallVector<Struct> structs;
};

/// A descriptor as a base and a constant to add to it.
std::pair<Value, int64_t> splitDescriptor(Value descriptor) {
  auto add = descriptor.getDefiningOp<LLVM::AddOp>();
  APInt number;
  if (add && matchPattern(add.getRhs(), m_ConstantInt(&number)))
    return {add.getLhs(), number.getSExtValue()};
  return {descriptor, 0};
}

/// A multiply: an operation of nvvm, or the asm of one with A in registers.
struct Multiply {
  Operation *op;
  WgmmaInstruction instruction;
  /// The accumulators before, as a struct, or null and its members.
  Value from;
  SmallVector<Value> members;
  /// A descriptor, or registers.
  SmallVector<Value, 4> a;
  Value b;

  Value getResult() const { return op->getResult(0); }
  LLVM::LLVMStructType getType() const {
    return cast<LLVM::LLVMStructType>(getResult().getType());
  }
};

/// The struct whose members `values` are in order, or null.
Value findStruct(ValueRange values, Type type) {
  Value container;
  for (auto [i, value] : llvm::enumerate(values)) {
    auto extract = value.getDefiningOp<LLVM::ExtractValueOp>();
    if (!extract ||
        extract.getPosition() != ArrayRef<int64_t>{static_cast<int64_t>(i)} ||
        (container && extract.getContainer() != container))
      return {};
    container = extract.getContainer();
  }
  return container && container.getType() == type ? container : Value();
}

std::optional<Multiply> matchMultiply(LLVM::InlineAsmOp op) {
  std::optional<RegisterWgmma> match = matchRegisterWgmma(op);
  if (!match)
    return std::nullopt;
  return Multiply{op,
                  match->instruction,
                  findStruct(match->accumulators, op.getRes().getType()),
                  llvm::to_vector(match->accumulators),
                  llvm::to_vector<4>(match->a),
                  match->b};
}

std::optional<Multiply> matchMultiply(NVVM::WgmmaMmaAsyncOp op) {
  // f16 sums come in pairs, and nobody negates: left as they are.
  if ((op.getTypeD() != NVVM::WGMMATypes::f32 &&
       op.getTypeD() != NVVM::WGMMATypes::s32) ||
      op.getScaleA() != NVVM::WGMMAScaleIn::one ||
      op.getScaleB() != NVVM::WGMMAScaleIn::one)
    return std::nullopt;
  WgmmaInstruction instruction;
  instruction.n = op.getShape().getN();
  instruction.k = op.getShape().getK();
  instruction.d = NVVM::stringifyWGMMATypes(op.getTypeD()).str();
  instruction.a = NVVM::stringifyWGMMATypes(op.getTypeA()).str();
  instruction.b = NVVM::stringifyWGMMATypes(op.getTypeB()).str();
  instruction.accumulate = op.getScaleD() == NVVM::WGMMAScaleOut::one;
  instruction.transposeA = op.getLayoutA() == NVVM::MMALayout::col;
  instruction.transposeB = op.getLayoutB() == NVVM::MMALayout::row;
  instruction.saturate = op.getSatfinite() == NVVM::MMAIntOverflow::satfinite;
  return Multiply{op, instruction,           op.getInouts(),
                  {}, {op.getDescriptorA()}, op.getDescriptorB()};
}

std::optional<Multiply> matchMultiply(Operation *op) {
  if (auto multiply = dyn_cast<NVVM::WgmmaMmaAsyncOp>(op))
    return matchMultiply(multiply);
  if (auto assembly = dyn_cast<LLVM::InlineAsmOp>(op))
    return matchMultiply(assembly);
  return std::nullopt;
}

/// The instructions between a fence and a commit, and the wait right after it.
struct Group {
  NVVM::WgmmaFenceAlignedOp fence;
  SmallVector<Multiply> multiplies;
  /// What takes the members of one multiply's result for the next one.
  SmallVector<Operation *> links;
  NVVM::WgmmaGroupSyncAlignedOp commit;
  NVVM::WgmmaWaitGroupSyncOp wait;
  /// What stands between and has to come before.
  SmallVector<Operation *> others;
};

/// Whether the multiplies are chains that one asm can hold: a sum within the
/// group is only there for the next multiply to add to, and nothing that moves
/// in front of the fence reads one.
bool isChains(const Group &group) {
  llvm::SmallPtrSet<Operation *, 16> multiplies;
  for (const Multiply &multiply : group.multiplies) {
    Value from = multiply.from;
    auto isMine = [&](Operation *user) {
      return user == multiply.op ||
             (llvm::is_contained(group.links, user) &&
              llvm::all_of(user->getUsers(), [&](Operation *next) {
                return next == multiply.op;
              }));
    };
    if (from && multiplies.contains(from.getDefiningOp()) &&
        (!multiply.instruction.accumulate ||
         !llvm::all_of(from.getUsers(), isMine)))
      return false;
    multiplies.insert(multiply.op);
  }
  // A part of a sum that goes anywhere else.
  for (Operation *link : group.links)
    if (!llvm::all_of(link->getUsers(), [&](Operation *user) {
          return multiplies.contains(user);
        }))
      return false;
  return llvm::none_of(group.others, [&](Operation *op) {
    return op->getNumRegions() > 0 ||
           llvm::any_of(op->getOperands(), [&](Value operand) {
             return multiplies.contains(operand.getDefiningOp());
           });
  });
}

std::optional<Group> matchGroup(NVVM::WgmmaFenceAlignedOp fence) {
  Group group;
  group.fence = fence;
  llvm::SmallPtrSet<Operation *, 16> multiplies;
  for (Operation *op = fence->getNextNode(); op; op = op->getNextNode()) {
    if (isa<NVVM::WgmmaMmaAsyncOp, LLVM::InlineAsmOp>(op)) {
      std::optional<Multiply> multiply = matchMultiply(op);
      if (!multiply)
        return std::nullopt;
      group.multiplies.push_back(*multiply);
      multiplies.insert(op);
    } else if (auto commit = dyn_cast<NVVM::WgmmaGroupSyncAlignedOp>(op)) {
      group.commit = commit;
      group.wait =
          dyn_cast_or_null<NVVM::WgmmaWaitGroupSyncOp>(op->getNextNode());
      if (group.multiplies.empty() || !isChains(group))
        return std::nullopt;
      return group;
    } else if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op);
               extract &&
               multiplies.contains(extract.getContainer().getDefiningOp())) {
      group.links.push_back(op);
    } else if (isMemoryEffectFree(op)) {
      group.others.push_back(op);
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// Accumulators of the group's multiplies: each chain of multiplies accumulates
/// in the registers that it starts with.
struct Chains {
  SmallVector<Value> ends;
  SmallVector<unsigned> firsts;
  /// By the result of a multiply.
  llvm::SmallDenseMap<Value, unsigned> chainOf;

  Chains(const Group &group, AsmBuilder &assembly) {
    for (const Multiply &multiply : group.multiplies) {
      unsigned chain = ends.size();
      auto known = multiply.from ? chainOf.find(multiply.from) : chainOf.end();
      // Chains that start without sums have nothing in common.
      if (multiply.instruction.accumulate && known != chainOf.end()) {
        chain = known->second;
      } else {
        firsts.push_back(
            multiply.from
                ? assembly.addRegisters(multiply.from)
                : assembly.addRegisters(multiply.members, multiply.getType()));
        ends.push_back(Value());
      }
      ends[chain] = multiply.getResult();
      chainOf[multiply.getResult()] = chain;
    }
  }
};

/// The text of the group, whose inputs are known to `assembly`.
std::string getText(Group &group, const Chains &chains, AsmBuilder &assembly) {
  std::string text = "{ .reg .b64 descA, descB; wgmma.fence.sync.aligned; ";
  auto descriptor = [&](Value value, StringRef scratch) -> std::string {
    auto [base, offset] = splitDescriptor(value);
    std::string placeholder = assembly.input(assembly.addInput(base));
    if (offset == 0)
      return placeholder;
    text += "add.s64 " + scratch.str() + ", " + placeholder + ", " +
            std::to_string(offset) + "; ";
    return scratch.str();
  };
  for (const Multiply &multiply : group.multiplies) {
    std::string a;
    if (multiply.instruction.registerA) {
      for (Value value : multiply.a)
        a +=
            (a.empty() ? "{" : ", ") + assembly.input(assembly.addInput(value));
      a += "}";
    } else {
      a = descriptor(multiply.a.front(), "descA");
    }
    std::string b = descriptor(multiply.b, "descB");
    unsigned first = chains.firsts[chains.chainOf.lookup(multiply.getResult())];
    text += multiply.instruction.print(
                WgmmaInstruction::placeholders(
                    first, multiply.getType().getBody().size()),
                a, b) +
            " ";
  }
  text += "wgmma.commit_group.sync.aligned; ";
  if (group.wait)
    text += "wgmma.wait_group.sync.aligned " +
            std::to_string(group.wait.getGroup()) + "; ";
  return text + "}";
}

void fuse(Group &group) {
  // What the multiplies need moves in front of the fence.
  for (Operation *op : group.others)
    op->moveBefore(group.fence);
  OpBuilder builder(group.commit);
  builder.setInsertionPointAfter(group.wait ? group.wait.getOperation()
                                            : group.commit.getOperation());
  AsmBuilder assembly(builder, group.fence.getLoc());
  Chains chains(group, assembly);
  for (const Multiply &multiply : group.multiplies) {
    for (Value value : multiply.a)
      assembly.addInput(splitDescriptor(value).first);
    assembly.addInput(splitDescriptor(multiply.b).first);
  }
  SmallVector<Value> results =
      assembly.create(getText(group, chains, assembly));
  SmallPtrSet<Operation *, 8> inside(group.links.begin(), group.links.end());
  for (const Multiply &multiply : group.multiplies)
    inside.insert(multiply.op);
  for (auto [end, result] : llvm::zip_equal(chains.ends, results))
    end.replaceAllUsesExcept(result, inside);
  if (group.wait)
    group.wait->erase();
  // From the end, users come before what they use.
  for (Operation *op = group.commit->getPrevNode(); op != group.fence;) {
    Operation *before = op->getPrevNode();
    if (inside.contains(op))
      op->erase();
    op = before;
  }
  group.commit->erase();
  group.fence->erase();
}

/// Ties the accumulators that are read after a wait to it, so that no read
/// moves in front of it.
void tieWait(NVVM::WgmmaWaitGroupSyncOp wait) {
  OpBuilder builder(wait);
  builder.setInsertionPointAfter(wait);
  SmallVector<Value> structs;
  for (Operation *op = wait->getNextNode(); op; op = op->getNextNode())
    if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op)) {
      Value container = extract.getContainer();
      Operation *def = container.getDefiningOp();
      bool before = !def || def->getBlock() != wait->getBlock() ||
                    def->isBeforeInBlock(wait);
      if (before && isa<LLVM::LLVMStructType>(container.getType()) &&
          !llvm::is_contained(structs, container))
        structs.push_back(container);
    }
  if (structs.empty())
    return;
  AsmBuilder assembly(builder, wait.getLoc());
  for (Value value : structs)
    assembly.addRegisters(value);
  SmallVector<Value> results = assembly.create(
      "wgmma.wait_group.sync.aligned " + std::to_string(wait.getGroup()) + ";");
  // The reads that follow use the new values.
  Operation *last = results.back().getDefiningOp();
  for (auto [value, result] : llvm::zip_equal(structs, results))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      Operation *user = use.getOwner();
      return user->getBlock() == wait->getBlock() &&
             last->isBeforeInBlock(user);
    });
  wait->erase();
}

struct FuseWgmmaPass : tile::impl::TileFuseWgmmaBase<FuseWgmmaPass> {
  using TileFuseWgmmaBase::TileFuseWgmmaBase;
  void runOnOperation() override { fuseWgmma(getOperation()); }
};

} // namespace

void tile::fuseWgmma(Operation *root) {
  SmallVector<Group, 0> groups;
  root->walk([&](NVVM::WgmmaFenceAlignedOp fence) {
    if (std::optional<Group> group = matchGroup(fence))
      groups.push_back(*group);
  });
  for (Group &group : groups)
    fuse(group);
  SmallVector<NVVM::WgmmaWaitGroupSyncOp> waits;
  root->walk([&](NVVM::WgmmaWaitGroupSyncOp wait) { waits.push_back(wait); });
  for (NVVM::WgmmaWaitGroupSyncOp wait : waits)
    tieWait(wait);
}
