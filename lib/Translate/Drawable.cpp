// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the layouts of a module and makes their pictures.
#include "Drawable.h"

#include "tile/IR/Tile.h"

#include "mlir/IR/AsmState.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

bool Drawable::isCalled(StringRef wanted) const {
  auto matches = [&](StringRef own) {
    return own == wanted || (own.consume_front(wanted) && own.starts_with("."));
  };
  StringRef own = name;
  return matches(own) || (own.consume_front("tile.") && matches(own));
}

static void collectType(Type type, StringRef name, Location loc,
                        SmallVectorImpl<Drawable> &drawables) {
  if (auto layout = dyn_cast<LayoutType>(type))
    drawables.push_back({name.str(), loc, layout.getComposed(), std::nullopt});
  else if (auto view = dyn_cast<ViewType>(type))
    drawables.push_back({name.str(), loc, view.getComposed(), std::nullopt});
}

static void collectAtom(MmaAtomAttrInterface atom, StringRef name, Location loc,
                        SmallVectorImpl<Drawable> &drawables) {
  SmallVector<int64_t, 3> shape = atom.getShapeMNK();
  auto add = [&](StringRef operand, Layout layout, int64_t rows,
                 int64_t columns) {
    std::string full =
        name.empty() ? operand.str() : (name + "." + operand).str();
    drawables.push_back(
        {full, loc, std::move(layout), TileExtents{rows, columns}});
  };
  add("A", atom.getALayout(), shape[0], shape[2]);
  add("B", atom.getBLayout(), shape[2], shape[1]);
  add("C", atom.getCLayout(), shape[0], shape[1]);
}

void tile::collectDrawables(Attribute attribute, StringRef name, Location loc,
                            SmallVectorImpl<Drawable> &drawables) {
  TypeSwitch<Attribute>(attribute)
      .Case([&](LayoutAttr layout) {
        drawables.push_back({name.str(), loc, layout.getValue(), std::nullopt});
      })
      .Case([&](ThreadMapAttrInterface map) {
        SmallVector<int64_t, 2> tile = map.getTileShape();
        drawables.push_back({name.str(), loc, map.getTVLayout(),
                             TileExtents{tile[0], tile[1]}, map});
      })
      .Case([&](MmaAtomAttrInterface atom) {
        collectAtom(atom, name, loc, drawables);
      })
      .Case([&](TypeAttr type) {
        collectType(type.getValue(), name, loc, drawables);
      })
      .Case([&](StringAttr text) {
        if (Result<ComposedLayout> layout =
                ComposedLayout::parse(text.getValue()))
          drawables.push_back({name.str(), loc, *layout, std::nullopt});
      });
}

/// The name of a result as the printed IR has it, behind that of its function.
static std::string getName(OpResult result, AsmState &state) {
  std::string name;
  llvm::raw_string_ostream os(name);
  for (Operation *parent = result.getOwner()->getParentOp(); parent;
       parent = parent->getParentOp()) {
    auto symbol =
        parent->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    if (!symbol)
      continue;
    os << symbol.getValue() << '.';
    break;
  }
  result.printAsOperand(os, state);
  return name;
}

SmallVector<Drawable> tile::collectDrawables(ModuleOp module) {
  SmallVector<Drawable> drawables;
  for (NamedAttribute attribute : module->getAttrs())
    collectDrawables(attribute.getValue(), attribute.getName(), module.getLoc(),
                     drawables);
  AsmState state(module);
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (OpResult result : op->getResults()) {
      SmallVector<Drawable, 1> found;
      collectType(result.getType(), "", op->getLoc(), found);
      // What depends on run time cannot be drawn.
      if (found.empty() || !found[0].layout.isStatic())
        continue;
      found[0].name = getName(result, state);
      drawables.push_back(std::move(found[0]));
    }
  });
  return drawables;
}

/// The text of a layout with basis strides as the IR writes them, 1@e0.
static std::string toIRSyntax(StringRef text) {
  std::string result;
  for (char c : text) {
    result += c;
    if (c == '@')
      result += 'e';
  }
  return result;
}

Result<Picture> tile::draw(const Drawable &drawable,
                           const std::optional<ComposedLayout> &memory,
                           const PictureOptions &options, bool threadValue) {
  Result<Picture> picture =
      drawable.tile || threadValue
          ? makeThreadValuePicture(drawable.layout, drawable.tile, memory,
                                   options)
          : makePicture(drawable.layout, options);
  if (!picture)
    return Reason(toIRSyntax(picture.getReason()));
  picture->title = toIRSyntax(picture->title);
  if (!drawable.name.empty())
    picture->title = drawable.name + ": " + picture->title;
  return picture;
}
