// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts the frame of an artifact file together and takes it apart.
#include "tile/Facts/ArtifactFormat.h"

using namespace tile;
using Format = ArtifactFormat;

static uint64_t readNumber(std::string_view file, size_t at) {
  uint64_t number = 0;
  for (size_t i = 8; i-- > 0;)
    number = number << 8 | static_cast<unsigned char>(file[at + i]);
  return number;
}

static void writeNumber(std::string &file, size_t at, uint64_t number) {
  for (size_t i = 0; i < 8; ++i, number >>= 8)
    file[at + i] = static_cast<char>(number & 0xff);
}

/// 64-bit FNV-1a of all bytes but the checksum's own. It tells damage, not
/// intent: whoever can change a file can seal it again.
static uint64_t computeChecksum(std::string_view file) {
  uint64_t hash = 0xcbf29ce484222325u;
  auto add = [&](std::string_view bytes) {
    for (unsigned char byte : bytes)
      hash = (hash ^ byte) * 0x100000001b3u;
  };
  add(file.substr(0, Format::kChecksumAt));
  add(file.substr(Format::kHeaderBytes));
  return hash;
}

static size_t alignTo(size_t bytes) {
  return (bytes + Format::kAlignment - 1) / Format::kAlignment *
         Format::kAlignment;
}

std::string tile::splitArtifact(std::string_view file, ArtifactParts &parts) {
  std::string expected = "expected a Tile artifact, which begins with " +
                         std::string(Format::kMagic) + ", but got ";
  // The magic's last character is the version of the frame.
  std::string_view magic = file.substr(0, Format::kMagic.size());
  if (magic.size() == Format::kMagic.size() && magic != Format::kMagic &&
      magic.substr(0, 7) == Format::kMagic.substr(0, 7))
    return expected + "one of another version, which begins with " +
           std::string(magic.substr(0, 7)) +
           (magic[7] >= ' ' && magic[7] <= '~' ? std::string(1, magic[7])
                                               : std::string("?")) +
           "; compile it again";
  if (file.size() < Format::kHeaderBytes)
    return expected + "a file of " + std::to_string(file.size()) + " bytes";
  if (magic != Format::kMagic)
    return expected + "other bytes";
  uint64_t length = readNumber(file, Format::kManifestAt);
  if (length > file.size() - Format::kHeaderBytes)
    return "malformed artifact: expected a manifest of " +
           std::to_string(length) + " bytes, but got " +
           std::to_string(file.size() - Format::kHeaderBytes) +
           " bytes of file after the header";
  uint64_t whole = readNumber(file, Format::kFileAt);
  if (whole != file.size())
    return "malformed artifact: expected a file of " + std::to_string(whole) +
           " bytes, as its header says, but got " +
           std::to_string(file.size()) +
           (file.size() > whole ? "; was something written behind it?"
                                : "; was it cut?");
  if (readNumber(file, Format::kChecksumAt) != computeChecksum(file))
    return "damaged artifact: expected bytes with the checksum in the header, "
           "but got others; compile it again";
  parts.manifest = file.substr(Format::kHeaderBytes, length);
  size_t begin = alignTo(Format::kHeaderBytes + length);
  parts.blobs = begin < file.size() ? file.substr(begin) : std::string_view();
  return "";
}

void tile::sealArtifact(std::string &file) {
  writeNumber(file, Format::kFileAt, file.size());
  writeNumber(file, Format::kChecksumAt, computeChecksum(file));
}

std::string tile::joinArtifact(std::string_view manifest,
                               std::string_view blobs) {
  std::string file(Format::kMagic);
  file.resize(Format::kHeaderBytes, '\0');
  writeNumber(file, Format::kManifestAt, manifest.size());
  file += manifest;
  file.resize(alignTo(file.size()), '\0');
  file += blobs;
  sealArtifact(file);
  return file;
}
