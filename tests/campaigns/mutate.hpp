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

/// Random numbers that are the same on every machine. They come from mt19937_64 without the
/// distributions of the standard library, which differ between implementations.
class Dice {
 public:
  Dice(std::uint64_t seed, std::uint64_t index);

  /// A number from 0 to n - 1; 0 for n = 0.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : engine_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

 private:
  std::mt19937_64 engine_;
};

/// Random number of changes that a mutation makes: 1 in half of the cases, so that other checks
/// pass and the code after them is reached; else up to 4.
inline std::size_t number_of_changes(Dice& dice) {
  return dice.one_in(2) ? 1 : 1 + dice.below(4);
}

/// Mutates a text: bytes, fields, lines, pieces of other samples, truncation.
[[nodiscard]] std::string mutate_text(const std::vector<std::string>& samples, Dice& dice);

/// Mutates the fields of a restart file and, in all but a few cases, corrects its length and
/// checksum.
[[nodiscard]] std::string mutate_restart(const std::vector<std::string>& samples, Dice& dice);

/// Mutates names and numbers of an HDF5 file, and rarely its internal structure, against which HDF5
/// is not robust.
[[nodiscard]] std::string mutate_openpmd(const std::vector<std::string>& samples, Dice& dice);

/// A restart file with a given body.
[[nodiscard]] std::string restart_with(std::string_view body);

}  // namespace tessera::campaign

#endif  // TESSERA_TESTS_CAMPAIGNS_MUTATE_HPP
