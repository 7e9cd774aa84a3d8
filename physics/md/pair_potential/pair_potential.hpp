#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_POTENTIAL_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_POTENTIAL_HPP

#include "core/base/device_code.hpp"
#include "core/memory/view.hpp"
#include "physics/md/pair_potential/coefficient_field.hpp"

#include <math.h>
// Pair potentials call functions of <math.h> without a namespace, so their header follows it.
#include "physics/md/pair_potential/potential_functions.hpp"

#include <array>
#include <functional>
#include <map>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Pair potentials, known by name. A pair potential is one header (md/potentials/README.md); this
/// file is its description on the host: coefficients, atom properties that it reads, and its value
/// in double.

namespace tessera {
class Registry;
}

namespace tessera::md {

using potentials::AtomData;
using potentials::AtomSum;

/// The arguments of a pair potential for one pair.
struct PairAtoms {
  double r = 0;                        ///< distance
  std::array<double, 3> separation{};  ///< r_i - r_j; not read by central potentials
  potentials::AtomValues<double, ~0u> i{};
  potentials::AtomValues<double, ~0u> j{};
};

/// A pair at distance r whose atoms have charges alone.
[[nodiscard]] inline PairAtoms charged_pair(double r, double charge_i, double charge_j) {
  PairAtoms pair{r, {r, 0, 0}};
  pair.i.charge = charge_i;
  pair.j.charge = charge_j;
  return pair;
}

/// Value of a pair potential for one pair.
struct PairValue {
  double force_over_r = 0;  ///< -dE/dr / r of the parts that are central
  double energy = 0;
  /// Force on the first atom of the parts that are not.
  std::array<double, 3> force{};
  std::array<double, 3> torque_i{};
  std::array<double, 3> torque_j{};

  /// Component d of the force on the first atom.
  [[nodiscard]] double total_force(const PairAtoms& pair, std::size_t d) const {
    return force_over_r * pair.separation[d] + force[d];
  }
};

/// A pair potential, of a header or made at run time; PairPotential may be a sum of several of
/// them. Its functions may carry state, which lives as long as a copy of the part: a plan copies
/// the parts of its potential. They may be called by several threads.
struct PairPotentialPart {
  std::string name;                      ///< name of its header: coul_rf.hpp is "coul/rf"
  std::string summary;                   ///< description in a few words
  std::string source;                    ///< public source of the formula
  std::vector<CoefficientField> fields;  ///< the first is the cutoff
  unsigned reads = 0;                    ///< values of the atoms, a set of AtomData
  unsigned writes = AtomSum::force;      ///< sums of the atoms, a set of AtomSum
  bool central = true;                   ///< potentials::Traits::central
  /// Whether excluded pairs keep the terms other than C q_i q_j / r, because these describe a
  /// medium or a lattice of charges around both atoms.
  bool keeps_field = false;
  bool keeps_field_beyond = false;  ///< whether they keep them beyond the cutoff too
  std::string tail_of;  ///< potential that continues this one where it is cut or switched off
  std::string lacks;    ///< parts of the physical interaction that other terms must add
  int width = 0;  ///< length of the packed coefficients that kernels store for a pair of types
  /// Computes the packed coefficients from the fields, in any consistent units.
  std::function<void(const double* field, double* packed)> pack;
  /// Computes the value of a pair inside the cutoff, from the packed coefficients of the pair and
  /// the samples of all pairs.
  std::function<void(const double* packed, const double* samples, const PairAtoms& pair,
                     PairValue& value)>
      evaluate;
  int points = 0;   ///< number of points of a table potential; 0: no table
  int samples = 0;  ///< number of samples that kernels store for a pair of types besides the packed
                    ///< coefficients
  /// Packs the samples. `place` is the index of the first one, which is stored in the packed
  /// coefficients.
  std::function<void(const double* field, int points, double place, double* packed,
                     double* samples)>
      pack_samples;
  /// Changes the number of points of a table potential.
  std::function<void(PairPotentialPart& part, int points)> set_points;
  /// Computes the self energy of a unit charge from the packed coefficients; empty: none.
  std::function<double(const double* packed)> self_energy;
  int index = -1;  ///< in the pair kernel that selects at run time; -1: not in it
};

/// A pair potential, or a sum of several. In a sum each part acts within its own cutoff, and on a
/// pair of types for which that cutoff is 0 it does not act.
class PairPotential {
 public:
  static constexpr int most_parts = 8;

