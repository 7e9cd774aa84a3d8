#include "physics/pic/io/openpmd_read.hpp"

#include "core/base/shortest_number.hpp"
#include "core/operations/argument_check.hpp"
#include "physics/pic/io/fixed_time.hpp"
#include "physics/pic/io/longitudinal_names.hpp"
#include "physics/pic/io/openpmd_beam_physics.hpp"
#include "physics/pic/io/openpmd_file_name.hpp"
#include "physics/pic/io/openpmd_format.hpp"
#include "physics/pic/io/openpmd_series.hpp"
#include "physics/pic/reference_check.hpp"

#include <cmath>

namespace tessera::pic {
namespace {

/// Reader for version 1 of the standard.
class BunchReader {
 public:
  explicit BunchReader(OpenPmdColumns& columns)
      : columns_(columns),
        records_(columns.records()),
        query_(columns.query()),
        bunch_(columns.bunch()) {}

  void read() {
    read_reference();
    read_coordinates();
    if (records_.has("weighting")) read_weights();
    if (records_.has("id")) bunch_.ids = records_.read_ids("id");
    warn_of_unnamed_species();
    bunch_.ignored = records_.unread();
  }

 private:
  /// An attribute that may contain a property, and the factor to the unit of the property.
  struct Source {
    const char* attribute;
    double factor;
  };
  double read_property(const std::vector<Source>& sources, const char* record,
                       const UnitDimension& dimension, double record_factor) {
    for (const Source& source : sources)
      if (records_.group().has_attribute(source.attribute))
        return records_.group().number(source.attribute) * source.factor;
    if (!records_.has(record))
      throw records_.group().error(sources.back().attribute, "",
                                   std::string("expected this attribute or a record ") + record);
    records_.require_dimension(record, dimension, record);
    return records_.read_constant(record) * record_factor;
  }

  void read_reference() {
    columns_.read_reference_momentum();
    const hdf5::Object& group = records_.group();
    BeamReference& reference = bunch_.reference;
    const double to_ev = speed_of_light * speed_of_light / elementary_charge;
    reference.rest_energy = read_property({{"rest_energy_ref_eV", 1}, {"mass_ref", to_ev}}, "mass",
                                          mass_dimension, to_ev);
    if (!(reference.rest_energy > 0 && std::isfinite(reference.rest_energy)))
      throw group.error("mass", shortest_number(reference.rest_energy) + " eV",
                        "expected a positive mass");
    reference.charge_state =
        read_property({{"charge_state_ref", 1}, {"charge_ref", 1 / elementary_charge}}, "charge",
                      charge_dimension, 1 / elementary_charge);
    if (!std::isfinite(reference.charge_state))
      throw group.error("charge", shortest_number(reference.charge_state) + " e",
                        "expected a finite charge");
    reference.path = group.has_attribute("s_ref") ? group.number("s_ref") : 0;
  }

  void read_coordinates() {
    records_.require_dimension("position", length_dimension, "a length");
    for (const LongitudinalNames& names : longitudinal_names)
      if (records_.has(names.place) && records_.has(names.momentum)) return read_tracked(names);
    if (records_.has("position", "t")) return read_impactx();
    read_fixed_time();
  }

  void read_tracked(const LongitudinalNames& names) {
    records_.require_dimension("momentum", momentum_dimension, "a momentum");
    records_.require_dimension(names.place, length_dimension, "a length");
    records_.require_dimension(names.momentum, no_dimension, "a number");
    read_at_plane(0, "x");
    columns_.read_momentum(1, "x");
    read_at_plane(2, "y");
    columns_.read_momentum(3, "y");
    columns_.read_column(4, names.place, "");
    columns_.read_column(5, names.momentum, "");
    // Reads the record only to mark it as used: it follows from the other records.
    static_cast<void>(records_.read("position", "z"));
    convert(names.coordinates);
  }

  /// Reads x or y at the plane, because `position` may contain positions at one time.
  void read_at_plane(std::size_t column, const char* axis) {
    const char* const name = names_at_plane[column / 2];
    if (!records_.has(name)) return columns_.read_column(column, "position", axis);
    records_.require_dimension(name, length_dimension, "a length");
    columns_.read_column(column, name, "");
  }

  void read_impactx() {
    const bool dimensionless = records_.dimension("momentum") == no_dimension;
    if (!dimensionless) records_.require_dimension("momentum", momentum_dimension, "a momentum");
    columns_.read_column(0, "position", "x");
    columns_.read_momentum(1, "x", dimensionless);
    columns_.read_column(2, "position", "y");
    columns_.read_momentum(3, "y", dimensionless);
    columns_.read_column(4, "position", "t");
    columns_.read_momentum(5, "t", dimensionless);
    convert(LongitudinalCoordinates::t_pt);
  }

