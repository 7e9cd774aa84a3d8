#include "physics/md/io/lammps_data/velocities.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace tessera::md::lammps {

void Velocities::read() {
  TextScanner& scanner = reading_.scanner;
  const std::size_t rows = reading_.rows_to_reserve();
  ids_.reserve(rows);
  velocities_.reserve(rows);
  lines_.reserve(rows);
  static const std::array<std::string, 3> names = {"vx", "vy", "vz"};
  reading_.for_each_row("Velocities", Reading::RowStart::digit, [&] {
    const std::string_view id_field = scanner.next_field();
    std::int64_t id = 0;
    if (!parse_number(id_field, id)) {
      throw scanner.error("Velocities id", id_field, "expected the id of an atom");
    }
    std::array<double, 3> velocity;
    for (std::size_t d = 0; d < 3; ++d) {
      const std::string_view field = scanner.next_field();
      if (!parse_number(field, velocity[d]) || !std::isfinite(velocity[d])) {
        throw scanner.error(names[d] + " of atom " + std::to_string(id), field,
                            "expected a finite number");
      }
    }
    reading_.expect_end_of_row("Velocities", "id vx vy vz");
    if (reading_.header.turn) velocity = (*reading_.header.turn)(velocity);
    ids_.push_back(id);
    velocities_.push_back(velocity);
    lines_.push_back(scanner.line_number());
  });
}

void Velocities::assign(const IdIndex& index) {
  if (velocities_.empty()) return;
  System& system = reading_.system;
  if (ids_ == system.ids) {
    system.velocities = std::move(velocities_);
    return;
  }
  system.velocities.resize(system.ids.size());
  std::vector<std::int64_t> line_of(system.ids.size(), 0);
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    const std::int64_t place = index.find(ids_[i]);
    if (place < 0) {
      throw reading_.scanner.error("Velocities id", std::to_string(ids_[i]),
                                   "expected the id of an atom in section Atoms", lines_[i]);
    }
    const auto atom = static_cast<std::size_t>(place);
    if (line_of[atom] > 0) throw given_twice(i, line_of[atom]);
    line_of[atom] = lines_[i];
    system.velocities[atom] = velocities_[i];
  }
}

InputError Velocities::given_twice(std::size_t row, std::int64_t first_line) const {
  // There are as many rows as atoms. If an id occurs twice, another atom has no velocity.
  const std::set<std::int64_t> given(ids_.begin(), ids_.end());
  const std::vector<std::int64_t>& atoms = reading_.system.ids;
  const auto without = std::find_if(atoms.begin(), atoms.end(),
                                    [&](std::int64_t id) { return !given.contains(id); });
  return reading_.scanner.error("Velocities id", std::to_string(ids_[row]),
                                "expected each atom once, it is also on line " +
                                    std::to_string(first_line) + "; atom " +
                                    std::to_string(*without) + " has no velocity",
                                lines_[row]);
}

}  // namespace tessera::md::lammps
