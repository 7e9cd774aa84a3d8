#ifndef TESSERA_PHYSICS_MD_PAIR_FORM_SWITCH_FORM_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORM_SWITCH_FORM_HPP

#include "core/base/device_code.hpp"
#include "physics/md/pair_form/form_functions.hpp"
#include "physics/md/pair_form/pair_form.hpp"
#include "physics/md/pair_form/sum_form.hpp"

/// \file
/// Every form of a list, and every sum of two, in one row: which one is decided at run time.

namespace tessera::md::forms {

/// The `index`-th form of the list.
template <class... Forms>
struct OneOf {
  static constexpr int width = 0;
  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(int, const Distance&, const Coefficients&, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    force_over_r = energy = Real(0);
  }
};

template <class First, class... Rest>
struct OneOf<First, Rest...> {
  static constexpr int width =
      First::width > OneOf<Rest...>::width ? First::width : OneOf<Rest...>::width;

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(int index, const Distance& r, const Coefficients& c, const Atom& i,
                         const Atom& j, Real& force_over_r, Real& energy) const {
    if (index == 0)
      First{}.at(r, c, i, j, force_over_r, energy);
    else
      OneOf<Rest...>{}.at(index - 1, r, c, i, j, force_over_r, energy);
  }
};

/// Built-in forms by PairFormPart::index.
template <class... Forms>
struct Switch {
  static constexpr bool reads_charge = true;  // loaded only where the chosen form reads them
  static constexpr bool reads_samples = (HasSamples<Forms>::value || ...);
  static constexpr int width = 2 + 2 * OneOf<Forms...>::width;

  int first = 0;        ///< index of the first part
  int second = -1;      ///< of the second, -1: none
  int first_width = 0;  ///< numbers of the first part

  Switch() = default;
  explicit Switch(const PairForm& form)
      : first(form.parts()[0].index), first_width(form.parts()[0].width) {
    if (form.parts().size() > 1) second = form.parts()[1].index;
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom& i, const Atom& j,
                         Real& force_over_r, Real& energy) const {
    using From = CoefficientsFrom<Coefficients>;
    const OneOf<Forms...> forms;
    if (second < 0) {
      forms.at(first, r, From{c, 0}, i, j, force_over_r, energy);
      return;
    }
    Real force_a, energy_a, force_b, energy_b;
    forms.at(first, r, From{c, 1}, i, j, force_a, energy_a);
    forms.at(second, r, From{c, 2 + first_width}, i, j, force_b, energy_b);
    const auto inside_a = r.squared() < c[0];
    const auto inside_b = r.squared() < c[1 + first_width];
    force_over_r = where(inside_a, force_a) + where(inside_b, force_b);
    energy = where(inside_a, energy_a) + where(inside_b, energy_b);
  }
};

}  // namespace tessera::md::forms

#endif  // TESSERA_PHYSICS_MD_PAIR_FORM_SWITCH_FORM_HPP