  void read_fixed_time() {
    columns_.read_positions_and_momenta();
    columns_.bring_to_plane({}, {});
  }

  void convert(LongitudinalCoordinates from) {
    const FrameNumbers frame(bunch_.reference.particle);
    each_particle("momentum", [&](double t, Longitudinal& l) {
      return change_convention(frame, from, query_.accelerator, t, l);
    });
  }

  template <class Change>
  void each_particle(const std::string& record, const Change& change) {
    for (std::size_t p = 0; p < bunch_.coordinates.size() / 6; ++p) {
      double* const c = bunch_.coordinates.data() + 6 * p;
      Longitudinal l{c[4], c[5]};
      if (!change(c[1] * c[1] + c[3] * c[3], l))
        throw records_.group().error(
            record, shortest_number(c[5]),
            "particle " + std::to_string(p) + ": expected a momentum forward in units of p_ref");
      c[4] = l.place;
      c[5] = l.momentum;
    }
  }

  void read_weights() {
    records_.require_dimension("weighting", no_dimension, "a number");
    const RecordComponent weighting = records_.read("weighting", "");
    bunch_.particles_per_weight = weighting.unit_si;
    if (weighting.constant)
      bunch_.particles_per_weight *= weighting.values.front();
    else
      bunch_.weights = weighting.values;
    if (!(bunch_.particles_per_weight > 0 && std::isfinite(bunch_.particles_per_weight)))
      throw records_.group().error("weighting", shortest_number(bunch_.particles_per_weight),
                                   "expected a positive number of physical particles");
  }

  /// Warns of a file with weights that does not state whether momenta are those of physical
  /// particles.
  void warn_of_unnamed_species() {
    const bool weighted = bunch_.particles_per_weight != 1 || !bunch_.weights.empty();
    if (!records_.has("weighting") || !weighted || records_.describes("momentum")) return;
    columns_.tell(
        "momentum: the file does not say whether it is that of one particle or of a macro-particle "
        "(macroWeighted); it is taken as that of one");
  }

  OpenPmdColumns& columns_;
  SpeciesRecords& records_;
  const OpenPmdQuery& query_;
  BunchFromFile& bunch_;
};

/// Time of the bunch after that of the iteration, in units of the iteration's time. Refuses
/// positions and momenta at different times, which do not describe one bunch.
double time_offset_of(const SpeciesRecords& records) {
  const double of_position = records.time_offset("position");
  const double of_momentum = records.time_offset("momentum");
  if (of_position != of_momentum)
    throw records.group().error("momentum/timeOffset", shortest_number(of_momentum),
                                "expected that of position, " + shortest_number(of_position) +
                                    ": places and momenta at one time");
  return of_position;
}

}  // namespace

BunchFromFile read_openpmd(const std::filesystem::path& pattern, const OpenPmdQuery& query) {
  const ArgumentCheck check("read_openpmd");
  const bool series = is_openpmd_series(pattern);
  check.require(!series || query.iteration.has_value(), "iteration",
                [&] { return pattern.string() + " is a series, expected the number of one"; });
  if (query.reference) check_reference(check, *query.reference);
  check.require(std::isfinite(query.place), "place", [] { return "expected a finite number"; });
  check.require(!query.time || std::isfinite(*query.time), "time",
                [] { return "expected a finite number"; });

  BunchFromFile bunch;
  const std::filesystem::path path = series && !is_other_openpmd_format(pattern)
                                         ? openpmd_file(pattern, *query.iteration)
                                         : pattern;
  const FoundSpecies found = find_species(path, query.iteration, query.species);
  bunch.iteration = found.number;
  const auto number = [&](const char* attribute, double otherwise) {
    return found.beam_physics && !found.iteration.has_attribute(attribute)
               ? otherwise
               : found.iteration.number(attribute);
  };
  OpenPmdColumns columns(found.species, query, bunch);
  bunch.time = (number("time", 0) + time_offset_of(columns.records())) * number("timeUnitSI", 1);
  if (!std::isfinite(bunch.time))
    throw found.iteration.error("time", shortest_number(bunch.time) + " s",
                                "expected a finite time");
  if (found.beam_physics && found.species.has("time"))
    read_beam_physics(columns);
  else
    BunchReader(columns).read();
  for (std::string& warning : bunch.warnings)
    warning = path.string() + ": " + warning;
  return bunch;
}

}  // namespace tessera::pic
