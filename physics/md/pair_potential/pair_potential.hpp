#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_POTENTIAL_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_POTENTIAL_HPP

#include "core/base/device_code.hpp"
#include "core/memory/view.hpp"
#include "physics/md/pair_potential/coefficient_field.hpp"
#include "physics/md/pair_potential/potential_functions.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Forms of pair potentials, known by name. A form is one header (md/potentials/README.md); here is
/// what the host knows of it: coefficients, what it reads of an atom, and its value in double.

namespace tessera::md {

/// One header of a form.
struct PairPotentialPart {
  std::string name;                      ///< name of its header: coul_rf.hpp is "coul/rf"
  std::string summary;                   ///< description in a few words
  std::string source;                    ///< public source of the formula
  std::vector<CoefficientField> fields;  ///< the first is the cutoff
  bool reads_charge = false;
  /// Excluded pairs keep what the form has besides C q_i q_j / r: a medium or lattice of charges
  /// around both.
  bool keeps_field = false;
  bool keeps_field_beyond = false;  ///< beyond the cutoff too
  std::string tail_of;              ///< form that goes on where this one is cut or switched off
  std::string lacks;  ///< parts that are missing here and must be added for the whole form
  int width = 0;      ///< numbers that kernels keep for a pair of types
  /// From the coefficients, in whatever units, to those numbers.
  void (*pack)(const double* field, double* packed) = nullptr;
  /// -dE/dr / r and E at the distance r, with the packed numbers and the samples of all pairs;
  /// inside the cutoff.
  void (*evaluate)(const double* packed, const double* samples, double r, double charge_i,
                   double charge_j, double& force_over_r, double& energy) = nullptr;
  int points = 0;   ///< of a form of tables: those at which its coefficients give it; 0: none
  int samples = 0;  ///< numbers that kernels keep for a pair of types apart, and read by place
  /// Packs the samples, and the index of the first of them into the packed numbers.
  void (*pack_samples)(const double* field, int points, double place, double* packed,
                       double* samples) = nullptr;
  /// Changes the number of points of the form.
  void (*set_points)(PairPotentialPart& part, int points) = nullptr;
  /// Self energy of a unit charge, from the packed numbers; null: none.
  double (*self_energy)(const double* packed) = nullptr;
  int index = -1;  ///< in the row that switches at run time; -1: not in it
};

/// Value of a form for one pair.
struct PairValue {
  double force_over_r = 0;
  double energy = 0;
};

/// A form, or the sum of one that reads no charge and one that does.
class PairPotential {
 public:
  explicit PairPotential(std::vector<PairPotentialPart> parts);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Without the number of points: what pair loops are compiled for.
  [[nodiscard]] std::string name_of_row() const;
  [[nodiscard]] const std::vector<PairPotentialPart>& parts() const { return parts_; }
  /// Fields of all parts, one after the other. In a sum a name that comes again is prefixed with
  /// "coulomb_", and the second cutoff is the first where it is not given.
  [[nodiscard]] const std::vector<CoefficientField>& fields() const { return fields_; }
  [[nodiscard]] bool reads_charge() const;
  /// Index of a field. \throws SelectionError suggesting the nearest.
  [[nodiscard]] std::size_t field(const std::string& name) const;

  /// Largest cutoff of a pair of types.
  [[nodiscard]] double cutoff(const double* fields) const;

  /// Numbers of a pair of types: the square of the largest cutoff, then those of the part; in a sum
  /// those of each part behind the square of its own cutoff.
  [[nodiscard]] int table_width() const;
  /// \param samples samples of pairs that were packed before; those of this one are appended
  /// \throws ArgumentError for a potential with samples where `samples` is null.
  void pack(const double* fields, double* row, std::vector<double>* samples = nullptr) const;

  /// From the numbers of a pair of types and the samples of all, in the units of the coefficients;
  /// zero from the cutoff on.
  [[nodiscard]] PairValue evaluate(const double* row, double r, double charge_i, double charge_j,
                                   const double* samples = nullptr) const;

