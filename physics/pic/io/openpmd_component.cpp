#include "physics/pic/io/openpmd_component.hpp"

#include "core/base/shortest_number.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tessera::pic {
namespace {

constexpr const char* weighting_record = "weighting";

bool is_constant(const hdf5::Object& object) {
  return !object.is_dataset() && object.has_attribute("value");
}

/// Number of particles of a constant component, whose attribute "shape" is a number or an array of
/// one.
std::uint64_t particles_of(const hdf5::Object& object) {
  const double count = object.number("shape");
  // Integers below 2^53 are exact in double.
  if (!(count >= 0 && count < 0x1p53 && count == std::floor(count)))
    throw object.error("shape", shortest_number(count), "expected a number of particles");
  return static_cast<std::uint64_t>(count);
}

}  // namespace

bool SpeciesRecords::has(const std::string& record, const std::string& component) const {
  return species_.has(record) && species_.member(record).has(component);
}

UnitDimension SpeciesRecords::dimension(const std::string& record) const {
  hdf5::Object object = species_.member(record);
  if (!object.has_attribute("unitDimension"))
    if (const std::vector<std::string> components = object.members(); !components.empty())
      if (const hdf5::Object first = object.member(components.front());
          first.has_attribute("unitDimension"))
        object = first;
  const std::vector<double> powers = object.numbers("unitDimension");
  UnitDimension dimension{};
  if (powers.size() != dimension.size())
    throw object.error("unitDimension", std::to_string(powers.size()) + " numbers",
                       "expected the powers of seven base units");
  std::copy(powers.begin(), powers.end(), dimension.begin());
  return dimension;
}

void SpeciesRecords::require_dimension(const std::string& record, const UnitDimension& wanted,
                                       const char* what) const {
  const UnitDimension found = dimension(record);
  if (found == wanted) return;
  std::string text;
  for (const double power : found)
    text += (text.empty() ? "" : " ") + shortest_number(power);
  throw species_.member(record).error("unitDimension", text,
                                      std::string("expected that of ") + what);
}

double SpeciesRecords::time_offset(const std::string& record) const {
  const hdf5::Object object = species_.member(record);
  return object.has_attribute("timeOffset") ? object.number("timeOffset") : 0;
}

hdf5::Object SpeciesRecords::open(const std::string& record, const std::string& component) {
  read_.push_back(record);
  const hdf5::Object object = species_.member(record);
  return component.empty() ? object : object.member(component);
}

void SpeciesRecords::expect_particles(const hdf5::Object& object, std::uint64_t count) {
  if (!particles_) {
    particles_ = count;
    first_ = object.path();
  }
  if (*particles_ != count)
    throw object.error("", std::to_string(count) + " elements",
                       "expected " + std::to_string(*particles_) + ", as in " + first_);
}

RecordComponent SpeciesRecords::stored(const hdf5::Object& object, double unit_si) {
  RecordComponent result;
  result.path = object.path();
  result.constant = is_constant(object);
  result.unit_si = unit_si;
  if (result.constant) {
    result.particles = particles_of(object);
    result.values = {object.number("value")};
  } else {
    result.values = object.reals();
    result.particles = result.values.size();
  }
  expect_particles(object, result.particles);
  for (std::size_t p = 0; p < result.values.size(); ++p)
    if (!std::isfinite(result.values[p]))
      throw object.error("", shortest_number(result.values[p]),
                         "expected a finite number for particle " + std::to_string(p));
  return result;
}

RecordComponent SpeciesRecords::read(const std::string& record, const std::string& component) {
  const hdf5::Object object = open(record, component);
  if (!object.is_dataset() && !is_constant(object))
    throw object.error("", "",
                       "expected a dataset, or a group with the attributes value and shape");
  const double unit_si = object.number("unitSI");
  if (unit_si == 0) throw object.error("unitSI", "0", "expected a number that is not zero");
  RecordComponent result = stored(object, unit_si);
  const double power = power_of(record);
  if (power != 0) divide_by_weight(record, power, result);
  return result;
}

RecordComponent SpeciesRecords::read_plain(const std::string& record) {
  return stored(open(record, ""), 1);
}

bool SpeciesRecords::describes(const std::string& record) const {
  return species_.member(record).has_attribute("macroWeighted");
}

double SpeciesRecords::power_of(const std::string& record) const {
  if (record == weighting_record || !describes(record)) return 0;
  const hdf5::Object object = species_.member(record);
  const double flag = object.number("macroWeighted");
  if (flag != 0 && flag != 1)
    throw object.error("macroWeighted", shortest_number(flag),
                       "expected 0 for values of one particle, 1 for those of a macro-particle");
  return flag == 0 ? 0 : object.number("weightingPower");
}

void SpeciesRecords::divide_by_weight(const std::string& record, double power,
                                      RecordComponent& component) {
  if (!weights_) {
    if (!has(weighting_record))
      throw species_.error(record + "/macroWeighted", "1",
                           "expected a record weighting beside values of macro-particles");
    weights_ = read(weighting_record, "");
  }
  const RecordComponent& weights = *weights_;
  if (component.constant && !weights.constant) {
    component.values.assign(weights.values.size(), component.values.front());
    component.constant = false;
  }
  for (std::size_t p = 0; p < component.values.size(); ++p) {
    const double weight = weights[p] * weights.unit_si;
    const double divided = component.values[p] / std::pow(weight, power);
    if (!(weight > 0) || !std::isfinite(divided))
      throw InputError(
          {species_.error("", "", "").where().file, 0, weights.path, shortest_number(weights[p])},
          "particle " + std::to_string(p) + ": expected a positive weight, by which " +
              component.path + " is divided (macroWeighted, weightingPower " +
              shortest_number(power) + ")");
    component.values[p] = divided;
  }
}

double SpeciesRecords::read_constant(const std::string& record) {
  // Tolerance: values that were divided by weights are equal only to rounding, in float if the file
  // stores float.
  const double tolerance = power_of(record) == 0 ? 0 : 1e-6;
  const RecordComponent found = read(record, "");
  if (found.values.empty())
    throw species_.error(record, "no particles", "expected a value for each particle");
  for (const double value : found.values)
    if (!(std::abs(value - found.values.front()) <= tolerance * std::abs(found.values.front())))
      throw species_.error(record, shortest_number(value),
                           "expected the same for all particles, the first has " +
                               shortest_number(found.values.front()));
  return found.values.front() * found.unit_si;
}

std::vector<std::int64_t> SpeciesRecords::read_ids(const std::string& record) {
  const hdf5::Object object = open(record, "");
  if (is_constant(object)) {
    const std::uint64_t count = particles_of(object);
    expect_particles(object, count);
    if (count > 1)
      throw object.error("", "", "expected an id for each particle, they all have the same");
    if (count == 0) return {};
    return {static_cast<std::int64_t>(object.number("value"))};
  }
  const std::vector<std::uint64_t> found = object.counts();
  expect_particles(object, found.size());
  std::vector<std::int64_t> ids;
  ids.reserve(found.size());
  for (const std::uint64_t id : found)
    ids.push_back(std::bit_cast<std::int64_t>(id));
  return ids;
}

std::vector<std::string> SpeciesRecords::unread() const {
  std::vector<std::string> names;
  for (const std::string& name : species_.members())
    if (std::find(read_.begin(), read_.end(), name) == read_.end()) names.push_back(name);
  return names;
}

}  // namespace tessera::pic
