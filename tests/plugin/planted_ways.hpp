#pragma once

#include <tessera/core/parameters/knobs.hpp>

#include <array>
#include <string_view>

/// \file
/// Ways to be wrong and fast, as values of a knob, so that a tuner meets them as candidates.

namespace tessera::planted {

enum class Way {
  sound,          ///< and slower than all others
  wrong_element,  ///< by a thousandth in one element
  unwritten,      ///< one element is
  out_of_bounds,  ///< writes one element too many
  endless,
  aborts,    ///< on a host; reads an address that is none on a GPU
  remainder  ///< what is left over from whole tiles is left out
};

[[nodiscard]] constexpr std::string_view knob_name(Way way) {
  constexpr std::array<std::string_view, 7> names{
      "sound", "wrong_element", "unwritten", "out_of_bounds", "endless", "aborts", "remainder"};
  return names[static_cast<std::size_t>(way)];
}

struct Policy {
  Way way = Way::sound;

  static constexpr auto knobs() {
    return std::tuple{
        Knob{"way", &Policy::way,
             std::array{Way::sound, Way::wrong_element, Way::unwritten, Way::out_of_bounds,
                        Way::endless, Way::aborts, Way::remainder}}};
  }
};

}  // namespace tessera::planted
