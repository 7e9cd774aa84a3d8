#include "physics/md/topology/pair_lists.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace tessera::md {
namespace {

void check(std::int64_t atoms, const Bond& bond) {
  for (const std::int32_t atom : bond.atoms)
    if (atom < 0 || atom >= atoms)
      throw ParticleError(
          {atom}, "a bond names atom " + std::to_string(atom) + " of " + std::to_string(atoms));
  if (bond.atoms[0] == bond.atoms[1])
    throw ParticleError({bond.atoms[0]},
                        "atom " + std::to_string(bond.atoms[0]) + " is bonded to itself");
}

/// Pairs that a rule accepts; without a rule, all pairs.
class NamedPairs {
 public:
  NamedPairs() = default;
  NamedPairs(std::int64_t atoms, std::vector<std::array<std::int32_t, 2>> pairs)
      : all_(false), pairs_(std::move(pairs)) {
    for (auto& pair : pairs_) {
      for (const std::int32_t atom : pair)
        if (atom < 0 || atom >= atoms)
          throw ParticleError({atom}, "an angle or dihedral names atom " + std::to_string(atom) +
                                          " of " + std::to_string(atoms));
      std::sort(pair.begin(), pair.end());
    }
    std::sort(pairs_.begin(), pairs_.end());
  }

  [[nodiscard]] bool count(std::int32_t a, std::int32_t b) const {
    return all_ || std::binary_search(pairs_.begin(), pairs_.end(),
                                      std::array{std::min(a, b), std::max(a, b)});
  }

 private:
  bool all_ = true;
  std::vector<std::array<std::int32_t, 2>> pairs_;
};

NamedPairs two_apart(std::int64_t atoms, const NearPairRules& rules) {
  if (!rules.by_angles) return {};
  std::vector<std::array<std::int32_t, 2>> pairs;
  for (const auto& [a, b, c] : rules.angles)
    pairs.push_back({a, c});
  for (const auto& [a, b, c, d] : rules.dihedrals) {
    pairs.push_back({a, c});
    pairs.push_back({b, d});
  }
  return {atoms, std::move(pairs)};
}

NamedPairs three_apart(std::int64_t atoms, const NearPairRules& rules) {
  if (!rules.by_dihedrals) return {};
  std::vector<std::array<std::int32_t, 2>> pairs;
  for (const auto& [a, b, c, d] : rules.dihedrals)
    pairs.push_back({a, d});
  return {atoms, std::move(pairs)};
}

}  // namespace

PairLists bonds_by_atom(std::int64_t atoms, std::span<const Bond> bonds) {
  if (bonds.size() > std::numeric_limits<std::int32_t>::max() / 2)
    throw ArgumentError("more than 2^30 bonds on one device");
  PairLists lists;
  lists.offsets.assign(static_cast<std::size_t>(atoms) + 1, 0);
  for (const Bond& bond : bonds) {
    check(atoms, bond);
    for (const std::int32_t atom : bond.atoms)
      ++lists.offsets[static_cast<std::size_t>(atom) + 1];
  }
  for (std::size_t i = 1; i < lists.offsets.size(); ++i)
    lists.offsets[i] += lists.offsets[i - 1];
  lists.partners.resize(2 * bonds.size());
  lists.kinds.resize(2 * bonds.size());
  std::vector<std::int32_t> next(lists.offsets.begin(), lists.offsets.end() - 1);
  for (const Bond& bond : bonds)
    for (std::size_t end = 0; end < 2; ++end) {
      const auto entry =
          static_cast<std::size_t>(next[static_cast<std::size_t>(bond.atoms[end])]++);
      lists.partners[entry] = bond.atoms[1 - end];
      lists.kinds[entry] = bond.type;
    }
  return lists;
}

PairLists pairs_near_by_bonds(std::int64_t atoms, std::span<const Bond> bonds,
                              const NearPairRules& rules) {
  const PairLists bonded = bonds_by_atom(atoms, bonds);
  // Index: number of bonds of the path minus one. Bonded pairs always count.
  const NamedPairs named[3] = {{}, two_apart(atoms, rules), three_apart(atoms, rules)};
  PairLists lists;
  lists.offsets.push_back(0);
  std::vector<std::int32_t> from;
  std::vector<std::int32_t> reached;
  std::vector<std::pair<std::int32_t, std::int32_t>> near;  // atoms with their kinds
  for (std::int32_t i = 0; i < atoms; ++i) {
    from.assign(1, i);
    near.clear();
    for (std::int32_t length = 0; length < 3; ++length) {
      reached.clear();
      for (const std::int32_t atom : from) {
        const auto place = static_cast<std::size_t>(atom);
        for (std::int32_t e = bonded.offsets[place]; e < bonded.offsets[place + 1]; ++e)
          if (const std::int32_t next = bonded.partners[static_cast<std::size_t>(e)]; next != i)
            reached.push_back(next);
      }
      std::sort(reached.begin(), reached.end());
      reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
      for (const std::int32_t atom : reached) {
        const bool known = std::any_of(near.begin(), near.end(),
                                       [&](const auto& entry) { return entry.first == atom; });
        if (!known && named[length].count(i, atom)) near.emplace_back(atom, length);
      }
      from = reached;
    }
    std::sort(near.begin(), near.end());
    for (const auto& [atom, kind] : near) {
      lists.partners.push_back(atom);
      lists.kinds.push_back(kind);
    }
    constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
    if (lists.partners.size() > most)
      throw ArgumentError("more than 2^31 pairs near by bonds on one device");
    lists.offsets.push_back(static_cast<std::int32_t>(lists.partners.size()));
  }
  return lists;
}

}  // namespace tessera::md
