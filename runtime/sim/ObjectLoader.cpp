// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads an x86-64 ELF relocatable object: copy, relocate, protect.
#include "ObjectLoader.h"

#include "../lib/Error.h"

#include <cstring>
#include <elf.h>
#include <sys/mman.h>
#include <vector>

using namespace tile::rt;

static constexpr size_t pageBytes = 4096;
static constexpr size_t maxImageBytes = size_t(1) << 30;

LoadedObject::~LoadedObject() {
  if (memory)
    munmap(memory, bytes);
}

void *LoadedObject::find(const std::string &symbol) const {
  auto it = functions.find(symbol);
  return it == functions.end() ? nullptr : it->second;
}

namespace tile::rt {
/// One load. Every read of the object goes through at(), which checks it.
class ObjectReader {
public:
  ObjectReader(std::string_view object, LoadedObject &result)
      : object(object), result(result) {}

  std::string run();

private:
  enum Group { Code, ReadOnly, Writable, NumGroups };
  struct Section {
    Elf64_Shdr header;
    std::string_view name;
    bool loaded = false;
    Group group = Code;
    size_t offset = 0;
  };

  /// Copies a T out of the object; false when it does not lie inside.
  template <typename T>
  bool at(uint64_t offset, T &value) const {
    if (offset > object.size() || sizeof(T) > object.size() - offset)
      return false;
    std::memcpy(&value, object.data() + offset, sizeof(T));
    return true;
  }
  /// The NUL-terminated string at `offset` of string table `section`.
  bool stringAt(const Section &section, uint64_t offset,
                std::string_view &text) const;

  std::string readSections();
  std::string place();
  std::string resolveSymbols();
  std::string relocate(const Section &section);
  std::string apply(const Section &target, const Elf64_Rela &relocation);
  std::string protect();

  std::string_view object;
  LoadedObject &result;
  std::vector<Section> sections;
  size_t groupEnd[NumGroups] = {};
  struct Symbol {
    uint64_t address;
    std::string_view name;
    bool defined;
  };
  std::vector<Symbol> symbols;
};
} // namespace tile::rt

static std::string malformed(const std::string &what) {
  return "malformed simulator object: " + what;
}

bool ObjectReader::stringAt(const Section &section, uint64_t offset,
                            std::string_view &text) const {
  const Elf64_Shdr &header = section.header;
  if (header.sh_type != SHT_STRTAB || header.sh_offset > object.size() ||
      header.sh_size > object.size() - header.sh_offset ||
      offset >= header.sh_size)
    return false;
  std::string_view table = object.substr(header.sh_offset, header.sh_size);
  size_t end = table.find('\0', offset);
  if (end == std::string_view::npos)
    return false;
  text = table.substr(offset, end - offset);
  return true;
}

