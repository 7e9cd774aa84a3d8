#include "physics/md/groups/atom_classes.hpp"

#include "core/base/error.hpp"
#include "core/base/physical_memory.hpp"

#include <map>
#include <set>
#include <string>

namespace tessera::md {
namespace {

void require_memory(std::size_t classes, std::size_t fields) {
  const auto count = static_cast<double>(classes);
  const double bytes = count * count * static_cast<double>(fields) * sizeof(double);
  if (bytes > static_cast<double>(physical_memory_bytes()))
    throw ArgumentError("a table for each pair of the " + std::to_string(classes) +
                        " classes that groups divide the types of atoms into exceeds the memory of "
                        "this machine");
}

/// Marks the fields that are zero for a pair of classes without interaction.
std::vector<bool> without_interaction(const PairPotential& potential) {
  std::vector<bool> zero;
  for (const CoefficientField& field : potential.fields())
    zero.push_back(field.is_cutoff || (field.energy != 0 && !out_of_range(field, 0)));
  return zero;
}

}  // namespace

AtomClasses atom_classes(const System& system, const std::vector<AtomMarks>& marks,
                         const std::vector<GroupPair>& pairs) {
  AtomMarks read = 0;
  for (const GroupPair& pair : pairs)
    read |= pair.first.mark | pair.second.mark;
  const auto narrowed = [&](std::size_t atom) {
    AtomClass c = class_of(system, marks, atom);
    c.marks &= read;
    return c;
  };
  const std::size_t types = system.types.size();
  std::set<AtomClass> met;
  std::vector<bool> has_atoms(types);
  const std::size_t atoms = system.type.size();
  for (std::size_t i = 0; i < atoms; ++i) {
    met.insert(narrowed(i));
    has_atoms[static_cast<std::size_t>(system.type[i])] = true;
  }
  for (std::size_t t = 0; t < types; ++t)
    if (!has_atoms[t]) met.insert({static_cast<std::int32_t>(t), 0});
  AtomClasses classes;
  classes.all.assign(met.begin(), met.end());
  if (classes.all.size() == types) return classes;
  std::map<AtomClass, std::int32_t> index;
  for (const AtomClass& c : classes.all)
    index.emplace(c, static_cast<std::int32_t>(index.size()));
  classes.of_atom.reserve(atoms);
  for (std::size_t i = 0; i < atoms; ++i)
    classes.of_atom.push_back(index.at(narrowed(i)));
  return classes;
}

CoefficientTable class_table(
    const CoefficientTable& by_type, const std::vector<AtomClass>& classes,
    const std::function<bool(const AtomClass&, const AtomClass&)>& interacts) {
  const PairPotential& potential = by_type.potential();
  require_memory(classes.size(), potential.fields().size());
  CoefficientTable table(potential, static_cast<int>(classes.size()));
  const std::vector<bool> zero = without_interaction(potential);
  for (std::size_t i = 0; i < classes.size(); ++i)
    for (std::size_t j = i; j < classes.size(); ++j) {
      const bool some = interacts(classes[i], classes[j]);
      for (std::size_t f = 0; f < potential.fields().size(); ++f)
        table.set(static_cast<int>(i), static_cast<int>(j), f,
                  some || !zero[f] ? by_type.at(classes[i].type, classes[j].type, f) : 0);
    }
  return table;
}

}  // namespace tessera::md
