#ifndef TESSERA_CORE_EXECUTION_HOST_LOAD_HPP
#define TESSERA_CORE_EXECUTION_HOST_LOAD_HPP

/// \file
/// What other processes take of the processors while something is measured.

namespace tessera {

class HostLoad {
 public:
  /// From now on.
  HostLoad();

  /// Share of the machine's processor time since construction that went to others, 0 where it
  /// cannot be told. Counted in hundredths of a second: meaningful from a tenth of a second on.
  [[nodiscard]] double others() const;

 private:
  double busy_ = 0;   ///< seconds of all processors, of all processes
  double total_ = 0;  ///< idle time included
  double own_ = 0;    ///< of this process
};

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_HOST_LOAD_HPP
