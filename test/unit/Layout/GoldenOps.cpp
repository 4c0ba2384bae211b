// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of the golden layout data, by their names there.
#include "GoldenOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <set>

using namespace tile;
using namespace tile::test;
using llvm::json::Object;

namespace {

/// Typed access to a line's inputs and parameters.
class Arguments {
public:
  Arguments(const Object &line, RunTime runTime)
      : line(line), runTime(runTime) {}

  llvm::StringRef text(unsigned index) const {
    const llvm::json::Array *inputs = line.getArray("inputs");
    if (!inputs || index >= inputs->size())
      return "";
    return *(*inputs)[index].getAsString();
  }
  llvm::StringRef param(llvm::StringRef name) const {
    return line.getString(name).value_or("");
  }
  int64_t number(llvm::StringRef name) const {
    return line.getInteger(name).value_or(0);
  }
  llvm::SmallVector<int64_t> numbers(llvm::StringRef name) const {
    llvm::SmallVector<int64_t> values;
    if (const llvm::json::Array *array = line.getArray(name))
      for (const llvm::json::Value &value : *array)
        values.push_back(*value.getAsInteger());
    return values;
  }
  Result<Layout> layout(unsigned index) const {
    return Layout::parse(text(index), runTime);
  }
  Result<ComposedLayout> composed(unsigned index) const {
    return ComposedLayout::parse(text(index), runTime);
  }
  Result<IntTuple> tuple(unsigned index) const {
    return IntTuple::parse(text(index), runTime);
  }
  Result<IntTuple> tuple(llvm::StringRef name) const {
    return IntTuple::parse(param(name), runTime);
  }
  Result<Tiler> tiler(unsigned index) const {
    return Tiler::parse(text(index), runTime);
  }
  Result<Tiler> tiler(llvm::StringRef name) const {
    return Tiler::parse(param(name), runTime);
  }
  std::optional<IntTuple> order() const {
    if (param("order").empty())
      return std::nullopt;
    return *tuple("order");
  }

private:
  const Object &line;
  RunTime runTime;
};

template <class T>
Result<Value> wrap(const Result<T> &result) {
  if (!result)
    return result.takeReason();
  return Value(*result);
}

template <>
Result<Value> wrap(const Result<int64_t> &result) {
  if (!result)
    return result.takeReason();
  return Value(IntTuple(*result));
}

template <>
Result<Value> wrap(const Result<Int> &result) {
  if (!result)
    return result.takeReason();
  return Value(IntTuple(*result));
}

Result<Value> wrapBool(bool result) { return Value(IntTuple(int(result))); }

using Run = std::function<Result<Value>(const Arguments &)>;
using Table = llvm::StringMap<Run>;

/// The offset of a slice, as a tuple.
Result<Value> sliceOffset(const Arguments &args) {
  Result<LayoutAndOffset> sliced =
      sliceAndOffset(*args.tuple("coord"), *args.layout(0));
  if (!sliced)
    return sliced.takeReason();
  return Value(sliced->offset);
}

Result<Value> composedSlice(const Arguments &args) {
  Result<ComposedAndOffset> sliced =
      sliceAndOffset(*args.tuple("coord"), *args.composed(0));
  if (!sliced)
    return sliced.takeReason();
  return Value(sliced->layout);
}

Result<Value> makeComposed(const Arguments &args) {
  llvm::SmallVector<int64_t> bits = args.numbers("swizzle");
  Result<Swizzle> swizzle = Swizzle::get(bits[0], bits[1], bits[2]);
  if (!swizzle)
    return swizzle.takeReason();
  return wrap(
      ComposedLayout::get(*swizzle, args.number("offset"), *args.layout(0)));
}

/// A swizzle as the tuple of its three numbers.
Result<Value> makeSwizzle(const Arguments &args) {
  Result<Swizzle> swizzle =
      Swizzle::get(args.number("B"), args.number("M"), args.number("S"));
  if (!swizzle)
    return swizzle.takeReason();
  return Value(IntTuple::constants(
      {swizzle->getBits(), swizzle->getBase(), swizzle->getShift()}));
}

/// `A o B` written out in one text, where either side may be swizzled.
Result<Value> composeText(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, " o ");
  unsigned first = parts[0].starts_with("Sw") ? 3 : 1;
  auto join = [&](unsigned begin, unsigned end) {
    std::string joined;
    for (unsigned i = begin; i < end; ++i)
      joined += (i > begin ? " o " : "") + parts[i].str();
    return joined;
  };
  Result<ComposedLayout> lhs = ComposedLayout::parse(join(0, first));
  Result<ComposedLayout> rhs = ComposedLayout::parse(join(first, parts.size()));
  if (!lhs)
    return lhs.takeReason();
  if (!rhs)
    return rhs.takeReason();
  return wrap(composition(*lhs, *rhs));
}

