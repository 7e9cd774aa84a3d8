#include "core/base/elf_notes.hpp"
#include "core/base/error.hpp"
#include "core/base/random.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <elf.h>
#include <link.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

/// \file
/// The reader of the plugin note in shared libraries, which must handle any file.

namespace tessera {
namespace {

template <class T>
void put(std::string& bytes, std::size_t at, const T& value) {
  if (bytes.size() < at + sizeof value) bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

constexpr std::size_t segment_at = sizeof(ElfW(Ehdr));
constexpr std::size_t notes_at = segment_at + 2 * sizeof(ElfW(Phdr));

/// Bytes of a minimal shared library that has two notes.
std::string library() {
  std::string bytes;
  ElfW(Ehdr) header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = ET_DYN;
  header.e_phoff = segment_at;
  header.e_phentsize = sizeof(ElfW(Phdr));
  header.e_phnum = 2;
  put(bytes, 0, header);
  std::string notes;
  for (const std::string text : {"one", "twelve words"}) {
    const std::string owner("Tessera\0", 8);
    put(notes, notes.size(), ElfW(Nhdr){8, static_cast<unsigned>(text.size()), 7});
    notes += owner + text;
    notes.resize((notes.size() + 3) / 4 * 4);
  }
  ElfW(Phdr) segment{};
  segment.p_type = PT_LOAD;
  put(bytes, segment_at, segment);
  segment.p_type = PT_NOTE;
  segment.p_offset = notes_at;
  segment.p_filesz = notes.size();
  segment.p_align = 4;
  put(bytes, segment_at + sizeof segment, segment);
  return bytes + notes;
}

/// An anonymous file in memory.
class File {
 public:
  File() : descriptor_(memfd_create("plugin", MFD_CLOEXEC)) { REQUIRE(descriptor_ >= 0); }
  ~File() { close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] std::vector<ElfNote> notes(const std::string& bytes) const {
    REQUIRE(ftruncate(descriptor_, 0) == 0);
    REQUIRE(pwrite(descriptor_, bytes.data(), bytes.size(), 0) ==
            static_cast<ssize_t>(bytes.size()));
    return read_elf_notes(descriptor_, "x.so");
  }
  /// Whether the notes can be read; anything but an InputError about the file is a failure.
  [[nodiscard]] bool readable(const std::string& bytes) const {
    try {
      (void)notes(bytes);
      return true;
    } catch (const InputError& error) {
      const std::string words = error.what();
      CHECK(words.find("x.so: plugin: ") == 0);
      CHECK(words.find("expected a shared library for this processor") != std::string::npos);
      return false;
    }
  }

 private:
  int descriptor_;
};

TEST_CASE("the notes of a library are read from the file") {
  const File file;
  const std::vector<ElfNote> notes = file.notes(library());
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].owner == "Tessera");
  CHECK(notes[0].type == 7);
  CHECK(notes[0].text == "one");
  CHECK(notes[1].text == "twelve words");
}

TEST_CASE("a library that ends too early is refused") {
  const File file;
  const std::string whole = library();
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_FALSE(file.readable(whole.substr(0, size)));
}

TEST_CASE("numbers in a library that make no sense are refused") {
  const File file;
  const auto with = [](std::size_t at, auto value) {
    std::string bytes = library();
    put(bytes, at, value);
    return bytes;
  };
  using Segment = ElfW(Phdr);
  const std::size_t segment = segment_at + sizeof(Segment);
  for (const std::uint64_t huge : {std::uint64_t{1} << 20, std::uint64_t{1} << 26,
                                   std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
    CHECK_FALSE(file.readable(with(segment + offsetof(Segment, p_offset), huge)));
    CHECK_FALSE(file.readable(with(segment + offsetof(Segment, p_filesz), huge)));
    CHECK_FALSE(file.readable(with(offsetof(ElfW(Ehdr), e_phoff), huge)));
    CHECK_FALSE(file.readable(with(notes_at, static_cast<std::uint32_t>(huge - 1))));
    CHECK_FALSE(file.readable(with(notes_at + 4, static_cast<std::uint32_t>(huge - 1))));
  }
  CHECK_FALSE(file.readable(with(offsetof(ElfW(Ehdr), e_phnum), std::uint16_t{0xffff})));
  CHECK_FALSE(file.readable(with(offsetof(ElfW(Ehdr), e_phentsize), std::uint16_t{1})));
  CHECK_FALSE(file.readable(with(offsetof(ElfW(Ehdr), e_type), std::uint16_t{ET_EXEC})));
  CHECK_FALSE(file.readable(with(EI_CLASS, char{0})));
  CHECK_FALSE(file.readable(with(EI_DATA, char{ELFDATA2MSB})));
  CHECK_FALSE(file.readable("a text"));
}

TEST_CASE("bytes at random never do more than refuse a library") {
  const File file;
  RandomSequence random(20261122);
  const std::string whole = library();
  int refused = 0;
  constexpr int tries = 20000;
  for (int t = 0; t < tries; ++t) {
    std::string bytes = whole;
    const int changes = 1 + static_cast<int>(random() % 4);
    for (int c = 0; c < changes; ++c)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    if (t % 5 == 0) bytes.resize(random() % (bytes.size() + 1));
    refused += file.readable(bytes) ? 0 : 1;
  }
  CHECK(refused > 0);
  CHECK(refused < tries);
}

}  // namespace
}  // namespace tessera
