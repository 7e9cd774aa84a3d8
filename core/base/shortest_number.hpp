#ifndef TESSERA_CORE_BASE_SHORTEST_NUMBER_HPP
#define TESSERA_CORE_BASE_SHORTEST_NUMBER_HPP

#include <string>

namespace tessera {

/// The shortest text that reads back to the same bits.
[[nodiscard]] std::string shortest_number(double value);

/// Text with seven significant digits, for messages.
[[nodiscard]] std::string rounded_number(double value);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_SHORTEST_NUMBER_HPP
