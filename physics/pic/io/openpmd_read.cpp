#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <new>
#include <tessera/core/base/physical_memory.hpp>
#include <tessera/core/base/shortest_number.hpp>
#include <tessera/core/operations/argument_check.hpp>
#include <tessera/pic/io/fixed_time.hpp>
#include <tessera/pic/io/longitudinal_names.hpp>
#include <tessera/pic/io/openpmd_component.hpp>
#include <tessera/pic/io/openpmd_file_name.hpp>
#include <tessera/pic/io/openpmd_read.hpp>
#include <tessera/pic/reference_check.hpp>

namespace tessera::pic {
namespace {

hdf5::Object open(const std::filesystem::path& path) {
  hdf5::Object root = hdf5::Object::root_of(path);
  if (const std::string version = root.text("openPMD"); !version.starts_with("1."))
    throw root.error("openPMD", version, "expected version 1.x of the openPMD standard");
  return root;
}

/// The group below /data/ of the iteration.
hdf5::Object find_iteration(const hdf5::Object& root, const OpenPmdQuestion& question,
                            std::uint64_t& number) {
  const hdf5::Object data = root.member("data");
  std::vector<std::string> names, others;
  for (const std::string& name : data.members()) {
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), value);
    if (failure != std::errc() || end != name.data() + name.size()) continue;
    others.push_back(name);
    if (question.iteration && value != *question.iteration) continue;
    number = value;
    names.push_back(name);
  }
  if (names.size() == 1) return data.member(names.front());
  throw data.error("", question.iteration ? std::to_string(*question.iteration) : "",
                   others.empty() ? "there is no iteration"
                                  : "expected one of the iterations " +
                                        fmt::format("{}", fmt::join(others, ", ")));
}

hdf5::Object find_species(const hdf5::Object& root, const hdf5::Object& step,
                          const OpenPmdQuestion& question) {
  std::string path = root.has_attribute("particlesPath") ? root.text("particlesPath") : "particles";
  while (path.ends_with('/'))
    path.pop_back();
  const hdf5::Object particles = step.member(path);
  if (!question.species.empty()) return particles.member(question.species);
  const std::vector<std::string> names = particles.members();
  if (names.size() == 1) return particles.member(names.front());
  throw particles.error("", "",
                        names.empty() ? "there are no species"
                                      : "expected the name of one of the species " +
                                            fmt::format("{}", fmt::join(names, ", ")));
}

class BunchReader {
 public:
  BunchReader(hdf5::Object species, const OpenPmdQuestion& question, BunchFromFile& bunch)
      : records_(std::move(species)), question_(question), bunch_(bunch) {}

  void read() {
    read_reference();
    read_coordinates();
    if (records_.has("weighting")) read_weights();
    if (records_.has("id")) bunch_.ids = records_.read_ids("id");
    bunch_.ignored = records_.unread();
  }