std::string ObjectReader::readSections() {
  Elf64_Ehdr header;
  if (!at(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB)
    return malformed("expected a 64-bit little-endian ELF file");
  if (header.e_type != ET_REL || header.e_machine != EM_X86_64)
    return malformed(
        format("expected a relocatable x86-64 object, but got type "
               "%u for machine %u",
               header.e_type, header.e_machine));
  if (header.e_shentsize != sizeof(Elf64_Shdr))
    return malformed("its section headers have a foreign size");
  for (unsigned i = 0; i < header.e_shnum; ++i)
    if (!at(header.e_shoff + i * sizeof(Elf64_Shdr),
            sections.emplace_back().header))
      return malformed("its section headers lie outside of the file");
  if (header.e_shstrndx >= sections.size())
    return malformed("it has no section names");
  for (Section &section : sections)
    if (section.header.sh_type != SHT_NULL &&
        !stringAt(sections[header.e_shstrndx], section.header.sh_name,
                  section.name))
      return malformed("a section name lies outside of the file");
  return "";
}

/// Gives every section that is loaded a place, grouped by protection, and
/// copies it there.
std::string ObjectReader::place() {
  size_t cursor = 0;
  for (int group = 0; group < NumGroups; ++group) {
    for (Section &section : sections) {
      const Elf64_Shdr &header = section.header;
      // Nothing unwinds through kernel code.
      if (!(header.sh_flags & SHF_ALLOC) ||
          header.sh_type == SHT_X86_64_UNWIND || section.name == ".eh_frame" ||
          header.sh_type == SHT_NOTE)
        continue;
      if (header.sh_flags & SHF_TLS)
        return malformed("it has thread-local data");
      Group own = header.sh_flags & SHF_EXECINSTR ? Code
                  : header.sh_flags & SHF_WRITE   ? Writable
                                                  : ReadOnly;
      if (own != group)
        continue;
      uint64_t alignment = header.sh_addralign ? header.sh_addralign : 1;
      if (alignment > pageBytes || (alignment & (alignment - 1)))
        return malformed("a section has a foreign alignment");
      bool hasBytes = header.sh_type != SHT_NOBITS;
      if (header.sh_size > maxImageBytes ||
          (hasBytes && (header.sh_offset > object.size() ||
                        header.sh_size > object.size() - header.sh_offset)))
        return malformed("a section lies outside of the file");
      cursor = (cursor + alignment - 1) & ~(alignment - 1);
      section.loaded = true;
      section.group = own;
      section.offset = cursor;
      cursor += header.sh_size;
      if (cursor > maxImageBytes)
        return malformed("it is larger than 1 GiB");
    }
    cursor = (cursor + pageBytes - 1) & ~(pageBytes - 1);
    groupEnd[group] = cursor;
  }
  if (cursor == 0)
    return malformed("it has no code");
  void *memory = mmap(nullptr, cursor, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return format("no memory for %zu bytes of simulator code", cursor);
  result.memory = static_cast<uint8_t *>(memory);
  result.bytes = cursor;
  for (Section &section : sections)
    if (section.loaded && section.header.sh_type != SHT_NOBITS)
      std::memcpy(result.memory + section.offset,
                  object.data() + section.header.sh_offset,
                  section.header.sh_size);
  return "";
}

std::string ObjectReader::resolveSymbols() {
  size_t importCount;
  const SimImport *imports = simImports(importCount);
  std::unordered_map<std::string_view, void *> importMap;
  for (size_t i = 0; i < importCount; ++i)
    importMap.emplace(imports[i].name, imports[i].address);

  for (const Section &table : sections) {
    if (table.header.sh_type != SHT_SYMTAB)
      continue;
    if (!symbols.empty())
      return malformed("it has two symbol tables");
    if (table.header.sh_link >= sections.size())
      return malformed("its symbols have no names");
    uint64_t count = table.header.sh_size / sizeof(Elf64_Sym);
    for (uint64_t i = 0; i < count; ++i) {
      Elf64_Sym entry;
      if (!at(table.header.sh_offset + i * sizeof(Elf64_Sym), entry))
        return malformed("a symbol lies outside of the file");
      Symbol &symbol = symbols.emplace_back(Symbol{0, "", false});
      if (!stringAt(sections[table.header.sh_link], entry.st_name, symbol.name))
        return malformed("a symbol name lies outside of the file");
      unsigned type = ELF64_ST_TYPE(entry.st_info);
      if (entry.st_shndx == SHN_UNDEF) {
        auto it = importMap.find(symbol.name);
        if (it != importMap.end()) {
          symbol.address = reinterpret_cast<uint64_t>(it->second);
          symbol.defined = true;
        }
        continue;
      }
      if (entry.st_shndx >= sections.size())
        continue; // Absolute and file symbols; a use of one is an error below.
      const Section &section = sections[entry.st_shndx];
      if (!section.loaded)
        continue;
      if (entry.st_value > section.header.sh_size)
        return malformed("a symbol lies outside of its section");
      uint8_t *address = result.memory + section.offset + entry.st_value;
      symbol.address = reinterpret_cast<uint64_t>(address);
      symbol.defined = true;
      if (type == STT_FUNC && section.group == Code &&
          ELF64_ST_BIND(entry.st_info) == STB_GLOBAL)
        result.functions.emplace(symbol.name, address);
    }
  }
  return "";
}

std::string ObjectReader::apply(const Section &target,
                                const Elf64_Rela &relocation) {
  uint64_t index = ELF64_R_SYM(relocation.r_info);
  if (index >= symbols.size())
    return malformed("a relocation names no symbol");
  const Symbol &symbol = symbols[index];
  if (!symbol.defined)
    return symbol.name.empty()
               ? malformed("a relocation names a section that is not loaded")
               : format("simulator code calls '%.*s', which the simulator does "
                        "not provide",
                        static_cast<int>(
                            std::min<size_t>(symbol.name.size(), 100)),
                        symbol.name.data());
  unsigned type = ELF64_R_TYPE(relocation.r_info);
  size_t width = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
  if (relocation.r_offset > target.header.sh_size ||
      width > target.header.sh_size - relocation.r_offset)
    return malformed("a relocation lies outside of its section");
  uint8_t *place = result.memory + target.offset + relocation.r_offset;
  uint64_t value = symbol.address + static_cast<uint64_t>(relocation.r_addend);
  switch (type) {
  case R_X86_64_64:
    break;
  case R_X86_64_PC32:
  case R_X86_64_PLT32:
  case R_X86_64_PC64:
    value -= reinterpret_cast<uint64_t>(place);
    break;
  default:
    return format("simulator code has a relocation of type %u; compile it with "
                  "the large code model and static relocation",
                  type);
  }
  if (width == 4 && static_cast<int64_t>(value) != static_cast<int32_t>(value))
    return "a relocation of simulator code is out of range; compile it with "
           "the "
           "large code model";
  std::memcpy(place, &value, width);
  return "";
}

std::string ObjectReader::relocate(const Section &section) {
  const Elf64_Shdr &header = section.header;
  if (header.sh_type == SHT_REL)
    return malformed("it has relocations without addends");
  if (header.sh_type != SHT_RELA)
    return "";
  if (header.sh_info >= sections.size())
    return malformed("its relocations belong to no section");
  const Section &target = sections[header.sh_info];
  if (!target.loaded)
    return "";
  if (target.header.sh_type == SHT_NOBITS)
    return malformed("it relocates a section without bytes");
  for (uint64_t i = 0; i < header.sh_size / sizeof(Elf64_Rela); ++i) {
    Elf64_Rela relocation;
    if (!at(header.sh_offset + i * sizeof(Elf64_Rela), relocation))
      return malformed("a relocation lies outside of the file");
    std::string reason = apply(target, relocation);
    if (!reason.empty())
      return reason;
  }
  return "";
}

std::string ObjectReader::protect() {
  static constexpr int protections[] = {PROT_READ | PROT_EXEC, PROT_READ,
                                        PROT_READ | PROT_WRITE};
  size_t begin = 0;
  for (int group = 0; group < NumGroups; ++group) {
    size_t end = groupEnd[group];
    if (end > begin &&
        mprotect(result.memory + begin, end - begin, protections[group]))
      return "the system does not allow simulator code to be made executable";
    begin = end;
  }
  return "";
}

std::string ObjectReader::run() {
  std::string reason = readSections();
  if (reason.empty())
    reason = place();
  if (reason.empty())
    reason = resolveSymbols();
  for (size_t i = 0; i < sections.size() && reason.empty(); ++i)
    reason = relocate(sections[i]);
  return reason.empty() ? protect() : reason;
}

std::string LoadedObject::load(std::string_view object) {
  return ObjectReader(object, *this).run();
}
