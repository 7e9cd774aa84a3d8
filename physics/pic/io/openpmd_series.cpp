#include "physics/pic/io/openpmd_series.hpp"

#include "physics/pic/io/openpmd_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

namespace tessera::pic {
namespace {

bool has_beam_physics(const hdf5::Object& root) {
  // The attribute is a bit field in version 1 and a list of names from version 2 on.
  return root.has_attribute("openPMDextension") &&
         root.attribute_element("openPMDextension") == hdf5::Element::text &&
         root.text("openPMDextension").find("BeamPhysics") != std::string::npos;
}

hdf5::Object open(const std::filesystem::path& path) {
  refuse_other_openpmd_formats(path);
  hdf5::Object root = hdf5::Object::root_of(path);
  const std::string version = root.text("openPMD");
  if (!version.starts_with("1.") && !(version.starts_with("2.") && has_beam_physics(root)))
    throw root.error("openPMD", version,
                     "expected version 1.x of the openPMD standard, or 2.x with the extension "
                     "BeamPhysics");
  if (root.has_attribute("iterationEncoding"))
    if (const std::string encoding = root.text("iterationEncoding"); encoding == "variableBased")
      throw root.error("iterationEncoding", encoding,
                       "expected iterations in groups or files of their own, fileBased or "
                       "groupBased");
  return root;
}

/// The group at a path such as "particles/" or "./", relative to `group`.
hdf5::Object descend(hdf5::Object group, const std::string& path) {
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string name = path.substr(at, end - at);
    if (!name.empty() && name != ".") group = group.member(name);
    at = end + 1;
  }
  return group;
}

/// The group of an iteration below the base path.
hdf5::Object find_iteration(const hdf5::Object& root, const std::string& base_path,
                            std::optional<std::uint64_t> wanted, std::uint64_t& number) {
  const std::size_t place = base_path.find("%T");
  if (place == std::string::npos) {
    if (wanted.value_or(0) != 0)
      throw root.error("basePath", base_path,
                       "there are no iterations, expected none to be asked for");
    return descend(root, base_path);
  }
  const hdf5::Object data = descend(root, base_path.substr(0, place));
  std::vector<std::string> names, others;
  for (const std::string& name : data.members()) {
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), value);
    if (failure != std::errc() || end != name.data() + name.size()) continue;
    others.push_back(name);
    if (wanted && value != *wanted) continue;
    number = value;
    names.push_back(name);
  }
  if (names.size() == 1) return descend(data.member(names.front()), base_path.substr(place + 2));
  throw data.error("", wanted ? std::to_string(*wanted) : "",
                   others.empty() ? "there is no iteration"
                                  : "expected one of the iterations " +
                                        fmt::format("{}", fmt::join(others, ", ")));
}

hdf5::Object find_group_of_species(const hdf5::Object& particles, const std::string& wanted) {
  if (!wanted.empty()) return particles.member(wanted);
  const std::vector<std::string> names = particles.members();
  if (names.size() == 1) return particles.member(names.front());
  throw particles.error("", "",
                        names.empty() ? "there are no species"
                                      : "expected the name of one of the species " +
                                            fmt::format("{}", fmt::join(names, ", ")));
}

/// The group of a bunch of the extension BeamPhysics: the group of the particles itself or a group
/// below it.
hdf5::Object find_bunch(const hdf5::Object& particles, const std::string& wanted) {
  if (wanted.empty() && particles.has("position")) return particles;
  hdf5::Object found = find_group_of_species(particles, wanted);
  return found.has("position") ? found : find_group_of_species(found, "");
}

}  // namespace

FoundSpecies find_species(const std::filesystem::path& file, std::optional<std::uint64_t> iteration,
                          const std::string& species) {
  const hdf5::Object root = open(file);
  const bool beam_physics = has_beam_physics(root);
  const auto path_of = [&](const char* attribute, const char* otherwise) {
    return root.has_attribute(attribute) ? root.text(attribute) : std::string(otherwise);
  };
  // Version 1 of the standard has one fixed base path.
  const std::string base = beam_physics ? path_of("basePath", "/data/%T/") : "/data/%T/";
  std::uint64_t number = 0;
  const hdf5::Object step = find_iteration(root, base, iteration, number);
  const hdf5::Object particles = descend(step, path_of("particlesPath", "particles"));
  return {step,
          beam_physics ? find_bunch(particles, species) : find_group_of_species(particles, species),
          number, beam_physics};
}

}  // namespace tessera::pic
