#include "physics/pic/bunch_moments.hpp"

#include "core/base/error.hpp"

#include <string>

namespace tessera::pic {

BunchMoments::BunchMoments(std::span<const double> numbers) {
  if (numbers.size() != static_cast<std::size_t>(bunch_number::count))
    throw ArgumentError("pic::BunchMoments", "numbers",
                        std::to_string(numbers.size()) + " of them, expected " +
                            std::to_string(bunch_number::count));
  const auto number = [&](int at) { return numbers[static_cast<std::size_t>(at)]; };
  particles = static_cast<std::int64_t>(number(bunch_number::particles));
  not_finite = static_cast<std::int64_t>(number(bunch_number::not_finite));
  weight = number(bunch_number::weight);
  for (int a = 0; a < coordinates_of_particle; ++a) {
    mean[a] = number(bunch_number::mean + a);
    least[a] = number(bunch_number::least + a);
    greatest[a] = number(bunch_number::greatest + a);
    for (int b = 0; b < coordinates_of_particle; ++b)
      second[a][b] = number(bunch_number::second_of(a, b));
  }
}

bool BunchMoments::coincide() const {
  if (particles < 2) return true;
  const auto same = [&](int column) { return least[column] == greatest[column]; };
  return same(0) && same(2) && same(4);
}

}  // namespace tessera::pic
