#include "physics/pic/io/flight_report.hpp"

#include "core/base/shortest_number.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::pic {
namespace {

/// Number of deviations above which a mean delay is probably a mistake of the user.
constexpr double far = 10;

}  // namespace

void FlightReport::look(const InFlight& particle) {
  ++particles_;
  // B. P. Welford, Technometrics 4, 419 (1962).
  const double late = particle.c_time - particle.z / beta_;
  const double before = late - mean_;
  mean_ += before / static_cast<double>(particles_);
  squares_ += before * (late - mean_);
  if (particle.z != 0 && particle.pz > 0)
    across_ = std::max(across_, std::abs(particle.z) * std::hypot(particle.px / particle.pz,
                                                                  particle.py / particle.pz));
}

std::vector<std::string> FlightReport::lines(Snapshot snapshot, double place) const {
  std::vector<std::string> all;
  const std::string most = "by at most " + rounded_number(across_) + " m";
  const std::string plane =
      "the plane of the reference particle (z = " + shortest_number(place) + " m)";
  if (across_ > 0 && snapshot == Snapshot::drift)
    all.push_back("position: particles drift from where the file has them to " + plane +
                  ", x and y change " + most + "; snapshot = \"as it is\" leaves them");
  if (across_ > 0 && snapshot == Snapshot::as_it_is)
    all.push_back("position: x and y are those of the file, as if all particles were at " + plane +
                  "; the way there would change them " + most);
  const double deviation = std::sqrt(squares_ / static_cast<double>(particles_));
  if (deviation > 0 && std::abs(mean_) > far * deviation)
    all.push_back("position: in the mean particles pass " + plane + " " +
                  rounded_number(std::abs(mean_)) + " m / c " + (mean_ > 0 ? "later" : "earlier") +
                  " than it, more than ten times the length of the bunch");
  return all;
}

}  // namespace tessera::pic
