#include "tests/campaigns/mutate.hpp"

#include <cstring>
#include <limits>

namespace tessera::campaign {
namespace {

/// Names of records, components and attributes, grouped by length. A name may only be replaced by
/// one of the same length, because HDF5 stores the length too.
const std::vector<std::vector<std::string>> names = {
    {"x", "y", "z", "t", "q"},
    {"id", "pt", "ix"},
    {"cdt", "dpp"},
    {"dpop", "ptau", "zeta", "mass", "data", "beam", "time"},
    {"value", "shape", "s_ref", "sharp"},
    {"unitSI", "charge", "dimens", "weight"},
    {"position", "momentum", "beta_ref", "mass_ref", "timeUnit", "electron", "positron",
     "basePath"},
    {"weighting", "particles", "gamma_ref"},
    {"charge_ref", "timeUnitSI", "timeOffset", "chargeLive"},
    {"speciesType", "totalCharge", "BeamPhysics"},
    {"chargeUnitSI", "numParticles"},
    {"unitDimension", "unitDimensoin", "macroWeighted"},
    {"beta_gamma_ref", "positionOffset", "particles_lost", "weightingPower", "momentumOffset",
     "particleStatus"},
    {"openPMDextension", "openPMDextensoin"}};

void rename(std::string& file, Dice& dice) {
  const std::vector<std::string>& alike = dice.one_of(names);
  const std::string& from = dice.one_of(alike);
  const std::string& to = dice.one_of(alike);
  std::vector<std::size_t> places;
  // Names end with a zero byte.
  for (std::size_t at = file.find(from + '\0'); at != std::string::npos;
       at = file.find(from + '\0', at + 1))
    places.push_back(at);
  if (!places.empty()) file.replace(dice.one_of(places), from.size(), to);
}

/// Overwrites eight bytes of the file that are likely to be a double.
void set_number(std::string& file, Dice& dice) {
  using Limits = std::numeric_limits<double>;
  static const std::vector<double> telling = {0,
                                              -0.0,
                                              1,
                                              -1,
                                              2,
                                              0.5,
                                              1e300,
                                              -1e300,
                                              1e-300,
                                              Limits::max(),
                                              Limits::denorm_min(),
                                              Limits::infinity(),
                                              -Limits::infinity(),
                                              Limits::quiet_NaN()};
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at + 8 <= file.size(); at += 8) {
    double value = 0;
    std::memcpy(&value, file.data() + at, sizeof value);
    const double size = value < 0 ? -value : value;
    if (size > 1e-40 && size < 1e40) places.push_back(at);  // likely to be a number
  }
  if (places.empty()) return;
  const double value = dice.one_of(telling);
  std::memcpy(file.data() + dice.one_of(places), &value, sizeof value);
}

}  // namespace

std::string mutate_openpmd(const std::vector<std::string>& samples, Dice& dice) {
  std::string file = dice.one_of(samples);
  for (std::size_t changes = number_of_changes(dice); changes > 0; --changes) {
    if (dice.one_in(2))
      rename(file, dice);
    else
      set_number(file, dice);
  }
  if (dice.one_in(8)) file[dice.below(file.size())] ^= static_cast<char>(1 << dice.below(8));
  if (dice.one_in(10)) file.resize(dice.below(file.size()));
  return file;
}

}  // namespace tessera::campaign
