#ifndef TESSERA_PHYSICS_MD_LISTED_FORCE_DESCRIBE_LISTED_POTENTIAL_HPP
#define TESSERA_PHYSICS_MD_LISTED_FORCE_DESCRIBE_LISTED_POTENTIAL_HPP

#include "physics/md/listed_force/listed_potential.hpp"
#include "physics/md/listed_force/one_of_potentials.hpp"

#include <cmath>
#include <string>
#include <utility>

/// \file
/// Description of the potential of a listed term from its header.

namespace tessera::md {
namespace detail {

/// Distance or angle for code without precomputed functions, such as the oracle.
struct PlainCoordinate {
  double q;
  [[nodiscard]] double squared() const { return q * q; }
  [[nodiscard]] double inverse_squared() const { return 1 / (q * q); }
  [[nodiscard]] double inverse() const { return 1 / q; }
  [[nodiscard]] double length() const { return q; }
  [[nodiscard]] double cosine() const { return std::cos(q); }
  [[nodiscard]] double sine() const { return std::sin(q); }
  [[nodiscard]] double value() const { return q; }
};

/// Argument of `declare(potential)` in the header, which describes itself by its calls.
class ListedDeclaration {
 public:
  explicit ListedDeclaration(ListedPotentialPart& part) : part_(part) {}

  void is(const char* summary, const char* source) {
    part_.summary = summary;
    part_.source = source;
  }
  /// The returned object is valid until the next call of has().
  FieldDeclaration has(const char* name, const char* meaning) {
    CoefficientField field;
    field.name = name;
    field.meaning = meaning;
    part_.fields.push_back(std::move(field));
    return FieldDeclaration(part_.fields.back());
  }
  /// Declares one of several numbered coefficients, with the number appended to the name.
  FieldDeclaration has_number(const char* name, int number, const char* meaning) {
    FieldDeclaration field = has(name, meaning);
    part_.fields.back().name += std::to_string(number);
    return field;
  }

 private:
  ListedPotentialPart& part_;
};

}  // namespace detail

template <class Potential>
[[nodiscard]] ListedPotentialPart describe_listed_potential(std::string name, int index) {
  ListedPotentialPart part;
  part.name = std::move(name);
  part.width = Potential::traits.width;
  part.pack = [](const double* field, double* packed) { Potential::pack(field, packed); };
  part.evaluate = [](const double* packed, double coordinate) {
    const detail::PlainCoordinate q{coordinate};
    ListedValue value;
    potentials::evaluate_potential<Potential>(q, packed, value.slope, value.energy);
    // A bond gives -dE/dr / r.
    if constexpr (requires(potentials::AtomValues<double, 0> none) {
                    Potential{}.at(q, packed, none, none, value.slope, value.energy);
                  })
      value.slope = coordinate == 0 ? 0 : -coordinate * value.slope;
    return value;
  };
  part.index = index;
  detail::ListedDeclaration declaration(part);
  Potential::declare(declaration);
  return part;
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LISTED_FORCE_DESCRIBE_LISTED_POTENTIAL_HPP
