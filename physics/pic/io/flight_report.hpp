#ifndef TESSERA_PHYSICS_PIC_IO_FLIGHT_REPORT_HPP
#define TESSERA_PHYSICS_PIC_IO_FLIGHT_REPORT_HPP

#include "physics/pic/io/fixed_time.hpp"
#include "physics/pic/io/snapshot.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Warnings about particles that were not at the plane of the reference particle.

namespace tessera::pic {

class FlightReport {
 public:
  /// \param beta speed of the reference particle over c.
  explicit FlightReport(double beta) : beta_(beta) {}

  void look(const InFlight& particle);
  /// Text of the warnings, one line each.
  /// \param place z of the plane in the file, in m.
  [[nodiscard]] std::vector<std::string> lines(Snapshot snapshot, double place) const;

 private:
  double beta_;
  std::int64_t particles_ = 0;
  double across_ = 0;  ///< longest transverse displacement on the way to the plane
  /// Mean of c times the delay at the plane, and sum of squares about it.
  double mean_ = 0, squares_ = 0;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_FLIGHT_REPORT_HPP
