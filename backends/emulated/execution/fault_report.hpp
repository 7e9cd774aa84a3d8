#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_FAULT_REPORT_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_FAULT_REPORT_HPP

#include <csignal>
#include <string>

/// \file
/// A message about an invalid address in a kernel, before the program ends.

namespace tessera::emulated {

/// While it exists, an access to an invalid address (SIGSEGV) first prints the kernel, the block,
/// the thread and the place of the address, and is then handled as it was before.
class FaultReport {
 public:
  /// \param kernel its name, which must live as long as the object.
  explicit FaultReport(const std::string& kernel);
  ~FaultReport();
  FaultReport(const FaultReport&) = delete;
  FaultReport& operator=(const FaultReport&) = delete;

 private:
  const std::string* outer_;
  struct sigaction former_ = {};
};

}  // namespace tessera::emulated

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_FAULT_REPORT_HPP
