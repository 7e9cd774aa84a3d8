#pragma once

#include <cstdint>
#include <string>

/// \file
/// Numbers as text that reads back to the same bits.

namespace tessera::md {

/// Appends `value` with 17 significant digits.
void append_number(std::string& text, double value);
void append_number(std::string& text, std::int64_t value);

}  // namespace tessera::md
