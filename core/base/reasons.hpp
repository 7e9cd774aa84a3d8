#ifndef TESSERA_CORE_BASE_REASONS_HPP
#define TESSERA_CORE_BASE_REASONS_HPP

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Reasons, each with the subjects that share it, for instance the implementations that a device
/// refuses for this reason.

namespace tessera {

class Reasons {
 public:
  struct Entry {
    std::string reason;
    std::vector<std::string> subjects;  ///< subjects with this reason, each once

    /// "serial.portable, openmp.portable"; beyond `most` names, "... and 7 more".
    [[nodiscard]] std::string names(
        std::size_t most = std::numeric_limits<std::size_t>::max()) const;
  };

  void add(std::string_view subject, std::string_view reason);

  /// Reasons in the order in which they were first added.
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// "a, b: one reason; c: another"
  [[nodiscard]] std::string text() const;

 private:
  std::vector<Entry> entries_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_REASONS_HPP
