#ifndef TESSERA_PHYSICS_PIC_IO_FLIGHT_REPORT_HPP
#define TESSERA_PHYSICS_PIC_IO_FLIGHT_REPORT_HPP

#include "physics/pic/io/fixed_time.hpp"
#include "physics/pic/io/snapshot.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// What a user is told of particles that were not at the plane of the reference particle.

namespace tessera::pic {

class FlightReport {
 public:
  /// \param beta of the reference particle.
  explicit FlightReport(double beta) : beta_(beta) {}

  void look(const InFlight& particle);
  /// One line each. \param place z of the plane in the file, in m.
  [[nodiscard]] std::vector<std::string> lines(Snapshot snapshot, double place) const;

 private:
  double beta_;
  std::int64_t particles_ = 0;
  double across_ = 0;              ///< the longest way across the beam to the plane
  double mean_ = 0, squares_ = 0;  ///< of c times how late particles are there
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_FLIGHT_REPORT_HPP
