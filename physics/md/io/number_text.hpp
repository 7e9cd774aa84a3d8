#ifndef TESSERA_PHYSICS_MD_IO_NUMBER_TEXT_HPP
#define TESSERA_PHYSICS_MD_IO_NUMBER_TEXT_HPP

#include <cstdint>
#include <string>

/// \file
/// Numbers as text that reads back to the same bits.

namespace tessera::md {

/// Appends `value` with 17 significant digits.
void append_number(std::string& text, double value);
void append_number(std::string& text, std::int64_t value);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_NUMBER_TEXT_HPP
