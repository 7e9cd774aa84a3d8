#ifndef TESSERA_PHYSICS_PIC_CASE_SPACE_CHARGE_SECTION_HPP
#define TESSERA_PHYSICS_PIC_CASE_SPACE_CHARGE_SECTION_HPP

#include "core/case/section.hpp"
#include "physics/pic/space_charge/space_charge_kick.hpp"

#include <array>
#include <cstdint>
#include <optional>

/// \file
/// The section [space_charge] of a case.

namespace tessera::pic {

/// Options of the space-charge kick. Longitudinal lengths are in the accelerator frame; in the beam
/// frame they are gamma times as long.
struct SpaceChargeSection {
  bool enabled = true;
  std::array<std::int64_t, 3> nodes = {32, 32, 64};
  DomainKind domain = DomainKind::n_sigma;
  double n_sigma = 8;
  double margin = 1;
  std::array<double, 3> offset = {};
  std::optional<std::array<double, 3>> size;
  bool quantised = true;
  std::optional<double> period;
  bool walls = false;
  GreenKind green = GreenKind::integrated;
  std::int64_t shape_order = 1;
  std::int64_t reorder_every = 0;
  bool lose_impossible = false;
  cases::Origin origin = {};

  friend bool operator==(const SpaceChargeSection&, const SpaceChargeSection&) = default;

  static cases::Section<SpaceChargeSection> section();

  /// \param gamma Lorentz factor of the reference particle.
  [[nodiscard]] SpaceChargeOptions options(double gamma) const;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_SPACE_CHARGE_SECTION_HPP
