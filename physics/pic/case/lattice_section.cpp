#include "physics/pic/case/lattice_section.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace tessera::pic {
namespace {

using cases::TableView;

constexpr std::int64_t most_places = 10'000'000;

const ElementEntry& element_named(const LatticeSection& s, const std::string& name) {
  return *std::find_if(s.elements.begin(), s.elements.end(),
                       [&](const ElementEntry& e) { return e.shown_name() == name; });
}

/// Elements of one repetition, in order.
std::vector<const ElementEntry*> elements_in_order(const LatticeSection& s) {
  std::vector<const ElementEntry*> order;
  if (s.sequence.empty())
    for (const ElementEntry& element : s.elements)
      order.push_back(&element);
  for (const std::string& name : s.sequence)
    order.push_back(&element_named(s, name));
  return order;
}

void check_sequence(const LatticeSection& s, const TableView& table) {
  if (s.elements.empty()) return;
  std::vector<std::string> names;
  for (const ElementEntry& element : s.elements)
    names.push_back(element.shown_name());
  for (const std::string& name : s.sequence)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw table.error("sequence", "there is no [[lattice.element]] named '" + name + "'" +
                                        cases::suggestion(name, names));
  if (s.sequence.empty()) return;
  std::set<std::string> seen;
  const std::vector<TableView> entries = table.tables("element");
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!seen.insert(names[i]).second)
      throw entries[i].error("name", "expected each name once, as a sequence names them");
}

void check_places(const LatticeSection& s, const TableView& table) {
  const auto elements = std::ssize(elements_in_order(s));
  if (elements > 0 && s.repeat > most_places / elements)
    throw table.wrong("repeat", "at most " + std::to_string(most_places) + " elements in a turn");
}

int kicks_in(const LatticeSection& s, const ElementEntry& entry, const BeamElement& element) {
  const double length = std::abs(pic::length(element));
  if (length == 0) return 0;
  if (entry.kicks) return static_cast<int>(*entry.kicks);
  if (std::holds_alternative<MatrixElement>(element)) return 1;
  if (!s.kick_length) return static_cast<int>(s.kicks.value_or(1));
  // The tolerance allows a part to exceed kick_length by a rounding error.
  const double parts = std::ceil(length / *s.kick_length * (1 - 1e-12));
  if (parts > 1e6)
    throw InputError({entry.origin.file, entry.origin.line, "lattice.kick_length", ""},
                     "it would make more than a million kicks of '" + entry.shown_name() + "'");
  return std::max(1, static_cast<int>(parts));
}

}  // namespace

cases::Section<LatticeSection> LatticeSection::section() {
  using namespace cases;
  return {
      .name = "lattice",
      .after = "bunch",
      .presence = Presence::required,
      .meaning = "elements that the beam passes in a turn",
      .rows = {
          {tables(&LatticeSection::elements,
                  {.name = "element",
                   .type = "tables",
                   .meaning = "[elements](#pic-latticeelement), in their order",
                   .required = true,
                   .missing = "tables of elements, each under [[lattice.element]]"}),
           field(&LatticeSection::sequence, {.name = "sequence",
                                             .fallback = "all elements, once each",
                                             .meaning = "names of elements in the order in which "
                                                        "the beam passes them, with repetitions"}),
           field(&LatticeSection::repeat,
                 {.name = "repeat",
                  .range = at_least(1),
                  .meaning = "number of times that a turn repeats the elements or the "
                             "sequence"}),
           field(&LatticeSection::kicks,
                 {.name = "kicks",
                  .range = not_negative,
                  .fallback = "1",
                  .meaning = "kicks of space charge in each element that has a length, each in "
                             "the middle of an equal part; a step of the run is one of them"}),
           field(&LatticeSection::kick_length,
                 {.name = "kick_length",
                  .unit = "m",
                  .range = positive,
                  .fallback = "none",
                  .meaning = "the longest part that an element is divided into for kicks, "
                             "instead of `kicks`",
                  .only = {{[](const LatticeSection& s) { return !s.kicks; },
                            "expected either kicks or kick_length, not both"}}})},
          {check_sequence, check_places}}};
}

BuiltLattice build_lattice(const LatticeSection& section, const ElementUnits& units) {
  BuiltLattice built{BeamLine(units.reference), {}};
  const std::vector<const ElementEntry*> order = elements_in_order(section);
  for (std::int64_t r = 0; r < section.repeat; ++r)
    for (const ElementEntry* entry : order) {
      const cases::Origin& origin = entry->origin;
      try {
        const BeamElement element = beam_element(*entry, units);
        built.line.add(entry->shown_name(), element);
        built.kicks.push_back(kicks_in(section, *entry, element));
      } catch (const ArgumentError& error) {
        throw InputError({origin.file, origin.line, "lattice.element", entry->shown_name()},
                         error.what());
      }
    }
  return built;
}

}  // namespace tessera::pic
