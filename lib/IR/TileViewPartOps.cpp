// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of registers, parts of views for one thread, and views of other
// elements.
#include "tile/IR/LayoutValues.h"

#include <map>

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// The registers that one thread can have, in bytes.
static constexpr int64_t kMaxRegisterBytes = 255 * 4;

static LogicalResult verifyRegisters(Operation *op, ViewType type) {
  Layout layout = type.getLayout();
  if (!layout.isStatic())
    return op->emitOpError("expected a static layout, but got ")
           << LayoutAttr::get(op->getContext(), layout);
  for (const IntTuple &stride : layout.getStride().getLeaves())
    if (stride.getInt().getValue() < 0)
      return op->emitOpError("expected strides of 0 or more, but got ")
             << LayoutAttr::get(op->getContext(), layout);
  Int bytes = type.getSpanBytes();
  if (!bytes.isStatic() || bytes.getValue() > kMaxRegisterBytes)
    return op->emitOpError("expected at most ")
           << kMaxRegisterBytes << " bytes of registers of a thread, but got "
           << (bytes.isStatic() ? bytes.str() : "more than 64 bits can count");
  if (type.getAlign() > kRegisterAlignment)
    return op->emitOpError("expected an alignment of at most ")
           << kRegisterAlignment << " bytes in registers, but got "
           << type.getAlign();
  return success();
}

LogicalResult AllocRegistersOp::verify() {
  ViewType type = getResult().getType();
  if (type.getSpace() != MemorySpace::Register)
    return emitOpError("expected a view in register memory, but got ")
           << stringifyMemorySpace(type.getSpace());
  return verifyRegisters(*this, type);
}

/// The layout of a fragment, in the nesting of the view: makeFragmentLike puts
/// the modes behind the first one of two into a tuple.
static Result<Layout> getFragmentLayout(const Layout &view) {
  Result<Layout> fragment = makeFragmentLike(view);
  if (!fragment)
    return fragment;
  Result<IntTuple> stride = unflatten(
      IntTuple::tuple(fragment->getStride().getLeaves()), view.getShape());
  return stride ? Layout::get(view.getShape(), *stride) : fragment;
}

LogicalResult AllocFragmentLikeOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> loc, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto view = dyn_cast<ViewType>(adaptor.getView().getType());
  if (!view)
    return emitOptionalError(loc, "expected a view, but got ",
                             adaptor.getView().getType());
  if (!view.getLayout().isStatic())
    return emitOptionalError(loc, "expected a view of static layout, but got ",
                             view);
  Result<Layout> layout = getFragmentLayout(view.getLayout());
  if (!layout)
    return emitOptionalError(loc, layout.getReason());
  TypeAttr element = adaptor.getElementAttr();
  Location place = loc.value_or(UnknownLoc::get(context));
  ViewType type = ViewType::getChecked(
      [&] { return mlir::emitError(place); }, context,
      element ? element.getValue() : view.getElementType(),
      MemorySpace::Register, *layout, kRegisterAlignment, Swizzle());
  if (!type)
    return failure();
  types.push_back(type);
  return success();
}

LogicalResult AllocFragmentLikeOp::verify() {
  return verifyRegisters(*this, getResult().getType());
}

//===----------------------------------------------------------------------===//
// Partition
//===----------------------------------------------------------------------===//

/// The coordinate of a thread in one mode of a layout of threads.
static Int getThreadCoordinate(const Layout &mode, const Int &thread) {
  Int coordinate = 0, below = 1;
  for (const LeafMode &leaf : mode.getLeafModes()) {
    Int stride = leaf.stride.getInt();
    if (!stride.isStatic(0))
      coordinate =
          coordinate + mod(floorDiv(thread, stride), leaf.extent) * below;
    below = below * leaf.extent;
  }
  return coordinate;
}

static Result<Int> checkThread(const IntTuple &thread) {
  if (!thread.isInt())
    return Reason("expected the number of a thread, but got " + thread.str());
  if (thread.getInt().isStatic() && thread.getInt().getValue() < 0)
    return Reason("expected a thread of 0 or more, but got " + thread.str());
  return thread.getInt();
}

/// The modes of `rest` from where mode `begin` of the layout is at
/// `coordinate`.
static Result<ViewPart> partAt(const ComposedLayout &view, const Layout &split,
                               const IntTuple &coordinate) {
  Result<ComposedLayout> composed =
      ComposedLayout::get(view.getSwizzle(), 0, split);
  if (!composed)
    return composed.takeReason();
  Result<ViewPart> part =
      slicePart(IntTuple::tuple({coordinate, IntTuple::wildcard()}), *composed);
  if (!part)
    return part;
  // The slice of a pair is a tuple of one mode.
  Result<ComposedLayout> mode = getMode(part->layout, {0});
  if (!mode)
    return mode.takeReason();
  part->layout = *mode;
  return part;
}

