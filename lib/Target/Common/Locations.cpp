// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locations as the text that a report shows.

#include "Locations.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tile;
using namespace mlir;

/// Finds the first file position and the innermost name below `location`. Of a
/// call site only the callee is looked at.
static void findParts(Location location, FileLineColLoc &file,
                      StringAttr &name) {
  llvm::TypeSwitch<LocationAttr>(location)
      .Case<FileLineColLoc>([&](FileLineColLoc found) {
        if (!file)
          file = found;
      })
      .Case<NameLoc>([&](NameLoc found) {
        name = found.getName();
        findParts(found.getChildLoc(), file, name);
      })
      .Case<CallSiteLoc>(
          [&](CallSiteLoc found) { findParts(found.getCallee(), file, name); })
      .Case<FusedLoc>([&](FusedLoc found) {
        for (Location part : found.getLocations())
          findParts(part, file, name);
      });
}

std::string tile::describeLocation(Operation *op) {
  FileLineColLoc file;
  StringAttr name;
  findParts(op->getLoc(), file, name);
  std::string text;
  if (file)
    text = (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
            Twine(file.getColumn()))
               .str();
  if (name && file)
    return text + " (" + name.str() + ")";
  if (name)
    return name.str();
  if (file)
    return text;
  return "unknown location (" + op->getName().getStringRef().str() + ")";
}

SiteTable::SiteTable(llvm::SmallVectorImpl<std::string> &texts) : texts(texts) {
  for (auto [number, text] : llvm::enumerate(texts))
    numbers.try_emplace(text, static_cast<int32_t>(number));
}

int32_t SiteTable::get(Operation *op) {
  std::string text = describeLocation(op);
  auto [entry, isNew] =
      numbers.try_emplace(text, static_cast<int32_t>(texts.size()));
  if (isNew)
    texts.push_back(std::move(text));
  return entry->second;
}
