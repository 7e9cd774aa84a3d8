#include "physics/pic/case/beam_section.hpp"

#include "physics/pic/physical_constants.hpp"

#include <cmath>

namespace tessera::pic {
namespace {

using cases::TableView;

const cases::Rule<BeamSection> no_species = {
    [](const BeamSection& s) { return !s.species; },
    "expected either a species or mass and charge, not both"};
const cases::Rule<BeamSection> without_species = {[](const BeamSection& s) { return !s.species; },
                                                  ""};

constexpr const char* one_energy =
    "expected one of kinetic_energy, total_energy, momentum, gamma and beta, not several";
constexpr const char* one_intensity =
    "expected one of particles, bunch_charge and current, not several";

int energies(const BeamSection& s) {
  return int{s.kinetic_energy.has_value()} + int{s.total_energy.has_value()} +
         int{s.momentum.has_value()} + int{s.gamma.has_value()} + int{s.beta.has_value()};
}
int intensities(const BeamSection& s) {
  return int{s.particles.has_value()} + int{s.bunch_charge.has_value()} +
         int{s.current.has_value()};
}

const cases::Rule<BeamSection> only_energy = {[](const BeamSection& s) { return energies(s) <= 1; },
                                              one_energy};
const cases::Rule<BeamSection> only_intensity = {
    [](const BeamSection& s) { return intensities(s) <= 1; }, one_intensity};

/// Checks that ranges of single keys do not cover.
void check_reference_of(const BeamSection& s, const TableView& table) {
  if (s.charge && *s.charge == 0)
    throw table.wrong("charge", "a number of elementary charges other than 0");
  if (s.beta && !(*s.beta < 1))
    throw table.wrong("beta", "a speed below that of light, between 0 and 1");
  const bool known = s.species || s.mass;
  if (s.total_energy && known && !(*s.total_energy * 1e6 > s.rest_energy()))
    throw table.wrong("total_energy", "more than the rest energy, " +
                                          cases::text_of(s.rest_energy() * 1e-6) + " MeV");
  if (energies(s) != 1 || !known) return;
  const double momentum = s.reference().beta_gamma;
  if (std::isfinite(momentum * momentum) && momentum * momentum > 0) return;
  const char* const key = s.kinetic_energy ? "kinetic_energy"
                          : s.total_energy ? "total_energy"
                          : s.momentum     ? "momentum"
                          : s.gamma        ? "gamma"
                                           : "beta";
  throw table.error(key, "the momentum over mass and c would be " + cases::text_of(momentum) +
                             ", expected a positive number with a positive finite square");
}

}  // namespace

double BeamSection::rest_energy() const {
  return species ? numbers_of(*species).rest_energy : 1e6 * mass.value_or(0);
}

double BeamSection::charge_state() const {
  return species ? numbers_of(*species).charge_state : charge.value_or(0);
}

ReferenceParticle BeamSection::reference() const {
  const double rest = rest_energy();
  // gamma^2 - 1 = (E - m) (E + m) / m^2 avoids subtracting nearly equal numbers.
  const auto with_kinetic = [&](double kinetic) {
    const double t = kinetic / rest;
    return ReferenceParticle{std::sqrt(t * (t + 2))};
  };
  if (kinetic_energy) return with_kinetic(1e6 * *kinetic_energy);
  if (total_energy) return with_kinetic(1e6 * *total_energy - rest);
  if (momentum) return {1e6 * *momentum / rest};
  if (gamma) return ReferenceParticle::with_gamma(*gamma);
  const double b = beta.value_or(0);
  return {b / std::sqrt((1 - b) * (1 + b))};
}

double BeamSection::total_charge(double length) const {
  const double sign = charge_state() < 0 ? -1 : 1;
  if (particles) return *particles * charge_state() * elementary_charge;
  if (bunch_charge) return sign * std::abs(*bunch_charge);
  if (current) return sign * std::abs(*current) * length / (reference().beta() * speed_of_light);
  return 0;
}

cases::Section<BeamSection> BeamSection::section() {
  using namespace cases;
  const auto energy = [](std::string name, std::string unit, Range range, std::string meaning) {
    return Options<BeamSection>{.name = std::move(name),
                                .unit = std::move(unit),
                                .range = range,
                                .fallback = "none",
                                .meaning = std::move(meaning),
                                .only = {only_energy}};
  };
  const Range above_one{1, std::numeric_limits<double>::infinity(), true};
  Options<BeamSection> kinetic =
      energy("kinetic_energy", "MeV", positive,
             "kinetic energy of the reference particle; or one of the four below");
  kinetic.fallback = "one of five required";
  kinetic.missing =
      "the energy of the reference particle: kinetic_energy, total_energy, momentum, gamma or beta";
  kinetic.needed = {[](const BeamSection& s) { return energies(s) == 0; }, ""};
  return {
      .name = "beam",
      .presence = Presence::required,
      .meaning = "species, energy and charge of the beam",
      .rows = {
          {choice(&BeamSection::species,
                  {Species::proton, Species::antiproton, Species::electron, Species::positron,
                   Species::muon, Species::antimuon, Species::hydride},
                  {.name = "species",
                   .fallback = "`mass` and `charge`",
                   .meaning = "kind of particle, with the mass of CODATA 2018"}),
           field(&BeamSection::mass,
                 {.name = "mass",
                  .unit = "MeV",
                  .range = positive,
                  .fallback = "that of the species",
                  .meaning = "rest energy of a particle",
                  .missing = "a species, or the mass and the charge of a particle",
                  .needed = without_species,
                  .only = {no_species}}),
           field(&BeamSection::charge, {.name = "charge",
                                        .unit = "e",
                                        .fallback = "that of the species",
                                        .meaning = "charge of a particle, with its sign",
                                        .missing = "the charge of a particle in elementary charges",
                                        .needed = without_species,
                                        .only = {no_species}}),
           field(&BeamSection::kinetic_energy, kinetic),
           field(&BeamSection::total_energy,
                 energy("total_energy", "MeV", positive, "total energy, rest energy included")),
           field(&BeamSection::momentum, energy("momentum", "MeV", positive, "momentum times c")),
           field(&BeamSection::gamma, energy("gamma", "", above_one, "Lorentz factor")),
           field(&BeamSection::beta,
                 energy("beta", "", positive, "speed over that of light, below 1")),
           field(&BeamSection::particles, {.name = "particles",
                                           .range = not_negative,
                                           .fallback = "one of three required with space charge",
                                           .meaning = "physical particles in the bunch",
                                           .only = {only_intensity}}),
           field(&BeamSection::bunch_charge, {.name = "bunch_charge",
                                              .unit = "C",
                                              .range = not_negative,
                                              .fallback = "none",
                                              .meaning = "charge of the bunch, without its sign",
                                              .only = {only_intensity}}),
           field(
               &BeamSection::current,
               {.name = "current",
                .unit = "A",
                .range = not_negative,
                .fallback = "none",
                .meaning = "current, without its sign; the charge of the bunch is the one that "
                           "passes while the beam covers `bunch.length`, or `space_charge.period`",
                .only = {only_intensity}})},
          {check_reference_of}}};
}

}  // namespace tessera::pic
