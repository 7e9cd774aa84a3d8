#ifndef TESSERA_CORE_BASE_LOST_WARNINGS_HPP
#define TESSERA_CORE_BASE_LOST_WARNINGS_HPP

#include <string>
#include <vector>

/// \file
/// Warnings that are collected for a caller, and would be lost with an exception.

namespace tessera {

/// Logs the warnings that a list holds when an exception leaves the block: they may explain it.
class LostWarnings {
 public:
  /// \param warnings outlives this.
  explicit LostWarnings(const std::vector<std::string>& warnings);
  ~LostWarnings();
  LostWarnings(const LostWarnings&) = delete;
  LostWarnings& operator=(const LostWarnings&) = delete;

 private:
  const std::vector<std::string>& warnings_;
  int exceptions_;  ///< that were on their way before
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_LOST_WARNINGS_HPP
