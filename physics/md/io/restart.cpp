#include "physics/md/io/restart.hpp"

#include "core/base/shortest_number.hpp"
#include "physics/md/io/box_placement.hpp"
#include "physics/md/io/id_index.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <utility>
#include <vector>

namespace tessera::md {
namespace {

// Limits the memory that a wrong number in a damaged file would allocate.
constexpr std::int32_t most_bond_types = 1 << 20;

template <class T, std::size_t N>
std::span<const T> flat(const std::vector<std::array<T, N>>& rows) {
  static_assert(sizeof(std::array<T, N>) == N * sizeof(T));
  return {rows.empty() ? nullptr : rows.front().data(), N * rows.size()};
}

template <class T>
std::vector<std::array<T, 3>> rows_of(const std::vector<T>& values) {
  std::vector<std::array<T, 3>> rows(values.size() / 3);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
  return rows;
}

/// Stores get(element) for each element of `of`.
template <class T, class Of, class Get>
void put_each(RestartFile& file, const std::string& name, const std::vector<Of>& of,
              const Get& get) {
  std::vector<T> values;
  for (const Of& element : of)
    values.push_back(get(element));
  file.put<T>(name, std::span<const T>(values));
}

void get_box(const RestartFile& file, Box& box) {
  const auto lower = file.get<double>("box.lower", 3);
  const auto length = file.get<double>("box.length", 3);
  const auto periodic = file.get<std::int32_t>("box.periodic", 3);
  // Files older than tilted boxes have no tilt.
  const auto tilt = file.has("box.tilt") ? file.get<double>("box.tilt", 3) : std::vector<double>(3);
  for (std::size_t d = 0; d < 3; ++d) {
    box.lower[d] = lower[d];
    box.length[d] = length[d];
    box.periodic[d] = periodic[d] != 0;
    box.tilt[d] = tilt[d];
  }
  if (const auto fault = find_fault(box))
    throw file.error("box",
                     "the restart file is inconsistent: " + fault->field + ", " + fault->expected);
}

/// Splits a text into its lines; each ends with a newline, which names cannot contain.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

void get_types(const RestartFile& file, System& system) {
  const auto masses = file.get<double>("types.mass");
  const std::vector<std::string> names = lines_of(file.text("types.name"));
  if (names.size() != masses.size())
    throw file.error("types.name", "expected as many names as types");
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (!(masses[i] > 0))
      throw file.error("types.mass", "expected masses greater than zero",
                       shortest_number(masses[i]));
    system.types.push_back({names[i], masses[i]});
  }
}

/// Stores the names and values of all pairs one after the other; each name ends with a newline.
void put_pair_coefficients(RestartFile& file, const System& system) {
  std::vector<std::int32_t> types;
  std::vector<double> values;
  std::string names;
  for (const PairCoefficient& c : system.pair_coefficients) {
    types.insert(types.end(), {c.type_i, c.type_j});
    for (const auto& [name, value] : c.values) {
      names += name + '\n';
      values.push_back(value);
    }
  }
  file.put<std::int32_t>("pair_coefficients.types", std::span<const std::int32_t>(types), 2);
  put_each<std::int32_t>(
      file, "pair_coefficients.count", system.pair_coefficients,
      [](const PairCoefficient& c) { return static_cast<std::int32_t>(c.values.size()); });
  file.put_text("pair_coefficients.names", names);
  file.put<double>("pair_coefficients.values", std::span<const double>(values));
}

void get_pair_coefficients(const RestartFile& file, System& system) {
  const auto types = file.get<std::int32_t>("pair_coefficients.types", -1, 2);
  const auto counts = file.get<std::int32_t>("pair_coefficients.count", std::ssize(types) / 2);
  const auto values = file.get<double>("pair_coefficients.values");
  std::istringstream names(file.text("pair_coefficients.names"));
  auto next = values.begin();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    PairCoefficient c{types[2 * i], types[2 * i + 1], {}};
    for (const int type : {c.type_i, c.type_j})
      if (type < 0 || type >= std::ssize(system.types))
        throw file.error("pair_coefficients.types",
                         "the restart file is inconsistent, a pair has a type that it lacks");
    for (std::int32_t v = 0; v < counts[i]; ++v) {
      std::string name;
      if (next == values.end() || !std::getline(names, name))
        throw file.error("pair_coefficients.values", "the restart file is inconsistent");
      c.values[name] = *next++;
    }
    system.pair_coefficients.push_back(std::move(c));
  }
  if (next != values.end())
    throw file.error("pair_coefficients.values", "expected as many values as the counts announce");
}