Result<Value> compose(const Arguments &args) {
  if (!args.param("inputs_text").empty())
    return composeText(args.param("inputs_text"));
  if (args.text(0).starts_with("Sw") || args.text(1).starts_with("Sw")) {
    Result<ComposedLayout> lhs = args.composed(0), rhs = args.composed(1);
    if (!lhs || !rhs)
      return lhs ? rhs.takeReason() : lhs.takeReason();
    return wrap(composition(*lhs, *rhs));
  }
  return wrap(composition(*args.layout(0), *args.tiler(1)));
}

void addPlain(Table &table) {
  auto identity = [](const Arguments &args) { return wrap(args.layout(0)); };
  table["info"] = identity;
  table["grid2"] = identity;
  // The library's reverse acts on tuples; a layout is none and stays.
  table["reverse"] = identity;
  auto unary = [&](llvm::StringRef name, auto function) {
    table[name] = [function](const Arguments &args) -> Result<Value> {
      Result<Layout> layout = args.layout(0);
      if (!layout)
        return layout.takeReason();
      return wrap(Result<Layout>(function(*layout)));
    };
  };
  unary("coalesce", [](const Layout &l) { return coalesce(l); });
  unary("filter", [](const Layout &l) { return filter(l); });
  unary("filter_zeros", [](const Layout &l) { return filterZeros(l); });
  unary("flatten", [](const Layout &l) { return flatten(l); });
  unary("nullspace", [](const Layout &l) { return nullspace(l); });
  unary("make_layout_like", [](const Layout &l) { return makeLayoutLike(l); });
  unary("make_fragment_like",
        [](const Layout &l) { return makeFragmentLike(l); });
  unary("zip", [](const Layout &l) { return zip(l); });
  table["right_inverse"] = [](const Arguments &args) {
    return wrap(rightInverse(*args.composed(0)));
  };
  table["left_inverse"] = [](const Arguments &args) {
    return wrap(leftInverse(*args.composed(0)));
  };
  table["upcast"] = [](const Arguments &args) {
    return wrap(upcast(*args.layout(0), args.number("N")));
  };
  table["downcast"] = [](const Arguments &args) {
    return wrap(downcast(*args.layout(0), args.number("N")));
  };
  table["recast_layout"] = [](const Arguments &args) {
    return wrap(recastLayout(*args.layout(0), args.number("old_bits"),
                             args.number("new_bits")));
  };
  table["complement"] = [](const Arguments &args) {
    return args.text(1).empty()
               ? wrap(complement(*args.layout(0)))
               : wrap(complement(*args.layout(0), *args.tuple(1)));
  };
  table["coalesce_by_mode"] = [](const Arguments &args) {
    return wrap(coalesce(*args.layout(0), *args.tuple("profile")));
  };
  table["composition"] = compose;
  auto tiled = [&](llvm::StringRef name,
                   Result<Layout> (*function)(const Layout &, const Tiler &)) {
    table[name] = [function](const Arguments &args) {
      return wrap(function(*args.layout(0), *args.tiler(1)));
    };
  };
  tiled("logical_divide", logicalDivide);
  tiled("zipped_divide", zippedDivide);
  tiled("tiled_divide", tiledDivide);
  tiled("flat_divide", flatDivide);
  tiled("logical_product", logicalProduct);
  tiled("zipped_product", zippedProduct);
  tiled("tiled_product", tiledProduct);
  tiled("flat_product", flatProduct);
  table["blocked_product"] = [](const Arguments &args) {
    return wrap(blockedProduct(*args.layout(0), *args.layout(1)));
  };
  table["raked_product"] = [](const Arguments &args) {
    return wrap(rakedProduct(*args.layout(0), *args.layout(1)));
  };
  table["tile_to_shape"] = [](const Arguments &args) {
    return wrap(tileToShape(*args.layout(0), *args.tuple(1), args.order()));
  };
  table["max_common_vector"] = [](const Arguments &args) {
    return wrap(maxCommonVector(*args.layout(0), *args.layout(1)));
  };
  table["max_common_layout"] = [](const Arguments &args) {
    return wrap(maxCommonLayout(*args.layout(0), *args.layout(1)));
  };
  table["slice"] = [](const Arguments &args) {
    return wrap(slice(*args.tuple("coord"), *args.layout(0)));
  };
  table["dice"] = [](const Arguments &args) {
    return wrap(dice(*args.tuple("coord"), *args.layout(0)));
  };
  table["slice_offset"] = sliceOffset;
}

