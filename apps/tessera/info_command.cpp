#include "apps/tessera/command.hpp"
#include "apps/tessera/configuration.hpp"
#include "apps/tessera/table.hpp"
#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "core/execution/fourier_library.hpp"
#include "core/hdf5/hdf5_library.hpp"
#include "core/operations/registry.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tessera::command_line {
namespace {

using nlohmann::ordered_json;

std::string size_text(std::int64_t bytes) {
  if (bytes <= 0) return "";
  if (bytes < (std::int64_t{1} << 30))
    return fmt::format("{:.0f} MiB", static_cast<double>(bytes) / (1 << 20));
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1 << 30));
}

/// Libraries of the build. For HDF5 and FFTW, which are loaded on first use, gives the version
/// found on this machine, or the reason why there is none.
std::vector<Dependency> all_dependencies() {
  std::vector<Dependency> all = dependencies();
  const hdf5::Library& hdf5 = hdf5::library();
  const std::string no_fftw = fourier_library::unavailable();
  for (Dependency& dependency : all) {
    if (dependency.name == "HDF5")
      dependency.version =
          hdf5.missing().empty() ? hdf5.version() + " (" + hdf5.file() + ")" : hdf5.missing();
    else if (dependency.name == "FFTW")
      dependency.version = no_fftw.empty() ? fourier_library::version() : no_fftw;
  }
  return all;
}

class InfoCommand final : public Command {
 public:
  [[nodiscard]] Usage usage() override {
    return {"info",
            "Show version, build fingerprint, devices and dependencies",
            {{"--json", &json_, "Print JSON"}},
            true};
  }

  int run() override {
    if (json_)
      print_json();
    else
      print_text();
    return exit_code::ok;
  }

 private:
  static void print_text() {
    const BuildInfo& build = build_info();
    fmt::print("tessera {} ({})\n", build.version, build.commit);
    for (const BuildFact& fact : build_facts())
      if (!fact.value.empty()) fmt::print("  {:<18} {}\n", fact.title, fact.value);

    fmt::print("\n");
    Table devices({"backend", ">number", "device", "architecture", ">units", ">threads", ">warp",
                   ">memory", ">cache", "driver"});
    for (const BackendInfo& backend : registry().backends()) {
      if (const std::string reason = registry().unavailable(backend.name); !reason.empty()) {
        devices.add({backend.name, "-", reason}, Style::dim);
        continue;
      }
      for (const DeviceProperties& d : registry().devices(backend.name))
        devices.add({backend.name, std::to_string(d.ordinal), d.name, d.architecture,
                     std::to_string(d.compute_units), std::to_string(d.concurrency),
                     std::to_string(d.warp_size), size_text(d.memory_bytes),
                     size_text(d.cache_bytes), d.driver});
    }
    devices.print(stdout);

    fmt::print("\n");
    Table table({"dependency", "version"});
    for (const Dependency& d : all_dependencies())
      table.add({d.name, d.version});
    table.print(stdout);
  }

  static void print_json() {
    const BuildInfo& build = build_info();
    ordered_json out;
    out["schema"] = "tessera.info/1";
    out["version"] = build.version;
    out["commit"] = build.commit;
    for (const BuildFact& fact : build_facts())
      out[fact.key] = fact.value;
    out["backends"] = ordered_json::array();
    for (const BackendInfo& backend : registry().backends()) {
      ordered_json b;
      b["name"] = backend.name;
      b["built"] = backend.not_built.empty();
      const std::string reason = registry().unavailable(backend.name);
      b["available"] = reason.empty();
      if (reason.empty()) {
        b["description"] = backend.description;
        b["devices"] = ordered_json::array();
        for (const DeviceProperties& d : registry().devices(backend.name))
          b["devices"].push_back({{"ordinal", d.ordinal},
                                  {"name", d.name},
                                  {"memory", name(d.memory)},
                                  {"architecture", d.architecture},
                                  {"compute_units", d.compute_units},
                                  {"concurrency", d.concurrency},
                                  {"warp_size", d.warp_size},
                                  {"memory_bytes", d.memory_bytes},
                                  {"cache_bytes", d.cache_bytes},
                                  {"driver", d.driver}});
        // The field `device` serves programs that read only one device per backend.
        if (!b["devices"].empty()) b["device"] = b["devices"].front();
      } else {
        b["reason"] = reason;
      }
      out["backends"].push_back(std::move(b));
    }
    out["dependencies"] = ordered_json::object();
    for (const Dependency& d : all_dependencies())
      out["dependencies"][d.name] = d.version;
    fmt::print("{}\n", out.dump(2));
  }

  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_info_command() {
  return std::make_unique<InfoCommand>();
}

}  // namespace tessera::command_line
