#ifndef TESSERA_PHYSICS_MD_CASE_STYLES_OF_PAIRS_HPP
#define TESSERA_PHYSICS_MD_CASE_STYLES_OF_PAIRS_HPP

#include "physics/md/case/pair_section.hpp"
#include "physics/md/pair_potential/coefficient_table.hpp"
#include "physics/md/system.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Cases whose pairs of types have potentials of their own: entries of [[pair.coefficients]] with a
/// `style`. The pair force then computes the sum of all potentials that the case names, and each
/// pair of types has cutoffs of 0 for the parts that are not its own.

namespace tessera::md {

class StylesOfPairs {
 public:
  /// \throws InputError for styles that cannot be parts of one sum.
  explicit StylesOfPairs(const PairSection& pair);

  /// The sum; the potential of pair.style where no entry has a style of its own.
  [[nodiscard]] const PairPotential& potential() const { return potential_; }
  /// The potential of pair.style.
  [[nodiscard]] const PairPotential& usual() const { return usual_; }
  /// Whether an entry has a style of its own.
  [[nodiscard]] bool differ() const { return differ_; }
  [[nodiscard]] const PairPotential& of(const CoefficientEntry& entry) const;

  /// Coefficients of a pair of types by the names of its own potential, by the names of the sum.
  /// \param usual_cutoff first cutoff where the values have none.
  [[nodiscard]] CoefficientValues in_sum(const PairPotential& own, const CoefficientValues& values,
                                         double usual_cutoff) const;

  /// Checks that each pair of types has one potential.
  /// \throws InputError where two entries name different styles for a pair, or the coefficients of
  /// a pair cannot be mixed because an atom type has another potential.
  void require_one_each(const std::vector<CoefficientEntry>& entries,
                        const std::vector<PairCoefficient>& given,
                        const std::vector<AtomType>& types) const;

 private:
  const PairSection& pair_;
  PairPotential usual_;
  std::map<std::string, PairPotential> own_;  ///< by style
  bool differ_ = false;
  PairPotential potential_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_STYLES_OF_PAIRS_HPP
