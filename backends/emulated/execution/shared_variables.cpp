#include "backends/emulated/execution/shared_variables.hpp"

#include "core/base/error.hpp"

#include <cstddef>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <link.h>
#include <string>
#include <vector>

namespace tessera::emulated {
namespace {

constexpr const char* program = "/proc/self/exe";
constexpr const char* section = ".tessera.shared";

/// Aligns the section, and makes sure that there is one.
__attribute__((section(".tessera.shared"), used, aligned(page_bytes))) std::uint64_t beginning[1];

template <class T>
std::vector<T> read(std::ifstream& file, std::size_t at, std::size_t count) {
  std::vector<T> items(count);
  file.seekg(static_cast<std::streamoff>(at));
  file.read(reinterpret_cast<char*>(items.data()), static_cast<std::streamsize>(count * sizeof(T)));
  return items;
}

/// Difference between the addresses of the program in memory and in its file.
std::uintptr_t offset_of_program() {
  std::uintptr_t offset = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* found) {
        *static_cast<std::uintptr_t*>(found) = info->dlpi_addr;
        return 1;  // the first is the program
      },
      &offset);
  return offset;
}

std::span<volatile std::uint64_t> find_section() {
  std::ifstream file(program, std::ios::binary);
  const auto header = read<Elf64_Ehdr>(file, 0, 1).front();
  const auto sections = read<Elf64_Shdr>(file, header.e_shoff, header.e_shnum);
  if (!file || header.e_shstrndx >= sections.size())
    throw InputError({program, 0, "section headers", ""}, "expected those of an ELF file");
  const Elf64_Shdr& strings = sections[header.e_shstrndx];
  const auto names = read<char>(file, strings.sh_offset, strings.sh_size);
  for (const Elf64_Shdr& candidate : sections)
    if (candidate.sh_name < names.size() && std::strcmp(&names[candidate.sh_name], section) == 0)
      return {reinterpret_cast<volatile std::uint64_t*>(offset_of_program() + candidate.sh_addr),
              (candidate.sh_size + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t)};
  throw InputError({program, 0, section, ""}, "expected a section of this name");
}

}  // namespace

std::span<volatile std::uint64_t> shared_variables() {
  static const std::span<volatile std::uint64_t> found = find_section();
  return found;
}

}  // namespace tessera::emulated