void put_bonds(RestartFile& file, const System& system) {
  if (system.bonds.empty()) return;
  std::vector<std::int32_t> atoms;
  for (const Bond& bond : system.bonds)
    atoms.insert(atoms.end(), bond.atoms.begin(), bond.atoms.end());
  file.put<std::int32_t>("bonds.atoms", std::span<const std::int32_t>(atoms), 2);
  put_each<std::int32_t>(file, "bonds.type", system.bonds, [](const Bond& b) { return b.type; });
  file.put("bonds.types", system.bond_types);
  if (!system.bond_labels.empty()) {
    std::string labels;
    for (const std::string& label : system.bond_labels)
      labels += label + '\n';
    file.put_text("bonds.labels", labels);
  }
  put_each<std::int32_t>(file, "bond_coefficients.type", system.bond_coefficients,
                         [](const BondCoefficient& c) { return c.type; });
  put_each<std::int32_t>(
      file, "bond_coefficients.count", system.bond_coefficients,
      [](const BondCoefficient& c) { return static_cast<std::int32_t>(c.values.size()); });
  std::vector<double> values;
  for (const BondCoefficient& c : system.bond_coefficients)
    values.insert(values.end(), c.values.begin(), c.values.end());
  file.put<double>("bond_coefficients.values", std::span<const double>(values));
  std::string styles;
  for (const BondCoefficient& c : system.bond_coefficients)
    styles += c.style + '\n';
  if (styles.size() > system.bond_coefficients.size())
    file.put_text("bond_coefficients.style", styles);
}

void get_bonds(const RestartFile& file, System& system) {
  if (!file.has("bonds.atoms")) return;
  const auto atoms = file.get<std::int32_t>("bonds.atoms", -1, 2);
  const auto types = file.get<std::int32_t>("bonds.type", std::ssize(atoms) / 2);
  system.bond_types = file.value<std::int32_t>("bonds.types");
  if (system.bond_types < 0 || system.bond_types > most_bond_types)
    throw file.error("bonds.types", "expected 0 to " + std::to_string(most_bond_types),
                     std::to_string(system.bond_types));
  if (file.has("bonds.labels")) {
    system.bond_labels = lines_of(file.text("bonds.labels"));
    if (std::ssize(system.bond_labels) != system.bond_types)
      throw file.error("bonds.labels", "expected as many labels as bond types");
  }
  for (std::size_t b = 0; b < types.size(); ++b) {
    const Bond bond{{atoms[2 * b], atoms[2 * b + 1]}, types[b]};
    for (const std::int32_t atom : bond.atoms)
      if (atom < 0 || atom >= system.size())
        throw file.error("bonds.atoms", "the restart file is inconsistent, a bond has no atom");
    if (bond.atoms[0] == bond.atoms[1])
      throw file.error("bonds.atoms",
                       "the restart file is inconsistent, a bond has one atom twice");
    if (bond.type < 0 || bond.type >= system.bond_types)
      throw file.error("bonds.type", "the restart file is inconsistent, a bond has no type");
    system.bonds.push_back(bond);
  }
  const auto of = file.get<std::int32_t>("bond_coefficients.type");
  const auto counts = file.get<std::int32_t>("bond_coefficients.count", std::ssize(of));
  const auto values = file.get<double>("bond_coefficients.values");
  std::vector<std::string> styles;
  if (file.has("bond_coefficients.style")) {
    styles = lines_of(file.text("bond_coefficients.style"));
    if (styles.size() != of.size())
      throw file.error("bond_coefficients.style", "expected as many styles as coefficients");
  }
  styles.resize(of.size());
  auto next = values.begin();
  for (std::size_t c = 0; c < of.size(); ++c) {
    if (counts[c] < 0 || counts[c] > values.end() - next || of[c] < 0 || of[c] >= system.bond_types)
      throw file.error("bond_coefficients.values", "the restart file is inconsistent");
    system.bond_coefficients.push_back({of[c], {next, next + counts[c]}, styles[c]});
    next += counts[c];
  }
  if (next != values.end())
    throw file.error("bond_coefficients.values", "expected as many values as the counts announce");
}

template <std::size_t N>
void put_relations(RestartFile& file, const char* name,
                   const std::vector<std::array<std::int32_t, N>>& rows) {
  if (!rows.empty()) file.put<std::int32_t>(name, flat(rows), static_cast<int>(N));
}

template <std::size_t N>
void get_relations(const RestartFile& file, const char* name, std::int64_t atoms,
                   std::vector<std::array<std::int32_t, N>>& rows) {
  if (!file.has(name)) return;
  const auto values = file.get<std::int32_t>(name, -1, static_cast<int>(N));
  rows.resize(values.size() / N);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] < 0 || values[k] >= atoms)
      throw file.error(name, "the restart file is inconsistent, one of them has no atom");
    rows[k / N][k % N] = values[k];
  }
}