  explicit PairPotential(std::vector<PairPotentialPart> parts);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Name without the number of points, for which pair kernels are compiled.
  [[nodiscard]] std::string name_of_row() const;
  [[nodiscard]] const std::vector<PairPotentialPart>& parts() const { return parts_; }
  /// Fields of all parts, one part after the other. In a sum, a name that an earlier part has gets
  /// the prefix of its part, and a further cutoff that is not given equals the first.
  [[nodiscard]] const std::vector<CoefficientField>& fields() const { return fields_; }
  /// Prefix of names that part `p` shares with an earlier one: "coulomb_" for the first part that
  /// reads charges, and the name of the part for others, as in "mie_cut_epsilon".
  [[nodiscard]] std::string prefix(std::size_t p) const;
  /// The values of atoms that the parts read, a set of AtomData.
  [[nodiscard]] unsigned reads() const;
  [[nodiscard]] bool reads(unsigned values) const { return (reads() & values) != 0; }
  /// Whether a part adds to one of these sums, a set of AtomSum.
  [[nodiscard]] bool writes(unsigned sums) const;
  [[nodiscard]] bool central() const;
  /// Index of a field. \throws SelectionError that suggests the most similar name.
  [[nodiscard]] std::size_t field(const std::string& name) const;

  /// Largest cutoff of a pair of types.
  [[nodiscard]] double cutoff(const double* fields) const;

  /// Length of the packed row of a pair of types: the square of the largest cutoff, then the packed
  /// coefficients; in a sum the square of its own cutoff precedes those of each part.
  [[nodiscard]] int table_width() const;
  /// \param samples of pairs that were packed before; those of this pair are appended
  /// \throws ArgumentError for a potential with samples if `samples` is null.
  void pack(const double* fields, double* row, std::vector<double>* samples = nullptr) const;

  /// Value from the packed row of a pair of types and the samples of all pairs, in the units of the
  /// coefficients; zero from the cutoff on.
  [[nodiscard]] PairValue evaluate(const double* row, const PairAtoms& pair,
                                   const double* samples = nullptr) const;
  /// The same for a potential that is central and reads at most charges.
  /// \throws ArgumentError for another one.
  [[nodiscard]] PairValue evaluate(const double* row, double r, double charge_i, double charge_j,
                                   const double* samples = nullptr) const;

 private:
  std::string name_;
  std::vector<PairPotentialPart> parts_;
  std::vector<CoefficientField> fields_;
};

/// The pair potentials of a Registry: those of this build, and those added at run time. All members
/// may be called by several threads, also while plans are made.
class PairPotentials {
 public:
  PairPotentials();

  /// Adds a pair potential, or replaces the one of the same name.
  void add(PairPotentialPart part);
  /// Removes a pair potential; does nothing where there is none. Plans that hold it go on with it.
  void remove(const std::string& name);
  /// Finds a pair potential, or a sum "a+b+...". A table potential may be followed by its number of
  /// points, from 2 to 100000: "table:500", "table:500+coul/cut".
  /// \throws SelectionError for an unknown name; ArgumentError for a sum that has a part twice,
  /// more than most_parts, a part without charges after one with charges, or a table that is not
  /// first.
  [[nodiscard]] PairPotential find(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> names() const;
  /// Names of all sums of a potential without charges and one with charges.
  [[nodiscard]] std::vector<std::string> sums() const;

 private:
  [[nodiscard]] std::vector<std::string> names_unguarded() const;

  mutable std::shared_mutex mutex_;
  std::map<std::string, PairPotentialPart> parts_;
};

/// The potentials of the registry of this process, and those of any registry. While the registry of
/// the process is filled, only the second function may be called.
[[nodiscard]] PairPotentials& pair_potentials();
[[nodiscard]] PairPotentials& pair_potentials(Registry& registry);

/// Adds the pair potentials of this build. Generated at configure time.
void add_built_in_potentials(PairPotentials& potentials);

/// The pair potential of calls, standard inputs and case files that name none. Generated at
/// configure time.
[[nodiscard]] const std::string& default_pair_potential();

class PotentialDeclaration : public CoefficientDeclaration<PairPotentialPart> {
 public:
  using CoefficientDeclaration::CoefficientDeclaration;

