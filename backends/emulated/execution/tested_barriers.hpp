#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_TESTED_BARRIERS_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_TESTED_BARRIERS_HPP

#include <map>
#include <set>
#include <source_location>
#include <string>
#include <utility>

/// \file
/// Tests of tests: scripts/skip_barriers leaves out one barrier of the kernels after the other and
/// expects that a test fails.

namespace tessera::emulated {

/// Barriers that kernels reach. With the environment variable TESSERA_EMULATED_BARRIERS=FILE the
/// barriers that the program has reached are written to FILE at its end, a line
/// "PATH:LINE<tab>operation<tab>kernels" for each. TESSERA_EMULATED_SKIP=PATH:LINE leaves out the
/// barriers of a line.
class TestedBarriers {
 public:
  TestedBarriers();
  ~TestedBarriers();
  TestedBarriers(const TestedBarriers&) = delete;
  TestedBarriers& operator=(const TestedBarriers&) = delete;

  /// Notes that a thread has reached a barrier. \returns whether it is left out.
  [[nodiscard]] bool skips(const char* operation, const std::source_location& where,
                           const std::string& kernel) {
    if (!is_on_) return false;
    return look_up(operation, where, kernel);
  }

 private:
  bool look_up(const char* operation, const std::source_location& where, const std::string& kernel);

  bool is_on_ = false;
  std::string file_;
  std::string skipped_;
  /// Operation and names of kernels, by path and line.
  std::map<std::pair<std::string, unsigned>, std::pair<std::string, std::set<std::string>>>
      reached_;
};

}  // namespace tessera::emulated

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_TESTED_BARRIERS_HPP