 private:
  std::string name_;
  std::vector<PairPotentialPart> parts_;
  std::vector<CoefficientField> fields_;
};

/// The forms of this process.
class PairPotentials {
 public:
  /// Adds a form, or replaces the one of that name.
  void add(PairPotentialPart part);
  /// A form, or a sum "a+b". A form of tables may be followed by the number of its points, from 2
  /// to 100000: "table:500", "table:500+coul/cut".
  /// \throws SelectionError for an unknown name, ArgumentError for a sum that makes no sense.
  [[nodiscard]] PairPotential find(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> names() const;
  /// Every sum that makes sense.
  [[nodiscard]] std::vector<std::string> sums() const;

 private:
  std::map<std::string, PairPotentialPart> parts_;
};

/// The forms of this build and those added since.
[[nodiscard]] PairPotentials& pair_potentials();

/// Generated at configure time: the forms of this build.
void add_built_in_potentials(PairPotentials& potentials);

/// Generated too: the form of calls, standard inputs and case files that name none.
[[nodiscard]] const std::string& default_pair_potential();

/// Receives the chain `potential.has(...)` of a header.
class PotentialDeclaration {
 public:
  explicit PotentialDeclaration(PairPotentialPart& part) : part_(part) {}

  /// Number of points of a form of tables.
  [[nodiscard]] int points() const { return part_.points; }

  void is(const char* summary, const char* source) {
    part_.summary = summary;
    part_.source = source;
  }
  /// Excluded pairs keep what the form has besides C q_i q_j / r.
  void keeps_field() { part_.keeps_field = true; }
  /// Beyond the cutoff too, because what the form lacks does not end there.
  void keeps_field_beyond() { part_.keeps_field = part_.keeps_field_beyond = true; }
  /// The form that goes on where this one is cut or switched off, with fields of the same names.
  void tail_of(const char* potential) { part_.tail_of = potential; }
  /// Parts that must be added before the form is whole; it supposes then that charges add up to 0.
  void lacks(const char* what) { part_.lacks = what; }
  /// The reference inside is good until the next coefficient is named.
  FieldDeclaration has(const char* name, const char* meaning) {
    CoefficientField field;
    field.name = name;
    field.meaning = meaning;
    part_.fields.push_back(std::move(field));
    return FieldDeclaration(part_.fields.back());
  }
  /// One of many of the same kind, by its number.
  FieldDeclaration has_number(const char* name, int number, const char* meaning) {
    FieldDeclaration field = has(name, meaning);
    part_.fields.back().name += std::to_string(number);
    return field;
  }

 private:
  PairPotentialPart& part_;
};

namespace detail {

/// The distance as the oracle and other plain callers have it.
struct PlainDistance {
  double r;
  [[nodiscard]] double squared() const { return r * r; }
  [[nodiscard]] double inverse_squared() const { return 1 / (r * r); }
  [[nodiscard]] double inverse() const { return 1 / r; }
  [[nodiscard]] double length() const { return r; }
};

struct PlainAtom {
  double charge;
};

template <class Potential>
void evaluate_potential(const double* packed, const double* samples, double r, double charge_i,
                        double charge_j, double& force_over_r, double& energy) {
  const auto numbers =
      potentials::pair_numbers<potentials::HasSamples<Potential>::value>(packed, samples);
  Potential{}.at(PlainDistance{r}, numbers, PlainAtom{charge_i}, PlainAtom{charge_j}, force_over_r,
                 energy);
}

template <class Potential>
void declare_potential(PairPotentialPart& part) {
  part.fields.clear();
  PotentialDeclaration declaration(part);
  Potential::declare(declaration);
}

/// Sets the further properties of a form of tables.
template <class Potential>
void tabulate_potential(PairPotentialPart& part, int points) {
  part.points = points;
  part.samples = Potential::samples(points);
  part.pack_samples = &Potential::template pack_samples<double>;
  part.set_points = &tabulate_potential<Potential>;
  declare_potential<Potential>(part);
}

template <class Potential>
void pack_potential(const double* field, double* packed) {
  Potential::pack(field, packed);
}

}  // namespace detail

/// Description of a form by its header.
template <class Potential>
[[nodiscard]] PairPotentialPart describe_pair_potential(std::string name, int index) {
  PairPotentialPart part;
  part.name = std::move(name);
  part.reads_charge = Potential::reads_charge;
  part.width = Potential::width;
  part.pack = &detail::pack_potential<Potential>;
  part.evaluate = &detail::evaluate_potential<Potential>;
  part.index = index;
  if constexpr (requires(const double* packed) { Potential::self_energy(packed); })
    part.self_energy = [](const double* packed) { return Potential::self_energy(packed); };
  if constexpr (potentials::HasSamples<Potential>::value)
    detail::tabulate_potential<Potential>(part, Potential::usual_points);
  else
    detail::declare_potential<Potential>(part);
  return part;
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_POTENTIAL_HPP