 private:
  /// The first of the attributes that is there, times its factor; else what the record says.
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
    const hdf5::Object& group = records_.group();
    BeamReference& reference = bunch_.reference;
    if (group.has_attribute("beta_gamma_ref"))
      reference.particle.beta_gamma = group.number("beta_gamma_ref");
    else if (question_.reference)
      reference.particle = *question_.reference;
    else
      throw group.error("beta_gamma_ref", "",
                        "there is no such attribute, expected one or a reference particle given "
                        "beside the file");
    try {
      check_reference(ArgumentCheck("read_openpmd"), reference.particle);
    } catch (const ArgumentError&) {
      throw group.error("beta_gamma_ref", shortest_number(reference.particle.beta_gamma),
                        "expected a positive momentum over m c");
    }
    const double to_ev = speed_of_light * speed_of_light / elementary_charge;
    reference.rest_energy = read_property({{"rest_energy_ref_eV", 1}, {"mass_ref", to_ev}}, "mass",
                                          mass_dimension, to_ev);
    if (!(reference.rest_energy > 0 && std::isfinite(reference.rest_energy)))
      throw group.error("mass", shortest_number(reference.rest_energy) + " eV",
                        "expected a positive mass");
    reference.charge_state =
        read_property({{"charge_state_ref", 1}, {"charge_ref", 1 / elementary_charge}}, "charge",
                      charge_dimension, 1 / elementary_charge);
    reference.path = group.has_attribute("s_ref") ? group.number("s_ref") : 0;
  }

  /// Makes room when the number of particles is known. \returns it.
  std::size_t make_room(const RecordComponent& component) {
    const auto particles = static_cast<std::size_t>(component.particles);
    // Six constant components say a number of particles that takes no place in the file.
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
    return particles;
  }

  [[nodiscard]] std::string file_name() const {
    return records_.group().error("", "", "").where().file;
  }

  void read_column(std::size_t column, const std::string& record, const std::string& name,
                   double factor = 1, const RecordComponent* offset = nullptr) {
    const RecordComponent component = records_.read(record, name);
    const std::size_t particles = make_room(component);
    // A factor of 1 and no offset leave every bit, that of the sign of zero too.
    for (std::size_t p = 0; p < particles; ++p) {
      double value = component[p] * (component.unit_si * factor);
      if (offset != nullptr) value += (*offset)[p] * offset->unit_si;
      if (!std::isfinite(value))
        throw InputError(
            {file_name(), 0, component.path, shortest_number(component[p])},
            "particle " + std::to_string(p) + ": expected a number that is finite in SI units");
      bunch_.coordinates[6 * p + column] = value;
    }
  }

  /// px and py in units of p_ref.
  void read_momentum(std::size_t column, const std::string& name, bool dimensionless) {
    const RecordComponent component = records_.read("momentum", name);
    const std::size_t particles = make_room(component);
    const double unit = bunch_.reference.momentum();
    const bool as_stored = dimensionless ? component.unit_si == 1 : component.unit_si == unit;
    const double factor = component.unit_si / (dimensionless ? 1 : unit);
    for (std::size_t p = 0; p < particles; ++p) {
      const double value = as_stored ? component[p] : component[p] * factor;
      if (!std::isfinite(value))
        throw InputError({file_name(), 0, component.path, shortest_number(component[p])},
                         "particle " + std::to_string(p) +
                             ": expected a number that is finite in units of p_ref");
      bunch_.coordinates[6 * p + column] = value;
    }
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
    read_column(0, "position", "x");
    read_momentum(1, "x", false);
    read_column(2, "position", "y");
    read_momentum(3, "y", false);
    read_column(4, names.place, "");
    read_column(5, names.momentum, "");
    static_cast<void>(records_.read("position", "z"));  // what follows from the others
    convert(names.coordinates);
  }

  void read_impactx() {
    const bool dimensionless = records_.dimension("momentum") == no_dimension;
    if (!dimensionless) records_.require_dimension("momentum", momentum_dimension, "a momentum");
    read_column(0, "position", "x");
    read_momentum(1, "x", dimensionless);
    read_column(2, "position", "y");
    read_momentum(3, "y", dimensionless);
    read_column(4, "position", "t");
    read_momentum(5, "t", dimensionless);
    convert(LongitudinalCoordinates::t_pt);
  }

  void read_fixed_time() {
    records_.require_dimension("momentum", momentum_dimension, "a momentum");
    const auto with_offset = [&](std::size_t column, const std::string& axis) {
      if (!records_.has("positionOffset", axis)) return read_column(column, "position", axis);
      records_.require_dimension("positionOffset", length_dimension, "a length");
      const RecordComponent offset = records_.read("positionOffset", axis);
      const bool none = offset.constant && offset.values.front() == 0;
      read_column(column, "position", axis, 1, none ? nullptr : &offset);
    };
    with_offset(0, "x");
    read_momentum(1, "x", false);
    with_offset(2, "y");
    read_momentum(3, "y", false);
    with_offset(4, "z");
    read_momentum(5, "z", false);
    const FrameNumbers frame(bunch_.reference.particle);
    each_particle("momentum", [&](double t, Longitudinal& l) {
      l.place -= question_.place;
      return from_fixed_time(frame, question_.accelerator, t, l);
    });
  }

  void convert(LongitudinalCoordinates from) {
    const FrameNumbers frame(bunch_.reference.particle);
    each_particle("momentum", [&](double t, Longitudinal& l) {
      return change_convention(frame, from, question_.accelerator, t, l);
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
    if (!(bunch_.particles_per_weight > 0))
      throw records_.group().error("weighting", shortest_number(bunch_.particles_per_weight),
                                   "expected a positive number of physical particles");
  }

  SpeciesRecords records_;
  const OpenPmdQuestion& question_;
  BunchFromFile& bunch_;
};

}  // namespace

BunchFromFile read_openpmd(const std::filesystem::path& pattern, const OpenPmdQuestion& question) {
  const ArgumentCheck check("read_openpmd");
  const bool series = is_openpmd_series(pattern);
  check.require(!series || question.iteration.has_value(), "iteration",
                [&] { return pattern.string() + " is a series, expected the number of one"; });
  if (question.reference) check_reference(check, *question.reference);
  check.require(std::isfinite(question.place), "place", [] { return "expected a finite number"; });

  BunchFromFile bunch;
  const hdf5::Object root = open(series ? openpmd_file(pattern, *question.iteration) : pattern);
  const hdf5::Object step = find_iteration(root, question, bunch.iteration);
  bunch.time = step.number("time") * step.number("timeUnitSI");
  BunchReader(find_species(root, step, question), question, bunch).read();
  return bunch;
}

}  // namespace tessera::pic
