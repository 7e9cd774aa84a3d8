#ifndef TESSERA_TESTS_UNIT_PHYSICS_PIC_IO_OPENPMD_MISTAKES_HPP
#define TESSERA_TESTS_UNIT_PHYSICS_PIC_IO_OPENPMD_MISTAKES_HPP

#include "physics/pic/io/openpmd_read.hpp"
#include "tests/support/input_errors.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/unit/physics/pic/io/openpmd_records.hpp"

#include <doctest/doctest.h>

#include <span>
#include <string>

/// \file
/// Mistakes in openPMD files, and the expected errors.

namespace tessera::test {

/// One mistake in an otherwise valid file.
struct Mistake {
  void (*make)(StoredFile&);
  std::string field, value, message;
};

/// Checks that each mistake causes an error that names the file, the field and the value.
inline void check_mistakes(std::span<const Mistake> mistakes, const StoredFile& right,
                           const pic::OpenPmdQuery& query) {
  const TemporaryDirectory folder;
  const std::filesystem::path path = folder / "wrong.h5";
  for (const Mistake& mistake : mistakes) {
    const std::string about = mistake.field + ": " + mistake.message;
    INFO(about);
    StoredFile file = right;
    mistake.make(file);
    write_stored(path, file);
    const auto read = [&] { static_cast<void>(pic::read_openpmd(path, query)); };
    check_input_error(read,
                      {.field = mistake.field, .value = mistake.value, .message = mistake.message});
    CHECK(message_of(read).starts_with(path.string() + ": "));
  }
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_UNIT_PHYSICS_PIC_IO_OPENPMD_MISTAKES_HPP
