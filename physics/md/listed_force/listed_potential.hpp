#ifndef TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_POTENTIAL_HPP
#define TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_POTENTIAL_HPP

#include "core/memory/view.hpp"
#include "physics/md/pair_potential/coefficient_field.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// \file
/// Potentials of listed terms, known by class and name. Each is one header in
/// md/bond_potentials/, angle_potentials/, dihedral_potentials/ or improper_potentials/, written in
/// the restricted C++ of pair potentials (md/potentials/README.md).

namespace tessera::md {

/// A class of listed terms, which have the same number of atoms and the same coordinate.
struct ListedClass {
  const char* name;
  int atoms;
  const char* coefficients;  ///< name of the coefficients in a call
};
inline constexpr int listed_classes = 4;
inline constexpr std::array<ListedClass, listed_classes> listed_class{
    {{"bond", 2, "bond_coefficients"},
     {"angle", 3, "angle_coefficients"},
     {"dihedral", 4, "dihedral_coefficients"},
     {"improper", 4, "improper_coefficients"}}};
inline constexpr int bond_class = 0;
inline constexpr int angle_class = 1;
inline constexpr int dihedral_class = 2;
inline constexpr int improper_class = 3;

/// Value of a potential at one value of its coordinate.
struct ListedValue {
  double slope = 0;  ///< derivative of the energy by the coordinate
  double energy = 0;
};

/// One potential, with the coefficients that a type of terms has.
struct ListedPotentialPart {
  std::string name;     ///< name of its header: cosine_squared.hpp is "cosine/squared"
  std::string summary;  ///< description in a few words
  std::string source;   ///< public source of the formula
  std::vector<CoefficientField> fields;
  int width = 0;  ///< length of the packed coefficients that kernels store for a type
  /// Computes the packed coefficients from the fields, in any consistent units.
  std::function<void(const double* field, double* packed)> pack;
  /// \param coordinate a distance, or an angle in radians.
  std::function<ListedValue(const double* packed, double coordinate)> evaluate;
  int index = 0;  ///< among the potentials of its class in this build
};

/// The potential of the terms of a class, or the potentials, if types of terms have different ones:
/// "a+b". The first field of a type is then "style", the index of its potential among those named,
/// and the fields of all of them follow, one after the other; a name that an earlier one has gets
/// the name of its potential as a prefix, as in "morse_r0". A type reads the fields of its own
/// potential alone.
struct ListedPotential {
  int of_class = 0;  ///< index into listed_class
  std::string name;
  std::vector<std::string> fields;
  std::vector<ListedPotentialPart> parts;

  /// The part of a type, its fields and its packed coefficients.
  struct OfType {
    const ListedPotentialPart* part;
    std::vector<double> fields, packed;
    [[nodiscard]] ListedValue at(double coordinate) const {
      return part->evaluate(packed.data(), coordinate);
    }
  };
  /// \param coefficients types x fields.
  /// \throws ArgumentError if the style of the type is none of the parts.
  [[nodiscard]] OfType of_type(View<const double, 2> coefficients, std::int64_t type) const;
  /// Coefficients of a type whose potential is parts[part], from the values of its fields.
  [[nodiscard]] std::vector<double> coefficients(std::size_t part,
                                                 const std::vector<double>& values) const;
};

/// The potentials of this build for a class of terms.
[[nodiscard]] const std::vector<ListedPotentialPart>& listed_potentials(int of_class);
/// \param name of a potential, or "a+b"; empty: there are no such terms, and no fields.
/// \throws SelectionError that suggests the most similar name; ArgumentError for a name twice.
[[nodiscard]] ListedPotential listed_potential(int of_class, const std::string& name);

/// The potentials of this build, by class. Generated at configure time.
[[nodiscard]] std::array<std::vector<ListedPotentialPart>, listed_classes>
built_in_listed_potentials();

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_POTENTIAL_HPP
