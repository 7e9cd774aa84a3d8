#ifndef TESSERA_TESTS_CAMPAIGNS_MUTATE_HPP
#define TESSERA_TESTS_CAMPAIGNS_MUTATE_HPP

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Mutations of sample files, the same for the same seed on every machine.

namespace tessera::campaign {

/// mt19937_64 is the same everywhere, the distributions of the standard library are not.
class Dice {
 public:
  Dice(std::uint64_t seed, std::uint64_t index);

  /// 0 to n - 1; 0 for n = 0.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : engine_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

 private:
  std::mt19937_64 engine_;
};

/// One in half of the mutations, so that what lies behind a check is reached; else up to four.
inline std::size_t number_of_changes(Dice& dice) {
  return dice.one_in(2) ? 1 : 1 + dice.below(4);
}

/// Changes of a text: bytes, fields, lines, pieces of other samples, its end.
[[nodiscard]] std::string mutate_text(const std::vector<std::string>& samples, Dice& dice);

/// Changes of the fields of a restart file, whose length and checksum are right again
/// (in all but a few).
[[nodiscard]] std::string mutate_restart(const std::vector<std::string>& samples, Dice& dice);

/// Names and numbers of an HDF5 file, hardly ever what HDF5 itself stands on: it does not survive
/// everything.
[[nodiscard]] std::string mutate_openpmd(const std::vector<std::string>& samples, Dice& dice);

/// A restart file with this body.
[[nodiscard]] std::string restart_with(std::string_view body);

}  // namespace tessera::campaign

#endif  // TESSERA_TESTS_CAMPAIGNS_MUTATE_HPP
