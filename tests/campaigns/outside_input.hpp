#ifndef TESSERA_TESTS_CAMPAIGNS_OUTSIDE_INPUT_HPP
#define TESSERA_TESTS_CAMPAIGNS_OUTSIDE_INPUT_HPP

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Readers of all external input of Tessera, with checks that hold for any input.

namespace tessera::campaign {

/// A fault of a reader: an exception that is not meant for users, a message that is not one short
/// line or does not name the file, or numbers that are not finite.
class Fault : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// A format, with a reader that builds everything that a run would start from.
struct Format {
  std::string_view name;
  void (*read)(const std::filesystem::path&);
};

/// All formats: bunch, case, data, extxyz, openpmd, restart, table, trial.
[[nodiscard]] const std::vector<Format>& formats();
/// The format with a given name.
/// \throws std::out_of_range
[[nodiscard]] const Format& format(std::string_view name);

struct Outcome {
  bool accepted = false;
  std::string message;  ///< the reason if the file is not accepted
};

/// Reads a file. \throws Fault
[[nodiscard]] Outcome read_outside_input(const Format& format, const std::filesystem::path& path);

}  // namespace tessera::campaign

#endif  // TESSERA_TESTS_CAMPAIGNS_OUTSIDE_INPUT_HPP
