#ifndef TESSERA_PHYSICS_MD_CASE_PAIR_STYLES_HPP
#define TESSERA_PHYSICS_MD_CASE_PAIR_STYLES_HPP

#include "core/case/range.hpp"
#include "physics/md/pair_potential/coefficient_field.hpp"

#include <optional>
#include <string>
#include <vector>

/// \file
/// The styles of [pair] and the keys of each: from the pair potentials registered in this process
/// (md/pair_potential/pair_potential.hpp) and their sums.

namespace tessera::md {

/// A number or flag of a style.
struct StyleField {
  std::string name;
  std::string unit = {};
  cases::Range range = {};
  std::optional<double> otherwise = {};  ///< default; without one the field is required
  std::string fallback = {};             ///< default shown for a field that may be absent
  bool flag = false;
  std::string meaning = {};
  /// Name of another field: if that one is not zero, this one must not be zero either.
  std::string positive_with = {};
  std::string below = {};  ///< name of another field, which must be greater than this one
};

struct PairStyle {
  std::string name;
  std::vector<StyleField> settings;      ///< keys of [pair]
  std::vector<StyleField> coefficients;  ///< keys of [[pair.coefficients]]
  bool tabulated = false;                ///< pairs name a table in a file
};

/// Range of the values of a coefficient in a case; a cutoff is positive.
[[nodiscard]] cases::Range range_of(const CoefficientField& field);

/// Style of a pair potential or of a sum of two, at the time of the call: a plugin may have added a
/// potential.
/// \throws SelectionError, ArgumentError as PairPotentials::find
[[nodiscard]] PairStyle pair_style(const std::string& name);

/// Styles that the documentation shows: every pair potential, and one sum, which has the keys of
/// both parts.
[[nodiscard]] std::vector<PairStyle> documented_pair_styles();

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_PAIR_STYLES_HPP
