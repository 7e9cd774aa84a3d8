#include "physics/pic/io/openpmd_columns.hpp"

#include "core/base/physical_memory.hpp"
#include "core/base/shortest_number.hpp"
#include "core/operations/argument_check.hpp"
#include "physics/pic/io/fixed_time.hpp"
#include "physics/pic/io/flight_report.hpp"
#include "physics/pic/reference_check.hpp"

#include <algorithm>
#include <cmath>
#include <new>

namespace tessera::pic {
namespace {

/// Converts positions at one time as if all particles were at the plane already.
bool stay_at_plane(const FrameNumbers& frame, LongitudinalCoordinates to, const InFlight& in,
                   double (&coordinates)[6]) {
  Longitudinal l{in.z - frame.beta * in.c_time, in.pz};
  if (!from_fixed_time(frame, to, in.px * in.px + in.py * in.py, l)) return false;
  coordinates[4] = l.place;
  coordinates[5] = l.momentum;
  return true;
}

}  // namespace

void OpenPmdColumns::tell(const std::string& line) {
  bunch_.warnings.push_back(group().path() + "/" + line);
}

std::string OpenPmdColumns::file_name() const {
  return group().error("", "", "").where().file;
}

void OpenPmdColumns::read_reference_momentum() {
  BeamReference& reference = bunch_.reference;
  if (group().has_attribute("beta_gamma_ref"))
    reference.particle.beta_gamma = group().number("beta_gamma_ref");
  else if (query_.reference)
    reference.particle = *query_.reference;
  else
    throw group().error("beta_gamma_ref", "",
                        "there is no such attribute, expected one or a reference particle given "
                        "beside the file");
  try {
    check_reference(ArgumentCheck("read_openpmd"), reference.particle);
  } catch (const ArgumentError&) {
    throw group().error("beta_gamma_ref", shortest_number(reference.particle.beta_gamma),
                        "expected a positive momentum over m c");
  }
}

void OpenPmdColumns::allocate(const RecordComponent& component) {
  const auto particles = static_cast<std::size_t>(component.particles);
  // Limits the number of particles, which files with six constant components can state without
  // data.
  const auto most = static_cast<std::uint64_t>(physical_memory_bytes()) / (6 * sizeof(double));
  if (component.particles > most)
    throw InputError(
        {file_name(), 0, component.path, std::to_string(particles) + " particles"},
        "expected at most " + std::to_string(most) + ", which fit in the memory of this machine");
  try {
    if (bunch_.coordinates.empty()) bunch_.coordinates.resize(6 * particles);
  } catch (const std::bad_alloc&) {
    throw InputError({file_name(), 0, component.path, std::to_string(particles) + " particles"},
                     "they do not fit in memory");
  }
}

void OpenPmdColumns::fill(std::size_t column, const std::string& record,
                          const std::string& component, double unit, const char* words) {
  const RecordComponent found = records_.read(record, component);
  allocate(found);
  // If the units are equal every bit is kept, including the sign of zero.
  const double factor = found.unit_si == unit ? 1 : found.unit_si / unit;
  for (std::size_t p = 0; p < rows(); ++p) {
    const double value = found[p] * factor;
    if (!std::isfinite(value))
      throw InputError(
          {file_name(), 0, found.path, shortest_number(found[p])},
          "particle " + std::to_string(p) + ": expected a number that is finite in " + words);
    bunch_.coordinates[6 * p + column] = value;
  }
}

void OpenPmdColumns::add_offset(std::size_t column, const std::string& record,
                                const std::string& component, double unit) {
  const std::string name = record + "Offset";
  if (!records_.has(name, component)) return;
  if (records_.dimension(name) != records_.dimension(record))
    throw group().error(name + "/unitDimension", "", "expected that of " + record);
  const RecordComponent offset = records_.read(name, component);
  if (offset.constant && offset.values.front() == 0) return;
  for (std::size_t p = 0; p < rows(); ++p) {
    double& value = bunch_.coordinates[6 * p + column];
    value += offset[p] * (offset.unit_si / unit);
    if (!std::isfinite(value))
      throw InputError({file_name(), 0, offset.path, shortest_number(offset[p])},
                       "particle " + std::to_string(p) + ": expected an offset that is finite");
  }
}

void OpenPmdColumns::read_column(std::size_t column, const std::string& record,
                                 const std::string& component) {
  fill(column, record, component, 1, "SI units");
}

void OpenPmdColumns::read_momentum(std::size_t column, const std::string& component,
                                   bool dimensionless) {
  fill(column, "momentum", component, dimensionless ? 1 : bunch_.reference.momentum(),
       "units of p_ref");
}

void OpenPmdColumns::read_positions_and_momenta() {
  records_.require_dimension("momentum", momentum_dimension, "a momentum");
  std::size_t column = 0;
  for (const char* const axis : {"x", "y", "z"}) {
    read_column(column, "position", axis);
    add_offset(column++, "position", axis, 1);
    read_momentum(column, axis);
    add_offset(column++, "momentum", axis, bunch_.reference.momentum());
  }
}

void OpenPmdColumns::bring_to_plane(const std::vector<double>& c_times,
                                    const std::vector<bool>& lost) {
  const FrameNumbers frame(bunch_.reference.particle);
  FlightReport report(frame.beta);
  for (std::size_t p = 0; p < rows(); ++p) {
    if (!lost.empty() && lost[p]) continue;
    double c[6];
    double* const row = bunch_.coordinates.data() + 6 * p;
    std::copy_n(row, 6, c);
    const InFlight in{c[0], c[2], c[4] - query_.place, c_times.empty() ? 0 : c_times[p], c[1],
                      c[3], c[5]};
    const bool came = query_.snapshot == Snapshot::drift
                          ? arrive_at_plane(frame, query_.accelerator, in, c)
                          : stay_at_plane(frame, query_.accelerator, in, c);
    if (!came)
      throw group().error(
          "momentum", shortest_number(in.pz),
          "particle " + std::to_string(p) + ": expected a momentum forward in units of p_ref");
    report.look(in);
    std::copy_n(c, 6, row);
  }
  for (const std::string& line : report.lines(query_.snapshot, query_.place))
    tell(line);
}

}  // namespace tessera::pic
