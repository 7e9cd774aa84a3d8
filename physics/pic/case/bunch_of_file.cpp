#include "physics/pic/case/bunch_of_file.hpp"

#include "core/base/error.hpp"
#include "core/base/lost_warnings.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/pic/case/beam_section.hpp"
#include "physics/pic/case/bunch_section.hpp"
#include "physics/pic/io/bunch_table.hpp"
#include "physics/pic/io/openpmd_file_name.hpp"
#include "physics/pic/io/openpmd_format.hpp"
#include "physics/pic/io/openpmd_read.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::pic {
namespace {

/// Relative tolerance, larger than the change of any physical constant from one CODATA adjustment
/// to the next.
constexpr double tolerance = 1e-6;

void expect_same(const std::filesystem::path& path, const std::string& what, double found,
                 double expected) {
  if (std::abs(found - expected) <= tolerance * std::abs(expected)) return;
  throw InputError({path.string(), 0, what, shortest_number(found)},
                   "expected that of [beam], " + shortest_number(expected));
}

BunchRows read_h5(const BunchSection& section, const BeamSection& beam, BunchOfFile& result) {
  OpenPmdQuery question;
  if (section.iteration) question.iteration = static_cast<std::uint64_t>(*section.iteration);
  question.species = section.species;
  question.reference = beam.reference();
  question.place = section.place;
  question.time = section.time;
  question.snapshot = section.snapshot;
  question.rest_energy = beam.rest_energy();
  question.charge_state = beam.charge_state();
  BunchFromFile found = read_openpmd(result.path, question);
  expect_same(result.path, "beta_gamma", found.reference.particle.beta_gamma,
              beam.reference().beta_gamma);
  expect_same(result.path, "rest energy [eV]", found.reference.rest_energy, beam.rest_energy());
  expect_same(result.path, "charge [e]", found.reference.charge_state, beam.charge_state());
  result.particles_per_weight = found.particles_per_weight;
  result.warnings = std::move(found.warnings);
  return found;
}

/// Whether all ids are valid: not negative, and unique.
bool are_ids(std::vector<std::int64_t> ids) {
  std::sort(ids.begin(), ids.end());
  return ids.empty() ||
         (ids.front() >= 0 && std::adjacent_find(ids.begin(), ids.end()) == ids.end());
}

}  // namespace

BunchOfFile bunch_of_file(const cases::Case& c) {
  const auto& section = c.get<BunchSection>();
  const auto& beam = c.get<BeamSection>();
  BunchOfFile result;
  const LostWarnings lost(result.warnings);
  const std::filesystem::path named = section.file.path;
  const auto refuse = [&](const std::string& key, const std::string& value,
                          const std::string& expected) {
    return InputError({section.origin.file, section.origin.line, key, value}, expected);
  };
  result.path = named;
  refuse_other_openpmd_formats(named);
  if (is_hdf5(named) && named.extension() != ".h5")
    throw InputError({named.string(), 0, {}, {}},
                     "this is HDF5, expected a name that ends in .h5 for openPMD");
  if (is_openpmd_series(named)) {
    if (!section.iteration)
      throw refuse("bunch.iteration", "", "missing key, expected the one of the series to read");
    result.path = openpmd_file(named, static_cast<std::uint64_t>(*section.iteration));
  }
  BunchRows rows = named.extension() == ".h5" ? read_h5(section, beam, result)
                                              : read_bunch_table(result.path, beam.reference());
  if (rows.coordinates.empty())
    throw InputError({result.path.string(), 0, {}, {}}, "there are no particles");
  if (!are_ids(rows.ids)) {
    result.warnings.push_back(result.path.string() +
                              ": ids are negative or there twice; they are counted anew from 0");
    rows.ids.clear();
  }
  result.bunch = {std::move(rows.coordinates), std::move(rows.ids), {}, std::move(rows.weights)};
  const double weight = total_weight(result.bunch);
  if (!(weight > 0) || !std::isfinite(weight))
    throw InputError({result.path.string(), 0, "weights", shortest_number(weight)},
                     "expected a positive sum");
  return result;
}

double total_weight(const HostBunch& bunch) {
  if (bunch.weights.empty()) return static_cast<double>(bunch.size());
  double weight = 0;
  for (const double w : bunch.weights)
    weight += w;
  return weight;
}

}  // namespace tessera::pic
