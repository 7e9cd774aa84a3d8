#include <algorithm>
#include <limits>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/md/topology/pair_lists.hpp>
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

PairLists pairs_near_by_bonds(std::int64_t atoms, std::span<const Bond> bonds) {
  const PairLists bonded = bonds_by_atom(atoms, bonds);
  PairLists lists;
  lists.offsets.push_back(0);
  std::vector<std::int32_t> reached;
  std::vector<std::pair<std::int32_t, std::int32_t>> near;  // atom and kind
  for (std::int32_t i = 0; i < atoms; ++i) {
    // Atoms by the length of the shortest path, each length a run of `reached`.
    reached.assign(1, i);
    std::size_t begin = 0;
    near.clear();
    for (std::size_t length = 0; length < 3; ++length) {
      const std::size_t end = reached.size();
      for (; begin < end; ++begin) {
        const auto from = static_cast<std::size_t>(reached[begin]);
        for (std::int32_t e = bonded.offsets[from]; e < bonded.offsets[from + 1]; ++e) {
          const std::int32_t atom = bonded.partners[static_cast<std::size_t>(e)];
          if (std::find(reached.begin(), reached.end(), atom) != reached.end()) continue;
          reached.push_back(atom);
          near.emplace_back(atom, static_cast<std::int32_t>(length));
        }
      }
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
