// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multiply atoms of other dialects: an attribute that the compiler knows
// nothing of but that it implements MmaAtomAttrInterface.
#include "tile/InitAll.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tile;

namespace {

Layout parseLayout(StringRef text) {
  Result<Layout> layout = Layout::parse(text);
  return layout ? *layout : Layout();
}

/// A string as atom: each of 32 threads adds the products of four bytes of A, a
/// row, with four of B, a column, to its sum. Operands and sums differ in type.
struct DotAtom : MmaAtomAttrInterface::ExternalModel<DotAtom, StringAttr> {
  SmallVector<int64_t, 3> getShapeMNK(Attribute) const { return {32, 1, 4}; }
  int64_t getThreads(Attribute) const { return 32; }
  Layout getALayout(Attribute) const {
    return parseLayout("(32, 4) : (1@0, 1@1)");
  }
  Layout getBLayout(Attribute) const {
    return parseLayout("(32, 4) : (0, 1@0)");
  }
  Layout getCLayout(Attribute) const {
    return parseLayout("(32, 1) : (1@0, 0)");
  }
  StringRef getMinimumChip(Attribute) const { return "sm_61"; }
  std::optional<std::string> checkElementTypes(Attribute, VectorType a,
                                               VectorType b,
                                               VectorType acc) const {
    if (a.getElementType().isInteger(8) && b.getElementType().isInteger(8) &&
        acc.getElementType().isInteger(32))
      return std::nullopt;
    return "expected a and b of i8 and acc of i32";
  }
  Value emit(Attribute attr, OpBuilder &builder, Location loc, Value a, Value b,
             Value acc) const {
    if (cast<StringAttr>(attr).getValue() != "dot")
      return Value();
    auto word = [&](Value bytes) {
      return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), bytes);
    };
    Value sum = LLVM::ExtractElementOp::create(
        builder, loc, acc,
        LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0)));
    Value result =
        LLVM::InlineAsmOp::create(
            builder, loc, builder.getI32Type(),
            ValueRange{word(a), word(b), sum}, "dp4a.s32.s32 $0, $1, $2, $3;",
            "=r,r,r,r", /*has_side_effects=*/false, /*is_align_stack=*/false,
            LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
            ArrayAttr())
            .getRes();
    return LLVM::BitcastOp::create(builder, loc, acc.getType(), result);
  }
};

class AtomInterfaceTest : public testing::Test {
protected:
  AtomInterfaceTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registry.addExtension(+[](MLIRContext *context, TileDialect *) {
      StringAttr::attachInterface<DotAtom>(*context);
    });
    context.appendDialectRegistry(registry);
  }

  /// The function after tile-lower-atoms, or the errors.
  std::string lower(StringRef atom, StringRef a, StringRef acc) {
    std::string result;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      result += diagnostic.str() + "\n";
      return success();
    });
    std::string types = (a + ", vector<4xi8>, " + acc).str();
    std::string text =
        ("func.func @f(%a: " + a + ", %b: vector<4xi8>, %c: " + acc + ") -> " +
         acc + " {\n  %0 = tile.mma %a, %b, %c atom(" + atom + ") : " + types +
         "\n  return %0 : " + acc + "\n}\n")
            .str();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return result;
    PassManager passes(&context);
    passes.addPass(createTileLowerAtoms());
    if (failed(passes.run(*module)))
      return result;
    llvm::raw_string_ostream(result) << *module;
    return result;
  }

  MLIRContext context;
};

} // namespace

TEST_F(AtomInterfaceTest, EmitsItsCode) {
  std::string text = lower("\"dot\"", "vector<4xi8>", "vector<1xi32>");
  EXPECT_NE(text.find("dp4a.s32.s32"), std::string::npos) << text;
  EXPECT_EQ(text.find("tile.mma"), std::string::npos) << text;
}

TEST_F(AtomInterfaceTest, ChecksItsTypes) {
  EXPECT_EQ(lower("\"dot\"", "vector<4xi16>", "vector<1xi32>"),
            "'tile.mma' op expected a and b of i8 and acc of i32\n");
  EXPECT_EQ(lower("\"dot\"", "vector<2xi8>", "vector<1xi32>"),
            "'tile.mma' op expected a to hold 4 values of each thread, but got "
            "'vector<2xi8>'\n");
}

TEST_F(AtomInterfaceTest, WithoutCodeIsRefused) {
  EXPECT_EQ(lower("\"none\"", "vector<4xi8>", "vector<1xi32>"),
            "'tile.mma' op expected an atom that can be lowered, but got "
            "\"none\"\n");
}
