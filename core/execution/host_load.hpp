#ifndef TESSERA_CORE_EXECUTION_HOST_LOAD_HPP
#define TESSERA_CORE_EXECUTION_HOST_LOAD_HPP

/// \file
/// Processor load by other processes during a measurement.

namespace tessera {

class HostLoad {
 public:
  /// Starts the measurement.
  HostLoad();

  /// Share of the machine's processor time since construction that other processes used; 0 where
  /// unknown. The resolution is 10 ms, so intervals should last at least 0.1 s.
  [[nodiscard]] double others() const;

 private:
  double busy_ = 0;   ///< seconds of all processors, all processes
  double total_ = 0;  ///< `busy_` plus idle time
  double own_ = 0;    ///< seconds of this process
};

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_HOST_LOAD_HPP