void addModes(Table &table) {
  table["group_modes"] = [](const Arguments &args) {
    return wrap(
        groupModes(*args.layout(0), args.number("begin"), args.number("end")));
  };
  table["take"] = [](const Arguments &args) {
    return wrap(
        take(*args.layout(0), args.number("begin"), args.number("end")));
  };
  table["select"] = [](const Arguments &args) {
    return wrap(select(*args.layout(0), args.numbers("modes")));
  };
  table["append"] = [](const Arguments &args) {
    return wrap(Result<Layout>(
        append(*args.layout(0), *Layout::parse(args.param("mode")))));
  };
  table["prepend"] = [](const Arguments &args) {
    return wrap(Result<Layout>(
        prepend(*args.layout(0), *Layout::parse(args.param("mode")))));
  };
  table["replace"] = [](const Arguments &args) {
    return wrap(replaceMode(*args.layout(0), args.number("index"),
                            *Layout::parse(args.param("mode"))));
  };
  table["append_rank"] = [](const Arguments &args) {
    return wrap(
        Result<Layout>(appendRank(*args.layout(0), args.number("rank"))));
  };
  auto shaped = [&](llvm::StringRef name, auto function) {
    table[name] = [function](const Arguments &args) {
      return wrap(function(*args.tuple(0)));
    };
  };
  shaped("make_layout_left", makeLayoutLeft);
  shaped("make_layout_right", makeLayoutRight);
  shaped("make_identity_layout", makeIdentityLayout);
  table["make_ordered_layout"] = [](const Arguments &args) {
    return wrap(makeOrderedLayout(*args.tuple(0), *args.tuple(1)));
  };
  table["domain_distribute"] = [](const Arguments &args) {
    return wrap(domainDistribute(*args.tuple(0), args.tuple(1)->getInt()));
  };
}

void addComposed(Table &table) {
  table["swizzle"] = makeSwizzle;
  table["composed"] = makeComposed;
  table["composed_slice"] = composedSlice;
  auto add = [&](llvm::StringRef name, auto function) {
    table[name] = [function](const Arguments &args) -> Result<Value> {
      Result<ComposedLayout> layout = args.composed(0);
      if (!layout)
        return layout.takeReason();
      return wrap(function(*layout, args));
    };
  };
  using C = ComposedLayout;
  using A = Arguments;
  add("composed_composition", [](const C &c, const A &args) {
    return composition(c, *args.tiler("rhs"));
  });
  add("composed_composition_tile", [](const C &c, const A &args) {
    return composition(c, *args.tiler("tiler"));
  });
  add("composed_zipped_divide", [](const C &c, const A &args) {
    return zippedDivide(c, *args.tiler("tiler"));
  });
  add("composed_logical_divide", [](const C &c, const A &args) {
    return logicalDivide(c, *args.tiler("tiler"));
  });
  add("composed_tile_to_shape", [](const C &c, const A &args) {
    return tileToShape(c, *args.tuple("shape"), args.order());
  });
  add("composed_upcast",
      [](const C &c, const A &args) { return upcast(c, args.number("N")); });
  add("composed_downcast",
      [](const C &c, const A &args) { return downcast(c, args.number("N")); });
  add("composed_recast", [](const C &c, const A &args) {
    return recastLayout(c, args.number("old_bits"), args.number("new_bits"));
  });
  add("composed_max_alignment",
      [](const C &c, const A &) { return maxAlignment(c); });
  add("composed_cosize", [](const C &c, const A &) { return c.cosize(); });
  add("composed_coalesce", [](const C &c, const A &) { return coalesce(c); });
  add("composed_group",
      [](const C &c, const A &) { return groupModes(c, 0, c.rank()); });
  add("get_nonswizzle_portion",
      [](const C &c, const A &) { return Result<Layout>(c.getLayout()); });
  add("get_swizzle_portion", [](const C &c, const A &) {
    const Swizzle &s = c.getSwizzle();
    return Result<IntTuple>(
        IntTuple::constants({s.getBits(), s.getBase(), s.getShift()}));
  });
  add("composed_max_common_vector", [](const C &c, const A &args) {
    return maxCommonVector(c, *ComposedLayout::parse(args.param("other")));
  });
}

