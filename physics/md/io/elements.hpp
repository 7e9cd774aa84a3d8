#ifndef TESSERA_PHYSICS_MD_IO_ELEMENTS_HPP
#define TESSERA_PHYSICS_MD_IO_ELEMENTS_HPP

#include <optional>
#include <string_view>

/// \file
/// Chemical elements by their symbols.

namespace tessera::md {

inline constexpr int element_count = 118;

[[nodiscard]] bool is_element(std::string_view symbol);

/// \param atomic_number from 1 to `element_count`
[[nodiscard]] std::string_view element_symbol(int atomic_number);

/// Standard atomic weight in g/mol; empty for elements without one and for other names.
[[nodiscard]] std::optional<double> element_mass(std::string_view symbol);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_ELEMENTS_HPP
