#ifndef TESSERA_TESTS_ANALYTIC_PIC_BUNCH_HPP
#define TESSERA_TESTS_ANALYTIC_PIC_BUNCH_HPP

#include "core/memory/array.hpp"
#include "physics/pic/physical_constants.hpp"
#include "physics/pic/space_charge/space_charge_kick.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::pic::analytic {

/// A bunch on a device, with ids and alive flags of its particles.
template <class P>
struct Bunch {
  using Storage = typename P::Storage;

  Context context;
  std::int64_t particles;
  Array<Storage> coordinates;
  Array<std::uint8_t> alive;
  Array<std::int64_t> ids;

  Bunch(const Context& of, const std::vector<double>& values)
      : context(of),
        particles(static_cast<std::int64_t>(values.size() / 6)),
        coordinates(of, std::vector<Storage>(values.begin(), values.end())),
        alive(of, std::vector<std::uint8_t>(values.size() / 6, 1)),
        ids(of, particles) {
    std::vector<std::int64_t> numbers;
    for (std::int64_t p = 0; p < particles; ++p)
      numbers.push_back(p);
    ids.copy_from(numbers);
  }
  [[nodiscard]] BunchArrays<Storage> arrays() {
    return {{coordinates.data(), {particles, 6}},
            {alive.data(), {particles}},
            {},
            {ids.data(), {particles}}};
  }
  /// Coordinates in rows of six; row p is the particle with id p, in any order of the particles.
  [[nodiscard]] std::vector<double> by_id() const {
    const std::vector<Storage> now = coordinates.to_host();
    const std::vector<std::int64_t> numbers = ids.to_host();
    std::vector<double> rows(now.size());
    for (std::size_t p = 0; p < numbers.size(); ++p)
      std::copy_n(now.begin() + static_cast<std::ptrdiff_t>(6 * p), 6,
                  rows.begin() + 6 * numbers[p]);
    return rows;
  }
};

}  // namespace tessera::pic::analytic

#endif  // TESSERA_TESTS_ANALYTIC_PIC_BUNCH_HPP