void addTuples(Table &table) {
  auto binary = [&](llvm::StringRef name, auto function) {
    table[name] = [function](const Arguments &args) {
      return wrap(function(*args.tuple(0), *args.tuple(1)));
    };
  };
  using T = IntTuple;
  binary("crd2idx", [](const T &a, const T &b) { return crd2idx(a, b); });
  binary("idx2crd", [](const T &a, const T &b) { return idx2crd(a, b); });
  binary("int_tuple_ceil_div",
         [](const T &a, const T &b) { return ceilDiv(a, b); });
  binary("int_tuple_shape_div", shapeDiv);
  binary("int_tuple_elem_scale", elemScale);
  binary("int_tuple_inner_product", innerProduct);
  auto predicate = [&](llvm::StringRef name, auto function) {
    table[name] = [function](const Arguments &args) {
      return wrapBool(function(*args.tuple(0), *args.tuple(1)));
    };
  };
  predicate("int_tuple_congruent", isCongruent);
  predicate("int_tuple_weakly_congruent", isWeaklyCongruent);
  predicate("int_tuple_compatible", isCompatible);
  predicate("int_tuple_evenly_divides", evenlyDivides);
}

} // namespace

Result<Value> tile::test::runGolden(const Object &line, RunTime runTime) {
  Table table;
  addPlain(table);
  addModes(table);
  addComposed(table);
  addTuples(table);
  llvm::StringRef op = line.getString("op").value_or("");
  auto entry = table.find(op);
  if (entry == table.end())
    return Reason("no operation '" + op + "' in the runner");
  return entry->second(Arguments(line, runTime));
}

Result<Value> tile::test::readGolden(const Object &line) {
  llvm::StringRef text = line.getString("output").value_or("");
  if (text.starts_with("Sw") && !text.contains(" o ")) {
    llvm::SmallVector<llvm::StringRef> parts;
    text.trim("Sw<>").split(parts, ",");
    llvm::SmallVector<int64_t> numbers(3);
    for (unsigned i = 0; i < 3; ++i)
      if (parts[i].getAsInteger(10, numbers[i]))
        return Reason("cannot read " + text);
    return Value(IntTuple::constants(numbers));
  }
  // Two swizzles in a row that are equal cancel.
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, " o ");
  if (parts.size() == 5 && parts[0] == parts[2] && parts[1] == "_0" &&
      parts[3] == "_0")
    return wrap(ComposedLayout::parse(parts[4]));
  if (text.contains(':'))
    return wrap(ComposedLayout::parse(text));
  return wrap(IntTuple::parse(text));
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

/// The tiler and what it leaves out, as one divisor of the layout.
static std::optional<Layout> makeDivisor(const Layout &layout,
                                         const Tiler &tiler) {
  if (!tiler.isLayout())
    return std::nullopt;
  Result<Layout> rest = complement(tiler.getLayout(), layout.size());
  if (!rest)
    return std::nullopt;
  return Layout::concat({tiler.getLayout(), *rest});
}