  /// Number of points of a table potential.
  [[nodiscard]] int points() const { return part_.points; }

  /// Excluded pairs keep the terms of the potential other than C q_i q_j / r.
  void keeps_field() { part_.keeps_field = true; }
  /// Excluded pairs keep them beyond the cutoff too, because the term that this potential lacks
  /// acts at all distances.
  void keeps_field_beyond() { part_.keeps_field = part_.keeps_field_beyond = true; }
  /// Names the potential that continues this one where it is cut or switched off; fields of the
  /// same name have the same value.
  void tail_of(const char* potential) { part_.tail_of = potential; }
  /// Names the terms that must be added to complete the interaction; these assume that the charges
  /// add up to 0.
  void lacks(const char* what) { part_.lacks = what; }
};

namespace detail {

/// The distance of a pair for code without precomputed powers, such as the oracle.
struct PlainDistance {
  double r;
  [[nodiscard]] double squared() const { return r * r; }
  [[nodiscard]] double inverse_squared() const { return 1 / (r * r); }
  [[nodiscard]] double inverse() const { return 1 / r; }
  [[nodiscard]] double length() const { return r; }
};

struct PlainSeparation : PlainDistance {
  potentials::Vector<double> separation;
  [[nodiscard]] const potentials::Vector<double>& vector() const { return separation; }
};

template <class Potential>
void evaluate_potential(const double* packed, const double* samples, const PairAtoms& pair,
                        PairValue& value) {
  const auto numbers = potentials::pair_numbers<Potential::traits.samples>(packed, samples);
  if constexpr (Potential::traits.central) {
    Potential{}.at(PlainDistance{pair.r}, numbers, pair.i, pair.j, value.force_over_r,
                   value.energy);
  } else {
    const auto& [x, y, z] = pair.separation;
    potentials::PairResult<double> result{};
    Potential{}.at(PlainSeparation{{pair.r}, {x, y, z}}, numbers, pair.i, pair.j, result);
    value.energy = result.energy;
    value.force = {result.force.x, result.force.y, result.force.z};
    value.torque_i = {result.torque_i.x, result.torque_i.y, result.torque_i.z};
    value.torque_j = {result.torque_j.x, result.torque_j.y, result.torque_j.z};
  }
}

template <class Potential>
void declare_potential(PairPotentialPart& part) {
  part.fields.clear();
  PotentialDeclaration declaration(part);
  Potential::declare(declaration);
}

/// Sets the properties that only table potentials have.
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

/// Description of a pair potential from its header.
template <class Potential>
[[nodiscard]] PairPotentialPart describe_pair_potential(std::string name, int index) {
  PairPotentialPart part;
  part.name = std::move(name);
  part.reads = Potential::traits.reads;
  part.writes = Potential::traits.writes;
  part.central = Potential::traits.central;
  part.width = Potential::traits.width;
  part.pack = &detail::pack_potential<Potential>;
  part.evaluate = &detail::evaluate_potential<Potential>;
  part.index = index;
  if constexpr (Potential::traits.self_energy)
    part.self_energy = [](const double* packed) { return Potential::self_energy(packed); };
  if constexpr (Potential::traits.samples)
    detail::tabulate_potential<Potential>(part, Potential::usual_points);
  else
    detail::declare_potential<Potential>(part);
  return part;
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_POTENTIAL_HPP
