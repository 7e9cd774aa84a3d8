#include "core/base/elf_notes.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tessera {
namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using NoteHeader = ElfW(Nhdr);

/// Limit on the size of the notes, so that a malformed library cannot make the reader allocate
/// more. Valid libraries stay far below it.
constexpr std::uint64_t most_bytes = 32 << 20;

class Reader {
 public:
  Reader(int descriptor, const std::string& path) : descriptor_(descriptor), path_(path) {
    struct stat status {};
    if (fstat(descriptor, &status) != 0) refuse("cannot be read");
    size_ = static_cast<std::uint64_t>(status.st_size);
  }

  std::vector<ElfNote> notes() {
    std::vector<ElfNote> found;
    for (const Segment& segment : segments()) {
      if (segment.p_type != PT_NOTE) continue;
      budget_ -= segment.p_filesz <= budget_ ? segment.p_filesz : refuse("has too many notes");
      std::string bytes(segment.p_filesz, '\0');
      read(segment.p_offset, bytes.data(), bytes.size());
      append(bytes, segment.p_align == 8 ? 8 : 4, found);
    }
    return found;
  }

 private:
  [[noreturn]] std::uint64_t refuse(const char* what) const {
    throw InputError({path_, 0, "plugin", {}},
                     std::string(what) + ", expected a shared library for this processor");
  }

  void read(std::uint64_t offset, void* target, std::uint64_t bytes) const {
    if (offset > size_ || bytes > size_ - offset) refuse("ends too early");
    auto* to = static_cast<char*>(target);
    while (bytes > 0) {
      const ssize_t got = pread(descriptor_, to, bytes, static_cast<off_t>(offset));
      if (got <= 0) refuse("cannot be read");
      to += got;
      offset += static_cast<std::uint64_t>(got);
      bytes -= static_cast<std::uint64_t>(got);
    }
  }

  std::vector<Segment> segments() const {
    Header header{};
    if (size_ < sizeof header) refuse("is not a library");
    read(0, &header, sizeof header);
    constexpr unsigned char bits = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
    constexpr unsigned char order =
        std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) refuse("is not a library");
    if (header.e_ident[EI_CLASS] != bits || header.e_ident[EI_DATA] != order)
      refuse("is for another processor");
    if (header.e_type != ET_DYN) refuse("is not a shared library");
    if (header.e_phnum > 0 && header.e_phentsize != sizeof(Segment)) refuse("is malformed");
    std::vector<Segment> all(header.e_phnum);
    read(header.e_phoff, all.data(), all.size() * sizeof(Segment));
    return all;
  }

  /// Owner and text of a note are padded to the alignment of the segment.
  void append(const std::string& bytes, std::uint64_t alignment,
              std::vector<ElfNote>& found) const {
    const auto padded = [&](std::uint64_t size) {
      return (size + alignment - 1) / alignment * alignment;
    };
    std::uint64_t at = 0;
    const auto take = [&](std::uint64_t size) {
      if (size > bytes.size() - at) refuse("has a malformed note");
      const std::string part = bytes.substr(at, size);
      at = std::min<std::uint64_t>(at + padded(size), bytes.size());
      return part;
    };
    while (bytes.size() - at >= sizeof(NoteHeader)) {
      NoteHeader header{};
      std::memcpy(&header, bytes.data() + at, sizeof header);
      at += sizeof header;
      ElfNote note;
      note.type = header.n_type;
      note.owner = take(header.n_namesz);
      if (!note.owner.empty() && note.owner.back() == '\0') note.owner.pop_back();
      note.text = take(header.n_descsz);
      found.push_back(std::move(note));
    }
  }

  int descriptor_;
  const std::string& path_;
  std::uint64_t size_ = 0;
  std::uint64_t budget_ = most_bytes;
};

}  // namespace

std::vector<ElfNote> read_elf_notes(int descriptor, const std::string& path) {
  return Reader(descriptor, path).notes();
}

}  // namespace tessera