Result<ViewPart> LocalPartitionOp::evaluate(Adaptor op,
                                            AlgebraOperands &operands) {
  ComposedLayout view = operands.layout();
  Result<Int> thread =
      checkThread(operands.tuple(op.getThreadAttr().getValue()));
  if (!thread)
    return thread.takeReason();
  const ComposedLayout &composed = op.getThreadsAttr().getValue();
  const Layout &threads = composed.getLayout();
  if (!composed.isPlain() || !threads.isStatic() || threads.hasBasis())
    return Reason("expected a constant layout of threads without a swizzle, "
                  "but got " +
                  composed.str());
  for (const LeafMode &leaf : threads.getLeafModes())
    if (leaf.stride.getInt().getValue() < 0)
      return Reason("expected a layout of threads with strides of 0 or more, "
                    "but got " +
                    threads.str());
  if (threads.rank() != view.rank())
    return Reason("expected a layout of threads with the " +
                  Twine(view.rank()) + " modes of the view, but got " +
                  threads.str());
  SmallVector<IntTuple> extents, coordinate;
  for (unsigned i = 0, e = threads.rank(); i < e; ++i) {
    extents.push_back(threads[i].size());
    coordinate.push_back(getThreadCoordinate(threads[i], *thread));
  }
  Result<Tiler> tiler = Tiler::fromShape(IntTuple::tuple(extents));
  if (!tiler)
    return tiler.takeReason();
  if (std::optional<Reason> reason = findOverhang(view.getLayout(), *tiler))
    return *reason;
  Result<Layout> split = zippedDivide(view.getLayout(), *tiler);
  if (!split)
    return split.takeReason();
  return partAt(view, *split, IntTuple::tuple(coordinate));
}

/// Smallest and largest value of a map along one mode of its values (a path; of
/// numbers: the empty path), or nothing beyond 64 bits.
using ReachByPath = std::map<std::vector<int64_t>, std::pair<Int, Int>>;

static ReachByPath getReach(const Layout &map) {
  ReachByPath reach;
  for (const LeafMode &mode : map.getLeafModes()) {
    ArrayRef<int64_t> path =
        mode.stride.isBasis() ? mode.stride.getPath() : ArrayRef<int64_t>();
    auto &[low, high] = reach.try_emplace(path.vec(), 0, 0).first->second;
    Int last = (mode.extent - 1) * mode.stride.getInt();
    Int &side = last.isStatic() && last.getValue() < 0 ? low : high;
    side = side + last;
  }
  return reach;
}

/// Why a map does not stay inside a shape, if it does not.
static std::optional<Reason> findOutside(const Layout &map,
                                         const IntTuple &shape) {
  for (const auto &[path, bounds] : getReach(map)) {
    Result<IntTuple> mode = path.empty() ? shape : getMode(shape, path);
    if (!mode)
      return mode.takeReason();
    Result<Int> size = product(*mode);
    if (!size)
      return size.takeReason();
    std::string place = path.empty()
                            ? "the size of the view"
                            : "extent " + printPath(path) + " of the view";
    if (!size->isStatic())
      return Reason("expected " + place + " to be constant, but got " +
                    size->str());
    if (!bounds.first.isStatic() || !bounds.second.isStatic() ||
        bounds.first.getValue() < 0 ||
        bounds.second.getValue() >= size->getValue())
      return Reason("expected a map that stays below " + place + ", " +
                    size->str() + ", but got " + bounds.first.str() + " to " +
                    bounds.second.str());
  }
  return std::nullopt;
}

/// The thread-value layout of a map for a view of a shape.
static Result<Layout> getThreadValueLayout(Attribute attribute,
                                           const IntTuple &shape) {
  if (auto layout = dyn_cast<LayoutAttr>(attribute)) {
    if (!layout.getValue().isPlain() || !layout.getValue().isStatic())
      return Reason("expected a constant layout of (thread, value) without a "
                    "swizzle, but got " +
                    layout.getValue().str());
    return layout.getValue().getLayout();
  }
  auto map = dyn_cast<ThreadMapAttrInterface>(attribute);
  if (!map)
    return Reason("expected a thread map or a layout of (thread, value)");
  SmallVector<int64_t, 2> tile = map.getTileShape();
  bool fits = shape.isTuple() && shape.rank() == tile.size();
  for (auto [i, extent] : llvm::enumerate(tile)) {
    if (!fits)
      break;
    Result<Int> size = product(shape[i]);
    fits = size && size->isStatic(extent);
  }
  if (!fits)
    return Reason("expected a view of the map's " + Twine(tile[0]) + " by " +
                  Twine(tile[1]) + " elements, but got " + shape.str());
  return map.getTVLayout();
}

