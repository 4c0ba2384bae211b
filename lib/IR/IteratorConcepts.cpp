// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which concepts an iterator type models, why not, and which one would.
#include "tile/IR/ThreadMap.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tile;

namespace {
/// What a concept demands beside being a tile iterator. All iterators can be
/// read.
struct Demands {
  const char *name;
  bool contiguous = false, writeable = false, forward = false,
       bidirectional = false, random = false, masked = false;
};
} // namespace

static Demands getDemands(IteratorConcept required) {
  Demands demands{"tile iterator"};
  switch (required) {
  case IteratorConcept::TileIterator:
    break;
  case IteratorConcept::ContiguousMemory:
    demands.name = "contiguous-memory";
    demands.contiguous = true;
    break;
  case IteratorConcept::Readable:
    demands.name = "readable";
    break;
  case IteratorConcept::ReadableContiguous:
    demands.name = "readable contiguous";
    demands.contiguous = true;
    break;
  case IteratorConcept::Writeable:
    demands.name = "writeable";
    demands.writeable = true;
    break;
  case IteratorConcept::WriteableContiguous:
    demands.name = "writeable contiguous";
    demands.contiguous = true;
    demands.writeable = true;
    break;
  case IteratorConcept::Forward:
    demands.name = "forward";
    demands.forward = true;
    break;
  case IteratorConcept::Bidirectional:
    demands.name = "bidirectional";
    demands.forward = demands.bidirectional = true;
    break;
  case IteratorConcept::RandomAccess:
    demands.name = "random-access";
    demands.random = true;
    break;
  case IteratorConcept::ReadableRandomAccess:
    demands.name = "readable random-access";
    demands.random = true;
    break;
  case IteratorConcept::ReadableRandomAccessContiguous:
    demands.name = "readable random-access contiguous";
    demands.contiguous = true;
    demands.random = true;
    break;
  case IteratorConcept::WriteableRandomAccess:
    demands.name = "writeable random-access";
    demands.writeable = demands.random = true;
    break;
  case IteratorConcept::WriteableRandomAccessContiguous:
    demands.name = "writeable random-access contiguous";
    demands.contiguous = true;
    demands.writeable = demands.random = true;
    break;
  case IteratorConcept::Masked:
    demands.name = "masked";
    demands.masked = true;
    break;
  case IteratorConcept::WriteableReadableForwardContiguous:
    demands.name = "writeable readable forward contiguous";
    demands.contiguous = true;
    demands.writeable = demands.forward = true;
    break;
  case IteratorConcept::WriteableReadableRandomAccessContiguous:
    demands.name = "writeable readable random-access contiguous";
    demands.contiguous = true;
    demands.writeable = demands.random = true;
    break;
  }
  return demands;
}

/// Whether the layouts of a permutation take every element to one of its own:
/// each mode steps over what the smaller ones span. (A swizzle always does.)
static bool isInjective(ArrayRef<LayoutAttr> permute) {
  for (LayoutAttr attr : permute) {
    SmallVector<std::pair<int64_t, int64_t>> modes;
    for (const LeafMode &mode : attr.getValue().getLayout().getLeafModes())
      if (!mode.extent.isStatic(1))
        modes.push_back(
            {mode.stride.getInt().getValue(), mode.extent.getValue()});
    llvm::sort(modes);
    int64_t span = 1;
    for (auto [stride, extent] : modes) {
      if (stride < span)
        return false;
      span += (extent - 1) * stride;
    }
  }
  return true;
}

std::optional<MissingConcept> tile::explainMissing(Type type,
                                                   IteratorConcept required) {
  Demands demands = getDemands(required);
  auto missing = [&](const char *lack, const char *remedy) {
    return MissingConcept{demands.name, lack, remedy};
  };
  auto iterator = dyn_cast<IteratorType>(type);
  if (!iterator)
    return missing("is no tile iterator", "a !tile.iterator<…> would do");
  if (demands.writeable && !hasOneOwner(iterator.getMap()))
    return missing(
        "has elements that no thread or more than one thread owns",
        "one whose thread map gives every element exactly one thread would do, "
        "such as #tile.strip_mined<…>");
  if (demands.writeable && !isInjective(iterator.getPermute()))
    return missing("has a permutation that may take two elements to one",
                   "one whose modes step over what the smaller ones span would "
                   "do");
  // A masked one has its pointer apart from what is looked up.
  if (demands.contiguous && iterator.getGather() && !iterator.isMasked())
    return missing("looks up its coordinates in a list of indices, so that no "
                   "pointer offset leads from one element to the other",
                   "the same without gather would do");
  if (demands.forward && iterator.getAdvance() == IteratorType::kNoAdvance)
    return missing("has no advance dimension",
                   "the same with advance = 0 or advance = 1 would do");
  if ((demands.bidirectional || demands.random) && iterator.isMapped())
    return missing("goes forward only",
                   "another one that is made at the tile would do");
  if (demands.bidirectional && iterator.getPhase() == IteratorPhase::Residue)
    return missing("is in the residue phase, before whose tile there is none",
                   "the same in the steady phase would do");
  if (demands.random && iterator.getPredicated() && !iterator.computesMasks())
    return missing("keeps no coordinates from which the predicates of another "
                   "tile follow",
                   "the same with random would do");
  if (demands.masked && !iterator.getPredicated())
    return missing("has no predicates",
                   iterator.isMapped() ? "the same with masked would do"
                                       : "the same with predicated would do");
  return std::nullopt;
}

bool tile::models(Type type, IteratorConcept required) {
  return !explainMissing(type, required);
}
