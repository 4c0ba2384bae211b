// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of an artifact file: magic, manifest, blobs.

#include "tile/Facts/ArtifactFormat.h"
#include "tile/Target/Artifact.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;

static void pad(std::string &bytes) {
  bytes.resize(llvm::alignTo(bytes.size(), ArtifactFormat::kAlignment), '\0');
}

std::string tile::writeArtifact(const Artifact &artifact) {
  std::string blobs;
  llvm::json::Object table;
  auto add = [&](llvm::StringRef name, llvm::StringRef data) {
    if (data.empty())
      return;
    pad(blobs);
    table[name] =
        llvm::json::Object{{"offset", static_cast<int64_t>(blobs.size())},
                           {"size", static_cast<int64_t>(data.size())}};
    blobs.append(data.data(), data.size());
  };
  add("ptx", artifact.ptx);
  add("cubin", artifact.cubin);
  if (artifact.simulator)
    add("sim", artifact.simulator->object);

  llvm::json::Object manifest = buildManifest(artifact);
  manifest["blobs"] = std::move(table);
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << llvm::json::Value(std::move(manifest));

  return joinArtifact(text, blobs);
}

static llvm::Error makeError(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

/// The bytes of the blob `name`, empty if the manifest has none.
static llvm::Expected<llvm::StringRef>
findBlob(const llvm::json::Object &manifest, llvm::StringRef blobs,
         llvm::StringRef name) {
  const llvm::json::Object *table = manifest.getObject("blobs");
  const llvm::json::Object *entry = table ? table->getObject(name) : nullptr;
  if (!entry)
    return llvm::StringRef();
  std::optional<int64_t> offset = entry->getInteger("offset");
  std::optional<int64_t> size = entry->getInteger("size");
  int64_t available = blobs.size();
  if (!offset || !size || *offset < 0 || *size < 0 || *offset > available ||
      *size > available - *offset)
    return makeError("expected blob '" + name + "' within the " +
                     llvm::Twine(available) +
                     " bytes after the manifest, but got offset " +
                     llvm::Twine(offset.value_or(-1)) + " and size " +
                     llvm::Twine(size.value_or(-1)));
  return blobs.substr(*offset, *size);
}

llvm::Expected<ArtifactView> tile::parseArtifact(llvm::StringRef bytes) {
  ArtifactParts parts;
  std::string reason = splitArtifact(bytes, parts);
  if (!reason.empty())
    return makeError(reason);
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(parts.manifest);
  if (!value)
    return makeError("malformed artifact: expected JSON in the manifest, but "
                     "got text that does not parse: " +
                     llvm::toString(value.takeError()));
  llvm::json::Object *manifest = value->getAsObject();
  if (!manifest)
    return makeError("expected an object as the manifest, but got another "
                     "JSON value");
  std::optional<int64_t> version = manifest->getInteger("version");
  if (version != 1)
    return makeError("expected artifact version 1, but got " +
                     llvm::Twine(version.value_or(0)));

  ArtifactView view;
  for (auto [name, blob] :
       {std::pair<llvm::StringRef, llvm::StringRef *>{"ptx", &view.ptx},
        {"cubin", &view.cubin},
        {"sim", &view.simulator}}) {
    llvm::Expected<llvm::StringRef> found =
        findBlob(*manifest, parts.blobs, name);
    if (!found)
      return found.takeError();
    *blob = *found;
  }
  view.manifest = std::move(*manifest);
  return view;
}