Result<ViewPart> ThreadPartitionOp::evaluate(Adaptor op,
                                             AlgebraOperands &operands) {
  ComposedLayout view = operands.layout();
  IntTuple thread = operands.tuple(op.getThreadAttr().getValue());
  const IntTuple &shape = view.getLayout().getShape();
  Result<Layout> map = getThreadValueLayout(op.getMap(), shape);
  if (!map)
    return map.takeReason();
  if (map->isLeaf() || map->rank() != 2)
    return Reason("expected a layout of two modes, threads and values, but "
                  "got " +
                  map->str());
  if (thread.hasWildcard())
    return Reason("expected the number of a thread, but got " + thread.str());
  if (std::optional<Reason> reason = findOutside(*map, shape))
    return *reason;
  Result<Layout> split = composition(view.getLayout(), *map);
  if (!split)
    return split.takeReason();
  return partAt(view, *split, thread);
}

//===----------------------------------------------------------------------===//
// Recast
//===----------------------------------------------------------------------===//

/// Prepares a layout for elements of other sizes, and finds by how many new
/// elements the base moves. An element lies above its address also where
/// elements follow one another downwards: of the first one the last part comes
/// first.
///
///   i32 (8) : (-1) as i8: bytes 3, 2, 1, 0, then -1, …: (32) : (-1) from 3 on
static Result<Int> prepareRecast(Layout &layout, int64_t oldBits,
                                 int64_t newBits) {
  // The mode whose neighbours are parts of one element: the only one, since
  // elements of two such modes overlap. A mode of one element has none.
  auto isUnit = [](const LeafMode &leaf) {
    return !leaf.extent.isStatic(1) &&
           (leaf.stride.isStatic(1) || leaf.stride.isStatic(-1));
  };
  SmallVector<LeafMode, 4> leaves = layout.getLeafModes();
  auto units = llvm::count_if(leaves, isUnit);
  if (newBits < oldBits && units > 1)
    return Reason("expected one mode of stride 1 or -1 to split, but got the "
                  "layout " +
                  layout.str());
  Int offset = 0;
  SmallVector<IntTuple> strides;
  for (const LeafMode &leaf : leaves) {
    const Int &stride = leaf.stride.getInt();
    bool isDown = stride.isStatic() && stride.getValue() < 0 &&
                  !leaf.extent.isStatic(1);
    if (isDown && newBits > oldBits &&
        !stride.isMultipleOf(newBits / std::gcd(oldBits, newBits)))
      return Reason("expected elements that follow one another upwards to "
                    "become larger ones, but got stride " +
                    stride.str());
    if (isDown && newBits < oldBits && stride.isStatic(-1)) {
      if (oldBits % newBits != 0)
        return Reason("expected elements of a size that divides " +
                      Twine(oldBits) + " bits for a stride of -1, but got " +
                      Twine(newBits));
      offset = Int(oldBits / newBits - 1);
    }
    strides.push_back(leaf.stride);
    // A mode of one element splits only if no other one does.
    if (newBits < oldBits && leaf.extent.isStatic(1) &&
        (stride.isStatic(1) || stride.isStatic(-1)))
      strides.back() = IntTuple(units++ == 0 ? 1 : 0);
  }
  unsigned next = 0;
  Result<Layout> prepared = Layout::get(
      layout.getShape(), layout.getStride().mapLeaves([&](const IntTuple &) {
        return strides[next++];
      }));
  if (!prepared)
    return prepared.takeReason();
  layout = *prepared;
  return offset;
}

Result<ViewPart> ViewRecastOp::evaluate(Adaptor op, AlgebraOperands &operands) {
  ComposedLayout layout = operands.layout();
  auto view = cast<ViewType>(op.getView().getType());
  Type element = op.getElement();
  if (!element.isSignlessIntOrFloat() ||
      element.getIntOrFloatBitWidth() == 0 ||
      element.getIntOrFloatBitWidth() % 8 != 0) {
    std::string text;
    llvm::raw_string_ostream(text) << element;
    return Reason("expected elements of whole bytes, but got '" + text + "'");
  }
  int64_t bits = element.getIntOrFloatBitWidth();
  if (view.getBaseAlignment() % (bits / 8) != 0)
    return Reason("expected a base aligned to the " + Twine(bits / 8) +
                  " bytes of an element, but got " +
                  Twine(view.getBaseAlignment()));
  int64_t oldBits = 8 * view.getElementBytes();
  Layout inner = layout.getLayout();
  Result<Int> offset = prepareRecast(inner, oldBits, bits);
  if (!offset)
    return offset.takeReason();
  Result<ComposedLayout> prepared =
      ComposedLayout::get(layout.getSwizzle(), layout.getOffset(), inner);
  if (!prepared)
    return prepared.takeReason();
  Result<ComposedLayout> recast = recastLayout(*prepared, oldBits, bits);
  if (!recast)
    return recast.takeReason();
  if (!layout.isPlain() && !offset->isStatic(0))
    return Reason("expected a view without a swizzle for a stride of -1, but "
                  "got " +
                  layout.str());
  return ViewPart{*recast, *offset, element};
}