std::optional<bool>
tile::test::satisfiesDefinition(const Object &line,
                                const ComposedLayout &result) {
  llvm::StringRef op = *line.getString("op");
  Arguments args(line, nullptr);
  if (!result.isStatic() ||
      (args.text(0) + args.text(1)).str().find('@') != std::string::npos)
    return std::nullopt;
  int64_t size = result.size().getValue();
  if (op == "composition") {
    Result<Tiler> tiler = args.tiler(1);
    Result<Layout> lhs = args.layout(0);
    if (!tiler || !lhs)
      return std::nullopt;
    if (tiler->isByMode()) {
      if (tiler->rank() > lhs->rank() || result.rank() != tiler->rank())
        return false;
      for (unsigned k = 0; k < tiler->rank(); ++k) {
        const Tiler &mode = tiler->getModes()[k];
        Layout part = result.getLayout()[k];
        Layout inner = mode.isWildcard() ? *Layout::get((*lhs)[k].size(), 1)
                                         : mode.getLayout();
        if (part.size() != inner.size())
          return false;
        for (int64_t i = 0; i < part.size().getValue(); ++i)
          if (part.at(i) != (*lhs)[k].at(inner.at(i)))
            return false;
      }
      return true;
    }
    if (size != tiler->getLayout().size().getValue())
      return false;
    for (int64_t i = 0; i < size; ++i)
      if (result.at(i) != lhs->at(tiler->getLayout().at(i)))
        return false;
    return true;
  }
  if (op.ends_with("_divide")) {
    Result<Tiler> tiler = args.tiler(1);
    Result<Layout> lhs = args.layout(0);
    if (!tiler || !lhs)
      return std::nullopt;
    if (std::optional<Layout> divisor = makeDivisor(*lhs, *tiler)) {
      if (size != divisor->size().getValue())
        return false;
      for (int64_t i = 0; i < size; ++i)
        if (result.at(i) != lhs->at(divisor->at(i)))
          return false;
      return true;
    }
    // By mode where every tile divides its mode (or is all of it): the same
    // elements, each once. Overhanging tiles are left to the property tests.
    if (size != lhs->size().getValue())
      return std::nullopt;
    std::multiset<int64_t> before, after;
    for (int64_t i = 0; i < lhs->size().getValue(); ++i)
      before.insert(lhs->at(i));
    for (int64_t i = 0; i < size; ++i)
      after.insert(result.at(i));
    return before == after;
  }
  if (op.ends_with("_product") && op != "logical_product" &&
      args.text(1).starts_with("<")) {
    // `_` repeats its mode once, as 1 : 0 does.
    std::string tiler = args.text(1).str();
    for (size_t at = 0; (at = tiler.find('_', at)) != std::string::npos; ++at)
      if (at + 1 >= tiler.size() || !llvm::isDigit(tiler[at + 1]))
        tiler.replace(at, 1, "1:0");
    Object once = line;
    once["inputs"] = llvm::json::Array{args.text(0), tiler};
    Result<Value> expected = runGolden(once, nullptr);
    return expected && expected->layout &&
           expected->layout->size() == result.size() &&
           *expected->layout == result;
  }
  if (op == "left_inverse") {
    Result<ComposedLayout> layout = args.composed(0);
    for (int64_t i = 0; i < layout->size().getValue(); ++i)
      if (result.at(layout->at(i)) != i)
        return false;
    return true;
  }
  if (op == "right_inverse") {
    Result<ComposedLayout> layout = args.composed(0);
    for (int64_t i = 0; i < size; ++i)
      if (layout->at(result.at(i)) != i)
        return false;
    return true;
  }
  if (op == "upcast") {
    // Element i of the result starts where its first old element was.
    Result<Layout> layout = args.layout(0);
    int64_t count = args.number("N");
    llvm::SmallVector<LeafMode, 4> before = layout->getLeafModes();
    llvm::SmallVector<LeafMode, 4> after = result.getLayout().getLeafModes();
    if (before.size() != after.size())
      return false;
    for (unsigned i = 0; i < before.size(); ++i) {
      int64_t oldStride = before[i].stride.getInt().getValue();
      int64_t newStride = after[i].stride.getInt().getValue();
      int64_t oldExtent = before[i].extent.getValue();
      int64_t newExtent = after[i].extent.getValue();
      if (newExtent == 1 && oldExtent == 1)
        continue;
      // As many old elements as fill one new one, the last one ragged.
      int64_t group = oldStride ? newStride * count / oldStride : 1;
      if (group < 1 || group * oldStride != newStride * count ||
          newExtent != (oldExtent + group - 1) / group)
        return false;
    }
    return true;
  }
  return std::nullopt;
}
