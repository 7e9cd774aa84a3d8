#include "physics/md/topology/listed_lists.hpp"

#include "core/base/error.hpp"
#include "physics/md/listed_force/listed_force.hpp"

#include <limits>
#include <string>

namespace tessera::md {
namespace {

std::span<const std::int32_t> atoms_of(const ListedTerm& term) {
  const auto of_class = static_cast<std::size_t>(term.of_class);
  return {term.atoms.data(), static_cast<std::size_t>(listed_class.at(of_class).atoms)};
}

void check(std::int64_t atoms, const ListedTerm& term) {
  const std::string name = listed_class.at(static_cast<std::size_t>(term.of_class)).name;
  const auto own = atoms_of(term);
  for (std::size_t a = 0; a < own.size(); ++a) {
    if (own[a] < 0 || own[a] >= atoms)
      throw ParticleError({own[a]}, "the " + name + " names atom " + std::to_string(own[a]) +
                                        " of " + std::to_string(atoms));
    for (std::size_t b = 0; b < a; ++b)
      if (own[a] == own[b])
        throw ParticleError({own[a]},
                            "the " + name + " names atom " + std::to_string(own[a]) + " twice");
  }
}

}  // namespace

ListedLists listed_by_atom(std::int64_t atoms, std::span<const ListedTerm> terms) {
  ListedLists lists;
  lists.offsets.assign(static_cast<std::size_t>(atoms) + 1, 0);
  std::int64_t entries = 0;
  for (const ListedTerm& term : terms) {
    check(atoms, term);
    entries += std::ssize(atoms_of(term));
    if (entries > std::numeric_limits<std::int32_t>::max() / most_partners)
      throw ArgumentError("more than 2^31 / 3 atoms of listed terms on one device");
    for (const std::int32_t atom : atoms_of(term))
      ++lists.offsets[static_cast<std::size_t>(atom) + 1];
  }
  for (std::size_t i = 1; i < lists.offsets.size(); ++i)
    lists.offsets[i] += lists.offsets[i - 1];
  lists.kinds.resize(static_cast<std::size_t>(entries));
  lists.places.resize(lists.kinds.size());
  lists.partners.resize(most_partners * lists.kinds.size());
  std::vector<std::int32_t> next(lists.offsets.begin(), lists.offsets.end() - 1);
  for (int c = 0; c < listed_classes; ++c)
    for (const ListedTerm& term : terms) {
      if (term.of_class != c) continue;
      const auto own = atoms_of(term);
      for (std::size_t a = 0; a < own.size(); ++a) {
        const auto entry = static_cast<std::size_t>(next[static_cast<std::size_t>(own[a])]++);
        lists.kinds[entry] = term.kind;
        lists.places[entry] = static_cast<std::int32_t>(a);
        std::size_t partner = most_partners * entry;
        for (std::size_t b = 0; b < own.size(); ++b)
          if (b != a) lists.partners[partner++] = own[b];
        while (partner < most_partners * (entry + 1))
          lists.partners[partner++] = own[a];
      }
    }
  return lists;
}

}  // namespace tessera::md
