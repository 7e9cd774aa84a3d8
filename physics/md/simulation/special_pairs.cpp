#include "physics/md/simulation/special_pairs.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace tessera::md {
namespace {

/// A special pair, seen from one of its atoms.
struct Near {
  std::int32_t partner;
  bool third;  ///< three bonds away
  PairFactors factors;
};

void check(const SpecialPairsOptions& options, const CoefficientTable& pair, const System& system) {
  const auto finite = [](const PairFactors& f) {
    if (!std::isfinite(f.pair) || !std::isfinite(f.coulomb))
      throw ArgumentError("special_pairs", "factors", "one of them is not a finite number");
  };
  for (const PairFactors& f : options.factors)
    finite(f);
  for (const ListedPair& listed : options.listed) {
    finite(listed.factors);
    for (const std::int32_t atom : listed.atoms)
      if (atom < 0 || atom >= system.size())
        throw ParticleError({atom}, "a listed pair names atom " + std::to_string(atom) + " of " +
                                        std::to_string(system.size()));
    if (listed.atoms[0] == listed.atoms[1])
      throw ParticleError({listed.atoms[0]}, "atom " + std::to_string(listed.atoms[0]) +
                                                 " is listed as both atoms of a pair");
  }
  if (options.third && (options.third->types() != pair.types() ||
                        options.third->potential().name() != pair.potential().name()))
    throw ArgumentError("special_pairs", "third",
                        "coefficients of another form or of other types than those of all pairs");
}

/// Listed pairs of each atom, sorted by partner; of entries for the same partner the last one
/// stays.
std::map<std::int32_t, std::vector<Near>> listed_by_atom(const std::vector<ListedPair>& listed) {
  std::map<std::int32_t, std::vector<Near>> by_atom;
  for (const ListedPair& pair : listed)
    for (std::size_t end = 0; end < 2; ++end) {
      std::vector<Near>& mine = by_atom[pair.atoms[end]];
      const Near entry{pair.atoms[1 - end], false, pair.factors};
      const auto at =
          std::lower_bound(mine.begin(), mine.end(), entry,
                           [](const Near& a, const Near& b) { return a.partner < b.partner; });
      if (at != mine.end() && at->partner == entry.partner)
        *at = entry;
      else
        mine.insert(at, entry);
    }
  return by_atom;
}

/// Collects the special pairs that differ from ordinary pairs, and the options of the term that
/// computes their remaining forces, with a row of coefficients for each kind.
class Builder {
 public:
  Builder(const CoefficientTable& pair, const System& system, const SpecialPairsOptions& options)
      : pair_(pair), system_(system), options_(options) {
    left_.potential = pair.potential().name();
    excluded_.offsets.push_back(0);
    left_.lists.offsets.push_back(0);
  }

  void take(std::int32_t atom, const Near& near) {
    const std::int32_t a = type(atom);
    const std::int32_t b = type(near.partner);
    const bool third = near.third && options_.third && differ(a, b);
    if (!third && near.factors == PairFactors{}) return;
    excluded_.partners.push_back(near.partner);
    if (!third && !anything_left(near.factors)) return;
    left_.lists.partners.push_back(near.partner);
    left_.lists.kinds.push_back(kind(std::min(a, b), std::max(a, b), third, near.factors));
  }

  void end_atom() {
    excluded_.offsets.push_back(static_cast<std::int32_t>(excluded_.partners.size()));
    left_.lists.offsets.push_back(static_cast<std::int32_t>(left_.lists.partners.size()));
  }

  SpecialPairs finish() {
    SpecialPairs pairs{std::move(excluded_), {}};
    if (!left_.lists.partners.empty()) pairs.term = std::move(left_);
    return pairs;
  }

 private:
  [[nodiscard]] std::int32_t type(std::int32_t atom) const {
    return system_.type[static_cast<std::size_t>(atom)];
  }

  [[nodiscard]] bool differ(int a, int b) const {
    for (std::size_t f = 0; f < pair_.potential().fields().size(); ++f)
      if (pair_.at(a, b, f) != options_.third->at(a, b, f)) return true;
    return false;
  }

  [[nodiscard]] double factor_of(const PairPotentialPart& part, const PairFactors& factors) const {
    return (part.reads & AtomData::charge) != 0 ? factors.coulomb : factors.pair;
  }

  [[nodiscard]] bool anything_left(const PairFactors& factors) const {
    const auto& parts = pair_.potential().parts();
    return std::any_of(parts.begin(), parts.end(), [&](const PairPotentialPart& part) {
      const double factor = factor_of(part, factors);
      return factor != 0 || (part.keeps_field && options_.field);
    });
  }

  std::int32_t kind(int a, int b, bool third, const PairFactors& factors) {
    const auto [at, fresh] =
        kinds_.try_emplace({a, b, third, factors.pair, factors.coulomb},
                           static_cast<std::int32_t>(left_.coefficients.size()));
    if (!fresh) return at->second;
    const CoefficientTable& table = third ? *options_.third : pair_;
    std::vector<double>& row = left_.coefficients.emplace_back();
    for (std::size_t f = 0; f < table.potential().fields().size(); ++f)
      row.push_back(table.at(a, b, f));
    for (const PairPotentialPart& part : table.potential().parts())
      row.push_back(factor_of(part, factors));
    row.push_back(options_.field ? 1 : 0);
    return at->second;
  }

  const CoefficientTable& pair_;
  const System& system_;
  const SpecialPairsOptions& options_;
  PairLists excluded_;
  SpecialTermOptions left_;
  std::map<std::tuple<int, int, bool, double, double>, std::int32_t> kinds_;
};

}  // namespace

SpecialPairs special_pairs(const CoefficientTable& pair, const System& system,
                           const SpecialPairsOptions& options) {
  check(options, pair, system);
  if (system.bonds.empty() && options.listed.empty()) return {};
  const PairLists near = pairs_near_by_bonds(
      system.size(), system.bonds,
      {options.by_angles, options.by_dihedrals, system.angles, system.dihedrals});
  const std::map<std::int32_t, std::vector<Near>> listed = listed_by_atom(options.listed);
  const std::vector<Near> none;
  Builder builder(pair, system, options);
  for (std::int32_t i = 0; i < system.size(); ++i) {
    const auto found = listed.find(i);
    const std::vector<Near>& mine = found == listed.end() ? none : found->second;
    auto own = mine.begin();
    const auto atom = static_cast<std::size_t>(i);
    for (std::int32_t e = near.offsets[atom]; e < near.offsets[atom + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      const std::int32_t partner = near.partners[entry];
      while (own != mine.end() && own->partner < partner)
        builder.take(i, *own++);
      const auto bonds = static_cast<std::size_t>(near.kinds[entry]);
      const bool is_listed = own != mine.end() && own->partner == partner;
      builder.take(i, {partner, bonds == 2, is_listed ? (own++)->factors : options.factors[bonds]});
    }
    while (own != mine.end())
      builder.take(i, *own++);
    builder.end_atom();
  }
  return builder.finish();
}

}  // namespace tessera::md
