#include "physics/md/io/lammps_data/relations.hpp"

#include <algorithm>
#include <utility>

namespace tessera::md::lammps {

template <std::size_t N>
void Relations<N>::read() {
  reading_.for_each_row(section_, Reading::RowStart::digit, [&] {
    const auto whole = [&](const std::string& what) {
      const std::string_view field = reading_.scanner.next_field();
      std::int64_t value = 0;
      if (!parse_number(field, value))
        throw reading_.scanner.error(section_ + " " + what, field, "expected a whole number");
      return value;
    };
    static_cast<void>(whole("id"));
    // Skips the type, a number or a label.
    const std::string_view type = reading_.scanner.next_field();
    if (type.empty())
      throw reading_.scanner.error(section_ + " type", type, "the row ends before this column");
    Row row;
    for (std::int64_t& atom : row.atoms)
      atom = whole("atom");
    reading_.expect_end_of_row(section_, "id type and " + std::to_string(N) + " atoms");
    row.line = reading_.scanner.line_number();
    rows_.push_back(row);
  });
}

template <std::size_t N>
void Relations<N>::assign(const IdIndex& index,
                          std::vector<std::array<std::int32_t, N>>& atoms) const {
  for (const Row& row : rows_) {
    auto& places = atoms.emplace_back();
    for (std::size_t k = 0; k < N; ++k) {
      const std::int64_t id = row.atoms[k];
      const std::int64_t place = index.find(id);
      if (place < 0)
        throw reading_.scanner.error(section_ + " atom", std::to_string(id),
                                     "expected the id of an atom in section Atoms", row.line);
      const auto before = row.atoms.begin() + static_cast<std::ptrdiff_t>(k);
      if (std::find(row.atoms.begin(), before, id) != before)
        throw reading_.scanner.error(section_ + " atom", std::to_string(id),
                                     "expected different atoms", row.line);
      places[k] = static_cast<std::int32_t>(place);
    }
  }
}

template class Relations<3>;
template class Relations<4>;

}  // namespace tessera::md::lammps
