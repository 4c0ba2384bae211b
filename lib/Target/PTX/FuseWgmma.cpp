// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes one inline asm of each group of wgmma instructions.
//
// ptxas keeps wgmma asynchronous only if no instruction touches the accumulator
// registers between the fence and the wait. LLVM knows nothing of that: it may
// put the initialisation of an accumulator, or a copy, between instructions
// that are separate asms. Within one asm, whose results are tied to its
// operands, nothing can come between.
#include "tile/Target/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

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
    unsigned first = elements.size();
    auto type = cast<LLVM::LLVMStructType>(registers.getType());
    for (auto [i, element] : llvm::enumerate(type.getBody())) {
      elements.push_back(LLVM::ExtractValueOp::create(builder, loc, registers,
                                                      static_cast<int64_t>(i)));
      types.push_back(element);
    }
    structs.push_back({registers, first, type});
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
    for (size_t i = 0; i < inputs.size(); ++i)
      append("l");
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
    for (const auto &[value, first, type] : structs) {
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

  ArrayRef<Value> getInputs() const { return inputs; }

private:
  struct Struct {
    Value value;
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

/// The instructions between a fence and a commit, and the wait right after it.
struct Group {
  NVVM::WgmmaFenceAlignedOp fence;
  SmallVector<NVVM::WgmmaMmaAsyncOp> multiplies;
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
  for (NVVM::WgmmaMmaAsyncOp op : group.multiplies) {
    Value from = op.getInouts();
    if (multiplies.contains(from.getDefiningOp()) &&
        (op.getScaleD() == NVVM::WGMMAScaleOut::zero || !from.hasOneUse()))
      return false;
    multiplies.insert(op);
  }
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
  for (Operation *op = fence->getNextNode(); op; op = op->getNextNode()) {
    if (auto multiply = dyn_cast<NVVM::WgmmaMmaAsyncOp>(op)) {
      // Integers wrap or saturate, and f16 comes in pairs: left as they are.
      if (multiply.getTypeD() != NVVM::WGMMATypes::f32 ||
          multiply.getScaleA() != NVVM::WGMMAScaleIn::one ||
          multiply.getScaleB() != NVVM::WGMMAScaleIn::one)
        return std::nullopt;
      group.multiplies.push_back(multiply);
    } else if (auto commit = dyn_cast<NVVM::WgmmaGroupSyncAlignedOp>(op)) {
      group.commit = commit;
      group.wait =
          dyn_cast_or_null<NVVM::WgmmaWaitGroupSyncOp>(op->getNextNode());
      if (group.multiplies.empty() || !isChains(group))
        return std::nullopt;
      return group;
    } else if (isMemoryEffectFree(op)) {
      group.others.push_back(op);
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

StringRef typeName(NVVM::WGMMATypes type) {
  return NVVM::stringifyWGMMATypes(type);
}

/// One wgmma, with descriptors in the registers or inputs named.
std::string multiplyText(NVVM::WgmmaMmaAsyncOp op, unsigned first, StringRef a,
                         StringRef b) {
  std::string text;
  llvm::raw_string_ostream os(text);
  NVVM::MMAShapeAttr shape = op.getShape();
  auto type = cast<LLVM::LLVMStructType>(op.getInouts().getType());
  os << "wgmma.mma_async.sync.aligned.m" << shape.getM() << "n" << shape.getN()
     << "k" << shape.getK() << ".f32." << typeName(op.getTypeA()) << "."
     << typeName(op.getTypeB()) << " {";
  for (unsigned i = 0, e = type.getBody().size(); i < e; ++i)
    os << (i ? ", $" : "$") << first + i;
  os << "}, " << a << ", " << b << ", "
     << (op.getScaleD() == NVVM::WGMMAScaleOut::one ? 1 : 0) << ", 1, 1";
  // Transposition is an operand for 16-bit types only.
  if (op.getTypeA() == NVVM::WGMMATypes::f16 ||
      op.getTypeA() == NVVM::WGMMATypes::bf16)
    os << ", " << (op.getLayoutA() == NVVM::MMALayout::col ? 1 : 0) << ", "
       << (op.getLayoutB() == NVVM::MMALayout::row ? 1 : 0);
  os << "; ";
  return text;
}

void fuse(Group &group) {
  // What the multiplies need moves in front of the fence.
  for (Operation *op : group.others)
    op->moveBefore(group.fence);
  OpBuilder builder(group.commit);
  builder.setInsertionPointAfter(group.wait ? group.wait.getOperation()
                                            : group.commit.getOperation());
  AsmBuilder assembly(builder, group.fence.getLoc());
  // Each chain of multiplies accumulates in the registers that it starts with.
  llvm::MapVector<Value, unsigned> chains;
  SmallVector<Value> ends;
  SmallVector<unsigned> firsts;
  llvm::SmallDenseMap<Value, unsigned> chainOf;
  for (NVVM::WgmmaMmaAsyncOp op : group.multiplies) {
    Value from = op.getInouts();
    unsigned chain;
    // Chains that start without sums have nothing in common.
    bool starts = op.getScaleD() == NVVM::WGMMAScaleOut::zero;
    if (auto known = chainOf.find(from); !starts && known != chainOf.end()) {
      chain = known->second;
    } else {
      chain = ends.size();
      firsts.push_back(assembly.addRegisters(from));
      ends.push_back(Value());
    }
    ends[chain] = op.getResults();
    chainOf[op.getResults()] = chain;
    assembly.addInput(splitDescriptor(op.getDescriptorA()).first);
    assembly.addInput(splitDescriptor(op.getDescriptorB()).first);
  }

  std::string text = "{ .reg .b64 descA, descB; wgmma.fence.sync.aligned; ";
  auto operand = [&](Value descriptor, StringRef scratch) -> std::string {
    auto [base, offset] = splitDescriptor(descriptor);
    std::string placeholder = assembly.input(assembly.addInput(base));
    if (offset == 0)
      return placeholder;
    text += "add.s64 " + scratch.str() + ", " + placeholder + ", " +
            std::to_string(offset) + "; ";
    return scratch.str();
  };
  for (NVVM::WgmmaMmaAsyncOp op : group.multiplies) {
    std::string a = operand(op.getDescriptorA(), "descA");
    std::string b = operand(op.getDescriptorB(), "descB");
    text += multiplyText(op, firsts[chainOf[op.getResults()]], a, b);
  }
  text += "wgmma.commit_group.sync.aligned; ";
  if (group.wait)
    text += "wgmma.wait_group.sync.aligned " +
            std::to_string(group.wait.getGroup()) + "; ";
  text += "}";
  SmallVector<Value> results = assembly.create(text);
  for (auto [end, result] : llvm::zip_equal(ends, results))
    end.replaceAllUsesExcept(
        result, SmallPtrSet<Operation *, 8>(group.multiplies.begin(),
                                            group.multiplies.end()));
  if (group.wait)
    group.wait->erase();
  group.commit->erase();
  for (NVVM::WgmmaMmaAsyncOp op : llvm::reverse(group.multiplies))
    op->erase();
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
  SmallVector<Group> groups;
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
