#ifndef TESSERA_PHYSICS_MD_LISTED_FORCE_DESCRIBE_LISTED_POTENTIAL_HPP
#define TESSERA_PHYSICS_MD_LISTED_FORCE_DESCRIBE_LISTED_POTENTIAL_HPP

#include "physics/md/listed_force/listed_potential.hpp"
#include "physics/md/listed_force/one_of_potentials.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <cmath>
#include <string>
#include <utility>

/// \file
/// Description of the potential of a listed term from its header.

namespace tessera::md {
namespace detail {

/// Distance or angle for code without precomputed functions, such as the oracle.
struct PlainCoordinate : PlainDistance {
  [[nodiscard]] double cosine() const { return std::cos(r); }
  [[nodiscard]] double sine() const { return std::sin(r); }
  [[nodiscard]] double value() const { return r; }
};

}  // namespace detail

template <class Potential>
[[nodiscard]] ListedPotentialPart describe_listed_potential(std::string name, int index) {
  ListedPotentialPart part;
  part.name = std::move(name);
  part.width = Potential::traits.width;
  part.pack = [](const double* field, double* packed) { Potential::pack(field, packed); };
  part.evaluate = [](const double* packed, double coordinate) {
    const detail::PlainCoordinate q{{coordinate}};
    ListedValue value;
    potentials::evaluate_potential<Potential>(q, packed, value.slope, value.energy);
    if constexpr (potentials::IsCentral<Potential, double, detail::PlainCoordinate, const double*>)
      value.slope = coordinate == 0 ? 0 : -coordinate * value.slope;
    return value;
  };
  part.index = index;
  CoefficientDeclaration<ListedPotentialPart> declaration(part);
  Potential::declare(declaration);
  return part;
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LISTED_FORCE_DESCRIBE_LISTED_POTENTIAL_HPP
