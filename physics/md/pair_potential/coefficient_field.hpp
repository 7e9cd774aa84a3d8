#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_COEFFICIENT_FIELD_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_COEFFICIENT_FIELD_HPP

#include <functional>
#include <optional>
#include <string>
#include <utility>

/// \file
/// Description of a coefficient of a pair potential, which case files, mixing, listings and kernels
/// read.

namespace tessera::md {

struct CoefficientField {
  enum class Range { any, not_negative, positive };
  enum class Scope {
    pair,   ///< one value for each pair of types
    style,  ///< one value for all pairs
    units   ///< a constant of the unit system, of the same name as the field
  };
  /// Rule by which the value for two unlike types follows from the values of like types
  /// (md/mixing/mixing.hpp).
  enum class Mixing { none, epsilon, sigma, length };

  std::string name;
  std::string meaning;
  int energy = 0;  ///< exponents of energy, length and charge in the unit of the coefficient
  int length = 0;
  int charge = 0;
  bool is_angle = false;  ///< in degrees
  Range range = Range::any;
  Scope scope = Scope::pair;
  Mixing mixing = Mixing::none;
  bool is_cutoff = false;
  bool is_flag = false;  ///< 0 or 1
  /// Whether it is an element of a table, which a file or arrays set, and not a value set by name.
  bool of_table = false;
  bool for_all = false;  ///< a style may give one value for all pairs without a value of their own
  std::optional<double> default_value;
  std::string
      required_by;    ///< name of a field; where that field is not zero, this one must be positive
  std::string below;  ///< name of a field; this one must be less, unless that field is zero
};

/// Text of the unit, for instance "energy length / charge^2"; empty for a pure number.
[[nodiscard]] std::string unit_text(const CoefficientField& field);

/// Reason why `value` is out of the field's range; nullopt if it is in range.
[[nodiscard]] std::optional<std::string> out_of_range(const CoefficientField& field, double value);

/// Reason why `value` contradicts the other coefficients of the same pair of types; nullopt if it
/// does not.
[[nodiscard]] std::optional<std::string> contradicts(
    const CoefficientField& field, double value,
    const std::function<double(const std::string& name)>& other);

/// Declares a coefficient in `declare` of a pair potential: one chain of calls for each
/// coefficient.
class FieldDeclaration {
 public:
  explicit FieldDeclaration(CoefficientField& field) : field_(field) {}

  FieldDeclaration& energy(int exponent) { return field_.energy = exponent, *this; }
  FieldDeclaration& length(int exponent) { return field_.length = exponent, *this; }
  FieldDeclaration& charge(int exponent) { return field_.charge = exponent, *this; }
  FieldDeclaration& degrees() { return field_.is_angle = true, *this; }
  FieldDeclaration& not_negative() {
    return field_.range = CoefficientField::Range::not_negative, *this;
  }
  FieldDeclaration& positive() { return field_.range = CoefficientField::Range::positive, *this; }
  FieldDeclaration& positive_where(const char* other) { return field_.required_by = other, *this; }
  FieldDeclaration& otherwise(double value) { return field_.default_value = value, *this; }
  FieldDeclaration& of_style() { return field_.scope = CoefficientField::Scope::style, *this; }
  FieldDeclaration& of_units() { return field_.scope = CoefficientField::Scope::units, *this; }
  FieldDeclaration& mixes_as_epsilon() {
    return field_.mixing = CoefficientField::Mixing::epsilon, *this;
  }
  FieldDeclaration& mixes_as_sigma() {
    return field_.mixing = CoefficientField::Mixing::sigma, *this;
  }
  /// Mixes the field as lengths are mixed, whatever its dimension.
  FieldDeclaration& mixes_as_length() {
    return field_.mixing = CoefficientField::Mixing::length, *this;
  }
  FieldDeclaration& below(const char* other) { return field_.below = other, *this; }
  FieldDeclaration& of_table() { return field_.of_table = true, *this; }
  /// The distance at which the potential begins to be switched off.
  FieldDeclaration& switch_distance() {
    field_.for_all = true;
    return length(1).not_negative().mixes_as_length().below("cutoff");
  }
  /// The cutoff: a length >= 0; 0 means that the pair does not interact.
  FieldDeclaration& cutoff() {
    field_.is_cutoff = true;
    return length(1).not_negative();
  }
  FieldDeclaration& flag() {
    field_.is_flag = true;
    return otherwise(0);
  }

 private:
  CoefficientField& field_;
};

/// Argument of `declare(potential)` in the header of a potential, which describes itself by its
/// calls.
/// \tparam Part description of the potential, with its summary, source and fields.
template <class Part>
class CoefficientDeclaration {
 public:
  explicit CoefficientDeclaration(Part& part) : part_(part) {}

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

 protected:
  Part& part_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_COEFFICIENT_FIELD_HPP
