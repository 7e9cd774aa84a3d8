#pragma once

#include <tessera/core/parameters/tuning_parameter.hpp>

#include <array>
#include <string_view>

/// \file
/// A correct algorithm, and fast ones that are wrong, as values of a tuning parameter, so that they
/// are candidates of a search.

namespace tessera::planted {

enum class Way {
  sound,          ///< correct, and slower than all others
  wrong_element,  ///< one element is wrong by a thousandth
  unwritten,      ///< one element is not written
  out_of_bounds,  ///< writes one element too many
  endless,        ///< never returns
  aborts,         ///< aborts on a host; reads an invalid address on a GPU
  remainder       ///< skips the remainder after whole tiles
};

[[nodiscard]] constexpr std::string_view parameter_name(Way way) {
  constexpr std::array<std::string_view, 7> names{
      "sound", "wrong_element", "unwritten", "out_of_bounds", "endless", "aborts", "remainder"};
  return names[static_cast<std::size_t>(way)];
}

struct Parameters {
  Way way = Way::sound;

  static constexpr auto tuning_parameters() {
    return std::tuple{
        TuningParameter{"way", &Parameters::way,
                        std::array{Way::sound, Way::wrong_element, Way::unwritten,
                                   Way::out_of_bounds, Way::endless, Way::aborts, Way::remainder}}};
  }
};

}  // namespace tessera::planted
