#include "physics/pic/io/openpmd_beam_physics.hpp"

#include "core/base/shortest_number.hpp"
#include "physics/pic/species.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tessera::pic {
namespace {

/// Species of a name of the extension SpeciesType, including names such as "anti-proton".
std::optional<Species> species_of_type(std::string type) {
  if (const std::string anti = "anti-"; type.starts_with(anti)) type.erase(anti.size() - 1, 1);
  return species_of_name(type);
}

std::string known_types() {
  std::string all;
  for (const Species species : all_species)
    all += (all.empty() ? "" : ", ") + std::string(name(species));
  return all;
}

/// Reads mass and charge of the physical particles.
void read_species(OpenPmdColumns& columns) {
  BeamReference& reference = columns.bunch().reference;
  const OpenPmdQuery& query = columns.query();
  const std::string type = columns.group().text("speciesType");
  if (const std::optional<Species> known = species_of_type(type)) {
    const SpeciesNumbers numbers = numbers_of(*known);
    reference.rest_energy = numbers.rest_energy;
    reference.charge_state = numbers.charge_state;
    return;
  }
  if (!(query.rest_energy > 0) || query.charge_state == 0)
    throw columns.group().error(
        "speciesType", type,
        "expected one of " + known_types() + ", or a mass and a charge given beside the file");
  reference.rest_energy = query.rest_energy;
  reference.charge_state = query.charge_state;
  columns.tell("speciesType: mass and charge of '" + type +
               "' are those of the reference particle");
}

/// By particle, whether it is lost: its `particleStatus` is not 1. Empty: no particle is lost.
std::vector<bool> read_lost(OpenPmdColumns& columns) {
  std::vector<bool> lost;
  if (!columns.records().has("particleStatus")) return lost;
  const RecordComponent status = columns.records().read_plain("particleStatus");
  for (std::size_t p = 0; p < columns.rows(); ++p)
    lost.push_back(status[p] != 1);
  return lost;
}

/// By particle, c times its delay behind the reference particle, whose time is the timeOffset of
/// the record.
std::vector<double> read_times(OpenPmdColumns& columns) {
  SpeciesRecords& records = columns.records();
  records.require_dimension("time", time_dimension, "a time");
  const RecordComponent time = records.read("time", "");
  std::optional<RecordComponent> offset;
  if (records.has("timeOffset")) {
    records.require_dimension("timeOffset", time_dimension, "a time");
    offset = records.read("timeOffset", "");
  }
  const std::optional<double>& reference = columns.query().time;
  std::vector<double> times(columns.rows());
  for (std::size_t p = 0; p < times.size(); ++p) {
    double t = time[p] * time.unit_si;
    if (reference) t += (offset ? (*offset)[p] * offset->unit_si : 0) - *reference;
    times[p] = speed_of_light * t;
    if (!std::isfinite(times[p]))
      throw columns.group().error("time", shortest_number(time[p]),
                                  "expected a finite time for particle " + std::to_string(p));
  }
  return times;
}

class Charges {
 public:
  Charges(OpenPmdColumns& columns, const std::vector<bool>& lost)
      : columns_(columns),
        lost_(lost),
        unit_(group().has_attribute("chargeUnitSI") ? group().number("chargeUnitSI") : 1) {}

  void read() {
    BunchFromFile& bunch = columns_.bunch();
    const double of_one = std::abs(bunch.reference.charge());
    if (columns_.records().has("weight"))
      read_weights();
    else if (has(live) || has(total))
      share();
    else
      return;
    bunch.particles_per_weight /= of_one;
    if (bunch.coordinates.empty()) return;
    if (!(bunch.particles_per_weight > 0 && std::isfinite(bunch.particles_per_weight)))
      throw group().error("weight", shortest_number(bunch.particles_per_weight * of_one),
                          "expected charges of macro-particles in C");
  }

 private:
  static constexpr const char* live = "chargeLive";
  static constexpr const char* total = "totalCharge";

