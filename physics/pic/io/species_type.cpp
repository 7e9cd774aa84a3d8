#include <array>
#include <tessera/pic/io/species_type.hpp>
#include <tessera/pic/physical_constants.hpp>

namespace tessera::pic {
namespace {

struct Type {
  const char* name;
  SpeciesNumbers numbers;
};

constexpr std::array<Type, 9> types = {{{"electron", {electron_energy, -1}},
                                        {"positron", {electron_energy, 1}},
                                        {"proton", {proton_energy, 1}},
                                        {"antiproton", {proton_energy, -1}},
                                        {"anti-proton", {proton_energy, -1}},
                                        {"muon", {muon_energy, -1}},
                                        {"antimuon", {muon_energy, 1}},
                                        {"anti-muon", {muon_energy, 1}},
                                        {"H-", {hydride_energy, -1}}}};

}  // namespace

std::optional<SpeciesNumbers> species_of_type(const std::string& name) {
  for (const Type& type : types)
    if (name == type.name) return type.numbers;
  return std::nullopt;
}

std::string types_of_species() {
  std::string all;
  for (const Type& type : types)
    all += (all.empty() ? "" : ", ") + std::string(type.name);
  return all;
}

}  // namespace tessera::pic
