#ifndef TESSERA_CORE_BASE_LOST_WARNINGS_HPP
#define TESSERA_CORE_BASE_LOST_WARNINGS_HPP

#include <string>
#include <vector>

/// \file
/// Warnings that are collected for a caller and that an exception would discard.

namespace tessera {

/// Logs the collected warnings when an exception leaves the block, because they may explain it.
class LostWarnings {
 public:
  /// \param warnings has to outlive this object.
  explicit LostWarnings(const std::vector<std::string>& warnings);
  ~LostWarnings();
  LostWarnings(const LostWarnings&) = delete;
  LostWarnings& operator=(const LostWarnings&) = delete;

 private:
  const std::vector<std::string>& warnings_;
  int exceptions_;  ///< exceptions in flight at construction
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_LOST_WARNINGS_HPP