/// Checks properties that the checksum cannot cover. Wraps only copies of positions, so that
/// positions keep their bits.
void check_atoms(const RestartFile& file, const System& system) {
  if (const auto twice = IdIndex(system.ids).duplicate())
    throw file.error("ids", "expected each id once",
                     std::to_string(system.ids[static_cast<std::size_t>(twice->second)]));
  for (std::size_t i = 0; i < system.positions.size(); ++i) {
    std::array<double, 3> position = system.positions[i];
    std::array<std::int32_t, 3> image =
        system.images.empty() ? std::array<std::int32_t, 3>{} : system.images[i];
    const PlacementResult result = wrap_into_box(system.box, position, image);
    if (result.placement == Placement::inside || result.placement == Placement::outside) continue;
    throw file.error("positions",
                     "expected atom " + std::to_string(system.ids[i]) +
                         " within 1e9 box lengths of the box " +
                         range_text(system.box, result.axis),
                     shortest_number(system.positions[i][static_cast<std::size_t>(result.axis)]));
  }
}

void get_columns(const RestartFile& file, System& system) {
  system.type = file.get<std::int32_t>("type");
  const std::int64_t atoms = system.size();
  const auto types = static_cast<std::int32_t>(system.types.size());
  for (const std::int32_t type : system.type)
    if (type < 0 || type >= types)
      throw file.error("type",
                       "the restart file is inconsistent, an atom has a type that it lacks");
  system.ids = file.get<std::int64_t>("ids", atoms);
  system.positions = rows_of(file.get<double>("positions", atoms, 3));
  if (file.has("images")) system.images = rows_of(file.get<std::int32_t>("images", atoms, 3));
  if (file.has("velocities")) system.velocities = rows_of(file.get<double>("velocities", atoms, 3));
  if (file.has("charges")) system.charges = file.get<double>("charges", atoms);
  if (file.has("molecules")) system.molecules = file.get<std::int64_t>("molecules", atoms);
}

}  // namespace

void put_description(RestartFile& file, const std::string& units, const System& system) {
  file.put_text("units", units);
  file.put("dimensions", static_cast<std::int32_t>(system.dimensions));
  file.put<double>("box.lower", std::span<const double>(system.box.lower));
  file.put<double>("box.length", std::span<const double>(system.box.length));
  file.put<double>("box.tilt", std::span<const double>(system.box.tilt));
  const std::array<std::int32_t, 3> periodic = {system.box.periodic[0], system.box.periodic[1],
                                                system.box.periodic[2]};
  file.put<std::int32_t>("box.periodic", std::span<const std::int32_t>(periodic));
  std::string names;
  for (const AtomType& type : system.types)
    names += type.name + '\n';
  file.put_text("types.name", names);
  put_each<double>(file, "types.mass", system.types, [](const AtomType& t) { return t.mass; });
  put_pair_coefficients(file, system);
  put_bonds(file, system);
  put_relations(file, "angles.atoms", system.angles);
  put_relations(file, "dihedrals.atoms", system.dihedrals);
}

void write_restart(const std::filesystem::path& path, const Restart& restart) {
  const System& system = restart.system;
  RestartFile file;
  put_description(file, restart.units, system);
  save(restart.clock, file);
  const auto put = [&]<class T>(const char* name, const std::vector<T>& values) {
    if (!values.empty() || system.size() == 0) file.put<T>(name, std::span<const T>(values));
  };
  const auto put_rows = [&]<class T>(const char* name, const std::vector<std::array<T, 3>>& rows) {
    if (!rows.empty() || system.size() == 0) file.put<T>(name, flat(rows), 3);
  };
  put("ids", system.ids);
  put("type", system.type);
  put_rows("positions", system.positions);
  put_rows("images", system.images);
  put_rows("velocities", system.velocities);
  put("charges", system.charges);
  put("molecules", system.molecules);
  file.write(path);
}

Restart read_restart(const std::filesystem::path& path) {
  Restart restart;
  restart.file = RestartFile::read(path);
  const RestartFile& file = restart.file;
  restart.units = file.text("units");
  restart.clock = load_clock(file);
  // Files older than two-dimensional systems have no such field.
  if (file.has("dimensions")) restart.system.dimensions = file.value<std::int32_t>("dimensions");
  get_box(file, restart.system.box);
  get_types(file, restart.system);
  get_pair_coefficients(file, restart.system);
  get_columns(file, restart.system);
  get_bonds(file, restart.system);
  get_relations(file, "angles.atoms", restart.system.size(), restart.system.angles);
  get_relations(file, "dihedrals.atoms", restart.system.size(), restart.system.dihedrals);
  check_atoms(file, restart.system);
  if (const auto fault = find_plane_fault(restart.system))
    throw file.error("dimensions",
                     "the restart file is inconsistent: " + fault->field + ", " + fault->expected,
                     shortest_number(fault->value));
  return restart;
}

}  // namespace tessera::md