  [[nodiscard]] const hdf5::Object& group() const { return columns_.group(); }
  [[nodiscard]] bool has(const char* attribute) const { return group().has_attribute(attribute); }
  /// Value of the attribute in C, without its sign.
  [[nodiscard]] double said(const char* attribute) const {
    return std::abs(group().number(attribute) * unit_);
  }
  [[nodiscard]] bool is_lost(std::size_t particle) const {
    return !lost_.empty() && lost_[particle];
  }

  void read_weights() {
    BunchFromFile& bunch = columns_.bunch();
    columns_.records().require_dimension("weight", charge_dimension, "a charge");
    const RecordComponent weight = columns_.records().read("weight", "");
    double sum = 0, of_living = 0;
    for (std::size_t p = 0; p < columns_.rows(); ++p) {
      sum += weight[p];
      of_living += is_lost(p) ? 0 : weight[p];
    }
    // Some programs write charges with the sign of the particles.
    const double sign = sum < 0 ? -1 : 1;
    bunch.particles_per_weight = weight.unit_si;
    if (weight.constant)
      bunch.particles_per_weight *= sign * weight.values.front();
    else
      for (const double value : weight.values)
        bunch.weights.push_back(sign * value);
    compare(live, std::abs(of_living * weight.unit_si));
    compare(total, std::abs(sum * weight.unit_si));
  }

  /// Without weights, divides the total charge equally among the particles.
  void share() {
    const bool of_living = has(live);
    const auto lost = std::count(lost_.begin(), lost_.end(), true);
    const auto particles =
        static_cast<std::int64_t>(columns_.rows()) - (of_living ? std::int64_t{lost} : 0);
    columns_.bunch().particles_per_weight =
        said(of_living ? live : total) / static_cast<double>(std::max<std::int64_t>(particles, 1));
  }

  void compare(const char* attribute, double found) {
    if (!has(attribute) || std::abs(said(attribute) - found) <= 1e-6 * found) return;
    columns_.tell(std::string(attribute) + ": it is " + shortest_number(said(attribute)) +
                  " C, but the weights add up to " + shortest_number(found) +
                  " C; the weights count");
  }

  OpenPmdColumns& columns_;
  const std::vector<bool>& lost_;
  double unit_;
};

void leave_out(OpenPmdColumns& columns, const std::vector<bool>& lost) {
  BunchFromFile& bunch = columns.bunch();
  std::size_t kept = 0;
  for (std::size_t p = 0; p < lost.size(); ++p) {
    if (lost[p]) continue;
    for (std::size_t a = 0; a < 6; ++a)
      bunch.coordinates[6 * kept + a] = bunch.coordinates[6 * p + a];
    if (!bunch.weights.empty()) bunch.weights[kept] = bunch.weights[p];
    if (!bunch.ids.empty()) bunch.ids[kept] = bunch.ids[p];
    ++kept;
  }
  if (kept == lost.size()) return;
  bunch.coordinates.resize(6 * kept);
  if (!bunch.weights.empty()) bunch.weights.resize(kept);
  if (!bunch.ids.empty()) bunch.ids.resize(kept);
  columns.tell("particleStatus: " + std::to_string(lost.size() - kept) +
               " particles are lost (their status is not 1) and left out");
}

}  // namespace

void read_beam_physics(OpenPmdColumns& columns) {
  columns.read_reference_momentum();
  read_species(columns);
  columns.records().require_dimension("position", length_dimension, "a length");
  columns.read_positions_and_momenta();
  const std::vector<bool> lost = read_lost(columns);
  columns.bring_to_plane(read_times(columns), lost);
  Charges(columns, lost).read();
  if (columns.records().has("id")) columns.bunch().ids = columns.records().read_ids("id");
  leave_out(columns, lost);
  columns.bunch().ignored = columns.records().unread();
}

}  // namespace tessera::pic
